//! Reading traces.
//!
//! The program that wrote a trace may have scribbled over it, so nothing in it is believed: [`Trace`] checks
//! everything once and then hands out only what holds together, the longest valid prefix of each table. What
//! had to be left out is said by [`Trace::notes`].
//!
//! [`create`] makes the trace that the engine gives to a run.

mod codes;
mod record;
mod spare;
mod validate;

use std::fs::File;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

pub use self::codes::{counter_name, event_kind, given, part_kind, reason, region_kind, size_use, state};
pub use self::record::{Memory, NewPart, Options, Recording, create};
pub use self::validate::NodeError;
use crate::layout::{
    Counter, EVENTS_CAPACITY, EVENTS_OFFSET, Event, Header, Label, MAGIC, NODES_CAPACITY, NODES_OFFSET, Node,
    PARTS_CAPACITY, PARTS_OFFSET, Part, PartKind, REGIONS_CAPACITY, REGIONS_OFFSET, Region, State, VERSION,
};
use crate::op::Op;
use crate::packed::{EventCell, Events, NodeCell};

/// Why there is no trace to read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not a trace at all.
    #[error("this is not a trace, or the program has overwritten the start of it")]
    NotATrace,
    /// A trace of another version.
    #[error("the trace has version {0}, this program reads version {VERSION}; make the view again")]
    Version(u32),
    /// More inputs than a trace can name.
    #[error("{0} inputs are too many: a trace can name {PARTS_CAPACITY}")]
    TooManyParts(usize),
    /// The name of an input does not fit.
    #[error("the name of an input is too long ({0} bytes)")]
    NameTooLong(usize),
    /// More bytes of buffers than a trace has room for.
    #[error("the buffers of the input are too large together: a trace has room for 1 GiB")]
    TooMuchData,
    /// The operating system refused.
    #[error("cannot {action}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// Its answer.
        source: std::io::Error,
    },
}

/// Something in a trace that does not hold together; what it was part of has been left out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// A count in the header is larger than what the file can hold.
    #[error("the header counts {claimed} {table}, only {possible} fit")]
    Count {
        /// Which table.
        table: &'static str,
        /// What the header says.
        claimed: u64,
        /// What fits.
        possible: u64,
    },
    /// The state is none that is known.
    #[error("the state of the trace ({0}) is not a known one")]
    State(u32),
    /// A part that cannot be; it and the following ones are left out.
    #[error("input part {0} is damaged, it and the following ones are left out")]
    Part(u32),
    /// A region that cannot be; it and the following ones are left out.
    #[error("region {0} is damaged, it and the following ones are left out")]
    Region(u32),
    /// A node that cannot be; it and the following ones are left out.
    #[error("node %{index} is damaged ({error}), it and the following ones are left out")]
    Node {
        /// Its label.
        index: u32,
        /// What is wrong with it.
        error: NodeError,
    },
    /// An event that cannot be, or that refers to what was left out; it and the following ones are left out.
    #[error("event {0} is damaged or refers to what is, it and the following ones are left out")]
    Event(u64),
    /// An event that the terms before it exclude; it and the following ones are left out.
    #[error(
        "event {0} is a way that no input can take (the program did something undefined before, or wrote into its trace), it and \
             the following ones are left out"
    )]
    Contradiction(u64),
}

/// A named source of input bytes; [`Part`] in a form that is easy to use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputPart {
    /// What it is.
    pub kind: PartKind,
    /// Path or name.
    pub name: String,
    /// Device number of a file, else 0.
    pub device: u64,
    /// Inode number of a file, else 0.
    pub inode: u64,
    /// Size in bytes.
    pub len: u64,
}

/// The tables of a trace, unpacked.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) nodes: Vec<Node>,
    pub(crate) events: Vec<Event>,
    pub(crate) regions: Vec<Region>,
}

/// What stands in a trace's header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) options: u32,
    pub(crate) memory_cap: u64,
    pub(crate) owner: u32,
    pub(crate) state: State,
    pub(crate) counters: [u64; 16],
}

/// A trace, checked.
#[derive(Debug)]
pub struct Trace {
    tables: Tables,
    head: Head,
    parts: Vec<InputPart>,
    notes: Vec<Note>,
    size: u64,
}

impl Trace {
    /// Reads a trace that was kept as a file. The file must not change while the trace is in use.
    pub fn open(path: &Path) -> Result<Trace, Error> {
        let file = File::open(path).map_err(|source| Error::System { action: "open the trace", source })?;
        Trace::from_file(&file)
    }

    /// As [`Trace::open`], of an open file.
    pub fn from_file(file: &File) -> Result<Trace, Error> {
        let len = file.metadata().map_err(|source| Error::System { action: "look at the trace", source })?.len();
        if len < size_of::<Header>() as u64 {
            return Err(Error::NotATrace);
        }
        // A private map, because before Linux 6.7 a sealed file could not be mapped shared, not even for reading.
        // SAFETY: the map is read-only; that nobody changes the file is the caller's promise, and `Recording::finish`
        // keeps it by sealing.
        let map = unsafe { MmapOptions::new().map_copy_read_only(file) }
            .map_err(|source| Error::System { action: "map the trace", source })?;
        Trace::from_map(&map)
    }

    fn from_map(map: &Mmap) -> Result<Trace, Error> {
        let mut notes = Vec::new();
        let (head, claimed) = read_header(map, &mut notes)?;
        let mut fitting = |table, claimed: u64, capacity: u64, offset: u64, size: usize| {
            let possible = (map.len() as u64).saturating_sub(offset) / size as u64;
            let possible = possible.min(capacity);
            if claimed > possible {
                notes.push(Note::Count { table, claimed, possible });
            }
            claimed.min(possible) as usize
        };
        let parts = fitting("parts", claimed.parts, PARTS_CAPACITY.into(), PARTS_OFFSET, size_of::<Part>());
        let regions = fitting("regions", claimed.regions, REGIONS_CAPACITY.into(), REGIONS_OFFSET, size_of::<Region>());
        let events = fitting("events", claimed.events, EVENTS_CAPACITY, EVENTS_OFFSET, size_of::<EventCell>());
        let nodes = fitting("nodes", claimed.nodes, NODES_CAPACITY.into(), NODES_OFFSET, size_of::<NodeCell>());
        let parts = validate::parts(table(map, PARTS_OFFSET, parts), &mut notes);
        let tables = Tables {
            nodes: unpack_nodes(table(map, NODES_OFFSET, nodes), &mut notes),
            events: unpack_events(table(map, EVENTS_OFFSET, events)),
            regions: table(map, REGIONS_OFFSET, regions).to_vec(),
        };
        let size = nodes * size_of::<NodeCell>() + events * size_of::<EventCell>();
        Ok(Trace { size: size as u64, ..Trace::checked(tables, head, parts, notes) })
    }

    /// A trace out of tables that did not come from a map; they are checked in the same way.
    pub(crate) fn from_tables(tables: Tables, head: Head, parts: Vec<InputPart>) -> Trace {
        Trace::checked(tables, head, parts, Vec::new())
    }

    fn checked(mut tables: Tables, head: Head, parts: Vec<InputPart>, mut notes: Vec<Note>) -> Trace {
        let Tables { nodes, events, regions } = &mut tables;
        nodes.truncate(validate::nodes(nodes, parts.len(), &mut notes));
        if nodes.len() > 1 {
            nodes.pop_if(|last| *last == NO_NODE);
        }
        regions.truncate(validate::regions(regions, nodes, &mut notes));
        events.truncate(validate::events(events, nodes, regions, &mut notes));
        Trace { tables, head, parts, notes, size: 0 }
    }

    /// The nodes; a label is an index into them. Node 0 is none, nor is what lies behind a node that took two cells.
    /// Empty if nothing was traced.
    pub fn nodes(&self) -> &[Node] {
        &self.tables.nodes
    }

    /// The events, in the order in which they happened.
    pub fn events(&self) -> &[Event] {
        &self.tables.events
    }

    /// The blocks of memory that events refer to.
    pub fn regions(&self) -> &[Region] {
        &self.tables.regions
    }

    /// The inputs; an `Input` node names one by its index.
    pub fn parts(&self) -> &[InputPart] {
        &self.parts
    }

    /// How the trace stands.
    pub fn state(&self) -> State {
        self.head.state
    }

    /// What is counted and not logged.
    pub fn counter(&self, counter: Counter) -> u64 {
        self.head.counters.get(counter as usize).copied().unwrap_or_default()
    }

    /// What had to be left out.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Bytes that nodes and events took in the memory of the program; 0 if the trace did not come from there.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The process that wrote the trace, or 0.
    pub fn owner(&self) -> u32 {
        self.head.owner
    }

    pub(crate) fn head(&self) -> &Head {
        &self.head
    }
}

/// What stands for the second cell of a node.
pub(crate) const NO_NODE: Node = Node { op: 0, flags: 0, width: 0, a: 0, b: 0, imm: 0, value: 0 };

/// How many nodes or events there is room for at once: what is counted may not be there.
const MOST_EXPECTED: usize = 1 << 21;

/// The nodes in these cells, up to the first one that is none.
fn unpack_nodes(cells: &[NodeCell], notes: &mut Vec<Note>) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(cells.len().min(MOST_EXPECTED));
    let mut rest = cells.iter().copied();
    while let Some(cell) = rest.next() {
        let second = if cell.is_long() { rest.next() } else { None };
        let value_of = |label: Label| nodes.get(label as usize).map_or(0, |node: &Node| node.value);
        let node = cell.unpack(second.unwrap_or_default(), value_of);
        let is_none = node.op == Op::None as u8 && !nodes.is_empty();
        if is_none || cell.is_long() != second.is_some() {
            notes.push(Note::Node { index: nodes.len() as u32, error: NodeError::Operator(node.op) });
            break;
        }
        nodes.push(node);
        nodes.extend(second.map(|_| NO_NODE));
    }
    nodes
}

/// The events in these cells, up to and with the first one that is none.
fn unpack_events(cells: &[EventCell]) -> Vec<Event> {
    let mut events = Vec::with_capacity(cells.len().min(MOST_EXPECTED));
    for event in Events::new(cells.iter().copied()) {
        events.push(event);
        if event.kind == 0 {
            break;
        }
    }
    events
}

/// Traces are equal if they say the same; the nodes' fields that are for the runtime alone make no difference.
impl PartialEq for Trace {
    fn eq(&self, other: &Trace) -> bool {
        let own = |node: &Node| Node { flags: 0, ..*node };
        self.head == other.head
            && self.parts == other.parts
            && self.notes == other.notes
            && self.regions() == other.regions()
            && self.events() == other.events()
            && self.nodes().iter().map(own).eq(other.nodes().iter().map(own))
    }
}

/// Sizes of the tables as the header gives them.
struct Claimed {
    nodes: u64,
    events: u64,
    regions: u64,
    parts: u64,
}

fn read_header(map: &Mmap, notes: &mut Vec<Note>) -> Result<(Head, Claimed), Error> {
    use std::sync::atomic::Ordering::Relaxed;
    let [header]: &[Header] = table(map, 0, 1) else { return Err(Error::NotATrace) };
    if header.magic != MAGIC {
        return Err(Error::NotATrace);
    }
    if header.version != VERSION {
        return Err(Error::Version(header.version));
    }
    let code = header.state.load(Relaxed);
    let state = state(code).unwrap_or_else(|| {
        notes.push(Note::State(code));
        State::Running
    });
    let head = Head {
        options: header.options,
        memory_cap: header.memory_cap,
        owner: header.owner.load(Relaxed),
        state,
        counters: std::array::from_fn(|i| header.counters.get(i).map_or(0, |counter| counter.load(Relaxed))),
    };
    let claimed = Claimed {
        nodes: header.nodes.load(Relaxed).into(),
        events: header.events.load(Relaxed),
        regions: header.regions.load(Relaxed).into(),
        parts: header.parts.load(Relaxed).into(),
    };
    Ok((head, claimed))
}

/// The types that lie in a trace: plain data for which every bit pattern is a value.
///
/// # Safety
/// Only for `repr(C)` types without padding that hold nothing but integers and atomic integers.
unsafe trait Plain {}
// SAFETY: the layout module defines all of them so.
unsafe impl Plain for Header {}
// SAFETY: as above.
unsafe impl Plain for Part {}
// SAFETY: as above.
unsafe impl Plain for Region {}
// SAFETY: as above.
unsafe impl Plain for EventCell {}
// SAFETY: as above.
unsafe impl Plain for NodeCell {}

/// `count` values at `offset`, or none if they do not lie in the map.
fn table<T: Plain>(map: &Mmap, offset: u64, count: usize) -> &[T] {
    let bytes = count
        .checked_mul(size_of::<T>())
        .and_then(|len| Some(offset as usize..(offset as usize).checked_add(len)?))
        .and_then(|range| map.get(range));
    match bytes {
        Some(bytes) if bytes.as_ptr().cast::<T>().is_aligned() => {
            // SAFETY: the range lies in the map, which the result borrows; the pointer is aligned; `T` is plain data.
            unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), count) }
        }
        _ => &[],
    }
}

#[cfg(test)]
mod tests;
