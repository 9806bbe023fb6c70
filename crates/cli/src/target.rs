//! What is run, and on what: the same options on every command that runs a program.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use run::{Inputs, Limits, Output, Request};
use solver::Budget;

use crate::limits::{self, Limit};
use trace::reader::Memory;

/// Turns on the comparison of every term with what the program computed.
const SELFCHECK_VARIABLE: &str = "PROVOKE_SELFCHECK";

/// A program, its input, and what it may use.
#[derive(Args, Clone, Debug)]
pub struct Target {
    /// The program: built with `provoke cc`, a view, or a C source file
    pub program: PathBuf,
    /// File to be the program's standard input
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// File whose (copy's) path takes the place of @@ in the program's arguments
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Show what the program prints, on standard error
    #[arg(long)]
    pub show_output: bool,
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = limits::parse, help = limits::HELP)]
    limit: Vec<Limit>,
    /// What becomes of addresses that depend on the input
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = MemoryModel::Precise)]
    memory: MemoryModel,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

/// What becomes of addresses that depend on the input.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryModel {
    /// All that they can refer to is followed, where it is known and not too much
    Precise,
    /// They are pinned to the one that they were in the run
    Concrete,
}

impl From<MemoryModel> for Memory {
    fn from(model: MemoryModel) -> Memory {
        match model {
            MemoryModel::Precise => Memory::Precise,
            MemoryModel::Concrete => Memory::Concrete,
        }
    }
}

impl Target {
    /// A run of a concolic view of the program.
    pub fn request(&self, view: PathBuf) -> Request {
        Request {
            view,
            name: Some(self.program.clone().into_os_string()),
            args: self.args.clone(),
            inputs: Inputs { stdin: self.stdin.clone(), file: self.file.clone() },
            limits: self.limits(),
            output: self.output(),
            memory: self.memory.into(),
            selfcheck: std::env::var_os(SELFCHECK_VARIABLE).is_some_and(|value| !value.is_empty() && value != "0"),
        }
    }

    /// The same with other arguments of the program.
    pub fn with_args(&self, args: Vec<OsString>) -> Target {
        Target { args, ..self.clone() }
    }

    /// What a run may use.
    pub fn limits(&self) -> Limits {
        limits::apply(&self.limit)
    }

    /// What a query may use.
    pub fn budget(&self) -> Budget {
        limits::budget(&self.limit)
    }

    /// What becomes of the program's output.
    pub fn output(&self) -> Output {
        if self.show_output { Output::ToStderr } else { Output::Discard }
    }

    /// The options and arguments that make up the input, as the user would write them, with other files in their place.
    pub fn words(&self, stdin: Option<PathBuf>, file: Option<PathBuf>) -> Vec<OsString> {
        let mut words = vec![self.program.clone().into_os_string()];
        if let Some(stdin) = stdin.or_else(|| self.stdin.clone()) {
            words.extend(["--stdin".into(), stdin.into_os_string()]);
        }
        if let Some(file) = file.or_else(|| self.file.clone()) {
            words.extend(["--file".into(), file.into_os_string()]);
        }
        if !self.args.is_empty() {
            words.push("--".into());
            words.extend(self.args.clone());
        }
        words
    }
}
