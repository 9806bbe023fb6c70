//! Violations as findings of a report.

use replay::{Bucket, Source, Violation};
use report::{Change, Finding, Frame, Input, Part, PartKind, Position};

/// A violation that was seen to happen, without what led to it.
pub fn of(violation: &Violation, bucket: &Bucket, input: &replay::Input, changes: &[replay::Change]) -> Finding {
    let frame = |frame: &replay::Frame| Frame {
        function: frame.position.function.clone(),
        position: Position::from(&frame.position),
        inlined: frame.inlined,
    };
    let position = violation.position().map(Position::from).unwrap_or_default();
    let mut finding = Finding::new(violation.rule, violation.message.clone(), position, &bucket.to_string());
    finding.function = violation.position().map(|position| position.function.clone()).unwrap_or_default();
    finding.stack = violation.stack.iter().map(frame).collect();
    let parts = input.parts.iter().map(|part| {
        let (name, kind) = name_of(&part.source);
        Part::new(name, kind, &part.bytes)
    });
    finding.input = Input { parts: parts.collect() };
    let change = |change: &replay::Change| Change {
        part: input.parts.get(change.part).map(|part| name_of(&part.source).0).unwrap_or_default(),
        offset: change.offset as u64,
        from: change.old,
        to: change.new,
    };
    finding.changes = changes.iter().map(change).collect();
    finding
}

fn name_of(source: &Source) -> (String, PartKind) {
    let kind = match source {
        Source::Stdin => PartKind::Stdin,
        Source::File(_) | Source::Socket => PartKind::File,
        Source::Buffer(_) => PartKind::Buffer,
        Source::Argument(_) => PartKind::Argument,
        Source::Variable(_) => PartKind::Environment,
    };
    (source.name(), kind)
}
