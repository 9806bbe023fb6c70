//! What is seen in a trace, as text.

use std::collections::{BTreeMap, BTreeSet};

use trace::layout::{Event, EventKind, PartKind, Reason};
use trace::op::Op;
use trace::reader::{self, Trace};
use trace::sites::SiteTable;

use crate::depends::Dependencies;

/// An event in words, for example `branch taken stdin[0-3]`, and where it happened.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Observation {
    /// Line in the test's own source; 0 for an event elsewhere.
    pub line: u32,
    /// Kind, details, and the input bytes that its term depends on.
    pub text: String,
    /// For an event elsewhere: where.
    pub place: String,
}

/// The events of a trace, each one once, as seen from the source file that ends with `source`.
pub fn observe(trace: &Trace, sites: &SiteTable, source: &str) -> BTreeSet<Observation> {
    let dependencies = Dependencies::of(trace);
    trace
        .events()
        .iter()
        .filter(|event| !is_boundary(event))
        .map(|event| {
            let positions = &sites.site(event.site).positions;
            let own = positions.iter().find(|position| position.file.ends_with(source));
            let place = match positions.first() {
                Some(first) if own.is_none() => format!("{}:{} ({})", first.file, first.line, first.function),
                None => format!("unknown site {}", event.site),
                Some(_) => String::new(),
            };
            Observation {
                line: own.map_or(0, |position| position.line),
                text: describe(event, trace, &dependencies),
                place,
            }
        })
        .collect()
}

/// Whether an event says only where a loop begins or ends: optimisation decides about many of these.
fn is_boundary(event: &Event) -> bool {
    matches!(
        reader::event_kind(event.kind),
        Some(EventKind::Loop | EventKind::Leave | EventKind::Enter | EventKind::Exit | EventKind::Object)
    )
}

/// The places of self-check mismatches; every one is an internal error.
pub fn mismatches(trace: &Trace, sites: &SiteTable) -> Vec<String> {
    let wrong = trace.events().iter().filter(|event| reader::event_kind(event.kind) == Some(EventKind::Mismatch));
    wrong
        .map(|event| {
            let place = sites.site(event.site).positions.first();
            let place = place.map_or("unknown site".to_owned(), |at| format!("{}:{}:{}", at.file, at.line, at.column));
            let node = trace.nodes().get(event.label as usize);
            let node = node.map_or(String::new(), |node| {
                let operator = Op::from_code(node.op).map_or("?".to_owned(), |op| format!("{op:?}"));
                format!("{operator} of {} bits is {:#x}", node.width, node.value)
            });
            format!("self-check: {place}: %{} {node}, the program has {:#x}", event.label, event.value)
        })
        .collect()
}

fn describe(event: &Event, trace: &Trace, dependencies: &Dependencies) -> String {
    let mut words = Vec::new();
    let reason = reader::reason(event.reason).map_or("unknown", trace::text::reason_name);
    match reader::event_kind(event.kind) {
        Some(EventKind::Branch) => {
            words.push(format!("branch {}", if event.taken == 1 { "taken" } else { "not-taken" }))
        }
        Some(EventKind::Switch) => words.push(format!("switch {:#x}", event.value)),
        Some(EventKind::Pin) => words.push(format!("pin {reason} {:#x}", event.value)),
        // The address itself differs from run to run.
        Some(kind @ (EventKind::Read | EventKind::Write)) => {
            let pinned = if event.reason == Reason::Address as u16 { " pinned" } else { "" };
            words.push(format!("{}{pinned}", if kind == EventKind::Read { "read" } else { "write" }));
        }
        // So do the addresses of functions.
        Some(EventKind::Target) => words.push("target".to_owned()),
        Some(EventKind::Bounds) => words.push("bounds".to_owned()),
        Some(EventKind::Loss) => words.push(format!("loss {reason}")),
        Some(EventKind::Mismatch) => words.push("mismatch".to_owned()),
        Some(EventKind::Check) => words.push(format!("check {}", if event.taken == 1 { "holds" } else { "fails" })),
        Some(EventKind::Size) => words.push("size".to_owned()),
        Some(EventKind::Loop) => words.push("loop".to_owned()),
        Some(EventKind::Leave) => words.push("leave".to_owned()),
        Some(EventKind::Enter) => words.push("enter".to_owned()),
        Some(EventKind::Exit) => words.push("exit".to_owned()),
        Some(EventKind::Object) => words.push("object".to_owned()),
        None => words.push(format!("unknown-kind-{}", event.kind)),
    }
    let mut by_part: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for (part, offset) in dependencies.bytes(event.label) {
        let part = trace.parts().get(part as usize).map_or("unknown", |part| match part.kind {
            PartKind::File => "file",
            PartKind::Stdin => "stdin",
            PartKind::Socket
            | PartKind::Folder
            | PartKind::Buffer
            | PartKind::Argument
            | PartKind::Variable
            | PartKind::Length
            | PartKind::String => &part.name,
        });
        by_part.entry(part).or_default().insert(offset);
    }
    words.extend(by_part.iter().map(|(part, bytes)| format!("{part}[{}]", ranges(bytes))));
    words.join(" ")
}

/// `0-3,7` for 0, 1, 2, 3 and 7.
fn ranges(bytes: &BTreeSet<u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &byte in bytes {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    let text = ranges.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::sites::{Position, Site, SiteKind};

    fn sites() -> SiteTable {
        let at = |file: &str, line| Position { file: file.into(), line, column: 1, function: "f".into() };
        let site = |positions| Site { positions, kind: SiteKind::Other };
        SiteTable {
            sites: vec![
                Site::default(),
                site(vec![at("dir/a.c", 5)]),
                site(vec![at("observe.h", 2), at("dir/a.c", 9)]),
                site(vec![at("other.c", 2)]),
            ],
            ..SiteTable::default()
        }
    }

    #[test]
    fn events_are_described_by_the_bytes_they_depend_on() {
        let text = "trace ended\npart stdin 0x9 name=stdin\n\
            %1 = input i8 part0 0x0 -> 0x47\n%2 = input i8 part0 0x1 -> 0x1\n%3 = input i8 part0 0x4 -> 0x1\n\
            %4 = add i8 %1 %2 -> 0x48\n%5 = add i8 %4 %3 -> 0x49\n%6 = eq i1 %5 0x49 -> 0x1\n\
            branch %6 taken site=1\nbranch %6 taken site=1\npin %4 0x48 size site=2\npin %1 0x47 size site=3\n";
        let trace = trace::text::parse(text).unwrap();
        let seen: Vec<_> = observe(&trace, &sites(), "/a.c").into_iter().collect();
        let text: Vec<_> = seen.iter().map(|seen| format!("{} {}{}", seen.line, seen.text, seen.place)).collect();
        assert_eq!(
            text,
            ["0 pin size 0x47 stdin[0]other.c:2 (f)", "5 branch taken stdin[0-1,4]", "9 pin size 0x48 stdin[0-1]"]
        );
    }
}
