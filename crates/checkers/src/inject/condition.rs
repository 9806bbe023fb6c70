//! Conditions that stand in the program's code.

use path::Observation;
use trace::abi::FORMAT_MODEL;
use trace::layout::Label;
use trace::rule::Rule;
use trace::sites::{CheckSubject, SiteKind};

use super::{Injected, Run, as_it_came, size};
use crate::selection::Scope;

/// `later` is what was observed behind it.
pub fn inject(run: &mut Run, observation: &Observation, later: &[Observation], held: bool, subject: Label) {
    let number = match &run.sites.site(observation.site).kind {
        SiteKind::Check(number) => *number,
        SiteKind::Call(name) if name == FORMAT_MODEL => return format(run, observation, held),
        _ => return,
    };
    let Some(check) = run.sites.checks.get(number as usize) else { return };
    if check.subject == CheckSubject::Copy && size::is_copied_next(run, observation, later) {
        return;
    }
    let scope = run.selection.scope_of_check(check);
    let before = match scope {
        Scope::Nowhere => return,
        // It must still be violated when the value is used: programs test for it in between, or never use what came out.
        Scope::Sizes if as_it_came::is_lossless(run.nodes, observation.label, subject) => return,
        Scope::Sizes => match run.reach.first_use(subject) {
            Some(first_use) => first_use.max(observation.before),
            None => return,
        },
        Scope::Everywhere => observation.before,
    };
    let by_use = scope == Scope::Sizes;
    let fatal = matches!(check.subject, CheckSubject::Arithmetic('/', _));
    let injected = Injected::at(observation, check.rule, observation.claim());
    run.check(Injected { held, number: Some(number), fatal, by_use, before, ..injected });
}

/// What the runtime says of a format.
fn format(run: &mut Run, observation: &Observation, held: bool) {
    let rule = Rule::FormatString;
    if run.is_on(rule) {
        run.check(Injected { held, ..Injected::at(observation, rule, observation.claim()) });
    }
}
