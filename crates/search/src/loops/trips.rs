//! Many iterations at once: where the condition of a loop on input counts (`counting.rs`), the number of iterations is a term. So an
//! input can be asked for that makes a hundred thousand iterations, without a run that makes a thousand; or for
//! the iteration in which a check fails. What comes out is only ever a proposal: the inputs are run.

use std::ops::ControlFlow;
use std::sync::Arc;

use checkers::inject::Injected;
use expr::{Claim, Input, Model, Store, Term};
use path::Path;
use path::loops::Loops;
use rustc_hash::FxHashMap;
use solver::{Answer, Session};

use super::Run;
use super::counting::Counting;
use super::effort::Effort;
use super::general::generalise;

/// So many iterations take no more than moments.
const MOST_ITERATIONS: u64 = 1 << 22;

/// What an input was made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proposal {
    /// Many iterations of a loop.
    Iterations {
        /// The loop's number.
        number: u32,
        /// So many constraints hold as before.
        before: usize,
    },
    /// To violate the check with this index, in some iteration.
    Check(usize),
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
    let mut effort = Effort::new(run.stop);
    for counting in Counting::of(path, run, &loops) {
        if !due(counting.number) {
            continue;
        }
        let prefix: Vec<Claim> = path.constraints.iter().take(counting.before).map(|c| c.claim()).collect();
        let mut ask = |store: &mut Store, goals: &[Term]| {
            let claims: Vec<Claim> =
                prefix.iter().copied().chain(goals.iter().map(|goal| Claim::from(*goal))).collect();
            match effort.ask(session, store, &claims, &model) {
                Some(Answer::Sat(solution)) => Some(solution.model.input(store)),
                _ => None,
            }
        };
        let flow = more(&mut path.store, run.base, &counting, &mut ask, found);
        if flow.is_break() || in_checks(&mut path.store, checks, &loops, &counting, &mut ask, found).is_break() {
            break;
        }
    }
}

type Ask<'a> = dyn FnMut(&mut Store, &[Term]) -> Option<Input> + 'a;
type Found<'a> = dyn FnMut(Proposal, Input) -> ControlFlow<()> + 'a;

/// Twice as many iterations each time, as long as there are inputs for them, and then as many as there can be.
fn more(store: &mut Store, input: &Input, counting: &Counting, ask: &mut Ask, found: &mut Found) -> ControlFlow<()> {
    let mut reaches = |store: &mut Store, iterations: u64| {
        let goal = counting.goes_on_to(store, input, iterations)?;
        ask(store, &[goal])
    };
    let many = Proposal::Iterations { number: counting.number, before: counting.before };
    let (mut possible, mut impossible) = (u64::from(counting.iteration), None);
    let mut next = possible.saturating_add(1).saturating_mul(2);
    while next <= MOST_ITERATIONS && impossible.is_none() {
        match reaches(store, next) {
            Some(input) => {
                found(many, input)?;
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
        Some(input) => found(many, input),
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
    // A run would not show that a proposal is right about a use.
    for (index, check) in checks.iter().enumerate().filter(|(_, check)| !check.by_use) {
        let innermost = loops.around(check.event).next();
        if let Some((_, iteration)) = innermost.filter(|(entry, _)| *entry == counting.entry) {
            by_place.entry((check.rule.id(), check.site)).or_default().push((iteration, index));
        }
    }
    let mut places: Vec<_> = by_place.into_values().collect();
    places.sort_unstable();
    for place in places {
        let [.., (first, a), (second, b)] = place[..] else { continue };
        if second != first + 1 {
            continue;
        }
        let terms = [a, b].map(|index| checks.get(index).map(|check| check.holds.original));
        let [Some(before), Some(last)] = terms else { continue };
        let iteration = store.named("iteration", 64);
        let second = store.small(64, u64::from(second));
        let further = store.sub(iteration, second);
        let Some(holds) = generalise(store, [before, last], further) else { continue };
        let Some(goes_on) = counting.goes_on(store, iteration) else { continue };
        let limit = store.small(64, MOST_ITERATIONS);
        let (is_later, is_near) = (store.ult(second, iteration), store.ult(iteration, limit));
        let violated = store.not(holds);
        if let Some(input) = ask(store, &[violated, goes_on, is_later, is_near]) {
            found(Proposal::Check(b), input)?;
        }
    }
    ControlFlow::Continue(())
}
