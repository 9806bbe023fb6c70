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
const MOST_NODES: usize = 128;

/// A part of an address, and what is added to it on the way there.
type Part = (Label, u64);

/// What became of the parts of the address that is followed: the element there, `None` where it is none of the places.
pub struct Arms(List<(Part, Option<Operand>)>);

impl Arms {
    /// None yet.
    pub fn new() -> Arms {
        Arms(List::new(MOST_NODES))
    }

    fn known(&self, part: Part) -> Option<Option<Operand>> {
        self.0.items().iter().find(|(known, _)| *known == part).map(|(_, element)| *element)
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
    /// The one of `elements` at an address, if that is a choice between constants. What the path excludes, because it is
    /// none of the places, has no arm.
    pub fn element_by_arms(
        &mut self,
        arms: &mut Arms,
        width: u32,
        address: Address,
        places: &[u64],
        elements: &[Operand],
    ) -> Option<Operand> {
        arms.0.clear();
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
                if arms.0.push((part, chosen)) { Ok(chosen) } else { Err(Otherwise) }
            }
            _ => Err(Otherwise),
        }
    }
}
