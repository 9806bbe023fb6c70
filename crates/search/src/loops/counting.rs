//! Conditions that count: from those of two iterations in a row follows what they are in any other.

use expr::{BitVec, Input, Store, Term, Var, VarName};
use path::loops::Loops;
use path::{Kind, Path};
use rustc_hash::FxHashMap;
use trace::layout::EventKind;
use trace::reader::event_kind;

use super::Run;
use super::general::{at, generalise, is_next};

/// Iterations that look at bytes of their own are asked for one by one: no more than these.
const MOST_BYTES: u64 = 1024;

/// A condition of a loop that counts.
pub struct Counting {
    /// The loop's number.
    pub number: u32,
    /// Index of the entry.
    pub entry: usize,
    /// The condition in two iterations, as the trace says it.
    terms: [Term; 2],
    /// The one before, if there is one.
    older: Option<Term>,
    /// The iteration of the second.
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
                let older = met.len().checked_sub(3).and_then(|older| met.get(older));
                let older = older.filter(|(iteration, _)| *iteration + 1 == *a);
                let older = older.and_then(|(_, older)| path.constraints.get(*older));
                let older = older.map(|constraint| constraint.original_subject);
                all.push(Counting { number, entry, terms, older, iteration: *b, first: *first, goes_on, before });
            }
        }
        all.sort_by_key(|counting| (counting.number, counting.entry, counting.iteration));
        all
    }

    /// Whether more than two iterations show that it counts: enough for a proof, where two are enough for a proposal.
    pub fn is_sure(&self, store: &mut Store) -> bool {
        let [first, second] = self.terms;
        self.older.is_some_and(|older| is_next(store, [older, first], second))
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

    /// The same for a known iteration, of a loop that may look at other bytes of the input each time: all iterations up to there are
    /// asked for together.
    pub fn goes_on_to(&self, store: &mut Store, input: &Input, iteration: u64) -> Option<Term> {
        let number = store.small(64, iteration);
        if let Some(counted) = self.goes_on(store, number) {
            return Some(counted);
        }
        let from = u64::from(self.iteration);
        let further = iteration.checked_sub(from).filter(|further| *further <= MOST_BYTES)?;
        let mut all = store.bool(true);
        for further in 0..=further {
            let condition = at(store, self.terms, further)?;
            let is_there = |var: &Var| match store.var_name(*var) {
                VarName::Input { part, offset } => input.byte(*part, *offset).is_some(),
                VarName::Named(_) => true,
            };
            if !expr::variables(store, &[condition]).iter().all(is_there) {
                return None;
            }
            let condition = if self.goes_on { condition } else { store.not(condition) };
            all = store.and(all, condition);
        }
        Some(all)
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
