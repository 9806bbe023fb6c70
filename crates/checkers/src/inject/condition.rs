//! Conditions that stand in the program's code.

use path::Observation;
use trace::abi::FORMAT_MODEL;
use trace::layout::Label;
use trace::rule::Rule;
use trace::sites::SiteKind;

use super::{Injected, Run};
use crate::selection::Scope;

pub fn inject(run: &mut Run, observation: &Observation, held: bool, subject: Label) {
    let number = match &run.sites.site(observation.site).kind {
        SiteKind::Check(number) => *number,
        SiteKind::Call(name) if name == FORMAT_MODEL => return format(run, observation, held),
        _ => return,
    };
    let Some(check) = run.sites.checks.get(number as usize) else { return };
    let counts = match run.selection.scope_of_check(check) {
        Scope::Nowhere => false,
        Scope::Sizes => run.reach.contains(subject),
        Scope::Everywhere => true,
    };
    if counts {
        let rule = check.rule;
        run.check(Injected {
            rule,
            holds: observation.claim(),
            near: None,
            held,
            site: observation.site,
            number: Some(number),
            before: observation.before,
            event: observation.event,
        });
    }
}

/// What the runtime says of a format.
fn format(run: &mut Run, observation: &Observation, held: bool) {
    let (rule, holds) = (Rule::FormatString, observation.claim());
    let (site, before, event) = (observation.site, observation.before, observation.event);
    if run.is_on(rule) {
        run.check(Injected { rule, holds, near: None, held, site, number: None, before, event });
    }
}
