//! Which decisions are worth asking about first: those that no path has made yet in their place.

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

use checkers::inject::Injected;

use crate::decisions::Decision;

/// What the paths so far have decided.
#[derive(Debug, Default)]
pub struct Novelty {
    /// Decisions, each with the one before it.
    made: FxHashSet<u64>,
    /// The same without.
    anywhere: FxHashSet<Decision>,
    /// How often those were looked at that were not made.
    looked_at: FxHashMap<u64, u32>,
    /// How often a check was looked at.
    checks: FxHashMap<u64, u32>,
}

impl Novelty {
    /// Notes the decisions of a path.
    pub fn add_path(&mut self, decisions: impl Iterator<Item = Decision>) {
        let mut previous = None;
        for decision in decisions {
            self.add(previous, decision);
            previous = Some(decision);
        }
    }

    /// Notes that an input is there that makes a decision behind another one.
    pub fn add(&mut self, previous: Option<Decision>, decision: Decision) {
        self.made.insert(key(previous, decision));
        self.anywhere.insert(decision);
    }

    /// Whether an input is there that makes a decision, wherever on its path.
    pub fn knows(&self, decision: Decision) -> bool {
        self.anywhere.contains(&decision)
    }

    /// Whether to ask for a decision behind another one: nothing has made it, and it was not asked for too often in vain.
    pub fn wants(&mut self, previous: Option<Decision>, decision: Decision) -> bool {
        let key = key(previous, decision);
        !self.made.contains(&key) && is_due(self.looked_at.entry(key).or_default())
    }

    /// Whether to ask about a check: it was not asked about too often.
    pub fn wants_check(&mut self, check: &Injected) -> bool {
        let mut hasher = FxHasher::default();
        (check.rule.id(), check.number, check.site).hash(&mut hasher);
        is_due(self.checks.entry(hasher.finish()).or_default())
    }
}

fn key(previous: Option<Decision>, decision: Decision) -> u64 {
    let mut hasher = FxHasher::default();
    (previous, decision).hash(&mut hasher);
    hasher.finish()
}

/// The first time, and then half as often each time.
fn is_due(count: &mut u32) -> bool {
    *count = count.saturating_add(1);
    count.is_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_not_wanted() {
        let (first, second) = (Decision { site: 1, way: 0 }, Decision { site: 2, way: 1 });
        let mut novelty = Novelty::default();
        novelty.add_path([first, second].into_iter());
        assert!(!novelty.wants(Some(first), second));
        assert!(novelty.wants(Some(second), second), "another place");
        novelty.add(Some(second), second);
        assert!(!novelty.wants(Some(second), second));
    }

    #[test]
    fn what_is_asked_for_in_vain_is_asked_for_less_and_less() {
        let mut novelty = Novelty::default();
        let asked: Vec<u32> = (1..20).filter(|_| novelty.wants(None, Decision { site: 1, way: 0 })).collect();
        assert_eq!(asked, [1, 2, 4, 8, 16]);
    }
}
