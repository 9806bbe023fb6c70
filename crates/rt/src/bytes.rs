//! Values as bytes: what a store leaves in memory, and what a load makes of it.
//!
//! A store makes no nodes. What lies in the table of labels for a byte of memory is a [`ByteLabel`]: a node and which
//! of its bytes it is. A load of what was stored finds the very same node again, without a search; a load of a part makes an
//! extract, and a load across what several stores left looks at what those are put together from ([`Recorder::source`]).
//! Bytes that are constant (above a zero extension) have no label.

use trace::layout::{Counter, Label, NODES_CAPACITY};
use trace::op::Op;

use crate::build::{Operand, mask};
use crate::recorder::{Recorder, Shape, flag};
use crate::shadow;

/// The widest value that memory operations see, in bytes.
pub const LARGEST: usize = 128;

/// How far the value of a byte is looked for through nested nodes.
const VALUE_DEPTH: u32 = 16;

/// Labels end below this bit; above it a byte of memory says which byte of its node it is.
const INDEX_SHIFT: u32 = NODES_CAPACITY.trailing_zeros();
/// From one byte of a node to the next.
const NEXT_BYTE: u32 = 1 << INDEX_SHIFT;
/// Bytes of a node that can be told apart.
const INDICES: u32 = 1 << (32 - INDEX_SHIFT);

/// The label of a byte of memory, 0 where it is concrete: the lower bits name a node, the upper bits are the index of the
/// byte within it.
pub type ByteLabel = u32;

/// The node that a [`ByteLabel`] names, and which byte of it.
#[inline(always)]
fn decode(byte: ByteLabel) -> (Label, u32) {
    (byte & (NODES_CAPACITY - 1), byte >> INDEX_SHIFT)
}

/// Byte `index` of a node.
#[inline(always)]
fn encode(label: Label, index: u32) -> ByteLabel {
    label | index << INDEX_SHIFT
}

/// Whether some bytes of a node with this operator are constant on the face of it.
#[inline(always)]
fn may_have_constant_bytes(op: u8) -> bool {
    op == Op::Const as u8 || op == Op::Concat as u8 || op == Op::ZExt as u8
}

impl Recorder {
    /// Labels the `bytes` bytes at `address` with the bytes of `label`.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: usize, label: Label) {
        let node = self.node(label);
        if label == 0 || usize::from(node.width()) != bytes * 8 {
            // A label that does not fit its memory would be misread later.
            return shadow::clear(address, bytes as u64);
        }
        if self.loops.any() {
            self.note_moved(label);
        }
        if bytes <= 8 && !may_have_constant_bytes(node.op) {
            return shadow::set_run(address, encode(label, 0), NEXT_BYTE, bytes as u32);
        }
        let mut parts = [0; LARGEST];
        if let Some(parts) = parts.get_mut(..bytes) {
            self.split(label, parts);
            shadow::set(address, parts);
        }
    }

    /// Notes that a value was written to memory in a loop, and what it is put together from.
    fn note_moved(&mut self, label: Label) {
        let node = self.node(label);
        self.first_time(label, flag::MOVED);
        if crate::build::operator(node.op) == Some(Op::Bytes) {
            for byte in (0..node.imm() as u32).take(LARGEST) {
                self.first_time(node.a().saturating_add(byte), flag::MOVED);
            }
        }
    }

    /// The byte that a byte of memory is taken from, if its node only puts bytes together or cuts them out. So bytes that come from
    /// the same place are known as such, in whatever pieces they were stored.
    pub fn source(&self, byte: ByteLabel) -> ByteLabel {
        let (mut label, mut index) = decode(byte);
        loop {
            let node = self.node(label);
            let (older, place) = if node.op == Op::Bytes as u8 {
                (node.a().saturating_add(index), 0)
            } else if node.op == Op::Extract as u8 && is_cut_by_bytes(node.imm(), self.width(node.a())) {
                (node.a(), node.imm() as u32 / 8 + index)
            } else {
                return encode(label, index);
            };
            if older >= label {
                return encode(label, index);
            }
            (label, index) = (older, place);
        }
    }

    /// Fills in the labels of a node's bytes; `false` if it does not have as many.
    pub fn byte_labels(&mut self, label: Label, out: &mut [ByteLabel]) -> bool {
        let fits = self.width(label) as usize == out.len() * 8;
        if fits {
            self.split(label, out);
        }
        fits
    }

    /// Fills in the labels of a node's bytes; the node is `out.len()` bytes wide. The bytes of a node that only puts
    /// other nodes together are those of the other nodes, so that they are found again one by one.
    fn split(&mut self, label: Label, out: &mut [ByteLabel]) {
        let node = self.node(label);
        let inner = self.width(node.a());
        match crate::build::operator(node.op) {
            Some(Op::Const) => out.fill(0),
            Some(Op::Extract) if is_cut_by_bytes(node.imm(), inner) => {
                number(out, encode(node.a(), node.imm() as u32 / 8), NEXT_BYTE);
            }
            _ if out.len() == 1 => out.fill(label),
            Some(Op::Bytes) => number(out, node.a(), 1),
            Some(Op::ZExt) if inner < 8 => {
                let (low, zeros) = out.split_at_mut(1);
                low.fill(self.zero_extend(node.a(), 8));
                zeros.fill(0);
            }
            Some(Op::ZExt) if inner.is_multiple_of(8) => {
                let (low, zeros) = out.split_at_mut(inner as usize / 8);
                self.split(node.a(), low);
                zeros.fill(0);
            }
            Some(Op::Concat) => {
                let high_width = if node.a() == 0 { out.len() as u32 * 8 - self.width(node.b()) } else { inner };
                if !high_width.is_multiple_of(8) {
                    return self.split_plainly(label, out);
                }
                let (low, high) = out.split_at_mut(out.len() - high_width as usize / 8);
                for (half, part) in [(node.b(), low), (node.a(), high)] {
                    if half == 0 { part.fill(0) } else { self.split(half, part) }
                }
            }
            _ => self.split_plainly(label, out),
        }
    }

    fn split_plainly(&mut self, label: Label, out: &mut [ByteLabel]) {
        if out.len() as u32 <= INDICES {
            return number(out, encode(label, 0), NEXT_BYTE);
        }
        for (word, place) in out.chunks_mut(8).zip(0..) {
            let (low, width) = (place * 64, word.len() as u32 * 8);
            // Wide values are put together from smaller ones, whose values are known. Where they are not, a label
            // whose node has a made-up value would be worse than none.
            let piece = match self.wide_value(label, low, width) {
                Some(value) => self.extract(label, low, width, value),
                None => {
                    self.count(Counter::StaleLabels, word.len() as u64);
                    0
                }
            };
            if self.width(piece) == width { self.split(piece, word) } else { word.fill(0) }
        }
    }

    /// `width` bits of a node's value from bit `low` on, if they are known.
    fn wide_value(&self, label: Label, low: u32, width: u32) -> Option<u64> {
        let bytes = (0..width / 8).rev();
        bytes
            .into_iter()
            .try_fold(0, |value, index| Some(value << 8 | self.byte_value(label, low + index * 8, VALUE_DEPTH)?))
    }

    /// The eight bits of a node's value from `bit` on. A node keeps 64 bits; the others are looked for in what it was
    /// made of.
    fn byte_value(&self, label: Label, bit: u32, depth: u32) -> Option<u64> {
        let node = self.node(label);
        let width = u32::from(node.width());
        if depth == 0 {
            return None;
        }
        if width <= 64 || bit + 8 <= 64 {
            return Some(if bit >= 64 { 0 } else { node.value() >> bit & 0xff });
        }
        let depth = depth - 1;
        let inner = self.width(node.a());
        match crate::build::operator(node.op)? {
            Op::Bytes if bit.is_multiple_of(8) => self.byte_value(node.a() + bit / 8, 0, depth),
            Op::Extract => self.byte_value(node.a(), bit + node.imm() as u32, depth),
            Op::ZExt if bit >= inner => Some(0),
            Op::ZExt if bit + 8 <= inner => self.byte_value(node.a(), bit, depth),
            Op::SExt if bit + 8 <= inner => self.byte_value(node.a(), bit, depth),
            Op::SExt if bit >= inner && inner <= 64 => Some(self.sign_extended_value(node.a(), 64) >> 56),
            Op::Concat => {
                let low_width = if node.b() == 0 { width - inner } else { self.width(node.b()) };
                let (half, bit) = if bit + 8 <= low_width {
                    (node.b(), bit)
                } else if bit >= low_width {
                    (node.a(), bit - low_width)
                } else {
                    return None;
                };
                if half == 0 {
                    Some(if bit >= 64 { 0 } else { node.imm() >> bit & 0xff })
                } else {
                    self.byte_value(half, bit, depth)
                }
            }
            op @ (Op::And | Op::Or | Op::Xor) if node.a() != 0 && node.b() != 0 => {
                let (a, b) = (self.byte_value(node.a(), bit, depth)?, self.byte_value(node.b(), bit, depth)?);
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
        let label = match bytes {
            1 => self.load_byte(address, value),
            2 => self.load_array::<2>(address, value),
            4 => self.load_array::<4>(address, value),
            8 => self.load_array::<8>(address, value),
            0 => 0,
            _ => self.load_any(address, bytes, value),
        };
        self.expect_use(label);
        label
    }

    #[inline(always)]
    fn load_byte(&mut self, address: u64, value: u64) -> Label {
        let byte = shadow::label(address);
        let value = value & 0xff;
        if byte == 0 {
            return 0;
        }
        if !self.agrees(byte, value) {
            self.drop_stale(address);
            return 0;
        }
        self.run(byte, 1, value)
    }

    /// Whether a byte that was loaded is the one that its label says.
    #[inline(always)]
    fn agrees(&self, byte: ByteLabel, value: u64) -> bool {
        let (label, index) = decode(byte);
        let node = self.node(label);
        if index >= 8 {
            return self.agrees_beyond_word(label, index, value);
        }
        index * 8 < u32::from(node.width()) && node.value() >> (index * 8) & 0xff == value
    }

    /// The same for bytes that a node does not keep: where nobody knows them the program is right.
    #[cold]
    fn agrees_beyond_word(&self, label: Label, index: u32, value: u64) -> bool {
        index * 8 < self.width(label)
            && self.byte_value(label, index * 8, VALUE_DEPTH).is_none_or(|known| known == value)
    }

    #[cold]
    fn drop_stale(&mut self, address: u64) {
        shadow::clear(address, 1);
        self.count(Counter::StaleLabels, 1);
    }

    /// The label of what lies at a place that the program may access, and does not now. That can be left over from a frame that
    /// is gone, with other code's bytes over it: such labels mean nothing, and nothing is lost with them.
    pub fn look_at(&mut self, address: u64, bytes: usize, value: u64) -> Label {
        if shadow::is_clean(address, bytes as u64) {
            return 0;
        }
        for (at, byte) in (address..).zip(value.to_le_bytes()).take(bytes) {
            let label = shadow::label(at);
            if label != 0 && !self.agrees(label, byte.into()) {
                shadow::clear(at, 1);
            }
        }
        self.load(address, bytes, value)
    }

    /// Whether a node is one byte, of this value.
    #[inline(always)]
    fn is_byte(&self, label: Label, value: u8) -> bool {
        let node = self.node(label);
        node.width() == 8 && node.value() == u64::from(value)
    }

    #[inline(always)]
    fn load_array<const N: usize>(&mut self, address: u64, value: u64) -> Label {
        if shadow::is_clean_word(address, N as u64) {
            return 0;
        }
        let labels = shadow::labels::<N>(address);
        let value = value & mask(N as u32 * 8);
        let first = labels[0];
        let node = self.node(first);
        if usize::from(node.width()) == N * 8 && is_run(&labels, NEXT_BYTE) && node.value() == value {
            return first;
        }
        self.load_pieces::<N>(address, value)
    }

    /// A word that is not what was stored in one piece.
    #[inline(never)]
    fn load_pieces<const N: usize>(&mut self, address: u64, value: u64) -> Label {
        let labels = shadow::labels::<N>(address);
        if labels == [0; N] {
            return 0;
        }
        let first = labels[0];
        if first != 0 && first < NODES_CAPACITY {
            if self.node(first).op != Op::Extract as u8 && is_run(&labels, 1) {
                let bytes = value.to_le_bytes();
                if (first..).zip(bytes).take(N).all(|(label, byte)| self.is_byte(label, byte)) {
                    return self.byte_run(first, N as u32, value);
                }
            } else if value <= 0xff
                && self.is_byte(first, value as u8)
                && labels.iter().skip(1).all(|label| *label == 0)
            {
                // A byte that was stored as a wider number.
                return self.zero_extend(first, N as u32 * 8);
            }
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
        for (index, label) in labels.iter_mut().enumerate().filter(|(_, label)| **label != 0) {
            if self.agrees(*label, u64::from(contents[index])) {
                *label = self.source(*label);
            } else {
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
    fn join(&mut self, labels: &[ByteLabel], contents: &[u8]) -> Label {
        let mut whole = Operand::concrete(0);
        let mut done = 0;
        while let Some(&first) = labels.get(done) {
            let rest = labels.get(done..).unwrap_or_default();
            let step = match first {
                0 => 0,
                byte if self.width(decode(byte).0) == 8 => 1,
                _ => NEXT_BYTE,
            };
            let in_run = |(label, index): &(&ByteLabel, u32)| **label == first.wrapping_add(index * step);
            let is_alike = |label: ByteLabel| step != 1 || self.width(label) == 8;
            let length = rest.iter().zip(0..).take_while(|pair| in_run(pair) && is_alike(*pair.0)).count();
            // The bits of concrete pieces are in one word; a node's bytes end with it.
            let length = match step {
                0 => length.min(8),
                1 => length,
                _ => length.min((INDICES - decode(first).1) as usize),
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

    /// The node of `count` bytes whose labels go on from `first`; 0 for 0.
    #[inline(always)]
    fn run(&mut self, first: ByteLabel, count: u32, value: u64) -> Label {
        let (label, index) = decode(first);
        let width = self.width(label);
        if index == 0 && width == count * 8 {
            label
        } else if width == 8 {
            self.byte_run(label, count, value)
        } else if label == 0 {
            0
        } else {
            self.extract(label, index * 8, count * 8, value & mask(count * 8))
        }
    }

    /// The node of the byte-wide nodes `first`, `first + 1`, ….
    pub(crate) fn byte_run(&mut self, first: Label, count: u32, value: u64) -> Label {
        let shape = Shape { op: Op::Bytes, width: count * 8, a: first, b: 0, imm: u64::from(count) };
        self.node_of_shape(shape, value & mask(count * 8))
    }
}

/// Whether labels go on from the first one by `step`.
#[inline(always)]
fn is_run<const N: usize>(labels: &[ByteLabel; N], step: u32) -> bool {
    labels.iter().zip(0..).all(|(label, index)| *label == labels[0].wrapping_add(index * step))
}

/// Labels that go on from `first` by `step`.
fn number(out: &mut [ByteLabel], first: ByteLabel, step: u32) {
    for (byte, index) in out.iter_mut().zip(0..) {
        *byte = first.wrapping_add(index * step);
    }
}

/// Whether an extract from bit `low` on, of a node of `width` bits, consists of whole bytes that can be told apart.
fn is_cut_by_bytes(low: u64, width: u32) -> bool {
    low.is_multiple_of(8) && width.is_multiple_of(8) && width / 8 <= INDICES
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests;
