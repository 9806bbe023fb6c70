//! The process between the engine and the program.
//!
//! The program may start processes that leave its process group and outlive it. The supervisor is the parent that all
//! of them fall back to when theirs ends (a *subreaper*), so none can get away: when the program ends, or the
//! engine asks, or the engine dies, it kills whatever is below it and ends. There is one for each run, forked from
//! the engine and never replaced by another program; that is why everything here must do with system calls: other
//! threads of the engine may have held any lock, the allocator's included, at the moment of the fork.

use std::io;
use std::os::fd::RawFd;

/// What the supervisor writes to the engine when everything is over; before, and as soon as there is one, it writes the
/// number of the program's process (a C `int`), which is also that of its session.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Report {
    /// As `waitpid` gives it.
    pub(crate) status: i32,
    /// Largest memory of any one process of the run, in kilobytes.
    pub(crate) peak_kilobytes: i64,
}

impl Report {
    pub(crate) const SIZE: usize = size_of::<Report>();
}

/// What the program starts with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// The engine.
    pub(crate) engine: i32,
    /// Where the report goes.
    pub(crate) report: RawFd,
    /// Bytes of the largest file that may be written.
    pub(crate) file_size: u64,
    /// Whether addresses are the same in every run.
    pub(crate) fixed_addresses: bool,
    /// Descriptors that it finds open.
    pub(crate) channels: Option<[RawFd; 2]>,
}

/// Runs between `fork` and `exec`: forks once more. The new child returns from here and becomes the program; this
/// process becomes its supervisor and never returns.
///
/// # Safety
/// Only to be called in a process that was just forked and has one thread.
pub(crate) unsafe fn split(setup: Setup) -> io::Result<()> {
    // SAFETY: system calls on local data, all of them allowed after a fork.
    unsafe {
        // Being told that the engine died must not kill us before we have killed the rest: signals are waited for.
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        // If the engine was started with SIGCHLD ignored, no status would ever come.
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM))?;
        check(libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1))?;
        if libc::getppid() != setup.engine {
            libc::_exit(1);
        }
        // Out of the terminal's reach: Ctrl-C is for the engine.
        libc::setsid();
        let supervisor = libc::getpid();
        match check(libc::fork())? {
            0 => prepare(setup, supervisor),
            program => supervise(program, setup.report),
        }
    }
}

fn check(result: i32) -> io::Result<i32> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// In the process that is to become the program.
unsafe fn prepare(setup: Setup, supervisor: i32) -> io::Result<()> {
    // SAFETY: as in `split`.
    unsafe {
        libc::setsid();
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        if libc::getppid() != supervisor {
            libc::_exit(1);
        }
        let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        check(libc::setrlimit(libc::RLIMIT_CORE, &no_core))?;
        // Only ever lowered, because the user may have set a lower one.
        let mut files = no_core;
        check(libc::getrlimit(libc::RLIMIT_FSIZE, &mut files))?;
        files.rlim_cur = files.rlim_cur.min(setup.file_size);
        check(libc::setrlimit(libc::RLIMIT_FSIZE, &files))?;
        for channel in setup.channels.into_iter().flatten() {
            check(libc::fcntl(channel, libc::F_SETFD, 0))?;
        }
        if setup.fixed_addresses {
            // Refused in some containers; the run is then less repeatable, no less correct.
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
        Ok(())
    }
}

/// In the supervisor: waits for the program's end or the engine's word, cleans up, reports, ends.
unsafe fn supervise(program: i32, report_to: RawFd) -> ! {
    // SAFETY: as in `split`.
    unsafe {
        // The program's pipes must end with the program, and the engine must see that it was started.
        close_all_but(report_to);

        libc::write(report_to, (&raw const program).cast(), size_of::<i32>());
        let mut awaited = std::mem::zeroed();
        libc::sigemptyset(&mut awaited);
        libc::sigaddset(&mut awaited, libc::SIGCHLD);
        libc::sigaddset(&mut awaited, libc::SIGTERM);
        let mut report = Report::default();
        let mut ended = false;
        while !ended {
            let signal = libc::sigwaitinfo(&awaited, std::ptr::null_mut());
            if signal == libc::SIGTERM {
                break;
            }
            ended = reap(program, libc::WNOHANG, &mut report);
        }
        if !ended {
            libc::kill(program, libc::SIGKILL);
        }
        // The group first, at one blow; then whoever left it, until there is nobody. Each round may find new ones:
        // children of those that the last round killed.
        libc::kill(-program, libc::SIGKILL);
        let pause = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        loop {
            let left = kill_children();
            reap(program, libc::WNOHANG, &mut report);
            let mut nobody = std::mem::zeroed();
            if libc::waitid(libc::P_ALL, 0, &mut nobody, libc::WEXITED | libc::WNOHANG | libc::WNOWAIT) != 0 {
                break;
            }
            if left {
                libc::nanosleep(&pause, std::ptr::null_mut());
            }
        }
        let bytes = (&raw const report).cast::<libc::c_void>();
        libc::write(report_to, bytes, Report::SIZE);
        libc::_exit(0)
    }
}

/// Closes every descriptor except one.
unsafe fn close_all_but(kept: RawFd) {
    let fd = kept as u32;
    // SAFETY: closes descriptors that this process has no use for.
    unsafe {
        let below = fd == 0 || libc::close_range(0, fd - 1, 0) == 0;
        if below && libc::close_range(fd + 1, u32::MAX, 0) == 0 {
            return;
        }
        // Before Linux 5.9 there is no such call. More descriptors than this are possible, but not usual.
        for other in (0..1 << 16).filter(|other| *other != kept) {
            libc::close(other);
        }
    }
}

/// Takes the status of every child that has ended; whether the program was one of them.
unsafe fn reap(program: i32, flags: i32, report: &mut Report) -> bool {
    let mut found = false;
    loop {
        let mut status = 0;
        // SAFETY: `rusage` is plain data; system call on local data.
        let (pid, usage) = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            (libc::wait4(-1, &mut status, flags, &mut usage), usage)
        };
        if pid <= 0 {
            return found;
        }
        report.peak_kilobytes = report.peak_kilobytes.max(usage.ru_maxrss);
        if pid == program {
            report.status = status;
            found = true;
        }
    }
}

/// Kills every child of this process; whether there was one.
unsafe fn kill_children() -> bool {
    let mut any = false;
    // SAFETY: system calls on local data; the path ends with a zero byte.
    unsafe {
        let fd = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if fd < 0 {
            return false;
        }
        let mut buffer = [0u8; 4096];
        let mut pid = 0i32;
        loop {
            let count = libc::read(fd, buffer.as_mut_ptr().cast(), buffer.len());
            if count <= 0 {
                break;
            }
            for byte in buffer.iter().take(count as usize) {
                if byte.is_ascii_digit() {
                    pid = pid.wrapping_mul(10).wrapping_add(i32::from(byte - b'0'));
                } else if pid > 0 {
                    libc::kill(pid, libc::SIGKILL);
                    any = true;
                    pid = 0;
                }
            }
        }
        libc::close(fd);
    }
    any
}
