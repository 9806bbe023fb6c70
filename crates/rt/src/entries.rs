//! The entry points that instrumented code calls. `trace::abi` says what each one means.
//!
//! Where the runtime cannot be entered (tracing is off, a signal handler interrupted it), a builder gives label 0 and
//! memory that would have been labelled is cleared: labels are lost, never wrong.

use core::ffi::{CStr, c_char, c_void};

use trace::abi::{CALLERS_SITE, GlobalEntry, ThreadSlots};
use trace::layout::{Label, Reason, State};
use trace::op::Op;

use crate::build::{IntegerShape, Operand, operator};
use crate::events::{reason, size_use};
use crate::pointers::Address;
use crate::runtime::with;
use crate::{shadow, start, thread};

/// Operator and width from one word.
#[inline(always)]
fn decode(op_and_width: u32) -> Option<(Op, u32)> {
    let width = op_and_width >> 8;
    if !(1..=1024).contains(&width) {
        return None;
    }
    Some((operator(op_and_width as u8)?, width))
}

/// Models that are written in C have no places of their own: what happens there happens where they were called.
#[inline(always)]
fn place(site: u32) -> u32 {
    if site == CALLERS_SITE {
        // SAFETY: the slots belong to this thread.
        unsafe { (*thread::slots()).call_site }
    } else {
        site
    }
}

/// `trace::abi::BINARY`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_binary(op: u32, la: Label, lb: Label, va: u64, vb: u64, result: u64) -> Label {
    let Some((op, width)) = decode(op) else { return 0 };
    with(0, |runtime| {
        let recorder = &mut runtime.recorder;
        recorder.expect_use(la.max(lb));
        recorder.check(la, 0, va);
        recorder.check(lb, 0, vb);
        recorder.binary(op, width, Operand { label: la, value: va }, Operand { label: lb, value: vb }, result)
    })
}

/// `trace::abi::UNARY`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_unary(op: u32, la: Label, imm: u64, va: u64, result: u64) -> Label {
    let Some((op, width)) = decode(op) else { return 0 };
    with(0, |runtime| {
        runtime.recorder.expect_use(la);
        runtime.recorder.check(la, 0, va);
        runtime.recorder.unary(op, width, la, imm, result)
    })
}

/// `trace::abi::WIDE_BINARY`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_wide_binary(op: u32, la: Label, lb: Label, result: u64) -> Label {
    let Some((op, width)) = decode(op) else { return 0 };
    with(0, |runtime| {
        let recorder = &mut runtime.recorder;
        if la == 0 || lb == 0 {
            return 0;
        }
        let (a, b) = (recorder.operand(la), recorder.operand(lb));
        if op == Op::Concat {
            let (high, low) = (recorder.width(la), recorder.width(lb));
            recorder.concat(a, high, b, low)
        } else {
            recorder.binary(op, width, a, b, result)
        }
    })
}

/// `trace::abi::CONSTANT`.
///
/// # Safety
/// `words` points to as many 64-bit words as `width` bits need.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_constant(width: u32, words: *const u64) -> Label {
    if !(1..=1024).contains(&width) {
        return 0;
    }
    with(0, |runtime| {
        // SAFETY: by the contract of this function.
        runtime.recorder.wide_constant(width, |index| unsafe { words.add(index as usize).read_unaligned() })
    })
}

/// `trace::abi::ITE`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_ite(
    width: u32,
    condition: Label,
    la: Label,
    lb: Label,
    va: u64,
    vb: u64,
    taken: u32,
) -> Label {
    with(0, |runtime| {
        let recorder = &mut runtime.recorder;
        recorder.check(condition, 0, u64::from(taken & 1));
        let (a, b) = (Operand { label: la, value: va }, Operand { label: lb, value: vb });
        recorder.ite(width, condition, a, b, taken & 1 != 0)
    })
}

/// `trace::abi::FSHL`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_fshl(
    width: u32,
    la: Label,
    lb: Label,
    amount: u64,
    va: u64,
    vb: u64,
    result: u64,
) -> Label {
    with(0, |runtime| {
        let recorder = &mut runtime.recorder;
        recorder.check(la, 0, va);
        recorder.check(lb, 0, vb);
        let (a, b) = (Operand { label: la, value: va }, Operand { label: lb, value: vb });
        recorder.funnel_shift(width, a, b, amount, result)
    })
}

/// `trace::abi::FLOAT`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_float(op: u32, site: u32, la: Label, lb: Label, va: u64, vb: u64, result: u64) -> Label {
    let Some((op, width)) = decode(op) else { return 0 };
    with(0, |runtime| {
        let recorder = &mut runtime.recorder;
        recorder.check(la, 0, va);
        recorder.check(lb, 0, vb);
        let (a, b) = (Operand { label: la, value: va }, Operand { label: lb, value: vb });
        recorder.float(op, width, a, b, result, place(site))
    })
}

/// `trace::abi::TO_INTEGER`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_to_integer(
    label: Label,
    site: u32,
    from: u32,
    to: u32,
    is_signed: u32,
    value: u64,
    result: u64,
) -> Label {
    with(0, |runtime| {
        let recorder = &mut runtime.recorder;
        recorder.check(label, 0, value);
        let shape = IntegerShape { from, to, is_signed: is_signed != 0 };
        recorder.float_to_integer(shape, Operand { label, value }, result, place(site))
    })
}

/// `trace::abi::LOAD`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_load(address: *const c_void, bytes: u64, value: u64, site: u32) -> Label {
    if is_plain(address as u64, bytes) {
        return 0;
    }
    with(0, |runtime| {
        runtime.touch(site, address as u64, bytes);
        runtime.recorder.load(address as u64, bytes as usize, value)
    })
}

/// `trace::abi::STORE`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_store(address: *mut c_void, bytes: u64, label: Label, value: u64, site: u32) {
    let address = address as u64;
    if label == 0 {
        if is_plain(address, bytes) {
            return;
        }
        touch(site, address, bytes);
        return shadow::clear(address, bytes);
    }
    let stored = with(false, |runtime| {
        runtime.touch(site, address, bytes);
        runtime.recorder.check(label, 0, value);
        runtime.recorder.store(address, bytes as usize, label);
        true
    });
    if !stored {
        shadow::clear(address, bytes);
    }
}

/// Enters the runtime only where an access says something about the size of a block.
#[inline(always)]
fn touch(site: u32, address: u64, bytes: u64) {
    if bytes > 0 && shadow::is_sized(address, bytes) {
        with((), |runtime| runtime.touch(site, address, bytes));
    }
}

/// Whether an access, at most of a word, goes to memory that nothing is known of: most do, and need nobody inside.
#[inline(always)]
fn is_plain(address: u64, bytes: u64) -> bool {
    (1..=8).contains(&bytes) && shadow::is_clean_word(address, bytes)
}

/// `trace::abi::TOUCH`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_touch(site: u32, address: *const c_void, bytes: u64) {
    touch(site, address as u64, bytes);
}

/// `trace::abi::READ`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_read(label: Label, site: u32, address: *const c_void, bytes: u64, value: u64) -> Label {
    if label == 0 && is_plain(address as u64, bytes) {
        return 0;
    }
    with(0, |runtime| runtime.read(label, place(site), address as u64, bytes as usize, value))
}

/// `trace::abi::WRITE`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_write(
    pointer: Label,
    site: u32,
    address: *mut c_void,
    bytes: u64,
    label: Label,
    value: u64,
) {
    if pointer | label == 0 {
        if is_plain(address as u64, bytes) {
            return;
        }
        touch(site, address as u64, bytes);
        return shadow::clear(address as u64, bytes);
    }
    let written = with(false, |runtime| {
        runtime.write(pointer, place(site), address as u64, bytes as usize, Operand { label, value });
        true
    });
    if !written {
        shadow::clear(address as u64, bytes);
    }
}

/// `trace::abi::MOVE`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_move(
    to_label: Label,
    from_label: Label,
    site: u32,
    to: *mut c_void,
    from: *const c_void,
    bytes: u64,
) {
    let (to, from) = (to as u64, from as u64);
    if to_label | from_label == 0 {
        touch(site, to, bytes);
        touch(site, from, bytes);
    }
    let moved = to_label | from_label != 0
        && with(false, |runtime| {
            let to = Address { label: to_label, value: to };
            runtime.move_block(to, Address { label: from_label, value: from }, place(site), bytes);
            true
        });
    if !moved {
        shadow::copy(to, from, bytes);
    }
}

/// `trace::abi::MEMMOVE`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_memmove(destination: *mut c_void, source: *const c_void, bytes: u64) {
    shadow::copy(destination as u64, source as u64, bytes);
}

/// `trace::abi::MEMSET`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_memset(destination: *mut c_void, label: Label, value: u32, bytes: u64) {
    let kept = label != 0
        && with(false, |runtime| {
            runtime.recorder.check(label, 0, u64::from(value));
            runtime.recorder.width(label) == 8
        });
    if kept {
        shadow::fill(destination as u64, label, bytes);
    } else {
        shadow::clear(destination as u64, bytes);
    }
}

/// `trace::abi::BRANCH`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_branch(label: Label, site: u32, taken: u32) {
    with((), |runtime| runtime.recorder.branch(label, place(site), taken & 1 != 0));
}

/// `trace::abi::LOOP`.
///
/// # Safety
/// `place` is 8 bytes in a frame of this thread's stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_loop(frame_place: *mut u64, site: u32, number: u32, condition: u32) {
    // SAFETY: by contract.
    with((), |runtime| unsafe { runtime.recorder.loop_condition(frame_place, place(site), number, condition) });
}

/// `trace::abi::LEAVE`.
///
/// # Safety
/// `place` is 8 bytes in a frame of this thread's stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_leave(frame_place: *mut u64) {
    // SAFETY: by contract.
    with((), |runtime| unsafe { runtime.recorder.leave_loop(frame_place) });
}

/// `trace::abi::CHECK`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_check(label: Label, site: u32, holds: u32, subject: Label) {
    with((), |runtime| runtime.recorder.condition(label, place(site), holds & 1 != 0, subject));
}

/// Where the program says that it never comes.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_unreachable(_check: u32) -> ! {
    // SAFETY: ends the process; the trace is complete up to here.
    unsafe { libc::abort() }
}

/// `trace::abi::SWITCH`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_switch(label: Label, site: u32, value: u64) {
    with((), |runtime| runtime.recorder.switch(label, place(site), value));
}

/// `trace::abi::AMOUNT`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_amount(label: Label, site: u32, width: u32, value: u64) {
    with((), |runtime| runtime.amount(label, place(site), width, value));
}

/// `trace::abi::PIN`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_pin(label: Label, site: u32, why: u32, value: u64) {
    with((), |runtime| match reason(why) {
        Reason::CallTarget => runtime.target(label, place(site), value),
        reason => runtime.recorder.pin(label, place(site), reason, value),
    });
}

/// `trace::abi::ADDRESS`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_address(label: Label, site: u32, address: *const c_void, bytes: u64, is_write: u32) {
    with((), |runtime| runtime.address(label, place(site), address as u64, bytes, is_write != 0));
}

/// `trace::abi::SIZE`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_size(label: Label, site: u32, use_code: u32, address: *const c_void, size: u64) {
    with((), |runtime| {
        let site = place(site);
        runtime.size(label, site, size_use(use_code), address as u64, size);
        runtime.recorder.pin(label, site, Reason::Size, size);
    });
}

/// `trace::abi::ARRAY`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_array(label: Label, site: u32, array: *const c_void, element: u64, count: u64) {
    with((), |runtime| runtime.array(Operand { label, value: count }, element, array as u64, site));
}

/// `trace::abi::LOSS`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_loss(site: u32, why: u32, bytes: u64) {
    with((), |runtime| runtime.loss(place(site), reason(why), bytes));
}

/// `trace::abi::EXPOSE`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_expose(site: u32, why: u32, address: *const c_void, bytes: u64) {
    with((), |runtime| runtime.expose(place(site), reason(why), address as u64, bytes));
}

/// `trace::abi::PRINTED`.
///
/// # Safety
/// `format` is a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_printed(site: u32, format: *const c_char) {
    if format.is_null() {
        return;
    }
    // SAFETY: by the contract of this function.
    let text = unsafe { CStr::from_ptr(format) }.to_bytes_with_nul();
    let depends = shadow::has_labels(format as u64, text.len() as u64);
    if depends || trace::directives::writes_memory(text) {
        with((), |runtime| runtime.loss(place(site), Reason::UnmodelledCall, 0));
    }
}

/// `trace::abi::READ_UNSEEN`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_read_unseen(site: u32) {
    with((), |runtime| {
        if runtime.inputs.has_files(&runtime.recorder) {
            runtime.loss(place(site), Reason::InputLost, 1);
        }
    });
}

/// `trace::abi::UNTAKEN`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_untaken(site: u32) {
    // SAFETY: the slots belong to this thread.
    let slots: &mut ThreadSlots = unsafe { &mut *thread::slots() };
    slots.argument_tag = 0;
    slots.result_tag = 0;
    with((), |runtime| runtime.loss(place(site), Reason::UnmodelledCall, 0));
}

/// `trace::abi::REPLACED`.
#[unsafe(no_mangle)]
pub extern "C" fn __provoke_replaced(is_replaced: u32) {
    let (from, to) =
        if is_replaced != 0 { (State::Running, State::Replaced) } else { (State::Replaced, State::Running) };
    start::change_state(from, to);
}

/// `trace::abi::GLOBALS`.
///
/// # Safety
/// `table` points to `count` entries that stay there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_globals(table: *const GlobalEntry, count: u64) {
    // SAFETY: by the contract of this function.
    with((), |runtime| unsafe { runtime.regions.add_globals(table, count as usize) });
}

#[cfg(test)]
mod tests {
    use trace::abi::ENTRIES;

    #[test]
    fn every_entry_point_is_defined() {
        let source = concat!(include_str!("entries.rs"), include_str!("variadic.rs"));
        for entry in ENTRIES {
            assert!(source.contains(&format!("fn {}(", entry.name)), "{} is missing", entry.name);
        }
    }
}
