//! Violations as findings of a report.

mod way;

use checkers::catalogue::Severity;
use replay::{Bucket, Source, Violation};
use report::{Change, Finding, Frame, Input, Part, PartKind, Position, Prediction, Verdict};
use search::Checked;
use search::check::{Cause, Found};
use trace::sites::SiteTable;

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
    finding.is_write = violation.access.is_some_and(|access| access.is_write);
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
        Source::File(_) | Source::Channel(_) => PartKind::File,
        Source::Buffer(_) => PartKind::Buffer,
        Source::Argument(_) => PartKind::Argument,
        Source::Variable(_) => PartKind::Environment,
    };
    (source.name(), kind)
}

/// The same with what led to it, in a run that was checked. The run's input is called `from`.
pub fn of_checked(sites: &SiteTable, checked: &Checked, found: &Found, from: &str) -> Finding {
    let violation = &found.violation;
    let mut finding = of(violation, &found.bucket, &found.input, &found.changes);
    let at = |site: u32| path::position(sites, site).map(Position::from).unwrap_or_default();
    let end = match found.cause {
        Cause::Run => {
            finding.predicted_by = Prediction::Run;
            way::end_of_run(sites, checked, violation)
        }
        Cause::Check(index) => {
            let check = checked.checks.get(index);
            let (rule, site) = check.map_or((violation.rule, 0), |check| (check.rule, check.site));
            finding.predicted_by = Prediction::Checker { rule, position: at(site) };
            check.map_or(0, |check| check.before)
        }
        Cause::Branch(index) => {
            let site = checked.path.constraints.get(index).map_or(0, |constraint| constraint.site);
            finding.predicted_by = Prediction::Branch { position: at(site) };
            index
        }
        Cause::Iterations(number) => {
            let site = sites.loops.get(number as usize).map_or(0, |found| found.site);
            finding.predicted_by = Prediction::Branch { position: at(site) };
            0
        }
        Cause::Unpinned(site) => {
            let place = at(site);
            finding.predicted_by = Prediction::Changed {
                how: format!("trying to violate the check at {place}, behind what is not covered"),
            };
            0
        }
        Cause::Growth => {
            finding.predicted_by =
                Prediction::Changed { how: "repeating bytes that the program treats alike".to_owned() };
            0
        }
    };
    finding.severity = severity(finding.severity, found.as_predicted, &found.armed);
    finding.verdict = match found.cause {
        // What was predicted may have failed too.
        Cause::Check(_) if !found.as_predicted && !found.is_confirmed => Verdict::ConfirmedElsewhere,
        _ => Verdict::Confirmed,
    };
    finding.from_input = from.to_owned();
    finding.path = way::steps(sites, checked, end, found.cause);
    finding
}

/// How bad a violation is: what is often meant is defined behaviour.
pub fn severity(of_rule: Severity, as_predicted: bool, armed: &[u32]) -> Severity {
    if as_predicted && !armed.is_empty() { of_rule.min(Severity::Warning) } else { of_rule }
}
