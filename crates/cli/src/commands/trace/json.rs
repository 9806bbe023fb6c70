//! The path constraint for programs.

use std::collections::BTreeMap;

use path::{Cause, Completeness, Constraint, Kind};
use run::Status;
use serde::Serialize;
use serde_json::{Value, json};
use solver::Stats;
use trace::layout::{EventKind, Reason};
use trace::reader::{event_kind, reason};
use trace::sites::{Position, SiteKind, SiteTable};

use super::Traced;
use crate::describe;
use crate::terms;

/// Raised when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Characters of a term unless everything is asked for.
const BRIEF: usize = 4096;

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
}

/// The whole document.
pub fn document(traced: &Traced<'_>) -> Value {
    let sizes = &traced.path.sizes;
    let trace = &traced.outcome.trace;
    let parts = trace
        .parts()
        .iter()
        .map(|part| json!({ "name": part.name, "kind": format!("{:?}", part.kind).to_lowercase(), "bytes": part.len }));
    json!({
        "version": VERSION,
        "program": traced.program.display().to_string(),
        "status": status(traced.outcome.status),
        "seconds": traced.outcome.wall.as_secs_f64(),
        "peak_memory": traced.outcome.peak_memory,
        "input": parts.collect::<Vec<_>>(),
        "constraints": traced.path.constraints.iter().map(|c| constraint(traced, c)).collect::<Vec<_>>(),
        "sizes": {
            "branches": sizes.branches,
            "switches": sizes.switches,
            "pins": sizes.pins,
            "branches_executed": sizes.executed,
            "repeated": sizes.repeated,
            "nodes": sizes.nodes,
            "events": sizes.events,
            "terms": sizes.terms,
            "input_bytes": sizes.input_bytes,
        },
        "not_covered": not_covered(traced),
        "flips": traced.flips.map(|(folder, flips)| json!({
            "folder": folder.display().to_string(),
            "inputs": flips.inputs.iter().map(|flip| json!({
                "name": flip.name, "constraint": flip.constraint, "way": flip.way,
            })).collect::<Vec<_>>(),
            "impossible": flips.impossible,
            "unknown": flips.unknown,
            "stopped": flips.stopped,
        })),
        "solver": traced.stats.map(Stats::to_json),
    })
}

fn status(status: Status) -> Value {
    match status {
        Status::Exited(code) => json!({ "kind": "exited", "code": code }),
        Status::Signalled(signal) => json!({ "kind": "signalled", "signal": signal }),
        Status::TimedOut => json!({ "kind": "timed-out" }),
        Status::MemoryExceeded => json!({ "kind": "memory-exceeded" }),
        Status::TooManyProcesses => json!({ "kind": "too-many-processes" }),
        Status::Interrupted => json!({ "kind": "interrupted" }),
        _ => json!({ "kind": "lost" }),
    }
}

fn places(sites: &SiteTable, site: u32) -> Vec<Place<'_>> {
    sites.site(site).positions.iter().map(place).collect()
}

fn place(position: &Position) -> Place<'_> {
    Place { file: &position.file, line: position.line, column: position.column, function: &position.function }
}

fn constraint(traced: &Traced<'_>, constraint: &Constraint) -> Value {
    let store = &traced.path.store;
    let term = |term| if traced.full { terms::full(store, term) } else { terms::brief(store, term, BRIEF) };
    let (subject, holds) = (term(constraint.subject), term(constraint.holds));
    let mut value = json!({
        "kind": describe::kind(&constraint.kind),
        "event": constraint.event,
        "places": places(traced.sites, constraint.site),
        "term": subject.text,
        "holds": holds.text,
        "complete": subject.complete && holds.complete,
    });
    let details = match &constraint.kind {
        Kind::Branch { taken } => json!({ "taken": taken }),
        Kind::Switch { value, cases } => json!({ "value": value, "cases": cases }),
        Kind::Pin { value, reason } => json!({ "value": value, "reason": trace::text::reason_name(*reason) }),
        Kind::Bounds { .. } => json!({}),
        Kind::Access { address, write, region } => {
            let region = region.and_then(|index| traced.outcome.trace.regions().get(index as usize));
            json!({
                "value": address,
                "reason": "address",
                "write": write,
                "region": region.map(|region| json!({
                    "name": describe::region(traced.sites, region), "base": region.base, "size": region.size,
                })),
            })
        }
    };
    if let (Value::Object(fields), Value::Object(details)) = (&mut value, details) {
        fields.extend(details);
    }
    value
}

fn not_covered(traced: &Traced<'_>) -> Value {
    let record: &Completeness = &traced.path.record;
    let causes = record.causes.iter().flat_map(|(cause, places)| {
        places.iter().map(move |(place, count)| {
            let (name, function) = match cause {
                Cause::SymbolicRead => ("symbolic-read", None),
                Cause::SymbolicWrite => ("symbolic-write", None),
                Cause::UnmodelledCall(name) => ("unmodelled-call", Some(name)),
                Cause::Other(reason) => (trace::text::reason_name(*reason), None),
            };
            json!({ "cause": name, "function": function, "file": place.file, "line": place.line, "count": count })
        })
    });
    let mut lost: BTreeMap<&str, u64> = BTreeMap::new();
    for event in traced.outcome.trace.events() {
        let is_call = reason(event.reason) == Some(Reason::UnmodelledCall);
        let bytes = match event_kind(event.kind) {
            Some(EventKind::Loss) if is_call => event.value,
            Some(EventKind::Pin) if is_call => {
                let node = traced.outcome.trace.nodes().get(event.label as usize);
                node.map_or(0, |node| u64::from(node.width).div_ceil(8))
            }
            _ => continue,
        };
        let name = match &traced.sites.site(event.site).kind {
            SiteKind::Call(name) => name.as_str(),
            _ => "",
        };
        *lost.entry(name).or_default() += bytes;
    }
    json!({
        "causes": causes.collect::<Vec<_>>(),
        "lost_bytes": lost,
        "stale_labels": record.stale_labels,
        "reentered": record.reentered,
        "argument_overflow": record.argument_overflow,
        "unseen_input": record.unseen_input,
        "cap_reached": record.cap_reached,
        "replaced": record.replaced,
        "interrupted": record.interrupted,
        "damage": record.damage.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "cut_short": describe::cut_short(traced.outcome),
        "exact": traced.is_exact(),
    })
}
