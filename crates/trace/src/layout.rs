//! The trace as it lies in memory.
//!
//! The engine makes a sparse memory file of [`FILE_SIZE`] bytes, fills in [`Header`] and the input [`Part`]s, and
//! starts the concolic view with its path in [`crate::abi::TRACE_VARIABLE`]. The runtime maps the same file and
//! appends; counts in the header are raised only after what they count has been written, so the trace of a
//! process that died at any instruction can be read. Everything is little-endian and has a fixed place.

use core::sync::atomic::{AtomicU32, AtomicU64};

use crate::packed::{EventCell, NodeCell};

/// First bytes of every trace.
pub const MAGIC: [u8; 8] = *b"PROVOKE\n";
/// Raised whenever anything in this module or in [`crate::op`] changes its meaning.
pub const VERSION: u32 = 10;

/// Where the input parts start.
pub const PARTS_OFFSET: u64 = 0x1_0000;
/// How many input parts a trace can have.
pub const PARTS_CAPACITY: u32 = 1024;
/// Where the regions start.
pub const REGIONS_OFFSET: u64 = 0x100_0000;
/// How many regions can be recorded.
pub const REGIONS_CAPACITY: u32 = 1 << 22;
/// Where bytes given by the engine lie (contents of parts that are no files).
pub const DATA_OFFSET: u64 = 0x4000_0000;
/// How many bytes the engine can give.
pub const DATA_CAPACITY: u64 = 0x4000_0000;
/// Where the events start.
pub const EVENTS_OFFSET: u64 = 0x1_0000_0000;
/// How many cells of events fit; the memory cap of the run usually ends the trace before.
pub const EVENTS_CAPACITY: u64 = 1 << 28;
/// Where the nodes start.
pub const NODES_OFFSET: u64 = 0x10_0000_0000;
/// How many cells of nodes fit.
pub const NODES_CAPACITY: u32 = 1 << 28;
/// Size of the (sparse) file. Whoever looks at the last cell can look at the one behind it too.
pub const FILE_SIZE: u64 = NODES_OFFSET + NODES_CAPACITY as u64 * size_of::<NodeCell>() as u64 + 4096;

/// No block of memory can be larger than this: it is what allocators refuse, and more than any machine has.
pub const LARGEST_BLOCK: u64 = 1 << 40;

/// What a stack usually holds.
pub const LARGEST_STACK: u64 = 8 << 20;
/// Memory that a block whose size depends on input has at least, so that addresses can be followed to all of it. Where the
/// block can be larger, whether an access lies within so much of it is a decision.
pub const LEAST_ROOM: u64 = 1024;

/// A node's index, which is that of its first cell; 0 is "concrete".
pub type Label = u32;

/// The first page of a trace.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// Options, a combination of the `OPTION_` constants. Written by the engine.
    pub options: u32,
    /// The trace ends, and says so, when nodes and events together would take more bytes than this when they are read.
    pub memory_cap: u64,
    /// Process that writes the trace; 0 until one has claimed it. Later claimants run untraced.
    pub owner: AtomicU32,
    /// How the trace stands, one of [`State`].
    pub state: AtomicU32,
    /// Cells of nodes written, those of node 0 included.
    pub nodes: AtomicU32,
    /// Regions written.
    pub regions: AtomicU32,
    /// Cells of events written.
    pub events: AtomicU64,
    /// Parts written, by the engine and then by the runtime.
    pub parts: AtomicU32,
    /// Not used.
    pub reserved: u32,
    /// Things that are counted and not logged, indexed by [`Counter`].
    pub counters: [AtomicU64; 16],
}

/// With this option the runtime compares, wherever a labelled value is used, the value with its node's, and logs a
/// [`EventKind::Mismatch`] where they differ.
pub const OPTION_SELFCHECK: u32 = 1;

/// With this option addresses that depend on input are pinned; without it, what they refer to is followed as far as the
/// runtime knows it.
pub const OPTION_CONCRETE_MEMORY: u32 = 2;

/// How a trace stands.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// No process has claimed it.
    Unclaimed = 0,
    /// Being written; also what a process leaves behind that died.
    Running = 1,
    /// The process came to its end (`exit`, `_exit`, return from `main`).
    Ended = 2,
    /// The memory cap was reached; the process went on without tracing.
    CapReached = 3,
    /// The process replaced itself by another program.
    Replaced = 4,
}

/// What [`Header::counters`] counts.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    /// Symbolic branches executed, including those that repeat a constraint that is logged already.
    Branches = 0,
    /// Labels dropped because the memory under them had been changed by code that is not instrumented.
    StaleLabels = 1,
    /// Labels dropped because the runtime was entered again from a signal handler.
    Reentered = 2,
    /// Labels dropped because a call had more argument labels than there are slots.
    ArgumentOverflow = 3,
    /// Checks of conditions with labels, including those that are logged already.
    Checks = 4,
    /// Bytes of the input that somebody else than a model has read, as positions in its files say.
    UnseenInput = 5,
}

/// One step of a computation on input, unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// [`crate::op::Op`] code.
    pub op: u8,
    /// For the runtime's own use, but for [`MOVED`].
    pub flags: u8,
    /// Width of the result in bits, 1 to 1024.
    pub width: u16,
    /// First operand.
    pub a: Label,
    /// Second operand.
    pub b: Label,
    /// The concrete operand, or what the operator's description says.
    pub imm: u64,
    /// What the program itself computed here, modulo 2^64.
    pub value: u64,
}

/// A bit of [`Node::flags`] that the engine looks at, of nodes wider than one bit: the value was written to memory while the
/// program was in a loop that [`EventKind::Loop`] tells of.
pub const MOVED: u8 = 1;

/// What happened, in the order in which it happened, unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// [`EventKind`] code.
    pub kind: u8,
    /// For a branch or check: 1 if the condition was true. For others see [`EventKind`].
    pub taken: u8,
    /// For a pin or a loss: [`Reason`] code.
    pub reason: u16,
    /// Index into the view's site table.
    pub site: u32,
    /// The label that the event is about.
    pub label: Label,
    /// By kind: see [`EventKind`].
    pub aux: u32,
    /// By kind: see [`EventKind`].
    pub value: u64,
}

/// Kinds of [`Event`].
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// A conditional branch on the one-bit `label`. Logged once per label: a repeated one adds no constraint.
    Branch = 1,
    /// A switch on `label`, which had `value`. The site lists the cases; for a call or jump through `label`, the
    /// [`EventKind::Target`]s before it.
    Switch = 2,
    /// From here on the path holds only where `label` equals `value`; `reason` says why.
    Pin = 3,
    /// A read at the symbolic address `label`, which was `value`; `aux` is the index of its region plus one, or 0, and
    /// `taken` the number of bytes, 255 for more. With [`Reason::Address`] the path holds from here on only for that
    /// address; without, what was read is a choice between all that could have been.
    Read = 4,
    /// A write at such an address.
    Write = 5,
    /// Precision was lost without a label to pin: `reason` says how, `value` counts bytes where that is known.
    Loss = 6,
    /// Self-check: `label`'s node has another value than the program, which had `value`. Always an internal error.
    Mismatch = 7,
    /// A check whose condition is the one-bit `label`; `taken` is 1 if it held. `aux` is the label of the value that the
    /// check is about, or 0. Logged once per label.
    Check = 8,
    /// A size that depends on input: `label` is used as `taken` says, a [`SizeUse`] code. For a block of memory `value` is
    /// its address and `aux` the index of its region plus one, or 0; for an allocation `value` is the size, for a
    /// variable-length array the size of its elements.
    Size = 9,
    /// From here on the path holds only where the one-bit `label` is 1: an access goes to memory that is known. `aux` is the
    /// index of the region that it went to plus one, or 0; `taken` is 1. Where this is about the region's
    /// [`extent`](Region::extent) alone, `value` says how many of its bytes there must be, else it is 0.
    Bounds = 10,
    /// A call or jump through the address `label` can go to `value`.
    Target = 11,
    /// The program comes to a condition on input that decides whether a loop goes on; its [`EventKind::Branch`] or
    /// [`EventKind::Switch`] follows, if it says anything new. `value` is the loop's index in the view's site table, and above
    /// 32 bits the number of the condition among those of the loop; `aux` numbers the times that loops were entered, from 1.
    /// Everything up to [`EventKind::Leave`] with the same number happens in the loop. `label` is the last node so far.
    Loop = 12,
    /// The loop that was entered as number `aux` is left. `label` is the last node that was made in it, or before.
    Leave = 13,
    /// A unit is entered, as number `aux`: the one with the index `site` in the view's table of units. Its inputs came just before;
    /// `value` is where its frame ends, above its own variables. Everything up to [`EventKind::Exit`] with the same number
    /// happens in it; if there is none, until the end.
    Enter = 14,
    /// The unit that was entered as number `aux` is left.
    Exit = 15,
    /// Where an object is that the unit which is entered next, as number `aux`, gets: `value` is its address, `site` its index
    /// among the unit's objects, and `taken` what became of it, a [`Given`] code.
    Object = 16,
}

/// What becomes of an object that a unit gets.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Given {
    /// The pointer to it is null.
    Null = 0,
    /// It is input now, as far as its type says: the part with the unit's number and the object's index.
    Input = 1,
    /// It is no memory that is known: it stays what it is.
    Unknown = 2,
    /// It is, or overlaps, another object of the unit: it stays what that is.
    Shared = 3,
    /// There are too many parts: it stays what it is.
    NoRoom = 4,
    /// Its beginning is input now. The rest, which is too large, stays what it is.
    Beginning = 5,
}

/// What a size is used for.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SizeUse {
    /// Of a block from the malloc family.
    Allocation = 0,
    /// Of a variable-length array.
    StackArray = 1,
    /// So many bytes are read.
    BlockRead = 2,
    /// So many bytes are written.
    BlockWrite = 3,
}

/// Why precision was lost, at a pin or without one.
#[repr(u16)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// Not a loss.
    None = 0,
    /// Floating-point arithmetic.
    Float = 1,
    /// Inline assembly.
    Assembly = 2,
    /// An intrinsic or instruction that is not modelled.
    Instruction = 3,
    /// A function without bitcode and without a model was called with a labelled argument.
    UnmodelledCall = 4,
    /// The target of an indirect call.
    CallTarget = 5,
    /// The size of an allocation, of a stack array or of a block operation.
    Size = 6,
    /// An argument of a modelled function that the model takes as concrete.
    ModelArgument = 7,
    /// An atomic operation.
    Atomic = 8,
    /// Input was read at a place that could not be followed.
    InputLost = 9,
    /// A value did not fit the memory it was moved through (odd widths, vectors of them).
    Representation = 10,
    /// The address of an access.
    Address = 11,
    /// A string that may be longer was followed only as far as it went in the run.
    Length = 12,
    /// The amount by which a value is shifted, where it was read at an address that depends on input.
    Amount = 13,
    /// In a unit: pointers that it was given were compared with each other, or with others. Where they point to is no input.
    Identity = 14,
    /// A unit was entered that is not followed: by another thread than the first one, or too deep in others.
    Unit = 15,
}

/// A named source of input bytes.
#[repr(C)]
pub struct Part {
    /// [`PartKind`] code.
    pub kind: u32,
    /// Bytes of `name` in use.
    pub name_len: u32,
    /// For a file or standard input: its device number. For an input of a unit: the number that the unit was entered as, and above
    /// 32 bits the index of the object.
    pub device: u64,
    /// For a file or standard input: its inode number. For an argument: its number, the program's name being 0. For a
    /// length: the index of the part whose length it is. For an input of a unit: its address.
    pub inode: u64,
    /// Bytes in it: of the file when the engine looked; of the buffer. For a string: as many as its terms can tell apart,
    /// [`STRING_ROOM`] more than the string has.
    pub len: u64,
    /// For a buffer whose contents the engine gives: where they lie in the trace; else 0.
    pub data_offset: u64,
    /// Path or name.
    pub name: [u8; 4056],
}

/// Kinds of [`Part`].
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PartKind {
    /// A file, recognised by device and inode however it is opened.
    File = 1,
    /// Standard input, a regular file recognised in the same way.
    Stdin = 2,
    /// Memory named by `provoke_make_symbolic`.
    Buffer = 3,
    /// An argument of the program, a string.
    Argument = 4,
    /// The value of an environment variable, a string; the name is the variable's.
    Variable = 5,
    /// The length of another part in bytes, a number of [`LENGTH_BYTES`] bytes.
    Length = 6,
    /// What comes out of a socket: a file that is recognised as others are.
    Socket = 7,
    /// A string in memory that a unit gets.
    String = 8,
    /// The names in folders: a file that is recognised as others are.
    Folder = 9,
}

impl PartKind {
    /// Whether the program reads it from a file, which is known by its inode.
    pub const fn is_file(self) -> bool {
        matches!(self, PartKind::File | PartKind::Stdin | PartKind::Socket | PartKind::Folder)
    }
}

/// How many bytes behind the end of a string have terms: it may become so much longer with any contents.
pub const STRING_ROOM: u64 = 64;
/// What stands behind the end of a string as long as nobody asks for something else.
pub const STRING_FILL: u8 = b'A';
/// Bytes of the number that a length is.
pub const LENGTH_BYTES: u64 = 4;
/// The longest string that the system hands to a program is a little longer.
pub const LONGEST_STRING: u64 = 100_000;
/// How much longer files may become.
pub const FILE_GROWTH: u64 = 1 << 20;

/// A block of memory that an event refers to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// The label of the size where that depends on input, 64 bits wide, or 0.
    pub extent: Label,
    /// For a heap block, if units are told of: the number of the last [`EventKind::Enter`] before it was allocated. Else 0.
    pub allocated_in: u32,
    /// [`RegionKind`] code.
    pub kind: u32,
    /// For a global or a stack slot: index into the view's region-name table; for a heap block: its serial number.
    pub id: u32,
}

/// Kinds of [`Region`].
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegionKind {
    /// A global variable.
    Global = 1,
    /// A variable in a stack frame.
    Stack = 2,
    /// A block from the malloc family.
    Heap = 3,
}

const _: () = {
    assert!(size_of::<Header>() <= PARTS_OFFSET as usize);
    assert!(size_of::<Part>() == 4096);
    assert!(size_of::<Region>() == 32);
    assert!(PARTS_OFFSET + PARTS_CAPACITY as u64 * size_of::<Part>() as u64 <= REGIONS_OFFSET);
    assert!(REGIONS_OFFSET + REGIONS_CAPACITY as u64 * size_of::<Region>() as u64 <= DATA_OFFSET);
    assert!(DATA_OFFSET + DATA_CAPACITY <= EVENTS_OFFSET);
    assert!(EVENTS_OFFSET + EVENTS_CAPACITY * size_of::<EventCell>() as u64 <= NODES_OFFSET);
};
