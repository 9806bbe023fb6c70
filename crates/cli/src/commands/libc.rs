//! `provoke libc [NAMES]`

use std::io::Write;
use std::process::ExitCode;

use cc::header::StandIn;
use clap::Args;
use serde::Serialize;
use trace::models::{FAMILIES, How};

use crate::exit::Failure;

/// Arguments of `provoke libc`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Say only how these are modelled; exits with 1 if one is not
    #[arg(value_name = "FUNCTION")]
    functions: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A modelled function.
#[derive(Serialize)]
struct Row {
    function: &'static str,
    modelled: &'static str,
    family: &'static str,
}

/// Width of the list of a family's functions.
const WIDTH: usize = 100;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut rows = rows();
    let mut out = std::io::stdout().lock();
    if !arguments.functions.is_empty() {
        return answer(&mut out, &rows, &arguments.functions);
    }
    if arguments.json {
        rows.sort_by_key(|row| row.function);
        serde_json::to_writer_pretty(&mut out, &rows).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut families: Vec<&str> = rows.iter().map(|row| row.family).collect();
    families.dedup();
    for family in families {
        writeln!(out, "{}", family.trim_end_matches('.'))?;
        for how in How::ALL {
            let of_family = rows.iter().filter(|row| row.family == family && row.modelled == how.name());
            list(&mut out, how, of_family.map(|row| row.function))?;
        }
    }
    writeln!(out)?;
    for how in How::ALL {
        writeln!(out, "{:<9} {}", how.name(), how.meaning())?;
    }
    writeln!(
        out,
        "{} functions. A call of any other function without bitcode that gets at the input is a loss, which",
        rows.len()
    )?;
    writeln!(out, "every command reports by line; functions that only write out or count are none.")?;
    writeln!(out, "--models FILE adds models of yours, in C; provoke.h says how.")?;
    Ok(ExitCode::SUCCESS)
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for family in FAMILIES {
        let row = |(function, how): &(&'static str, How)| Row { function, modelled: how.name(), family: family.name };
        rows.extend(family.functions.iter().map(row));
    }
    for model in views::MODELS {
        let row = |function: &&'static str| Row { function, modelled: model.how.name(), family: model.about };
        rows.extend(model.functions.iter().map(row));
    }
    rows
}

fn list(out: &mut impl Write, how: How, functions: impl Iterator<Item = &'static str>) -> std::io::Result<()> {
    let mut line = String::new();
    for function in functions {
        if line.len() + function.len() > WIDTH {
            writeln!(out, "  {:<9} {line}", how.name())?;
            line.clear();
        }
        line.push_str(function);
        line.push(' ');
    }
    if !line.is_empty() {
        writeln!(out, "  {:<9} {line}", how.name())?;
    }
    Ok(())
}

fn answer(out: &mut impl Write, rows: &[Row], functions: &[String]) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for function in functions {
        let model = rows.iter().find(|row| row.function == function).map(|row| row.modelled);
        let with = StandIn::ALL.into_iter().find(|stand_in| stand_in.functions().any(|name| name == function));
        let said = match (model, with) {
            (Some(model), _) => model.to_owned(),
            (None, Some(stand_in)) => match option(stand_in) {
                Some(option) => format!("modelled with {option}"),
                None => "the same in each run".to_owned(),
            },
            (None, None) => {
                code = ExitCode::from(crate::exit::FINDINGS);
                "no model".to_owned()
            }
        };
        writeln!(out, "{function}: {said}")?;
    }
    Ok(code)
}

/// The option that asks for something in the place of a part of the system, if it takes one.
fn option(stand_in: StandIn) -> Option<&'static str> {
    match stand_in {
        StandIn::Sockets => Some("--socket FILE"),
        StandIn::Folders => Some("--folder FILE"),
        StandIn::Random => Some("--random"),
        StandIn::Entropy => None,
    }
}
