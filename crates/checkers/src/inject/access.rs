//! Accesses to memory: null, and the bounds of what is accessed.

use expr::Claim;
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
    let check = |run: &mut Run, rule: Rule, holds, near, held| {
        if run.is_on(rule) {
            run.check(Injected { near, held, ..Injected::at(observation, rule, holds) });
        }
    };
    let at_least = |run: &mut Run, least: u64| {
        Claim::build(run.store, [address_term], |store, [term]| {
            let least = store.small(64, least);
            store.ule(least, term)
        })
    };
    let at_most = |run: &mut Run, most: u64| {
        Claim::build(run.store, [address_term], |store, [term]| {
            let most = store.small(64, most);
            store.ule(term, most)
        })
    };
    let holds = at_least(run, NULL_PAGE);
    let near = at_most(run, 0);
    check(run, Rule::NullDeref, holds, Some(near), address >= NULL_PAGE);
    let Some(region) = run.region(region) else { return };

    let holds = at_least(run, region.base);
    let near = at_least(run, region.base.saturating_sub(NEAR));
    check(run, Rule::BufferUnderflow, holds, Some(near), address >= region.base);

    let end = region.base.saturating_add(region.size);
    let last = end.saturating_sub(bytes);
    let held = address <= last;
    let (holds, near) = match observation.extent {
        None => (at_most(run, last), at_most(run, end.saturating_add(NEAR - 1))),
        Some(extent) => within(run, address_term, region.base, bytes, extent),
    };
    check(run, overflow(&region), holds, Some(near), held);
}

/// That an access lies within a region of a size that depends on input; and that it does not lie far behind it.
fn within(run: &mut Run, address: Claim, base: u64, bytes: u64, extent: Claim) -> (Claim, Claim) {
    let holds = Claim::build(run.store, [address, extent], |store, [address, extent]| {
        let [base, bytes] = [base, bytes].map(|number| store.small(64, number));
        let offset = store.sub(address, base);
        let most = store.sub(extent, bytes);
        let (has_any, is_inside) = (store.ule(bytes, extent), store.ule(offset, most));
        store.and(has_any, is_inside)
    });
    let near = Claim::build(run.store, [address, extent], |store, [address, extent]| {
        let [base, near] = [base, NEAR - 1].map(|number| store.small(64, number));
        let offset = store.sub(address, base);
        let most = store.add(extent, near);
        store.ule(offset, most)
    });
    (holds, near)
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
