//! What is at an address that can be one of several: a tree of choices.

use trace::layout::Label;
use trace::op::Op;

use super::arms::Arms;
use super::tables::Tables;
use crate::build::{Operand, mask};
use crate::recorder::Recorder;

/// Elements of the smallest table that is written as a sum.
const SMALLEST_SUM: usize = 8;

/// An address with a label.
#[derive(Clone, Copy)]
pub struct Address {
    /// Its label.
    pub label: Label,
    /// What it was.
    pub value: u64,
}

impl Address {
    /// The same as an operand.
    pub fn operand(self) -> Operand {
        Operand { label: self.label, value: self.value }
    }
}

impl Recorder {
    /// The one of `elements`, which have `width` bits, that lies at `address`; `places` says where they lie, in ascending
    /// order. Both lists are used up.
    pub fn element_at(
        &mut self,
        (arms, tables): (&mut Arms, &mut Tables),
        width: u32,
        address: Address,
        places: &mut [u64],
        elements: &mut [Operand],
    ) -> Operand {
        if let Some(chosen) = self.element_by_arms(arms, width, address, places, elements) {
            return chosen;
        }
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
        let index = self.index_in(address, first, lowest_bit, elements.len());
        if is_affine(elements) {
            tables.add_affine(width, first, elements.len());
            let value = |index: usize| elements.get(index).map_or(0, |element| element.value);
            return self.sum_of_bits(width, index, elements.len(), value);
        }
        self.look_up(tables, width, index, first, elements)
            .unwrap_or_else(|| self.element_by_bits(width, index, elements))
    }

    /// The number of the element at an address, of just the bits that are needed.
    pub fn index_in(&mut self, address: Address, first: u64, lowest_bit: u32, count: usize) -> Operand {
        let offset = address.value.wrapping_sub(first);
        let distance = self.binary(Op::Sub, 64, address.operand(), Operand::concrete(first), offset);
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        let value = offset >> lowest_bit & mask(bits);
        let label = if bits == 0 { 0 } else { self.extract(distance, lowest_bit, bits, value) };
        Operand { label, value }
    }

    /// Each bit of the index halves the elements.
    pub fn element_by_bits(&mut self, width: u32, index: Operand, elements: &mut [Operand]) -> Operand {
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

    /// An element of an affine table: what each bit of the index adds to the first one.
    pub fn sum_of_bits(&mut self, width: u32, index: Operand, count: usize, value: impl Fn(usize) -> u64) -> Operand {
        let first = value(0);
        let mut sum = Operand::concrete(first);
        for bit in 0..count.ilog2() {
            let is_set = index.value >> bit & 1;
            let (condition, added) = (self.extract(index.label, bit, 1, is_set), value(1 << bit) ^ first);
            let term = self.either(width, condition, is_set == 1, Operand::concrete(added), Operand::concrete(0));
            let value = sum.value ^ term.value;
            sum = Operand { label: self.binary(Op::Xor, width, sum, term, value), value };
        }
        sum
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

/// Whether the elements are concrete, as many as an index of some bits can tell apart, and each bit of the index changes
/// the same bits of all of them. Tables of checksums are like that, and a sum says it with a node or two for each bit.
fn is_affine(elements: &[Operand]) -> bool {
    let value = |index: usize| elements.get(index).map_or(0, |element| element.value);
    elements.len() >= SMALLEST_SUM
        && elements.len().is_power_of_two()
        && elements.iter().enumerate().all(|(index, element)| {
            let without = index & index.wrapping_sub(1);
            element.label == 0 && element.value == value(without) ^ value(index ^ without) ^ value(0)
        })
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trace::layout::Node;

    use super::*;
    use crate::build::tests::evaluate;
    use crate::testing;

    fn elements(values: impl Iterator<Item = u64>) -> Vec<Operand> {
        values.map(Operand::concrete).collect()
    }

    /// The table of the checksum of Ethernet, gzip and PNG.
    fn checksums() -> impl Iterator<Item = u64> {
        (0..256u64).map(|byte| (0..8).fold(byte, |rest, _| rest >> 1 ^ if rest & 1 == 1 { 0xedb8_8320 } else { 0 }))
    }

    #[test]
    fn tables_of_checksums_are_affine() {
        assert!(is_affine(&elements(checksums())));
        assert!(is_affine(&elements((0..16).map(|index| index ^ 5))));
        assert!(!is_affine(&elements((0..16).map(|index| index * index))));
        assert!(!is_affine(&elements(0..12)));
        assert!(!is_affine(&elements(0..4)));
        let mut labelled = elements(0..16);
        labelled[3].label = 1;
        assert!(!is_affine(&labelled));
    }

    proptest! {
        #[test]
        fn sums_are_the_elements(input in any::<u8>(), other in any::<u8>(), more in any::<u64>()) {
            let mut recorder = testing::recorder(u64::MAX);
            let value = u64::from(input);
            let node = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm: 0, value };
            let byte = recorder.append(node);
            let index = recorder.zero_extend(byte, 64);
            let index = Operand { label: index, value };
            let offset = recorder.binary(Op::Shl, 64, index, Operand::concrete(2), value << 2);
            let table: Vec<u64> = checksums().map(|checksum| checksum ^ more & 0xffff_ffff).collect();
            let mut places: Vec<u64> = (0..256).map(|index| 4 * index).collect();
            let before = recorder.node_count();
            let address = Address { label: offset, value: value << 2 };
            let found = recorder.element_at((&mut Arms::new(), &mut Tables::new()), 32, address, &mut places, &mut elements(table.iter().copied()));
            prop_assert_eq!(found.value, table[usize::from(input)]);
            prop_assert_eq!(evaluate(&recorder, found.label, &[other]) as u64, table[usize::from(other)]);
            prop_assert!(recorder.node_count() - before < 64);
        }
    }
}
