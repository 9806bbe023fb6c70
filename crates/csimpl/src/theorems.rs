//! The paper's theorems 1 to 9 and its two lemmas, on generated programs.
//!
//! `PROVOKE_CSIMPL_PROGRAMS` says how many programs each is tried on. For every theorem there is also a wrong rule that
//! makes it fail, so that we know that the test can.

mod active;
mod as_printed;
mod combination;
mod compilation;
mod generate;
mod mutants;
mod oracle;
mod solving;
mod soundness;

use std::time::Duration;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use self::generate::{World, world};
use crate::solve::Budget;

/// What came of trying a theorem on one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tried {
    /// It holds.
    Held,
    /// Its premises are not met.
    Vacuous,
}

type Property = dyn Fn(&World) -> Result<Tried, String>;

/// How many programs there are by default.
const PROGRAMS: u32 = 300;

/// How many programs a wrong rule is tried on before we say that the test cannot fail.
const TRIES: u32 = 20_000;

fn programs() -> u32 {
    std::env::var("PROVOKE_CSIMPL_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS)
}

/// A budget that does not depend on how fast the machine is. What is not solved with a tenth of the usual steps is not
/// solved with all of them either, as a rule.
fn budget() -> Budget {
    Budget { steps: 200_000, time: Duration::from_secs(3_600), stop: None }
}

fn runner(cases: u32, max_shrink_iters: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters,
        max_global_rejects: u32::MAX,
        ..Config::default()
    };
    // The same programs every time; more of them where more are asked for.
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

/// Expects a theorem to hold, and its premises to be met by at least one program in so many.
fn holds(one_in: u32, property: &Property) {
    let count = programs();
    let held = std::cell::Cell::new(0);
    let result = runner(count, 2_000).run(&world(), |world| match property(&world) {
        Ok(tried) => {
            held.set(held.get() + u32::from(tried == Tried::Held));
            Ok(())
        }
        Err(message) => Err(TestCaseError::fail(message)),
    });
    if let Err(TestError::Fail(reason, world)) = &result {
        panic!("{reason}\n{world:?}");
    }
    assert!(result.is_ok(), "{result:?}");
    assert!(held.get() * one_in >= count, "only {} of {count} programs meet the premises", held.get());
}

/// Expects a theorem to fail for some program.
fn fails(property: &Property) {
    let result = runner(TRIES, 0).run(&world(), |world| match property(&world) {
        Ok(_) => Ok(()),
        Err(message) => Err(TestCaseError::fail(message)),
    });
    assert!(matches!(result, Err(TestError::Fail(..))), "the wrong rule was not noticed");
}
