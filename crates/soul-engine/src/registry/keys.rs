//! Signatures of packages: minisign keys of this home, and the keys that others are known by.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox, SignatureBox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::exchange::base64;

use super::{Error, Package};
use crate::Keeper;
use crate::files::{self, Directory};

/// The folder of the home with keys to sign with.
const FOLDER: &str = "keys";
/// The file of the home that says which keys are trusted.
pub(crate) const TRUST_FILE: &str = "keys.toml";

/// The public part of a minisign key, as `minisign -P` takes it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Key(String);

impl Key {
    /// The key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn public(&self) -> Result<PublicKey, Error> {
        PublicKey::from_base64(&self.0).map_err(|error| Error::BadKey(error.to_string()))
    }

    /// Whether it has signed a text.
    fn has_signed(&self, signature: &str, text: &str) -> Result<(), Error> {
        let bad = |error: minisign::PError| Error::BadSignature(error.to_string());
        let signature = SignatureBox::from_string(signature).map_err(bad)?;
        minisign::verify(&self.public()?, &signature, Cursor::new(text.as_bytes()), true, false, false).map_err(bad)
    }
}

impl std::str::FromStr for Key {
    type Err = Error;

    /// Reads a key: alone, or as a `.pub` file has it, with a comment before it.
    fn from_str(text: &str) -> Result<Self, Error> {
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        let key = Self(line.to_owned());
        key.public().map(|_| key)
    }
}

impl TryFrom<String> for Key {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A key of this home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnKey {
    /// Its name.
    pub name: String,
    /// Its public part, which others verify signatures with.
    pub public_key: Key,
}

fn folder(keeper: &Keeper) -> Result<PathBuf, Error> {
    keeper.home().map(|home| home.join(FOLDER)).ok_or(Error::NoHome)
}

fn check_name(name: &str) -> Result<(), Error> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_name = (1..=64).contains(&name.len()) && name.bytes().all(is_part);
    if is_name { Ok(()) } else { Err(Error::BadKeyName(soul_core::text::visible(name))) }
}

/// Makes a key: `keys/NAME.key`, which only its owner can read, and `keys/NAME.pub`.
pub(crate) fn create(keeper: &Keeper, name: &str) -> Result<OwnKey, Error> {
    check_name(name)?;
    keeper.make_home()?;
    let folder = folder(keeper)?;
    let io = |error| Error::Io(format!("keys/{name}.key"), error);
    files::create_private(&folder).map_err(io)?;
    if folder.join(format!("{name}.key")).exists() || folder.join(format!("{name}.pub")).exists() {
        return Err(Error::KeyExists(name.to_owned()));
    }
    let bad = |error: minisign::PError| Error::BadKey(error.to_string());
    let KeyPair { pk, sk } = KeyPair::generate_unencrypted_keypair().map_err(bad)?;
    let secret = sk.to_box(Some(&format!("soul key {name}"))).map_err(bad)?.into_string();
    let public = pk.to_box().map_err(bad)?.into_string();
    write_private(&folder, &format!("{name}.key"), secret.as_bytes()).map_err(io)?;
    files::create_below(&folder, Path::new(&format!("{name}.pub")), public.as_bytes()).map_err(io)?;
    Ok(OwnKey { name: name.to_owned(), public_key: public.parse()? })
}

/// Creates a file that only its owner can read, from the moment it is there.
fn write_private(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let path = folder.join(name);
    let mut file = options.open(&path)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| drop(std::fs::remove_file(&path)))
}

/// The keys of this home, by name.
pub(crate) fn own(keeper: &Keeper) -> Result<Vec<OwnKey>, Error> {
    let directory = match Directory::open(&folder(keeper)?) {
        Ok(directory) => directory,
        Err(files::Error::NotFound) => return Ok(Vec::new()),
        Err(error) => return Err(Error::Unreadable(FOLDER.to_owned(), error)),
    };
    let unreadable = |error| Error::Unreadable(FOLDER.to_owned(), error);
    let mut keys = Vec::new();
    for file in directory.names().map_err(unreadable)? {
        let Some(name) = file.strip_suffix(".pub") else { continue };
        let text = String::from_utf8_lossy(&directory.read(&file).map_err(unreadable)?).into_owned();
        keys.push(OwnKey { name: name.to_owned(), public_key: text.parse()? });
    }
    Ok(keys)
}

/// Signs the checksums of a package.
pub(crate) fn sign(keeper: &Keeper, name: &str, package: &Package) -> Result<(String, Key), Error> {
    check_name(name)?;
    let directory = Directory::open(&folder(keeper)?).map_err(|_| Error::NoKey(name.to_owned()))?;
    let secret = match directory.read(format!("{name}.key")) {
        Err(files::Error::NotFound) => return Err(Error::NoKey(name.to_owned())),
        read => read.map_err(|error| Error::Unreadable(format!("keys/{name}.key"), error))?,
    };
    let bad = |error: minisign::PError| Error::BadKey(error.to_string());
    let secret = secret_key(&String::from_utf8_lossy(&secret))?;
    let public = PublicKey::from_secret_key(&secret).map_err(bad)?;
    // The key stands in the comment, so that a stranger can verify at first use; the comment is signed too.
    let comment = format!("{} {} key:{}", package.name, package.version, public.to_base64());
    let sums = package.contents.sums();
    let signed = minisign::sign(
        Some(&public),
        &secret,
        Cursor::new(sums.as_bytes()),
        Some(&comment),
        Some("signature of SHA256SUMS"),
    );
    Ok((signed.map_err(bad)?.into_string(), Key(public.to_base64())))
}

/// The key of a file, as we or minisign write it.
fn secret_key(text: &str) -> Result<SecretKey, Error> {
    let bad = |error: minisign::PError| Error::BadKey(error.to_string());
    let bytes = text.lines().nth(1).and_then(base64::decode).unwrap_or_default();
    // The signature algorithm, that of the password, that of the checksum; the checksum is at the end.
    let has_password = bytes.get(2..4).is_some_and(|algorithm| algorithm != [0, 0]);
    if has_password {
        return Err(Error::KeyHasPassword);
    }
    // Without a password minisign writes no checksum either.
    if bytes.last_chunk::<32>().is_some_and(|checksum| *checksum == [0; 32]) {
        return SecretKey::from_bytes(&bytes).map_err(bad);
    }
    SecretKeyBox::from_string(text).and_then(SecretKeyBox::into_unencrypted_secret_key).map_err(bad)
}

/// What a signature shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Signed {
    /// Whether and by whom the package is signed.
    pub state: SignatureState,
    /// The public key, if it is signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
}

/// Whether and by whom a package is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum SignatureState {
    /// It has no signature.
    Unsigned,
    /// It is signed by a key that nobody is known by yet. Installing trusts it for this owner.
    FirstUse,
    /// It is signed by a key that is trusted for its owner.
    Trusted,
}

impl Signed {
    /// The key that signed, if it is known to be the owner's from now on.
    pub(crate) fn first_use(&self) -> Option<&Key> {
        self.key.as_ref().filter(|_| self.state == SignatureState::FirstUse)
    }
}

/// Verifies the signature of a package against the keys that are trusted for its owner.
pub(crate) fn verify(trust: &Trust, owner: &str, signature: Option<&str>, sums: &str) -> Result<Signed, Error> {
    let trusted = trust.keys(owner);
    let Some(signature) = signature else {
        return match trusted.is_empty() {
            true => Ok(Signed { state: SignatureState::Unsigned, key: None }),
            false => Err(Error::BadSignature(format!("packages of {owner} are signed, and this one is not"))),
        };
    };
    if let Some(key) = trusted.iter().find(|key| key.has_signed(signature, sums).is_ok()) {
        return Ok(Signed { state: SignatureState::Trusted, key: Some(key.clone()) });
    }
    let bad = |error: minisign::PError| Error::BadSignature(error.to_string());
    let comment = SignatureBox::from_string(signature).map_err(bad)?.trusted_comment().map_err(bad)?;
    let named = comment.rsplit_once("key:").map(|(_, key)| key.trim().parse::<Key>());
    let key = named.ok_or_else(|| {
        let hint = "it does not name its key; trust the key first: `soul key trust OWNER KEY`";
        Error::BadSignature(hint.to_owned())
    })??;
    key.has_signed(signature, sums)?;
    match trusted.is_empty() {
        true => Ok(Signed { state: SignatureState::FirstUse, key: Some(key) }),
        false => Err(Error::BadSignature(format!(
            "{owner} is known by another key; if the key was replaced, run `soul key trust {owner} {key}`"
        ))),
    }
}

/// The keys that owners are known by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trust {
    #[serde(default)]
    owners: BTreeMap<String, TrustedOwner>,
}

/// The keys that an owner is known by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustedOwner {
    /// The keys.
    pub keys: Vec<Key>,
}

impl Trust {
    /// Reads `keys.toml` of the home.
    pub(crate) fn read(keeper: &Keeper) -> Result<Self, Error> {
        let home = keeper.home().ok_or(Error::NoHome)?;
        let bytes = match Directory::open(home).and_then(|home| home.read(TRUST_FILE)) {
            Ok(bytes) => bytes,
            Err(files::Error::NotFound) => return Ok(Self::default()),
            Err(error) => return Err(Error::BadTrust(error.to_string())),
        };
        let text = String::from_utf8(bytes).map_err(|error| Error::BadTrust(error.to_string()))?;
        toml::from_str(&text).map_err(|error| Error::BadTrust(error.message().to_owned()))
    }

    /// The keys that an owner is known by.
    fn keys(&self, owner: &str) -> &[Key] {
        let known = self.owners.iter().find(|(known, _)| known.eq_ignore_ascii_case(owner));
        known.map_or(&[], |(_, known)| &known.keys)
    }

    /// Every owner with its keys.
    pub(crate) const fn owners(&self) -> &BTreeMap<String, TrustedOwner> {
        &self.owners
    }

    /// Trusts a key for an owner. False if it was trusted before.
    pub(crate) fn add(&mut self, owner: &str, key: &Key) -> bool {
        if self.keys(owner).contains(key) {
            return false;
        }
        let known = self.owners.keys().find(|known| known.eq_ignore_ascii_case(owner)).cloned();
        self.owners.entry(known.unwrap_or_else(|| owner.to_owned())).or_default().keys.push(key.clone());
        true
    }

    /// Forgets the keys of an owner. False if there were none.
    pub(crate) fn forget(&mut self, owner: &str) -> bool {
        let before = self.owners.len();
        self.owners.retain(|known, _| !known.eq_ignore_ascii_case(owner));
        self.owners.len() < before
    }

    /// Writes `keys.toml` of the home, durably.
    pub(crate) fn write(&self, keeper: &Keeper) -> Result<(), Error> {
        keeper.make_home()?;
        let home = keeper.home().ok_or(Error::NoHome)?;
        let mut text = "# Keys that publishers of packages are known by. `soul key trust` adds one.\n".to_owned();
        for (owner, TrustedOwner { keys }) in &self.owners {
            let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
            text.push_str(&format!("\n[owners.\"{owner}\"]\nkeys = [{}]\n", keys.join(", ")));
        }
        files::replace(&home.join(TRUST_FILE), text.as_bytes()).map_err(|error| Error::Io(TRUST_FILE.to_owned(), error))
    }
}
