//! Accesses to memory: null, and the bounds of what is accessed.

use expr::{Claim, Store, Term};
use path::Observation;
use trace::layout::{Region, RegionKind};
use trace::reader::region_kind;
use trace::rule::Rule;

use super::{Injected, Run};

/// Addresses that are no variable's: the system keeps the first page free, and calls an access there one through null.
const NULL_PAGE: u64 = 4096;

/// How far outside of a region a violation is best seen: sanitizers leave at least so many bytes between two.
pub const NEAR: u64 = 16;

pub fn inject(run: &mut Run, observation: &Observation, address: u64, bytes: u64, region: Option<u32>) {
    let address_term = observation.claim();
    if run.store.width(address_term.term) != 64 {
        return;
    }
    let mut access = Access { run, observation };
    access.check(Rule::NullDeref, address >= NULL_PAGE, [address_term], at_least(NULL_PAGE), at_most(0));
    let Some(region) = access.run.region(region) else { return };

    let (holds, near) = (at_least(region.base), at_least(region.base.saturating_sub(NEAR)));
    access.check(Rule::BufferUnderflow, address >= region.base, [address_term], holds, near);

    let end = region.base.saturating_add(region.size);
    let last = end.saturating_sub(bytes);
    let held = address <= last;
    let rule = overflow(&region);
    match observation.extent {
        None => access.check(rule, held, [address_term], at_most(last), at_most(end.saturating_add(NEAR - 1))),
        Some(extent) => {
            let (holds, near) = (within(region.base, bytes), not_far_behind(region.base));
            access.check(rule, held, [address_term, extent], holds, near);
        }
    }
}

/// An access, and who asks about it.
struct Access<'a, 'b> {
    run: &'a mut Run<'b>,
    observation: &'a Observation,
}

impl Access<'_, '_> {
    /// Injects a condition on claims, together with what a violation that is best seen fulfils. There are several for each access, and
    /// most say nothing new: of those nothing but the simplified condition is made.
    fn check<const N: usize>(
        &mut self,
        rule: Rule,
        held: bool,
        operands: [Claim; N],
        holds: impl Fn(&mut Store, [Term; N]) -> Term,
        near: impl Fn(&mut Store, [Term; N]) -> Term,
    ) {
        let run = &mut *self.run;
        if !run.is_on(rule) {
            return;
        }
        let term = holds(run.store, operands.map(|operand| operand.term));
        if run.is_new(rule, term) {
            let holds = Claim::completed(run.store, term, operands, holds);
            let near = Some(Claim::build(run.store, operands, near));
            run.injected.push(Injected { near, held, ..Injected::at(self.observation, rule, holds) });
        }
    }
}

fn at_least(least: u64) -> impl Fn(&mut Store, [Term; 1]) -> Term {
    move |store, [term]| {
        let least = store.small(64, least);
        store.ule(least, term)
    }
}

fn at_most(most: u64) -> impl Fn(&mut Store, [Term; 1]) -> Term {
    move |store, [term]| {
        let most = store.small(64, most);
        store.ule(term, most)
    }
}

/// That an access lies within a region of a size that depends on input.
fn within(base: u64, bytes: u64) -> impl Fn(&mut Store, [Term; 2]) -> Term {
    move |store, [address, extent]| {
        let [base, bytes] = [base, bytes].map(|number| store.small(64, number));
        let offset = store.sub(address, base);
        let most = store.sub(extent, bytes);
        let (has_any, is_inside) = (store.ule(bytes, extent), store.ule(offset, most));
        store.and(has_any, is_inside)
    }
}

/// That it does not lie far behind it.
fn not_far_behind(base: u64) -> impl Fn(&mut Store, [Term; 2]) -> Term {
    move |store, [address, extent]| {
        let [base, near] = [base, NEAR - 1].map(|number| store.small(64, number));
        let offset = store.sub(address, base);
        let most = store.add(extent, near);
        store.ule(offset, most)
    }
}

/// An access that can go to several regions: outside of all of them. Or one to a region of a size that depends on input.
pub fn inject_bounds(run: &mut Run, observation: &Observation, region: Option<u32>, end: u64) {
    let Some(region) = run.region(region) else { return };
    let rule = overflow(&region);
    if run.is_on(rule) {
        let near = observation.extent.filter(|_| end > 0).map(|extent| {
            Claim::build(run.store, [extent], |store, [extent]| {
                let least = store.small(64, end.saturating_sub(NEAR));
                store.ule(least, extent)
            })
        });
        run.check(Injected { near, ..Injected::at(observation, rule, observation.claim()) });
    }
}

/// The rule that an access behind the end of a region violates.
pub fn overflow(region: &Region) -> Rule {
    match region_kind(region.kind) {
        Some(RegionKind::Stack) => Rule::StackBufferOverflow,
        Some(RegionKind::Global) => Rule::GlobalBufferOverflow,
        Some(RegionKind::Heap) | None => Rule::HeapBufferOverflow,
    }
}
