//! Random valid traces, for property tests.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::layout::{Event, EventKind, Node, Reason, Region, RegionKind, State};
use crate::op::Op;
use crate::packed::PackedNode;
use crate::reader::{Head, InputPart, NO_NODE, Tables, Trace, state};

/// A valid trace.
pub fn traces() -> impl Strategy<Value = Trace> {
    let parts = vec(part(), 1..4);
    let kinds = [RegionKind::Global, RegionKind::Stack, RegionKind::Heap];
    let kinds = prop::sample::select(kinds.map(|kind| kind as u32).to_vec());
    let regions = vec((any::<u32>(), any::<u32>(), kinds, any::<u32>()), 0..4);
    let nodes = vec(any::<[u64; 5]>(), 0..40);
    let events = vec(any::<[u64; 4]>(), 0..20);
    (head(), parts, regions, nodes, events).prop_map(|(head, parts, regions, seeds, events)| {
        let mut tables = Tables::default();
        if !seeds.is_empty() {
            tables.nodes.push(node(Op::None, 0, [0, 0], 0, 0));
        }
        for seed in seeds {
            let mut next = random_node(&tables.nodes, parts.len() as u64, seed);
            if next.op == Op::Add as u8 && next.b == 0 {
                let operand = tables.nodes[next.a as usize].value;
                next.value = operand.wrapping_add(next.imm) & (u64::MAX >> (64 - next.width.min(64)));
            }
            tables.nodes.push(next);
            if PackedNode::of(&next).second().is_some() {
                tables.nodes.push(NO_NODE);
            }
        }
        for (base, size, kind, id) in regions {
            let wide = (0..).zip(&tables.nodes).filter(|(_, node)| node.width == 64).map(|(label, _)| label);
            let extent = wide.filter(|label| (id ^ label) % 2 == 0).last().unwrap_or(0);
            tables.regions.push(Region {
                base: base.into(),
                size: size.into(),
                extent,
                allocated_in: id % 3,
                kind,
                id,
            });
        }
        for seed in events {
            tables.events.extend(random_event(&tables, seed));
        }
        Trace::from_tables(tables, head, parts)
    })
}

fn head() -> impl Strategy<Value = Head> {
    (any::<u32>(), any::<u64>(), any::<u32>(), 0..5u32, any::<[u64; 16]>()).prop_map(
        |(options, memory_cap, owner, code, counters)| Head {
            options,
            memory_cap,
            owner,
            state: state(code).unwrap_or(State::Running),
            counters,
        },
    )
}

fn part() -> impl Strategy<Value = InputPart> {
    let kinds = (1..9u32).prop_filter_map("a kind", crate::reader::part_kind);
    (kinds, ".{0,20}", any::<u64>(), any::<u64>(), any::<u64>())
        .prop_map(|(kind, name, device, inode, len)| InputPart { kind, name, device, inode, len })
}

fn node(op: Op, width: u16, [a, b]: [u32; 2], imm: u64, value: u64) -> Node {
    Node { op: op as u8, flags: 0, width, a, b, imm, value }
}

/// A node that is valid after those `before` it: the operator that the seed asks for if its operands can be found,
/// else an input byte.
fn random_node(before: &[Node], parts: u64, [choice, first, second, imm, value]: [u64; 5]) -> Node {
    let input = node(Op::Input, 8, [(first % parts) as u32, 0], imm, value);
    let labels: Vec<u32> = (0..).zip(before).filter(|(_, node)| node.width > 0).map(|(label, _)| label).collect();
    if labels.is_empty() {
        return input;
    }
    let op = Op::ALL[choice as usize % Op::ALL.len()];
    let a = labels[first as usize % labels.len()];
    let width = before[a as usize].width;
    let of_width = |width: u16| {
        let fitting: Vec<u32> = labels.iter().copied().filter(|i| before[*i as usize].width == width).collect();
        (!fitting.is_empty()).then(|| fitting[second as usize % fitting.len()])
    };
    match op {
        Op::None | Op::Input => input,
        Op::Const if first % 2 == 0 => node(op, if second % 2 == 0 { 32 } else { 64 }, [0, 0], imm, value),
        Op::Const => node(op, (1 + second % 64) as u16, [0, 0], imm, value),
        Op::Concat if second % 2 == 0 && width < 960 => {
            let operands = if first % 2 == 0 { [a, 0] } else { [0, a] };
            node(op, width + (1 + second % 64) as u16, operands, imm, value)
        }
        Op::Concat if width <= 512 => node(op, width * 2, [a, a], 0, value),
        Op::Concat => input,
        Op::Bytes if width == 8 => node(op, 8, [a, 0], 1, value),
        Op::Bytes => input,
        Op::Extract => node(op, 1, [a, 0], imm % u64::from(width), value),
        Op::ZExt | Op::SExt => node(op, width + (second % u64::from(1025 - width)) as u16, [a, 0], 0, value),
        Op::Ite => match of_width(1) {
            Some(condition) => node(op, width, [a, a], condition.into(), value),
            None => input,
        },
        Op::FShl => node(op, width, [a, of_width(width).unwrap_or(a)], imm % u64::from(width), value),
        Op::Lookup => match of_width(1) {
            Some(index) => node(op, width, [index, a], 1, value),
            None => input,
        },
        Op::FFromS | Op::FFromU if width <= 64 => node(op, if second % 2 == 0 { 32 } else { 64 }, [a, 0], 0, value),
        op if op.is_float() && !matches!(width, 32 | 64) => input,
        Op::FSqrt => node(op, width, [a, 0], 0, value),
        Op::FRound => node(op, width, [a, 0], imm % 5, value),
        Op::FConvert => node(op, 96 - width, [a, 0], 0, value),
        Op::FToS => node(op, if second % 2 == 0 { 32 } else { 64 }, [a, 0], 0, value),
        Op::BSwap if !width.is_multiple_of(8) => input,
        Op::CtPop | Op::CtLz | Op::CtTz | Op::BitReverse | Op::BSwap => node(op, width, [a, 0], 0, value),
        _ => {
            let result = if op.is_predicate() { 1 } else { width };
            match second % 3 {
                0 if width <= 64 => node(op, result, [a, 0], imm, value),
                1 if width <= 64 => node(op, result, [0, a], imm, value),
                _ => node(op, result, [a, of_width(width).unwrap_or(a)], 0, value),
            }
        }
    }
}

fn random_event(tables: &Tables, [choice, site, label, value]: [u64; 4]) -> Option<Event> {
    let label = (label % tables.nodes.len().max(1) as u64) as u32;
    let label = label - u32::from(label > 0 && tables.nodes[label as usize] == NO_NODE);
    let mut event = Event { kind: 0, taken: 0, reason: 0, site: site as u32, label, aux: 0, value };
    let kind = match choice % 16 {
        0 if tables.nodes.get(label as usize).is_some_and(|node| node.width == 1) => {
            event.taken = (value & 1) as u8;
            event.value = 0;
            EventKind::Branch
        }
        1 => EventKind::Switch,
        9 => EventKind::Target,
        2 => {
            event.reason = (value % 12) as u16;
            EventKind::Pin
        }
        3 => {
            event.aux = (value % (1 + tables.regions.len() as u64)) as u32;
            event.taken = site as u8;
            event.reason = if value % 2 == 0 { 0 } else { Reason::Address as u16 };
            EventKind::Read
        }
        8 if tables.nodes.get(label as usize).is_some_and(|node| node.width == 1) => {
            event.aux = (value % (1 + tables.regions.len() as u64)) as u32;
            event.taken = 1;
            EventKind::Bounds
        }
        7 => {
            event.aux = (value % (1 + tables.regions.len() as u64)) as u32;
            event.taken = (site % 4) as u8;
            EventKind::Size
        }
        4 => EventKind::Write,
        10 | 11 => {
            event.aux = (site % 1000) as u32 + 1;
            if choice % 16 == 10 { EventKind::Loop } else { EventKind::Leave }
        }
        12..=14 => {
            event.label = 0;
            event.aux = (site % 1000) as u32 + 1;
            match choice % 16 {
                12 => EventKind::Enter,
                13 => EventKind::Exit,
                _ => {
                    event.taken = (value % 4) as u8;
                    EventKind::Object
                }
            }
        }
        5 => EventKind::Mismatch,
        6 if tables.nodes.get(label as usize).is_some_and(|node| node.width == 1) => {
            event.taken = (value & 1) as u8;
            event.aux = (site % u64::from(label + 1)) as u32;
            event.value = 0;
            EventKind::Check
        }
        _ => {
            event.label = 0;
            event.reason = (value % 12) as u16;
            EventKind::Loss
        }
    };
    event.kind = kind as u8;
    let needs_no_label = [EventKind::Loss, EventKind::Enter, EventKind::Exit, EventKind::Object];
    (event.label != 0 || needs_no_label.contains(&kind)).then_some(event)
}
