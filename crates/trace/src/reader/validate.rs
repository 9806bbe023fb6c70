//! What must hold of a trace before anything looks at it.

use std::collections::HashSet;

use super::{InputPart, NO_NODE, Note, event_kind, given, part_kind, reason, region_kind, size_use};
use crate::layout::{Event, EventKind, Label, Node, Part, Region};
use crate::op::{Op, Rounding};

/// What is wrong with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
    /// No operator has this code.
    #[error("unknown operator {0}")]
    Operator(u8),
    /// Not between 1 and 1024, or not one that the operator can have.
    #[error("a width of {0} bits")]
    Width(u16),
    /// An operand that is missing, or does not precede the node.
    #[error("operand %{0} does not precede it")]
    Operand(Label),
    /// An operand of a width that the operator does not take.
    #[error("operand %{0} has the wrong width")]
    OperandWidth(Label),
    /// An immediate that the operator does not take.
    #[error("the immediate {0:#x}")]
    Immediate(u64),
    /// An input part that is not there.
    #[error("there is no input part {0}")]
    Part(u32),
}

const MAX_WIDTH: u16 = 1024;
/// Of the index of a [`Op::Lookup`].
const MAX_INDEX_WIDTH: u16 = 16;

/// `Op::from_code` for every code, because it is asked once for every node.
static OPERATORS: [Option<Op>; 256] = {
    let mut operators = [None; 256];
    let mut i = 0;
    while i < Op::ALL.len() {
        operators[Op::ALL[i] as usize] = Some(Op::ALL[i]);
        i += 1;
    }
    operators
};

/// How many of the nodes are valid.
pub(super) fn nodes(nodes: &[Node], parts: usize, notes: &mut Vec<Note>) -> usize {
    if let Some(first) = nodes.first()
        && first.op != Op::None as u8
    {
        notes.push(Note::Node { index: 0, error: NodeError::Operator(first.op) });
        return 0;
    }
    let mut tables = HashSet::new();
    for (index, node) in nodes.iter().enumerate().skip(1) {
        let before = nodes.get(..index).unwrap_or_default();
        if *node == NO_NODE {
            continue;
        }
        if let Err(error) = check_node(node, before, parts, &mut tables) {
            notes.push(Note::Node { index: index as u32, error });
            return index;
        }
    }
    nodes.len()
}

/// The elements of a [`Op::Lookup`], by first label, number and width.
type Table = (Label, u64, u16);

/// Checks one node against those `before` it; `tables` are known to be in order, since thousands of nodes share one.
fn check_node(node: &Node, before: &[Node], parts: usize, tables: &mut HashSet<Table>) -> Result<(), NodeError> {
    let op = OPERATORS.get(usize::from(node.op)).copied().flatten().filter(|op| *op != Op::None);
    let op = op.ok_or(NodeError::Operator(node.op))?;
    let width = node.width;
    let require = |holds: bool, error| if holds { Ok(()) } else { Err(error) };
    let width_of = |label: Label| match before.get(label as usize) {
        Some(operand) if operand.op != Op::None as u8 => Ok(operand.width),
        _ => Err(NodeError::Operand(label)),
    };
    let of_width = |label: Label, width: u16| {
        let actual = width_of(label)?;
        require(actual == width, NodeError::OperandWidth(label))
    };
    require((1..=MAX_WIDTH).contains(&width), NodeError::Width(width))?;
    match op {
        Op::None => Err(NodeError::Operator(node.op)),
        Op::Input => {
            require(width == 8, NodeError::Width(width))?;
            require((node.a as usize) < parts, NodeError::Part(node.a))
        }
        Op::Const => require(width <= 64, NodeError::Width(width)),
        Op::Concat => {
            let (high, low) = (node.a, node.b);
            match (high, low) {
                (0, labelled) | (labelled, 0) => {
                    let concrete = width.saturating_sub(width_of(labelled)?);
                    require((1..=64).contains(&concrete), NodeError::OperandWidth(labelled))
                }
                _ => require(width_of(high)?.checked_add(width_of(low)?) == Some(width), NodeError::Width(width)),
            }
        }
        Op::Bytes => {
            require(node.imm.checked_mul(8) == Some(width.into()), NodeError::Immediate(node.imm))?;
            (0..node.imm as u32).try_for_each(|i| of_width(node.a.checked_add(i).ok_or(NodeError::Operand(node.a))?, 8))
        }
        Op::Extract => {
            let end = node.imm.checked_add(width.into()).ok_or(NodeError::Immediate(node.imm))?;
            require(end <= width_of(node.a)?.into(), NodeError::Immediate(node.imm))
        }
        Op::ZExt | Op::SExt => require(width_of(node.a)? <= width, NodeError::OperandWidth(node.a)),
        Op::Ite => {
            let condition = u32::try_from(node.imm).map_err(|_| NodeError::Immediate(node.imm))?;
            of_width(condition, 1)?;
            of_width(node.a, width)?;
            of_width(node.b, width)
        }
        Op::Lookup => {
            require(width_of(node.a)? <= MAX_INDEX_WIDTH, NodeError::OperandWidth(node.a))?;
            require((1..=1 << MAX_INDEX_WIDTH).contains(&node.imm), NodeError::Immediate(node.imm))?;
            if tables.contains(&(node.b, node.imm, width)) {
                return Ok(());
            }
            let element = |i| node.b.checked_add(i).ok_or(NodeError::Operand(node.b));
            (0..node.imm as u32).try_for_each(|i| of_width(element(i)?, width))?;
            tables.insert((node.b, node.imm, width));
            Ok(())
        }
        Op::FShl => {
            of_width(node.a, width)?;
            of_width(node.b, width)?;
            require(node.imm < width.into(), NodeError::Immediate(node.imm))
        }
        Op::CtPop | Op::CtLz | Op::CtTz | Op::BitReverse => of_width(node.a, width),
        Op::BSwap => {
            require(width.is_multiple_of(8), NodeError::Width(width))?;
            of_width(node.a, width)
        }
        Op::FSqrt => {
            require(is_float(width), NodeError::Width(width))?;
            of_width(node.a, width)
        }
        Op::FRound => {
            require(is_float(width), NodeError::Width(width))?;
            require(Rounding::from_code(node.imm).is_some(), NodeError::Immediate(node.imm))?;
            of_width(node.a, width)
        }
        Op::FConvert => {
            require(is_float(width), NodeError::Width(width))?;
            of_width(node.a, 96 - width)
        }
        Op::FFromS | Op::FFromU => {
            require(is_float(width), NodeError::Width(width))?;
            require(width_of(node.a)? <= 64, NodeError::OperandWidth(node.a))
        }
        Op::FToS => {
            require(is_float(width), NodeError::Width(width))?;
            require(is_float(width_of(node.a)?), NodeError::OperandWidth(node.a))
        }
        _ => {
            let labelled = if node.a != 0 { node.a } else { node.b };
            let operands = width_of(labelled)?;
            require(!op.is_float() || is_float(operands), NodeError::OperandWidth(labelled))?;
            let result = if op.is_predicate() { 1 } else { operands };
            require(width == result, NodeError::Width(width))?;
            if node.a != 0 && node.b != 0 {
                of_width(node.b, operands)
            } else {
                require(operands <= 64, NodeError::OperandWidth(labelled))
            }
        }
    }
}

/// Whether there are floating-point numbers of a width; integers that they become have the same widths.
fn is_float(width: u16) -> bool {
    matches!(width, 32 | 64)
}

/// How many of the events are valid.
pub(super) fn events(events: &[Event], nodes: &[Node], regions: &[Region], notes: &mut Vec<Note>) -> usize {
    let bad = events.iter().position(|event| !event_holds(event, nodes, regions));
    if let Some(bad) = bad {
        notes.push(Note::Event(bad as u64));
    }
    bad.unwrap_or(events.len())
}

fn event_holds(event: &Event, nodes: &[Node], regions: &[Region]) -> bool {
    let is_below = |label: Label| (label as usize) < nodes.len();
    let node = nodes.get(event.label as usize).filter(|node| node.op != Op::None as u8);
    let Some(kind) = event_kind(event.kind) else { return false };
    if reason(event.reason).is_none() {
        return false;
    }
    match kind {
        EventKind::Check => node.is_some_and(|node| node.width == 1) && event.taken <= 1 && is_below(event.aux),
        EventKind::Branch => node.is_some_and(|node| node.width == 1) && event.taken <= 1,
        EventKind::Bounds => {
            node.is_some_and(|node| node.width == 1) && event.taken == 1 && event.aux as usize <= regions.len()
        }
        EventKind::Switch | EventKind::Target | EventKind::Pin | EventKind::Mismatch => node.is_some(),
        EventKind::Size => node.is_some() && size_use(event.taken).is_some() && event.aux as usize <= regions.len(),
        EventKind::Read | EventKind::Write => node.is_some() && event.aux as usize <= regions.len(),
        EventKind::Loss => event.label == 0 || node.is_some(),
        EventKind::Loop | EventKind::Leave => event.aux != 0 && (event.label == 0 || is_below(event.label)),
        EventKind::Enter | EventKind::Exit => event.aux != 0 && event.label == 0,
        EventKind::Object => event.aux != 0 && event.label == 0 && given(event.taken).is_some(),
    }
}

/// How many of the regions are valid.
pub(super) fn regions(regions: &[Region], nodes: &[Node], notes: &mut Vec<Note>) -> usize {
    let has_extent = |label: Label| label == 0 || nodes.get(label as usize).is_some_and(|node| node.width == 64);
    let bad = regions.iter().position(|region| {
        region_kind(region.kind).is_none()
            || region.base.checked_add(region.size).is_none()
            || !has_extent(region.extent)
    });
    if let Some(bad) = bad {
        notes.push(Note::Region(bad as u32));
    }
    bad.unwrap_or(regions.len())
}

/// The parts that are valid.
pub(super) fn parts(parts: &[Part], notes: &mut Vec<Note>) -> Vec<InputPart> {
    let mut valid = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let name = part.name.get(..part.name_len as usize);
        let (Some(kind), Some(name)) = (part_kind(part.kind), name) else {
            notes.push(Note::Part(index as u32));
            break;
        };
        valid.push(InputPart {
            kind,
            name: String::from_utf8_lossy(name).into_owned(),
            device: part.device,
            inode: part.inode,
            len: part.len,
        });
    }
    valid
}
