//! Conditions that stand in the program's code.

use path::Observation;
use trace::abi::FORMAT_MODEL;
use trace::layout::Label;
use trace::rule::Rule;
use trace::sites::{CheckSubject, SiteKind};

use super::{Injected, Run};
use crate::selection::Scope;

pub fn inject(run: &mut Run, observation: &Observation, held: bool, subject: Label) {
    let number = match &run.sites.site(observation.site).kind {
        SiteKind::Check(number) => *number,
        SiteKind::Call(name) if name == FORMAT_MODEL => return format(run, observation, held),
        _ => return,
    };
    let Some(check) = run.sites.checks.get(number as usize) else { return };
    let scope = run.selection.scope_of_check(check);
    let before = match scope {
        Scope::Nowhere => return,
        // It must still be violated when the value is used: programs test for it in between, or never use what came out.
        Scope::Sizes => match run.reach.first_use(subject) {
            Some(first_use) => first_use.max(observation.before),
            None => return,
        },
        Scope::Everywhere => observation.before,
    };
    let by_use = scope == Scope::Sizes;
    let (rule, holds) = (check.rule, observation.claim());
    let (site, number, event) = (observation.site, Some(number), observation.event);
    let fatal = matches!(check.subject, CheckSubject::Arithmetic('/', _));
    run.check(Injected { rule, holds, near: None, held, site, number, fatal, by_use, before, event });
}

/// What the runtime says of a format.
fn format(run: &mut Run, observation: &Observation, held: bool) {
    let (rule, holds) = (Rule::FormatString, observation.claim());
    let (site, before, event) = (observation.site, observation.before, observation.event);
    if run.is_on(rule) {
        run.check(Injected {
            rule,
            holds,
            near: None,
            held,
            site,
            number: None,
            fatal: false,
            by_use: false,
            before,
            event,
        });
    }
}
