//! Checks in bundles: the combinations agree with each other and with a solver that gets the whole query.

use std::collections::HashSet;
use std::sync::Arc;

use expr::generate::Generator;
use expr::{Evaluator, Input, Model, Store, Term, print_query};
use proptest::prelude::*;
use solver::{Answer, BackendChoice, CheckStats, Combination, Config, Decision, Session, Solution, Tier};

use crate::paths::condition;

/// A path with bundles of checks between its branches, all of which hold under the input.
struct Program {
    store: Store,
    input: Arc<Input>,
    /// Checks, and the branch that follows them.
    steps: Vec<(Vec<Term>, Term)>,
}

fn program(seed: u64) -> Program {
    let mut random = Generator::new(seed);
    let bytes: Vec<u8> = (0..6).map(|_| random.number() as u8).collect();
    let input = Arc::new(Input { parts: vec![bytes] });
    let own = Model::of_input(input.clone());
    let mut store = Store::new();
    let holding = |store: &mut Store, random: &mut Generator| {
        let term = condition(store, random);
        if Evaluator::new(store, &own).eval(term).is_true() { term } else { store.not(term) }
    };
    let mut steps: Vec<(Vec<Term>, Term)> = Vec::new();
    for _ in 0..6 {
        let mut checks: Vec<Term> = (0..random.below(6)).map(|_| holding(&mut store, &mut random)).collect();
        // Programs check the same things again and again.
        if let Some(before) = steps.last().and_then(|(checks, _)| checks.first())
            && random.below(3) == 0
        {
            checks.push(*before);
        }
        steps.push((checks, holding(&mut store, &mut random)));
    }
    Program { store, input, steps }
}

/// What a combination said of one bundle.
struct Said {
    decisions: Vec<Decision>,
    solutions: Vec<Solution>,
    calls: u64,
    /// Checks that were neither constant nor known.
    asked: u64,
    /// What must hold for an input to get here.
    path: Vec<Term>,
}

fn asked(stats: &CheckStats) -> u64 {
    stats.checks - stats.constant - stats.repeated
}

fn run(program: &mut Program, combination: Combination, disabled: &[Tier], assume: bool) -> (Vec<Said>, CheckStats) {
    let mut session = Session::new(Config { disabled: disabled.to_vec(), ..Config::default() }).unwrap();
    let mut path = session.path(program.input.clone());
    let mut said = Vec::new();
    for (checks, branch) in program.steps.clone() {
        let before = path.session().stats().checks;
        let combined = path.combine(&mut program.store, &checks, combination);
        let after = path.session().stats().checks;
        let calls = after.calls - before.calls;
        let asked = asked(&after) - asked(&before);
        assert_eq!(combined.decisions.len(), checks.len());
        let (decisions, solutions) = (combined.decisions, combined.solutions);
        said.push(Said { decisions, solutions, calls, asked, path: path.constraints().to_vec() });
        for check in checks.iter().filter(|_| assume) {
            path.push(&mut program.store, *check);
        }
        path.push(&mut program.store, branch);
    }
    (said, session.stats().checks)
}

/// Every check that is said to be violated is, by the solution that is named, on the path.
fn solutions_violate(program: &mut Program, said: &[Said]) {
    for (said, (checks, _)) in said.iter().zip(&program.steps) {
        for (check, decision) in checks.iter().zip(&said.decisions) {
            let Decision::Violated(index) = decision else { continue };
            let goal = program.store.not(*check);
            let query = [said.path.as_slice(), &[goal]].concat();
            let holds = Evaluator::new(&program.store, &said.solutions[*index].model).all_true(&query);
            assert!(holds, "{}", print_query(&program.store, &query));
        }
    }
}

const QUICK: [Tier; 6] =
    [Tier::LocalCache, Tier::Contradiction, Tier::Counterexamples, Tier::Domains, Tier::Models, Tier::Inversion];

fn combinations_agree(seed: u64, disabled: &[Tier], assume: bool) {
    let mut program = program(seed);
    let (naive, naive_stats) = run(&mut program, Combination::Naive, disabled, assume);
    let (weak, _) = run(&mut program, Combination::Weak, disabled, assume);
    let (strong, strong_stats) = run(&mut program, Combination::Strong, disabled, assume);
    for said in [&naive, &weak, &strong] {
        solutions_violate(&mut program, said);
    }
    let is_violated = |decision: &Decision| matches!(decision, Decision::Violated(_));
    for (((naive, weak), strong), (checks, _)) in naive.iter().zip(&weak).zip(&strong).zip(&program.steps) {
        let kinds = |said: &Said| -> Vec<_> { said.decisions.iter().map(core::mem::discriminant).collect() };
        assert_eq!(kinds(naive), kinds(strong), "seed {seed}: {:?} {:?}", naive.decisions, strong.decisions);
        // The figure's bound. Behind the tiers there are fewer calls.
        assert_eq!(naive.asked, strong.asked);
        let violable: HashSet<Term> = checks
            .iter()
            .zip(&naive.decisions)
            .filter(|(_, decision)| is_violated(decision))
            .map(|(c, _)| *c)
            .collect();
        let bound = strong.asked.min(violable.len() as u64 + 1);
        assert!(strong.calls <= bound, "seed {seed}: {} calls, at most {bound} expected", strong.calls);
        assert!(naive.calls <= naive.asked && (naive.calls == naive.asked || disabled.is_empty()), "seed {seed}");
        assert!(weak.calls <= 1 && weak.solutions.len() <= 1, "seed {seed}");
        // What the weak one says is what the others say.
        for (one, other) in weak.decisions.iter().zip(&naive.decisions) {
            let agree = match one {
                // It may have left the same check open before, and asks again, with more constraints.
                Decision::Violated(_) => is_violated(other),
                Decision::Undecided => true,
                one => one == other,
            };
            assert!(agree, "seed {seed}: {one:?} {other:?}");
        }
        if naive.decisions.iter().any(is_violated) {
            assert!(weak.decisions.iter().any(is_violated), "seed {seed}: the weak combination found nothing");
        }
    }
    assert_eq!(naive_stats.disjunctions, 0);
    assert_eq!((naive_stats.held, naive_stats.violated), (strong_stats.held, strong_stats.violated));
    assert_eq!(naive_stats.unknown, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn combinations_agree_behind_the_tiers(seed: u64, assume: bool) {
        combinations_agree(seed, &[], assume);
    }

    #[test]
    fn combinations_agree_without_the_tiers(seed: u64, assume: bool) {
        combinations_agree(seed, &Tier::ALL, assume);
    }
}

#[test]
fn naive_says_what_a_plain_solver_says() {
    let plain = Config { disabled: Tier::ALL.to_vec(), no_slicing: true, ..Config::default() };
    let mut reference = Session::new(Config { backend: BackendChoice::Z3, ..plain }).unwrap();
    let (mut held, mut violated) = (0, 0);
    for seed in 0..15 {
        let mut program = program(seed);
        let (said, _) = run(&mut program, Combination::Naive, &[], false);
        for (said, (checks, _)) in said.iter().zip(program.steps.clone()) {
            for (check, decision) in checks.iter().zip(&said.decisions) {
                let goal = program.store.not(*check);
                let query = [said.path.as_slice(), &[goal]].concat();
                match (decision, reference.solve(&mut program.store, &query, &Model::new())) {
                    (Decision::Holds, Answer::Unsat) => held += 1,
                    (Decision::Violated(_), Answer::Sat(_)) => violated += 1,
                    (decision, answer) => panic!("seed {seed}: {decision:?} {answer:?}"),
                }
            }
        }
    }
    assert!(held > 20 && violated > 20, "{held} held, {violated} violated");
}

fn parse(store: &mut Store, text: &str) -> Term {
    expr::parse_term(store, text).unwrap()
}

/// Program Q of the paper's Figure 11: after `if (x == NULL) return`, each of a hundred dereferences is checked.
#[test]
fn checks_that_the_path_has_cost_nothing() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![1; 101]] }));
    let not_null = parse(&mut store, "(ne part0[0] 0)");
    path.push(&mut store, not_null);
    for i in 1..=100 {
        let combined = path.combine(&mut store, &[not_null, not_null], Combination::Strong);
        assert_eq!(combined.decisions, [Decision::Holds, Decision::Holds]);
        let branch = parse(&mut store, &format!("(slt 0 part0[{i}])"));
        path.push(&mut store, branch);
    }
    let stats = session.stats();
    assert_eq!((stats.checks.calls, stats.queries), (0, 0));
    assert_eq!(stats.checks.repeated, 200);
}

#[test]
fn checks_that_hold_are_decided_once_on_a_path() {
    let mut session = Session::new(Config { disabled: QUICK.to_vec(), ..Config::default() }).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 6]] }));
    let (violable, holds) = (parse(&mut store, "(ult part0[0] 200)"), parse(&mut store, "(ule part0[0] 255)"));
    let (sum, odd) = (
        parse(&mut store, "(ult (add (zext 32 part0[0]) (zext 32 part0[1])) 600)"),
        parse(&mut store, "(ne (mul part0[0] 2) 3)"),
    );
    let checks = [violable, holds, sum, odd];
    let expected = [Decision::Violated(0), Decision::Holds, Decision::Holds, Decision::Holds];
    assert_eq!(path.combine(&mut store, &checks, Combination::Strong).decisions, expected);
    let asked = path.session().stats().queries;
    assert_eq!(path.combine(&mut store, &checks, Combination::Naive).decisions, expected);
    assert_eq!(path.session().stats().queries, asked + 1);
    // `holds` and what the simplifier decides never counts as a question.
    assert!(path.session().stats().checks.constant >= 2);
}

/// A check that was violated may be assumed afterwards, or not.
#[test]
fn the_caller_decides_what_is_assumed() {
    for assume in [false, true] {
        let mut session = Session::new(Config::default()).unwrap();
        let mut store = Store::new();
        let mut path = session.path(Arc::new(Input { parts: vec![vec![5]] }));
        let (first, second) = (parse(&mut store, "(ult part0[0] 200)"), parse(&mut store, "(ult part0[0] 201)"));
        let combined = path.combine(&mut store, &[first], Combination::Strong);
        assert_eq!(combined.decisions, [Decision::Violated(0)]);
        if assume {
            path.push(&mut store, first);
        }
        let expected = if assume { Decision::Holds } else { Decision::Violated(0) };
        assert_eq!(path.combine(&mut store, &[second], Combination::Strong).decisions, [expected]);
        let expected = if assume { Decision::Holds } else { Decision::Violated(0) };
        assert_eq!(path.combine(&mut store, &[first], Combination::Strong).decisions, [expected]);
    }
}

/// Inputs that violate a check need not come to where it stands again.
#[test]
fn what_was_violated_is_asked_about_further_down() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![5]] }));
    let check = parse(&mut store, "(ult part0[0] 200)");
    for (branch, expected) in [
        ("(eq (extract 1 0 part0[0]) 1:1)", Decision::Violated(0)),
        ("(ult part0[0] 100)", Decision::Violated(0)),
        ("(ult part0[0] 50)", Decision::Holds),
    ] {
        let combined = path.combine(&mut store, &[check], Combination::Strong);
        assert_eq!(combined.decisions, [expected]);
        for solution in &combined.solutions {
            let on_path = [path.constraints(), &[store.not(check)]].concat();
            assert!(Evaluator::new(&store, &solution.model).all_true(&on_path));
        }
        let branch = parse(&mut store, branch);
        path.push(&mut store, branch);
    }
}

/// A weak answer leaves open what its one solution does not violate, and assuming it proves nothing.
#[test]
fn weak_answers_stay_open() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 5]] }));
    let (low, high) = (parse(&mut store, "(ule 3 part0[0])"), parse(&mut store, "(ule part0[0] 9)"));
    let combined = path.combine(&mut store, &[low, high], Combination::Weak);
    assert_eq!(combined.solutions.len(), 1);
    let open: Vec<Term> = [low, high]
        .into_iter()
        .zip(&combined.decisions)
        .filter(|(_, decision)| **decision == Decision::Undecided)
        .map(|(check, _)| check)
        .collect();
    assert_eq!(open.len(), 1);
    let again = path.combine(&mut store, &open, Combination::Weak);
    assert_eq!(again.decisions, [Decision::Violated(0)]);
    let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 5]] }));
    path.combine(&mut store, &[low, high], Combination::Weak);
    path.push(&mut store, open[0]);
    assert_eq!(path.combine(&mut store, &open, Combination::Weak).decisions, [Decision::Undecided]);
}

#[test]
fn names_of_combinations_are_read() {
    for combination in Combination::ALL {
        assert_eq!(combination.to_string().parse(), Ok(combination));
    }
    assert!("stronger".parse::<Combination>().is_err());
}
