//! Installing, removing and verifying packages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use super::keys::Trust;
use super::lock::{Installed, Locked, Packages, read_installed};
use super::source::Sourced;
use super::{Error, PackageName, Plan};
use crate::Keeper;

/// Installs a package, if the plan is still the one that was agreed to.
pub(crate) fn install(keeper: &Keeper, sourced: &Sourced, agreed: Digest) -> Result<(Plan, Locked), Error> {
    // First without the lock: a package that is refused waits for nobody.
    refuse(keeper, sourced, agreed, Installed::read(keeper)?.rows())?;
    let mut packages = Packages::lock(keeper)?;
    let plan = refuse(keeper, sourced, agreed, packages.rows())?;
    let Sourced { package, source, .. } = sourced;
    if plan.unchanged
        && let Some(row) = packages.find(&package.name)
    {
        return Ok((plan, row.clone()));
    }
    let row = Locked {
        package: package.name.clone(),
        version: package.version,
        source: source.clone(),
        digest: package.contents.digest(),
        signature: plan.signature.key.clone(),
        installed_at: keeper.now(),
        pending: None,
    };
    let trusted = Trust::read(keeper)?;
    if let Some(key) = plan.signature.first_use() {
        let mut trust = trusted.clone();
        trust.add(package.name.owner(), key);
        trust.write(keeper)?;
    }
    packages.install(&package.contents, row.clone()).inspect_err(|_| {
        // A key is trusted because of a package that is installed.
        if plan.signature.first_use().is_some() {
            let _ = trusted.write(keeper);
        }
    })?;
    Ok((plan, row))
}

fn refuse(keeper: &Keeper, sourced: &Sourced, agreed: Digest, rows: &[Locked]) -> Result<Plan, Error> {
    let plan = Plan::of(keeper, sourced, rows)?;
    if let Some(reason) = plan.refused.first() {
        return Err(Error::Refused(plan.package.clone(), reason.clone(), plan.findings.clone()));
    }
    // A change that is made already is the same change, whatever the plan says of it now.
    if plan.digest != agreed && !plan.unchanged {
        return Err(Error::PlanChanged);
    }
    Ok(plan)
}

/// A package whose files were compared with `soul.lock`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    /// The package.
    pub package: PackageName,
    /// Its version.
    pub version: super::Version,
    /// Whether every file is what was installed, and nothing else is there.
    pub passed: bool,
    /// What differs.
    pub problems: Vec<String>,
}

/// Compares the files of a package with `soul.lock`.
pub(crate) fn verify(keeper: &Keeper, row: &Locked) -> Result<Verified, Error> {
    let home = keeper.home().ok_or(Error::NoHome)?;
    let mut problems = Vec::new();
    match read_installed(home, row) {
        Ok(contents) => {
            problems.extend(contents.skipped().iter().map(|path| format!("`{path}` was not installed")));
            if contents.digest() != row.digest {
                problems.push("the files are not those of soul.lock".to_owned());
            }
            let trust = Trust::read(keeper)?;
            if let Some(key) = &row.signature {
                let signed = super::keys::verify(&trust, row.package.owner(), contents.signature(), &contents.sums());
                match signed {
                    Ok(signed) if signed.key.as_ref() == Some(key) => {}
                    Ok(_) => problems.push("it is not signed by the key of soul.lock".to_owned()),
                    Err(error) => problems.push(error.to_string()),
                }
            }
        }
        Err(error) => problems.push(error.to_string()),
    }
    Ok(Verified { package: row.package.clone(), version: row.version, passed: problems.is_empty(), problems })
}
