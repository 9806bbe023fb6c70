//! `--limit`: all budgets of a run in one option.

use std::time::Duration;

use run::Limits;
use solver::Budget;

/// One limit, as it is given on the command line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limit {
    /// `time=SECONDS`
    Time(Duration),
    /// `memory=SIZE`
    Memory(u64),
    /// `trace=SIZE`
    Trace(u64),
    /// `file=SIZE`
    FileSize(u64),
    /// `processes=NUMBER`
    Processes(usize),
    /// `query-time=SECONDS`
    QueryTime(Duration),
    /// `query-memory=SIZE`
    QueryMemory(u64),
    /// `query-conflicts=NUMBER`
    QueryConflicts(u64),
}

/// For `--help`.
pub const HELP: &str = "\
What the run may use: time=SECONDS, memory=SIZE, trace=SIZE, file=SIZE (largest file written), processes=NUMBER; \
and what one query may use in the solver: query-time=SECONDS (at most; less while many run out of it), query-memory=SIZE, query-conflicts=NUMBER (z3 only: the \
others do not count them); sizes with K, M or G \
[default: time=60,memory=4G,trace=1G,file=1G,processes=256,query-time=10,query-memory=2G; trace=64M to explore]";

/// What a trace may take while many paths are explored. Behind millions of steps come only more rounds of the same loop as a rule, and
/// the time that they take is taken from other paths.
pub const EXPLORED_TRACE: u64 = 64 << 20;

/// What a view takes by itself, and a little for the program: less would only be reached.
const LEAST_MEMORY: u64 = 16 << 20;

/// Parses one limit.
pub fn parse(text: &str) -> Result<Limit, String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE, time=10 for example")?;
    Ok(match key {
        "time" => Limit::Time(seconds(value).and_then(|time| match time.is_zero() {
            true => Err("in no time no program gets anywhere; write time=10 for example".to_owned()),
            false => Ok(time),
        })?),
        "query-time" => Limit::QueryTime(seconds(value)?),
        "query-conflicts" => Limit::QueryConflicts(value.parse().map_err(|_| "the number of conflicts is a number")?),
        "query-memory" => Limit::QueryMemory(size(value)?),
        "memory" => Limit::Memory(size(value).and_then(|bytes| match bytes < LEAST_MEMORY {
            true => Err("no program runs in less than 16M of memory here; write memory=512M for example".to_owned()),
            false => Ok(bytes),
        })?),
        "trace" => Limit::Trace(size(value)?),
        "file" => Limit::FileSize(size(value)?),
        "processes" => match value.parse() {
            Ok(number) if number > 0 => Limit::Processes(number),
            _ => return Err("the number of processes is a number, and the program itself is one".to_owned()),
        },
        _ => return Err(format!("there is no limit `{key}`; --help names them all")),
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.trim_end_matches('s').parse().map_err(|_| "the time is a number of seconds")?;
    crate::time::seconds(number)
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        other => return Err(format!("`{other}` is not a unit; there are K, M and G")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is not a size; write 512M for example"))?;
    number.checked_mul(unit).ok_or_else(|| format!("{text} is too large"))
}

/// The defaults with some of them replaced.
pub fn apply(limits: &[Limit]) -> Limits {
    let mut result = Limits::default();
    for limit in limits {
        match *limit {
            Limit::Time(time) => result.time = time,
            Limit::Memory(bytes) => result.memory = bytes,
            Limit::Trace(bytes) => result.trace = bytes,
            Limit::FileSize(bytes) => result.file_size = bytes,
            Limit::Processes(number) => result.processes = number,
            Limit::QueryTime(_) | Limit::QueryMemory(_) | Limit::QueryConflicts(_) => {}
        }
    }
    result
}

/// What a trace may take, if it is said.
pub fn trace(limits: &[Limit]) -> Option<u64> {
    let size = |limit: &Limit| if let Limit::Trace(bytes) = limit { Some(*bytes) } else { None };
    limits.iter().rev().find_map(size)
}

/// The budget of a query.
pub fn budget(limits: &[Limit]) -> Budget {
    let mut budget = Budget::default();
    for limit in limits {
        match *limit {
            Limit::QueryTime(time) => budget.time = time,
            Limit::QueryMemory(bytes) => budget.memory = bytes,
            Limit::QueryConflicts(number) => budget.conflicts = Some(number),
            _ => {}
        }
    }
    budget
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_parsed() {
        assert_eq!(parse("time=1.5"), Ok(Limit::Time(Duration::from_millis(1500))));
        assert_eq!(parse("memory=2G"), Ok(Limit::Memory(2 << 30)));
        assert_eq!(parse("trace=10k"), Ok(Limit::Trace(10 << 10)));
        assert_eq!(parse("processes=7"), Ok(Limit::Processes(7)));
        assert_eq!(parse("query-conflicts=9"), Ok(Limit::QueryConflicts(9)));
    }

    #[test]
    fn the_last_one_counts() {
        assert_eq!(trace(&[Limit::Processes(1)]), None);
        assert_eq!(trace(&[Limit::Trace(1), Limit::Trace(2), Limit::Memory(3)]), Some(2));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "time",
            "time=-1",
            "time=0",
            "time=0.0",
            "memory=0",
            "memory=1K",
            "processes=0",
            "time=nan",
            "memory=",
            "memory=1X",
            "memory=99999999999G",
            "frobs=1",
            "query-conflicts=x",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_help_names_the_defaults() {
        let (limits, budget) = (Limits::default(), Budget::default());
        let defaults = format!(
            "time={},memory={}G,trace={}G,file={}G,processes={},query-time={},query-memory={}G; trace={}M to explore",
            limits.time.as_secs(),
            limits.memory >> 30,
            limits.trace >> 30,
            limits.file_size >> 30,
            limits.processes,
            budget.time.as_secs(),
            budget.memory >> 30,
            EXPLORED_TRACE >> 20
        );
        assert!(HELP.contains(&defaults), "{defaults}");
    }
}
