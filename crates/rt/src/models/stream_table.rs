//! Where streams stand in the input.
//!
//! A stream's position follows from the descriptor's (one system call) and from how much its buffer holds. The table
//! remembers the descriptor's position as long as the stream's own pointers say that nothing was read behind our back;
//! the buffer's bytes are compared with the input's on every use, so that a stream which a function without a model
//! has moved is noticed.

use core::ffi::c_int;

use trace::layout::Reason;

use crate::runtime::Runtime;

unsafe extern "C" {
    static mut stdin: *mut libc::FILE;
}

/// The beginning of glibc's `FILE`.
#[repr(C)]
pub struct Stream {
    flags: c_int,
    read_ptr: u64,
    read_end: u64,
    read_base: u64,
    write_base: u64,
    write_ptr: u64,
    write_end: u64,
    buf_base: u64,
    buf_end: u64,
    save_base: u64,
    backup_base: u64,
    save_end: u64,
}

/// In [`Stream::flags`]: the stream reads what `ungetc` pushed back.
const IN_BACKUP: c_int = 0x100;

impl Stream {
    /// The buffer's memory.
    pub fn buffer(&self) -> (u64, u64) {
        (self.buf_base, self.buf_end.saturating_sub(self.buf_base))
    }

    /// Bytes that can be read without asking the system.
    fn available(&self) -> u64 {
        self.read_end.saturating_sub(self.read_ptr)
    }

    /// Whether the next byte is one that `ungetc` pushed back, and another than was read there.
    pub fn is_pushed_back(&self) -> bool {
        self.flags & IN_BACKUP != 0 && self.available() > 0
    }

    /// Whether the byte before the next one is there, and one of the file's.
    pub fn can_step_back(&self) -> bool {
        self.flags & IN_BACKUP == 0 && self.read_ptr > self.read_base
    }

    /// Where bytes of the file will be read next and where they end; while pushed-back bytes are read, glibc keeps that
    /// elsewhere.
    fn file_bytes(&self) -> (u64, u64) {
        if self.flags & IN_BACKUP != 0 { (self.save_base, self.save_end) } else { (self.read_ptr, self.read_end) }
    }

    /// Where the bytes are that can be read without asking the system, and how many.
    pub fn next_bytes(&self) -> (u64, u64) {
        (self.read_ptr, self.available())
    }

    /// Where the next byte comes from.
    pub fn next_byte(&self) -> u64 {
        self.read_ptr
    }
}

/// A place in a part of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The part.
    pub part: u32,
    /// Offset of the byte.
    pub offset: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The stream, or 0.
    stream: u64,
    /// What it was read through when we first saw it.
    descriptor: c_int,
    /// Whether that is another file since then. What the buffer holds comes from the one that it was.
    is_redirected: bool,
    part: Option<u32>,
    /// Whether it may read what the program itself has written.
    is_own: bool,
    /// Offset in the file of what lies at `read_end`, valid while the stream's `read_end` is this one.
    end_offset: u64,
    read_end: u64,
    /// The stream's `read_ptr` when we last saw it.
    read_ptr: u64,
    /// Where it was moved to last, if that was said from the end of the file and nothing was read since.
    from_end: Option<i64>,
}

const EMPTY: Entry = Entry {
    stream: 0,
    descriptor: -1,
    is_redirected: false,
    part: None,
    is_own: false,
    end_offset: 0,
    read_end: 0,
    read_ptr: 0,
    from_end: None,
};

/// Streams remembered; a program that reads more at once pays a system call per change.
const SIZE: usize = 64;

/// Streams that read memory, as many as are known at a time.
const MEMORIES: usize = 16;

/// What is known of the program's streams.
pub struct StreamTable {
    entries: [Entry; SIZE],
    /// Streams that read the program's own memory, and where that starts; 0 for none.
    memories: [(u64, u64); MEMORIES],
    reads_memories: bool,
}

impl StreamTable {
    /// Nothing known.
    pub fn new() -> StreamTable {
        StreamTable { entries: [EMPTY; SIZE], memories: [(0, 0); MEMORIES], reads_memories: false }
    }

    #[inline(always)]
    fn slot(&mut self, stream: u64) -> &mut Entry {
        let index = (stream.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
        &mut self.entries[index % SIZE]
    }

    /// Forgets a stream: it was opened or closed.
    pub fn forget(&mut self, stream: u64) {
        let entry = self.slot(stream);
        if entry.stream == stream {
            *entry = EMPTY;
        }
        for memory in self.memories.iter_mut().filter(|memory| memory.0 == stream) {
            *memory = (0, 0);
        }
    }

    /// A descriptor is another file from now on, or none.
    pub fn redirected(&mut self, descriptor: c_int) {
        for entry in self.entries.iter_mut().filter(|entry| entry.stream != 0 && entry.descriptor == descriptor) {
            entry.is_redirected = true;
            entry.from_end = None;
        }
    }

    /// The stream reads memory that starts at an address; whether there is room for that.
    pub fn reads_memory(&mut self, stream: u64, base: u64) -> bool {
        self.reads_memories = true;
        let free = self.memories.iter_mut().find(|memory| memory.0 == 0);
        free.map(|memory| *memory = (stream, base)).is_some()
    }

    /// Where the memory starts that a stream reads, if it is one that does.
    pub fn memory_of(&self, stream: u64) -> Option<u64> {
        if !self.reads_memories {
            return None;
        }
        self.memories.iter().find(|memory| memory.0 == stream).map(|memory| memory.1)
    }

    /// The stream was moved: ask for its position next time.
    pub fn moved(&mut self, stream: u64) {
        self.moved_to(stream, None);
    }

    /// The same, to a position that was given from the end of the file.
    pub fn moved_to(&mut self, stream: u64, from_end: Option<i64>) {
        let entry = self.slot(stream);
        if entry.stream == stream {
            entry.read_end = 0;
            entry.from_end = from_end;
        }
    }

    /// The stream stepped back within its buffer.
    pub fn stepped_back(&mut self, stream: u64, state: &Stream) {
        let entry = self.slot(stream);
        if entry.stream == stream && entry.read_end == state.read_end {
            entry.read_ptr = state.read_ptr;
        }
    }
}

impl Default for StreamTable {
    fn default() -> StreamTable {
        StreamTable::new()
    }
}

impl Runtime {
    /// Where the next byte of a stream comes from, if that is in the input.
    #[inline]
    pub fn place_of(&mut self, stream: u64, state: &Stream) -> Option<Place> {
        let entry = *self.streams.slot(stream);
        if entry.stream != stream {
            return self.attach(stream, state);
        }
        if let Some(place) = self.buffered(&entry, state) {
            return Some(place);
        }
        if entry.is_redirected {
            return self.attach_again(stream, state);
        }
        entry.part?;
        self.catch_up(stream, state)
    }

    /// Where the next byte comes from, if it lies in the buffer as we last saw it.
    #[inline(always)]
    fn buffered(&self, entry: &Entry, state: &Stream) -> Option<Place> {
        let part = entry.part?;
        let available = state.available();
        let offset = entry.end_offset.wrapping_sub(available);
        let is_known = available > 0 && state.read_end == entry.read_end && state.read_ptr >= entry.read_ptr;
        let is_same = is_known && self.agrees(part, offset, state.read_ptr, available.min(8));
        is_same.then_some(Place { part, offset })
    }

    /// Whether the next bytes of a buffer are those of the input.
    #[inline(always)]
    fn agrees(&self, part: u32, offset: u64, address: u64, count: u64) -> bool {
        let contents = self.inputs.contents(part, offset, count);
        // SAFETY: the stream's own pointers say that so many bytes can be read.
        contents.len() as u64 == count
            && contents == unsafe { core::slice::from_raw_parts(address as *const u8, count as usize) }
    }

    #[cold]
    fn attach(&mut self, stream: u64, state: &Stream) -> Option<Place> {
        // SAFETY: the caller passes a stream.
        let descriptor = unsafe { libc::fileno(stream as *mut libc::FILE) };
        let part = self.inputs.look_at(descriptor);
        let is_own = part.is_none() && self.inputs.is_own(descriptor);
        *self.streams.slot(stream) = Entry { stream, descriptor, part, is_own, ..EMPTY };
        part?;
        self.catch_up(stream, state)
    }

    /// Asks where the stream stands, before anything is read from it.
    fn catch_up(&mut self, stream: u64, state: &Stream) -> Option<Place> {
        let place = self.synchronise(stream, state)?;
        let end_offset = self.streams.slot(stream).end_offset;
        self.look_for_unseen(place.part, end_offset);
        Some(place)
    }

    /// Looks at a stream anew whose descriptor has become another file, once it has given what it had of the old one.
    #[cold]
    fn attach_again(&mut self, stream: u64, state: &Stream) -> Option<Place> {
        let (next, end) = state.file_bytes();
        if next < end { None } else { self.attach(stream, state) }
    }

    /// Asks the system where the stream's descriptor stands.
    #[cold]
    #[inline(never)]
    pub fn synchronise(&mut self, stream: u64, state: &Stream) -> Option<Place> {
        let part = self.streams.slot(stream).part?;
        if state.is_pushed_back() {
            return None;
        }
        // SAFETY: the caller passes a stream.
        let position = unsafe { libc::lseek(libc::fileno(stream as *mut libc::FILE), 0, libc::SEEK_CUR) };
        let end_offset = u64::try_from(position).ok()?;
        let (read_ptr, read_end) = state.file_bytes();
        let offset = end_offset.checked_sub(read_end.saturating_sub(read_ptr))?;
        let entry = self.streams.slot(stream);
        *entry = Entry { end_offset, read_end, read_ptr, from_end: None, ..*entry };
        Some(Place { part, offset })
    }

    /// Something was read from a stream that stood at `before`, `delivered` bytes where that is known. Returns how
    /// many bytes that were, and labels the buffer if it was filled: code that reads it directly (`getc_unlocked` is
    /// inlined by glibc's headers) then finds labels there.
    #[inline]
    pub fn after_read(&mut self, stream: u64, state: &Stream, before: Place, delivered: u64, site: u32) -> Option<u64> {
        let entry = self.streams.slot(stream);
        if state.read_end == entry.read_end && state.read_ptr.wrapping_sub(entry.read_ptr) == delivered && delivered > 0
        {
            entry.read_ptr = state.read_ptr;
            return Some(delivered);
        }
        if entry.stream != stream || entry.is_redirected {
            // Some of it may come from the one file, and some from the other.
            return None;
        }
        let now = self.synchronise(stream, state)?;
        let len = state.read_end.saturating_sub(state.read_base);
        let end_offset = self.streams.slot(stream).end_offset;
        if len > 0
            && let Some(offset) = end_offset.checked_sub(len)
        {
            self.label_input(state.read_base, len, now.part, offset, site);
        }
        now.offset.checked_sub(before.offset)
    }

    /// The part that a stream reads, and how far from its end it was moved, if that was the last thing that happened to it.
    pub fn position_from_end(&mut self, stream: u64) -> Option<(u32, i64)> {
        let entry = self.streams.slot(stream);
        if entry.stream == stream { entry.part.zip(entry.from_end) } else { None }
    }

    /// The part that a stream reads, if it is known to read one.
    pub fn part_of_stream(&mut self, stream: u64) -> Option<u32> {
        let entry = self.streams.slot(stream);
        if entry.stream == stream { entry.part } else { None }
    }

    /// Whether an address is that of a stream that reads the input. Those that the program opened are known.
    pub fn is_input_stream(&mut self, address: u64) -> bool {
        // SAFETY: the library's own variable.
        let standard_input = unsafe { stdin } as u64;
        let entry = *self.streams.slot(address);
        let is_unknown = address == standard_input && entry.stream != address;
        if is_unknown || (entry.stream == address && entry.is_redirected) {
            // SAFETY: a stream that the library has opened.
            let state = unsafe { &*(address as *const Stream) };
            self.place_of(address, state);
        }
        let entry = self.streams.slot(address);
        entry.stream == address && (entry.part.is_some() || entry.is_redirected)
    }

    /// Input that could not be followed.
    pub fn lose_input(&mut self, stream: u64, bytes: u64, site: u32) {
        let entry = self.streams.slot(stream);
        let may_depend =
            entry.part.is_some() || entry.is_redirected || (entry.is_own && self.recorder.node_count() > 1);
        if may_depend && bytes > 0 {
            self.loss(site, Reason::InputLost, bytes);
        }
    }
}
