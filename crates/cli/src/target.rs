//! What is run, and on what: the same options on every command that runs a program.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use cc::bundle::Program;
use cc::header::StandIn;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use run::{Channel, Input, Inputs, Limits, Output, PLACEHOLDER, Request};
use solver::Budget;

use crate::exit::Failure;
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
    /// File whose (copy's) path takes the place of @@ in the program's arguments; if repeated, of @@1, @@2 and so on
    #[arg(long, value_name = "FILE")]
    pub file: Vec<PathBuf>,
    /// Number of an argument of the program that is input, its length included; can be repeated
    #[arg(long = "arg", value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    arg: Vec<u16>,
    /// All arguments of the program are input, but those with the name of a file in them
    #[arg(long = "all-args")]
    all_args: bool,
    /// Environment variable whose value is input, its length included, as it is (empty if it is not set) or as it is said here; can be
    /// repeated
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = OsStringValueParser::new().try_map(named))]
    env: Vec<OsString>,
    /// File with what comes out of the program's sockets: connections to anywhere and from anywhere
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,
    /// File with the names that are in folders, one on a line: whichever folder the program lists, they are in it
    #[arg(long, value_name = "FILE")]
    folder: Option<PathBuf>,
    /// What rand, random, getrandom and time give is input
    #[arg(long)]
    random: bool,
    /// The lengths of files and of standard input are input too: they may end earlier or go on
    #[arg(long)]
    lengths: bool,
    /// C file with models of functions that the program calls and has no bitcode of; provoke.h says how; can be repeated
    #[arg(long, value_name = "FILE")]
    models: Vec<PathBuf>,
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
            inputs: self.inputs(),
            surroundings: run::Surroundings::default(),
            limits: self.limits(),
            output: self.output(),
            memory: self.memory.into(),
            selfcheck: std::env::var_os(SELFCHECK_VARIABLE).is_some_and(|value| !value.is_empty() && value != "0"),
        }
    }

    /// The same for inputs of any length; nothing if they were of any length before, or have none that can change.
    pub fn of_any_length(&self) -> Option<Target> {
        let has_length = self.stdin.is_some() || !self.file.is_empty() || !self.channels().is_empty();
        (has_length && !self.lengths).then(|| Target { lengths: true, ..self.clone() })
    }

    /// The same with other arguments of the program.
    pub fn with_args(&self, args: Vec<OsString>) -> Target {
        Target { args, ..self.clone() }
    }

    /// The same with another standard input.
    pub fn with_stdin(&self, file: PathBuf) -> Target {
        Target { stdin: Some(file), ..self.clone() }
    }

    /// What a run may use.
    pub fn limits(&self) -> Limits {
        limits::apply(&self.limit)
    }

    /// What the trace of a run of many may take.
    pub fn explored_trace(&self) -> u64 {
        limits::trace(&self.limit).unwrap_or(limits::EXPLORED_TRACE)
    }

    /// What a query may use.
    pub fn budget(&self) -> Budget {
        limits::budget(&self.limit)
    }

    /// What becomes of the program's output.
    pub fn output(&self) -> Output {
        if self.show_output { Output::ToStderr } else { Output::Discard }
    }

    /// Where the input comes from.
    pub fn inputs(&self) -> Inputs {
        let mut arguments: BTreeSet<usize> = self.arg.iter().map(|number| usize::from(*number) - 1).collect();
        if self.all_args {
            let is_file = |arg: &OsString| arg.to_string_lossy().contains(PLACEHOLDER);
            let own = self.args.iter().enumerate().filter(|(_, arg)| !is_file(arg));
            arguments.extend(own.map(|(index, _)| index));
        }
        let variables = self.env.iter().map(|text| variable(text)).collect();
        let (stdin, files, channels) = (self.stdin.clone(), self.file.clone(), self.channels());
        Inputs { stdin, files, channels, arguments, variables, lengths: self.lengths }
    }

    fn channels(&self) -> Vec<(Channel, PathBuf)> {
        let given = [(Channel::Socket, &self.socket), (Channel::Folder, &self.folder)];
        given.into_iter().filter_map(|(channel, file)| Some((channel, file.clone()?))).collect()
    }

    /// The program itself, if the input that is given is one that it can be run on: making views takes long enough to ask before.
    pub fn open_with_input(&self) -> Result<Program, Failure> {
        self.inputs().examine(&self.args).map_err(Failure::input)?;
        self.open()
    }

    /// The program itself, with the user's models.
    pub fn open(&self) -> Result<Program, Failure> {
        let mut program = crate::program::open(&self.program)?;
        for file in &self.models {
            program.add_models(file).map_err(Failure::input)?;
        }
        crate::models::say_unused(&program)?;
        let wanted = [
            (self.socket.is_some(), StandIn::Sockets),
            (self.folder.is_some(), StandIn::Folders),
            (self.random, StandIn::Random),
        ];
        for (_, stand_in) in wanted.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            program.add_stand_in(stand_in).map_err(Failure::input)?;
        }
        if !self.random {
            crate::program::repeat_random_numbers(&mut program)?;
        }
        Ok(program)
    }

    /// What Provoke puts in the place of parts of the system, for people; a program that runs without it has the system's own.
    pub fn stand_ins(&self) -> Vec<&'static str> {
        let all = [
            (self.socket.is_some(), "what comes over sockets"),
            (self.folder.is_some(), "the names in folders"),
            (self.random, "random numbers and the time"),
        ];
        all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| what).collect()
    }

    /// What people call the input.
    pub fn input_name(&self) -> String {
        let given = self.file.iter().chain(&self.stdin).chain(&self.socket).chain(&self.folder);
        let files = given.map(|file| file.display().to_string());
        let inputs = self.inputs();
        let arguments = inputs.arguments.iter().map(|index| format!("argv[{}]", index + 1));
        let variables = inputs.variables.iter().map(|(name, _)| name.clone());
        files.chain(arguments).chain(variables).collect::<Vec<_>>().join(", ")
    }

    /// The program, its input and its arguments, as the user has given them, for another command.
    pub fn as_given(&self) -> Vec<OsString> {
        let mut words = vec![self.program.clone().into_os_string()];
        let mut add = |option: &str, value: OsString| words.extend([format!("--{option}").into(), value]);
        for (channel, file) in self.channels() {
            add(channel.name(), file.into());
        }
        self.stdin.iter().for_each(|file| add("stdin", file.into()));
        self.file.iter().for_each(|file| add("file", file.into()));
        self.arg.iter().for_each(|number| add("arg", number.to_string().into()));
        self.env.iter().for_each(|variable| add("env", variable.clone()));
        self.models.iter().for_each(|file| add("models", file.into()));
        if self.memory == MemoryModel::Concrete {
            add("memory", "concrete".into());
        }
        let flags = [(self.all_args, "--all-args"), (self.random, "--random"), (self.lengths, "--lengths")];
        words.extend(flags.into_iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| flag.into()));
        if !self.args.is_empty() {
            words.push("--".into());
            words.extend(self.args.iter().cloned());
        }
        words
    }

    /// The options and arguments that make up an input, as the user would write them; its files are at `files`, `stdin` and `channels`.
    pub fn words(
        &self,
        input: &Input,
        files: &[PathBuf],
        stdin: Option<PathBuf>,
        channels: &[(Channel, PathBuf)],
    ) -> Vec<OsString> {
        let mut words = vec![self.program.clone().into_os_string()];
        for (channel, file) in channels {
            words.extend([format!("--{}", channel.name()).into(), file.clone().into_os_string()]);
        }
        if self.random {
            words.push("--random".into());
        }
        if let Some(stdin) = stdin {
            words.extend(["--stdin".into(), stdin.into_os_string()]);
        }
        for file in files {
            words.extend(["--file".into(), file.clone().into_os_string()]);
        }
        for (name, value) in input.variables() {
            let mut word = OsString::from(format!("{name}="));
            word.push(value);
            words.extend(["--env".into(), word]);
        }
        if !self.args.is_empty() {
            words.push("--".into());
            words.extend(input.arguments(&self.args));
        }
        words
    }
}

/// A variable, with a value or without, that has a name.
fn named(text: OsString) -> Result<OsString, &'static str> {
    if text.is_empty() || text.as_bytes().starts_with(b"=") {
        return Err("a variable has a name: NAME, or NAME=VALUE");
    }
    Ok(text)
}

/// Name and value of a variable: of one without a value, what it is here.
fn variable(text: &OsStr) -> (String, OsString) {
    let bytes = text.as_bytes();
    match bytes.iter().position(|byte| *byte == b'=') {
        Some(at) => {
            let (name, value) = bytes.split_at(at);
            let value = value.get(1..).unwrap_or_default();
            (String::from_utf8_lossy(name).into_owned(), OsString::from_vec(value.to_vec()))
        }
        None => (text.to_string_lossy().into_owned(), std::env::var_os(text).unwrap_or_default()),
    }
}
