//! Words for what is in a trace.

use path::{Cause, Completeness, Kind};
use report::{Loss, LossPlace};
use run::{Outcome, Status};
use signal_hook::consts::{SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
use trace::layout::{Reason, Region, RegionKind, State};
use trace::reader::region_kind;
use trace::sites::SiteTable;

use crate::modelled::has_model;

/// How the program ended.
pub fn status(status: Status) -> String {
    match status {
        Status::Exited(code) => format!("program exited with {code}"),
        Status::Signalled(signal) => match signal_hook::low_level::signal_name(signal) {
            Some(name) => format!("program was killed by {name}"),
            None => format!("program was killed by signal {signal}"),
        },
        Status::TimedOut => "program took too long and was killed (--limit time=SECONDS)".to_owned(),
        Status::MemoryExceeded => "program used too much memory and was killed (--limit memory=SIZE)".to_owned(),
        Status::TooManyProcesses => {
            "program started too many processes and was killed (--limit processes=NUMBER)".to_owned()
        }
        Status::Interrupted => "program was interrupted".to_owned(),
        Status::Lost => "program killed the process that watched it, how it ended is not known".to_owned(),
        _ => format!("program ended: {status:?}"),
    }
}

/// Signals that an instruction of the program itself causes.
const FAULTS: [i32; 5] = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP];

/// Why the constraint of a run is one of its beginning only, if it is.
pub fn cut_short(outcome: &Outcome) -> Option<&'static str> {
    match outcome.status {
        // Labels are computed when a stretch of code is through: the stretch that faulted is not in the trace.
        Status::Signalled(signal) if FAULTS.contains(&signal) => Some("the last steps before the program crashed"),
        Status::Signalled(_) => None,
        // The runtime marks the end of a program that ends in any of the ways it knows.
        Status::Exited(_) if outcome.trace.state() == State::Running => {
            Some("what came after the program replaced itself by another one (exec)")
        }
        Status::Exited(_) => None,
        _ => Some("what would have come after the program was killed"),
    }
}

/// Everything that a path constraint does not cover.
pub fn losses(record: &Completeness, outcome: &Outcome) -> Vec<Loss> {
    losses_named(record, outcome, |count| count == 1)
}

/// The same in words that fit the losses of many paths together, with a row for each file and line; an empty file and line 0
/// where no place is known.
pub fn losses_by_line(record: &Completeness, outcome: &Outcome) -> Vec<store::Loss> {
    let row = |loss: &Loss, file: &str, line: u32, count: u64| store::Loss {
        cause: loss.cause.clone(),
        text: loss.text.clone(),
        file: file.to_owned(),
        line,
        count,
    };
    let mut rows = Vec::new();
    for loss in losses_named(record, outcome, |_| false) {
        if loss.places.is_empty() {
            rows.push(row(&loss, "", 0, loss.count));
        }
        rows.extend(loss.places.iter().map(|place| row(&loss, &place.file, place.line, place.count)));
    }
    rows
}

fn losses_named(record: &Completeness, outcome: &Outcome, is_singular: fn(u64) -> bool) -> Vec<Loss> {
    let mut losses = Vec::new();
    for (cause, places) in &record.causes {
        let count: u64 = places.values().sum();
        let (one, many) = self::cause(cause);
        let mut places: Vec<LossPlace> = places
            .iter()
            .map(|(place, count)| LossPlace { file: place.file.clone(), line: place.line, count: *count })
            .collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.count));
        losses.push(Loss {
            cause: cause.word().to_owned(),
            text: if is_singular(count) { one } else { many },
            count,
            places,
        });
    }
    let mut add = |cause: &str, count: u64, text: &str| {
        losses.push(Loss { cause: cause.to_owned(), text: text.to_owned(), count, places: Vec::new() });
    };
    let labels = [
        ("stale-labels", record.stale_labels, "labels dropped because code without bitcode changed the memory"),
        ("reentered", record.reentered, "labels dropped in signal handlers"),
        ("argument-overflow", record.argument_overflow, "labels dropped in calls with too many arguments"),
        ("unseen-input", record.unseen_input, "bytes of the input read by code without bitcode"),
    ];
    for (cause, count, text) in labels.into_iter().filter(|(_, count, _)| *count > 0) {
        add(cause, count, &if is_singular(count) { of_one(text) } else { text.to_owned() });
    }
    if record.cap_reached {
        add("cap-reached", 0, "everything after the trace reached its limit (--limit trace=SIZE)");
    }
    if record.replaced {
        add("replaced", 0, "the other program that the program became (exec)");
    }
    if let Some(text) = cut_short(outcome) {
        add(store::CUT_SHORT, 0, text);
    }
    for note in &record.damage {
        add("damage", 0, &format!("the trace is damaged: {note}"));
    }
    losses
}

/// What is said of a single loss, of what [`losses_by_line`] says of any number.
pub fn of_one(text: &str) -> String {
    if let Some(name) = text.strip_prefix("unmodelled calls of ") {
        return cause(&Cause::UnmodelledCall(name.to_owned())).0;
    }
    if let Some(rest) = text.strip_prefix("calls that ") {
        return format!("call that {rest}");
    }
    if let Some(rest) = text.strip_prefix("labels ") {
        return format!("label {rest}");
    }
    if let Some(rest) = text.strip_prefix("bytes ") {
        return format!("byte {rest}");
    }
    let reasons = (0..=u16::MAX).map_while(trace::reader::reason).map(Cause::Other);
    let all = [Cause::SymbolicRead, Cause::SymbolicWrite].into_iter().chain(reasons);
    let one = all.map(|known| cause(&known)).find(|(_, many)| many == text).map(|(one, _)| one);
    one.unwrap_or_else(|| text.to_owned())
}

/// `file:line:column`, or as much of it as is known.
pub fn position(sites: &SiteTable, site: u32) -> String {
    match path::position(sites, site) {
        None => "?".to_owned(),
        Some(position) if position.line == 0 => position.file.clone(),
        Some(position) if position.column == 0 => format!("{}:{}", position.file, position.line),
        Some(position) => format!("{}:{}:{}", position.file, position.line, position.column),
    }
}

/// The function that a site is in, or nothing.
pub fn function(sites: &SiteTable, site: u32) -> &str {
    path::position(sites, site).map_or("", |position| position.function.as_str())
}

/// Position and function.
pub fn site(sites: &SiteTable, site: u32) -> String {
    format!("{} in {}", position(sites, site), function(sites, site))
}

/// What kind of constraint it is, in one word.
pub fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Branch { .. } => "branch",
        Kind::Switch { .. } => "switch",
        Kind::Pin { .. } | Kind::Access { .. } => "pin",
        Kind::Bounds { .. } => "bounds",
    }
}

/// Why a value was pinned.
pub fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::None => "value",
        Reason::Float => "floating-point operand",
        Reason::Assembly => "operand of inline assembly",
        Reason::Instruction => "operand of an instruction that is not modelled",
        Reason::UnmodelledCall => "argument of an unmodelled call",
        Reason::CallTarget => "target of an indirect call",
        Reason::Size => "size",
        Reason::ModelArgument => "argument that its model takes as it is",
        Reason::Atomic => "operand of an atomic operation",
        Reason::InputLost => "place in the input",
        Reason::Representation => "value that does not fit its memory",
        Reason::Address => "address",
        Reason::Length => "string that may be longer",
        Reason::Amount => "amount of a shift",
        Reason::Identity => "pointer that is compared",
        Reason::Unit => "input of a unit",
    }
}

/// What is not covered, for a list: (singular, plural).
pub fn cause(cause: &Cause) -> (String, String) {
    let both = |one: &str, many: &str| (one.to_owned(), many.to_owned());
    match cause {
        Cause::SymbolicRead => both("read at a symbolic address pinned", "reads at symbolic addresses pinned"),
        Cause::SymbolicWrite => both("write at a symbolic address pinned", "writes at symbolic addresses pinned"),
        Cause::UnmodelledCall(name) if name.is_empty() => both("unmodelled call", "unmodelled calls"),
        Cause::UnmodelledCall(name) if has_model(name) => (
            format!("call that the model of {name} left to the library"),
            format!("calls that the model of {name} left to the library"),
        ),
        Cause::UnmodelledCall(name) => (format!("unmodelled call of {name}"), format!("unmodelled calls of {name}")),
        Cause::Other(reason) => match reason {
            Reason::None => both("value pinned", "values pinned"),
            Reason::Float => both("floating-point operation", "floating-point operations"),
            Reason::Assembly => both("inline assembly", "pieces of inline assembly"),
            Reason::Instruction => both("instruction that is not modelled", "instructions that are not modelled"),
            Reason::UnmodelledCall => both("unmodelled call", "unmodelled calls"),
            Reason::CallTarget => both("symbolic call target pinned", "symbolic call targets pinned"),
            Reason::Size => both("symbolic size pinned", "symbolic sizes pinned"),
            Reason::ModelArgument => both("argument pinned by its model", "arguments pinned by their models"),
            Reason::Atomic => both("atomic operation", "atomic operations"),
            Reason::InputLost => both("piece of input lost", "pieces of input lost"),
            Reason::Representation => both("value lost in memory", "values lost in memory"),
            Reason::Address => both("symbolic address pinned", "symbolic addresses pinned"),
            Reason::Length => both(
                "use of a string of any length, of which only what it was is followed",
                "uses of strings of any length, of which only what they were is followed",
            ),
            Reason::Amount => both("symbolic shift pinned", "symbolic shifts pinned"),
            Reason::Identity => both("comparison of given pointers", "comparisons of given pointers"),
            Reason::Unit => both("unit that was not followed", "units that were not followed"),
        },
    }
}

/// The name of a region.
pub fn region(sites: &SiteTable, region: &Region) -> String {
    match region_kind(region.kind) {
        Some(RegionKind::Heap) => format!("heap block {}", region.id),
        _ => sites.regions.get(region.id as usize).cloned().unwrap_or_else(|| "unnamed variable".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_loss_is_said_in_the_singular() {
        for (many, one) in [
            ("unmodelled calls of sleep", "unmodelled call of sleep"),
            ("unmodelled calls", "unmodelled call"),
            (
                "calls that the model of sprintf left to the library",
                "call that the model of sprintf left to the library",
            ),
            ("writes at symbolic addresses pinned", "write at a symbolic address pinned"),
            ("units that were not followed", "unit that was not followed"),
            ("labels dropped in signal handlers", "label dropped in signal handlers"),
            ("the test cannot be run: why", "the test cannot be run: why"),
        ] {
            assert_eq!(of_one(many), one);
        }
    }
}
