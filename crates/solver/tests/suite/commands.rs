//! Solvers that misbehave: they hang, crash, talk nonsense, lie or eat memory. The run goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use expr::{Model, Store};
use solver::{Answer, BackendChoice, Budget, Config, Reason, Session, Tier, command};

/// Far more than a busy machine needs to notice a budget that is used up, far less than the solvers here would take.
const PATIENCE: Duration = Duration::from_secs(100);

fn ask(line: &str, budget: Budget) -> (Answer, Duration) {
    let backend = BackendChoice::Command(line.to_owned());
    let mut session = Session::new(Config { backend, budget, ..Config::default() }).unwrap();
    let mut store = Store::new();
    let term = expr::parse_term(&mut store, "(eq (mul x:32 y:32) 0x12345677)").unwrap();
    let started = Instant::now();
    let answer = session.solve(&mut store, &[term], &Model::new());
    (answer, started.elapsed())
}

fn short() -> Budget {
    Budget { time: Duration::from_millis(500), ..Budget::default() }
}

/// For solvers that end by themselves.
fn patient() -> Budget {
    Budget { time: PATIENCE, ..Budget::default() }
}

#[test]
fn a_hanging_solver_is_stopped() {
    let (answer, elapsed) = ask("sleep 1000", short());
    assert!(matches!(answer, Answer::Unknown(Reason::Time)), "{answer:?}");
    assert!(elapsed < PATIENCE, "{elapsed:?}");
}

#[test]
fn whoever_interrupts_does_not_wait_for_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let backend = BackendChoice::Command(format!("touch '{}'; sleep 1000", started.display()));
    let budget = Budget { time: 10 * PATIENCE, ..Budget::default() };
    let mut session = Session::new(Config { backend, budget, ..Config::default() }).unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    session.stop_when(&flag);
    let mut store = Store::new();
    let term = expr::parse_term(&mut store, "(eq (mul x:32 y:32) 0x12345677)").unwrap();
    let asked = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !started.exists() {
                std::thread::yield_now();
            }
            flag.store(true, Ordering::Relaxed);
        });
        // The second one is not even asked.
        for _ in 0..2 {
            let answer = session.solve(&mut store, &[term], &Model::new());
            assert!(matches!(answer, Answer::Unknown(Reason::Stopped)), "{answer:?}");
        }
    });
    assert!(asked.elapsed() < PATIENCE);
    assert_eq!(session.stats().tier(Tier::Backend).asked, 1);
}

#[test]
fn a_hanging_solver_with_children_is_stopped() {
    let (answer, elapsed) = ask("sleep 1000 & sleep 1000 | cat; wait", short());
    assert!(matches!(answer, Answer::Unknown(Reason::Time)), "{answer:?}");
    assert!(elapsed < PATIENCE, "{elapsed:?}");
}

#[test]
fn a_crashing_solver_is_noticed() {
    let (answer, _) = ask("kill -SEGV $$", patient());
    assert!(matches!(&answer, Answer::Unknown(Reason::Crashed(_))), "{answer:?}");
    let (answer, _) = ask("no-such-program-anywhere", patient());
    assert!(matches!(&answer, Answer::Unknown(Reason::Crashed(_))), "{answer:?}");
}

#[test]
fn nonsense_and_lies_are_noticed() {
    for line in ["echo hello", "echo '(error \"no\")'", "true", "echo sat; echo '((x'"] {
        let (answer, _) = ask(line, patient());
        assert!(matches!(&answer, Answer::Unknown(Reason::Crashed(_))), "{line}: {answer:?}");
    }
    let (answer, _) = ask("echo sat; echo '((|v0 x| #x00000002) (|v1 y| #x00000002))'", patient());
    assert!(matches!(answer, Answer::Unknown(Reason::WrongModel)), "{answer:?}");
    let (answer, _) = ask("echo sat; echo '((|v0 x| (_ bv1 32)) (|v1 y| #x12345677))'", patient());
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    let (answer, _) = ask("echo unknown", patient());
    assert!(matches!(answer, Answer::Unknown(Reason::GaveUp(_))), "{answer:?}");
}

#[test]
fn a_greedy_solver_is_stopped() {
    let budget = Budget { time: 2 * PATIENCE, memory: 64 << 20, ..Budget::default() };
    for line in ["x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done", "exec cat /dev/zero"] {
        let (answer, elapsed) = ask(line, budget);
        assert!(matches!(answer, Answer::Unknown(Reason::Memory)), "{line}: {answer:?}");
        assert!(elapsed < PATIENCE, "{line}: {elapsed:?}");
    }
}

#[test]
fn query_files_are_answered() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut answer = |text: &str| {
        let mut query = command::read(text).unwrap();
        (0..query.questions.len()).map(|number| command::answer(&mut session, &mut query, number).1).collect::<String>()
    };
    assert_eq!(answer("; input stdin 4142\n(assert (eq stdin[1] 0x43))"), "sat\nstdin[1] = 0x43:8\n");
    assert_eq!(answer("(assert (ult x:8 3)) (assert (ult 5 x:8))"), "unsat\n");
    let script = "(set-logic QF_BV)(declare-const a (_ BitVec 4))(assert (= (bvmul a #x3) #x1))(check-sat)";
    assert_eq!(answer(script), "sat\na = 0xb:4\n");
    let script = "(set-logic QF_BV)(declare-const a Bool)(push 1)(assert a)(check-sat)(assert (not a))(check-sat)(pop 1)(check-sat)";
    assert_eq!(answer(script), "sat\na = 0x1:1\nunsat\nsat\n");
    assert!(command::read("(assert (eq x:8 y:9))").is_err());
}
