//! What is at an address that can be one of several: a tree of choices.

use trace::layout::Label;
use trace::op::Op;

use super::tables::Tables;
use crate::build::{Operand, mask};
use crate::recorder::Recorder;

/// An address with a label.
#[derive(Clone, Copy)]
pub struct Address {
    /// Its label.
    pub label: Label,
    /// What it was.
    pub value: u64,
}

impl Address {
    fn operand(self) -> Operand {
        Operand { label: self.label, value: self.value }
    }
}

impl Recorder {
    /// The one of `elements`, which have `width` bits, that lies at `address`; `places` says where they lie, in ascending
    /// order. Both lists are used up.
    pub fn element_at(
        &mut self,
        tables: &mut Tables,
        width: u32,
        address: Address,
        places: &mut [u64],
        elements: &mut [Operand],
    ) -> Operand {
        match spacing(places) {
            Some(step) if step.is_power_of_two() => {
                let first = places.first().copied().unwrap_or(0);
                self.element_by_number(tables, width, address, first, step.trailing_zeros(), elements)
            }
            _ => self.element_by_comparison(width, address, places, elements),
        }
    }

    /// Elements at equal distances, a power of two.
    fn element_by_number(
        &mut self,
        tables: &mut Tables,
        width: u32,
        address: Address,
        first: u64,
        lowest_bit: u32,
        elements: &mut [Operand],
    ) -> Operand {
        let offset = address.value.wrapping_sub(first);
        let distance = self.binary(Op::Sub, 64, address.operand(), Operand::concrete(first), offset);
        let last = elements.len().saturating_sub(1);
        let bits = usize::BITS - last.leading_zeros();
        let value = offset >> lowest_bit & mask(bits);
        let index = if bits == 0 { 0 } else { self.extract(distance, lowest_bit, bits, value) };
        let index = Operand { label: index, value };
        self.look_up(tables, width, index, first, elements)
            .unwrap_or_else(|| self.element_by_bits(width, index, elements))
    }

    /// Each bit of the index halves the elements.
    fn element_by_bits(&mut self, width: u32, index: Operand, elements: &mut [Operand]) -> Operand {
        let mut bit = 0;
        let mut count = elements.len();
        while count > 1 {
            let is_set = index.value >> bit & 1;
            let condition = self.extract(index.label, bit, 1, is_set);
            for pair in 0..count / 2 {
                let [low, high] = pair_at(elements, pair);
                let chosen = self.either(width, condition, is_set == 1, high, low);
                put(elements, pair, chosen);
            }
            count = halve(elements, count);
            bit += 1;
        }
        elements.first().copied().unwrap_or(Operand::concrete(0))
    }

    fn element_by_comparison(
        &mut self,
        width: u32,
        address: Address,
        places: &mut [u64],
        elements: &mut [Operand],
    ) -> Operand {
        let mut count = elements.len();
        while count > 1 {
            for pair in 0..count / 2 {
                let [low, high] = pair_at(elements, pair);
                let [start, middle] = pair_at(places, pair);
                let chosen = if low == high {
                    low
                } else {
                    let is_below = address.value < middle;
                    let middle = Operand::concrete(middle);
                    let condition = self.binary(Op::Ult, 64, address.operand(), middle, u64::from(is_below));
                    self.either(width, condition, is_below, low, high)
                };
                put(elements, pair, chosen);
                put(places, pair, start);
            }
            halve(places, count);
            count = halve(elements, count);
        }
        elements.first().copied().unwrap_or(Operand::concrete(0))
    }

    /// `a` if the condition, which was `taken`, holds, else `b`.
    pub fn either(&mut self, width: u32, condition: Label, taken: bool, a: Operand, b: Operand) -> Operand {
        let value = if taken { a.value } else { b.value };
        if a == b {
            return a;
        }
        Operand { label: self.ite(width, condition, a, b, taken), value }
    }
}

/// The distance between neighbours, if it is the same everywhere.
fn spacing(places: &[u64]) -> Option<u64> {
    let mut distances = places.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?));
    let first = distances.next()?;
    distances.all(|distance| distance == first).then_some(first)
}

fn pair_at<T: Copy + Default>(items: &[T], pair: usize) -> [T; 2] {
    [2 * pair, 2 * pair + 1].map(|index| items.get(index).copied().unwrap_or_default())
}

fn put<T>(items: &mut [T], index: usize, item: T) {
    if let Some(place) = items.get_mut(index) {
        *place = item;
    }
}

/// Pairs have become one item each; the last one of an odd number moves behind them.
fn halve<T: Copy>(items: &mut [T], count: usize) -> usize {
    if count % 2 == 1
        && let Some(last) = items.get(count - 1).copied()
    {
        put(items, count / 2, last);
    }
    count.div_ceil(2)
}
