//! Linked solvers in worker processes: they may be killed, hang or eat memory, and the run goes on.
//!
//! Has its own `main`, because the worker is this executable.

// Not a `#[test]` function for clippy, which would allow it there.
#![allow(clippy::unwrap_used)]

mod agreement;

use std::fs;
use std::time::{Duration, Instant};

use expr::{Kind, Model, Store, Term};
use libtest_mimic::{Arguments, Trial};
use solver::{Answer, BackendChoice, Budget, Config, Reason, Session, SessionError, Tier, worker};

fn main() {
    worker::init();
    let trial = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let trials = vec![
        trial("answers", answers),
        trial("a_killed_worker_is_replaced", a_killed_worker_is_replaced),
        trial("time_and_memory_are_limited", time_and_memory_are_limited),
        trial("conflicts_are_limited", conflicts_are_limited),
        trial("stores_may_change", stores_may_change),
        trial("powers_of_two_are_shifts", powers_of_two_are_shifts),
        trial("high_powers_are_what_they_are", high_powers_are_what_they_are),
        trial("backends_agree_on_random_terms", agreement::backends_agree_on_random_terms),
    ];
    // One after the other: a test looks at the children of this process.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit();
}

fn session(backend: BackendChoice, budget: Budget) -> Session {
    Session::new(Config { backend, budget, disabled: vec![Tier::QueryCache], ..Config::default() }).unwrap()
}

/// A factorisation: small, and as hard as one likes.
fn product(store: &mut Store, width: u16, value: &str) -> Vec<Term> {
    let text = format!("(eq (mul x:{width} y:{width}) {value})");
    let small = |name: &str| format!("(ult {name}:{width} (shl 1:{width} {}))", width / 2);
    let large = |name: &str| format!("(ult 1:{width} {name}:{width})");
    let texts = [text, small("x"), small("y"), large("x"), large("y")];
    texts.iter().map(|text| expr::parse_term(store, text).unwrap()).collect()
}

fn answers() {
    for backend in [BackendChoice::Bitwuzla, BackendChoice::Z3] {
        let mut session = session(backend, Budget::default());
        let mut store = Store::new();
        let query = product(&mut store, 16, "0x4f1b");
        let answer = session.solve(&mut store, &query, &Model::new());
        assert!(matches!(answer, Answer::Sat(_) | Answer::Unsat), "{answer:?}");
        let text = "(and (ult (select m:32>8 i:32) 3) (eq (select (store m:32>8 7 9) i:32) 9))";
        let array = expr::parse_term(&mut store, text).unwrap();
        assert!(matches!(session.solve(&mut store, &[array], &Model::new()), Answer::Sat(_)));
    }
}

/// The worker processes of this one.
fn workers() -> Vec<u32> {
    let own = std::process::id();
    let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap();
    children.split_whitespace().map(|child| child.parse().unwrap()).collect()
}

fn a_killed_worker_is_replaced() {
    let mut session = session(BackendChoice::Bitwuzla, Budget::default());
    let mut store = Store::new();
    let query = product(&mut store, 16, "0x4f1b");
    let first = session.solve(&mut store, &query, &Model::new()).word();
    let all = workers();
    assert_eq!(all.len(), 1, "{all:?}");
    let status = std::process::Command::new("kill").arg("-KILL").arg(all[0].to_string()).status().unwrap();
    assert!(status.success());
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(session.solve(&mut store, &query, &Model::new()).word(), first);
    assert_ne!(workers(), all);
}

fn time_and_memory_are_limited() {
    for backend in [BackendChoice::Bitwuzla, BackendChoice::Z3] {
        let budget = Budget { time: Duration::from_millis(300), ..Budget::default() };
        let mut session = session(backend.clone(), budget);
        let mut store = Store::new();
        // A product of two primes of 60 bits.
        let query = product(&mut store, 128, "0xb504f333f9de6487fc11a3d7e1b5ab");
        let started = Instant::now();
        let answer = session.solve(&mut store, &query, &Model::new());
        assert!(matches!(answer, Answer::Unknown(Reason::Time)), "{backend}: {answer:?}");
        // Generous: the machine may be busy. Without a limit it would take days.
        assert!(started.elapsed() < Duration::from_secs(60), "{backend}: {:?}", started.elapsed());
    }
    let budget = Budget { time: Duration::from_secs(100), memory: 24 << 20, ..Budget::default() };
    let mut session = session(BackendChoice::Bitwuzla, budget);
    let mut store = Store::new();
    let query = product(&mut store, 512, "0xb504f333f9de6487fc11a3d7e1b5ab");
    let answer = session.solve(&mut store, &query, &Model::new());
    assert!(matches!(answer, Answer::Unknown(Reason::Memory)), "{answer:?}");
    // And the run goes on.
    let easy = product(&mut store, 8, "0x0f");
    assert!(matches!(session.solve(&mut store, &easy, &Model::new()), Answer::Sat(_)));
}

fn conflicts_are_limited() {
    let budget = Budget { conflicts: Some(20), time: Duration::from_secs(100), ..Budget::default() };
    let mut session = session(BackendChoice::Z3, budget);
    let mut store = Store::new();
    let query = product(&mut store, 128, "0xb504f333f9de6487fc11a3d7e1b5ab");
    let answer = session.solve(&mut store, &query, &Model::new());
    assert!(matches!(answer, Answer::Unknown(Reason::Conflicts)), "{answer:?}");
    let easy = product(&mut store, 8, "0x0f");
    assert!(matches!(session.solve(&mut store, &easy, &Model::new()), Answer::Sat(_)));
    // Bitwuzla has no such limit, and says so.
    let config = Config { budget, ..Config::default() };
    assert!(matches!(Session::new(config), Err(SessionError::Conflicts(BackendChoice::Bitwuzla))));
}

fn stores_may_change() {
    let mut session = session(BackendChoice::Bitwuzla, Budget::default());
    for value in ["0x23", "0x31", "0x0f"] {
        let mut store = Store::new();
        let query = product(&mut store, 8, value);
        let Answer::Sat(solution) = session.solve(&mut store, &query, &Model::new()) else { panic!("{value}") };
        assert_eq!(solution.model.values().count(), 2);
    }
}

/// Only the solver behind all tiers.
fn backend_only() -> Session {
    let disabled = Tier::ALL.into_iter().filter(|tier| *tier != Tier::Backend).collect();
    Session::new(Config { disabled, ..Config::default() }).unwrap()
}

/// Squared as often as this, every odd number is 1, and every even one 0: there are more factors than such a number can count.
fn high_powers_are_what_they_are() {
    let mut session = backend_only();
    for width in [9, 33, 64] {
        let mut store = Store::new();
        let mut power = expr::parse_term(&mut store, &format!("x:{width}")).unwrap();
        for _ in 0..64 {
            power = store.apply(Kind::Mul, &[power, power], 0, 0).unwrap();
        }
        for value in [0, 1] {
            let value = store.small(width, value);
            let query = store.eq(power, value);
            let answer = session.solve(&mut store, &[query], &Model::new());
            // Among many bits it may be too hard to find, but is never impossible.
            let is_right = matches!(answer, Answer::Sat(_)) || width > 9 && !matches!(answer, Answer::Unsat);
            assert!(is_right, "{width} bits: {answer:?}");
        }
    }
}

/// Arithmetic with a power of two is translated into shifts, and with the same number under another name it is not: both are the same
/// for all operands.
fn powers_of_two_are_shifts() {
    let mut session = backend_only();
    let mut store = Store::new();
    let powers = [
        (9, "(shl 1:9 s:9)"),
        (9, "(shl 4:9 s:9)"),
        (9, "(zext 9 (shl 1:6 s:6))"),
        (9, "(zext 9 (shl 8:6 s:6))"),
        (9, "(sext 9 (shl 1:6 s:6))"),
        (1, "(shl 1:1 s:1)"),
        (2, "(sext 2 (shl 1:1 s:1))"),
    ];
    for (width, power) in powers {
        for operator in ["mul", "umulo", "udiv", "urem", "sdiv", "srem"] {
            for (left, right) in [("X", "P"), ("P", "X")] {
                let (other, named) = (format!("x:{width}"), format!("p:{width}"));
                let term =
                    |power: &str| format!("({operator} {left} {right})").replace('X', &other).replace('P', power);
                let same = format!("(eq {named} {power})");
                let differ = format!("(not (eq {} {}))", term(power), term(&named));
                let query = [same, differ].map(|text| expr::parse_term(&mut store, &text).unwrap());
                let answer = session.solve(&mut store, &query, &Model::new());
                assert!(matches!(answer, Answer::Unsat), "{operator} {left} {right} with {power}: {answer:?}");
            }
        }
    }
}
