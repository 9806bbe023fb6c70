//! Which input bytes the nodes of a trace depend on.

use std::collections::{BTreeSet, HashMap};

use trace::layout::{Label, Node};
use trace::op::Op;
use trace::reader::Trace;

/// A byte of an input part.
pub type Byte = (u32, u64);

/// The input bytes that each node of a trace depends on.
///
/// Most nodes depend on the same bytes as one of their operands, so sets are shared and unions remembered: a trace with
/// millions of nodes is read once.
#[derive(Debug)]
pub struct Dependencies {
    /// For each node the index of its set.
    of_node: Vec<usize>,
    sets: Vec<BTreeSet<Byte>>,
}

impl Dependencies {
    /// Reads a trace.
    pub fn of(trace: &Trace) -> Dependencies {
        let mut dependencies = Dependencies { of_node: Vec::new(), sets: vec![BTreeSet::new()] };
        let mut inputs: HashMap<Byte, usize> = HashMap::new();
        let mut unions: HashMap<(usize, usize), usize> = HashMap::new();
        for node in trace.nodes() {
            let set = if Op::from_code(node.op) == Some(Op::Input) {
                let byte = (node.a, node.imm);
                *inputs.entry(byte).or_insert_with(|| dependencies.add(BTreeSet::from([byte])))
            } else {
                let sets = operands(node).map(|operand| dependencies.index(operand)).collect::<Vec<_>>();
                sets.into_iter().fold(0, |all, set| dependencies.union(all, set, &mut unions))
            };
            dependencies.of_node.push(set);
        }
        dependencies
    }

    /// The bytes that a node depends on.
    pub fn bytes(&self, label: Label) -> impl Iterator<Item = Byte> + '_ {
        self.sets.get(self.index(label)).into_iter().flatten().copied()
    }

    fn index(&self, label: Label) -> usize {
        self.of_node.get(label as usize).copied().unwrap_or_default()
    }

    fn add(&mut self, set: BTreeSet<Byte>) -> usize {
        self.sets.push(set);
        self.sets.len() - 1
    }

    fn union(&mut self, left: usize, right: usize, unions: &mut HashMap<(usize, usize), usize>) -> usize {
        match (left.min(right), left.max(right)) {
            (0, other) => other,
            (one, other) if one == other => one,
            pair => {
                if let Some(&known) = unions.get(&pair) {
                    return known;
                }
                let mut all = self.sets.get(pair.0).cloned().unwrap_or_default();
                all.extend(self.sets.get(pair.1).into_iter().flatten());
                // A superset of the other stays what it is, or chains of additions would make a set for every node.
                let same = [pair.0, pair.1].into_iter().find(|&one| self.sets.get(one) == Some(&all));
                let union = same.unwrap_or_else(|| self.add(all));
                unions.insert(pair, union);
                union
            }
        }
    }
}

/// The labels among a node's operands.
fn operands(node: &Node) -> impl Iterator<Item = Label> {
    let (range, more) = match Op::from_code(node.op) {
        Some(Op::Bytes) => (node.a..node.a.saturating_add(u32::try_from(node.imm).unwrap_or_default()), [0, 0, 0]),
        Some(Op::Const | Op::None | Op::Input) | None => (0..0, [0, 0, 0]),
        Some(Op::Lookup) => {
            (node.b..node.b.saturating_add(u32::try_from(node.imm).unwrap_or_default()), [node.a, 0, 0])
        }
        Some(Op::Ite) => (0..0, [node.a, node.b, node.imm as u32]),
        Some(_) => (0..0, [node.a, node.b, 0]),
    };
    range.chain(more)
}
