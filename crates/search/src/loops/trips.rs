//! Many iterations at once: where the condition of a loop on input counts, the number of iterations is a term.
//!
//! From the conditions of three iterations in a row follows what they are in any other (`general.rs`). So an
//! input can be asked for that makes a hundred thousand iterations, without a run that makes a thousand; or for
//! the iteration in which a check fails. What comes out is only ever a proposal: the inputs are run.

use std::ops::ControlFlow;
use std::sync::Arc;

use checkers::inject::Injected;
use expr::{Claim, Input, Model, Store, Term};
use path::loops::Loops;
use path::{Kind, Path};
use rustc_hash::FxHashMap;
use solver::{Answer, Session};
use trace::layout::EventKind;
use trace::reader::event_kind;

use super::Run;
use super::general::generalise;

/// So many iterations take no more than moments.
const MOST_ITERATIONS: u64 = 1 << 22;

/// What an input was made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proposal {
    /// Many iterations of the loop with this number.
    Iterations(u32),
    /// To violate the check with this index, in some iteration.
    Check(usize),
}

/// A condition that counts.
struct Counting {
    /// The loop's number.
    number: u32,
    /// Index of the entry.
    entry: usize,
    /// The condition in three iterations, as the trace says it.
    terms: [Term; 3],
    /// The last of them.
    iteration: u32,
    /// The condition's value with which the loop goes on.
    goes_on: bool,
    /// Constraints before the second iteration.
    before: usize,
}

/// Proposes inputs for more iterations of the loops that `due` says yes to, and for checks in them.
pub(crate) fn propose(
    session: &mut Session,
    path: &mut Path,
    checks: &[Injected],
    run: &Run,
    due: &mut dyn FnMut(u32) -> bool,
    found: &mut dyn FnMut(Proposal, Input) -> ControlFlow<()>,
) {
    let loops = Loops::of(run.trace, run.sites);
    let model = Model::of_input(Arc::clone(run.base));
    for counting in counting(path, run, &loops) {
        if !due(counting.number) {
            continue;
        }
        let prefix: Vec<Claim> = path.constraints.iter().take(counting.before).map(|c| c.claim()).collect();
        let mut ask = |store: &mut Store, goals: &[Term]| {
            let claims: Vec<Claim> =
                prefix.iter().copied().chain(goals.iter().map(|goal| Claim::from(*goal))).collect();
            match session.solve(store, &claims, &model) {
                Answer::Sat(solution) => Some(solution.model.input(store)),
                Answer::Unsat | Answer::Unknown(_) => None,
            }
        };
        let flow = more(&mut path.store, &counting, &mut ask, found);
        if flow.is_break() || in_checks(&mut path.store, checks, &loops, &counting, &mut ask, found).is_break() {
            return;
        }
    }
}

type Ask<'a> = dyn FnMut(&mut Store, &[Term]) -> Option<Input> + 'a;
type Found<'a> = dyn FnMut(Proposal, Input) -> ControlFlow<()> + 'a;

/// That the loop goes on in an iteration.
fn goes_on(store: &mut Store, counting: &Counting, iteration: Term) -> Option<Term> {
    let last = store.small(64, u64::from(counting.iteration));
    let further = store.sub(iteration, last);
    let condition = generalise(store, counting.terms, further)?;
    Some(if counting.goes_on { condition } else { store.not(condition) })
}

/// Twice as many iterations each time, as long as there are inputs for them, and then as many as there can be.
fn more(store: &mut Store, counting: &Counting, ask: &mut Ask, found: &mut Found) -> ControlFlow<()> {
    let mut reaches = |store: &mut Store, iterations: u64| {
        let iteration = store.small(64, iterations);
        let goal = goes_on(store, counting, iteration)?;
        ask(store, &[goal])
    };
    let (mut possible, mut impossible) = (u64::from(counting.iteration), None);
    let mut next = possible.saturating_add(1).saturating_mul(2);
    while next <= MOST_ITERATIONS && impossible.is_none() {
        match reaches(store, next) {
            Some(input) => {
                found(Proposal::Iterations(counting.number), input)?;
                possible = next;
                next *= 2;
            }
            None => impossible = Some(next),
        }
    }
    let Some(mut impossible) = impossible else { return ControlFlow::Continue(()) };
    let mut most = None;
    while impossible - possible > 1 {
        let middle = possible + (impossible - possible) / 2;
        match reaches(store, middle) {
            Some(input) => {
                most = Some(input);
                possible = middle;
            }
            None => impossible = middle,
        }
    }
    match most {
        Some(input) => found(Proposal::Iterations(counting.number), input),
        None => ControlFlow::Continue(()),
    }
}

/// Checks that are made in every iteration, on something that counts too: which iteration violates them?
fn in_checks(
    store: &mut Store,
    checks: &[Injected],
    loops: &Loops,
    counting: &Counting,
    ask: &mut Ask,
    found: &mut Found,
) -> ControlFlow<()> {
    let mut by_place: FxHashMap<(&str, u32), Vec<(u32, usize)>> = FxHashMap::default();
    for (index, check) in checks.iter().enumerate() {
        let innermost = loops.around(check.event).next();
        if let Some((_, iteration)) = innermost.filter(|(entry, _)| *entry == counting.entry) {
            by_place.entry((check.rule.id(), check.site)).or_default().push((iteration, index));
        }
    }
    let mut places: Vec<_> = by_place.into_values().collect();
    places.sort_unstable();
    for place in places {
        let [.., (first, a), (second, b), (third, c)] = place[..] else { continue };
        if second != first + 1 || third != second + 1 {
            continue;
        }
        let terms = [a, b, c].map(|index| checks.get(index).map(|check| check.holds.original));
        let [Some(a), Some(b), Some(last)] = terms else { continue };
        let iteration = store.named("iteration", 64);
        let third = store.small(64, u64::from(third));
        let further = store.sub(iteration, third);
        let Some(holds) = generalise(store, [a, b, last], further) else { continue };
        let Some(goes_on) = goes_on(store, counting, iteration) else { continue };
        let limit = store.small(64, MOST_ITERATIONS);
        let (is_later, is_near) = (store.ult(third, iteration), store.ult(iteration, limit));
        let violated = store.not(holds);
        if let Some(input) = ask(store, &[violated, goes_on, is_later, is_near]) {
            found(Proposal::Check(c), input)?;
        }
    }
    ControlFlow::Continue(())
}

/// The conditions of a path that count, each loop's last entry.
fn counting(path: &Path, run: &Run, loops: &Loops) -> Vec<Counting> {
    let events = run.trace.events();
    let is_condition = |event: usize| {
        let before = event.checked_sub(1).and_then(|before| events.get(before));
        before.is_some_and(|event| event_kind(event.kind) == Some(EventKind::Loop))
    };
    // By entry and site: iterations with their constraints.
    let mut met: FxHashMap<(usize, u32), Vec<(u32, usize)>> = FxHashMap::default();
    for (index, constraint) in path.constraints.iter().enumerate() {
        let innermost = loops.around(constraint.event).next();
        if let (Kind::Branch { .. }, Some((entry, iteration)), true) =
            (&constraint.kind, innermost, is_condition(constraint.event))
        {
            met.entry((entry, constraint.site)).or_default().push((iteration, index));
        }
    }
    let mut all: Vec<Counting> = Vec::new();
    for ((entry, _), met) in met {
        let [.., (a, first), (b, second), (c, third)] = met[..] else { continue };
        let Some(number) = loops.entries.get(entry).map(|entry| entry.number) else { continue };
        let constraints = [first, second, third].map(|index| path.constraints.get(index));
        let [Some(first), Some(second), Some(third)] = constraints else { continue };
        let Kind::Branch { taken: goes_on } = first.kind else { continue };
        if b != a + 1 || c != b + 1 {
            continue;
        }
        let terms = [first, second, third].map(|constraint| constraint.original_subject);
        let is_first_iteration = |event: usize| !loops.around(event).any(|(e, iteration)| e == entry && iteration > 0);
        let start = loops.entries.get(entry).map_or(0, |entry| entry.events.start);
        let before = path
            .constraints
            .iter()
            .position(|constraint| constraint.event >= start && !is_first_iteration(constraint.event))
            .unwrap_or(path.constraints.len());
        all.push(Counting { number, entry, terms, iteration: c, goes_on, before });
    }
    all.sort_by_key(|counting| (counting.number, counting.entry));
    all
}
