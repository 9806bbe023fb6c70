//! Who works on what. Work belongs to a process for as long as that lives.

use std::fs;

/// This process: its number, and when it was started, because numbers are used again.
pub fn this_process() -> String {
    let pid = std::process::id();
    format!("{pid}:{}", started(pid).unwrap_or_default())
}

/// Whether an owner still runs.
pub fn is_alive(owner: &str) -> bool {
    let Some((pid, start)) = owner.split_once(':') else { return false };
    let Ok(pid) = pid.parse() else { return false };
    started(pid).is_some_and(|started| started == start)
}

/// When a process was started, in the system's own unit.
fn started(pid: u32) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name comes in parentheses and may contain anything.
    let (_, fields) = status.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    // A process that ended and that nobody has asked about is still listed.
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive() {
        assert!(is_alive(&this_process()));
        assert!(!is_alive(&format!("{}:1", std::process::id())));
        assert!(!is_alive("") && !is_alive("x:y") && !is_alive("4294967295:1"));
    }
}
