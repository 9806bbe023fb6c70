//! What may and must be found on a line: `//~ array-index | stack-buffer-overflow`.

use anyhow::{Context, Result};
use trace::rule::Rule;

use crate::expectation::MARK;

/// One `//~` comment.
///
/// All of its rules may be reported on its line, and one of them must be. With `//~?` none has to be: what follows from a
/// violation further up is seen or not, as the run goes on or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The line it stands on, from 1.
    pub line: u32,
    /// The rules.
    pub rules: Vec<Rule>,
    /// Whether one of them must be reported.
    pub required: bool,
}

impl Expectation {
    /// The expectations on one line of source.
    pub fn of_line(line: u32, source: &str) -> Result<Vec<Expectation>> {
        let marked = source.split(MARK).skip(1);
        let read = marked.map(|text| {
            let (text, required) = match text.strip_prefix('?') {
                Some(text) => (text, false),
                None => (text, true),
            };
            let rules = rules(text).with_context(|| format!("on line {line}"))?;
            Ok(Expectation { line, rules, required })
        });
        read.collect()
    }
}

/// Reads rules with `|` between them.
pub fn rules(text: &str) -> Result<Vec<Rule>> {
    let ids = text.split('|').map(str::trim);
    ids.map(|id| Rule::from_id(id).with_context(|| format!("there is no rule {id}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_expect_several_things() {
        let line = "x = a[i] / j; //~ array-index | stack-buffer-overflow //~? div-by-zero";
        let read = Expectation::of_line(3, line).unwrap();
        let index = vec![Rule::ArrayIndex, Rule::StackBufferOverflow];
        assert_eq!(read[0], Expectation { line: 3, rules: index, required: true });
        assert_eq!(read[1], Expectation { line: 3, rules: vec![Rule::DivByZero], required: false });
        assert_eq!(Expectation::of_line(1, "x(); // nothing").unwrap(), []);
    }

    #[test]
    fn rules_that_do_not_exist_are_mistakes() {
        let error = Expectation::of_line(8, "x(); //~ division").unwrap_err();
        assert_eq!(format!("{error:#}"), "on line 8: there is no rule division");
    }
}
