//! What models say about the memory that they read and write.

use trace::layout::SizeUse;

use super::term::Term;
use crate::build::Operand;
use crate::runtime::with;
use crate::shadow;

/// So many bytes at an address are read or written. Nothing is pinned: where their number is a term, they are there for every
/// number that the path allows.
pub(super) fn accessed(size_use: SizeUse, address: u64, size: Term, site: u32) {
    if size.label == 0 && !shadow::is_sized(address, size.value) {
        return;
    }
    with((), |runtime| {
        if size.label == 0 {
            return runtime.touch(site, address, size.value);
        }
        runtime.size(size.label, site, size_use, address, size.value);
        runtime.bound_length(Operand { label: size.label, value: size.value }, site, address);
    });
}

/// So many bytes at an address are looked at in this run.
#[inline(always)]
pub(super) fn looked_at(address: u64, bytes: u64, site: u32) {
    accessed(SizeUse::BlockRead, address, Term::concrete(64, bytes), site);
}
