//! Files that state refinements of a program's variables, beside its source.
//!
//! ```text
//! # what the callers of blocks() have to see to
//! blocks.size: 0 < size && size <= 4096
//! blocks(): result >= 0
//! level: level < 8
//! blocks@entry: size <= limit
//! blocks@entry in src/blocks.c: size <= limit
//! ```

use crate::condition::Condition;
use crate::parse::ConditionError;
use crate::unit::UnitName;

/// The refinements of one file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Specification {
    /// The file, for messages.
    pub file: String,
    /// What it states, in order.
    pub lines: Vec<Line>,
    /// Functions whose inputs become the program's where they are entered.
    pub units: Vec<UnitName>,
    /// The function that the program calls in place of all else that it does, with arguments out of its standard input.
    pub driven: Option<UnitName>,
}

/// One refinement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// What it is about.
    pub subject: Subject,
    /// What has to hold.
    pub condition: Condition,
}

/// What a refinement is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// `function.variable`: a variable or parameter.
    Variable {
        /// The function.
        function: String,
        /// Its variable.
        variable: String,
    },
    /// `function()`: what the function returns; the condition calls it `result`.
    Result {
        /// The function.
        function: String,
    },
    /// `variable`: a variable outside of functions.
    Global {
        /// The variable.
        variable: String,
    },
    /// `function@entry`, or `function@entry in file`: what the function gets where it is entered. A program without the function
    /// has nothing to check.
    Entry {
        /// The function.
        unit: UnitName,
    },
}

/// A file that cannot be read as a specification.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecificationError {
    /// A line without a colon.
    #[error(
        "{file}:{line}: no `:`; write `function.variable: condition`, `function(): condition` or `global: condition`"
    )]
    NoColon {
        /// The file.
        file: String,
        /// The line.
        line: usize,
    },
    /// What stands before the colon is nothing that can have a refinement.
    #[error(
        "{file}:{line}: `{subject}` is no variable; write `function.variable`, `function()` or the name of a global"
    )]
    Subject {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// What stands there.
        subject: String,
    },
    /// A condition that cannot be read.
    #[error("{file}:{line}: the condition `{condition}` cannot be read: {error}")]
    Condition {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The condition.
        condition: String,
        /// Why.
        error: ConditionError,
    },
}

impl Specification {
    /// Reads the contents of a file.
    pub fn parse(file: &str, text: &str) -> Result<Specification, SpecificationError> {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let stated = line.split('#').next().unwrap_or_default().trim();
            if !stated.is_empty() {
                lines.push(Line::parse(file, number, stated)?);
            }
        }
        Ok(Specification { file: file.to_owned(), lines, ..Specification::default() })
    }

    /// What has to hold of variables, without what has to hold where functions are entered.
    pub fn without_preconditions(&self) -> Specification {
        let mut specification = self.clone();
        specification.lines.retain(|line| !matches!(line.subject, Subject::Entry { .. }));
        specification
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.units.is_empty() && self.driven.is_none()
    }
}

impl Line {
    fn parse(file: &str, number: usize, text: &str) -> Result<Line, SpecificationError> {
        let file = || file.to_owned();
        let (subject, condition) =
            text.split_once(':').ok_or_else(|| SpecificationError::NoColon { file: file(), line: number })?;
        let (subject, condition) = (subject.trim(), condition.trim());
        let unknown = || SpecificationError::Subject { file: file(), line: number, subject: subject.to_owned() };
        let condition = Condition::parse(condition).map_err(|error| SpecificationError::Condition {
            file: file(),
            line: number,
            condition: condition.to_owned(),
            error,
        })?;
        Ok(Line { number, subject: Subject::parse(subject).ok_or_else(unknown)?, condition })
    }
}

impl Subject {
    fn parse(text: &str) -> Option<Subject> {
        let name = |text: &str| {
            let text = text.trim();
            let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let is_name = starts && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            is_name.then(|| text.to_owned())
        };
        if let Some((function, rest)) = text.split_once("@entry") {
            let file = match rest.trim() {
                "" => None,
                rest => Some(rest.strip_prefix("in ")?.trim().to_owned()),
            };
            return Some(Subject::Entry { unit: UnitName { file, function: name(function)? } });
        }
        if let Some((function, variable)) = text.split_once('.') {
            return Some(Subject::Variable { function: name(function)?, variable: name(variable)? });
        }
        match text.split_once('(') {
            Some((function, rest)) if rest.trim() == ")" => Some(Subject::Result { function: name(function)? }),
            Some(_) => None,
            None => Some(Subject::Global { variable: name(text)? }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_variables_results_and_globals() {
        let text = "# callers\nblocks.size: size > 0 # not empty\n\n  blocks(): result >= 0\nlevel : level < 8\n";
        let specification = Specification::parse("limits.spec", text).unwrap();
        let (function, variable) = ("blocks".to_owned(), "size".to_owned());
        let subjects: Vec<(usize, Subject, &str)> =
            specification.lines.iter().map(|l| (l.number, l.subject.clone(), l.condition.text())).collect();
        assert_eq!(
            subjects,
            [
                (2, Subject::Variable { function: function.clone(), variable }, "size > 0"),
                (4, Subject::Result { function }, "result >= 0"),
                (5, Subject::Global { variable: "level".into() }, "level < 8"),
            ]
        );
    }

    #[test]
    fn preconditions_name_a_file_where_it_matters() {
        let text = "set@entry: i < 3\nset@entry in src/a.c: p->len > 0\n";
        let specification = Specification::parse("s", text).unwrap();
        let units: Vec<String> = specification
            .lines
            .iter()
            .map(|line| match &line.subject {
                Subject::Entry { unit } => unit.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(units, ["set", "src/a.c:set"]);
        assert!(specification.without_preconditions().is_empty());
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| Specification::parse("s", text).unwrap_err().to_string();
        assert!(error("\nlevel < 8").starts_with("s:2: no `:`"));
        assert!(error("a.b.c: 1").starts_with("s:1: `a.b.c` is no variable"));
        assert!(error("f(x): x").starts_with("s:1: `f(x)` is no variable"));
        let expected = "s:1: the condition `x <` cannot be read: at character 4: a name or a number is missing";
        assert_eq!(error("f.x: x <"), expected);
    }
}
