//! `provoke checkers [NAMES]`

use std::io::Write;
use std::process::ExitCode;

use checkers::catalogue::{self, Entry, Group};
use checkers::selection::{Scope, Selection, SelectionError};
use clap::Args;

use crate::exit::Failure;

/// Arguments of `provoke checkers`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Explain these, given as for --checks: memory,integer,-shift
    #[arg(value_name = "CHECKS", allow_hyphen_values = true)]
    checks: Option<String>,
    // One list for all of them would take options for names, as names may begin with `-`.
    /// Explain these, too
    #[arg(value_name = "NAME")]
    more: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Width of the text of an explanation.
const WIDTH: usize = 100;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    let names: Vec<&str> = arguments.checks.iter().chain(&arguments.more).map(String::as_str).collect();
    let selection: Option<Selection> = match names.as_slice() {
        [] => None,
        names => Some(names.join(",").parse().map_err(|error: SelectionError| Failure::input(error))?),
    };
    let wanted = |entry: &&Entry| match &selection {
        Some(selection) => selection.scope_of_checker(entry) != Scope::Nowhere,
        None => true,
    };
    let entries: Vec<&Entry> = catalogue::entries().filter(wanted).collect();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &entries).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else if selection.is_some() {
        entries.iter().try_for_each(|entry| explain(&mut out, entry))?;
    } else {
        list(&mut out, &entries)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(out: &mut impl Write, entries: &[&Entry]) -> Result<(), Failure> {
    for group in Group::ALL {
        writeln!(out, "{group}")?;
        for entry in entries.iter().filter(|entry| entry.group == group) {
            let mark = if entry.default { ' ' } else { '*' };
            writeln!(out, "  {:<22}{mark} {:<8} {:<52} {}", entry.name, entry.severity, entry.title, cwes(entry))?;
        }
    }
    writeln!(out)?;
    writeln!(out, "* off unless asked for: often meant. Values that reach the size of an allocation, an index or a")?;
    writeln!(out, "  length are looked at all the same, unless it is switched off by name.")?;
    writeln!(out, "Choose with --checks memory,integer,-shift: groups, names, all, default; - switches off.")?;
    writeln!(out, "`provoke checkers NAME` explains one.")?;
    Ok(())
}

fn explain(out: &mut impl Write, entry: &Entry) -> Result<(), Failure> {
    let default = if entry.default { "on by default" } else { "off by default" };
    writeln!(out, "{}: {}", entry.name, entry.title)?;
    writeln!(out, "  {} in group {}, {default}; {}", entry.severity, entry.group, cwes(entry))?;
    for line in wrapped(entry.help, WIDTH) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn cwes(entry: &Entry) -> String {
    let names: Vec<String> = entry.cwe.iter().map(|number| format!("CWE-{number}")).collect();
    names.join(", ")
}

/// Breaks text between words into lines of at most this many characters; longer words have a line of their own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("extraordinarily long", 4), ["extraordinarily", "long"]);
        assert!(wrapped("", 4).is_empty());
    }
}
