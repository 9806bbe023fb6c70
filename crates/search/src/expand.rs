//! All one-step neighbours of a run: every check violated, every branch decided otherwise.

mod walk;

use std::ops::ControlFlow;
use std::sync::Arc;

use checkers::inject::Injected;
use expr::{Input, VarName};
use path::Path;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Combination, Reason, Session};
use trace::sites::SiteTable;

use crate::contradiction::{Contradiction, protected};
use crate::divisions::Division;
use crate::patience::Patience;
use crate::ways::other_sizes;
use walk::Walk;

/// What to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How checks share queries.
    pub combination: Combination,
    /// How checks are recognised that constraints before them protect.
    pub contradiction: Contradiction,
    /// Which branches and switches are decided otherwise.
    pub branches: Branches,
    /// Whether sizes that depend on the length of the input are made smaller and larger.
    pub sizes: bool,
    /// The first constraint whose other ways are looked for: those before belong to the run that this one came from.
    pub bound: usize,
}

impl Default for Options {
    fn default() -> Options {
        let (combination, contradiction) = (Combination::default(), Contradiction::default());
        Options { combination, contradiction, branches: Branches::All, sizes: false, bound: 0 }
    }
}

/// How many of the first and of the last decisions of a place on the length of the input are decided otherwise.
const ENDS: usize = 4;

/// Of one query's time, what queries without an answer may take before there are any with one. A branch is one of many; that a
/// check holds is worth waiting for.
const BRANCHES_IN_ADVANCE: f64 = 0.2;
const CHECKS_IN_ADVANCE: f64 = 0.5;

/// Branches and switches of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Branches {
    /// All of them.
    All,
    /// Those that depend on how long the input is, and of each place the first and the last ones only: a program may ask at every
    /// byte whether that was the last.
    OfLengths,
    /// None, but loops are made to go round many times.
    OfLoops,
    /// None.
    None,
}

impl Branches {
    /// Whether each constraint of a path is one of them.
    fn of(self, path: &Path) -> Vec<bool> {
        match self {
            Branches::All => vec![true; path.constraints.len()],
            Branches::None | Branches::OfLoops => vec![false; path.constraints.len()],
            Branches::OfLengths => {
                let is_length =
                    |name: &VarName| matches!(name, VarName::Input { part, .. } if path.lengths.contains(part));
                let found = expr::mentions(&path.store, is_length);
                let has_length = |term: expr::Term| found.get(term.index()).copied().unwrap_or(false);
                let mut by_site: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
                let constraints = path.constraints.iter().enumerate();
                for (index, constraint) in constraints.filter(|(_, constraint)| has_length(constraint.subject)) {
                    by_site.entry(constraint.site).or_default().push(index);
                }
                let ends = |indices: &Vec<usize>| {
                    let (first, last) = (indices.iter().take(ENDS), indices.iter().rev().take(ENDS));
                    first.chain(last).copied().collect::<Vec<_>>()
                };
                let wanted: FxHashSet<usize> = by_site.values().flat_map(ends).collect();
                (0..path.constraints.len()).map(|index| wanted.contains(&index)).collect()
            }
        }
    }
}

/// What an input was made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// It violates the check with this index.
    Check(usize),
    /// It leaves the path at the constraint with this index.
    Branch {
        /// The constraint.
        constraint: usize,
        /// What the way is called that it takes there.
        way: String,
        /// The number of that way.
        number: u64,
    },
}

/// An input beside the run's own.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it was made for.
    pub aim: Aim,
    /// The input.
    pub input: Input,
    /// Only what is closest to the aim was solved: the way to it may be another one.
    pub optimistic: bool,
    /// Whether whatever violates the check violates one of an index before it, too: both are one mistake.
    pub follows: bool,
}

/// What was found out about a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckVerdict {
    /// It holds for every input that takes the path up to it.
    Holds,
    /// An input violates it.
    Violable,
    /// It holds for every input that gets past the divisions before it. Others violate it, if the program goes on after such a
    /// division: it does where nobody needs the result.
    Behind,
    /// The solver gave no answer, or was stopped, or the combination did not ask.
    Unknown,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expansion {
    /// For each check, in their order.
    pub checks: Vec<CheckVerdict>,
    /// Other ways that an input takes.
    pub possible: usize,
    /// Other ways that no input takes.
    pub impossible: usize,
    /// Other ways that an input takes only if the program goes on after a division that fails.
    pub behind: usize,
    /// Other ways that the solver gave no answer for.
    pub unknown: usize,
    /// Whether somebody stopped it before the end.
    pub stopped: bool,
    /// Constraints with another way that no input takes, in order.
    pub refuted: Vec<usize>,
    /// Why checks are unknown, by their index, where the solver said it.
    pub reasons: Vec<(usize, Reason)>,
    /// Checks that are unknown because others had taken the time, by their index.
    pub passed_over: Vec<usize>,
}

impl Expansion {
    /// Adds what was found out about other ways on the same path.
    pub(crate) fn add(&mut self, other: Expansion) {
        self.possible += other.possible;
        self.impossible += other.impossible;
        self.behind += other.behind;
        self.unknown += other.unknown;
        self.stopped |= other.stopped;
        self.refuted.extend(other.refuted);
        self.refuted.sort_unstable();
    }
}

/// What is known of a path's checks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks<'a> {
    /// Those that are to be decided, in the order of the path.
    pub asked: &'a [Injected],
    /// All divisions on the path, whether they are asked about or not.
    pub divisions: &'a [Division],
    /// Where sites are.
    pub sites: Option<&'a SiteTable>,
}

/// Which questions are asked.
pub trait Choice {
    /// Whether to look for an input that takes this way at this constraint.
    fn wants_way(&mut self, constraint: usize, number: u64) -> bool;
    /// Whether to decide the check with this index.
    fn wants_check(&mut self, index: usize) -> bool;
}

/// All of them.
struct Everything;

impl Choice for Everything {
    fn wants_way(&mut self, _: usize, _: u64) -> bool {
        true
    }

    fn wants_check(&mut self, _: usize) -> bool {
        true
    }
}

/// Walks along a path and gives every candidate to `found`, in the order of the path, until it says that it is enough.
/// `progress` is told how many constraints are done, and can say the same: a path may give no candidates for a long time.
pub fn expand(
    session: &mut Session,
    path: &mut Path,
    checks: Checks,
    input: Arc<Input>,
    options: Options,
    progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    found: &mut dyn FnMut(Candidate) -> ControlFlow<()>,
) -> Expansion {
    expand_chosen(session, path, checks, input, options, &mut Everything, progress, found)
}

/// The same for some questions only. About the others nothing is found out.
#[expect(clippy::too_many_arguments, reason = "all of it is about one walk")]
pub fn expand_chosen(
    session: &mut Session,
    path: &mut Path,
    checks: Checks,
    input: Arc<Input>,
    options: Options,
    choice: &mut dyn Choice,
    progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    found: &mut dyn FnMut(Candidate) -> ControlFlow<()>,
) -> Expansion {
    let Checks { asked: checks, divisions, sites } = checks;
    let (mut known_to_hold, mut chosen) = (FxHashSet::default(), None);
    if options.contradiction == Contradiction::Reverse {
        // A choice is made once: whoever makes it may count.
        let wanted: Vec<bool> = (0..checks.len()).map(|index| choice.wants_check(index)).collect();
        let mut is_wanted = |index: usize| wanted.get(index).copied().unwrap_or(false);
        let mut goes_on = || progress(0).is_continue();
        known_to_hold = protected(session, path, checks, &input, &mut is_wanted, &mut goes_on);
        chosen = Some(wanted);
    }
    let known = |index| if known_to_hold.contains(&index) { CheckVerdict::Holds } else { CheckVerdict::Unknown };
    let wanted = options.branches.of(path);
    let last_wanted = wanted.iter().rposition(|wanted| *wanted);
    let mut walk = Walk {
        solver: session.path(input),
        store: &mut path.store,
        choice,
        found,
        expansion: Expansion { checks: (0..checks.len()).map(known).collect(), ..Expansion::default() },
        branch_patience: Patience::with_advance(BRANCHES_IN_ADVANCE),
        check_patience: Patience::with_advance(CHECKS_IN_ADVANCE),
        protected: known_to_hold,
        chosen,
        divisions,
        watched: 0,
        sites,
        indices: Vec::new(),
        tried: FxHashSet::default(),
    };
    let mut next = 0;
    let mut implied = path.implied.iter().peekable();
    let mut flow = ControlFlow::Continue(());
    for (index, (constraint, is_wanted)) in path.constraints.iter().zip(wanted).enumerate() {
        if next == checks.len() && last_wanted.is_none_or(|last| last < index) {
            break;
        }
        while let Some(claim) = implied.next_if(|implied| implied.before <= index) {
            let claim = claim.claim(walk.store);
            walk.solver.push(walk.store, claim);
        }
        flow = walk.checks_before(checks, &mut next, index, options.combination);
        if flow.is_continue() && is_wanted && index >= options.bound {
            let sizes = if options.sizes { other_sizes(walk.store, constraint, &path.lengths) } else { Vec::new() };
            flow = walk.branch(index, constraint, sizes);
        }
        if flow.is_continue() {
            walk.solver.push(walk.store, constraint.claim());
            flow = progress(index + 1);
        }
        if flow.is_break() {
            break;
        }
    }
    if flow.is_continue() {
        flow = walk.checks_before(checks, &mut next, path.constraints.len(), options.combination);
    }
    walk.expansion.stopped = flow.is_break();
    walk.solver.dump(walk.store);
    walk.expansion
}

#[cfg(test)]
mod tests;
