//! What to do when nothing was found beside an input: look further away, with `provoke explore`.

use std::str::FromStr;

use checkers::selection::{Selection, SelectionError};
use report::CommandLine;

use super::Arguments;

/// Long enough to find what most programs have near their inputs, and short enough to wait for it.
const TIME: &str = "10m";

/// What `--checks` says, also as it was written.
#[derive(Clone, Debug)]
pub struct Checks {
    pub selection: Selection,
    text: String,
}

impl FromStr for Checks {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Checks, SelectionError> {
        Ok(Checks { selection: text.parse()?, text: text.to_owned() })
    }
}

/// The command that explores the program from the same input, with the same options as far as they decide about what is found; limits are
/// those of the other command.
pub fn explore(arguments: &Arguments) -> CommandLine {
    let mut line = CommandLine::new(["provoke", "explore"]);
    line.push("--time");
    line.push(TIME);
    if arguments.checks.selection != Selection::default() {
        // As one word: a list may begin with a dash.
        line.push(format!("--checks={}", arguments.checks.text));
    }
    arguments.refinements.words().into_iter().chain(arguments.target.as_given()).for_each(|word| line.push(word));
    line
}
