//! How deeply choices lie one within another.
//!
//! What is read at an index, and then used as an index, again and again, is a choice within a choice within a choice: so
//! compressed data are read, where each code says how long it is, and by that where the next one starts. The same comes of
//! counters at an index, each of which is written many times. Solvers get nowhere with it, and every later condition has
//! all of it below. So there is a depth behind which addresses are pinned.

use trace::layout::{Label, NODES_CAPACITY};
use trace::op::Op;

use crate::build::operator;
use crate::recorder::Recorder;
use crate::system::List;

/// Choices by one bit that may lie one within another in an address, or in what is read or overwritten at one: four tables of
/// 256 elements, say.
pub const DEEPEST: u32 = 32;

/// Nodes that a walk keeps in mind; with more than that, nothing is known.
const MOST_WAITING: usize = 1 << 22;
/// As deep as can be said, and deeper.
const BOTTOMLESS: u32 = u8::MAX as u32;

/// How deep the nodes are that were asked for.
pub struct Nesting {
    /// One more than the depth, 0 for not known yet.
    known: List<u8>,
    waiting: List<Label>,
}

impl Nesting {
    /// Nothing known yet.
    pub fn new() -> Nesting {
        // SAFETY: integers only.
        let known = unsafe { List::zeroed(NODES_CAPACITY as usize) };
        Nesting { known, waiting: List::new(MOST_WAITING) }
    }

    fn depth(&self, label: Label) -> Option<u32> {
        let known = self.known.items().get(label as usize).copied()?;
        known.checked_sub(1).map(u32::from)
    }

    /// A label has no other value than it had, from here on.
    pub fn settle(&mut self, label: Label) {
        if let Some(known) = self.known.items_mut().get_mut(label as usize) {
            *known = 1;
        }
    }

    /// The depth of a label.
    pub fn of(&mut self, recorder: &Recorder, label: Label) -> u32 {
        if let Some(depth) = self.depth(label) {
            return depth;
        }
        self.waiting.clear();
        self.waiting.push(label);
        while let Some(current) = self.waiting.items().last().copied() {
            let before = self.waiting.items().len();
            let mut deepest = 0;
            for operand in operands(recorder, current) {
                match self.depth(operand) {
                    Some(depth) => deepest = deepest.max(depth),
                    None if self.waiting.push(operand) => {}
                    None => return BOTTOMLESS,
                }
            }
            if self.waiting.items().len() > before {
                continue;
            }
            self.waiting.swap_remove(before - 1);
            let depth = (deepest + choices(recorder, current)).min(BOTTOMLESS - 1);
            if let Some(known) = self.known.items_mut().get_mut(current as usize) {
                *known = depth as u8 + 1;
            }
        }
        self.depth(label).unwrap_or(BOTTOMLESS)
    }
}

/// The labels that a node is made of.
fn operands(recorder: &Recorder, label: Label) -> impl Iterator<Item = Label> + use<> {
    let node = recorder.node(label);
    let (count, first) = (node.imm() as Label, node.a());
    let (run, single) = match operator(node.op) {
        None | Some(Op::Input | Op::Const) => (0..0, [0; 3]),
        Some(Op::Bytes) => (first..first.saturating_add(count), [0; 3]),
        Some(Op::Lookup) => (node.b()..node.b().saturating_add(count), [first, 0, 0]),
        Some(Op::Ite) => (0..0, [first, node.b(), count]),
        Some(_) => (0..0, [first, node.b(), 0]),
    };
    run.chain(single.into_iter().filter(|operand| *operand != 0))
}

/// The choices by one bit that a node makes by itself. Between two constants it is no more than a bit that is spread, as in
/// checksums.
fn choices(recorder: &Recorder, label: Label) -> u32 {
    let node = recorder.node(label);
    match operator(node.op) {
        Some(Op::Ite) => {
            let is_constant = |label| recorder.node(label).op == Op::Const as u8;
            u32::from(!is_constant(node.a()) || !is_constant(node.b()))
        }
        Some(Op::Lookup) => recorder.width(node.a()),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use trace::layout::Node;

    use super::*;
    use crate::build::Operand;
    use crate::testing;

    fn input(recorder: &mut Recorder, imm: u64) -> Label {
        recorder.append(Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm, value: 0 })
    }

    #[test]
    fn choices_are_counted_one_within_another() {
        let mut recorder = testing::recorder(u64::MAX);
        let mut nesting = Nesting::new();
        let [a, b] = [0, 1].map(|imm| Operand { label: input(&mut recorder, imm), value: 0 });
        let sum = recorder.binary(Op::Add, 8, a, b, 0);
        assert_eq!(nesting.of(&recorder, sum), 0);
        let mut chain = Operand { label: sum, value: 0 };
        for step in 1..=300u64 {
            let condition = recorder.binary(Op::Eq, 8, chain, Operand::concrete(step & 0x7f | 0x80), 0);
            let label = recorder.ite(8, condition, Operand::concrete(step & 0x7f), chain, false);
            chain = Operand { label, value: 0 };
            assert_eq!(nesting.of(&recorder, label), (step as u32).min(BOTTOMLESS - 1));
        }
    }

    #[test]
    fn long_computations_are_not_deep() {
        let mut recorder = testing::recorder(u64::MAX);
        let mut nesting = Nesting::new();
        let byte = Operand { label: input(&mut recorder, 0), value: 0 };
        let mut hash = byte;
        for _ in 0..40_000 {
            let label = recorder.binary(Op::Mul, 8, hash, Operand::concrete(7), 0);
            let label = recorder.binary(Op::Add, 8, Operand { label, value: 0 }, byte, 0);
            hash = Operand { label, value: 0 };
        }
        assert_eq!(nesting.of(&recorder, hash.label), 0);
    }
}
