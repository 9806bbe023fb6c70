//! Assertions: branches that lead to the end of the program.

use path::{Constraint, Kind};
use trace::rule::Rule;
use trace::sites::SiteKind;

use super::{Injected, Run};

/// The other way out of the branch violates the assertion: what kept the run on its path is the check.
pub fn inject(run: &mut Run, constraint: &Constraint, index: usize) {
    let (Kind::Branch { taken }, SiteKind::Assertion(fails, _)) =
        (&constraint.kind, &run.sites.site(constraint.site).kind)
    else {
        return;
    };
    if taken != fails && run.is_on(Rule::Assertion) {
        run.check(Injected {
            rule: Rule::Assertion,
            holds: constraint.claim(),
            stated: constraint.claim(),
            near: None,
            held: true,
            site: constraint.site,
            number: None,
            fatal: false,
            by_use: false,
            before: index,
            event: constraint.event,
        });
    }
}
