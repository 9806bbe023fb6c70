//! Paths over random byte-wise programs: every answer of the tiers against a backend that gets the whole query.

use std::sync::Arc;

use expr::generate::Generator;
use expr::{BitVec, Evaluator, Input, Kind, Model, Store, Term, print_query};
use solver::{Answer, BackendChoice, Config, Session, Tier};

/// A condition such as a parser has: about a byte, a word, a sum, a hash.
pub(crate) fn condition(store: &mut Store, random: &mut Generator) -> Term {
    let byte = |store: &mut Store, random: &mut Generator| store.input(0, random.below(6));
    let wide = |store: &mut Store, random: &mut Generator| {
        let b = byte(store, random);
        store.zext(b, 32)
    };
    let left = match random.below(7) {
        0..3 => wide(store, random),
        3 => {
            let (a, b) = (byte(store, random), byte(store, random));
            let word = store.concat(a, b);
            store.zext(word, 32)
        }
        4 => {
            let (a, b) = (wide(store, random), wide(store, random));
            store.add(a, b)
        }
        5 => {
            let (a, three) = (wide(store, random), store.small(32, 3));
            store.binary(Kind::Mul, a, three)
        }
        _ => {
            let (a, b) = (wide(store, random), wide(store, random));
            let rotated = store.funnel_shift_left(a, a, 5);
            store.xor(rotated, b)
        }
    };
    let limit = random.below(300);
    let right = if random.below(5) == 0 { wide(store, random) } else { store.small(32, limit) };
    let kind = [Kind::Eq, Kind::Eq, Kind::Ult, Kind::Ule, Kind::Slt, Kind::Sle][random.below(6) as usize];
    store.binary(kind, left, right)
}

#[test]
fn tiers_give_the_backends_answers() {
    let count = if std::env::var_os("PROVOKE_DEEP").is_some() { 1500 } else { 30 };
    let mut fast = Session::new(Config::default()).unwrap();
    let plain = Config { disabled: Tier::ALL.to_vec(), no_slicing: true, ..Config::default() };
    let mut reference = Session::new(Config { backend: BackendChoice::Z3, ..plain }).unwrap();
    for seed in 0..count {
        // The second half repeats the first, for the query cache.
        let mut random = Generator::new(seed % (count / 2));
        let bytes: Vec<u8> = (0..6).map(|_| random.number() as u8).collect();
        let input = Arc::new(Input { parts: vec![bytes] });
        let own = Model::of_input(input.clone());
        let mut store = Store::new();
        let mut path = fast.path(input);
        let mut before: Vec<Term> = Vec::new();
        for step in 0..25 {
            let condition = condition(&mut store, &mut random);
            let taken = Evaluator::new(&store, &own).eval(condition).is_true();
            let constraint = if taken { condition } else { store.not(condition) };
            let goal = store.not(constraint);
            let answer = if step % 5 == 4 { path.query(&mut store, goal) } else { path.branch(&mut store, constraint) };
            let mut query = before.clone();
            query.push(goal);
            let expected = reference.solve(&mut store, &query, &Model::new());
            assert_eq!(answer.word(), expected.word(), "seed {seed}: {answer:?}\n{}", print_query(&store, &query));
            if let Answer::Sat(solution) = &answer {
                assert!(Evaluator::new(&store, &solution.model).all_true(&query), "seed {seed}: {solution:?}");
                assert!(!solution.optimistic);
            }
            if step % 5 != 4 {
                before.push(constraint);
                assert_eq!(path.query(&mut store, constraint).word(), "sat");
            } else {
                // Asked again, later in the path.
                assert_eq!(path.query(&mut store, goal).word(), expected.word());
            }
        }
        assert!(path.is_consistent());
    }
    // Every tier had its share, or the comparison would say nothing about it.
    let stats = fast.stats();
    for tier in Tier::ALL {
        let tier_stats = stats.tier(tier);
        let answered = tier_stats.sat + tier_stats.unsat;
        assert!(answered > 0, "{} answered nothing\n{stats}", tier.name());
    }
    assert_eq!(stats.wrong_models, 0);
}

/// What a program computes from what it had before: a step of a checksum, a table, a choice.
fn mixed(store: &mut Store, random: &mut Generator, before: Term, byte: Term) -> Term {
    match random.below(12) {
        0..4 => store.add(before, byte),
        4..8 => {
            let rotated = store.funnel_shift_left(before, before, 3);
            store.xor(rotated, byte)
        }
        8 => {
            let table = (0..256).map(|place| BitVec::new(8, (place * 7 + random.below(5)) & 0xff)).collect();
            store.lookup(before, table).unwrap()
        }
        _ => {
            let (limit, three) = (store.small(8, random.below(256)), store.small(8, 3));
            let (is_less, product) = (store.binary(Kind::Ult, byte, limit), store.binary(Kind::Mul, before, three));
            store.ite(is_less, before, product)
        }
    }
}

/// Instances that have become large have names for terms, and must say what others say.
#[test]
fn long_paths_give_the_answers_of_an_instance_that_is_asked_once() {
    let plain = Config { disabled: Tier::ALL.to_vec(), ..Config::default() };
    let mut kept = Session::new(plain.clone()).unwrap();
    let mut reference = Session::new(plain).unwrap();
    let mut sat = 0;
    let mut random = Generator::new(0);
    let input = Arc::new(Input { parts: vec![(0..100).map(|_| random.number() as u8).collect()] });
    let own = Model::of_input(input.clone());
    let mut store = Store::new();
    let mut path = kept.path(input);
    let mut before: Vec<Term> = Vec::new();
    let (mut state, mut byte) = (store.input(0, 0), store.input(0, 1));
    for step in 0..320 {
        // About a chain without an end no solver could say anything.
        if step % 4 == 0 {
            (state, byte) = (store.input(0, step / 4), store.input(0, step / 4 + 1));
        }
        for _ in 0..3 {
            state = mixed(&mut store, &mut random, state, byte);
        }
        let limit = store.small(8, random.below(32) + if random.below(2) == 0 { 0 } else { 224 });
        let condition = store.binary(Kind::Ult, state, limit);
        let taken = Evaluator::new(&store, &own).eval(condition).is_true();
        let constraint = if taken { condition } else { store.not(condition) };
        if step % 8 != 7 && step < 288 {
            path.push(&mut store, constraint);
            before.push(constraint);
            continue;
        }
        let goal = store.not(constraint);
        let query: Vec<Term> = before.iter().copied().chain([goal]).collect();
        match path.query(&mut store, goal) {
            Answer::Sat(solution) => {
                assert!(Evaluator::new(&store, &solution.model).all_true(&query), "step {step}: {solution:?}");
                sat += 1;
            }
            answer => assert_eq!(answer.word(), reference.solve(&mut store, &query, &Model::new()).word()),
        }
        let impossible = store.not(before[random.below(before.len() as u64) as usize]);
        assert_eq!(path.query(&mut store, impossible).word(), "unsat");
    }
    assert!(sat > 20, "{sat}");
}

#[test]
fn queries_without_a_path_get_the_backends_answers() {
    let mut fast = Session::new(Config::default()).unwrap();
    let plain = Config { disabled: Tier::ALL.to_vec(), no_slicing: true, ..Config::default() };
    let mut reference = Session::new(Config { backend: BackendChoice::Z3, ..plain }).unwrap();
    for seed in 0..100 {
        let mut random = Generator::new(seed);
        let mut store = Store::new();
        let query: Vec<Term> = (0..random.below(8)).map(|_| condition(&mut store, &mut random)).collect();
        let answer = fast.solve(&mut store, &query, &Model::new());
        let expected = reference.solve(&mut store, &query, &Model::new());
        assert_eq!(answer.word(), expected.word(), "seed {seed}: {answer:?}\n{}", print_query(&store, &query));
    }
    let domains = fast.stats().tier(Tier::Domains);
    assert!(domains.sat > 0 && domains.unsat > 0, "{}", fast.stats());
    assert_eq!(fast.stats().wrong_models, 0);
}

#[test]
fn constraints_never_enter_a_path_twice() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![5]] }));
    let constraint = expr::parse_term(&mut store, "(ult part0[0] 7)").unwrap();
    assert!(matches!(path.branch(&mut store, constraint), Answer::Sat(_)));
    for _ in 0..3 {
        assert!(matches!(path.branch(&mut store, constraint), Answer::Unsat));
    }
    assert_eq!(path.constraints().len(), 1);
    assert_eq!(path.session().stats().tier(Tier::Contradiction).unsat, 3);
}

#[test]
fn bytes_outside_the_slice_keep_their_values() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![b"GIF89a".to_vec()] }));
    let constraint = expr::parse_term(&mut store, "(eq part0[3] 0x38)").unwrap();
    let Answer::Sat(solution) = path.branch(&mut store, constraint) else { panic!("not sat") };
    let found = solution.model.input(&store).parts.remove(0);
    assert_ne!(found[3], b'8');
    assert_eq!((&found[..3], &found[4..]), (&b"GIF"[..], &b"9a"[..]));
}

#[test]
fn optimistic_answers_say_so() {
    let config = Config { optimistic: true, ..Config::default() };
    let mut session = Session::new(config).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![1, 2]] }));
    let sum = expr::parse_term(&mut store, "(eq (add part0[0] part0[1]) 3)").unwrap();
    let first = expr::parse_term(&mut store, "(eq part0[0] 1)").unwrap();
    let second = expr::parse_term(&mut store, "(eq part0[1] 2)").unwrap();
    path.push(&mut store, sum);
    path.push(&mut store, first);
    let Answer::Sat(solution) = path.branch(&mut store, second) else { panic!("nothing found") };
    assert!(solution.optimistic);
    assert_eq!(path.session().stats().optimistic, 1);
}

/// The second run of the same path asks no backend.
#[test]
fn the_query_cache_is_kept_between_runs() {
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let disabled = vec![Tier::Domains, Tier::Models, Tier::Inversion];
        let config = Config { query_cache: Some(folder.path().join("cache")), disabled, ..Config::default() };
        let mut session = Session::new(config).unwrap();
        let mut store = Store::new();
        let mut path = session.path(Arc::new(Input { parts: vec![vec![3, 4, 5]] }));
        let text = "(eq (mul (zext 16 part0[0]) (zext 16 part0[1])) 12)";
        let constraint = expr::parse_term(&mut store, text).unwrap();
        path.push(&mut store, constraint);
        let goal = expr::parse_term(&mut store, "(ult (mul part0[0] (mul part0[1] part0[2])) 9)").unwrap();
        let word = path.query(&mut store, goal).word();
        (word, session.stats().tier(Tier::Backend).asked)
    };
    let (first, asked) = run();
    assert_eq!(asked, 1);
    assert_eq!(run(), (first, 0));
}
