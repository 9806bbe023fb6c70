//! Functions of the C library that start processes.

/// Functions that start a process, which runs without labels, or go on in one. No model could follow it.
const STARTING: &[&str] =
    &["fork", "vfork", "_Fork", "forkpty", "daemon", "clone", "posix_spawn", "posix_spawnp", "system", "popen"];

/// Whether a function of the C library starts a process.
pub fn starts_process(function: &str) -> bool {
    STARTING.contains(&function)
}
