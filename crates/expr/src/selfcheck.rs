//! The self-check: every node of a trace computed again from the input, and compared with what the program had.
//!
//! Uses the plain semantics of the operators only, so an error of the simplifier cannot hide one of the runtime.

use thiserror::Error;
use trace::layout::{Label, Node};
use trace::op::Op;

use crate::bitvec::BitVec;
use crate::import::{ImportError, Operands};
use crate::semantics::eval_node;

/// Why a trace does not pass.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckError {
    /// A node has another value than the program computed.
    #[error("label {label} ({op:?}): the program had {expected:#x}, the term has {found:#x}")]
    Mismatch {
        /// The node.
        label: Label,
        /// Its operator.
        op: Op,
        /// What the program had, modulo 2^64.
        expected: u64,
        /// What the node's operator gives, modulo 2^64.
        found: u64,
    },
    /// A node refers to an input byte that does not exist.
    #[error("label {label} is byte {offset} of part {part}, which the input does not have")]
    NoByte {
        /// The node.
        label: Label,
        /// The part.
        part: u32,
        /// The place in it.
        offset: u64,
    },
    /// A node cannot be read.
    #[error(transparent)]
    Malformed(#[from] ImportError),
}

/// The values of all nodes under `input`, by label (what is no node gets one zero bit), or the first node that differs.
pub fn check(nodes: &[Node], input: impl Fn(u32, u64) -> Option<u8>) -> Result<Vec<BitVec>, CheckError> {
    let mut values = Vec::with_capacity(nodes.len());
    let mut arguments = Vec::new();
    for (label, node) in (0..).zip(nodes) {
        if node.op == Op::None as u8 {
            values.push(BitVec::zero(1));
            continue;
        }
        let operands = Operands::of(nodes, label)?;
        let value = match operands.op {
            Op::Input => {
                let byte = input(node.a, node.imm);
                let byte = byte.ok_or(CheckError::NoByte { label, part: node.a, offset: node.imm })?;
                BitVec::new(8, byte.into())
            }
            Op::Const => BitVec::new(node.width, node.imm),
            op => {
                gather(&values, node, &operands, &mut arguments);
                eval_node(op, node.width, node.imm, &arguments)
                    .ok_or_else(|| ImportError::Malformed { label, reason: format!("{op:?}") })?
            }
        };
        if value.width() != node.width {
            let reason = format!("{} bits wide, {} stated", value.width(), node.width);
            return Err(ImportError::Malformed { label, reason }.into());
        }
        if value.low64() != node.value {
            let (expected, found) = (node.value, value.low64());
            return Err(CheckError::Mismatch { label, op: operands.op, expected, found });
        }
        values.push(value);
    }
    Ok(values)
}

/// The values of a node's operands in the order that [`eval_node`] expects.
fn gather(values: &[BitVec], node: &Node, operands: &Operands, arguments: &mut Vec<BitVec>) {
    arguments.clear();
    // `Operands::of` made sure that all labels lie before this node's.
    let of = |label: Label| values[label as usize].clone();
    if operands.op == Op::Lookup {
        let index = u32::try_from(values[operands.selector as usize].low64()).unwrap_or(u32::MAX);
        arguments.push(of(operands.a + index.min(operands.run - 1)));
        return;
    }
    if operands.selector != 0 {
        arguments.push(of(operands.selector));
    }
    if operands.op == Op::Bytes {
        arguments.extend((operands.a..operands.a + operands.run).map(of));
        return;
    }
    let pair = operands.op.is_binary() || matches!(operands.op, Op::Concat | Op::FShl | Op::Ite);
    if !pair {
        arguments.push(of(operands.a));
        return;
    }
    let labelled = if operands.a != 0 { operands.a } else { operands.b };
    let other = values[labelled as usize].width();
    let concrete_width = if operands.op == Op::Concat { node.width.saturating_sub(other).max(1) } else { other };
    for label in [operands.a, operands.b] {
        arguments.push(if label == 0 { BitVec::new(concrete_width, node.imm) } else { of(label) });
    }
}
