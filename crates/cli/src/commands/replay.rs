//! `provoke replay PROG [--stdin FILE] [--file FILE] [-- ARGS]`

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use checkers::selection::Selection;
use clap::Args;
use replay::{End, Input, Part, Replayer, Source};
use run::{Status, Surroundings};

use crate::exit::{self, FINDINGS, Failure, INTERRUPTED};
use crate::refinements::Refinements;
use crate::target::Target;
use crate::{describe, interrupt, program};

/// Arguments of `provoke replay`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// Which checkers, as for `provoke check`
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: Selection,
    /// Contents of a buffer that the program makes symbolic; can be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = buffer)]
    buffer: Vec<(String, PathBuf)>,
    /// Number of a check for what is often meant that is to be reported; can be repeated
    #[arg(long, value_name = "NUMBER")]
    armed: Vec<u32>,
    /// Environment variable of the program that is no input; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(OsString, OsString)>,
    /// Start the program in a copy of this folder
    #[arg(long, value_name = "DIR")]
    start_in: Option<PathBuf>,
    #[command(flatten)]
    refinements: Refinements,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn buffer(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("write NAME=FILE")?;
    Ok((name.to_owned(), PathBuf::from(file)))
}

fn setting(text: &str) -> Result<(OsString, OsString), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let preparing = interrupt::Preparing::start(&interrupted);
    let target = &arguments.target;
    let opened = target.open_with_input()?;
    let rules = arguments.checks.in_views();
    let specification = arguments.refinements.read(rules)?;
    let view = program::view(&opened, views::Kind::Replay(rules), &specification)?;
    drop(preparing);
    let input = input(arguments)?;
    let name = Some(target.program.clone().into_os_string());
    let surroundings = Surroundings { variables: arguments.set.clone(), folder: arguments.start_in.clone() };
    let replay_target = replay::Target { view, name, args: target.args.clone(), surroundings };
    let settings = replay::Settings {
        limits: target.limits(),
        output: target.output(),
        reuse: false,
        serve_at_once: false,
        interrupt: interrupted,
    };
    let replayer = Replayer::new(replay_target, settings).map_err(Failure::input)?;
    let outcome = replayer.replay_armed(&input, &arguments.armed).map_err(Failure::input)?;
    exit::shown(print(arguments.json, &outcome))?;
    Ok(match (outcome.end, outcome.violations.is_empty()) {
        (End::Other(Status::Interrupted), _) => ExitCode::from(INTERRUPTED),
        (_, true) => ExitCode::SUCCESS,
        (_, false) => ExitCode::from(FINDINGS),
    })
}

fn print(as_json: bool, outcome: &replay::Outcome) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if as_json {
        serde_json::to_writer_pretty(&mut out, &outcome.violations).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return out.flush();
    }
    for violation in &outcome.violations {
        writeln!(out, "{}: {}", violation.rule, report::escape::visible(&violation.message))?;
        for frame in &violation.stack {
            let position = report::Position::from(&frame.position);
            writeln!(out, "    in {} at {position}", frame.position.function)?;
        }
    }
    match outcome.end {
        End::Violation => writeln!(out, "the program was stopped there")?,
        End::Other(status) => writeln!(out, "{}", describe::status(status))?,
    }
    writeln!(out, "the run took {:.2} s", outcome.wall.as_secs_f64())?;
    out.flush()
}

fn input(arguments: &Arguments) -> Result<Input, Failure> {
    let target = &arguments.target;
    let mut input = target.inputs().read(&target.args).map_err(Failure::input)?;
    for (name, file) in &arguments.buffer {
        let read = fs::read(file).with_context(|| format!("cannot read the input {}", file.display()));
        let bytes = read.map_err(Failure::Input)?;
        input.parts.push(Part { source: Source::Buffer(name.clone()), bytes });
    }
    Ok(input)
}
