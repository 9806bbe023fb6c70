//! The path constraint for people.

use std::io::{self, Write};
use std::path::Path;

use path::{Completeness, Constraint, Kind};
use trace::reader::InputPart;

use super::Traced;
use super::flip::Flips;
use crate::describe;
use crate::output::{bytes, counted, grouped};
use crate::terms;

/// Characters of a term that are shown unless everything is asked for. With the columns in front, what a wide terminal
/// has.
const BRIEF: usize = 120;

/// Columns are made as wide as what is in them, up to this.
const WIDEST_COLUMN: usize = 40;

/// Places that are named for each cause.
const PLACES: usize = 4;

/// Prints everything.
pub fn print(out: &mut impl Write, traced: &Traced<'_>) -> io::Result<()> {
    let rows: Vec<[String; 4]> = traced.path.constraints.iter().map(|constraint| row(traced, constraint)).collect();
    let width = |column: usize| {
        let lengths = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        lengths.max().unwrap_or_default().min(WIDEST_COLUMN)
    };
    let [place, function, outcome] = [width(1), width(2), width(3)];
    for (constraint, [kind, at, inside, went]) in traced.path.constraints.iter().zip(&rows) {
        let what = subject(traced, constraint);
        writeln!(out, "{kind:<6}  {at:<place$}  {inside:<function$}  {went:<outcome$}  {what}")?;
    }
    for check in traced.checks {
        let at = describe::position(traced.sites, check.site);
        let term = match traced.full {
            true => terms::full(&traced.path.store, check.holds.term),
            false => terms::brief(&traced.path.store, check.holds.term, BRIEF),
        };
        let held = if check.held { "holds" } else { "FAILS" };
        writeln!(out, "check   {at:<place$}  {}, after {}  {held}  {}", check.rule, check.before, term.text)?;
    }
    if !traced.path.constraints.is_empty() || !traced.checks.is_empty() {
        writeln!(out)?;
    }
    sizes(out, traced)?;
    not_covered(out, traced)?;
    writeln!(out, "{}", describe::status(traced.outcome.status))?;
    if let Some((folder, flips)) = traced.flips {
        print_flips(out, traced, folder, flips)?;
    }
    match traced.stats {
        Some(stats) => write!(out, "\n{stats}"),
        None => Ok(()),
    }
}

fn print_flips(out: &mut impl Write, traced: &Traced<'_>, folder: &Path, flips: &Flips) -> io::Result<()> {
    writeln!(out)?;
    for flip in &flips.inputs {
        let site = traced.path.constraints.get(flip.constraint).map_or(0, |constraint| constraint.site);
        writeln!(out, "flip {}  {}  {}", flip.name, describe::site(traced.sites, site), flip.way)?;
    }
    let inputs = counted(flips.inputs.len(), "input");
    let (impossible, unknown) = (grouped(flips.impossible), grouped(flips.unknown));
    let rest = if flips.stopped { "; interrupted before all were tried" } else { "" };
    writeln!(out, "flipped: {inputs} in {}; {impossible} impossible, {unknown} not solved{rest}", folder.display())
}

fn row(traced: &Traced<'_>, constraint: &Constraint) -> [String; 4] {
    let went = match &constraint.kind {
        Kind::Branch { taken: true } => "taken".to_owned(),
        Kind::Branch { taken: false } => "not taken".to_owned(),
        Kind::Switch { value, cases } if !cases.is_empty() && !cases.contains(value) => "default".to_owned(),
        Kind::Switch { value, .. } | Kind::Pin { value, .. } => format!("= {value:#x}"),
        Kind::Access { address, .. } => format!("= {address:#x}"),
        Kind::Bounds { .. } => "held".to_owned(),
    };
    let function = match describe::function(traced.sites, constraint.site) {
        "" => String::new(),
        name => format!("in {name}"),
    };
    [describe::kind(&constraint.kind).to_owned(), describe::position(traced.sites, constraint.site), function, went]
}

fn subject(traced: &Traced<'_>, constraint: &Constraint) -> String {
    let store = &traced.path.store;
    let term = if traced.full {
        terms::full(store, constraint.subject)
    } else {
        terms::brief(store, constraint.subject, BRIEF)
    };
    match &constraint.kind {
        Kind::Branch { .. } | Kind::Switch { .. } | Kind::Bounds { .. } => term.text,
        Kind::Pin { reason, .. } => format!("{} {}", describe::reason(*reason), term.text),
        Kind::Access { address, write, region } => {
            let access = if *write { "write" } else { "read" };
            let region = region.and_then(|index| traced.outcome.trace.regions().get(index as usize));
            match region {
                Some(region) => {
                    let offset = address.wrapping_sub(region.base);
                    let name = describe::region(traced.sites, region);
                    format!("{access} at {name}+{offset:#x} of {:#x}: {}", region.size, term.text)
                }
                None => format!("{access} at {}", term.text),
            }
        }
    }
}

fn sizes(out: &mut impl Write, traced: &Traced<'_>) -> io::Result<()> {
    let sizes = &traced.path.sizes;
    let event_bytes = (sizes.events * size_of::<trace::layout::Event>()) as u64;
    writeln!(
        out,
        "path: {} ({} executed), {}, {}; {}, {} of events; {:.2?}, {} of memory",
        counted(sizes.branches, "branch"),
        grouped(sizes.executed),
        counted(sizes.switches, "switch"),
        counted(sizes.pins, "pin"),
        counted(sizes.nodes, "node"),
        bytes(event_bytes),
        traced.outcome.wall,
        bytes(traced.outcome.peak_memory),
    )?;
    let part = |part: &InputPart| format!("{} {}", part.name, counted(part.len, "byte"));
    let parts: Vec<String> = traced.outcome.trace.parts().iter().map(part).collect();
    match parts.as_slice() {
        [] => writeln!(out, "input: none (--stdin FILE, --file FILE with @@, or provoke_make_symbolic)"),
        parts => {
            writeln!(out, "input: {}; the path depends on {}", parts.join(", "), counted(sizes.input_bytes, "byte"))
        }
    }
}

fn not_covered(out: &mut impl Write, traced: &Traced<'_>) -> io::Result<()> {
    let record: &Completeness = &traced.path.record;
    if traced.is_exact() {
        return writeln!(out, "not covered: nothing, the constraint is exact");
    }
    let mut lines = Vec::new();
    for (cause, places) in &record.causes {
        let total: u64 = places.values().sum();
        let (one, many) = describe::cause(cause);
        let noun = if total == 1 { one } else { many };
        let mut named: Vec<_> = places.iter().collect();
        named.sort_by_key(|(place, count)| (std::cmp::Reverse(**count), (*place).clone()));
        let mut shown: Vec<String> = named
            .iter()
            .take(PLACES)
            .map(|(place, count)| match (place.file.as_str(), place.line) {
                ("", _) => format!("unknown place ×{}", grouped(**count)),
                (file, line) if **count == 1 => format!("{file}:{line}"),
                (file, line) => format!("{file}:{line} ×{}", grouped(**count)),
            })
            .collect();
        if named.len() > PLACES {
            shown.push(format!("{} more places", grouped(named.len() - PLACES)));
        }
        lines.push(format!("{} {noun} ({})", grouped(total), shown.join(", ")));
    }
    let mut count = |number: u64, what: &str| {
        if number > 0 {
            lines.push(format!("{} dropped {what}", counted(number, "label")));
        }
    };
    count(record.stale_labels, "because code without bitcode changed the memory");
    count(record.reentered, "in signal handlers");
    count(record.argument_overflow, "in calls with too many arguments");
    if record.unseen_input > 0 {
        lines.push(format!("{} of the input read by code without bitcode", counted(record.unseen_input, "byte")));
    }
    if record.cap_reached {
        lines.push("everything after the trace reached its limit (--limit trace=SIZE)".to_owned());
    }
    if record.interrupted {
        lines.push("the rest of the path, from where it was interrupted".to_owned());
    }
    if record.replaced {
        lines.push("the other program that the program became (exec)".to_owned());
    }
    lines.extend(describe::cut_short(traced.outcome).map(str::to_owned));
    lines.extend(record.damage.iter().map(|note| format!("the trace is damaged: {note}")));
    for (index, line) in lines.iter().enumerate() {
        writeln!(out, "{} {line}", if index == 0 { "not covered:" } else { "            " })?;
    }
    Ok(())
}
