//! How the program gets to a finding.

use path::Kind;
use replay::{Violation, is_predicted};
use report::{Position, Step};
use search::Checked;
use search::check::{Cause, prediction};
use trace::sites::SiteTable;

/// Steps of the path that a finding shows: the last ones tell most.
const STEPS: usize = 20;

/// How many constraints of a run's path come before what the run itself violates: behind that the run goes on as if nothing had been.
pub(super) fn end_of_run(sites: &SiteTable, checked: &Checked, violation: &Violation) -> usize {
    let is_seen =
        |check: &&checkers::inject::Injected| !check.held && is_predicted(&prediction(sites, check), violation);
    if let Some(check) = checked.checks.iter().find(is_seen) {
        return check.before;
    }
    // What does not depend on the input has no place on the path. Of the calls that led there, the innermost one that has decided
    // something until then says how far it was.
    let constraints = &checked.path.constraints;
    let decided_in = |frame: &replay::Frame| {
        let at = &frame.position;
        let is_before = |position: &trace::sites::Position| {
            position.function == at.function && position.file == at.file && position.line <= at.line
        };
        let is_there = |site: u32| sites.site(site).positions.iter().any(is_before);
        constraints.iter().rposition(|constraint| is_there(constraint.site))
    };
    violation.stack.iter().find_map(decided_in).map_or(0, |last| last + 1)
}

/// The decisions on the way.
pub(super) fn steps(sites: &SiteTable, checked: &Checked, end: usize, cause: Cause) -> Vec<Step> {
    let constraints = checked.path.constraints.get(..end).unwrap_or(&checked.path.constraints);
    let decisions: Vec<_> = constraints
        .iter()
        .filter_map(|constraint| {
            let text = match &constraint.kind {
                Kind::Branch { taken: true } => "branch taken".to_owned(),
                Kind::Branch { taken: false } => "branch not taken".to_owned(),
                Kind::Switch { value, .. } => format!("switch on {value:#x}"),
                Kind::Pin { .. } | Kind::Access { .. } | Kind::Bounds { .. } => return None,
            };
            Some((constraint.site, text))
        })
        .collect();
    let last = decisions.len().saturating_sub(STEPS);
    let mut steps: Vec<Step> = decisions
        .into_iter()
        .skip(last)
        .filter_map(|(site, text)| Some(Step { position: Position::from(path::position(sites, site)?), text }))
        .collect();
    let last = match cause {
        Cause::Branch(index) => {
            checked.path.constraints.get(index).map(|constraint| (constraint.site, "goes another way here"))
        }
        Cause::Iterations(number) => {
            sites.loops.get(number as usize).map(|found| (found.site, "makes many more iterations here"))
        }
        Cause::Run | Cause::Check(_) | Cause::Growth | Cause::Unpinned(_) => None,
    };
    if let Some((site, text)) = last
        && let Some(position) = path::position(sites, site)
    {
        steps.push(Step { position: position.into(), text: text.to_owned() });
    }
    steps
}
