//! Memory that is shown to code without labels: a function that is not modelled, assembly, an intrinsic.

use trace::layout::{Reason, RegionKind};

use crate::regions::Area;
use crate::runtime::Runtime;
use crate::shadow;
use crate::variadic::VaList;

/// How far a region is looked at before and behind the address. Buffers of megabytes are handed on in loops, and a label
/// that is so far away is seldom what is read.
const BEFORE: u64 = 64 << 10;
const BEHIND: u64 = 1 << 20;

/// What is looked at where nobody knows how large the block of memory is.
const UNKNOWN: u64 = 64;

impl Runtime {
    /// Logs a loss if one of the bytes, or with 0 any byte of the address's region, has a label.
    pub fn expose(&mut self, site: u32, reason: Reason, address: u64, bytes: u64) {
        if self.recorder.node_count() > 1 && (self.has_labels(address, bytes) || self.has_open_size(address)) {
            self.loss(site, reason, bytes);
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

    fn has_labels(&mut self, address: u64, bytes: u64) -> bool {
        if bytes > 0 {
            return shadow::has_labels(address, bytes);
        }
        let Some(Area { base, room: size, kind, .. }) = self.regions.find(address) else {
            return shadow::has_labels(address, UNKNOWN);
        };
        let from = base.max(address.saturating_sub(BEFORE));
        let to = base.saturating_add(size).min(address.saturating_add(BEHIND));
        shadow::has_labels(from, to.saturating_sub(from))
            || kind == RegionKind::Stack && size == size_of::<VaList>() as u64 && {
                // What a `va_list` is for is what it points to.
                // SAFETY: a live variable of this size. It may be something else: then its words are no addresses, and
                // only the summary at them is looked at.
                let list = unsafe { (base as *const VaList).read_unaligned() };
                list.areas().into_iter().any(|(start, size)| shadow::has_labels(start, size))
            }
    }
}

#[cfg(test)]
mod tests {
    use crate::runtime::with;
    use crate::shadow;

    /// Whether exposing memory is a loss.
    fn loses(address: u64, bytes: u64) -> bool {
        with(false, |runtime| runtime.has_labels(address, bytes))
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
