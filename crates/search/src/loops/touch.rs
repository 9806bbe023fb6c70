//! What values of a run are computed from: which loops had a part in it.

use std::collections::BTreeMap;

use path::loops::Loops;
use trace::layout::{EventKind, Label, MOVED};
use trace::op::operands;
use trace::reader::{Trace, event_kind};

/// How many loops are told apart.
pub const MOST: usize = 63;

/// The bit for data that was moved in memory in some loop.
const ANY_LOOP: u64 = 1 << MOST;

/// For each node, the loops in whose later iterations it, or something that it is computed from, was made.
pub struct Touched<'a> {
    trace: &'a Trace,
    nodes: Vec<u64>,
    /// For each loop, the event at which its first later iteration begins.
    begins: Vec<(u64, usize)>,
}

impl Touched<'_> {
    /// Looks at all nodes of a trace. `bits` are the loops that matter.
    pub fn of<'a>(trace: &'a Trace, loops: &Loops, bits: &BTreeMap<u32, u64>) -> Touched<'a> {
        let mut nodes = vec![0; trace.nodes().len()];
        let mut begins: BTreeMap<u64, usize> = BTreeMap::new();
        for entry in &loops.entries {
            let Some(bit) = bits.get(&entry.number) else { continue };
            if let Some(start) = entry.second_iteration() {
                let begin = begins.entry(*bit).or_insert(start);
                *begin = start.min(*begin);
            }
            let end = (entry.nodes.end as usize).min(nodes.len());
            let made = nodes.get_mut(entry.nodes.start as usize..end).unwrap_or_default();
            made.iter_mut().for_each(|node| *node |= bit);
        }
        for (index, node) in trace.nodes().iter().enumerate() {
            let mut all = nodes.get(index).copied().unwrap_or(0);
            if node.width > 1 && node.flags & MOVED != 0 {
                all |= ANY_LOOP;
            }
            operands(node, |operand| all |= nodes.get(operand as usize).copied().unwrap_or(0));
            if let Some(place) = nodes.get_mut(index) {
                *place = all;
            }
        }
        Touched { trace, nodes, begins: begins.into_iter().collect() }
    }

    fn node(&self, label: Label) -> u64 {
        match self.nodes.get(label as usize).copied().unwrap_or(0) {
            // Which loop it was is not known.
            bits if bits & ANY_LOOP != 0 => u64::MAX,
            bits => bits,
        }
    }

    /// The loops that had a part in what an event is about: its value, what the value is checked for, the size of its region.
    pub fn by_event(&self, event: usize) -> u64 {
        let begun = self.begins.iter().filter(|(_, begin)| *begin <= event).fold(0, |all, (bit, _)| all | bit);
        let Some(event) = self.trace.events().get(event) else { return 0 };
        let has_region = matches!(
            event_kind(event.kind),
            Some(EventKind::Read | EventKind::Write | EventKind::Bounds | EventKind::Size)
        );
        let region = event.aux.checked_sub(1).filter(|_| has_region);
        let region = region.and_then(|region| self.trace.regions().get(region as usize));
        begun & (self.node(event.label) | region.map_or(0, |region| self.node(region.extent)))
    }
}
