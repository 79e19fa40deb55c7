//! Several souls in one run: each gets a name of its own, and one that fails stops no other.

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

use soul_core::text::slug;
use soul_engine::Progress as _;
use soul_engine::ops::Operation;
use soul_engine::ops::convert::{Request, Response};
use soul_engine::souls::Target;

use super::Options;
use super::inputs::Inputs;
use super::write;
use crate::cli::Global;
use crate::cli::out::{Output, Written};
use crate::output::conversion::{self, Counts, InputResult, Run, Summary};
use crate::output::progress::Progress;
use crate::output::{self, Failure};

pub(super) fn run(global: &Global, inputs: &Inputs, options: Options, folder: &Path) -> Result<ExitCode, Failure> {
    if folder.is_file() {
        return Err(Failure::usage("several souls cannot go to one file").hint("name a directory with `-o`"));
    }
    let mut taken = HashSet::new();
    let progress = Progress::start();
    let mut results = Vec::with_capacity(inputs.targets.len());
    for (input, target) in &inputs.targets {
        let result = convert(global, target, options, folder, &mut taken);
        results.push(match result {
            Ok((conversion, written)) => {
                let exit = u8::from(written.is_none());
                let written = written.map(|written| written.paths().to_vec());
                InputResult { input: input.clone(), written, conversion: Some(conversion), error: None, exit }
            }
            Err(failure) => {
                let (error, exit) = (Some(failure.report().clone()), failure.exit_code());
                InputResult { input: input.clone(), written: None, conversion: None, error, exit }
            }
        });
        progress.advance("souls converted", 1, Some(inputs.targets.len()));
    }
    drop(progress);
    let exit = results.iter().map(|result| result.exit).max().unwrap_or_default();
    let run = Run { summary: summary(&results, inputs), results };
    if global.json {
        output::json(Request::NAME, &run)?;
    } else {
        output::print(&conversion::run(&run))?;
    }
    Ok(ExitCode::from(exit))
}

fn convert(
    global: &Global,
    target: &Target,
    options: Options,
    folder: &Path,
    taken: &mut HashSet<String>,
) -> Result<(Response, Option<Written>), Failure> {
    let Options { from, to, overwrite, strict } = options;
    let mut response = global.ask(Request { target: target.clone(), from, to, file_name: None })?;
    if strict && response.has_losses() {
        return Ok((response, None));
    }
    let id = free_id(&response, taken);
    let out = if to.is_folder() || response.all_files().count() > 1 {
        Output::Directory(folder.join(id))
    } else {
        response.file_name = format!("{id}.{}", to.extension());
        Output::Directory(folder.to_path_buf())
    };
    let written = write(&out, global, &response, overwrite)?;
    Ok((response, Some(written)))
}

/// A name that no other soul of the run has: the best that is free, or else the best with a number.
fn free_id(response: &Response, taken: &mut HashSet<String>) -> String {
    let place = response.source_path.rsplit('/').nth(1).map(slug).filter(|id| !id.is_empty());
    let ids: Vec<&String> = response.ids.iter().chain(&place).collect();
    let first = ids.first().map_or_else(|| "soul".to_owned(), |id| (*id).clone());
    let free = ids.iter().find(|id| !taken.contains(id.as_str())).map(|id| (*id).clone());
    let id = free.unwrap_or_else(|| {
        let mut numbered = (2_usize..).map(|number| format!("{first}-{number}"));
        numbered.find(|id| !taken.contains(id)).unwrap_or(first)
    });
    taken.insert(id.clone());
    id
}

fn summary(results: &[InputResult], inputs: &Inputs) -> Summary {
    let written = results.iter().filter(|result| result.written.is_some());
    let responses: Vec<&Response> = written.filter_map(|result| result.conversion.as_ref()).collect();
    let items = responses.iter().flat_map(|response| response.kept.iter().chain(&response.losses));
    let companions = responses.iter().flat_map(|response| &response.companions);
    Summary {
        converted: responses.len(),
        refused: results.iter().filter(|result| result.conversion.is_some()).count() - responses.len(),
        failed: results.iter().filter(|result| result.error.is_some()).count(),
        items: Counts::of(items.map(|item| item.fate)),
        companions: Counts::of(companions.map(|companion| companion.fate)),
        skipped: inputs.skipped.clone(),
    }
}
