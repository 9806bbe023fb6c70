//! The self-check: is every term what the program computed?

use expr::Input;
use expr::selfcheck::{CheckError, check};
use trace::layout::{Event, EventKind, Label, Region};
use trace::op::Op;
use trace::reader::{Trace, event_kind};

/// A term that is not what the program computed. Always a bug of Provoke.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// What differs: the node and both values.
    pub message: String,
    /// Site of the first event that depends on the node, if one does.
    pub site: Option<u32>,
}

/// The first thing in a trace that is not what the program computed.
pub fn selfcheck(trace: &Trace, input: &Input) -> Option<Mismatch> {
    if let Some(event) = trace.events().iter().find(|event| !agrees(trace, event)) {
        let node = trace.nodes().get(event.label as usize).map_or(0, |node| node.value);
        let value = value_of(event).unwrap_or(event.value);
        let message = format!(
            "label {}: the program had {value:#x} where it used the value, the node has {node:#x}",
            event.label
        );
        return Some(Mismatch { message, site: Some(event.site) });
    }
    if let Some(region) = trace.regions().iter().find(|region| !has_extent(trace, region)) {
        let message = format!("label {}: the size of a region was {:#x} in the program", region.extent, region.size);
        return Some(Mismatch { message, site: first_dependent(trace, region.extent) });
    }
    let error = check(trace.nodes(), |part, offset| input.byte(part, offset)).err()?;
    let label = label_of(&error);
    Some(Mismatch { message: error.to_string(), site: label.and_then(|label| first_dependent(trace, label)) })
}

/// The value that the program had for an event's label, if the event says.
fn value_of(event: &Event) -> Option<u64> {
    match event_kind(event.kind)? {
        EventKind::Branch | EventKind::Check | EventKind::Bounds => Some(event.taken.into()),
        EventKind::Switch | EventKind::Pin | EventKind::Read | EventKind::Write => Some(event.value),
        EventKind::Size | EventKind::Target | EventKind::Loss | EventKind::Mismatch => None,
        EventKind::Loop | EventKind::Leave | EventKind::Enter | EventKind::Exit | EventKind::Object => None,
    }
}

/// Whether an event has the value of its node; one that the runtime logged as a mismatch has not.
fn agrees(trace: &Trace, event: &Event) -> bool {
    let node = trace.nodes().get(event.label as usize);
    let same = node.zip(value_of(event)).is_none_or(|(node, value)| node.value == value);
    same && event_kind(event.kind) != Some(EventKind::Mismatch)
}

/// Whether the size of a region is what its label says, if it has one.
fn has_extent(trace: &Trace, region: &Region) -> bool {
    let node = trace.nodes().get(region.extent as usize).filter(|_| region.extent != 0);
    node.is_none_or(|node| node.value == region.size)
}

fn label_of(error: &CheckError) -> Option<Label> {
    use expr::ImportError::{Malformed, Order, Unknown};
    match error {
        CheckError::Mismatch { label, .. } | CheckError::NoByte { label, .. } => Some(*label),
        CheckError::Malformed(Unknown(label) | Order { label, .. } | Malformed { label, .. }) => Some(*label),
    }
}

/// Site of the first event whose label depends on `label`.
fn first_dependent(trace: &Trace, label: Label) -> Option<u32> {
    let nodes = trace.nodes();
    let mut depends = vec![false; nodes.len()];
    *depends.get_mut(label as usize)? = true;
    for (index, node) in nodes.iter().enumerate().skip(label as usize + 1) {
        let on = |label: u64| usize::try_from(label).is_ok_and(|label| depends.get(label) == Some(&true));
        let found = match Op::from_code(node.op) {
            Some(Op::Input | Op::Const) | None => false,
            Some(Op::Bytes) => (0..node.imm).any(|i| on(u64::from(node.a) + i)),
            Some(Op::Lookup) => on(node.a.into()) || (0..node.imm).any(|i| on(u64::from(node.b) + i)),
            Some(Op::Ite) => on(node.a.into()) || on(node.b.into()) || on(node.imm),
            Some(_) => on(node.a.into()) || on(node.b.into()),
        };
        if let Some(entry) = depends.get_mut(index) {
            *entry = found;
        }
    }
    let event = trace.events().iter().find(|event| depends.get(event.label as usize) == Some(&true));
    event.map(|event| event.site)
}
