//! Terms imported from random arenas against the plain semantics of the trace's operators.

use expr::generate::Generator;
use expr::selfcheck::{self, CheckError};
use expr::{BitVec, Importer, Input, Model, Store, eval_node};
use proptest::prelude::*;
use trace::layout::{Label, Node};
use trace::op::Op;

const INPUT: [u8; 4] = [0x41, 0x80, 0x00, 0xff];

/// A random arena whose values are what its operators give on [`INPUT`].
struct Arena {
    nodes: Vec<Node>,
    values: Vec<BitVec>,
}

fn node(op: Op, width: u16, a: Label, b: Label, imm: u64) -> Node {
    Node { op: op as u8, flags: 0, width, a, b, imm, value: 0 }
}

impl Arena {
    fn random(seed: u64, length: usize) -> Arena {
        let mut random = Generator::new(seed);
        let mut arena = Arena { nodes: vec![node(Op::None, 1, 0, 0, 0)], values: vec![BitVec::zero(1)] };
        for (offset, byte) in (0..).zip(INPUT) {
            arena.push(node(Op::Input, 8, 0, 0, offset), BitVec::new(8, byte.into()));
        }
        while arena.nodes.len() < length {
            arena.grow(&mut random);
        }
        arena
    }

    fn push(&mut self, mut node: Node, value: BitVec) {
        node.value = value.low64();
        self.nodes.push(node);
        self.values.push(value);
    }

    fn grow(&mut self, random: &mut Generator) {
        let any = |random: &mut Generator, arena: &Arena| 1 + random.below(arena.nodes.len() as u64 - 1) as Label;
        let op = Op::ALL[random.below(Op::ALL.len() as u64) as usize];
        let a = any(random, self);
        let wide = self.values[a as usize].width();
        let of = |arena: &Arena, label: Label| arena.values[label as usize].clone();
        let same_width: Vec<Label> =
            (1..self.nodes.len() as Label).filter(|label| self.values[*label as usize].width() == wide).collect();
        let b = same_width[random.below(same_width.len() as u64) as usize];
        let (made, operands) = match op {
            Op::None | Op::Input => return,
            Op::Const => {
                let width = 1 + random.below(64) as u16;
                let value = random.value(width);
                return self.push(node(op, value.width(), 0, 0, value.low64()), value);
            }
            Op::Bytes => {
                let count = 1 + random.below(4);
                let operands = (1..=count as Label).map(|label| of(self, label)).collect();
                (node(op, count as u16 * 8, 1, 0, count), operands)
            }
            Op::Concat if random.below(2) == 0 && wide < 900 => {
                let width = 1 + random.below(64) as u16;
                let half = random.value(width);
                (node(op, wide + half.width(), 0, a, half.low64()), vec![half, of(self, a)])
            }
            Op::Concat => {
                let b = any(random, self);
                let total = wide + self.values[b as usize].width();
                if total > 1024 {
                    return;
                }
                (node(op, total, a, b, 0), vec![of(self, a), of(self, b)])
            }
            Op::Extract => {
                let width = 1 + random.below(wide.into()) as u16;
                let low = random.below(u64::from(wide - width) + 1);
                (node(op, width, a, 0, low), vec![of(self, a)])
            }
            Op::ZExt | Op::SExt => {
                let width = (wide + random.below(40) as u16).min(1024);
                (node(op, width, a, 0, 0), vec![of(self, a)])
            }
            Op::Ite => {
                let Some(condition) = (1..self.values.len()).rfind(|label| self.values[*label].width() == 1) else {
                    return;
                };
                let operands = vec![self.values[condition].clone(), of(self, a), of(self, b)];
                (node(op, wide, a, b, condition as u64), operands)
            }
            Op::Lookup => {
                let fits = |label: &usize| self.values[*label].width() <= 3;
                let Some(index) = (1..self.values.len()).rfind(fits) else { return };
                // The input bytes lie side by side.
                let count = 1 + random.below(4);
                let chosen = self.values[index].low64().min(count - 1);
                (node(op, 8, index as Label, 1, count), vec![of(self, 1 + chosen as Label)])
            }
            Op::FShl => (node(op, wide, a, b, random.below(wide.into())), vec![of(self, a), of(self, b)]),
            Op::FFromS | Op::FFromU if wide <= 64 => {
                let width = if random.below(2) == 0 { 32 } else { 64 };
                (node(op, width, a, 0, 0), vec![of(self, a)])
            }
            op if op.is_float() && !matches!(wide, 32 | 64) => return,
            Op::FSqrt => (node(op, wide, a, 0, 0), vec![of(self, a)]),
            Op::FRound => (node(op, wide, a, 0, random.below(5)), vec![of(self, a)]),
            Op::FConvert => (node(op, 96 - wide, a, 0, 0), vec![of(self, a)]),
            Op::FToS => {
                let width = if random.below(2) == 0 { 32 } else { 64 };
                (node(op, width, a, 0, 0), vec![of(self, a)])
            }
            Op::BSwap if !wide.is_multiple_of(8) => return,
            Op::CtPop | Op::CtLz | Op::CtTz | Op::BSwap | Op::BitReverse => {
                (node(op, wide, a, 0, 0), vec![of(self, a)])
            }
            _ => {
                let width = if op.is_predicate() { 1 } else { wide };
                match random.below(3) {
                    0 if wide <= 64 => {
                        let value = random.value(wide);
                        (node(op, width, a, 0, value.low64()), vec![of(self, a), value])
                    }
                    1 if wide <= 64 => {
                        let value = random.value(wide);
                        (node(op, width, 0, b, value.low64()), vec![value, of(self, b)])
                    }
                    _ => (node(op, width, a, b, 0), vec![of(self, a), of(self, b)]),
                }
            }
        };
        let value = eval_node(op, made.width, made.imm, &operands).expect("an operator with all its operands");
        self.push(made, value);
    }
}

fn input_byte(part: u32, offset: u64) -> Option<u8> {
    (part == 0).then(|| INPUT.get(offset as usize).copied()).flatten()
}

proptest! {
    #[test]
    fn terms_have_the_values_of_their_labels(seed: u64) {
        let arena = Arena::random(seed, 60);
        let values = selfcheck::check(&arena.nodes, input_byte).unwrap();
        prop_assert_eq!(&values, &arena.values);
        let mut store = Store::new();
        let mut importer = Importer::new(&arena.nodes);
        let model = Model::of_input(Input { parts: vec![INPUT.to_vec()] }.into());
        for (label, value) in values.iter().enumerate().skip(1) {
            let term = importer.term(&mut store, label as Label).unwrap();
            prop_assert_eq!(&store.eval(term, &model), value, "label {}: {:?}", label, arena.nodes[label]);
        }
    }

    /// Conditions are settled as they come, as on a path. What is made later has the value that was said on every input that they
    /// hold for.
    #[test]
    fn what_is_settled_changes_no_value_on_the_path(seed: u64) {
        let arena = Arena::random(seed, 60);
        let mut store = Store::new();
        let (mut importer, mut originals) = (Importer::new(&arena.nodes), Importer::new(&arena.nodes));
        let near = |place: usize| move |byte: u8| {
            let mut input = INPUT;
            input[place] = byte;
            Model::of_input(Input { parts: vec![input.to_vec()] }.into())
        };
        let mut on_path: Vec<Model> = (0..INPUT.len()).flat_map(|place| (0..=255).step_by(15).map(near(place))).collect();
        for (label, value) in arena.values.iter().enumerate().skip(1) {
            let term = importer.term(&mut store, label as Label).unwrap();
            let original = store.exactly(|store| originals.term(store, label as Label)).unwrap();
            for model in &on_path {
                prop_assert_eq!(store.eval(term, model), store.eval(original, model), "label {}", label);
            }
            if value.width() <= 4 {
                let constant = store.constant(value.clone());
                let holds = store.eq(term, constant);
                importer.settle(&mut store, holds);
                on_path.retain(|model| store.eval(original, model) == *value);
            }
        }
    }

    #[test]
    fn a_wrong_value_is_found(seed: u64, victim: prop::sample::Index, flip in 0u32..64) {
        let mut arena = Arena::random(seed, 40);
        let label = 1 + victim.index(arena.nodes.len() - 1);
        arena.nodes[label].value ^= 1 << flip;
        let found = selfcheck::check(&arena.nodes, input_byte);
        let is_the_victim = matches!(found, Err(CheckError::Mismatch { label: found, .. }) if found as usize == label);
        prop_assert!(is_the_victim);
    }

    #[test]
    fn damaged_arenas_are_refused_without_panic(raw in prop::collection::vec((any::<u8>(), any::<u16>(), 0u32..12, 0u32..12, any::<u64>()), 1..12)) {
        let nodes: Vec<Node> = raw
            .into_iter()
            .map(|(op, width, a, b, imm)| Node { op: op % 90, flags: 0, width: width % 1100, a, b, imm: imm % 140, value: 0 })
            .collect();
        let _ = selfcheck::check(&nodes, |_, _| Some(7));
        let (mut store, mut importer) = (Store::new(), Importer::new(&nodes));
        for label in 0..nodes.len() as Label + 2 {
            let _ = importer.term(&mut store, label);
        }
    }
}

#[test]
fn a_million_nodes_deep() {
    let mut nodes = vec![node(Op::None, 1, 0, 0, 0), node(Op::Input, 8, 0, 0, 0), node(Op::ZExt, 32, 1, 0, 0)];
    for label in 2..1_000_000 {
        nodes.push(node(Op::Mul, 32, label, 0, 3 + u64::from(label)));
        let last = nodes.len() - 1;
        if label % 2 == 0 {
            nodes[last] = node(Op::Xor, 32, label, label - 1, 0);
            nodes[last].op = if label == 2 { Op::Add as u8 } else { Op::Xor as u8 };
            nodes[last].b = if label == 2 { 2 } else { label - 1 };
        }
    }
    let (mut store, mut importer) = (Store::new(), Importer::new(&nodes));
    let term = importer.term(&mut store, nodes.len() as Label - 1).unwrap();
    assert!(store.eval(term, &Model::new()).is_zero());
}
