//! Holds findings against expectations.

use super::checking::Checked;
use super::program::Program;

/// What is wrong with what was found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Judgement {
    /// What was expected and is missing, in words.
    pub missed: Vec<String>,
    /// What was found and not expected, in words.
    pub unexpected: Vec<String>,
}

impl Judgement {
    /// All of it, a line each; empty if nothing is wrong.
    pub fn message(&self) -> String {
        self.unexpected.iter().chain(&self.missed).map(|line| format!("{line}\n")).collect()
    }
}

/// Compares what was found in a program with what it expects.
pub fn judge(program: &Program, checked: &Checked) -> Judgement {
    let mut judgement = Judgement::default();
    let path = program.path.display();
    for expected in program.expectations.iter().filter(|expected| expected.required) {
        let mut findings = checked.findings.iter();
        if !findings.any(|found| found.line == expected.line && expected.rules.contains(&found.rule)) {
            let rules: Vec<_> = expected.rules.iter().map(|rule| rule.id()).collect();
            judgement.missed.push(format!("{path}:{}: expected and not found: {}", expected.line, rules.join(" | ")));
        }
    }
    for rule in &program.anywhere {
        if !checked.findings.iter().any(|found| found.rule == *rule) {
            judgement.missed.push(format!("{path}: expected and not found: {rule}"));
        }
    }
    if program.verified && !checked.verified {
        judgement.missed.push(format!("{path}: the path is not called verified"));
    }
    for found in &checked.findings {
        let mut expectations = program.expectations.iter();
        let expected = expectations.any(|it| it.line == found.line && it.rules.contains(&found.rule));
        if !expected && !program.anywhere.contains(&found.rule) {
            judgement.unexpected.push(format!("{path}:{}: found and not expected: {}", found.line, found.rule));
        }
    }
    judgement
}

#[cfg(test)]
mod tests {
    use trace::rule::Rule;

    use super::*;
    use crate::findings::checking::Finding;
    use crate::findings::expectation::Expectation;

    fn program(lines: &[&str]) -> Program {
        let lines = (1..).zip(lines);
        let expectations = lines.flat_map(|(number, line)| Expectation::of_line(number, line).unwrap()).collect();
        Program { path: "a.c".into(), expectations, ..Program::default() }
    }

    fn found(findings: &[(u32, Rule)]) -> Checked {
        let findings = findings.iter().map(|&(line, rule)| Finding { line, rule }).collect();
        Checked { findings, verified: false, loops: false }
    }

    #[test]
    fn one_of_several_rules_is_enough_and_all_are_allowed() {
        let program = program(&["", "x //~ array-index | stack-buffer-overflow"]);
        for rules in [&[(2, Rule::ArrayIndex)][..], &[(2, Rule::ArrayIndex), (2, Rule::StackBufferOverflow)]] {
            assert_eq!(judge(&program, &found(rules)).message(), "");
        }
        assert_eq!(
            judge(&program, &found(&[])).missed,
            ["a.c:2: expected and not found: array-index | stack-buffer-overflow"]
        );
    }

    #[test]
    fn what_nobody_expects_is_wrong() {
        let program = program(&["x //~? shift"]);
        assert_eq!(judge(&program, &found(&[])).message(), "");
        assert_eq!(judge(&program, &found(&[(1, Rule::Shift)])).message(), "");
        assert_eq!(judge(&program, &found(&[(2, Rule::Shift)])).unexpected, ["a.c:2: found and not expected: shift"]);
        assert_eq!(
            judge(&program, &found(&[(1, Rule::Overlap)])).unexpected,
            ["a.c:1: found and not expected: overlap"]
        );
    }

    #[test]
    fn some_findings_have_no_line_of_their_own() {
        let program = Program { anywhere: vec![Rule::StackOverflow], ..program(&[]) };
        assert_eq!(judge(&program, &found(&[(9, Rule::StackOverflow)])).message(), "");
        assert_eq!(judge(&program, &found(&[])).missed, ["a.c: expected and not found: stack-overflow"]);
    }

    #[test]
    fn a_path_that_must_be_verified() {
        let program = Program { verified: true, ..program(&[]) };
        assert_eq!(judge(&program, &found(&[])).missed, ["a.c: the path is not called verified"]);
        assert_eq!(judge(&program, &Checked { verified: true, ..found(&[]) }).message(), "");
    }
}
