//! The labels of memory and their summary, at their fixed addresses.
//!
//! The invariant of this module: the lowest bit of a granule's summary byte is 0 exactly when its eight labels are 0.
//! Every function here keeps it, reads the summary first and so never touches labels of clean memory. The bit [`SIZED`]
//! belongs to the regions whose size depends on input: instrumented code comes to the runtime where it is set.

use trace::abi::{
    LABEL_ADDRESS_MASK, LABEL_BASE, LABEL_SIZE, SUMMARY_BASE, SUMMARY_SHIFT, SUMMARY_SIZE, label_address,
    summary_address,
};
use trace::layout::Label;

use crate::system::populate;

/// Memory bytes per summary byte.
const GRANULE: u64 = 1 << SUMMARY_SHIFT;

/// Bit of a summary byte: an access here says something about the size of its block.
const SIZED: u8 = 2;

/// What programs can address.
const ADDRESS_SPACE: u64 = SUMMARY_SIZE << SUMMARY_SHIFT;

/// Maps both tables; the error is the system's number.
pub fn map() -> Result<(), i32> {
    map_table(SUMMARY_BASE, SUMMARY_SIZE)?;
    map_table(LABEL_BASE, LABEL_SIZE)
}

fn map_table(base: u64, size: u64) -> Result<(), i32> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: MAP_FIXED_NOREPLACE never replaces what is there.
    let table = unsafe { libc::mmap(base as *mut _, size as usize, protection, flags, -1, 0) };
    if table == libc::MAP_FAILED {
        return Err(crate::system::errno());
    }
    if table as u64 != base {
        // Kernels before 4.17 take the address as a mere hint.
        return Err(libc::EEXIST);
    }
    // SAFETY: advice on the mapping just made. Huge pages would make single labels cost 2 MB.
    unsafe {
        libc::madvise(table, size as usize, libc::MADV_DONTDUMP);
        libc::madvise(table, size as usize, libc::MADV_NOHUGEPAGE);
    }
    Ok(())
}

#[inline(always)]
fn label_pointer(address: u64) -> *mut Label {
    label_address(address) as *mut Label
}

#[inline(always)]
fn summary_pointer(address: u64) -> *mut u8 {
    summary_address(address) as *mut u8
}

/// The label of one byte.
#[inline(always)]
pub fn label(address: u64) -> Label {
    // SAFETY: the tables cover every address that a program can use.
    unsafe {
        if *summary_pointer(address) == 0 {
            return 0;
        }
        *label_pointer(address)
    }
}

/// The labels of `N` bytes.
#[inline(always)]
pub fn labels<const N: usize>(address: u64) -> [Label; N] {
    // SAFETY: as in `label`.
    unsafe { label_pointer(address).cast::<[Label; N]>().read_unaligned() }
}

/// Copies the labels of `out.len()` bytes.
pub fn copy_labels(address: u64, out: &mut [Label]) {
    // SAFETY: as in `label`; `out` is not in the tables.
    unsafe { core::ptr::copy_nonoverlapping(label_pointer(address), out.as_mut_ptr(), out.len()) };
}

/// Whether no byte of the range has a label.
#[inline]
pub fn is_clean(address: u64, bytes: u64) -> bool {
    bytes == 0 || first_dirty(address, address.wrapping_add(bytes)).is_none()
}

/// [`is_clean`] for up to a word, in which no access says something about the size of its block either.
#[inline(always)]
pub fn is_clean_word(address: u64, bytes: u64) -> bool {
    debug_assert!((1..=GRANULE).contains(&bytes));
    // SAFETY: as in `label`; there are no more than two granules.
    unsafe { *summary_pointer(address) | *summary_pointer(address + bytes - 1) == 0 }
}

/// Whether a byte of the range has a label. The range may be anywhere; what no program can use has none.
pub fn has_labels(address: u64, bytes: u64) -> bool {
    let end = address.saturating_add(bytes).min(ADDRESS_SPACE);
    let mut from = address;
    while let Some(dirty) = first_dirty(from, end) {
        let granule_end = (dirty & !(GRANULE - 1)) + GRANULE;
        if (dirty..granule_end.min(end)).any(|at| label(at) != 0) {
            return true;
        }
        from = granule_end;
    }
    false
}

/// The first address in `[from, to)` whose granule has a label, looking at the summary alone.
#[inline]
pub fn first_dirty(from: u64, to: u64) -> Option<u64> {
    if from >= to {
        return None;
    }
    let mut at = summary_address(from);
    let end = summary_address(to - 1) + 1;
    // SAFETY: `at` stays below `end`, which is within the summary.
    unsafe {
        while at < end {
            if at.is_multiple_of(8) {
                while at + 32 <= end && (at as *const [u64; 4]).read() == [0; 4] {
                    at += 32;
                }
                while at + 8 <= end && (at as *const u64).read() == 0 {
                    at += 8;
                }
                if at >= end {
                    break;
                }
            }
            if (at as *const u8).read() != 0 {
                return Some(((at - SUMMARY_BASE) << SUMMARY_SHIFT).max(from));
            }
            at += 1;
        }
    }
    None
}

/// Sets the summary of the granules that the range touches to what their labels say.
fn summarise(address: u64, bytes: u64) {
    let mut granule = address & !(GRANULE - 1);
    let end = address.wrapping_add(bytes);
    while granule < end {
        let dirty = labels::<8>(granule) != [0; 8];
        // SAFETY: as in `label`.
        unsafe {
            let summary = summary_pointer(granule);
            *summary = *summary & SIZED | u8::from(dirty);
        }
        granule += GRANULE;
    }
}

/// Labels consecutive bytes, some of which may be 0.
#[inline]
pub fn set(address: u64, new: &[Label]) {
    // SAFETY: as in `label`; `new` is not in the tables.
    unsafe { core::ptr::copy_nonoverlapping(new.as_ptr(), label_pointer(address), new.len()) };
    summarise(address, new.len() as u64);
}

/// Ranges at least so large get the pages of their labels in one go.
const POPULATED: u64 = 4096;

/// Says that all of a range is labelled next.
pub fn expect_labels(address: u64, bytes: u64) {
    if (POPULATED..DISCARDED).contains(&bytes) {
        populate(label_address(address) as usize, bytes as usize * size_of::<Label>());
    }
}

/// Labels `bytes` consecutive bytes `first`, `first + step`, …, none of which is 0.
#[inline]
pub fn set_run(address: u64, first: Label, step: u32, bytes: u32) {
    match bytes {
        1 => set_word::<1>(address, first, step),
        2 => set_word::<2>(address, first, step),
        4 => set_word::<4>(address, first, step),
        8 => set_word::<8>(address, first, step),
        _ => {
            for index in 0..bytes {
                // SAFETY: as in `label`.
                unsafe { *label_pointer(address + u64::from(index)) = first.wrapping_add(index * step) };
            }
            mark(address, u64::from(bytes));
        }
    }
}

/// [`set_run`] for as many bytes as programs write at once.
#[inline(always)]
fn set_word<const N: usize>(address: u64, first: Label, step: u32) {
    let labels: [Label; N] = core::array::from_fn(|index| first.wrapping_add(index as u32 * step));
    // SAFETY: as in `label`; there are no more than two granules.
    unsafe {
        label_pointer(address).cast::<[Label; N]>().write_unaligned(labels);
        *summary_pointer(address) |= 1;
        *summary_pointer(address + N as u64 - 1) |= 1;
    }
}

/// Gives every byte of the range the same label, not 0.
pub fn fill(address: u64, label: Label, bytes: u64) {
    for offset in 0..bytes {
        // SAFETY: as in `label`.
        unsafe { *label_pointer(address + offset) = label };
    }
    mark(address, bytes);
}

/// Says in the summary that every granule of the range has a label.
fn mark(address: u64, bytes: u64) {
    if bytes == 0 {
        return;
    }
    for_summaries(address, bytes, |summary| summary | 1);
}

/// Changes the summary bytes of a range that is not empty.
fn for_summaries(address: u64, bytes: u64, change: impl Fn(u8) -> u8) {
    let first = summary_address(address);
    let last = summary_address(address + bytes - 1);
    // SAFETY: as in `label`; nothing else refers to these bytes meanwhile.
    let summaries = unsafe { core::slice::from_raw_parts_mut(first as *mut u8, (last - first + 1) as usize) };
    summaries.iter_mut().for_each(|summary| *summary = change(*summary));
}

/// Makes accesses to the range come to [`is_sized`].
pub fn set_sized(address: u64, bytes: u64) {
    if bytes > 0 {
        for_summaries(address, bytes, |summary| summary | SIZED);
    }
}

/// Undoes [`set_sized`].
pub fn clear_sized(address: u64, bytes: u64) {
    if bytes > 0 {
        for_summaries(address, bytes, |summary| summary & !SIZED);
    }
}

/// Whether an access, of at least one byte, says something about the size of the block that it goes to.
#[inline(always)]
pub fn is_sized(address: u64, bytes: u64) -> bool {
    let last = address.wrapping_add(bytes.saturating_sub(1));
    // SAFETY: as in `label`.
    address < ADDRESS_SPACE
        && last < ADDRESS_SPACE
        && unsafe { (*summary_pointer(address) | *summary_pointer(last)) & SIZED != 0 }
}

/// Ranges at least so large are cleared by giving pages back to the system: programs reserve terabytes.
const DISCARDED: u64 = 1 << 24;
/// Memory whose summary is one page, and whose labels are whole pages too.
const DISCARD_UNIT: u64 = 4096 * GRANULE;

/// Removes the labels of a range. Clean memory is skipped at the speed of reading its summary.
#[inline]
pub fn clear(address: u64, bytes: u64) {
    if (1..=GRANULE).contains(&bytes) && is_clean_word(address, bytes) {
        return;
    }
    if bytes >= DISCARDED { clear_large(address, bytes) } else { clear_small(address, bytes) }
}

#[cold]
fn clear_large(address: u64, bytes: u64) {
    let end = address.saturating_add(bytes).min(ADDRESS_SPACE);
    let first = address.next_multiple_of(DISCARD_UNIT);
    let last = end / DISCARD_UNIT * DISCARD_UNIT;
    if first >= last {
        return clear_small(address, end.saturating_sub(address));
    }
    clear_small(address, first - address);
    clear_small(last, end - last);
    discard(summary_address(first), (last - first) >> SUMMARY_SHIFT);
    // Labels of addresses that differ only in their upper bits are the same.
    let folded = first & LABEL_ADDRESS_MASK;
    let before_end = (last - first).min(LABEL_ADDRESS_MASK + 1 - folded);
    discard(label_address(first), before_end << 2);
    if before_end < last - first {
        discard(LABEL_BASE, ((last - first - before_end).min(LABEL_ADDRESS_MASK + 1)) << 2);
    }
}

/// Makes whole pages of a table zero.
fn discard(start: u64, bytes: u64) {
    // SAFETY: the range lies within one of the tables, private anonymous memory that reads as zero afterwards.
    unsafe { libc::madvise(start as *mut _, bytes as usize, libc::MADV_DONTNEED) };
}

fn clear_small(address: u64, bytes: u64) {
    let end = address.wrapping_add(bytes);
    let mut from = address;
    while let Some(dirty) = first_dirty(from, end) {
        let granule_end = (dirty & !(GRANULE - 1)) + GRANULE;
        let stop = granule_end.min(end);
        if stop - dirty == GRANULE {
            // SAFETY: as in `label`; one whole granule.
            unsafe {
                label_pointer(dirty).cast::<[Label; 8]>().write_unaligned([0; 8]);
                *summary_pointer(dirty) &= SIZED;
            }
        } else {
            for at in dirty..stop {
                // SAFETY: as in `label`.
                unsafe { *label_pointer(at) = 0 };
            }
            summarise(dirty, stop - dirty);
        }
        from = granule_end;
    }
}

/// Bytes that [`copy`] treats at a time.
const CHUNK: u64 = 256;

/// Moves labels as memmove moves bytes.
pub fn copy(destination: u64, source: u64, bytes: u64) {
    if bytes == 0 || destination == source {
        return;
    }
    if is_clean(source, bytes) {
        return clear(destination, bytes);
    }
    expect_labels(destination, bytes);
    let backwards = destination > source && destination < source.wrapping_add(bytes);
    let mut done = 0;
    while done < bytes {
        let size = CHUNK.min(bytes - done);
        let offset = if backwards { bytes - done - size } else { done };
        copy_chunk(destination + offset, source + offset, size);
        done += size;
    }
}

fn copy_chunk(destination: u64, source: u64, bytes: u64) {
    if is_clean(source, bytes) {
        return clear(destination, bytes);
    }
    // A granule's labels are valid only as far as the summary says so: labels of clean granules are 0, so plain
    // copying is right for them too.
    // SAFETY: as in `label`; the ranges may overlap.
    unsafe { core::ptr::copy(label_pointer(source), label_pointer(destination), bytes as usize) };
    summarise(destination, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: usize = 640;

    #[derive(Clone, Debug)]
    enum Step {
        Set(usize, Vec<Label>),
        Fill(usize, usize, Label),
        Clear(usize, usize),
        Copy(usize, usize, usize),
    }

    fn range() -> impl Strategy<Value = (usize, usize)> {
        (0..SIZE).prop_flat_map(|start| (Just(start), 0..=SIZE - start))
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..SIZE - 16, prop::collection::vec(0..3u32, 1..16)).prop_map(|(at, labels)| Step::Set(at, labels)),
            (range(), 1..9u32).prop_map(|((at, size), label)| Step::Fill(at, size, label)),
            range().prop_map(|(at, size)| Step::Clear(at, size)),
            (range(), 0..SIZE).prop_map(|((from, size), to)| Step::Copy(to.min(SIZE - size), from, size)),
        ]
    }

    #[test]
    fn large_ranges_are_cleared_by_pages() {
        crate::testing::map_tables();
        let size = 80u64 << 20;
        let memory = crate::system::reserve::<u8>(size as usize).expect("address space");
        let base = memory.as_ptr() as u64;
        let dirty = [0, 7, 40_000, 50 << 20, size - 1];
        dirty.iter().for_each(|offset| fill(base + offset, 5, 1));
        clear(base + 3, size - 4);
        let left: Vec<u64> = dirty.into_iter().filter(|offset| label(base + offset) != 0).collect();
        assert_eq!(left, [0, size - 1]);
        assert_eq!(first_dirty(base + 8, base + size - 8), None);
        clear(base, size);
        // A terabyte in no time, where no test has memory.
        clear(1 << 40, 1 << 40);
        // SAFETY: reserved above.
        unsafe { crate::system::release(memory, size as usize) };
    }

    proptest! {
        #[test]
        fn tables_follow_a_plain_array(steps in prop::collection::vec(step(), 1..40), skew in 0..8usize) {
            crate::testing::map_tables();
            let memory = vec![0u8; SIZE + 16];
            let base = (memory.as_ptr() as u64).next_multiple_of(8) + skew as u64;
            let mut plain = vec![0u32; SIZE];
            clear(base, SIZE as u64);
            for step in steps {
                match step {
                    Step::Set(at, labels) => {
                        plain[at..at + labels.len()].copy_from_slice(&labels);
                        set(base + at as u64, &labels);
                    }
                    Step::Fill(at, size, label) => {
                        plain[at..at + size].fill(label);
                        fill(base + at as u64, label, size as u64);
                    }
                    Step::Clear(at, size) => {
                        plain[at..at + size].fill(0);
                        clear(base + at as u64, size as u64);
                    }
                    Step::Copy(to, from, size) => {
                        plain.copy_within(from..from + size, to);
                        copy(base + to as u64, base + from as u64, size as u64);
                    }
                }
                for (index, expected) in plain.iter().enumerate() {
                    prop_assert_eq!(label(base + index as u64), *expected);
                }
                let first = base & !7;
                for granule in (first..base + SIZE as u64).step_by(8) {
                    let dirty = labels::<8>(granule) != [0; 8];
                    // SAFETY: the table is mapped.
                    prop_assert_eq!(unsafe { *summary_pointer(granule) }, u8::from(dirty));
                }
            }
            clear(base, SIZE as u64);
        }
    }
}
