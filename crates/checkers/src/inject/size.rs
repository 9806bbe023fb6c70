//! Sizes: of new blocks, of arrays on the stack, of blocks that are read, written or copied.

use expr::Claim;
use path::{Observation, Observed};
use trace::layout::SizeUse;
use trace::rule::Rule;
use trace::sites::SiteKind;

use super::access::{NEAR, overflow};
use super::{Injected, Run};

/// No block can be larger than this: it is what allocators refuse, and more than any machine has.
const LARGEST_BLOCK: u64 = 1 << 40;
/// How soon after the block that is written the one that is read is observed: the addresses of both may come between.
const BETWEEN: usize = 4;
/// What a stack usually holds.
const LARGEST_STACK: u64 = 8 << 20;

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
                let room = region.base.saturating_add(region.size).saturating_sub(about);
                at_most(run, observation, overflow(&region), size, room, Some(room.saturating_add(NEAR)));
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
