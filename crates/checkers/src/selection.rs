//! Which checkers are wanted: what `--checks` says.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use trace::rule::{Rule, RuleSet};
use trace::sites::{Check, CheckSubject};

use crate::catalogue::{self, Entry, Group, UNSIGNED_WRAP};

/// Where a violation counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Nowhere: the checker is off.
    Nowhere,
    /// Where the value reaches the size of an allocation, an index or a length.
    Sizes,
    /// Everywhere.
    Everywhere,
}

/// The checkers that are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// By the checkers' names; one that is not here is off.
    scopes: BTreeMap<&'static str, Scope>,
    /// What was switched off by name: rules of this name count nowhere, whichever checker finds them.
    refused: BTreeSet<&'static str>,
}

/// A selection that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// Something without a name.
    #[error("a name is missing; write names and groups with commas between them: memory,integer,-shift")]
    Empty,
    /// A name that nothing has.
    #[error("there is no checker or group `{name}`{}", hint(suggestion))]
    Unknown {
        /// As the user wrote it.
        name: String,
        /// What was probably meant.
        suggestion: Option<&'static str>,
    },
    /// Nothing is left on.
    #[error("`{0}` switches everything off; write none if that is meant")]
    Nothing(String),
}

fn hint(suggestion: &Option<&'static str>) -> String {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?"),
        None => "; `provoke checkers` lists them".to_owned(),
    }
}

/// Names that are less alike than this are not suggested. Found by trying typing errors: a letter too many or too few,
/// two swapped, a wrong ending; unrelated words of this length stay below it.
const ALIKE: f64 = 0.8;

impl Selection {
    fn nothing() -> Selection {
        Selection { scopes: BTreeMap::new(), refused: BTreeSet::new() }
    }

    /// Every checker, everywhere.
    pub fn all() -> Selection {
        let scopes = catalogue::entries().map(|entry| (entry.name, Scope::Everywhere)).collect();
        Selection { scopes, ..Selection::nothing() }
    }

    /// Reads `memory,integer,-shift`: groups, names, `all` and `default`, each with `-` in front to switch it off, from
    /// left to right. A list that begins with `-` takes away from the default; `none` alone switches everything off.
    pub fn parse(text: &str) -> Result<Selection, SelectionError> {
        if text.trim() == "none" {
            return Ok(Selection::nothing());
        }
        let begins_off = text.trim_start().starts_with('-');
        let mut selection = if begins_off { Selection::default() } else { Selection::nothing() };
        for item in text.split(',') {
            let item = item.trim();
            match item.strip_prefix('-') {
                Some(name) => selection.switch_off(name.trim_start())?,
                None => selection.switch_on(item)?,
            }
        }
        if selection.scopes.is_empty() { Err(SelectionError::Nothing(text.to_owned())) } else { Ok(selection) }
    }

    fn switch_on(&mut self, name: &str) -> Result<(), SelectionError> {
        for (entry, by_name) in named(name)? {
            let scope = if by_name || entry.default { Scope::Everywhere } else { Scope::Sizes };
            let known = self.scopes.entry(entry.name).or_insert(scope);
            *known = scope.max(*known);
            self.refused.remove(entry.name);
            if by_name && entry.name == UNSIGNED_WRAP {
                self.refused.retain(|name| ![Rule::IntegerOverflow.id(), Rule::IntegerUnderflow.id()].contains(name));
            }
        }
        Ok(())
    }

    fn switch_off(&mut self, name: &str) -> Result<(), SelectionError> {
        for (entry, _) in named(name)? {
            self.scopes.remove(entry.name);
            self.refused.insert(entry.name);
        }
        Ok(())
    }

    /// Where a violation of the rule counts; for integer overflow and underflow, where signed arithmetic is concerned.
    pub fn scope(&self, rule: Rule) -> Scope {
        self.scope_of(rule.id())
    }

    /// Where what the checker finds counts.
    pub fn scope_of_checker(&self, checker: &Entry) -> Scope {
        self.scope_of(checker.name)
    }

    /// Where it counts that unsigned arithmetic wraps around.
    pub fn unsigned_wrap(&self) -> Scope {
        self.scope_of(UNSIGNED_WRAP)
    }

    fn unsigned_wrap_of(&self, rule: Rule) -> Scope {
        if self.refused.contains(rule.id()) { Scope::Nowhere } else { self.unsigned_wrap() }
    }

    /// Where a violation of the check counts.
    pub fn scope_of_check(&self, check: &Check) -> Scope {
        let overflow = matches!(check.rule, Rule::IntegerOverflow | Rule::IntegerUnderflow);
        match &check.subject {
            CheckSubject::Arithmetic(_, operands) | CheckSubject::Negation(operands)
                if overflow && !operands.signed =>
            {
                self.unsigned_wrap_of(check.rule)
            }
            _ => self.scope(check.rule),
        }
    }

    /// The rules that can be violated somewhere.
    pub fn rules(&self) -> impl Iterator<Item = Rule> + '_ {
        let by_unsigned = |rule| {
            matches!(rule, Rule::IntegerOverflow | Rule::IntegerUnderflow)
                && self.unsigned_wrap_of(rule) != Scope::Nowhere
        };
        Rule::ALL.iter().copied().filter(move |rule| self.scope(*rule) != Scope::Nowhere || by_unsigned(*rule))
    }

    /// The rules whose checks a view needs. Pointer arithmetic decides about nothing but the access that may follow it, which
    /// is checked anyway: its checks are there only where it was asked for.
    pub fn in_views(&self) -> RuleSet {
        let mut rules: RuleSet = self.rules().collect();
        if self.scope(Rule::PointerArithmetic) != Scope::Everywhere {
            rules.remove(Rule::PointerArithmetic);
        }
        rules
    }

    fn scope_of(&self, name: &str) -> Scope {
        self.scopes.get(name).copied().unwrap_or(Scope::Nowhere)
    }
}

/// What is on unless the user says otherwise.
impl Default for Selection {
    fn default() -> Selection {
        let scope = |entry: &Entry| if entry.default { Scope::Everywhere } else { Scope::Sizes };
        let scopes = catalogue::entries().map(|entry| (entry.name, scope(entry))).collect();
        Selection { scopes, ..Selection::nothing() }
    }
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Selection, SelectionError> {
        Selection::parse(text)
    }
}

/// The checkers that a name stands for, each with whether it counts as asked for by name.
///
/// Unsigned arithmetic that wraps around is so often meant that only its own name and `all` ask for it everywhere, not
/// its group.
fn named(name: &str) -> Result<Vec<(&'static Entry, bool)>, SelectionError> {
    let entries = catalogue::entries();
    let found: Vec<_> = match name {
        "" => return Err(SelectionError::Empty),
        "all" => entries.map(|entry| (entry, true)).collect(),
        "default" => entries.map(|entry| (entry, false)).collect(),
        _ => match Group::ALL.into_iter().find(|group| group.name() == name) {
            Some(group) => {
                let members = entries.filter(|entry| entry.group == group);
                members.map(|entry| (entry, entry.name != UNSIGNED_WRAP)).collect()
            }
            None => entries.filter(|entry| entry.name == name).map(|entry| (entry, true)).collect(),
        },
    };
    if found.is_empty() {
        return Err(SelectionError::Unknown { name: name.to_owned(), suggestion: suggestion(name) });
    }
    Ok(found)
}

fn suggestion(name: &str) -> Option<&'static str> {
    // Comparing takes the product of the lengths, and nobody mistypes a name into a page of text.
    if name.len() > 64 {
        return None;
    }
    let name = name.to_lowercase().replace('_', "-");
    let names = catalogue::entries().map(|entry| entry.name).chain(Group::ALL.map(Group::name));
    let names = names.chain(["all", "default"]);
    let rated = names.map(|known| (strsim::jaro_winkler(&name, known), known));
    rated.filter(|(alike, _)| *alike >= ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trace::sites::{IntegerType, Position};

    use super::*;

    fn scopes(text: &str, rules: &[Rule]) -> Vec<Scope> {
        let selection = Selection::parse(text).unwrap();
        rules.iter().map(|rule| selection.scope(*rule)).collect()
    }

    #[test]
    fn groups_and_names() {
        use Scope::{Everywhere, Nowhere};
        let rules = [Rule::HeapBufferOverflow, Rule::IntegerOverflow, Rule::Shift, Rule::Assertion];
        assert_eq!(scopes("memory,integer,-shift", &rules), [Everywhere, Everywhere, Nowhere, Nowhere]);
        assert_eq!(scopes("shift", &rules), [Nowhere, Nowhere, Everywhere, Nowhere]);
        assert_eq!(scopes("-memory", &rules), [Nowhere, Everywhere, Everywhere, Everywhere]);
        assert_eq!(scopes("all, -integer, shift", &rules), [Everywhere, Nowhere, Everywhere, Everywhere]);
    }

    #[test]
    fn what_is_often_meant_counts_at_sizes_unless_asked_for() {
        let rules = [Rule::Truncation, Rule::PointerArithmetic];
        assert_eq!(scopes("default", &rules), [Scope::Sizes; 2]);
        assert_eq!(scopes("default,truncation", &rules), [Scope::Everywhere, Scope::Sizes]);
        assert_eq!(scopes("truncation,default", &rules), [Scope::Everywhere, Scope::Sizes]);
        assert_eq!(scopes("conversion", &rules), [Scope::Everywhere, Scope::Nowhere]);
        assert_eq!(scopes("-truncation", &rules), [Scope::Nowhere, Scope::Sizes]);
        assert_eq!(scopes("all", &rules), [Scope::Everywhere; 2]);
    }

    #[test]
    fn unsigned_arithmetic_is_apart() {
        let arithmetic = |signed| Check {
            rule: Rule::IntegerOverflow,
            subject: CheckSubject::Arithmetic('+', IntegerType { name: "T".into(), width: 32, signed }),
            position: Position::default(),
            often_meant: !signed,
        };
        let scope = |text, signed| Selection::parse(text).unwrap().scope_of_check(&arithmetic(signed));
        assert_eq!(scope("default", true), Scope::Everywhere);
        assert_eq!(scope("default", false), Scope::Sizes);
        assert_eq!(scope("integer", false), Scope::Sizes);
        assert_eq!(scope("integer,unsigned-wrap", false), Scope::Everywhere);
        assert_eq!(scope("all", false), Scope::Everywhere);
        assert_eq!(scope("-unsigned-wrap", false), Scope::Nowhere);
        assert_eq!(scope("unsigned-wrap", true), Scope::Nowhere);
        // It is reported as an overflow, which nobody wants to see.
        assert_eq!(scope("default,-integer-overflow", false), Scope::Nowhere);
        assert_eq!(scope("-integer,unsigned-wrap", false), Scope::Everywhere);
        assert_eq!(scope("-integer-underflow", false), Scope::Sizes);
        let rules: Vec<Rule> = Selection::parse("unsigned-wrap").unwrap().rules().collect();
        assert_eq!(rules, [Rule::IntegerOverflow, Rule::IntegerUnderflow]);
    }

    #[test]
    fn errors_say_what_to_do() {
        let error = |text| Selection::parse(text).unwrap_err().to_string();
        assert_eq!(error("shfit"), "there is no checker or group `shfit`; did you mean `shift`?");
        assert_eq!(error("-Null_Deref"), "there is no checker or group `Null_Deref`; did you mean `null-deref`?");
        assert_eq!(error("intger"), "there is no checker or group `intger`; did you mean `integer`?");
        assert_eq!(error("performance"), "there is no checker or group `performance`; `provoke checkers` lists them");
        assert!(error("memory,,shift").starts_with("a name is missing"));
        assert!(error("").starts_with("a name is missing"));
        assert!(error("shift,-shift").contains("switches everything off"));
    }

    #[test]
    fn selections_by_name() {
        assert_eq!(Selection::parse("default"), Ok(Selection::default()));
        assert_eq!(Selection::parse("all"), Ok(Selection::all()));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[-,a-z ]{0,40}|\\PC{0,40}") {
            let _ = Selection::parse(&text);
        }

        #[test]
        fn a_name_that_is_switched_off_last_is_off(
            names in proptest::collection::vec(0..Rule::ALL.len(), 1..6),
            off in 0..Rule::ALL.len(),
        ) {
            let mut text: String = names.iter().map(|index| format!("{},", Rule::ALL[*index])).collect();
            text.push_str(&format!("default,-{}", Rule::ALL[off]));
            prop_assert_eq!(Selection::parse(&text).unwrap().scope(Rule::ALL[off]), Scope::Nowhere);
        }
    }
}
