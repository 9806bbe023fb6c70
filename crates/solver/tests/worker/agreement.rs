//! Bitwuzla and Z3 agree, with and without the tiers.
//!
//! `PROVOKE_DEEP=1` asks for the full number of terms. A term that a solver finds hard is one without an answer: workers
//! keep to their budget.

use std::time::Duration;

use expr::generate::Generator;
use expr::{Evaluator, Model, Store, print_term};
use solver::{Answer, BackendChoice, Budget, Config, Session, Tier};

fn session(backend: BackendChoice, tiers: bool, time: Duration) -> Session {
    let disabled = if tiers { vec![] } else { Tier::ALL.to_vec() };
    let budget = Budget { time, ..Budget::default() };
    Session::new(Config { backend, budget, disabled, no_slicing: !tiers, ..Config::default() }).unwrap()
}

pub(crate) fn backends_agree_on_random_terms() {
    let deep = std::env::var_os("PROVOKE_DEEP").is_some();
    let count = if deep { 20_000 } else { 300 };
    // On a busy machine a term that is not hard may take a while. Among many there are too many hard ones to wait for.
    let time = Duration::from_secs(if deep { 2 } else { 20 });
    let mut sessions = [
        ("bitwuzla alone", session(BackendChoice::Bitwuzla, false, time)),
        ("z3 alone", session(BackendChoice::Z3, false, time)),
        ("bitwuzla with tiers", session(BackendChoice::Bitwuzla, true, time)),
    ];
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for seed in 0..count {
        let mut store = Store::new();
        let mut generator = Generator::new(seed ^ 0x5eed_0000);
        generator.hard = false;
        let depth = generator.below(4) as u32 + 1;
        let raw = generator.term(&mut store, 1, depth);
        let simple = store.simplified(raw);
        let mut words = Vec::new();
        for (name, session) in &mut sessions {
            let term = if *name == "bitwuzla with tiers" { simple } else { raw };
            let answer = session.solve(&mut store, &[term], &Model::new());
            if let Answer::Sat(solution) = &answer {
                let value = Evaluator::new(&store, &solution.model).eval(raw);
                assert!(value.is_true(), "seed {seed}: {name}: {}", print_term(&store, raw));
            }
            words.push(answer.word());
        }
        let known: Vec<&str> = words.iter().copied().filter(|word| *word != "unknown").collect();
        assert!(known.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}: {words:?}: {}", print_term(&store, raw));
        unknown += usize::from(known.len() < words.len());
        match known.first().copied() {
            Some("sat") => sat += 1,
            Some("unsat") => unsat += 1,
            _ => {}
        }
        if deep && (seed + 1) % 1000 == 0 {
            println!("{} terms: {sat} sat, {unsat} unsat, {unknown} without an answer of all three", seed + 1);
        }
    }
    // No answer is no disagreement, but must be the exception.
    assert!(unknown * 100 <= count as usize, "{unknown} terms without an answer");
    // Both answers have to occur often for their agreement to mean something.
    assert!(sat > count / 10 && unsat > count / 20, "{sat} sat, {unsat} unsat");
}
