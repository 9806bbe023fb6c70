//! Sizes: of new blocks, of arrays on the stack, of blocks that are read, written or copied.

use expr::Claim;
use path::{Observation, Observed};
use trace::layout::{LARGEST_BLOCK, LARGEST_STACK, Region, SizeUse};
use trace::rule::Rule;
use trace::sites::SiteKind;

use super::access::{NEAR, overflow};
use super::{Injected, Run};

/// How soon after the block that is written the one that is read is observed: the addresses of both may come between.
const BETWEEN: usize = 4;

pub fn inject(
    run: &mut Run,
    observation: &Observation,
    later: &[Observation],
    size_use: SizeUse,
    about: u64,
    region: Option<u32>,
) {
    let width = run.store.width(observation.term);
    if width > 64 {
        return;
    }
    let size = observation.claim();
    let size = if width < 64 { Claim::build(run.store, [size], |store, [size]| store.zext(size, 64)) } else { size };
    match size_use {
        SizeUse::Allocation => at_most(run, observation, Rule::AllocSize, size, LARGEST_BLOCK, None),
        SizeUse::StackArray => {
            at_most(run, observation, Rule::StackOverflow, size, LARGEST_STACK / about.max(1), None);
        }
        SizeUse::BlockRead | SizeUse::BlockWrite => {
            if let Some(region) = run.region(region) {
                match observation.extent {
                    Some(extent) => fits(run, observation, &region, size, about, extent),
                    None => {
                        let room = region.base.saturating_add(region.size).saturating_sub(about);
                        at_most(run, observation, overflow(&region), size, room, Some(room.saturating_add(NEAR)));
                    }
                }
            }
            if size_use == SizeUse::BlockWrite {
                overlap(run, observation, later, size, about);
            }
        }
    }
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
    let (site, before) = (observation.site, observation.before);
    // The run would not have come further with a size beyond the limit.
    run.check(Injected { rule, holds, near, held: true, site, number: None, before });
}

/// So many bytes are accessed in a region of a size that depends on input.
fn fits(run: &mut Run, observation: &Observation, region: &Region, size: Claim, about: u64, extent: Claim) {
    let rule = overflow(region);
    if !run.is_on(rule) {
        return;
    }
    let offset = about.saturating_sub(region.base);
    // Nothing is accessed behind the end where the size is 0.
    let [holds, near] = [0, NEAR].map(|more| {
        Claim::build(run.store, [size, extent], |store, [size, extent]| {
            let [zero, offset, more] = [0, offset, more].map(|number| store.small(64, number));
            let extent = store.add(extent, more);
            let room = store.sub(extent, offset);
            let (is_inside, has_room) = (store.ule(offset, extent), store.ule(size, room));
            let is_empty = store.eq(size, zero);
            let fits = store.and(is_inside, has_room);
            store.or(is_empty, fits)
        })
    });
    let (site, before) = (observation.site, observation.before);
    run.check(Injected { rule, holds, near: Some(near), held: true, site, number: None, before });
}

/// A block that is written from another one, which is observed right after it: they must not overlap, except where memmove
/// moves it.
fn overlap(run: &mut Run, observation: &Observation, later: &[Observation], size: Claim, to: u64) {
    let is_same = |other: &&Observation| other.label == observation.label && other.site == observation.site;
    let read = later.iter().take(BETWEEN).filter(is_same).find_map(|other| match other.what {
        Observed::Size { size_use: SizeUse::BlockRead, about, .. } => Some(about),
        _ => None,
    });
    let Some(from) = read else { return };
    let copies = matches!(&run.sites.site(observation.site).kind, SiteKind::Call(name) if name == "memcpy");
    if copies && run.is_on(Rule::Overlap) {
        at_most(run, observation, Rule::Overlap, size, to.abs_diff(from), None);
    }
}
