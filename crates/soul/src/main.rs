//! `soul`: the command line. Parses arguments, calls one operation, prints.

mod cli;
mod output;
mod remote;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
