//! Sizes: of new blocks, of arrays on the stack, of blocks that are read, written or copied.

use expr::{Claim, Kind, Store, Term};
use path::{Observation, Observed};
use trace::layout::{LARGEST_STACK, Region, SizeUse};
use trace::rule::Rule;
use trace::sites::SiteKind;

use super::access::{NEAR, overflow};
use super::{Injected, Run};

/// How soon after the block that is written the one that is read is observed: the addresses of both may come between.
const BETWEEN: usize = 4;

/// How far below the condition of a copy its size is looked for: it stands in a comparison, an extension, and what joins them.
const DEEPEST: usize = 8;

pub fn inject(
    run: &mut Run,
    observations: &[Observation],
    index: usize,
    size_use: SizeUse,
    about: u64,
    region: Option<u32>,
) {
    let Some(observation) = observations.get(index) else { return };
    let width = run.store.width(observation.term);
    if width > 64 {
        return;
    }
    let size = observation.claim();
    let size = if width < 64 { Claim::build(run.store, [size], |store, [size]| store.zext(size, 64)) } else { size };
    match size_use {
        // What is too much for the machine an allocator refuses, and the program may handle that.
        SizeUse::Allocation => at_most(run, observation, Rule::AllocSize, size, i64::MAX as u64, None),
        SizeUse::StackArray => {
            at_most(run, observation, Rule::StackOverflow, size, LARGEST_STACK / about.max(1), None);
        }
        SizeUse::BlockRead | SizeUse::BlockWrite => {
            if let Some(region) = run.region(region) {
                let address = address(run, observations, index, about);
                fits(run, observation, &region, size, address);
            }
            if size_use == SizeUse::BlockWrite {
                overlap(run, observations, index, size, about, region);
            }
        }
    }
}

/// The address of the block whose size is observed: one that depends on input is observed right before it.
fn address(run: &mut Run, observations: &[Observation], index: usize, about: u64) -> Claim {
    let size = observations.get(index);
    let before = index.checked_sub(1).and_then(|before| observations.get(before));
    let is_its = |seen: &&Observation| {
        matches!(seen.what, Observed::Access { address, .. } if address == about)
            && size.is_some_and(|size| size.site == seen.site && size.before == seen.before)
            && run.store.width(seen.term) == 64
    };
    let term = before.filter(is_its).map(Observation::claim);
    term.unwrap_or_else(|| run.store.small(64, about).into())
}

fn at_most(run: &mut Run, observation: &Observation, rule: Rule, size: Claim, limit: u64, near: Option<u64>) {
    if !run.is_on(rule) {
        return;
    }
    let bounded = |run: &mut Run, limit: u64| {
        Claim::build(run.store, [size], |store, [size]| {
            let limit = store.small(64, limit);
            store.ule(size, limit)
        })
    };
    let holds = bounded(run, limit);
    let near = near.map(|near| bounded(run, near));
    // The run would not have come further with a size beyond the limit.
    run.check(Injected { near, ..Injected::at(observation, rule, holds) });
}

/// So many bytes from an address on lie in its region.
fn fits(run: &mut Run, observation: &Observation, region: &Region, size: Claim, address: Claim) {
    let rule = overflow(region);
    if !run.is_on(rule) {
        return;
    }
    let extent = observation.extent.unwrap_or_else(|| run.store.small(64, region.size).into());
    // Nothing is accessed behind the end where the size is 0.
    let [holds, near] = [0, NEAR].map(|more| {
        Claim::build(run.store, [size, address, extent], |store, [size, address, extent]| {
            let [zero, base, more] = [0, region.base, more].map(|number| store.small(64, number));
            let (offset, extent) = (store.sub(address, base), store.add(extent, more));
            let room = store.sub(extent, offset);
            let (is_inside, has_room) = (store.ule(offset, extent), store.ule(size, room));
            let is_empty = store.eq(size, zero);
            let fits = store.and(is_inside, has_room);
            store.or(is_empty, fits)
        })
    });
    run.check(Injected { near: Some(near), ..Injected::at(observation, rule, holds) });
}

/// Whether the block that a check is about is copied, and its size observed, right after: then that says more about it, because it knows
/// the blocks.
pub fn is_copied_next(run: &Run, check: &Observation, later: &[Observation]) -> bool {
    let place = &run.sites.site(check.site).positions;
    // The next round of a loop asks at the same site first, unless what it asks is known or was asked before.
    let mut this_round = later.iter().take(BETWEEN).take_while(|other| other.site != check.site);
    this_round.any(|other| {
        let at = run.sites.site(other.site);
        matches!(other.what, Observed::Size { size_use: SizeUse::BlockWrite, .. })
            && is_memcpy(&at.kind)
            && at.positions == *place
            && is_size_in(run.store, other.original, check.original)
    })
}

/// Whether a size is one of those that the condition of a copy compares. Optimisation may compare what it was before it was extended.
fn is_size_in(store: &Store, size: Term, condition: Term) -> bool {
    let size = if store.kind(size) == Kind::ZExt { store.node(size).operands()[0] } else { size };
    let mut level = vec![condition];
    for _ in 0..DEEPEST {
        if level.contains(&size) {
            return true;
        }
        level = level.iter().flat_map(|term| store.node(*term).operands().to_vec()).collect();
        level.sort_unstable();
        level.dedup();
    }
    false
}

fn is_memcpy(kind: &SiteKind) -> bool {
    matches!(kind, SiteKind::Call(name) if name == "memcpy")
}

/// A block that is written from another one, which is observed right after it: they must not overlap, except where memmove
/// moves it. One that is so long that it comes to another region is too long, and that is all that is wrong with it.
fn overlap(run: &mut Run, observations: &[Observation], index: usize, size: Claim, to: u64, region: Option<u32>) {
    let Some(observation) = observations.get(index) else { return };
    if !is_memcpy(&run.sites.site(observation.site).kind) || !run.is_on(Rule::Overlap) {
        return;
    }
    let is_same = |other: &Observation| other.label == observation.label && other.site == observation.site;
    let read = (index + 1..).zip(observations.iter().skip(index + 1)).take(BETWEEN).find_map(|(index, other)| {
        match other.what {
            Observed::Size { size_use: SizeUse::BlockRead, about, region } if is_same(other) => {
                Some((index, about, region))
            }
            _ => None,
        }
    });
    let Some((read, from, _)) = read.filter(|(_, _, other)| *other == region) else { return };
    let (to, from) = (address(run, observations, index, to), address(run, observations, read, from));
    let holds = Claim::build(run.store, [size, to, from], |store, [size, to, from]| {
        let (up, down, is_above) = (store.sub(to, from), store.sub(from, to), store.ule(from, to));
        let distance = store.ite(is_above, up, down);
        let (is_apart, is_same) = (store.ule(size, distance), store.eq(to, from));
        // What is copied to where it is stays what it is, and sanitizers say nothing.
        store.or(is_apart, is_same)
    });
    run.check(Injected::at(observation, Rule::Overlap, holds));
}
