//! The parts of the input: their contents, the labels of their bytes, and the descriptors they are read through.

use core::ffi::c_int;

use trace::layout::{Counter, Label, Node, PARTS_CAPACITY, Part, PartKind, Reason};
use trace::op::Op;

use super::term::Term;
use super::written_files::WrittenFiles;
use crate::recorder::Recorder;
use crate::runtime::Runtime;
use crate::shadow;
use crate::system::{List, release, reserve};

/// Labels of input bytes are made for so many bytes at a time, and are consecutive within them.
const BLOCK: u64 = 4096;
/// Descriptors above this are looked at anew each time.
const REMEMBERED_DESCRIPTORS: usize = 1024;

/// What the runtime keeps of a part.
#[derive(Clone, Copy)]
struct Source {
    /// Of a file, once it has been opened: its bytes.
    contents: *const u8,
    len: u64,
    device: u64,
    inode: u64,
    /// First label of each block of [`BLOCK`] bytes, or 0.
    blocks: *mut Label,
    /// Bytes that the engine gave for a buffer.
    given: u64,
    /// Whether a buffer has been declared by the program.
    used: bool,
    /// Its length, where that is input too.
    length: Option<Term>,
    /// Who stands at a place that was counted from its end.
    from_end: FromEnd,
    /// Up to where models have read it or moved in it.
    seen: u64,
}

/// Which descriptors stand at places that were counted from the end of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FromEnd {
    Nobody,
    One(c_int),
    Several,
}

/// What is known of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Descriptor {
    Unknown,
    Other,
    /// What is read there the program itself may have written.
    Own,
    Part(u32),
}

/// All parts of the input.
pub struct Inputs {
    sources: List<Source>,
    descriptors: [Descriptor; REMEMBERED_DESCRIPTORS],
    written: WrittenFiles,
}

impl Inputs {
    /// The parts that the engine named.
    pub fn new(recorder: &Recorder) -> Inputs {
        let mut sources = List::new(PARTS_CAPACITY as usize);
        for index in 0..recorder.part_count() {
            if let Some(part) = recorder.part(index) {
                sources.push(Source::of(part));
            }
        }
        let descriptors = [Descriptor::Unknown; REMEMBERED_DESCRIPTORS];
        Inputs { sources, descriptors, written: WrittenFiles::new() }
    }

    /// Adds a buffer of `len` bytes, the part with the next index.
    pub(super) fn add_buffer(&mut self, len: u64) {
        let contents = core::ptr::null();
        self.sources.push(Source {
            contents,
            len,
            device: 0,
            inode: 0,
            blocks: blocks(len),
            given: 0,
            used: false,
            length: None,
            from_end: FromEnd::Nobody,
            seen: 0,
        });
    }

    /// Whether the program has declared this buffer already.
    pub(super) fn is_used(&self, part: u32) -> bool {
        self.sources.items().get(part as usize).is_none_or(|source| source.used)
    }

    /// The program has declared this buffer.
    pub(super) fn mark_used(&mut self, part: u32) {
        if let Some(source) = self.sources.items_mut().get_mut(part as usize) {
            source.used = true;
        }
    }

    /// Bytes that the engine gave for a buffer.
    pub(super) fn given_len(&self, part: u32) -> u64 {
        self.sources.items().get(part as usize).map_or(0, |source| source.given)
    }

    /// Lets a buffer be longer than the engine said.
    pub(super) fn resize_buffer(&mut self, part: u32, len: u64) {
        if let Some(source) = self.sources.items_mut().get_mut(part as usize)
            && source.len < len
        {
            *source = Source { len, blocks: blocks(len), ..*source };
        }
    }

    /// The length of a part, where that is input.
    pub(super) fn length(&self, part: u32) -> Option<Term> {
        self.sources.items().get(part as usize)?.length
    }

    /// Says that the length of a part is input.
    pub(super) fn set_length(&mut self, part: u32, length: Term) {
        if let Some(source) = self.sources.items_mut().get_mut(part as usize) {
            source.length = Some(length);
        }
    }

    /// A descriptor of a part was moved: to a place that was counted from its end, or from its start.
    pub(super) fn moved(&mut self, part: u32, descriptor: c_int, from_end: bool) {
        let Some(source) = self.sources.items_mut().get_mut(part as usize) else { return };
        source.from_end = match (source.from_end, from_end) {
            (FromEnd::Nobody, true) => FromEnd::One(descriptor),
            (FromEnd::One(other), true) if other != descriptor => FromEnd::Several,
            (FromEnd::One(other), false) if other == descriptor => FromEnd::Nobody,
            (unchanged, _) => unchanged,
        };
    }

    /// Whether something may be read from a part at a place that was counted from its end.
    pub(super) fn is_counted_from_end(&self, part: u32) -> bool {
        self.sources.items().get(part as usize).is_some_and(|source| source.from_end != FromEnd::Nobody)
    }

    /// Models have seen a part up to here. Returns how many bytes that is further than before.
    fn see(&mut self, part: u32, end: u64) -> u64 {
        let Some(source) = self.sources.items_mut().get_mut(part as usize) else { return 0 };
        let further = end.min(source.len).saturating_sub(source.seen);
        source.seen += further;
        further
    }

    /// Whether a part of the input is read from a file.
    pub fn has_files(&self, recorder: &Recorder) -> bool {
        (0..recorder.part_count()).any(|index| recorder.part(index).is_some_and(|part| is_file(part.kind)))
    }

    /// The part that is the file with these numbers.
    pub(super) fn part_with(&self, device: u64, inode: u64) -> Option<u32> {
        let is_same = |source: &Source| source.inode == inode && source.device == device && inode != 0;
        self.sources.items().iter().position(is_same).map(|index| index as u32)
    }

    /// The part that a descriptor reads, if it is one.
    pub fn part_of(&mut self, descriptor: c_int) -> Option<u32> {
        let known = usize::try_from(descriptor).ok().and_then(|index| self.descriptors.get(index));
        match known {
            Some(Descriptor::Other | Descriptor::Own) => None,
            Some(Descriptor::Part(part)) => Some(*part),
            _ => self.look_at(descriptor),
        }
    }

    /// The part that a descriptor reads, whatever was known of it.
    pub fn look_at(&mut self, descriptor: c_int) -> Option<u32> {
        match self.classify(descriptor)? {
            Descriptor::Part(part) => Some(part),
            _ => None,
        }
    }

    /// What a descriptor is; nothing if it cannot be known yet.
    fn classify(&mut self, descriptor: c_int) -> Option<Descriptor> {
        // SAFETY: all zero bits are a valid `stat`, which fstat fills in.
        let status = unsafe {
            let mut status: libc::stat = core::mem::zeroed();
            (libc::fstat(descriptor, &mut status) == 0).then_some(status)
        };
        let part = status.and_then(|status| self.part_with(status.st_dev, status.st_ino)).map(|part| part as usize);
        if let Some(source) = part.and_then(|index| self.sources.items_mut().get_mut(index))
            && source.contents.is_null()
        {
            // The first descriptor that the part is read through; one that only writes tells nothing.
            source.contents = read_whole(descriptor, source.len)?;
        }
        let kind = match (part, status) {
            (Some(part), _) => Descriptor::Part(part as u32),
            (None, Some(status)) if self.written.may_be_read(descriptor, &status) => Descriptor::Own,
            _ => Descriptor::Other,
        };
        if let Some(known) = usize::try_from(descriptor).ok().and_then(|index| self.descriptors.get_mut(index)) {
            *known = kind;
        }
        Some(kind)
    }

    /// Whether what is read through a descriptor, which is no part of the input, may be what the program itself has written.
    pub fn is_own(&mut self, descriptor: c_int) -> bool {
        // No descriptor at all: memory that is read as a file.
        let Ok(index) = usize::try_from(descriptor) else { return true };
        match self.descriptors.get(index) {
            Some(known) if *known != Descriptor::Unknown => *known == Descriptor::Own,
            _ => self.classify(descriptor) == Some(Descriptor::Own),
        }
    }

    /// A descriptor was opened. What is written through it may be read through others.
    pub fn opened(&mut self, descriptor: c_int) {
        self.forget(descriptor);
        if self.written.add(descriptor) {
            for known in self.descriptors.iter_mut().filter(|known| **known == Descriptor::Other) {
                *known = Descriptor::Unknown;
            }
        }
    }

    /// Forgets what is known of a descriptor: it was opened or closed.
    pub fn forget(&mut self, descriptor: c_int) {
        if let Some(known) = usize::try_from(descriptor).ok().and_then(|index| self.descriptors.get_mut(index)) {
            *known = Descriptor::Unknown;
        }
    }

    /// Bytes of a part, as many as there are up to `len`.
    pub fn contents(&self, part: u32, offset: u64, len: u64) -> &[u8] {
        let Some(source) = self.sources.items().get(part as usize) else { return &[] };
        if source.contents.is_null() || offset >= source.len {
            return &[];
        }
        let len = len.min(source.len - offset);
        // SAFETY: the range is within what was read at the start.
        unsafe { core::slice::from_raw_parts(source.contents.add(offset as usize), len as usize) }
    }

    /// The labels from `offset` on that are consecutive, as first label and count; at most `len`.
    pub(super) fn run(
        &mut self,
        recorder: &mut Recorder,
        part: u32,
        offset: u64,
        len: u64,
        values: &[u8],
    ) -> (Label, u64) {
        let Some(source) = self.sources.items().get(part as usize).copied() else { return (0, len) };
        if offset >= source.len || source.blocks.is_null() {
            return (0, len);
        }
        let block = offset / BLOCK;
        let in_block = offset % BLOCK;
        // SAFETY: the table has an entry for every block of the part.
        let slot = unsafe { &mut *source.blocks.add(block as usize) };
        if *slot == 0 {
            *slot = make_block(recorder, part, &source, block);
        }
        let count = len.min(BLOCK - in_block).min(source.len - offset);
        if *slot == 0 {
            return (0, count);
        }
        let first = *slot + in_block as Label;
        if source.contents.is_null() {
            for (label, value) in (first..).zip(values).take(count as usize) {
                recorder.cell_mut(label).set_input(*value);
            }
        }
        (first, count)
    }

    /// The label of one byte of a part; 0 beyond its end.
    #[inline]
    pub fn label(&mut self, recorder: &mut Recorder, part: u32, offset: u64) -> Label {
        self.run(recorder, part, offset, 1, &[]).0
    }
}

impl Source {
    fn of(part: &Part) -> Source {
        let is_file = is_file(part.kind);
        let (device, inode, len) = if is_file { (part.device, part.inode, part.len) } else { (0, 0, part.len) };
        Source {
            contents: core::ptr::null(),
            len,
            device,
            inode,
            blocks: blocks(len),
            given: part.len,
            used: false,
            length: None,
            from_end: FromEnd::Nobody,
            seen: 0,
        }
    }
}

/// Where a descriptor stands.
fn position(descriptor: c_int) -> Option<u64> {
    // SAFETY: asks only.
    u64::try_from(unsafe { libc::lseek(descriptor, 0, libc::SEEK_CUR) }).ok()
}

/// Whether a kind of part is one that is read from a file.
pub(super) fn is_file(kind: u32) -> bool {
    [PartKind::File, PartKind::Stdin, PartKind::Socket, PartKind::Folder].iter().any(|file| *file as u32 == kind)
}

fn blocks(len: u64) -> *mut Label {
    reserve((len / BLOCK + 1) as usize).map_or(core::ptr::null_mut(), |blocks| blocks.as_ptr())
}

/// Makes the labels of a block, all consecutive.
fn make_block(recorder: &mut Recorder, part: u32, source: &Source, block: u64) -> Label {
    let start = block * BLOCK;
    let count = BLOCK.min(source.len - start);
    if !recorder.has_room_for(count as u32) {
        return 0;
    }
    let first = recorder.node_count();
    for offset in start..start + count {
        let value = if source.contents.is_null() {
            0
        } else {
            // SAFETY: the offset is below the length of the contents.
            u64::from(unsafe { *source.contents.add(offset as usize) })
        };
        recorder.append(Node { op: Op::Input as u8, flags: 0, width: 8, a: part, b: 0, imm: offset, value });
    }
    first
}

/// A copy of a file's first `len` bytes. The program may change the file later; what it reads is compared with the copy.
fn read_whole(descriptor: c_int, len: u64) -> Option<*const u8> {
    let copy = reserve::<u8>(len as usize)?;
    let mut done = 0;
    while done < len {
        // SAFETY: the copy has room for the rest; pread does not move the descriptor's position.
        let count = unsafe {
            let place = copy.as_ptr().add(done as usize).cast();
            libc::pread(descriptor, place, (len - done) as usize, done as libc::off_t)
        };
        if count <= 0 {
            // SAFETY: reserved above with this size.
            unsafe { release(copy, len as usize) };
            return None;
        }
        done += count as u64;
    }
    Some(copy.as_ptr().cast_const())
}

impl Runtime {
    /// A descriptor of a part stands where a model has moved it to, or whoever filled a buffer for one.
    pub(super) fn moved_by_model(&mut self, part: u32, descriptor: c_int) {
        if let Some(position) = position(descriptor) {
            self.inputs.see(part, position);
        }
    }

    /// A descriptor of a part stands at a position. If no model has been there, somebody else has read what lies before.
    pub(super) fn look_for_unseen(&mut self, part: u32, position: u64) {
        let unseen = self.inputs.see(part, position);
        if unseen > 0 {
            self.recorder.count(Counter::UnseenInput, unseen);
        }
    }

    /// The same for a descriptor, whatever it is.
    pub fn look_for_unseen_at(&mut self, descriptor: c_int) {
        if let Some(part) = self.inputs.part_of(descriptor)
            && let Some(position) = position(descriptor)
        {
            self.look_for_unseen(part, position);
        }
    }

    /// The same for all descriptors that the program has, up to a number that few have more of.
    pub fn look_for_unseen_everywhere(&mut self) {
        const LOOKED_AT: c_int = 16;
        for descriptor in 0..LOOKED_AT {
            self.look_for_unseen_at(descriptor);
        }
    }

    /// Labels memory that was filled from a part at `offset`. Bytes that differ from the part's are left concrete, and
    /// the place is logged.
    pub fn label_input(&mut self, address: u64, len: u64, part: u32, offset: u64, site: u32) {
        // SAFETY: the bytes were just written by the modelled function.
        let values = unsafe { core::slice::from_raw_parts(address as *const u8, len as usize) };
        self.inputs.see(part, offset.saturating_add(len));
        let contents = self.inputs.contents(part, offset, len);
        let known = contents.len() as u64;
        if contents != &values[..contents.len()] {
            shadow::clear(address, len);
            return self.loss(site, Reason::InputLost, len);
        }
        self.label_run(address, known, part, offset, &[]);
        // Beyond the length that the engine saw nothing is symbolic.
        if known < len {
            shadow::clear(address + known, len - known);
            self.loss(site, Reason::InputLost, len - known);
        }
    }

    /// Labels memory with the bytes of a part from `offset` on.
    pub(super) fn label_run(&mut self, address: u64, len: u64, part: u32, offset: u64, values: &[u8]) {
        shadow::expect_labels(address, len);
        let mut done = 0;
        while done < len {
            let rest = values.get(done as usize..).unwrap_or_default();
            let (first, count) = self.inputs.run(&mut self.recorder, part, offset + done, len - done, rest);
            if count == 0 {
                return shadow::clear(address + done, len - done);
            }
            if first == 0 {
                shadow::clear(address + done, count);
            } else {
                shadow::set_run(address + done, first, 1, count as u32);
            }
            done += count;
        }
    }
}
