//! Preconditions as assertions in the source.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use refine::{Condition, Formula, Term};
use trace::sites::SiteTable;

use crate::exit::Failure;

/// Lines around a change, as patches have them.
const CONTEXT: usize = 3;

/// Writes a patch that asserts preconditions at the start of their functions.
pub fn write(patch: &Path, units: &[(String, Vec<String>)], sites: &SiteTable) -> Result<(), Failure> {
    let mut files: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    let clauses = units.iter().flat_map(|(unit, clauses)| clauses.iter().map(move |clause| (unit, clause)));
    for (unit, clause) in clauses {
        let Ok(condition) = Condition::parse(clause) else { continue };
        let Some((file, line)) = first_line(sites, unit) else {
            eprintln!("provoke: note: the source of {unit} is not known");
            continue;
        };
        let source =
            fs::read_to_string(&file).with_context(|| format!("cannot read {file}")).map_err(Failure::Input)?;
        match opening(&source, unit, line) {
            Some(line) => {
                files.entry(file).or_default().push((line, format!("    assert({});", in_c(condition.formula()))))
            }
            None => eprintln!("provoke: note: {unit} was not found in {file}"),
        }
    }
    let mut text = String::new();
    for (file, mut insertions) in files {
        insertions.sort();
        let source =
            fs::read_to_string(&file).with_context(|| format!("cannot read {file}")).map_err(Failure::Input)?;
        text.push_str(&differences(&file, &source, &insertions));
    }
    fs::write(patch, text).with_context(|| format!("cannot write {}", patch.display())).map_err(Failure::Input)
}

/// File of a function, and the first line of its that a site names.
fn first_line(sites: &SiteTable, function: &str) -> Option<(String, usize)> {
    let positions = sites.sites.iter().flat_map(|site| &site.positions);
    let own = positions.filter(|position| position.function == function && position.line > 0);
    own.map(|position| (position.file.clone(), position.line as usize)).min_by_key(|(_, line)| *line)
}

/// The line, counted from 1, that the body of a function begins on: the last `{` behind its name, at or before a line of its.
fn opening(source: &str, function: &str, line: usize) -> Option<usize> {
    let lines: Vec<&str> = source.lines().collect();
    let before = lines.get(..line.min(lines.len()))?;
    let name =
        before.iter().rposition(|text| text.contains(&format!("{function}(")) && !text.trim_end().ends_with(';'))?;
    lines.iter().enumerate().skip(name).find(|(_, text)| text.contains('{')).map(|(index, _)| index + 1)
}

fn differences(file: &str, source: &str, insertions: &[(usize, String)]) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let mut text = format!("--- a/{file}\n+++ b/{file}\n");
    let mut added = 0;
    let mut by_line: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    insertions.iter().for_each(|(line, new)| by_line.entry(*line).or_default().push(new));
    for (line, new) in &by_line {
        let start = line.saturating_sub(CONTEXT);
        let end = (line + CONTEXT).min(lines.len());
        let count = end - start;
        let _ = writeln!(text, "@@ -{},{count} +{},{} @@", start + 1, start + 1 + added, count + new.len());
        for (index, old) in lines.iter().enumerate().take(end).skip(start) {
            let _ = writeln!(text, " {old}");
            if index + 1 == *line {
                for new in new {
                    let _ = writeln!(text, "+{new}");
                }
            }
        }
        added += new.len();
    }
    text
}

/// A condition in C: its integers must not wrap around, so they are as wide as C has them.
fn in_c(formula: &Formula) -> String {
    match formula {
        Formula::Not(a) => format!("!({})", in_c(a)),
        Formula::And(a, b) => format!("({}) && ({})", in_c(a), in_c(b)),
        Formula::Or(a, b) => format!("({}) || ({})", in_c(a), in_c(b)),
        Formula::Compare(comparison, a, b) => format!("{} {} {}", number(a), comparison.symbol(), number(b)),
        Formula::NotZero(a) => format!("{} != 0", number(a)),
    }
}

fn number(term: &Term) -> String {
    match term {
        Term::Constant(value) if i32::try_from(*value).is_ok() => value.to_string(),
        Term::Constant(value) => format!("{value}u"),
        Term::Name(name) => format!("(__int128){name}"),
        Term::Negated(a) => format!("-{}", number(a)),
        Term::Binary(operator, a, b) => format!("({} {} {})", number(a), operator.symbol(), number(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_c() {
        let text = |condition: &str| in_c(Condition::parse(condition).unwrap().formula());
        assert_eq!(text("x != 100 || i <= 9"), "((__int128)x != 100) || ((__int128)i <= 9)");
        assert_eq!(text("(x + 1) % 4294967296 >= -6"), "(((__int128)x + 1) % 4294967296u) >= -6");
    }

    #[test]
    fn assertions_stand_behind_the_brace() {
        let source = "int f(int);\n\nint g(void) { return f(1); }\nint f(int x)\n{\n    return x;\n}\n";
        assert_eq!(opening(source, "f", 6), Some(5));
        let patch = differences("a.c", source, &[(5, "    assert(1);".to_owned())]);
        assert_eq!(
            patch,
            "--- a/a.c\n+++ b/a.c\n@@ -3,5 +3,6 @@\n int g(void) { return f(1); }\n int f(int x)\n {\n+    assert(1);\n     return x;\n }\n"
        );
    }
}
