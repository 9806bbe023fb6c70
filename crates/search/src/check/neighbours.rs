//! More looks, at inputs that leave the path of the run and come to what nothing before them had come to.
//!
//! What is wrong there may take one decision and a certain value behind it. The run's own path shows only the decision. Decisions
//! that nothing before has come to, as the next ones in a row of commands, are taken otherwise once more, and some behind these, too.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use checkers::inject::Injected;
use path::Constraint;
use replay::Input;
use run::{Limits, Request};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Budget, Session};
use trace::rule::Rule;

use super::findings::LONGEST_ATTEMPT;
use super::lines::with_lines;
use super::records::mixed;
use super::splice::Splice;
use super::{Cause, Checked, Error, Progress, Settings, Subject, Traced, decide, replayable, rows, trace_run};
use crate::decisions::{Decision, decision};
use crate::divergence::{Departure, departure};
use crate::expand::{Aim, Branches, Candidate, CheckVerdict, Checks, Choice, Options, expand_chosen};
use crate::growth::bytes_of;
use crate::novelty::Novelty;

/// Neighbours that are looked at.
const MOST: usize = 32;
/// Constraints of their paths that are walked along in all; where the run's own path is longer, twice as many as that has.
const WALKED: usize = 20_000;
/// Checks that are asked about in all; where more was asked about the run's own path, half of that.
const ASKED: usize = 4_000;
/// What part of all that is left one of them may take: the first ones are often the longest, and the others shall have something, too.
const SHARE: usize = 4;
/// Of one query's time, what one about a neighbour may take: there are many of them.
const QUERY: u32 = 20;
/// For so many neighbours a check may have no answer before the others are not asked about it.
const HOPELESS: u32 = 2;
/// Those that reached no more than others, and are looked at for what comes behind it.
const MOST_BESIDE: usize = 8;
/// Those that come once more to a row of decisions, and are looked at for what could not be decided there; and those that decide there what
/// was no decision for the run, since what it came with was no input.
const MOST_ROUNDS: usize = 4;
/// Inputs that leave the path of a neighbour, of all neighbours, and of one.
const MOST_FURTHER: usize = 16;
const FURTHER_EACH: usize = 8;
/// And those that leave the path of one of these, or of one of those in turn: what an option has behind its kind.
const MOST_DEEPER: usize = 8;
/// The same where the run came to a decision, and nothing on its path could decide it otherwise: in a row of commands the others may be
/// longer or shorter than the one that got so far.
const MOST_EXCLUDED: usize = 8;
/// Inputs that are run with more lines behind those of one of these, and with its lines behind the run's own.
const MOST_WITH_LINES: usize = 24;
/// So many neighbours are asked about a decision: what one of them excludes is possible for another.
const FURTHER_TRIES: u32 = 4;
/// How much longer than the run that of a neighbour may take.
const PATIENCE: u32 = 20;

/// An input that reached what nothing before it had reached.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// The input.
    pub input: Input,
    /// What led to it.
    pub cause: Cause,
    /// How many edges it took that nothing before had taken.
    pub new_edges: usize,
}

/// What time was spent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Concolic runs.
    pub run: Duration,
    /// The making of paths and checks.
    pub building: Duration,
    /// Replays, and the walk along the path beside them.
    pub replaying: Duration,
}

/// What came of them.
#[derive(Default)]
pub struct Neighbours {
    /// How many were looked at.
    pub looked_at: usize,
    /// Inputs that left the path of one of them.
    pub further: Vec<Input>,
    /// Those that something came of, with the checks behind the place where they left the path of the run. The others are not kept:
    /// paths take memory.
    pub looks: Vec<Checked>,
    /// Checks there that hold for every input.
    pub safe: usize,
    /// Those that can be violated.
    pub violated: usize,
    /// Those without an answer.
    pub unknown: usize,
    /// Checks there that were not asked about: they were too many, or the same had been asked often in other iterations, or in vain for
    /// other neighbours.
    pub left_out: usize,
    /// Inputs that were run for those that nothing came of.
    pub candidates: u64,
    /// Time that all of them took, also those that nothing came of.
    pub spent: Spent,
    /// What ended this before its end.
    pub failed: Option<Error>,
}

impl Neighbours {
    fn add(&mut self, look: Checked) {
        for (index, verdict) in look.expansion.checks.iter().enumerate() {
            match verdict {
                CheckVerdict::Holds => self.safe += 1,
                CheckVerdict::Behind | CheckVerdict::Unknown if !look.confirmed.contains(&index) => self.unknown += 1,
                CheckVerdict::Violable | CheckVerdict::Behind | CheckVerdict::Unknown => self.violated += 1,
            }
        }
        match look.found.is_empty() && look.missed.is_empty() && look.slow.is_none() {
            true => self.candidates += look.candidates,
            false => self.looks.push(look),
        }
    }
}

/// What may still be walked along, and asked.
struct Allowance {
    constraints: usize,
    checks: usize,
    /// For how many neighbours a check at a site had no answer.
    unanswered: FxHashMap<(Rule, u32), u32>,
    /// Where the run decided something.
    met: FxHashSet<u32>,
    /// What it decided nowhere, and could decide nowhere.
    excluded: FxHashSet<Decision>,
    /// How many inputs decide so.
    once_excluded: usize,
    /// For how many neighbours each other decision was asked about, until there was an input for it.
    tried: FxHashMap<Asked, u32>,
    /// Inputs that decide otherwise where a neighbour was the first to decide something.
    further: Vec<Input>,
    /// How many of them left the path of another one of them.
    deeper: usize,
    /// Whether inputs may be longer.
    grows: bool,
}

impl Allowance {
    /// Whether a check was hard so often that it is hard for the others, too.
    fn is_hopeless(&self, check: &Injected) -> bool {
        self.unanswered.get(&(check.rule, check.site)).is_some_and(|times| *times >= HOPELESS)
    }

    /// How many more inputs that leave the path of a neighbour are wanted.
    fn room(&self, wanted: Wanted) -> usize {
        match wanted {
            Wanted::First => FURTHER_EACH.min((MOST_FURTHER + self.once_excluded).saturating_sub(self.further.len())),
            Wanted::Excluded => MOST_EXCLUDED.saturating_sub(self.once_excluded),
            Wanted::Deeper => (FURTHER_EACH / 2).min(MOST_DEEPER.saturating_sub(self.deeper)),
        }
    }

    /// Looks for inputs that leave the path of a neighbour where it makes decisions that are wanted, from a constraint on.
    fn go_further(
        &mut self,
        session: &mut Session,
        traced: &mut Traced,
        (bound, wanted): (usize, Wanted),
        settings: &Settings,
    ) {
        let is_wide = |constraint: &Constraint| {
            bytes_of(&traced.path.store, constraint.subject).is_none_or(|bytes| bytes.len() > 1)
        };
        let constraints = traced.path.constraints.iter();
        let places: Vec<(u32, bool)> = constraints.map(|constraint| (constraint.site, is_wide(constraint))).collect();
        let mut found = Vec::new();
        let room = self.room(wanted);
        let mut answered = Vec::new();
        let of_met = (wanted == Wanted::Excluded).then_some(&self.excluded);
        let tried = &mut self.tried;
        let mut choice = FirstOf { met: &self.met, of_met, tried, places: &places, bound, asked: FxHashSet::default() };
        let outcome = &traced.outcome;
        let mut keep = |candidate: Candidate| {
            if let Aim::Branch { constraint, number, .. } = candidate.aim
                && let Some((site, is_wide)) = places.get(constraint).copied()
            {
                answered.push((Decision { site, way: number }, is_wide));
            }
            found.push(replayable(outcome, &candidate.input));
            if found.len() < room { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut step = |_| match settings.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        if room > 0 {
            let options = Options { branches: Branches::All, bound, ..settings.options };
            let base = Arc::clone(&traced.base);
            let path = &mut traced.path;
            expand_chosen(session, path, Checks::default(), base, options, &mut choice, &mut step, &mut keep);
        }
        match wanted {
            // What comes behind these depends on where they are: on the word that comes next, or on none. So each may be made more than once.
            Wanted::Excluded => self.once_excluded += found.len(),
            Wanted::First | Wanted::Deeper => {
                let taken = traced.path.constraints.iter().zip(&places);
                let taken = taken.filter_map(|(constraint, (_, is_wide))| Some((decision(constraint)?, *is_wide)));
                self.tried.extend(taken.chain(answered).map(|known| (known, FURTHER_TRIES)));
            }
        }
        if wanted == Wanted::Deeper {
            self.deeper += found.len();
        }
        self.further.extend(found);
    }

    /// Takes note of what had no answer.
    fn learn(&mut self, look: &Checked) {
        let checks = look.checks.iter().zip(&look.expansion.checks).enumerate();
        let unanswered = checks
            .filter(|(index, (_, verdict))| **verdict == CheckVerdict::Unknown && !look.confirmed.contains(index));
        let places: FxHashSet<(Rule, u32)> = unanswered.map(|(_, (check, _))| (check.rule, check.site)).collect();
        places.into_iter().for_each(|place| *self.unanswered.entry(place).or_default() += 1);
    }
}

/// Which decisions of a neighbour are made otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// Those where the run decided nothing.
    First,
    /// Those that the run could make one way only, too.
    Excluded,
    /// As the first, of an input that has left the path of a neighbour itself.
    Deeper,
}

/// A decision that is asked about, and whether it is about more than one byte: what library functions decide is reported where they are called, and
/// that a word is the one that a format begins with is another question than whether one of its bytes is a digit.
type Asked = (Decision, bool);

/// Decisions where the run decided nothing, or could decide nothing else, each once.
struct FirstOf<'a> {
    met: &'a FxHashSet<u32>,
    /// What it could not, if that is what is wanted.
    of_met: Option<&'a FxHashSet<Decision>>,
    tried: &'a mut FxHashMap<Asked, u32>,
    /// Where the path decides, and about what.
    places: &'a [(u32, bool)],
    bound: usize,
    asked: FxHashSet<Asked>,
}

impl Choice for FirstOf<'_> {
    fn wants_way(&mut self, constraint: usize, way: u64) -> bool {
        let Some((site, is_wide)) = self.places.get(constraint).copied() else { return false };
        let wanted = Decision { site, way };
        let is_wanted = !self.met.contains(&site) || self.of_met.is_some_and(|excluded| excluded.contains(&wanted));
        if constraint < self.bound || !is_wanted || !self.asked.insert((wanted, is_wide)) {
            return false;
        }
        let tries = self.tried.entry((wanted, is_wide)).or_default();
        *tries += 1;
        *tries <= FURTHER_TRIES
    }

    fn wants_check(&mut self, _: usize) -> bool {
        false
    }
}

/// Decides the checks on the paths of a run's neighbours, behind the places where they left that of the run. Branches are negated there
/// only where the run decided nothing, and some behind these: what lies further away is for [`crate::explore`]. Those that reached most come first, and what all of it may cost follows
/// from the path, not from a clock; but what the solver had no time for is asked less often.
pub fn check_neighbours(
    subject: &Subject,
    session: &mut Session,
    settings: &Settings,
    checked: &Checked,
    progress: &mut dyn FnMut(Progress),
) -> Neighbours {
    let mut order: Vec<&Neighbour> = checked.neighbours.iter().collect();
    order.sort_by_key(|neighbour| Reverse(neighbour.new_edges));
    order.truncate(MOST);
    // Where these go is known by then; what could come behind it may be excluded for the others.
    order.extend(checked.beside.iter().take(MOST_BESIDE).map(Arc::as_ref));
    let excluded = rows::excluded(&checked.path, &checked.expansion.refuted);
    let again = |input: &Input| Neighbour { input: input.clone(), cause: Cause::Branch(0), new_edges: 0 };
    let rounds = rows::leading_to(&excluded, &checked.path, &checked.rows).take(2 * MOST_ROUNDS);
    let never_decided = rows::never_decided(&checked.path, &checked.rows).take(MOST_ROUNDS);
    let (rounds, never_decided): (Vec<_>, Vec<_>) = (rounds.map(again).collect(), never_decided.map(again).collect());
    order.extend(&never_decided);
    let first_round = order.len();
    order.extend(&rounds);
    let (constraints, checks) = (checked.path.constraints.len(), checked.checks.len());
    let mut allowance = Allowance {
        constraints: WALKED.max(constraints * 2),
        checks: ASKED.max((constraints + checks) / 2),
        unanswered: FxHashMap::default(),
        met: checked.path.constraints.iter().map(|constraint| constraint.site).collect(),
        excluded,
        once_excluded: 0,
        tried: FxHashMap::default(),
        further: Vec::new(),
        deeper: 0,
        grows: settings.growth,
    };
    let options = Options { branches: Branches::None, ..settings.options };
    let settings = Settings { options, growth: false, ..*settings };
    let budget = session.budget();
    session.set_budget(Budget { time: budget.time / QUERY, ..budget });
    let mut neighbours = Neighbours::default();
    let mut next = 0;
    while next < order.len() + allowance.further.len() {
        let further = next.checked_sub(order.len()).and_then(|place| allowance.further.get(place).cloned());
        let further = further.map(|input| Neighbour { input, cause: Cause::Branch(0), new_edges: 0 });
        let is_further = further.is_some();
        let Some(neighbour) = further.as_ref().or_else(|| order.get(next).copied()) else { break };
        next += 1;
        if settings.is_over() || allowance.checks == 0 {
            break;
        }
        if matches!(neighbour.cause, Cause::Branch(left) if left >= allowance.constraints) {
            continue;
        }
        let wanted = match is_further {
            true => Wanted::Deeper,
            false if next > first_round => Wanted::Excluded,
            false => Wanted::First,
        };
        // Those that come to nothing new are looked at for what they lead to, and for nothing else.
        let leads_nowhere = !is_further && neighbour.new_edges == 0 && allowance.room(wanted) == 0;
        if leads_nowhere {
            continue;
        }
        progress(Progress::Neighbours(next - 1, order.len() + allowance.further.len()));
        let is_new = neighbour.new_edges > 0;
        let this = (checked, neighbour, wanted);
        let counts = (&mut neighbours.left_out, &mut neighbours.spent);
        match look(subject, session, &settings, this, &mut allowance, counts) {
            Ok(look) => {
                neighbours.looked_at += usize::from(is_new || is_further);
                look.into_iter().for_each(|look| neighbours.add(look));
            }
            // Whatever became of this one, others can be looked at.
            Err(Error::NoTrace | Error::Path(_)) => {}
            Err(error) => {
                neighbours.failed = Some(error);
                break;
            }
        }
    }
    session.set_budget(budget);
    neighbours.further = allowance.further;
    neighbours
}

fn look(
    subject: &Subject,
    session: &mut Session,
    settings: &Settings,
    (checked, neighbour, wanted): (&Checked, &Neighbour, Wanted),
    allowance: &mut Allowance,
    (left_out, spent): (&mut usize, &mut Spent),
) -> Result<Option<Checked>, Error> {
    let Checked { outcome, path, .. } = checked;
    let original = replayable(outcome, &path::input(&outcome.trace, &outcome.contents));
    let run = |request: &Request| {
        let longest = outcome.wall.saturating_mul(PATIENCE).max(LONGEST_ATTEMPT);
        let limits = Limits { time: request.limits.time.min(longest), ..request.limits.clone() };
        run::concolic_on(&Request { limits, ..request.clone() }, &neighbour.input, settings.interrupt)
    };
    // What lies further away than may be walked along, behind whatever it has in common with the run's path, nobody asks about: inputs that
    // have become very long have paths to match.
    let most = path.constraints.len().saturating_add(allowance.constraints);
    let mut traced = trace_run(subject.request, subject.sites, settings, most, run)?;
    spent.run += traced.outcome.wall;
    spent.building += traced.building;
    let Departure { place, bound } = departure(path, &traced.path);
    let is_further = wanted == Wanted::Deeper;
    allowance.go_further(session, &mut traced, (bound, wanted), settings);
    // What comes before was the run's to decide. What is often meant is not looked for here: it is of little use as it is, and where
    // memory is a choice between many things, a hash may seem to be used as an address.
    let is_behind = |check: &Injected| check.before >= bound && !check.by_use;
    if !is_further && neighbour.new_edges == 0 {
        return Ok(None);
    }
    let mut checks: Vec<Injected> = traced.checks.into_iter().filter(is_behind).collect();
    let all = checks.len();
    let end = bound.saturating_add(allowance.constraints.saturating_sub(bound).div_ceil(SHARE));
    let mut novelty = Novelty::default();
    checks.retain(|check| check.before <= end && !allowance.is_hopeless(check) && novelty.wants_check(check));
    checks.truncate(allowance.checks.div_ceil(SHARE));
    *left_out += all - checks.len();
    allowance.checks -= checks.len();
    let walked = checks.last().map_or(bound, |last| last.before);
    allowance.constraints = allowance.constraints.saturating_sub(walked);
    let mut tried = Vec::new();
    // The others had their turn with the run itself. What more lines have led to, still more of them may go on with.
    if allowance.grows && (is_further || neighbour.cause == Cause::Growth) {
        tried.extend(with_lines(&Arc::new(neighbour.input.clone()), &[]).take(MOST_WITH_LINES));
    }
    if allowance.grows && is_further {
        let own = Arc::new(original.clone());
        tried.extend(mixed(&own, &neighbour.input));
        tried.extend(with_lines(&own, &[&neighbour.input]).take(MOST_WITH_LINES));
    }
    // One that is further away has not been run yet.
    if checks.is_empty() && tried.is_empty() && !is_further {
        return Ok(None);
    }
    let cause = match neighbour.cause {
        Cause::Branch(_) => Cause::Branch(place),
        cause => cause,
    };
    let tried = Box::new(tried.into_iter().map(Splice::input));
    let traced = Traced { checks, cause, original, tried, ..traced };
    let look = decide(subject, session, settings, traced, &mut |_| {})?;
    spent.replaying += look.replaying;
    allowance.learn(&look);
    Ok(Some(look))
}
