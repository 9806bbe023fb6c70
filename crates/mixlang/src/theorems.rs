//! The paper's theorems, tried on generated programs.
//!
//! Each theorem is a function from rules and random choices to what it found, so that it can be tried with a premise left
//! out: then it must fail, or the test is worth nothing. `PROVOKE_PROGRAMS` says how many programs are tried.

mod alarms;
mod generate;
mod mix;
mod symbolic;
mod tricks;
mod typing;

use solver::Session;

use self::generate::Choices;
use crate::rules::{Premise, Rules};

/// What a theorem said about a program.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tried {
    /// Its premises hold, and so does its conclusion.
    Holds,
    /// Its premises do not hold.
    DoesNotApply,
}

/// A theorem. An error says what contradicts it.
type Theorem = fn(&mut Session, Rules, Choices) -> Result<Tried, String>;

/// Programs that are tried with every premise in force.
fn programs() -> u64 {
    let asked = std::env::var("PROVOKE_PROGRAMS").ok().and_then(|number| number.parse().ok());
    asked.unwrap_or(300)
}

/// Programs that are tried until one shows that a premise is missing.
const MUTATED_PROGRAMS: u64 = 5_000;
/// Choices that make up a program, at most.
const MAX_CHOICES: usize = 250;

fn session() -> Session {
    // The tests' program cannot be started as a solver worker.
    Session::new(solver::Config { in_process: true, ..solver::Config::default() }).unwrap()
}

/// The smallest program, as far as leaving out choices makes it smaller, that contradicts a theorem.
fn shrunk(session: &mut Session, theorem: Theorem, rules: Rules, seed: u64) -> Option<String> {
    (0..=MAX_CHOICES).find_map(|length| theorem(session, rules, Choices::new(seed, length)).err())
}

/// The theorem holds for the first programs, and applies to no fewer than one in `one_in` of them.
fn holds(theorem: Theorem, one_in: u64) {
    let (mut session, count, mut applied) = (session(), programs(), 0);
    for seed in 0..count {
        match theorem(&mut session, Rules::default(), Choices::new(seed, MAX_CHOICES)) {
            Ok(Tried::Holds) => applied += 1,
            Ok(Tried::DoesNotApply) => {}
            Err(why) => {
                panic!("program {seed}: {}", shrunk(&mut session, theorem, Rules::default(), seed).unwrap_or(why))
            }
        }
    }
    println!("applied to {applied} of {count} programs");
    assert!(applied * one_in >= count, "applied to {applied} of {count} programs only");
}

/// Without any one of these premises, the theorem is found to be wrong. The number beside a premise is that of a program
/// that shows it; should another way of making programs have moved it, the ones after it are tried.
fn needs(theorem: Theorem, premises: &[(Premise, u64)]) {
    let mut session = session();
    for (premise, first) in premises {
        let rules = Rules::without(*premise);
        let shown = (*first..first + MUTATED_PROGRAMS)
            .find(|seed| theorem(&mut session, rules, Choices::new(*seed, MAX_CHOICES)).is_err());
        match shown {
            Some(seed) => println!("{premise:?} is missed by program {seed}"),
            None => panic!("{premise:?} is not missed by {MUTATED_PROGRAMS} programs"),
        }
    }
}
