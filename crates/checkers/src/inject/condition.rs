//! Conditions that stand in the program's code.

use path::Observation;
use trace::layout::Label;
use trace::sites::SiteKind;

use super::{Injected, Run};
use crate::selection::Scope;

pub fn inject(run: &mut Run, observation: &Observation, held: bool, subject: Label) {
    let SiteKind::Check(number) = run.sites.site(observation.site).kind else { return };
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
        });
    }
}
