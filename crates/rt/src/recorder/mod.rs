//! The writer of the trace: nodes, events and regions are appended, and counted only after they are complete.

mod cons;

use core::sync::atomic::Ordering::{Relaxed, Release};

use trace::layout::{
    Counter, DATA_OFFSET, EVENTS_CAPACITY, EVENTS_OFFSET, Event, Header, Label, NODES_CAPACITY, NODES_OFFSET, Node,
    OPTION_CONCRETE_MEMORY, OPTION_SELFCHECK, PARTS_CAPACITY, PARTS_OFFSET, Part, REGIONS_CAPACITY, REGIONS_OFFSET,
    Region, State,
};
use trace::op::Op;
use trace::packed::{EventCell, NodeCell, PackedNode, View};

use crate::gate::Gate;
use crate::loops::Loops;
use crate::system::{Populated, populate_shared};
use cons::{ConsTable, Key};

/// Pages of nodes or events that are made present at once; more would waste memory in short runs.
const LARGEST_GRANT: u64 = 512 * 1024;
const SMALLEST_GRANT: u64 = 16 * 1024;

/// Bits of [`Node::flags`].
pub mod flag {
    /// A branch on this node is logged.
    pub const BRANCH: u8 = 1;
    /// Of a value, which is no condition: it was written to memory in a loop on input.
    pub const MOVED: u8 = trace::layout::MOVED;
    /// A switch on this node is logged.
    pub const SWITCH: u8 = 2;
    /// Of an element of a table, which nothing switches on: equal nodes are not looked for.
    pub const ELEMENT: u8 = SWITCH;
    /// A read at this address is logged.
    pub const READ: u8 = 4;
    /// A write at this address is logged.
    pub const WRITE: u8 = 8;
    /// The size that this node is, is pinned.
    pub const PIN_SIZE: u8 = 16;
    /// A pin because of an unmodelled call is logged.
    pub const PIN_CALL: u8 = 32;
    /// A pin for another reason is logged.
    pub const PIN_OTHER: u8 = 64;
    /// A check of this condition is logged.
    pub const CHECK: u8 = 128;
    /// Of an address, which is no condition: it is pinned.
    pub const PIN_ADDRESS: u8 = CHECK;
    /// Of a byte, which is neither: it was shown to code without labels.
    pub const SHOWN: u8 = CHECK;
}

/// How a node is found again: all of it but its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Operator.
    pub op: Op,
    /// Width in bits.
    pub width: u32,
    /// First operand.
    pub a: Label,
    /// Second operand.
    pub b: Label,
    /// Concrete operand.
    pub imm: u64,
}

impl Shape {
    /// The operand that was made last.
    #[inline(always)]
    fn newest(&self) -> Label {
        self.a.max(self.b)
    }
}

/// The trace being written.
pub struct Recorder {
    base: *mut u8,
    gate: &'static Gate,
    nodes: *mut NodeCell,
    /// The node that was made last.
    last_node: Label,
    node_count: u32,
    node_limit: u32,
    events: *mut EventCell,
    event_count: u64,
    event_limit: u64,
    region_count: u32,
    cap: u64,
    selfcheck: bool,
    follows_pointers: bool,
    table: ConsTable,
    pub(crate) loops: Loops,
}

impl Recorder {
    /// A writer on a mapped trace, or `None` if there is no memory for its tables.
    ///
    /// # Safety
    /// `base` is a mapping of `FILE_SIZE` bytes with a valid header, which nobody else writes to.
    pub unsafe fn new(base: *mut u8, gate: &'static Gate) -> Option<Recorder> {
        let table = ConsTable::new()?;
        // SAFETY: the offsets are within the file.
        let (nodes, events) =
            unsafe { (base.add(NODES_OFFSET as usize).cast(), base.add(EVENTS_OFFSET as usize).cast()) };
        let mut recorder = Recorder {
            base,
            gate,
            nodes,
            last_node: 0,
            node_count: 0,
            node_limit: 0,
            events,
            event_count: 0,
            event_limit: 0,
            region_count: 0,
            cap: 0,
            selfcheck: false,
            follows_pointers: false,
            table,
            loops: Loops::new(),
        };
        recorder.cap = recorder.header().memory_cap;
        recorder.selfcheck = recorder.header().options & OPTION_SELFCHECK != 0;
        recorder.follows_pointers = recorder.header().options & OPTION_CONCRETE_MEMORY == 0;
        // Node 0 stands for "concrete"; it is all zero.
        recorder.append(Node { op: 0, flags: 0, width: 0, a: 0, b: 0, imm: 0, value: 0 });
        Some(recorder)
    }

    /// The first page of the trace.
    pub fn header(&self) -> &'static Header {
        // SAFETY: by the contract of `new`; the fields that change are atomics.
        unsafe { &*self.base.cast::<Header>() }
    }

    /// Whether values are to be compared with their nodes'.
    pub fn selfcheck(&self) -> bool {
        self.selfcheck
    }

    /// Whether addresses with labels are followed, and not pinned.
    pub fn follows_pointers(&self) -> bool {
        self.follows_pointers
    }

    /// Adds to one of the counters.
    pub fn count(&self, counter: Counter, by: u64) {
        if let Some(cell) = self.header().counters.get(counter as usize) {
            cell.store(cell.load(Relaxed).wrapping_add(by), Relaxed);
        }
    }

    #[inline(always)]
    fn cell(&self, label: Label) -> *mut NodeCell {
        let index = if label < self.node_count { label } else { 0 };
        // SAFETY: the count is within the capacity.
        unsafe { self.nodes.add(index as usize) }
    }

    /// The node of a label; node 0 for a label that was never given out.
    #[inline(always)]
    pub fn node(&self, label: Label) -> View {
        // SAFETY: the cells below the count are written, behind the last one there is room for another, and nodes stay.
        unsafe { View::at(self.nodes, if label < self.node_count { label } else { 0 }) }
    }

    /// The cell of a label, to change what is not part of a node's shape.
    #[inline(always)]
    pub fn cell_mut(&mut self, label: Label) -> &mut NodeCell {
        // SAFETY: the cells below the count are written, and `self` is borrowed exclusively.
        unsafe { &mut *self.cell(label) }
    }

    /// The width of a label's node.
    #[inline(always)]
    pub fn width(&self, label: Label) -> u32 {
        // SAFETY: the cells below the count are written.
        unsafe { (*self.cell(label)).width().into() }
    }

    /// The labels of all nodes.
    #[cfg(test)]
    pub fn labels(&self) -> Vec<Label> {
        // SAFETY: the cells below the count are written.
        let next = |label: Label| label + 1 + u32::from(unsafe { (*self.cell(label)).is_long() });
        std::iter::successors(Some(1), |label| Some(next(*label)))
            .take_while(|label| *label < self.node_count)
            .collect()
    }

    /// The label of the node that was made last; 0 if there is none.
    pub fn last_node(&self) -> Label {
        self.last_node
    }

    /// Cells of nodes written so far, that of node 0 included.
    pub fn node_count(&self) -> u32 {
        self.node_count
    }

    /// Says that nodes over an operand are looked for soon.
    #[inline(always)]
    pub fn expect_use(&self, operand: Label) {
        self.table.prefetch(operand);
    }

    /// The label of the node of this shape: one that is there already, or a new one. 0 when the trace has ended.
    #[inline(never)]
    pub fn node_of_shape(&mut self, shape: Shape, value: u64) -> Label {
        let newest = shape.newest();
        let Shape { op, width, a, b, imm } = shape;
        let packed = PackedNode::of(&Node { op: op as u8, flags: 0, width: width as u16, a, b, imm, value });
        self.packed_node(newest, &packed, value)
    }

    /// The same for two operands with labels.
    #[inline(never)]
    pub fn node_of_labels(&mut self, op: Op, width: u32, (a, b): (Label, Label), value: u64) -> Label {
        let packed = PackedNode::of_labels(op, width as u16, (a, b), value);
        self.packed_node(a.max(b), &packed, value)
    }

    #[inline(always)]
    fn packed_node(&mut self, newest: Label, packed: &PackedNode, value: u64) -> Label {
        if newest != 0 {
            // What nothing was computed from yet needs no search.
            if self.cell_mut(newest).use_first() {
                let label = self.append_packed(packed);
                self.table.set_first(newest, label);
                self.check(label, 0, value);
                return label;
            }
            let first = self.table.first(newest);
            if self.is_at(first, packed) {
                return self.found(first, value);
            }
        }
        let key = Key { newest, hash: packed.hash() };
        if let Some(label) = self.table.find(key, |label| self.is_at(label, packed)) {
            return self.found(label, value);
        }
        let label = self.append_packed(packed);
        if label != 0 {
            self.table.insert(key, label);
            if self.table.is_crowded() {
                self.enlarge_table();
            }
            self.check(label, 0, value);
        }
        label
    }

    /// The label of a node that is computed again.
    #[inline(always)]
    fn found(&mut self, label: Label, value: u64) -> Label {
        if self.selfcheck && self.node(label).value() != value {
            self.mismatch(label, 0, value);
        }
        label
    }

    #[cold]
    #[inline(never)]
    fn enlarge_table(&mut self) {
        // SAFETY: labels in the table are those of nodes, which stay.
        let node = |label| unsafe { View::at(self.nodes, label) }.node();
        self.table.enlarge(|label| {
            let node = node(label);
            Key { newest: node.a.max(node.b), hash: PackedNode::of(&node).hash() }
        });
    }

    /// Whether a label's node has the shape of this one.
    #[inline(always)]
    fn is_at(&self, label: Label, packed: &PackedNode) -> bool {
        let cell = self.cell(label);
        // SAFETY: as in `node`.
        unsafe { packed.is_at(&*cell, || *cell.add(1)) }
    }

    /// Appends a node without making it known to [`Recorder::node_of_shape`]. 0 when the trace has ended.
    #[inline]
    pub fn append(&mut self, node: Node) -> Label {
        self.append_packed(&PackedNode::of(&node))
    }

    #[inline(always)]
    fn append_packed(&mut self, packed: &PackedNode) -> Label {
        let second = packed.second();
        let count = 1 + u32::from(second.is_some());
        if self.node_limit - self.node_count < count && !self.grant_nodes(count) {
            return 0;
        }
        let label = self.node_count;
        // SAFETY: the cells are below the limit, which is within the capacity.
        unsafe {
            let cell = self.nodes.add(label as usize);
            packed.write_first(cell);
            if let Some(second) = second {
                cell.add(1).write(second);
            }
        }
        self.last_node = label;
        self.node_count = label + count;
        self.header().nodes.store(self.node_count, Release);
        label
    }

    /// Makes sure that the next `count` nodes of one cell each get consecutive labels, or ends the trace.
    pub fn has_room_for(&mut self, count: u32) -> bool {
        self.node_count.saturating_add(count) <= self.node_limit || self.grant_nodes(count)
    }

    #[cold]
    #[inline(never)]
    fn grant_nodes(&mut self, needed: u32) -> bool {
        if !self.gate.is_open() {
            return false;
        }
        let size = size_of::<NodeCell>() as u64;
        let granted = u64::from(self.node_limit);
        let needed = u64::from(self.node_count) + u64::from(needed) - granted;
        let room = self.room() / size_of::<Node>() as u64;
        let count = self.grant_size(granted, size).max(needed).min(room);
        if count < needed || granted + count > u64::from(NODES_CAPACITY) {
            self.end_at_cap();
            return false;
        }
        let start = self.nodes as usize + (granted * size) as usize;
        if populate_shared(start, (count * size) as usize) == Populated::Never {
            self.end_at_cap();
            return false;
        }
        self.table.expect_nodes(self.node_limit, count as u32);
        self.node_limit = (granted + count) as u32;
        true
    }

    /// Appends an event, behind the ends of loops that it is not in; lost when the trace has ended.
    #[inline]
    pub fn log(&mut self, event: Event) {
        self.settle_loops();
        self.append_event(event);
    }

    /// The same without a look at loops.
    #[inline]
    pub fn append_event(&mut self, event: Event) {
        self.append_cells(EventCell::of(&event, false));
    }

    /// Appends a [`trace::layout::EventKind::Loop`]; `is_again` says that site and value are those of the last one of the entry.
    pub fn append_loop(&mut self, event: Event, is_again: bool) {
        self.append_cells(EventCell::of(&event, is_again));
    }

    #[inline(always)]
    fn append_cells(&mut self, (first, second): (EventCell, Option<EventCell>)) {
        let count = 1 + u64::from(second.is_some());
        if self.event_limit - self.event_count < count && !self.grant_events() {
            return;
        }
        // SAFETY: the cells are below the limit, which is within the capacity.
        unsafe {
            let cell = self.events.add(self.event_count as usize);
            cell.write(first);
            if let Some(second) = second {
                cell.add(1).write(second);
            }
        }
        self.event_count += count;
        self.header().events.store(self.event_count, Release);
    }

    /// Cells of events written so far.
    pub fn event_count(&self) -> u64 {
        self.event_count
    }

    /// Adds to the value of the event whose first cell is at `index`, if it is there.
    pub fn raise_value(&mut self, index: u64, by: u64) -> bool {
        if index >= self.event_count {
            return false;
        }
        // SAFETY: the cells below the count are written, and `self` is borrowed exclusively.
        unsafe {
            let cell = self.events.add(index as usize);
            if (*cell).is_long() && index + 1 < self.event_count {
                (*cell.add(1)).raise(by);
            }
        }
        true
    }

    /// The events from a cell on.
    #[cfg(test)]
    pub fn events_from(&self, first: u64) -> Vec<Event> {
        // SAFETY: the cells below the count are written.
        let cells = unsafe { core::slice::from_raw_parts(self.events, self.event_count as usize) };
        trace::packed::Events::new(cells.iter().skip(first as usize).copied()).collect()
    }

    #[cold]
    #[inline(never)]
    fn grant_events(&mut self) -> bool {
        if !self.gate.is_open() {
            return false;
        }
        let size = size_of::<EventCell>() as u64;
        let count = self.grant_size(self.event_limit, size).min(self.room() / size_of::<Event>() as u64);
        // An event has two cells at most.
        if count < 2 || self.event_limit + count > EVENTS_CAPACITY {
            self.end_at_cap();
            return false;
        }
        let start = self.events as usize + (self.event_limit * size) as usize;
        if populate_shared(start, (count * size) as usize) == Populated::Never {
            self.end_at_cap();
            return false;
        }
        self.event_limit += count;
        true
    }

    /// How many more items are granted after `granted` ones: as many again, within bounds.
    fn grant_size(&self, granted: u64, size: u64) -> u64 {
        (granted * size).clamp(SMALLEST_GRANT, LARGEST_GRANT) / size
    }

    /// Bytes below the memory cap that are granted neither to nodes nor to events.
    fn room(&self) -> u64 {
        let nodes = u64::from(self.node_limit) * size_of::<Node>() as u64;
        let events = self.event_limit * size_of::<Event>() as u64;
        self.cap.saturating_sub(nodes + events)
    }

    /// Ends the trace; the program goes on without.
    #[cold]
    fn end_at_cap(&mut self) {
        self.gate.close();
        self.header().state.store(State::CapReached as u32, Release);
    }

    /// Appends a region and returns its index, or `None` if there are too many.
    pub fn add_region(&mut self, region: Region) -> Option<u32> {
        let index = self.region_count;
        if index >= REGIONS_CAPACITY {
            return None;
        }
        let offset = REGIONS_OFFSET as usize + index as usize * size_of::<Region>();
        // SAFETY: the index is below the capacity.
        unsafe { self.base.add(offset).cast::<Region>().write(region) };
        self.region_count += 1;
        self.header().regions.store(self.region_count, Release);
        Some(index)
    }

    /// Parts of the input.
    pub fn part_count(&self) -> u32 {
        self.header().parts.load(Relaxed).min(PARTS_CAPACITY)
    }

    /// A part of the input.
    pub fn part(&self, index: u32) -> Option<&Part> {
        // SAFETY: parts below the count are written.
        (index < self.part_count()).then(|| unsafe { &*self.part_pointer(index) })
    }

    /// A part of the input, to correct its length.
    pub fn part_mut(&mut self, index: u32) -> Option<&mut Part> {
        // SAFETY: parts below the count are written, and `self` is borrowed exclusively.
        (index < self.part_count()).then(|| unsafe { &mut *self.part_pointer(index) })
    }

    fn part_pointer(&self, index: u32) -> *mut Part {
        // SAFETY: callers pass an index below the capacity.
        unsafe { self.base.add(PARTS_OFFSET as usize + index as usize * size_of::<Part>()).cast() }
    }

    /// Adds a part, filled in by `fill`, and returns its index; `None` if there are too many.
    pub fn add_part(&mut self, fill: impl FnOnce(&mut Part)) -> Option<u32> {
        let index = self.part_count();
        if index >= PARTS_CAPACITY {
            return None;
        }
        // SAFETY: the index is below the capacity; an unused part is all zero, which is a valid one.
        fill(unsafe { &mut *self.part_pointer(index) });
        self.header().parts.store(index + 1, Release);
        Some(index)
    }

    /// Bytes that the engine gave, if the range is within the data of the trace.
    pub fn data(&self, offset: u64, len: u64) -> Option<&'static [u8]> {
        let end = offset.checked_add(len)?;
        if offset < DATA_OFFSET || end > EVENTS_OFFSET {
            return None;
        }
        // SAFETY: the range is within the mapped file, and the engine has written it before the start.
        Some(unsafe { core::slice::from_raw_parts(self.base.add(offset as usize), len as usize) })
    }
}
