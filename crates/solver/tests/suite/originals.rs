//! Wrong simplifications: as if a rule had gone wrong, what is solved differs from what was said. No such model may get
//! out.

use std::sync::Arc;

use expr::{Claim, Evaluator, Input, Model, Store};
use solver::{Answer, Combination, Config, Decision, Reason, Session, Tier};

/// A claim whose simplified form says something else.
fn wrong(store: &mut Store, original: &str, term: &str) -> Claim {
    let original = store.exactly(|store| expr::parse_term(store, original)).unwrap();
    Claim { term: expr::parse_term(store, term).unwrap(), original }
}

fn right(store: &mut Store, text: &str) -> Claim {
    wrong(store, text, text)
}

fn is_wrong(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::WrongModel))
}

/// Behind all tiers, and to the backend alone.
fn sessions() -> [Session; 2] {
    let plain = Config { disabled: Tier::ALL.to_vec(), no_slicing: true, ..Config::default() };
    [Config::default(), plain].map(|config| Session::new(config).unwrap())
}

#[test]
fn a_wrong_goal_is_noticed() {
    for mut session in sessions() {
        let mut store = Store::new();
        let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 6]] }));
        let goal = wrong(&mut store, "(ult part0[0] 5)", "(eq part0[0] 9)");
        assert!(is_wrong(&path.query(&mut store, goal)));
        // A right one gets through.
        let goal = right(&mut store, "(ult (or part0[0] part0[0]) 5)");
        assert_ne!(goal.term, goal.original);
        assert!(path.query(&mut store, goal).solution().is_some());
        assert_eq!(session.stats().wrong_models, 1);
    }
}

#[test]
fn a_wrong_constraint_is_noticed() {
    for mut session in sessions() {
        let mut store = Store::new();
        let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 6]] }));
        let constraint = wrong(&mut store, "(ult part0[0] 7)", "(ult part0[0] 9)");
        path.push(&mut store, constraint);
        let goal = right(&mut store, "(eq part0[0] 8)");
        assert!(is_wrong(&path.query(&mut store, goal)));
        // Nothing that is really possible is lost by it.
        let goal = right(&mut store, "(eq part0[0] 6)");
        assert!(path.query(&mut store, goal).solution().is_some());
    }
}

/// A constraint that was dropped altogether, in a slice that the goal has nothing to do with.
#[test]
fn a_constraint_that_was_simplified_away_is_noticed() {
    for mut session in sessions() {
        let mut store = Store::new();
        let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 6]] }));
        let constraint = wrong(&mut store, "(ult part0[0] part0[1])", "true");
        path.push(&mut store, constraint);
        let goal = right(&mut store, "(eq part0[0] 7)");
        assert!(is_wrong(&path.query(&mut store, goal)));
    }
}

#[test]
fn originals_that_the_input_contradicts_are_noticed() {
    for mut session in sessions() {
        let mut store = Store::new();
        let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 6]] }));
        let constraint = wrong(&mut store, "(ult part0[1] 5)", "(ule part0[1] 250)");
        path.push(&mut store, constraint);
        let goal = right(&mut store, "(eq part0[0] 7)");
        assert!(is_wrong(&path.query(&mut store, goal)));
        assert!(is_wrong(&path.query(&mut store, goal)));
    }
}

#[test]
fn wrong_checks_are_noticed() {
    for combination in Combination::ALL {
        for mut session in sessions() {
            let mut store = Store::new();
            let mut path = session.path(Arc::new(Input { parts: vec![vec![5, 6]] }));
            // Can only be violated in its simplified form.
            let bad = wrong(&mut store, "(ule (zext 16 part0[0]) 255)", "(ne part0[0] 9)");
            let good = right(&mut store, "(ne (and part0[1] part0[1]) 9)");
            let combined = path.combine(&mut store, &[bad, good], combination);
            assert_eq!(combined.decisions[0], Decision::Unknown(Reason::WrongModel), "{combination}");
            assert_eq!(combined.decisions[1], Decision::Violated(0), "{combination}");
            let model = &combined.solutions[0].model;
            assert!(!Evaluator::new(&store, model).eval(good.original).is_true());
        }
    }
}

#[test]
fn wrong_queries_without_a_path_are_noticed() {
    for mut session in sessions() {
        let mut store = Store::new();
        let bad = wrong(&mut store, "(ult x:8 5)", "(eq x:8 9)");
        assert!(is_wrong(&session.solve(&mut store, &[bad], &Model::new())));
        // The base itself is a model of what is solved.
        let bad = wrong(&mut store, "(ult 8 x:8)", "(ult x:8 9)");
        assert!(is_wrong(&session.solve(&mut store, &[bad], &Model::new())));
        let good = right(&mut store, "(ult (or x:8 x:8) 5)");
        assert!(matches!(session.solve(&mut store, &[good], &Model::new()), Answer::Sat(_)));
    }
}
