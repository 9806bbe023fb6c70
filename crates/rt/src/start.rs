//! From the start of the process to its end.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::MaybeUninit;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{AcqRel, Relaxed, Release};

use trace::abi::TRACE_VARIABLE;
use trace::layout::{FILE_SIZE, Header, MAGIC, State, VERSION};

use crate::events::Losses;
use crate::gate::Gate;
use crate::models::input::Inputs;
use crate::models::lengths::Started;
use crate::models::stream_table::StreamTable;
use crate::models::units::Units;
use crate::pointers::Pointers;
use crate::recorder::Recorder;
use crate::regions::Regions;
use crate::runtime::{Pages, Runtime, header, install, with, with_if_free};
use crate::system::{EXIT_SETUP, KeepErrno, complain, reserve};

/// Runs before the constructors of every library: what they read is labelled as well.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".preinit_array")]
static AT_START: unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) = start;

/// Runs after the program's own `atexit` handlers.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = end;

/// Maps the tables, and the trace if the engine gave one.
///
/// # Safety
/// The lists are those that `main` gets; `environment` ends with a null pointer.
pub unsafe extern "C" fn start(count: c_int, arguments: *mut *mut c_char, environment: *mut *mut c_char) {
    if let Err(error) = crate::shadow::map() {
        complain(match error {
            libc::ENOMEM => {
                "provoke: cannot map the tables of labels: out of address space. Lift the limits (`ulimit -v unlimited`, `ulimit -d unlimited`) \
                 and allow overcommit (`sysctl vm.overcommit_memory=0`).\n"
            }
            libc::EEXIST => {
                "provoke: cannot map the tables of labels: another library occupies their addresses. Is the program \
                 also built with a sanitizer? Build it without.\n"
            }
            _ => "provoke: cannot map the tables of labels: the kernel refused (a seccomp filter?).\n",
        });
        stop();
    }
    find_text();
    // SAFETY: by the contract of this function.
    if let Some(path) = unsafe { take_variable(environment) } {
        begin(path);
        let started = Started { count: count.max(0) as usize, arguments, environment };
        // SAFETY: as above.
        with((), |runtime| unsafe { runtime.label_start(&started) });
    }
}

/// Where the program's own code is: all that runs elsewhere knows no labels. Instrumented code reads it.
#[repr(C)]
pub struct Text {
    start: AtomicU64,
    size: AtomicU64,
}

/// `trace::abi::TEXT`.
#[allow(non_upper_case_globals, reason = "the name is part of the ABI")]
#[unsafe(no_mangle)]
pub static __provoke_text: Text = Text { start: AtomicU64::new(0), size: AtomicU64::new(0) };

fn find_text() {
    // SAFETY: the callback is called with a valid description, and stops at the first one, which is the program's.
    unsafe { libc::dl_iterate_phdr(Some(note_text), core::ptr::null_mut()) };
}

unsafe extern "C" fn note_text(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: by the contract of `dl_iterate_phdr`.
    let (base, segments) = unsafe {
        let info = &*info;
        (info.dlpi_addr, core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)))
    };
    let is_code = |segment: &&libc::Elf64_Phdr| segment.p_type == libc::PT_LOAD && segment.p_flags & libc::PF_X != 0;
    let code = || segments.iter().filter(is_code);
    let start = code().map(|segment| segment.p_vaddr).min().unwrap_or(0);
    let end = code().map(|segment| segment.p_vaddr.wrapping_add(segment.p_memsz)).max().unwrap_or(0);
    __provoke_text.start.store(base.wrapping_add(start), Relaxed);
    __provoke_text.size.store(end.saturating_sub(start), Relaxed);
    1
}

fn stop() -> ! {
    // SAFETY: ends the process.
    unsafe { libc::_exit(EXIT_SETUP) }
}

/// Removes the trace's variable from the environment and returns its value.
///
/// # Safety
/// As [`start`].
unsafe fn take_variable<'a>(environment: *mut *mut c_char) -> Option<&'a CStr> {
    let mut found = None;
    // SAFETY: the list ends with a null pointer; entries move towards its start.
    unsafe {
        let (mut from, mut to) = (environment, environment);
        while !from.is_null() && !(*from).is_null() {
            let entry = CStr::from_ptr(*from);
            let value = entry.to_bytes_with_nul().strip_prefix(TRACE_VARIABLE.as_bytes());
            match value.and_then(|value| value.strip_prefix(b"=")) {
                Some(value) => found = CStr::from_bytes_with_nul(value).ok(),
                None => {
                    *to = *from;
                    to = to.add(1);
                }
            }
            from = from.add(1);
        }
        if !to.is_null() {
            *to = core::ptr::null_mut();
        }
    }
    found
}

/// Starts tracing into the file at `path`, unless another process has claimed it.
fn begin(path: &CStr) {
    let Some(base) = map_trace(path) else {
        complain("provoke: cannot map the trace that the environment names. Start the view with `provoke trace`.\n");
        stop();
    };
    // SAFETY: the file is as large as a trace.
    let header = unsafe { &*base.cast::<Header>() };
    if header.magic != MAGIC || header.version != VERSION {
        complain("provoke: the trace is of another version than this view. Build the view again.\n");
        stop();
    }
    // SAFETY: asks for a number.
    let me = unsafe { libc::getpid() } as u32;
    if header.owner.compare_exchange(0, me, AcqRel, Relaxed).is_err() {
        // SAFETY: nothing refers to the mapping.
        unsafe { libc::munmap(base.cast(), FILE_SIZE as usize) };
        return;
    }
    header.state.store(State::Running as u32, Release);
    // SAFETY: the mapping is a trace, and it is ours alone now.
    if unsafe { set_up(base) }.is_none() {
        complain(
            "provoke: not enough address space for the runtime's tables. Lift the limit (`ulimit -v unlimited`).\n",
        );
        stop();
    }
}

/// # Safety
/// `base` is a mapped trace that this process has claimed.
pub(crate) unsafe fn set_up(base: *mut u8) -> Option<()> {
    let pages = reserve::<Pages>(1)?;
    // SAFETY: fresh memory of the right size; nobody else knows of it. Without the advice a child would go on writing
    // the trace of its parent.
    let pages: &'static mut Pages = unsafe {
        if libc::madvise(pages.as_ptr().cast(), size_of::<Pages>(), libc::MADV_WIPEONFORK) != 0 {
            return None;
        }
        pages.write(Pages { gate: Gate::closed(), runtime: MaybeUninit::uninit() });
        &mut *pages.as_ptr()
    };
    // The recorder asks the gate whether it may still write.
    pages.gate.open();
    let gate: *const Gate = &raw const pages.gate;
    // SAFETY: by the contract of this function; the gate is in memory that stays.
    let recorder = unsafe { Recorder::new(base, &*gate)? };
    let inputs = Inputs::new(&recorder);
    pages.runtime.write(Runtime {
        recorder,
        losses: Losses::new(),
        regions: Regions::new()?,
        pointers: Pointers::new(),
        inputs,
        streams: StreamTable::new(),
        units: Units::new(),
    });
    install(pages);
    Some(())
}

/// Between the labels and the programs, out of the way of both.
const PREFERRED_ADDRESS: usize = 0x5010_0000_0000;

fn map_trace(path: &CStr) -> Option<*mut u8> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
    // SAFETY: the path is a string; a new mapping replaces nothing; the descriptor is ours.
    unsafe {
        let file = libc::open(path.as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        let mut status: libc::stat = core::mem::zeroed();
        let is_whole = libc::fstat(file, &mut status) == 0 && status.st_size as u64 >= FILE_SIZE;
        let base = if is_whole {
            libc::mmap(PREFERRED_ADDRESS as *mut _, FILE_SIZE as usize, protection, flags, file, 0)
        } else {
            libc::MAP_FAILED
        };
        libc::close(file);
        if base == libc::MAP_FAILED {
            return None;
        }
        libc::madvise(base, FILE_SIZE as usize, libc::MADV_DONTDUMP);
        Some(base.cast())
    }
}

/// Says in the trace that the process came to its end.
pub extern "C" fn end() {
    if is_ours() {
        let _errno = KeepErrno::new();
        with_if_free(|runtime| runtime.look_for_unseen_everywhere());
    }
    change_state(State::Running, State::Ended);
}

/// Whether the trace is this process's. A child of vfork shares this memory; its end is not ours.
fn is_ours() -> bool {
    // SAFETY: asks for a number.
    let me = unsafe { libc::getpid() } as u32;
    header().is_some_and(|header| header.owner.load(Relaxed) == me)
}

/// Changes what the trace says about the process, if it says `from`.
pub fn change_state(from: State, to: State) {
    // Also when the runtime is busy: a signal handler may have called `exit`.
    if let Some(header) = header().filter(|_| is_ours()) {
        let _ = header.state.compare_exchange(from as u32, to as u32, AcqRel, Relaxed);
    }
}
