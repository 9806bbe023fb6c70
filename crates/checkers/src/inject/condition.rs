//! Conditions that stand in the program's code.

use expr::Claim;
use path::Observation;
use trace::abi::FORMAT_MODEL;
use trace::layout::Label;
use trace::rule::Rule;
use trace::sites::{CheckSubject, SiteKind};

use super::{Injected, Run, as_it_came, size};
use crate::selection::Scope;

/// `later` is what was observed behind it.
pub fn inject(
    run: &mut Run,
    observation: &Observation,
    later: &[Observation],
    held: bool,
    subject: Label,
    below: Option<Claim>,
) {
    let number = match &run.sites.site(observation.site).kind {
        SiteKind::Check(number) => *number,
        SiteKind::Call(name) if name == FORMAT_MODEL => return format(run, observation, held),
        _ => return,
    };
    let Some(check) = run.sites.checks.get(number as usize) else { return };
    if check.subject == CheckSubject::Copy && size::is_copied_next(run, observation, later) {
        return;
    }
    let fatal = matches!(check.subject, CheckSubject::Arithmetic('/', _));
    let whole = [Some((check.rule, run.selection.scope_of_check(check), observation.claim())), None];
    let properties = match below {
        Some(below) if held && is_signed(&check.subject) => ends(run, observation.claim(), below).map(Some),
        _ => whole,
    };
    for (rule, scope, holds) in properties.into_iter().flatten() {
        let before = match scope {
            Scope::Nowhere => continue,
            Scope::Sizes if as_it_came::is_lossless(run.nodes, observation.label, subject) => continue,
            // It must still be violated when the value is used: programs test for it in between, or never use what came out.
            Scope::Sizes => match run.reach.first_use(subject) {
                Some(first_use) => first_use.max(observation.before),
                None => continue,
            },
            Scope::Everywhere => observation.before,
        };
        let injected = Injected::at(observation, rule, holds);
        let (number, stated, by_use) = (Some(number), observation.claim(), scope == Scope::Sizes);
        run.check(Injected { stated, held, number, fatal, by_use, before, ..injected });
    }
}

fn is_signed(subject: &CheckSubject) -> bool {
    matches!(subject, CheckSubject::Arithmetic(_, ty) if ty.signed)
}

/// That a result fits is that it is neither too large nor too small: these are two properties, each with inputs of its own that violate it.
fn ends(run: &mut Run, fits: Claim, below: Claim) -> [(Rule, Scope, Claim); 2] {
    let above = below.negated(run.store);
    [(Rule::IntegerOverflow, below), (Rule::IntegerUnderflow, above)].map(|(rule, other_end)| {
        let holds = Claim::build(run.store, [fits, other_end], |store, [fits, other_end]| store.or(fits, other_end));
        (rule, run.selection.scope(rule), holds)
    })
}

/// What the runtime says of a format.
fn format(run: &mut Run, observation: &Observation, held: bool) {
    let rule = Rule::FormatString;
    if run.is_on(rule) {
        run.check(Injected { held, ..Injected::at(observation, rule, observation.claim()) });
    }
}
