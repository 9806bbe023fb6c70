//! The region that an address is meant to lie in, where it is a choice between pointers into several.
//!
//! An index that leaves one of them may come to another one. So it is not enough there that the address lies in any of them.

use trace::layout::Label;
use trace::op::Op;

use super::choice::Address;
use super::places::{Bounds, MOST_REGIONS};
use crate::build::{Operand, operator};
use crate::recorder::Recorder;

/// Choices one within another that are followed.
const DEPTH: u32 = 32;
/// Nodes of an address that are looked at.
const MOST_NODES: u32 = 1024;

/// An address that is more than a choice between pointers with something added, or too large a one.
struct Otherwise;

/// What is needed to say where an address is meant to be.
struct Owners<'a> {
    bounds: &'a Bounds,
    /// That the address lies in each of the regions.
    inside: [Operand; MOST_REGIONS],
    /// For the elements of a table.
    scratch: &'a mut [Operand],
    /// Nodes that may still be looked at.
    left: u32,
}

impl Owners<'_> {
    /// That the address lies in the region of a pointer.
    fn of(&self, pointer: u64) -> Result<Operand, Otherwise> {
        let region = self.bounds.owner(pointer).ok_or(Otherwise)?;
        let inside = region.map_or(Some(Operand::concrete(0)), |region| self.inside.get(region).copied());
        inside.ok_or(Otherwise)
    }
}

impl Recorder {
    /// The condition that an address lies in the region of the pointer that it is computed from, one bit wide; nothing if it is not known
    /// which pointer that is.
    pub fn is_with_owner(&mut self, bounds: &Bounds, address: Address, scratch: &mut [Operand]) -> Option<Operand> {
        let mut inside = [Operand::concrete(0); MOST_REGIONS];
        for (number, inside) in inside.iter_mut().enumerate().take(bounds.count()) {
            *inside = bounds.is_in(self, number, address)?;
        }
        let mut owners = Owners { bounds, inside, scratch, left: MOST_NODES };
        self.owner(&mut owners, address.label, DEPTH).ok()
    }

    fn owner(&mut self, owners: &mut Owners<'_>, label: Label, depth: u32) -> Result<Operand, Otherwise> {
        let node = self.node(label);
        let depth = depth.checked_sub(1).ok_or(Otherwise)?;
        owners.left = owners.left.checked_sub(1).ok_or(Otherwise)?;
        match operator(node.op) {
            Some(Op::Const) => owners.of(node.imm()),
            Some(Op::Add) if node.b() == 0 => self.owner(owners, node.a(), depth),
            Some(Op::Add) if node.a() != 0 => {
                let pointer = if self.is_choice(node.b()) { node.b() } else { node.a() };
                self.owner(owners, pointer, depth)
            }
            Some(Op::Ite) => {
                let condition = node.imm() as Label;
                let taken = self.node(condition).value() & 1 == 1;
                let (a, b) = (node.a(), node.b());
                let a = self.owner(owners, a, depth)?;
                let b = self.owner(owners, b, depth)?;
                Ok(self.either(1, condition, taken, a, b))
            }
            Some(Op::Lookup) => {
                let (first, count) = (node.b(), node.imm() as Label);
                let index = Operand { label: node.a(), value: self.node(node.a()).value() };
                for number in 0..count {
                    let element = self.node(first.saturating_add(number));
                    if operator(element.op) != Some(Op::Const) {
                        return Err(Otherwise);
                    }
                    let inside = owners.of(element.imm())?;
                    *owners.scratch.get_mut(number as usize).ok_or(Otherwise)? = inside;
                }
                let elements = owners.scratch.get_mut(..count as usize).ok_or(Otherwise)?;
                Ok(self.element_by_bits(1, index, elements))
            }
            _ => Err(Otherwise),
        }
    }

    /// Whether a label is a choice, perhaps with a constant added.
    pub fn is_choice(&self, label: Label) -> bool {
        let node = self.node(label);
        let inner = if node.op == Op::Add as u8 && node.b() == 0 { self.node(node.a()) } else { node };
        inner.op == Op::Ite as u8 || inner.op == Op::Lookup as u8
    }
}
