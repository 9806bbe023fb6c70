//! The labels that come with a call of a model, and those that go back.

use trace::abi::ThreadSlots;
use trace::layout::{Label, Reason, SizeUse};
use trace::op::Op;

use crate::build::Operand;
use crate::pointers::Allotment;
use crate::runtime::{Runtime, with};
use crate::{shadow, thread};

/// How many arguments the modelled functions have at most.
const LARGEST: usize = 6;

/// What a caller passed in the thread-local slots.
pub struct Arguments {
    labels: [Label; LARGEST],
    /// Site of the call.
    pub site: u32,
}

impl Arguments {
    /// Takes what was meant for `model`, the model's own address.
    #[inline(always)]
    pub fn take(model: usize) -> Arguments {
        // SAFETY: the slots belong to this thread.
        let slots: &mut ThreadSlots = unsafe { &mut *thread::slots() };
        let site = slots.call_site;
        if slots.argument_tag != model as u64 {
            return Arguments { labels: [0; LARGEST], site };
        }
        slots.argument_tag = 0;
        let mut labels = [0; LARGEST];
        labels.copy_from_slice(&slots.arguments[..LARGEST]);
        Arguments { labels, site }
    }

    /// The label of an argument.
    #[inline(always)]
    pub fn label(&self, index: usize) -> Label {
        self.labels.get(index).copied().unwrap_or(0)
    }

    /// Pins arguments that the model takes as concrete: index, value and reason.
    #[inline(always)]
    pub fn pin(&self, arguments: &[(usize, u64, Reason)]) {
        if self.labels != [0; LARGEST] {
            self.pin_slowly(arguments);
        }
    }

    /// A string of which the function reads at most `limit` bytes, by the index of the argument with its address, which is pinned. Its first
    /// byte is read at least, wherever the address leads.
    #[inline(always)]
    pub fn string(&self, pointer: (usize, u64), limit: u64) {
        self.memory(pointer, limit.min(1), false);
    }

    /// The same for so many bytes that are read or written, wherever the address leads.
    #[inline(always)]
    pub fn memory(&self, (index, address): (usize, u64), bytes: u64, is_write: bool) {
        let label = self.label(index);
        if label != 0 {
            with((), |runtime: &mut Runtime| runtime.address(label, self.site, address, bytes, is_write));
        }
    }

    #[cold]
    fn pin_slowly(&self, arguments: &[(usize, u64, Reason)]) {
        with((), |runtime: &mut Runtime| {
            for (index, value, reason) in arguments {
                runtime.recorder.pin(self.label(*index), self.site, *reason, *value);
            }
        });
    }
}

impl Arguments {
    /// A block of memory that the function reads or writes: `pointer` and `size` are the indices of the arguments that say
    /// where it is and how large, with their values. Both are pinned.
    #[inline(always)]
    pub fn block(&self, size_use: SizeUse, pointer: (usize, u64), size: (usize, u64)) {
        self.blocks(&[(size_use, pointer)], size);
    }

    /// The same for several blocks of one size.
    #[inline(always)]
    pub fn blocks(&self, blocks: &[(SizeUse, (usize, u64))], size: (usize, u64)) {
        if self.labels != [0; LARGEST] || blocks.iter().any(|(_, (_, address))| shadow::is_sized(*address, size.1)) {
            self.blocks_slowly(blocks, &[size], true);
        }
    }

    /// A block of so many elements of a size, which is their product as the library computes it: without looking for overflow.
    #[inline(always)]
    pub fn elements(&self, size_use: SizeUse, pointer: (usize, u64), sizes: [(usize, u64); 2]) {
        let bytes = sizes.iter().fold(1, |bytes: u64, (_, size)| bytes.wrapping_mul(*size));
        if self.labels != [0; LARGEST] || shadow::is_sized(pointer.1, bytes) {
            self.blocks_slowly(&[(size_use, pointer)], &sizes, true);
        }
    }

    /// The same for a block that the function is given and does not touch: there is nothing to be read, say. Nothing of it is
    /// pinned.
    #[inline(always)]
    pub fn untouched<const N: usize>(&self, size_use: SizeUse, pointer: (usize, u64), sizes: [(usize, u64); N]) {
        if self.labels != [0; LARGEST] {
            self.blocks_slowly(&[(size_use, pointer)], &sizes, false);
        }
    }

    /// The blocks have as many bytes as the product of the sizes.
    #[cold]
    fn blocks_slowly(&self, blocks: &[(SizeUse, (usize, u64))], sizes: &[(usize, u64)], are_touched: bool) {
        let site = self.site;
        with((), |runtime: &mut Runtime| {
            let product = sizes.iter().fold(Operand::concrete(1), |product, (index, value)| {
                let factor = Operand { label: self.label(*index), value: *value };
                let value = product.value.wrapping_mul(factor.value);
                Operand { label: runtime.recorder.binary(Op::Mul, 64, product, factor, value), value }
            });
            let Operand { label: size, value: bytes } = product;
            // What can be wrong with them is looked at before anything is pinned.
            for (size_use, (pointer, address)) in blocks {
                if size != 0 {
                    runtime.pin_origin(self.label(*pointer), site);
                    runtime.approach(self.label(*pointer), site, *address, *size_use == SizeUse::BlockWrite);
                }
                runtime.size(size, site, *size_use, *address, bytes);
            }
            if !are_touched {
                return;
            }
            // That so many bytes are there is asked for only where there cannot be another number of them.
            for (index, value) in sizes {
                runtime.recorder.pin(self.label(*index), site, Reason::Size, *value);
            }
            for (size_use, (pointer, address)) in blocks {
                let pointer = self.label(*pointer);
                runtime.address(pointer, site, *address, bytes, *size_use == SizeUse::BlockWrite);
                runtime.recorder.pin(pointer, site, Reason::ModelArgument, *address);
            }
        });
    }

    /// How much memory a new block gets: the indices of the arguments whose product is its size, with their values. They are
    /// pinned where the size cannot be followed.
    #[inline(always)]
    pub fn allotment<const N: usize>(&self, sizes: [(usize, u64); N]) -> Allotment {
        let concrete = Allotment::exactly(sizes.iter().fold(1, |total: u64, (_, size)| total.wrapping_mul(*size)));
        if self.labels == [0; LARGEST] { concrete } else { self.allotment_slowly(&sizes, concrete) }
    }

    #[cold]
    fn allotment_slowly(&self, sizes: &[(usize, u64)], concrete: Allotment) -> Allotment {
        with(concrete, |runtime: &mut Runtime| {
            for (index, size) in sizes {
                runtime.size(self.label(*index), self.site, SizeUse::Allocation, 0, *size);
            }
            let operand = |(index, value): &(usize, u64)| Operand { label: self.label(*index), value: *value };
            let product = match sizes {
                [size] => Some(operand(size)),
                [count, size] => runtime.block_product(operand(count), operand(size), self.site),
                _ => None,
            };
            let allotment = product.and_then(|product| runtime.allot(product, self.site));
            allotment.unwrap_or_else(|| {
                for (index, size) in sizes {
                    runtime.recorder.pin(self.label(*index), self.site, Reason::Size, *size);
                }
                concrete
            })
        })
    }
}

/// Gives the label of a result back to the caller of `model`.
#[inline(always)]
pub fn give(model: usize, label: Label) {
    if label != 0 {
        // SAFETY: the slots belong to this thread.
        let slots: &mut ThreadSlots = unsafe { &mut *thread::slots() };
        slots.results[0] = label;
        slots.result_tag = model as u64;
    }
}
