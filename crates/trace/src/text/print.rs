//! Trace to text.

use std::fmt;

use super::{EVENTS, PARTS, REASONS, REGIONS, SIZE_USES, STATES, Shape, name_of, op_name, shape};
use crate::layout::{Event, EventKind, Node, Region};
use crate::op::Op;
use crate::reader::{InputPart, Trace, counter_name, event_kind, reason, region_kind, size_use};

/// The text form of a trace; `Display` writes it.
pub struct Printed<'a>(&'a Trace);

/// The text form of a trace.
pub fn print(trace: &Trace) -> Printed<'_> {
    Printed(trace)
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trace = self.0;
        let head = trace.head();
        writeln!(
            f,
            "trace {} options={:#x} cap={:#x} owner={:#x}",
            name_of(STATES, head.state),
            head.options,
            head.memory_cap,
            head.owner
        )?;
        for (index, count) in head.counters.iter().enumerate().filter(|(_, count)| **count != 0) {
            match counter_name(index) {
                Some(name) => writeln!(f, "counter {name} {count:#x}")?,
                None => writeln!(f, "counter {index} {count:#x}")?,
            }
        }
        trace.parts().iter().try_for_each(|part| print_part(f, part))?;
        trace.regions().iter().try_for_each(|region| print_region(f, region))?;
        let is_node = |node: &Node| node.op != Op::None as u8;
        for (label, node) in trace.nodes().iter().enumerate().filter(|(_, node)| is_node(node)) {
            print_node(f, label, node)?;
        }
        trace.events().iter().try_for_each(|event| print_event(f, event))
    }
}

fn print_part(f: &mut fmt::Formatter<'_>, part: &InputPart) -> fmt::Result {
    write!(f, "part {} {:#x}", name_of(PARTS, part.kind), part.len)?;
    write!(f, " device={:#x} inode={:#x} name=", part.device, part.inode)?;
    for character in part.name.chars() {
        // What would end a word or start a comment is escaped; `%` because it starts an escape.
        if character.is_whitespace() || character.is_control() || matches!(character, '%' | '#') {
            write!(f, "%{:x};", u32::from(character))?;
        } else {
            write!(f, "{character}")?;
        }
    }
    writeln!(f)
}

fn print_region(f: &mut fmt::Formatter<'_>, region: &Region) -> fmt::Result {
    let kind = region_kind(region.kind).map_or("unknown", |kind| name_of(REGIONS, kind));
    write!(f, "region {kind} {:#x} {:#x} id={:#x}", region.base, region.size, region.id)?;
    if region.extent != 0 {
        write!(f, " extent=%{}", region.extent)?;
    }
    if region.allocated_in != 0 {
        write!(f, " in={}", region.allocated_in)?;
    }
    writeln!(f)
}

fn print_node(f: &mut fmt::Formatter<'_>, label: usize, node: &Node) -> fmt::Result {
    let op = Op::from_code(node.op).unwrap_or(Op::None);
    write!(f, "%{label} = {} i{}", op_name(op), node.width)?;
    match shape(op) {
        Shape::Input => write!(f, " part{} {:#x}", node.a, node.imm)?,
        Shape::Constant => write!(f, " {:#x}", node.imm)?,
        Shape::LabelAndImmediate => write!(f, " %{} {:#x}", node.a, node.imm)?,
        Shape::Label => write!(f, " %{}", node.a)?,
        Shape::Choice => write!(f, " %{} %{} %{}", node.imm, node.a, node.b)?,
        Shape::TwoLabelsAndImmediate => write!(f, " %{} %{} {:#x}", node.a, node.b, node.imm)?,
        Shape::Pair => {
            for operand in [node.a, node.b] {
                match operand {
                    0 => write!(f, " {:#x}", node.imm)?,
                    label => write!(f, " %{label}")?,
                }
            }
        }
    }
    writeln!(f, " -> {:#x}", node.value)
}

fn print_event(f: &mut fmt::Formatter<'_>, event: &Event) -> fmt::Result {
    let Some(kind) = event_kind(event.kind) else { return Ok(()) };
    write!(f, "{}", name_of(EVENTS, kind))?;
    if event.label != 0 {
        write!(f, " %{}", event.label)?;
    }
    match kind {
        EventKind::Branch => write!(f, " {}", if event.taken == 1 { "taken" } else { "not-taken" })?,
        EventKind::Bounds if event.value != 0 => write!(f, " hold end={:#x}", event.value)?,
        EventKind::Bounds => write!(f, " hold")?,
        EventKind::Check => write!(f, " {}", if event.taken == 1 { "holds" } else { "fails" })?,
        _ => write!(f, " {:#x}", event.value)?,
    }
    if event.reason != 0
        && let Some(reason) = reason(event.reason)
    {
        write!(f, " {}", name_of(REASONS, reason))?;
    }
    match kind {
        EventKind::Read | EventKind::Write => write!(f, " bytes={}", event.taken)?,
        EventKind::Size => {
            size_use(event.taken).map_or(Ok(()), |size_use| write!(f, " {}", name_of(SIZE_USES, size_use)))?
        }
        EventKind::Check if event.aux != 0 => write!(f, " subject=%{}", event.aux)?,
        EventKind::Loop | EventKind::Leave | EventKind::Enter | EventKind::Exit => write!(f, " entry={}", event.aux)?,
        EventKind::Object => write!(f, " entry={} given={}", event.aux, event.taken)?,
        _ => {}
    }
    if matches!(kind, EventKind::Read | EventKind::Write | EventKind::Size | EventKind::Bounds) && event.aux != 0 {
        write!(f, " region={:#x}", event.aux - 1)?;
    }
    writeln!(f, " site={}", event.site)
}
