//! Rules, and the weaknesses of the CWE that they are about.

use std::collections::BTreeSet;

use checkers::catalogue::{self, Entry};
use serde_json::{Value, json};
use trace::rule::Rule;

use super::message::message;
use crate::model::Report;

const TAXONOMY: &str = "CWE";

/// The rules that a report is about.
pub(super) struct Rules {
    rules: Vec<Rule>,
}

impl Rules {
    /// Those that were violated or checked, in the order of the catalogue.
    pub(super) fn of(report: &Report) -> Rules {
        let found = report.findings.iter().map(|finding| finding.rule);
        let checked = report.summary.checks.iter().map(|counts| counts.rule);
        let verified = report.verified.iter().map(|verified| verified.rule);
        let rules: BTreeSet<Rule> = found.chain(checked).chain(verified).collect();
        Rules { rules: rules.into_iter().collect() }
    }

    /// Index of the rule among the [descriptors](Rules::descriptors).
    pub(super) fn index(&self, rule: Rule) -> Option<usize> {
        self.rules.binary_search(&rule).ok()
    }

    pub(super) fn descriptors(&self) -> Vec<Value> {
        self.rules.iter().map(|rule| descriptor(catalogue::entry(*rule))).collect()
    }

    /// The weaknesses that the rules are about.
    pub(super) fn taxonomy(&self) -> Value {
        let numbers: BTreeSet<u16> = self.rules.iter().flat_map(|rule| catalogue::entry(*rule).cwe).copied().collect();
        let taxa: Vec<Value> = numbers
            .iter()
            .map(|number| {
                json!({
                    "id": number.to_string(),
                    "name": format!("CWE-{number}"),
                    "helpUri": format!("https://cwe.mitre.org/data/definitions/{number}.html"),
                })
            })
            .collect();
        json!({
            "name": TAXONOMY,
            "organization": "MITRE",
            "informationUri": "https://cwe.mitre.org/",
            "shortDescription": message("The MITRE Common Weakness Enumeration"),
            "isComprehensive": false,
            "taxa": taxa,
        })
    }
}

pub(super) fn taxonomy_reference() -> Value {
    json!({ "name": TAXONOMY, "index": 0 })
}

fn descriptor(entry: &Entry) -> Value {
    let cwes: Vec<String> = entry.cwe.iter().map(|number| format!("CWE-{number}")).collect();
    let mut tags = vec!["security".to_owned(), entry.group.name().to_owned()];
    // The spelling that code scanning services look for.
    tags.extend(entry.cwe.iter().map(|number| format!("external/cwe/cwe-{number:03}")));
    let relationships = entry.cwe.iter().map(|number| {
        json!({
            "target": { "id": number.to_string(), "toolComponent": taxonomy_reference() },
            "kinds": ["relevant"],
        })
    });
    json!({
        "id": entry.name,
        "name": camel_case(entry.name),
        "shortDescription": message(entry.title),
        "fullDescription": message(entry.help),
        "help": {
            "text": format!("{} See {}.", entry.help, cwes.join(", ")),
            "markdown": format!("{}\n\nSee {}.", entry.help, links(entry.cwe)),
        },
        "defaultConfiguration": { "level": entry.severity.name(), "enabled": entry.default },
        "relationships": relationships.collect::<Vec<_>>(),
        "properties": {
            "tags": tags,
            "precision": "very-high",
            "problem.severity": problem_severity(entry),
            "security-severity": format!("{:.1}", entry.security_severity),
        },
    })
}

/// What code scanning services call a note.
fn problem_severity(entry: &Entry) -> &'static str {
    match entry.severity {
        catalogue::Severity::Note => "recommendation",
        severity => severity.name(),
    }
}

fn links(cwe: &[u16]) -> String {
    let link = |number: &u16| format!("[CWE-{number}](https://cwe.mitre.org/data/definitions/{number}.html)");
    cwe.iter().map(link).collect::<Vec<_>>().join(", ")
}

/// `heap-buffer-overflow` as `HeapBufferOverflow`, which is how the standard wants names of rules.
fn camel_case(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    id.split('-').map(word).collect()
}
