//! Values as bytes: what a store leaves in memory, and what a load makes of it.
//!
//! The bytes of a node are consecutive nodes, made once ([`trace::layout::Node::bytes`]), so that a load of what was
//! stored finds the very same node again. Bytes that are constant (above a zero extension) have no label.

use trace::layout::{Counter, Label, Node};
use trace::op::Op;

use crate::build::{Operand, mask};
use crate::recorder::{Recorder, Shape, flag};
use crate::shadow;

/// The widest value that memory operations see, in bytes.
pub const LARGEST: usize = 128;

/// How far the value of a byte is looked for through nested nodes.
const VALUE_DEPTH: u32 = 16;

impl Recorder {
    /// Labels the `bytes` bytes at `address` with the bytes of `label`.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: usize, label: Label) {
        let node = *self.node(label);
        if label == 0 || usize::from(node.width) != bytes * 8 {
            // A label that does not fit its memory would be misread later.
            return shadow::clear(address, bytes as u64);
        }
        if bytes == 1 {
            return shadow::set_run(address, label, 1);
        }
        if node.bytes != 0 {
            return shadow::set_run(address, node.bytes, bytes as u32);
        }
        let mut parts = [0; LARGEST];
        if let Some(parts) = parts.get_mut(..bytes) {
            self.split(label, parts);
            shadow::set(address, parts);
        }
    }

    /// Fills in the labels of a node's bytes; `false` if it does not have as many.
    pub fn byte_labels(&mut self, label: Label, out: &mut [Label]) -> bool {
        let fits = self.width(label) as usize == out.len() * 8;
        if fits {
            self.split(label, out);
        }
        fits
    }

    /// Fills in the labels of a node's bytes; the node is `out.len()` bytes wide.
    fn split(&mut self, label: Label, out: &mut [Label]) {
        let node = *self.node(label);
        match crate::build::operator(node.op) {
            Some(Op::Const) => out.fill(0),
            _ if out.len() == 1 => out.fill(label),
            Some(Op::Bytes) => {
                for (part, index) in out.iter_mut().zip(0..) {
                    *part = node.a + index;
                }
            }
            Some(Op::Extract) if node.imm.is_multiple_of(8) && self.node(node.a).bytes != 0 => {
                let first = self.node(node.a).bytes + node.imm as Label / 8;
                for (part, index) in out.iter_mut().zip(0..) {
                    *part = first + index;
                }
            }
            Some(Op::ZExt) if self.width(node.a) < 8 => {
                let (low, zeros) = out.split_at_mut(1);
                low.fill(self.zero_extend(node.a, 8));
                zeros.fill(0);
            }
            Some(Op::ZExt) if self.width(node.a).is_multiple_of(8) => {
                let (low, zeros) = out.split_at_mut(self.width(node.a) as usize / 8);
                self.split(node.a, low);
                zeros.fill(0);
            }
            Some(Op::Concat) => {
                let high_width =
                    if node.a == 0 { out.len() as u32 * 8 - self.width(node.b) } else { self.width(node.a) };
                if !high_width.is_multiple_of(8) {
                    return self.split_plainly(label, out);
                }
                let (low, high) = out.split_at_mut(out.len() - high_width as usize / 8);
                for (half, part) in [(node.b, low), (node.a, high)] {
                    if half == 0 { part.fill(0) } else { self.split(half, part) }
                }
            }
            _ => self.split_plainly(label, out),
        }
    }

    fn split_plainly(&mut self, label: Label, out: &mut [Label]) {
        let first = self.bytes_of(label, out.len() as u32);
        for (part, index) in out.iter_mut().zip(0..) {
            *part = if first == 0 { 0 } else { first + index };
        }
    }

    /// The first of the consecutive nodes that are the bytes of `label`, made if they are not there yet.
    fn bytes_of(&mut self, label: Label, count: u32) -> Label {
        let known = self.node(label).bytes;
        if known != 0 || !self.has_room_for(count) {
            return known;
        }
        let first = self.node_count();
        let node = *self.node(label);
        for index in 0..count {
            let value = if node.width <= 64 && node.flags & flag::UNKNOWN == 0 {
                Some(node.value >> (index * 8) & 0xff)
            } else {
                self.byte_value(label, index * 8, VALUE_DEPTH)
            };
            self.append(Node {
                op: Op::Extract as u8,
                flags: if value.is_none() { flag::UNKNOWN } else { 0 },
                width: 8,
                a: label,
                b: 0,
                bytes: 0,
                imm: u64::from(index) * 8,
                value: value.unwrap_or(0),
            });
        }
        self.node_mut(label).bytes = first;
        first
    }

    /// The eight bits of a node's value from `bit` on. A node keeps 64 bits; the others are looked for in what it was
    /// made of.
    fn byte_value(&self, label: Label, bit: u32, depth: u32) -> Option<u64> {
        let node = self.node(label);
        let width = u32::from(node.width);
        if node.flags & flag::UNKNOWN != 0 || depth == 0 {
            return None;
        }
        if width <= 64 || bit + 8 <= 64 {
            return Some(if bit >= 64 { 0 } else { node.value >> bit & 0xff });
        }
        let depth = depth - 1;
        let inner = self.width(node.a);
        match crate::build::operator(node.op)? {
            Op::Bytes if bit.is_multiple_of(8) => self.byte_value(node.a + bit / 8, 0, depth),
            Op::Extract => self.byte_value(node.a, bit + node.imm as u32, depth),
            Op::ZExt if bit >= inner => Some(0),
            Op::ZExt if bit + 8 <= inner => self.byte_value(node.a, bit, depth),
            Op::SExt if bit + 8 <= inner => self.byte_value(node.a, bit, depth),
            Op::SExt if bit >= inner && inner <= 64 => Some(self.sign_extended_value(node.a, 64) >> 56),
            Op::Concat => {
                let low_width = if node.b == 0 { width - inner } else { self.width(node.b) };
                let (half, bit) = if bit + 8 <= low_width {
                    (node.b, bit)
                } else if bit >= low_width {
                    (node.a, bit - low_width)
                } else {
                    return None;
                };
                if half == 0 {
                    Some(if bit >= 64 { 0 } else { node.imm >> bit & 0xff })
                } else {
                    self.byte_value(half, bit, depth)
                }
            }
            op @ (Op::And | Op::Or | Op::Xor) if node.a != 0 && node.b != 0 => {
                let (a, b) = (self.byte_value(node.a, bit, depth)?, self.byte_value(node.b, bit, depth)?);
                Some(match op {
                    Op::And => a & b,
                    Op::Or => a | b,
                    _ => a ^ b,
                })
            }
            _ => None,
        }
    }

    /// The label of the value of `bytes` bytes at `address`, of which `value` was loaded.
    #[inline]
    pub fn load(&mut self, address: u64, bytes: usize, value: u64) -> Label {
        match bytes {
            1 => self.load_byte(address, value),
            2 => self.load_array::<2>(address, value),
            4 => self.load_array::<4>(address, value),
            8 => self.load_array::<8>(address, value),
            0 => 0,
            _ => self.load_any(address, bytes, value),
        }
    }

    #[inline(always)]
    fn load_byte(&mut self, address: u64, value: u64) -> Label {
        let label = shadow::label(address);
        if label == 0 || self.agrees(label, value & 0xff) {
            return label;
        }
        self.drop_stale(address);
        0
    }

    /// Whether a byte's node has the value that was loaded.
    #[inline(always)]
    fn agrees(&mut self, label: Label, byte: u64) -> bool {
        let node = self.node(label);
        if node.value == byte && node.width == 8 && node.flags & flag::UNKNOWN == 0 {
            return true;
        }
        node.width == 8 && self.learn(label, byte)
    }

    /// Takes the loaded byte for the value of a node whose value the program had not shown yet.
    #[cold]
    fn learn(&mut self, label: Label, byte: u64) -> bool {
        let node = self.node_mut(label);
        let unknown = node.flags & flag::UNKNOWN != 0;
        if unknown {
            node.value = byte;
            node.flags &= !flag::UNKNOWN;
        }
        unknown
    }

    #[cold]
    fn drop_stale(&mut self, address: u64) {
        shadow::clear(address, 1);
        self.count(Counter::StaleLabels, 1);
    }

    #[inline(always)]
    fn load_array<const N: usize>(&mut self, address: u64, value: u64) -> Label {
        if shadow::is_clean(address, N as u64) {
            return 0;
        }
        let labels = shadow::labels::<N>(address);
        if labels == [0; N] {
            return 0;
        }
        let first = labels[0];
        let is_run = first != 0 && labels.iter().zip(0..).all(|(label, index)| *label == first.wrapping_add(index));
        let value = value & mask(N as u32 * 8);
        if is_run {
            let node = *self.node(first);
            let whole = *self.node(node.a);
            let is_whole = node.op == Op::Extract as u8
                && node.imm == 0
                && whole.bytes == first
                && usize::from(whole.width) == N * 8;
            if is_whole && whole.value == value {
                return node.a;
            }
            if (first..).zip(value.to_le_bytes()).take(N).all(|(label, byte)| self.agrees(label, u64::from(byte))) {
                return self.byte_run(first, N as u32, value);
            }
        } else if value <= 0xff && labels.iter().skip(1).all(|label| *label == 0) && self.agrees(first, value) {
            // A byte that was stored as a wider number.
            return self.zero_extend(first, N as u32 * 8);
        }
        self.load_any(address, N, value)
    }

    #[inline(never)]
    fn load_any(&mut self, address: u64, bytes: usize, value: u64) -> Label {
        let mut labels = [0; LARGEST];
        let Some(labels) = labels.get_mut(..bytes) else { return 0 };
        if shadow::is_clean(address, bytes as u64) {
            return 0;
        }
        shadow::copy_labels(address, labels);
        let mut contents = [0u8; LARGEST];
        if bytes <= 8 {
            contents[..8].copy_from_slice(&value.to_le_bytes());
        } else {
            // SAFETY: the program loads these very bytes.
            unsafe { core::ptr::copy_nonoverlapping(address as *const u8, contents.as_mut_ptr(), bytes) };
        }
        for (index, label) in labels.iter_mut().enumerate() {
            if *label != 0 && !self.agrees(*label, u64::from(contents[index])) {
                self.drop_stale(address + index as u64);
                *label = 0;
            }
        }
        if labels.iter().all(|label| *label == 0) {
            return 0;
        }
        self.join(labels, &contents[..bytes])
    }

    /// The node of consecutive bytes, least significant first; concrete ones have label 0 and are in `contents`.
    fn join(&mut self, labels: &[Label], contents: &[u8]) -> Label {
        let mut whole = Operand::concrete(0);
        let mut done = 0;
        while let Some(&first) = labels.get(done) {
            let rest = labels.get(done..).unwrap_or_default();
            let length = if first == 0 {
                rest.iter().take_while(|label| **label == 0).count().min(8)
            } else {
                rest.iter().zip(first..).take_while(|(label, next)| **label == *next).count()
            };
            let value = little_endian(contents.get(done..done + length).unwrap_or_default());
            let piece = Operand { label: self.run(first, length as u32, value), value };
            whole = self.append_piece(whole, done as u32 * 8, piece, length as u32 * 8);
            done += length;
        }
        whole.label
    }

    /// `piece` above `whole`, which has `width` bits so far.
    fn append_piece(&mut self, mut whole: Operand, width: u32, piece: Operand, piece_width: u32) -> Operand {
        if width == 0 {
            return piece;
        }
        if whole.label | piece.label == 0 {
            // A node has at most one concrete operand.
            whole.label = self.constant(width, whole.value);
        }
        let label = self.concat(piece, piece_width, whole, width);
        self.operand(label)
    }

    /// The node of `count` consecutive labels from `first` on; 0 for 0.
    fn run(&mut self, first: Label, count: u32, value: u64) -> Label {
        if first == 0 || count == 1 { first } else { self.byte_run(first, count, value) }
    }

    /// The node of the byte nodes `first`, `first + 1`, …: the one whose bytes they are, or a new one.
    pub(crate) fn byte_run(&mut self, first: Label, count: u32, value: u64) -> Label {
        let node = *self.node(first);
        let value = value & mask(count * 8);
        if node.op == Op::Extract as u8 {
            let parent = *self.node(node.a);
            let index = first.wrapping_sub(parent.bytes);
            let in_parent = u32::from(parent.width) / 8;
            if parent.bytes != 0 && index < in_parent && index + count <= in_parent {
                if count == in_parent {
                    return node.a;
                }
                let shape = Shape { op: Op::Extract, width: count * 8, a: node.a, b: 0, imm: node.imm };
                return self.node_of_shape(shape, value);
            }
        } else {
            // A byte that is no extract keeps the last run that began with it where wider nodes keep their bytes.
            let last = *self.node(node.bytes);
            if last.op == Op::Bytes as u8 && last.a == first && last.imm == u64::from(count) {
                return node.bytes;
            }
        }
        let shape = Shape { op: Op::Bytes, width: count * 8, a: first, b: 0, imm: u64::from(count) };
        let label = self.node_of_shape(shape, value);
        if node.op != Op::Extract as u8 {
            self.node_mut(first).bytes = label;
        }
        label
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests;
