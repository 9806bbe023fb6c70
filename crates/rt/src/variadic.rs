//! Labels of variadic arguments: from the caller's slots, through the callee's frame, to the memory of its `va_list`.

use core::ffi::c_void;

use trace::abi::{ThreadSlots, VARIADIC_BYTES};
use trace::directives::Argument;
use trace::layout::Label;

use crate::bytes::LARGEST;
use crate::runtime::{is_tracing, with};
use crate::{shadow, thread};

/// The labels in the slots, up to the last that was set.
fn labels(slots: &mut ThreadSlots) -> &mut [Label] {
    slots.variadic.get_mut(..slots.variadic_end as usize).unwrap_or_default()
}

/// Empties the slots: labels of an earlier call must not be taken for a later one's.
fn discard(slots: &mut ThreadSlots) {
    slots.has_variadic = 0;
    labels(slots).fill(0);
    slots.variadic_end = 0;
}

/// `trace::abi::VARIADIC_ARGUMENT`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_variadic_argument(offset: u64, bytes: u64, label: Label, value: u64) {
    // SAFETY: the slots belong to this thread.
    let slots: &mut ThreadSlots = unsafe { &mut *thread::slots() };
    if slots.has_variadic != 0 {
        // Those of a call whose callee was not instrumented.
        discard(slots);
    }
    let end = offset.saturating_add(bytes) as usize;
    let Some(place) = slots.variadic.get_mut(offset as usize..end).filter(|place| place.len() <= LARGEST) else {
        return;
    };
    slots.variadic_end = slots.variadic_end.max(end as u64);
    let labelled = label != 0
        && with(false, |runtime| {
            runtime.recorder.check(label, 0, value);
            runtime.recorder.byte_labels(label, place)
        });
    if !labelled {
        place.fill(0);
    }
}

/// What a variadic function keeps of the labels that came with its call.
#[repr(C)]
struct VariadicSave {
    /// One more than how many labels there are, or 0 if none came.
    end: u64,
    labels: [Label; VARIADIC_BYTES],
}

/// `trace::abi::VARIADIC_ENTRY`.
///
/// # Safety
/// `save` points to `4 * VARIADIC_BYTES + 8` bytes, aligned to 8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_variadic_entry(save: *mut c_void) {
    // SAFETY: the slots belong to this thread, and `save` is as the contract says.
    unsafe {
        let slots = &mut *thread::slots();
        let save = save.cast::<VariadicSave>();
        (*save).end = 0;
        if slots.has_variadic != 0 {
            let labels = labels(slots);
            (*save).end = labels.len() as u64 + 1;
            core::ptr::copy_nonoverlapping(labels.as_ptr(), (&raw mut (*save).labels).cast(), labels.len());
            discard(slots);
        }
    }
}

/// The `va_list` of the x86-64 ABI.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct VaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow_area: u64,
    save_area: u64,
}

/// Bytes of the register save area, and of its part for numbers and addresses.
const SAVE_AREA: usize = 176;
const WORDS: u32 = 48;

impl VaList {
    /// Start and size of the memory that arguments are read from, as far as their labels are carried.
    pub fn areas(&self) -> [(u64, u64); 2] {
        [(self.save_area, SAVE_AREA as u64), (self.overflow_area, (VARIADIC_BYTES - SAVE_AREA) as u64)]
    }

    /// Goes to the next argument of a format; where this one lies.
    pub fn take(&mut self, argument: Argument) -> u64 {
        let (offset, end, step) = match argument {
            Argument::Word | Argument::Text(_) => (&mut self.gp_offset, WORDS, 8),
            Argument::Double => (&mut self.fp_offset, SAVE_AREA as u32, 16),
            Argument::LongDouble => {
                let place = self.overflow_area.next_multiple_of(16);
                self.overflow_area = place + 16;
                return place;
            }
        };
        if *offset < end {
            *offset += step;
            return self.save_area + u64::from(*offset - step);
        }
        self.overflow_area += 8;
        self.overflow_area - 8
    }
}

/// `trace::abi::VARIADIC_START`.
///
/// # Safety
/// `list` points to a started `va_list`, `save` to what [`__provoke_variadic_entry`] filled in.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_variadic_start(list: *mut c_void, save: *mut c_void) {
    // SAFETY: by the contract of this function.
    let (list, save) = unsafe { (&*list.cast::<VaList>(), save.cast::<VariadicSave>()) };
    // SAFETY: as above; so many labels were kept, and the others are anything.
    let labels = unsafe {
        let end = (*save).end.min(VARIADIC_BYTES as u64 + 1);
        core::slice::from_raw_parts((&raw const (*save).labels).cast::<Label>(), end.saturating_sub(1) as usize)
    };
    // How far the overflow area reaches is not known; stale labels there are found by their values.
    let labels = if is_tracing() { labels } else { &[] };
    let (registers, overflow) = labels.split_at(labels.len().min(SAVE_AREA));
    shadow::set(list.save_area, registers);
    shadow::clear(list.save_area + registers.len() as u64, (SAVE_AREA - registers.len()) as u64);
    let used = overflow.iter().rposition(|label| *label != 0).map_or(0, |last| last + 1);
    shadow::set(list.overflow_area, overflow.get(..used).unwrap_or_default());
}
