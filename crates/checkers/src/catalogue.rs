//! What people want to know about a rule: what goes wrong, how bad it is, what to do about it.

mod entries;

use core::fmt;

use serde::Serialize;
use trace::rule::Rule;

use self::entries::{UNSIGNED_WRAP_ENTRY, entry_of};

/// The name of the checker for unsigned arithmetic that wraps around.
///
/// It has no rule of its own: what it finds violates [`Rule::IntegerOverflow`] or [`Rule::IntegerUnderflow`]. But C
/// defines the result, and programs rely on it, so it is switched on apart from them.
pub const UNSIGNED_WRAP: &str = "unsigned-wrap";

/// One checker, as users see it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Entry {
    /// The name by which it is switched on and off: that of its rule, or [`UNSIGNED_WRAP`].
    pub name: &'static str,
    /// Checkers that are switched on and off together.
    pub group: Group,
    /// What goes wrong, in a few words.
    pub title: &'static str,
    /// What goes wrong and how to fix it, one paragraph.
    pub help: &'static str,
    /// What is known once no input can violate the rule; completes "proved: …".
    pub absence: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// How much it matters to an attacker, from 0.0 to 10.0 on the scale of CVSS; what SARIF viewers sort by.
    pub security_severity: f32,
    /// Numbers in the Common Weakness Enumeration, the most fitting one first.
    pub cwe: &'static [u16],
    /// Whether it is on unless switched off. One that is not looks only at values that reach the size of an allocation,
    /// an index or a length.
    pub default: bool,
}

/// What the catalogue says about a rule.
pub fn entry(rule: Rule) -> &'static Entry {
    entry_of(rule)
}

/// All checkers, in the order in which they are listed.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    Rule::ALL.iter().map(|rule| entry(*rule)).chain([&UNSIGNED_WRAP_ENTRY])
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably wrong, but the program's behaviour is defined.
    Warning,
    /// The program's behaviour is undefined from here on, or it ends.
    Error,
}

impl Severity {
    /// As it is printed, and as SARIF spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Checkers that are switched on and off together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Accesses outside of what was allocated or declared, and the life of memory.
    Memory,
    /// Null, and pointers that leave their object.
    Pointer,
    /// Strings, block copies and formats.
    String,
    /// Arithmetic without a result.
    Integer,
    /// Conversions that change a value.
    Conversion,
    /// What the program itself says must hold.
    #[serde(rename = "assertions")]
    Assertion,
    /// Stack and heap as a whole.
    Resource,
}

impl Group {
    /// All groups, in the order in which they are listed.
    pub const ALL: [Group; 7] = [
        Group::Memory,
        Group::Pointer,
        Group::String,
        Group::Integer,
        Group::Conversion,
        Group::Assertion,
        Group::Resource,
    ];

    /// The name by which it is switched on and off.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Memory => "memory",
            Group::Pointer => "pointer",
            Group::String => "string",
            Group::Integer => "integer",
            Group::Conversion => "conversion",
            Group::Assertion => "assertions",
            Group::Resource => "resource",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_is_described() {
        for rule in Rule::ALL {
            assert_eq!(entry(*rule).name, rule.id());
        }
        for entry in entries() {
            let Entry { name, title, help, absence, .. } = *entry;
            assert!(!title.is_empty() && !title.ends_with('.'), "{name}");
            assert!(help.ends_with('.') && help.len() > 80 && !help.contains("  ") && !help.contains('\n'), "{name}");
            assert!(absence.starts_with("no ") || absence.starts_with("every "), "{name}");
            assert!(!entry.cwe.is_empty(), "{name}");
            assert!((0.0..=10.0).contains(&entry.security_severity), "{name}");
        }
    }

    #[test]
    fn names_are_unambiguous() {
        let names = entries().map(|entry| entry.name).chain(Group::ALL.map(Group::name)).chain(["all", "default"]);
        let mut seen = BTreeSet::new();
        for name in names {
            assert!(seen.insert(name), "{name} names two things");
        }
    }

    #[test]
    fn what_is_often_meant_is_off() {
        let off: Vec<&str> = entries().filter(|entry| !entry.default).map(|entry| entry.name).collect();
        assert_eq!(off, ["sign-extension", "truncation", "pointer-arithmetic", UNSIGNED_WRAP]);
    }

    #[test]
    fn every_group_has_a_checker() {
        for group in Group::ALL {
            assert!(entries().any(|entry| entry.group == group), "{group}");
        }
        assert!(entries().all(|entry| Group::ALL.contains(&entry.group)));
    }
}
