//! The paper's theorems, tried on generated programs.
//!
//! Each theorem is a function from rules and random choices to what it found, so that it can be tried with a premise left
//! out: then it must fail, or the test is worth nothing. `PROVOKE_PROGRAMS` says how many programs are tried.

mod generate;
mod mix;
mod symbolic;
mod typing;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use solver::Session;

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
type Theorem = fn(&mut Session, Rules, &[u8]) -> Result<Tried, String>;

/// Programs that are tried with every premise in force.
fn programs() -> u32 {
    let asked = std::env::var("PROVOKE_PROGRAMS").ok().and_then(|number| number.parse().ok());
    asked.unwrap_or(300)
}

/// Programs that are tried until one shows that a premise is missing.
const MUTATED_PROGRAMS: u32 = 20_000;

fn session() -> Session {
    // The tests' program cannot be started as a solver worker.
    Session::new(solver::Config { in_process: true, ..solver::Config::default() }).unwrap()
}

/// Tries a theorem on programs; how often it applied, or the program that contradicts it.
fn attempt(theorem: Theorem, rules: Rules, count: u32, shrink: bool) -> Result<u32, String> {
    let config = Config {
        cases: count,
        failure_persistence: None,
        max_shrink_iters: if shrink { 2_000 } else { 0 },
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let state = std::cell::RefCell::new((session(), 0));
    let verbose = std::env::var_os("DEBUGX").is_some();
    let result = runner.run(&vec(any::<u8>(), 0..300), |choices| {
        let t = std::time::Instant::now();
        let _g = scopeguard(move || { if verbose && t.elapsed().as_millis() > 300 { eprintln!("slow {:?}", t.elapsed()); } });
        let (session, applied) = &mut *state.borrow_mut();
        match theorem(session, rules, &choices) {
            Ok(Tried::Holds) => *applied += 1,
            Ok(Tried::DoesNotApply) => {}
            Err(why) => return Err(proptest::test_runner::TestCaseError::fail(why)),
        }
        Ok(())
    });
    match result {
        Ok(()) => { eprintln!("{rules:?} none"); Ok(state.into_inner().1) },
        Err(TestError::Fail(why, _)) => Err(why.to_string()),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

/// The theorem holds, and applies to no fewer than one in `one_in` programs.
fn holds(theorem: Theorem, one_in: u32) {
    let count = programs();
    match attempt(theorem, Rules::default(), count, true) {
        Ok(applied) => {
            println!("applied to {applied} of {count} programs");
            assert!(applied * one_in >= count, "applied to {applied} of {count} programs only");
        }
        Err(why) => panic!("{why}"),
    }
}

/// Without any one of these premises, the theorem is found to be wrong.
fn needs(theorem: Theorem, premises: &[Premise]) {
    let missed = |premise: &Premise| attempt(theorem, Rules::without(*premise), MUTATED_PROGRAMS, false).is_err();
    let unneeded: Vec<&Premise> = premises.iter().filter(|premise| !missed(premise)).collect();
    assert!(unneeded.is_empty(), "not missed in {MUTATED_PROGRAMS} programs: {unneeded:?}");
}

struct G<F: FnMut()>(F);
impl<F: FnMut()> Drop for G<F> { fn drop(&mut self) { (self.0)() } }
fn scopeguard<F: FnMut()>(f: F) -> G<F> { G(f) }
