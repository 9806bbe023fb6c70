//! Loads, stores and block operations.

use crate::cold::{Cold, Label};
use crate::plan::reads_variable_memory;
use crate::shape::{self, Leaf};
use llvm::Value;
use trace::abi;
use trace::layout::{Reason, SizeUse};
use trace::op::Op;
use trace::sites::SiteKind;

pub fn load(cold: &mut Cold, instruction: Value) {
    let pointer = instruction.operand(0);
    let bytes = cold.cx.module.store_size(instruction.ty());
    if let Some(labels) = followed_read(cold, instruction, pointer) {
        return cold.set(instruction, labels);
    }
    access(cold, instruction, pointer, bytes, false);
    if !reads_variable_memory(instruction) {
        return;
    }
    let leaves = cold.plan.leaves(instruction);
    let (has_some, has_all) = (!leaves.is_empty(), leaves.iter().all(|leaf| leaf.offset.is_some()));
    if has_some {
        // That there was an access at all can matter, whatever becomes of the value.
        cold.notes();
        let labels = read(cold, instruction, pointer);
        cold.set(instruction, labels);
        if has_all {
            return;
        }
    }
    // No labels for such a value.
    let reason = if shape::is_float(instruction.ty()) { Reason::Float } else { Reason::Representation };
    let site = cold.site(instruction, SiteKind::Access);
    let (reason, address, bytes) = (cold.cx.label(reason as u32), cold.concrete(pointer), cold.number(bytes));
    cold.act(abi::TOUCH, &[site, address, bytes]);
    cold.act(abi::EXPOSE, &[site, reason, address, bytes]);
}

/// The labels of what was loaded through an address that may have a label, where the runtime can look at all that the
/// address may refer to.
fn followed_read(cold: &mut Cold, instruction: Value, pointer: Value) -> Option<Vec<Label>> {
    let words = words(cold.plan.leaves(instruction))?;
    let label = cold.label(pointer)?;
    if !cold.plan.is_settled(instruction) {
        return None;
    }
    let base = cold.concrete(pointer);
    let site = cold.site(instruction, SiteKind::Access);
    cold.notes();
    let mut labels = Vec::new();
    for (index, (offset, bytes)) in words.into_iter().enumerate() {
        let (at, address) = moved(cold, label, base, offset);
        let scalar = cold.leaf(instruction, index);
        let arguments = [at, site, address, cold.number(bytes), cold.word(scalar)];
        labels.push(Some(if reads_variable_memory(instruction) {
            cold.build(abi::READ, &arguments)
        } else {
            cold.when(label, |cold| cold.build(abi::READ, &arguments))
        }));
    }
    Some(labels)
}

/// Vectors of more scalars than this are not looked at one by one.
const MOST_WORDS: usize = 8;

/// Offsets and sizes of the scalars of a value, if they are of whole bytes and no larger than a word.
fn words(leaves: &[Leaf]) -> Option<Vec<(u64, u64)>> {
    let word = |leaf: &Leaf| {
        let is_word = leaf.width <= 64 && leaf.width.is_multiple_of(8);
        leaf.offset.filter(|_| is_word).map(|offset| (offset, u64::from(leaf.width / 8)))
    };
    let words: Option<Vec<(u64, u64)>> = leaves.iter().map(word).collect();
    words.filter(|words| (1..=MOST_WORDS).contains(&words.len()))
}

/// Label and value of an address and an offset.
fn moved(cold: &mut Cold, label: Value, base: Value, offset: u64) -> (Value, Value) {
    if offset == 0 {
        return (label, base);
    }
    let address = cold.values().offset(cold.cx.module, base, offset);
    let constant = cold.number(offset);
    let moved = cold.binary(Op::Add, 64, (Some(label), base), (None, constant), address);
    (cold.plain(moved), address)
}

pub fn store(cold: &mut Cold, instruction: Value) {
    let (value, pointer) = (instruction.operand(0), instruction.operand(1));
    let bytes = cold.cx.module.store_size(value.ty());
    let labels = cold.labels(value);
    let words = words(&shape::leaves(cold.cx.module, value.ty()));
    if let (true, Some(words), Some(label)) = (cold.is_before(instruction), words, cold.label(pointer)) {
        return followed_write(cold, instruction, (label, &labels), &words);
    }
    access(cold, instruction, pointer, bytes, true);
    write(cold, value, pointer, &labels, instruction);
}

/// Labels memory that is about to be written through an address that may have a label.
fn followed_write(cold: &mut Cold, instruction: Value, (label, labels): (Value, &[Label]), words: &[(u64, u64)]) {
    let [value, base] = [instruction.operand(0), instruction.operand(1)].map(|operand| cold.concrete(operand));
    let site = cold.site(instruction, SiteKind::Access);
    let leaves = shape::leaves(cold.cx.module, value.ty());
    for (((offset, bytes), leaf), written) in words.iter().zip(&leaves).zip(labels) {
        let (at, address) = moved(cold, label, base, *offset);
        let scalar = cold.descend(value, &leaf.path);
        let (size, word, written) = (cold.number(*bytes), cold.word(scalar), cold.plain(*written));
        cold.act(abi::WRITE, &[at, site, address, size, written, word]);
        if words.len() > 1 {
            // The next word may go to the same places, and the runtime looks at what is there.
            cold.store_early(scalar, address);
        }
    }
}

/// Says that memory is accessed through a labelled address, where it is.
pub fn access(cold: &mut Cold, at: Value, pointer: Value, bytes: u64, is_write: bool) {
    let Some(label) = cold.label(pointer) else { return };
    let address = cold.concrete(pointer);
    let site = cold.site(at, SiteKind::Access);
    let (bytes, is_write) = (cold.number(bytes), cold.cx.label(u32::from(is_write)));
    cold.act_when(label, |c| c.act(abi::ADDRESS, &[label, site, address, bytes, is_write]));
}

/// The labels of what was loaded.
pub fn read(cold: &mut Cold, loaded: Value, pointer: Value) -> Vec<Label> {
    let base = cold.concrete(pointer);
    let site = cold.site(loaded, SiteKind::Access);
    let leaves = cold.plan.leaves(loaded).to_vec();
    let mut labels = Vec::new();
    for (i, leaf) in leaves.iter().enumerate() {
        let Some(offset) = leaf.offset else {
            labels.push(None);
            continue;
        };
        let scalar = cold.leaf(loaded, i);
        let address = cold.values().offset(cold.cx.module, base, offset);
        let bytes = leaf.width.div_ceil(8);
        let label = if bytes <= 8 {
            let (word, size) = (cold.word(scalar), cold.number(u64::from(bytes)));
            cold.build(abi::LOAD, &[address, size, word, site])
        } else {
            read_wide(cold, address, bytes, scalar, site)
        };
        // An odd width occupies whole bytes in memory.
        let exact = bytes * 8 == leaf.width;
        labels.push(if exact {
            Some(label)
        } else {
            cold.unary(Op::Extract, leaf.width, Some(label), 0, scalar, scalar)
        });
    }
    labels
}

/// The label of a scalar of more than 64 bits: word by word, because the memory that it was loaded from may have been
/// overwritten since, and only words are handed to the runtime.
fn read_wide(cold: &mut Cold, address: Value, bytes: u32, scalar: Value, site: Value) -> Value {
    let whole = cold.integer(scalar);
    let whole = cold.values().resize(whole, cold.cx.module.int(8 * bytes));
    let mut words = Vec::new();
    for first in (0..bytes).step_by(8) {
        let size = (bytes - first).min(8);
        let shift = whole.ty().constant(u64::from(8 * first));
        let shifted = cold.values().lshr(whole, shift);
        let value = cold.values().resize(shifted, cold.cx.module.int(8 * size));
        let word = cold.word(value);
        let at = cold.values().offset(cold.cx.module, address, u64::from(first));
        let size = cold.number(u64::from(size));
        words.push((Some(cold.build(abi::LOAD, &[at, size, word, site])), value));
    }
    let labels: Vec<Label> = words.iter().map(|(label, _)| *label).collect();
    let any = cold.any(&labels).unwrap_or_else(|| cold.cx.label(0));
    let low = cold.word(whole);
    cold.when(any, |cold| {
        let mut width = 0;
        let mut glued = None;
        for (label, value) in words {
            let label = cold.labelled(label, value);
            width += value.ty().int_width();
            let code = cold.coded(Op::Concat, width);
            glued = Some(match glued {
                None => label,
                Some(lower) => cold.build(abi::WIDE_BINARY, &[code, label, lower, low]),
            });
        }
        cold.plain(glued)
    })
}

/// Labels the memory that a value is stored to, or clears it.
pub fn write(cold: &mut Cold, value: Value, pointer: Value, labels: &[Label], at: Value) {
    let base = cold.concrete(pointer);
    let leaves = shape::leaves(cold.cx.module, value.ty());
    if leaves.is_empty() || leaves.iter().any(|l| l.offset.is_none()) {
        // No labels for such a value: what was there before is gone.
        for (i, label) in labels.iter().enumerate() {
            if label.is_some() {
                let leaf = cold.leaf(value, i);
                cold.pin(*label, leaf, at, Reason::Representation);
            }
        }
        let bytes = cold.number(cold.cx.module.store_size(value.ty()));
        let (zero, site) = (cold.cx.label(0), cold.site(at, SiteKind::Access));
        cold.act(abi::TOUCH, &[site, base, bytes]);
        cold.act(abi::MEMSET, &[base, zero, zero, bytes]);
        return;
    }
    let whole = cold.concrete(value);
    let site = cold.site(at, SiteKind::Access);
    for (Leaf { path, width, offset }, label) in leaves.into_iter().zip(labels) {
        let address = cold.values().offset(cold.cx.module, base, offset.unwrap_or(0));
        let scalar = cold.descend(whole, &path);
        let bytes = width.div_ceil(8);
        let mut label = *label;
        if bytes * 8 != width {
            label = cold.unary(Op::ZExt, bytes * 8, label, 0, scalar, scalar);
        }
        let (label, word, size) = (cold.plain(label), cold.word(scalar), cold.number(u64::from(bytes)));
        cold.act(abi::STORE, &[address, size, label, word, site]);
    }
}

/// A block operation that is small enough to be part of its segment.
pub fn block_operation(cold: &mut Cold, call: Value, name: &str) {
    if cold.is_before(call) && !name.starts_with("llvm.memset") && followed_move(cold, call) {
        return;
    }
    operands_of_block_operation(cold, call, name);
    let operands = [call.operand(0), call.operand(1), call.operand(2)].map(|o| cold.concrete(o));
    let size = cold.word(operands[2]);
    let site = cold.site(call, SiteKind::Access);
    cold.act(abi::TOUCH, &[site, operands[0], size]);
    if name.starts_with("llvm.memset") {
        let label = cold.label(call.operand(1));
        let (label, byte) = (cold.plain(label), cold.values().resize(operands[1], cold.cx.i32));
        cold.act(abi::MEMSET, &[operands[0], label, byte, size]);
    } else {
        cold.act(abi::TOUCH, &[site, operands[1], size]);
        cold.act(abi::MEMMOVE, &[operands[0], operands[1], size]);
    }
}

/// Moves the labels of a block between addresses that may have labels; `false` if they have none.
fn followed_move(cold: &mut Cold, call: Value) -> bool {
    let labels = [call.operand(0), call.operand(1)].map(|pointer| cold.label(pointer));
    if labels == [None, None] {
        return false;
    }
    let [to_label, from_label] = labels.map(|label| cold.plain(label));
    let [to, from, size] = [call.operand(0), call.operand(1), call.operand(2)].map(|operand| cold.concrete(operand));
    let (site, size) = (cold.site(call, SiteKind::Access), cold.word(size));
    cold.act(abi::MOVE, &[to_label, from_label, site, to, from, size]);
    true
}

/// What is lost where addresses or the size of a block operation have labels.
pub fn operands_of_block_operation(cold: &mut Cold, call: Value, name: &str) {
    let bytes = call.operand(2).as_constant().unwrap_or(0);
    access(cold, call, call.operand(0), bytes, true);
    size(cold, call, name, SizeUse::BlockWrite, call.operand(0));
    if !name.starts_with("llvm.memset") {
        access(cold, call, call.operand(1), bytes, false);
        size(cold, call, name, SizeUse::BlockRead, call.operand(1));
    }
}

/// Says that a block of memory has a size with a label, where it has.
fn size(cold: &mut Cold, call: Value, name: &str, size_use: SizeUse, pointer: Value) {
    let Some(label) = cold.label(call.operand(2)) else { return };
    // `llvm.memcpy.p0.p0.i64` is what a call of memcpy has become.
    let function = name.split('.').nth(1).unwrap_or_default().to_owned();
    let site = cold.site(call, SiteKind::Call(function));
    let (address, bytes) = (cold.concrete(pointer), cold.concrete(call.operand(2)));
    let (bytes, size_use) = (cold.word(bytes), cold.cx.i32.constant(size_use as u64));
    cold.act_when(label, |c| c.act(abi::SIZE, &[label, site, size_use, address, bytes]));
}

/// The size of a variable-length array.
pub fn variable_array(cold: &mut Cold, alloca: Value) {
    let elements = alloca.operand(0);
    let Some(label) = cold.label(elements) else { return };
    let site = cold.site(alloca, SiteKind::Other);
    let count = cold.concrete(elements);
    let count = cold.word(count);
    let element = cold.number(cold.cx.module.alloc_size(alloca.allocated_type()));
    let array = cold.concrete(alloca);
    cold.act_when(label, |c| c.act(abi::ARRAY, &[label, site, array, element, count]));
}
