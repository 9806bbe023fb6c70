//! The processes below another one, as `/proc` shows them.

use std::fs;

/// What the processes below a process use together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) processes: usize,
    /// Bytes of memory in use.
    pub(crate) memory: u64,
}

/// Looks at all processes below `root`, itself excluded; stops counting at `most` processes.
pub(crate) fn usage(root: u32, most: usize) -> Usage {
    let mut usage = Usage::default();
    let mut open = vec![root];
    while let Some(process) = open.pop() {
        // Any of them may end while we look.
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { continue };
        for thread in threads.flatten() {
            let Ok(children) = fs::read_to_string(thread.path().join("children")) else { continue };
            for child in children.split_whitespace().filter_map(|word| word.parse().ok()) {
                usage.processes += 1;
                usage.memory += resident(child).unwrap_or_default();
                open.push(child);
            }
        }
        if usage.processes > most {
            break;
        }
    }
    usage
}

/// The processes of a session.
pub(crate) fn session(session: i32) -> Vec<i32> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // SAFETY: asks for a number.
    numbers.filter(|process| unsafe { libc::getsid(*process) } == session).collect()
}

/// Bytes of memory that a process has in use.
fn resident(process: u32) -> Option<u64> {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * u64::try_from(page).ok()?)
}
