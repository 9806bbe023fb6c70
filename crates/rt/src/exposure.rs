//! Memory that is shown to code without labels: a function that is not modelled, assembly, an intrinsic.

use trace::layout::{Reason, RegionKind};

use crate::recorder::flag;
use crate::regions::Area;
use crate::runtime::Runtime;
use crate::shadow;
use crate::variadic::VaList;

/// How far a region is looked at before and behind the address. Buffers of megabytes are handed on in loops, and a label
/// that is so far away is seldom what is read.
const BEFORE: u64 = 64 << 10;
const BEHIND: u64 = 1 << 20;

/// Addresses of memory lie between these.
const LOWEST: u64 = 1 << 16;
const HIGHEST: u64 = 1 << 47;

/// What is looked at where nobody knows how large the block of memory is.
const UNKNOWN: u64 = 64;

/// How many words are looked at for further addresses: what structures have that are handed to libraries.
const WORDS: u64 = 32;

/// Bytes that are counted in one exposure.
const COUNTED: u64 = 64 << 10;

impl Runtime {
    /// Logs a loss if one of the bytes, or with 0 any byte of the address's region, has a label. What it counts are bytes that
    /// no such loss has counted before.
    pub fn expose(&mut self, site: u32, reason: Reason, address: u64, bytes: u64) {
        if reason == Reason::UnmodelledCall && bytes == 0 && self.is_input_stream(address) {
            // What it reads there comes without labels.
            self.loss(site, Reason::InputLost, 1);
        }
        if self.recorder.node_count() <= 1 {
            return;
        }
        if reason == Reason::UnmodelledCall && bytes == 0 {
            self.hand_over(site, address);
        }
        let (from, to) = self.exposed(address, bytes);
        let is_list = bytes == 0 && self.shows_list(address);
        if shadow::has_labels(from, to.saturating_sub(from)) || is_list || self.has_open_size(address) {
            let count = self.count_shown(from, to);
            self.loss(site, reason, count);
        } else if bytes == 0
            && let Some((from, to)) = self.shown_behind(address)
        {
            let count = self.count_shown(from, to);
            self.loss(site, reason, count);
        }
    }

    /// Labelled memory that is shown by an address at an address, or behind that in the same region.
    fn shown_behind(&mut self, address: u64) -> Option<(u64, u64)> {
        let area = self.regions.find(address)?;
        let first = address.next_multiple_of(8);
        let last = area.base.saturating_add(area.room).min(first.saturating_add(8 * WORDS));
        let mut at = first;
        while at + 8 <= last {
            // SAFETY: within memory of the program's that it hands to somebody who may read it.
            let word = unsafe { (at as *const u64).read_volatile() };
            at += 8;
            // Nothing that has labels lies elsewhere, and most words are no addresses at all.
            if word.wrapping_sub(LOWEST) < HIGHEST - LOWEST && self.regions.find(word).is_some() {
                let (from, to) = self.exposed(word, 0);
                if shadow::has_labels(from, to.saturating_sub(from)) {
                    return Some((from, to));
                }
            }
        }
        None
    }

    /// A function that nobody knows gets the start of a block: it may free it, and what comes there later has another size.
    fn hand_over(&mut self, site: u32, address: u64) {
        if self.regions.extents.is_empty() {
            return;
        }
        let area = self.regions.find(address).filter(|area| area.base == address && area.kind == RegionKind::Heap);
        if let Some(extent) = area.and_then(|area| area.extent) {
            self.recorder.pin(extent.label, site, Reason::Size, extent.size);
            self.end_extent(address);
        }
    }

    /// Whether what is accessed at an address may say something about the size of its block.
    fn has_open_size(&mut self, address: u64) -> bool {
        if self.regions.extents.is_empty() {
            return false;
        }
        let extent = self.regions.find(address).and_then(|area| area.extent);
        extent.is_some_and(|extent| extent.touched < extent.size)
    }

    /// The bytes that may be looked at.
    fn exposed(&mut self, address: u64, bytes: u64) -> (u64, u64) {
        if bytes > 0 {
            return (address, address.saturating_add(bytes));
        }
        let Some(Area { base, room: size, .. }) = self.regions.find(address) else {
            return (address, address.saturating_add(UNKNOWN));
        };
        let from = base.max(address.saturating_sub(BEFORE));
        (from, base.saturating_add(size).min(address.saturating_add(BEHIND)))
    }

    /// Whether there is a `va_list` with labels in what it points to, which is what it is for.
    fn shows_list(&mut self, address: u64) -> bool {
        let Some(Area { base, room: size, kind: RegionKind::Stack, .. }) = self.regions.find(address) else {
            return false;
        };
        size == size_of::<VaList>() as u64 && {
            // SAFETY: a live variable of this size. It may be something else: then its words are no addresses, and
            // only the summary at them is looked at.
            let list = unsafe { (base as *const VaList).read_unaligned() };
            list.areas().into_iter().any(|(start, size)| shadow::has_labels(start, size))
        }
    }

    fn count_shown(&mut self, from: u64, to: u64) -> u64 {
        let to = to.min(from.saturating_add(COUNTED)).min(1 << 47);
        let mut count = 0;
        let mut at = from;
        while at < to {
            match shadow::first_dirty(at, to) {
                Some(dirty) => at = dirty,
                None => break,
            }
            let label = self.recorder.source(shadow::label(at));
            if label != 0 && (self.recorder.width(label) != 8 || self.recorder.first_time(label, flag::SHOWN)) {
                count += 1;
            }
            at += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use crate::runtime::with;
    use crate::shadow;

    /// Whether exposing memory is a loss.
    fn loses(address: u64, bytes: u64) -> bool {
        with(false, |runtime| {
            let (from, to) = runtime.exposed(address, bytes);
            shadow::has_labels(from, to.saturating_sub(from))
                || runtime.shows_list(address)
                || bytes == 0 && runtime.shown_behind(address).is_some()
        })
    }

    #[test]
    fn a_region_is_looked_at_as_a_whole() {
        crate::testing::process_runtime();
        let block = vec![0u64; 64];
        let base = block.as_ptr() as u64;
        with((), |runtime| runtime.regions.heap.insert(base, 512));
        assert!(!loses(base, 0));
        shadow::fill(base + 300, 1, 1);
        assert!(loses(base, 0));
        assert!(loses(base + 400, 0), "also what lies before the address");
        assert!(!loses(base, 300));
        assert!(loses(base, 301));
        shadow::clear(base, 512);
        with(None, |runtime| runtime.regions.heap.remove(base));
    }

    #[test]
    fn so_is_what_an_address_in_it_points_to() {
        crate::testing::process_runtime();
        let (text, mut words) = (vec![0u64; 8], vec![0u64; 64]);
        let (to, base) = (text.as_ptr() as u64, words.as_ptr() as u64);
        with((), |runtime| {
            runtime.regions.heap.insert(to, 64);
            runtime.regions.heap.insert(base, 512);
        });
        shadow::fill(to + 40, 1, 1);
        assert!(!loses(base, 0));
        words[5] = to + 8;
        assert!(loses(base, 0));
        assert!(loses(base + 33, 0), "a word that begins behind the address");
        assert!(!loses(base + 48, 0), "what lies before the address is no part of what is shown");
        assert!(!loses(base, 64), "whoever says how much is read reads numbers");
        words[5] = 0;
        words[40] = to;
        assert!(!loses(base, 0), "too far away");
        shadow::clear(to, 64);
        for block in [to, base] {
            with(None, |runtime| runtime.regions.heap.remove(block));
        }
    }

    #[test]
    fn neighbours_in_a_granule_are_told_apart() {
        crate::testing::process_runtime();
        let block = [0u64; 2];
        let base = block.as_ptr() as u64;
        shadow::fill(base + 4, 1, 2);
        assert!(!loses(base, 4));
        assert!(loses(base, 5));
        assert!(!loses(base + 6, 10));
        shadow::clear(base, 16);
    }

    #[test]
    fn any_address_can_be_asked_for() {
        crate::testing::process_runtime();
        for address in [0, 1, u64::MAX, 1 << 47, (1 << 47) - 1, 0xffff_8000_0000_0000] {
            for bytes in [0, 1, 64] {
                loses(address, bytes);
            }
        }
    }
}
