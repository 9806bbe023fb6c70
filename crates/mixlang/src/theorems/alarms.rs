//! Two things that the paper does not state. What symbolic execution says about types is true: run from its witness, the
//! block ends in the error. And every program gets a verdict, whatever it is and however small the budgets are.

use solver::Session;
use std::sync::atomic::AtomicBool;

use crate::analysis::{Analysis, Options, analyse};
use crate::evaluate::{self, Start, Stuck};
use crate::render::{self, Text};
use crate::rules::{Premise, Rules};
use crate::syntax::Mode;
use crate::theorems::generate::{Choices, Features, case};
use crate::theorems::{Tried, holds, needs};
use crate::verdict::Cause;

fn alarms_are_real(session: &mut Session, rules: Rules, mut choices: Choices) -> Result<Tried, String> {
    let features = Features { blocks: false, undefined: false, tricks: true, confused: 9 };
    let case = case(&mut choices, features);
    let options = Options { outermost: Mode::Symbolic, paths: 12, iterations: 4, steps: 4_000, ..Options::default() };
    let mut analysis = Analysis::new(session, options, rules);
    let Err(rejections) = analysis.judge(&case.program) else { return Ok(Tried::DoesNotApply) };
    let mut tried = Tried::DoesNotApply;
    for rejection in rejections {
        // Values do not show the types of cells and functions, so evaluation does not notice these.
        let shows = !["ref", "->", "function"].iter().any(|word| rejection.message.contains(word));
        if rejection.cause == Cause::Type && rejection.rule != "TSYMBLOCK" && shows {
            if !rejection.is_confirmed() {
                return Err(format!("not confirmed: {rejection:?}\n{}", case.source));
            }
            tried = Tried::Holds;
        }
    }
    Ok(tried)
}

fn every_program_gets_a_verdict(session: &mut Session, _: Rules, mut choices: Choices) -> Result<Tried, String> {
    let outermost = if choices.below(2) == 0 { Mode::Typed } else { Mode::Symbolic };
    let options = Options {
        outermost,
        defer: choices.below(2) == 1,
        good_enough: if choices.below(3) == 0 { Some(choices.below(3)) } else { None },
        paths: choices.below(4),
        iterations: choices.below(3),
        steps: 10u64 << choices.below(8),
        ignore_blocks: choices.below(5) == 4,
    };
    let features = Features { blocks: true, undefined: true, tricks: true, confused: 4 };
    let case = case(&mut choices, features);
    let report = analyse(&case.program, session, &options);
    for rejection in report.rejections() {
        let places = rejection.related.iter().map(|(span, _)| *span).chain([rejection.span]);
        let places = places.chain(rejection.path.iter().map(|step| step.span));
        for place in places.chain(rejection.blocks.iter().map(|block| block.span)) {
            if case.source.get(place.start..place.end).is_none_or(str::is_empty) {
                return Err(format!("{rejection:?} is nowhere in\n{}", case.source));
            }
        }
    }
    let text = render::report(Text { name: "case", source: &case.source, colours: false }, &report);
    if !text.contains(if report.is_accepted() { "accepted: " } else { "rejected" }) {
        return Err(format!("no verdict: {text}\n{}", case.source));
    }
    let start = Start { externs: case.externs, memory: case.memory };
    match (
        evaluate::run(&case.program, start, 5_000, &AtomicBool::new(false)),
        report.is_accepted() && options.good_enough.is_none(),
    ) {
        (Err(Stuck::Error { message, .. }), true) => Err(format!("accepted, but {message}\n{}", case.source)),
        _ => Ok(Tried::Holds),
    }
}

#[test]
fn alarms_of_symbolic_execution_are_real() {
    holds(alarms_are_real, 15);
}

#[test]
fn real_alarms_need_their_premises() {
    needs(alarms_are_real, &[(Premise::BranchGuard, 318), (Premise::LoggedWrite, 540)]);
}

#[test]
fn all_programs_get_verdicts() {
    holds(every_program_gets_a_verdict, 1);
}
