//! Addresses that are choices between constants, as pointers are that a program looked up: entries of a hash table, elements of
//! a list.
//!
//! What is at such an address is the same choice once more, between what is at the constants. No address is left in it that a
//! solver would have to compare, however long the way from pointer to pointer is.

use trace::layout::Label;
use trace::op::Op;

use super::choice::Address;
use crate::build::{Operand, operator};
use crate::recorder::Recorder;
use crate::system::List;

/// Choices one within another that are followed.
const DEPTH: u32 = 32;
/// Nodes of an address that are looked at.
const MOST_NODES: u32 = 1024;
/// Nodes whose arms are kept, one for each remainder of a label.
const KEPT: usize = 1024;

/// A part of an address, and what is added to it on the way there.
type Part = (Label, u64);

/// What became of a part: the element there, `None` where it is none of the places.
#[derive(Clone, Copy)]
struct Arm {
    /// Which of the addresses that were followed it is of; 0 for none.
    round: u32,
    part: Part,
    element: Option<Operand>,
}

/// The parts of the address that is followed: choices share them, and they are followed once.
pub struct Arms {
    known: List<Arm>,
    round: u32,
    /// Nodes that may still be looked at.
    left: u32,
}

impl Arms {
    /// None yet.
    pub fn new() -> Arms {
        let mut known = List::new(KEPT);
        let nothing = Arm { round: 0, part: (0, 0), element: None };
        while known.push(nothing) {}
        Arms { known, round: 0, left: 0 }
    }

    /// Another address.
    fn start(&mut self) {
        (self.round, self.left) = (self.round.wrapping_add(1).max(1), MOST_NODES);
    }

    fn known(&self, part: Part) -> Option<Option<Operand>> {
        let arm = self.known.items().get(part.0 as usize % KEPT)?;
        (arm.round == self.round && arm.part == part).then_some(arm.element)
    }

    fn keep(&mut self, part: Part, element: Option<Operand>) {
        if let Some(place) = self.known.items_mut().get_mut(part.0 as usize % KEPT) {
            *place = Arm { round: self.round, part, element };
        }
    }
}

/// The places that there are, in ascending order, and what is there.
struct Elements<'a> {
    width: u32,
    places: &'a [u64],
    items: &'a [Operand],
}

/// An address that is more than a choice between constants, or too large a one.
struct Otherwise;

impl Recorder {
    /// The one of `elements` at an address, if that is a choice between constants. What is none of the places has no arm: the path
    /// excludes it, or it is known that not all is covered.
    pub fn element_by_arms(
        &mut self,
        arms: &mut Arms,
        width: u32,
        address: Address,
        places: &[u64],
        elements: &[Operand],
    ) -> Option<Operand> {
        arms.start();
        let elements = Elements { width, places, items: elements };
        self.arm(arms, (address.label, 0), DEPTH, &elements).ok().flatten()
    }

    fn arm(
        &mut self,
        arms: &mut Arms,
        part: Part,
        depth: u32,
        elements: &Elements<'_>,
    ) -> Result<Option<Operand>, Otherwise> {
        let (label, offset) = part;
        let node = self.node(label);
        let depth = depth.checked_sub(1).ok_or(Otherwise)?;
        arms.left = arms.left.checked_sub(1).ok_or(Otherwise)?;
        match operator(node.op) {
            Some(Op::Const) => {
                let place = node.imm().wrapping_add(offset);
                let index = elements.places.binary_search(&place).ok();
                Ok(index.and_then(|index| elements.items.get(index).copied()))
            }
            Some(Op::Add) if node.b() == 0 => {
                self.arm(arms, (node.a(), offset.wrapping_add(node.imm())), depth, elements)
            }
            Some(Op::Ite) => {
                if let Some(known) = arms.known(part) {
                    return Ok(known);
                }
                let condition = node.imm() as Label;
                let (a, b) = (node.a(), node.b());
                let a = self.arm(arms, (a, offset), depth, elements)?;
                let b = self.arm(arms, (b, offset), depth, elements)?;
                let chosen = match (a, b) {
                    (Some(a), Some(b)) => {
                        let taken = self.node(condition).value() & 1 == 1;
                        Some(self.either(elements.width, condition, taken, a, b))
                    }
                    (only, None) | (None, only) => only,
                };
                arms.keep(part, chosen);
                Ok(chosen)
            }
            _ => Err(Otherwise),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trace::layout::Node;

    use super::*;
    use crate::build::tests::evaluate;
    use crate::testing;

    const PLACES: [u64; 4] = [0x1000, 0x1020, 0x1060, 0x2000];

    /// What lies at an address: its number among the places.
    fn element(address: u64) -> Option<u64> {
        PLACES.iter().zip(1..).find(|(place, _)| **place == address).map(|(_, number)| number)
    }

    proptest! {
        /// Each step chooses between what two steps before it gave, or places, by a byte of the input.
        #[test]
        fn the_choice_between_places_is_one_between_elements(
            steps in proptest::collection::vec((0..4usize, 0..8usize, 0..8usize, any::<bool>()), 1..12),
            input in any::<[u8; 4]>(),
            other in any::<[u8; 4]>(),
        ) {
            let mut recorder = testing::recorder(u64::MAX);
            let bytes = [0, 1, 2, 3].map(|number: usize| {
                let value = u64::from(input[number]);
                recorder.append(Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm: number as u64, value })
            });
            let mut made: Vec<Operand> = PLACES.iter().map(|place| Operand::concrete(*place - 8)).collect();
            for (byte, a, b, is_null) in steps {
                let (value, half) = (u64::from(input[byte]), Operand::concrete(0x80));
                let taken = value < 0x80;
                let condition = Operand { label: bytes[byte], value };
                let condition = recorder.binary(Op::Ult, 8, condition, half, taken.into());
                let (a, b) = (made[made.len() - 1 - a % made.len()], made[b % made.len()]);
                let b = if is_null && taken { Operand::concrete(0) } else { b };
                made.push(recorder.either(64, condition, taken, a, b));
            }
            let last = *made.last().unwrap();
            let value = last.value.wrapping_add(8);
            let label = recorder.binary(Op::Add, 64, last, Operand::concrete(8), value);
            let elements = PLACES.map(|place| Operand::concrete(element(place).unwrap()));
            let address = Address { label, value };
            prop_assume!(label != 0 && element(value).is_some());
            let found = recorder.element_by_arms(&mut Arms::new(), 32, address, &PLACES, &elements).unwrap();
            prop_assert_eq!(Some(found.value), element(value));
            // What the path excludes may be anything.
            if let Some(expected) = element(evaluate(&recorder, label, &other) as u64) {
                let found = if found.label == 0 { found.value } else { evaluate(&recorder, found.label, &other) as u64 };
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn other_addresses_are_not_choices() {
        let mut recorder = testing::recorder(u64::MAX);
        let byte = recorder.append(Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm: 0, value: 0 });
        let index = Operand { label: recorder.zero_extend(byte, 64), value: 0 };
        let label = recorder.binary(Op::Add, 64, index, Operand::concrete(0x1000), 0x1000);
        let elements = PLACES.map(Operand::concrete);
        let found =
            recorder.element_by_arms(&mut Arms::new(), 32, Address { label, value: 0x1000 }, &PLACES, &elements);
        assert!(found.is_none());
    }
}
