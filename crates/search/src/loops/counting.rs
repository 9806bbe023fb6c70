//! Conditions that count: from those of two iterations in a row follows what they are in any other.

use expr::{BitVec, Store, Term};
use path::loops::Loops;
use path::{Kind, Path};
use rustc_hash::FxHashMap;
use trace::layout::EventKind;
use trace::reader::event_kind;

use super::Run;
use super::general::generalise;

/// A condition of a loop that counts.
pub struct Counting {
    /// The loop's number.
    pub number: u32,
    /// Index of the entry.
    pub entry: usize,
    /// The condition in two iterations, as the trace says it.
    terms: [Term; 2],
    /// The second of them.
    pub iteration: u32,
    /// The first iteration that it was met in.
    first: u32,
    /// The condition's value with which the loop goes on.
    goes_on: bool,
    /// Constraints before the second iteration.
    pub before: usize,
}

impl Counting {
    /// The conditions of a path that count.
    pub fn of(path: &Path, run: &Run, loops: &Loops) -> Vec<Counting> {
        let events = run.trace.events();
        let is_condition = |event: usize| {
            let before = event.checked_sub(1).and_then(|before| events.get(before));
            before.is_some_and(|event| event_kind(event.kind) == Some(EventKind::Loop))
        };
        // By entry and site: iterations with their constraints.
        let mut met: FxHashMap<(usize, u32), Vec<(u32, usize)>> = FxHashMap::default();
        // The first constraint of each entry's second iteration.
        let mut second: FxHashMap<usize, usize> = FxHashMap::default();
        for (index, constraint) in path.constraints.iter().enumerate() {
            for (entry, _) in loops.around(constraint.event).filter(|(_, iteration)| *iteration > 0) {
                second.entry(entry).or_insert(index);
            }
            let innermost = loops.around(constraint.event).next();
            if let (Kind::Branch { .. }, Some((entry, iteration)), true) =
                (&constraint.kind, innermost, is_condition(constraint.event))
            {
                met.entry((entry, constraint.site)).or_default().push((iteration, index));
            }
        }
        let mut all: Vec<Counting> = Vec::new();
        for ((entry, _), met) in met {
            let ([.., (a, one), (b, other)], Some((first, _))) = (&met[..], met.first()) else { continue };
            let Some(number) = loops.entries.get(entry).map(|entry| entry.number) else { continue };
            let [Some(one), Some(other)] = [one, other].map(|index| path.constraints.get(*index)) else { continue };
            let Kind::Branch { taken: goes_on } = one.kind else { continue };
            if *b == *a + 1 {
                let terms = [one, other].map(|constraint| constraint.original_subject);
                let before = second.get(&entry).copied().unwrap_or(path.constraints.len());
                all.push(Counting { number, entry, terms, iteration: *b, first: *first, goes_on, before });
            }
        }
        all.sort_by_key(|counting| (counting.number, counting.entry, counting.iteration));
        all
    }

    /// What has to hold so that the loop comes to an iteration, a term of 64 bits, as far as this condition is concerned.
    pub fn goes_on(&self, store: &mut Store, iteration: Term) -> Option<Term> {
        if let Some(range) = self.never_meets(store, iteration) {
            return Some(range);
        }
        let last = store.small(64, u64::from(self.iteration));
        let further = store.sub(iteration, last);
        let condition = generalise(store, self.terms, further)?;
        Some(if self.goes_on { condition } else { store.not(condition) })
    }

    /// For a loop that ends when a counter equals something: one iteration says only that it does not, all of them together that
    /// it is farther away.
    fn never_meets(&self, store: &mut Store, iteration: Term) -> Option<Term> {
        let mut nodes = self.terms.map(|term| store.node(term));
        let is = |nodes: &[expr::Node; 2], kind| nodes.iter().all(|node| node.kind == kind);
        let is_negated = is(&nodes, expr::Kind::Not);
        if is_negated {
            nodes = nodes.map(|node| store.node(node.operands[0]));
        }
        if !is(&nodes, expr::Kind::Eq) || self.goes_on != is_negated {
            return None;
        }
        let value = |store: &Store, term: Term| store.value(term).cloned();
        let sides = [(0, 1), (1, 0)].into_iter().find_map(|(counter, other)| {
            let steps = nodes.map(|node| node.operands.get(counter).and_then(|term| value(store, *term)));
            let others = nodes.map(|node| node.operands.get(other).copied());
            match (steps, others) {
                ([Some(before), Some(after)], [Some(a), Some(b)]) if a == b => Some((before, after, a)),
                _ => None,
            }
        });
        let (before, after, other) = sides?;
        let width = after.width();
        let step = after.sub(&before);
        let upwards = step == BitVec::new(width, 1);
        if width > 64 || !(upwards || step.is_ones()) {
            return None;
        }
        let passed = BitVec::new(width, u64::from(self.iteration.checked_sub(self.first)?));
        let start = if upwards { after.sub(&passed) } else { after.add(&passed) };
        let start = store.constant(start);
        let first = store.small(64, u64::from(self.first));
        let passed = store.sub(iteration, first);
        let distance = if upwards { store.sub(other, start) } else { store.sub(start, other) };
        let distance = if width < 64 { store.zext(distance, 64) } else { distance };
        Some(store.ult(passed, distance))
    }
}
