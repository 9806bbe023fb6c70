//! Preconditions as assertions in the source.

mod place;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use predict::hoist::Precondition;
use refine::{Arithmetic, Condition, Formula, Term};
use similar::TextDiff;
use trace::sites::Unit;

use crate::exit::Failure;

/// Lines around a change, as patches have them.
const CONTEXT: usize = 3;

/// Assertions for one function of a file.
struct Asserted<'a> {
    unit: &'a Unit,
    lines: Vec<String>,
    uses_strings: bool,
}

/// Writes a patch that asserts preconditions at the start of their functions.
pub fn write(patch: &Path, units: &[(&Unit, Precondition)]) -> Result<(), Failure> {
    let mut files: BTreeMap<String, Vec<Asserted<'_>>> = BTreeMap::new();
    for (unit, precondition) in units.iter().filter(|(_, precondition)| !precondition.clauses.is_empty()) {
        let conditions = precondition.clauses.iter().filter_map(|clause| Condition::parse(clause).ok());
        let conditions: Vec<Condition> = conditions.collect();
        let pointers: Vec<&str> = unit.objects.iter().map(|object| object.pointer.as_str()).collect();
        let lines = conditions.iter().map(|condition| format!("assert({});", in_c(condition.formula(), &pointers)));
        let lines = lines.collect();
        let uses_strings = conditions.iter().any(|condition| condition.text().contains("strlen("));
        files.entry(unit.file.clone()).or_default().push(Asserted { unit, lines, uses_strings });
    }
    let mut text = String::new();
    for (file, asserted) in files {
        let source =
            fs::read_to_string(&file).with_context(|| format!("cannot read {file}")).map_err(Failure::Input)?;
        let changed = changed(&source, &asserted, &file);
        let here = std::env::current_dir().unwrap_or_default();
        let relative = Path::new(&file).strip_prefix(&here).unwrap_or(Path::new(&file)).display().to_string();
        let diff = TextDiff::from_lines(&source, &changed);
        let mut unified = diff.unified_diff();
        unified.context_radius(CONTEXT).header(&format!("a/{relative}"), &format!("b/{relative}"));
        text.push_str(&unified.to_string());
    }
    fs::write(patch, text).with_context(|| format!("cannot write {}", patch.display())).map_err(Failure::Input)
}

/// A source with assertions in it, and with the headers that they need.
fn changed(source: &str, asserted: &[Asserted<'_>], file: &str) -> String {
    let mut insertions: Vec<(usize, String)> = Vec::new();
    let (mut first, mut uses_strings) = (usize::MAX, false);
    for Asserted { unit, lines, uses_strings: strings } in asserted {
        let Some(opening) = place::behind_opening_brace(source, unit.line as usize, &unit.function) else {
            eprintln!("provoke: note: the body of {} was not found in {file}", unit.function);
            continue;
        };
        first = first.min(opening);
        uses_strings |= strings;
        // What stands behind the brace on its line goes to a line of its own.
        let rest = source.get(opening..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let mut text: String = lines.iter().map(|line| format!("\n    {line}")).collect();
        if !rest.trim().is_empty() {
            text.push_str("\n   ");
        }
        insertions.push((opening, text));
    }
    let headers = [("assert.h", first != usize::MAX), ("string.h", uses_strings)];
    let missing: String = headers
        .iter()
        .filter(|(header, is_needed)| *is_needed && !place::includes(source, header))
        .map(|(header, _)| format!("#include <{header}>\n"))
        .collect();
    if !missing.is_empty() {
        insertions.push((place::for_headers(source, first), missing));
    }
    insertions.sort();
    let mut changed = source.to_owned();
    for (place, text) in insertions.iter().rev() {
        changed.insert_str(*place, text);
    }
    changed
}

/// A condition in C: its integers must not wrap around, so they are as wide as C has them.
fn in_c(formula: &Formula, pointers: &[&str]) -> String {
    match formula {
        Formula::Not(a) => format!("!({})", in_c(a, pointers)),
        Formula::And(a, b) => format!("{} && {}", part(a, pointers), part(b, pointers)),
        Formula::Or(a, b) => format!("{} || {}", part(a, pointers), part(b, pointers)),
        // Neither of these becomes another number when the other one's type is taken.
        Formula::Compare(comparison, Term::Name(name), Term::Constant(value)) if i32::try_from(*value).is_ok() => {
            format!("{name} {} {value}", comparison.symbol())
        }
        Formula::Compare(comparison, a, b) => format!("{} {} {}", number(a), comparison.symbol(), number(b)),
        Formula::NotZero(Term::Name(name)) if pointers.contains(&name.as_str()) => format!("{name} != 0"),
        Formula::NotZero(a) => format!("{} != 0", number(a)),
    }
}

/// What stands beside `&&` or `||`.
fn part(formula: &Formula, pointers: &[&str]) -> String {
    match formula {
        Formula::And(..) | Formula::Or(..) => format!("({})", in_c(formula, pointers)),
        _ => in_c(formula, pointers),
    }
}

fn number(term: &Term) -> String {
    match term {
        Term::Constant(value) if i32::try_from(*value).is_ok() => value.to_string(),
        Term::Constant(value) => format!("{value}u"),
        Term::Name(name) => format!("(__int128){name}"),
        Term::Negated(a) => format!("-{}", number(a)),
        // The largest number of 64 bits, plus one: all of it has to be wide.
        Term::Binary(Arithmetic::Add, a, b) if matches!((&**a, &**b), (Term::Constant(_), Term::Constant(_))) => {
            format!("((__int128){} + {})", number(a), number(b))
        }
        Term::Binary(operator, a, b) => format!("({} {} {})", number(a), operator.symbol(), number(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_c() {
        let text = |condition: &str| in_c(Condition::parse(condition).unwrap().formula(), &["p"]);
        assert_eq!(text("x != 100 || i <= 9"), "x != 100 || i <= 9");
        assert_eq!(text("p == 0 || (p->a[3] > 1 && *q < 2)"), "p == 0 || (p->a[3] > 1 && q[0] < 2)");
        assert_eq!(text("(x + 1) % 4294967296 >= -6"), "(((__int128)x + 1) % 4294967296u) >= -6");
        assert_eq!(text("strlen(s) <= n"), "(__int128)strlen(s) <= (__int128)n");
    }

    fn unit(function: &str, line: u32) -> Unit {
        Unit { function: function.to_owned(), line, ..Unit::default() }
    }

    #[test]
    fn assertions_stand_behind_the_brace_and_headers_behind_the_others() {
        let source = "#define _GNU_SOURCE\n#include <stdio.h>\n\nint f(int x)\n{\n    return x;\n}\nint g(int y) { return y; }\n";
        let (f, g) = (unit("f", 4), unit("g", 8));
        let lines = vec!["assert(1);".to_owned()];
        let asserted = [
            Asserted { unit: &f, lines: lines.clone(), uses_strings: false },
            Asserted { unit: &g, lines, uses_strings: true },
        ];
        assert_eq!(
            changed(source, &asserted, "a.c"),
            "#define _GNU_SOURCE\n#include <stdio.h>\n#include <assert.h>\n#include <string.h>\n\nint f(int x)\n{\n    assert(1);\n    \
             return x;\n}\nint g(int y) {\n    assert(1);\n    return y; }\n"
        );
    }
}
