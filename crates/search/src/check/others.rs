//! More looks, at inputs in which numbers have more digits, at those in which loops have begun to repeat, at longer ones whose checksums
//! were mended, and at some where there was no input at all.

use std::cmp::Reverse;

use replay::{End, Input, Outcome};
use run::{Request, Status};
use rustc_hash::FxHashSet;
use solver::{Budget, Session};

use super::findings::LONGEST_ATTEMPT;
use super::mended::mended;
use super::{Cause, Checked, Error, Neighbour, Progress, Settings, Subject, Traced, decide, replayable, trace_run};
use crate::expand::{Branches, Options};
use crate::growth::{self, Numbers};

/// Of one query's time, what one may take here: what is hard was asked about the run itself.
const QUERY: u32 = 5;
/// Inputs in which loops have begun to repeat that are looked at.
const MOST_ROUNDS: usize = 8;
/// Inputs with right sums that are.
const MOST_MENDED: usize = 3;
/// How many runs may take too long that are tried for what an input bears.
const MOST_STOPPED: u32 = 1;
/// Neighbours whose numbers get more digits, and as many that are further away; and inputs with such numbers.
const MOST_NEIGHBOURS: usize = 4;
const MOST_OF_NEIGHBOURS: usize = 12;

/// Inputs beside the one that was checked, and its neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// Numbers have more digits: what does not fit shows there. The run itself says nothing about them.
    LongerNumbers,
    /// The same in neighbours, for checks that the run did not come to.
    NumbersOfNeighbours,
    /// Loops go round many times which the run has gone through once: how they count shows in the second round only.
    SecondRounds,
    /// There is more in them, and sums over it are right, too.
    Mended,
    /// There is some input where there was none, which decides about nothing.
    InsteadOfNothing,
}

impl Others {
    /// All of them.
    pub const ALL: [Others; 5] = [
        Others::InsteadOfNothing,
        Others::SecondRounds,
        Others::LongerNumbers,
        Others::NumbersOfNeighbours,
        Others::Mended,
    ];
}

/// Looks at runs on other inputs than those of the run, of its neighbours, and of those further away. What goes wrong ends this; the looks before that stay.
pub fn check_others(
    subject: &Subject,
    session: &mut Session,
    settings: &Settings,
    (checked, further, others): (&Checked, &[Input], Others),
    progress: &mut dyn FnMut(Progress),
) -> (Vec<Checked>, Option<Error>) {
    let original = original(checked);
    let mut bearing = Bearing { subject, settings, stopped: 0 };
    let (branches, mut inputs) = match others {
        Others::LongerNumbers => {
            (Branches::None, numbers(checked, &original).longer(&original, &mut bearing.of(&original)))
        }
        Others::NumbersOfNeighbours => {
            (Branches::None, numbers_of_neighbours(&mut bearing, (checked, further), &original))
        }
        Others::SecondRounds => (Branches::OfLoops, checked.second_rounds.iter().take(MOST_ROUNDS).cloned().collect()),
        Others::Mended => (Branches::None, mended(subject, session, settings, checked)),
        Others::InsteadOfNothing => (settings.options.branches, growth::instead_of_nothing(&original)),
    };
    let settings = Settings { options: Options { branches, ..settings.options }, ..*settings };
    // What is right in the first of many that are mended mostly is in the others, which are only run.
    let looked_at = if others == Others::Mended { MOST_MENDED } else { inputs.len() };
    let tried = inputs.split_off(looked_at.min(inputs.len()));
    let known = match others {
        Others::NumbersOfNeighbours => checked.checks.iter().map(|check| check.site).collect(),
        _ => FxHashSet::default(),
    };
    look_at(subject, session, &settings, (&original, inputs, tried), &known, progress)
}

fn numbers(checked: &Checked, original: &Input) -> Numbers {
    Numbers::of(&checked.path, checked.outcome.trace.parts(), original)
}

/// Neighbours in which numbers have more digits, those that reached most first, and inputs further away.
fn numbers_of_neighbours(
    bearing: &mut Bearing,
    (checked, further): (&Checked, &[Input]),
    original: &Input,
) -> Vec<Input> {
    let numbers = numbers(checked, original);
    let mut neighbours: Vec<&Neighbour> = checked.neighbours.iter().collect();
    neighbours.retain(|neighbour| matches!(neighbour.cause, Cause::Branch(_)));
    neighbours.sort_by_key(|neighbour| Reverse(neighbour.new_edges));
    let neighbours = neighbours.into_iter().take(MOST_NEIGHBOURS).map(|neighbour| &neighbour.input);
    let inputs = neighbours.chain(further.iter().take(MOST_NEIGHBOURS));
    inputs.flat_map(|input| numbers.longer_in(input, &mut bearing.of(input))).take(MOST_OF_NEIGHBOURS).collect()
}

/// Runs that are made to see what an input bears.
struct Bearing<'a> {
    subject: &'a Subject<'a>,
    settings: &'a Settings<'a>,
    /// Those that took too long.
    stopped: u32,
}

impl Bearing<'_> {
    /// What is said of inputs: whether the program comes to all that it comes to on the original, or fails.
    fn of(&mut self, original: &Input) -> impl FnMut(&Input) -> bool {
        let mut own = None;
        move |input| {
            let own = own.get_or_insert_with(|| self.run(original).map(|outcome| edges(&outcome)));
            let Some(own) = own else { return false };
            self.run(input).is_some_and(|outcome| !outcome.violations.is_empty() || own.is_subset(&edges(&outcome)))
        }
    }

    /// A run that ends soon; where one did not, others are not even tried.
    fn run(&mut self, input: &Input) -> Option<Outcome> {
        if self.stopped >= MOST_STOPPED || self.settings.is_over() {
            return None;
        }
        let outcome = self.subject.replayer.replay_within(input, LONGEST_ATTEMPT).ok()?;
        let is_stopped = outcome.end == End::Other(Status::TimedOut);
        self.stopped += u32::from(is_stopped);
        (!is_stopped).then_some(outcome)
    }
}

fn edges(outcome: &Outcome) -> FxHashSet<usize> {
    outcome.coverage.edges().collect()
}

pub(super) fn original(checked: &Checked) -> Input {
    replayable(&checked.outcome, &path::input(&checked.outcome.trace, &checked.outcome.contents))
}

pub(super) fn look_at(
    subject: &Subject,
    session: &mut Session,
    settings: &Settings,
    (original, inputs, mut tried): (&Input, Vec<Input>, Vec<Input>),
    known: &FxHashSet<u32>,
    progress: &mut dyn FnMut(Progress),
) -> (Vec<Checked>, Option<Error>) {
    let mut look = |session: &mut Session, input: Input| {
        let run = |request: &Request| run::concolic_on(request, &input, settings.interrupt);
        let traced = trace_run(subject.request, subject.sites, settings, usize::MAX, run)?;
        // With the first one.
        let tried = std::mem::take(&mut tried);
        let mut traced =
            Traced { cause: Cause::Growth, original: original.clone(), tried: Box::new(tried.into_iter()), ..traced };
        if settings.options.branches == Branches::OfLoops {
            // The run's own path and those of its neighbours have them too.
            traced.checks.clear();
        }
        traced.checks.retain(|check| !known.contains(&check.site));
        decide(subject, session, settings, traced, progress)
    };
    let budget = session.budget();
    session.set_budget(Budget { time: budget.time / QUERY, ..budget });
    let (mut looks, mut failed) = (Vec::new(), None);
    for input in inputs {
        if settings.is_over() {
            break;
        }
        match look(session, input) {
            Ok(checked) => looks.push(checked),
            // A run that is ended from outside looks as if it could not be done.
            Err(Error::NoTrace) if settings.is_over() => break,
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    session.set_budget(budget);
    (looks, failed)
}
