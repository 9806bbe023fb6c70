//! Mutation: inputs that are made by chance from those that reached something new. It is no search of all paths, but it is
//! fast, and it changes lengths, which negating branches cannot. What it finds is expanded like everything else.

mod havoc;

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use replay::{Coverage, End, Input, Replayer, Source};
use run::Status;
use rustc_hash::FxHashSet;
use store::Id;

use super::{Worker, from_store, statistics, to_store};
use crate::check::Error;
use havoc::{Chance, Material, mutate};

/// How long a worker mutates before it looks for other work.
const TURN: Duration = Duration::from_millis(200);
/// Mutants of one input before another one has its turn.
const ROUND: usize = 128;
/// How often new inputs are looked for.
const REFRESH: Duration = Duration::from_millis(500);
/// How many numbers of inputs are looked at again.
const OVERLAP: Id = 1000;
/// How many times longer than usual a mutant may run.
const PATIENCE: u32 = 20;
/// And how long it may run in any case, since machines have other things to do too.
const SHORTEST_LIMIT: Duration = Duration::from_millis(50);
/// How many times slower than usual an input is at most said to be.
const SLOWEST: u32 = 100;
/// Mutation that has brought nothing new for so long costs twice what it takes, for twice as long three times, and so on.
const FRUITLESS: Duration = Duration::from_secs(8);
/// And so many times at most.
const DEAREST: u32 = 4;

/// What mutation needs.
pub struct Mutating<'a> {
    /// Runs the coverage view.
    pub coverage: &'a Replayer,
    /// Texts that mean something to the program.
    pub tokens: &'a [Vec<u8>],
}

/// An input that mutants are made from.
struct Parent {
    id: Id,
    input: Input,
    rounds: u32,
    /// How many rounds of others one of its rounds counts for: few if it took an edge that nothing had taken before, many if it
    /// is slow.
    cost: u32,
}

/// What came of the mutants of one input.
#[derive(Clone, Copy, Default)]
struct Round {
    runs: u64,
    /// Those that reached something new.
    found: u64,
}

/// How far the mutation of a worker is.
pub(super) struct Mutation {
    chance: Chance,
    parents: Vec<Parent>,
    last: Id,
    known: FxHashSet<Id>,
    refreshed: Option<Instant>,
    /// How long a run usually takes.
    usual: Duration,
    /// What has been spent on it.
    pub(super) spent: Duration,
    /// The time that went into it since it brought something new.
    fruitless: Duration,
}

impl Mutation {
    pub(super) fn new(seed: u64) -> Mutation {
        Mutation {
            chance: Chance::new(seed),
            parents: Vec::new(),
            last: 0,
            known: FxHashSet::default(),
            refreshed: None,
            usual: Duration::from_millis(1),
            spent: Duration::ZERO,
            fruitless: Duration::ZERO,
        }
    }

    /// Whether it has brought nothing new for long.
    pub(super) fn is_fruitless(&self) -> bool {
        self.fruitless >= FRUITLESS
    }

    /// Counts time that went into it. What brings nothing gives way to the search of paths, but never ends.
    fn spend(&mut self, time: Duration, found: u64) {
        self.fruitless = if found == 0 { self.fruitless + time } else { Duration::ZERO };
        let turns = self.fruitless.as_millis() / FRUITLESS.as_millis();
        self.spent += time * u32::try_from(turns + 1).unwrap_or(u32::MAX).min(DEAREST);
    }

    /// Which input has its turn: mostly one that had few, and at times any.
    fn pick(&mut self) -> Option<usize> {
        let any = self.chance.below(self.parents.len());
        let other = self.chance.below(self.parents.len());
        let rounds = |parent: &Parent| parent.rounds.saturating_mul(parent.cost);
        match self.chance.below(4) {
            0 => Some(any),
            // The one of two that had fewer.
            1 => [any, other].into_iter().min_by_key(|index| self.parents.get(*index).map_or(0, rounds)),
            _ => (0..self.parents.len()).rev().min_by_key(|index| self.parents.get(*index).map_or(0, rounds)),
        }
        .filter(|index| *index < self.parents.len())
    }

    /// How long a run may take.
    pub(super) fn limit(&self) -> Duration {
        (self.usual * PATIENCE).max(SHORTEST_LIMIT)
    }

    /// What is usual follows fast runs quickly and slow ones slowly.
    fn ran(&mut self, wall: Duration) {
        let memory = if wall < self.usual { 4 } else { 64 };
        self.usual = (self.usual * (memory - 1) + wall) / memory;
    }
}

impl Worker<'_> {
    /// Mutates for a while.
    pub(super) fn mutate(&mut self, mutating: &Mutating) -> Result<(), Error> {
        let started = Instant::now();
        self.refresh_parents(mutating)?;
        let (mut runs, mut found) = (0, 0);
        while started.elapsed() < TURN && !self.is_stopped() {
            let Some(parent) = self.mutation.pick() else { break };
            let round = self.round(mutating, parent)?;
            (runs, found) = (runs + round.runs, found + round.found);
        }
        self.mutation.spend(started.elapsed(), found);
        // Where there was nothing else to do, it owes nobody for what it took.
        self.mutation.spent = self.mutation.spent.min(self.shares.searched + TURN * DEAREST);
        Ok(self.campaign.count(&[(statistics::MUTANTS.to_owned(), runs)])?)
    }

    fn refresh_parents(&mut self, mutating: &Mutating) -> Result<(), Error> {
        if self.mutation.refreshed.is_some_and(|at| at.elapsed() < REFRESH) {
            return Ok(());
        }
        self.mutation.refreshed = Some(Instant::now());
        // Inputs get their scores not quite in the order of their numbers.
        let after = self.mutation.last.saturating_sub(OVERLAP);
        for item in self.campaign.interesting(after)? {
            if !self.mutation.known.insert(item.id) {
                continue;
            }
            let input = from_store(&item.input);
            let coverage = mutating.coverage.replay_within(&input, self.mutation.limit())?;
            self.mutation.ran(coverage.wall);
            self.note(&coverage.coverage, false);
            self.mutation.last = self.mutation.last.max(item.id);
            let is_favoured = item.score >= store::NEW_EDGE || item.parent.is_none();
            let slowness = coverage.wall.as_micros() / self.mutation.usual.as_micros().max(1);
            let cost = if is_favoured { 1 } else { 4 } * (1 + u32::try_from(slowness).unwrap_or(u32::MAX).min(SLOWEST));
            self.mutation.parents.push(Parent { id: item.id, input, rounds: 0, cost });
        }
        Ok(())
    }

    /// Notes what a run reached; whether anything of it is new.
    fn note(&self, coverage: &Coverage, crashed: bool) -> bool {
        let map = if crashed { &self.shared.crashed } else { &self.shared.mutated };
        let mut reached = map.lock().unwrap_or_else(PoisonError::into_inner);
        let hits = reached.new_hits(coverage);
        reached.add(&hits);
        !hits.is_empty()
    }

    /// Makes mutants of an input and runs them.
    fn round(&mut self, mutating: &Mutating, parent: usize) -> Result<Round, Error> {
        let other = self.mutation.chance.below(self.mutation.parents.len());
        let other = self.mutation.parents.get(other).map(|parent| parent.input.clone()).unwrap_or_default();
        let Some(chosen) = self.mutation.parents.get_mut(parent) else { return Ok(Round::default()) };
        chosen.rounds += 1;
        let (id, original) = (chosen.id, chosen.input.clone());
        // Arguments and variables cannot have just any bytes.
        let is_free = |source: &Source| !matches!(source, Source::Argument(_) | Source::Variable(_));
        let parts = original.parts.iter().enumerate();
        let places: Vec<usize> = parts.filter(|(_, part)| is_free(&part.source)).map(|(place, _)| place).collect();
        let mut round = Round::default();
        let mut left = ROUND;
        let started = Instant::now();
        while left > 0 && started.elapsed() < TURN && !self.is_stopped() {
            left -= 1;
            let mut mutant = original.clone();
            let Some(place) = self.mutation.chance.one_of(&places).copied() else { break };
            let Some(part) = mutant.parts.get_mut(place) else { break };
            let other = other.parts.get(place).map(|part| part.bytes.as_slice()).unwrap_or_default();
            let resizes = !matches!(part.source, Source::Buffer(_));
            let material = Material { tokens: mutating.tokens, other, resizes };
            mutate(&mut part.bytes, &material, &mut self.mutation.chance);
            let outcome = mutating.coverage.replay_within(&mutant, self.mutation.limit())?;
            round.runs += 1;
            let crashed = match outcome.end {
                End::Other(Status::Exited(_)) => false,
                End::Other(Status::Signalled(_)) | End::Violation => true,
                End::Other(_) => continue,
            };
            if self.note(&outcome.coverage, crashed) {
                self.campaign.add_mutant(&to_store(&mutant), id)?;
                round.found += 1;
                // Where something is found, there is more.
                left = (left + ROUND / 4).min(4 * ROUND);
            }
        }
        Ok(round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutation_that_brings_nothing_gives_way_until_it_does() {
        let mut mutation = Mutation::new(1);
        mutation.spend(FRUITLESS / 2, 0);
        assert_eq!(mutation.spent, FRUITLESS / 2);
        assert!(!mutation.is_fruitless());
        mutation.spend(FRUITLESS / 2, 0);
        assert_eq!(mutation.spent, FRUITLESS / 2 + FRUITLESS);
        assert!(mutation.is_fruitless());
        mutation.spend(FRUITLESS * 100, 0);
        let before = mutation.spent;
        mutation.spend(FRUITLESS, 0);
        assert_eq!(mutation.spent, before + FRUITLESS * DEAREST);
        mutation.spend(FRUITLESS, 1);
        assert_eq!(mutation.spent, before + FRUITLESS * (DEAREST + 1));
        assert!(!mutation.is_fruitless());
    }
}
