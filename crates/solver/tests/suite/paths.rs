//! Paths over random byte-wise programs: every answer of the tiers against a backend that gets the whole query.

use std::sync::Arc;

use expr::generate::Generator;
use expr::{BitVec, Claim, Evaluator, Input, Kind, Model, Store, Term, print_query};
use solver::{Answer, BackendChoice, Combination, Config, Decision, PathSolver, Session, Tier};

/// What a table has under a key, as it was said.
fn chosen(store: &mut Store, key: Term, limits: [u64; 2]) -> Term {
    let [first, second] = limits.map(|limit| store.small(32, limit));
    let [low, high, none] = [40, 500, 0].map(|value| store.small(32, value));
    let (is_first, is_second) = (store.ult(key, first), store.ult(key, second));
    let other = store.ite(is_second, low, none);
    store.ite(is_first, high, other)
}

/// A condition such as a parser has: about a byte, a word, a sum, a hash, a table.
pub(crate) fn condition(store: &mut Store, random: &mut Generator) -> Term {
    let byte = |store: &mut Store, random: &mut Generator| store.input(0, random.below(6));
    let wide = |store: &mut Store, random: &mut Generator| {
        let b = byte(store, random);
        store.zext(b, 32)
    };
    let left = match random.below(9) {
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
        // What was read ahead, and the next byte above it; of which some bits are a number, or a number in a table.
        8 => {
            let (a, b, c) = (wide(store, random), wide(store, random), wide(store, random));
            let (used, seven) = (random.below(8), store.small(32, 7));
            let used = if random.below(2) == 0 { store.small(32, used) } else { store.and(c, seven) };
            let (above, rest) = (store.binary(Kind::Shl, a, used), store.binary(Kind::LShr, b, used));
            let ahead = store.or(above, rest);
            let index = store.extract(ahead, random.below(9) as u32, 4);
            match random.below(2) {
                0 => store.zext(index, 32),
                _ => {
                    let table = (0..16).map(|_| BitVec::new(32, random.below(4))).collect();
                    store.lookup(index, table).unwrap()
                }
            }
        }
        5 => {
            let (a, three) = (wide(store, random), store.small(32, 3));
            store.binary(Kind::Mul, a, three)
        }
        6 => {
            let (a, b) = (wide(store, random), wide(store, random));
            let limits = [random.below(300), random.below(500)];
            let (is_equal, value) = (random.below(2) == 0, random.below(100) * 4);
            return store.exactly(|store| {
                let key = store.add(a, b);
                let (left, right) = (chosen(store, key, limits), store.small(32, value));
                store.binary(if is_equal { Kind::Eq } else { Kind::Ult }, left, right)
            });
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
        // Few values, floating-point numbers and hashes have tests of their own.
        let is_elsewhere = matches!(tier, Tier::Trials | Tier::Climbing | Tier::Sampling);
        assert!(answered > 0 || is_elsewhere, "{} answered nothing\n{stats}", tier.name());
    }
    assert_eq!(stats.wrong_models, 0);
}

/// Paths over three small numbers, which are divided and multiplied: a backend finds it hard to say what a greatest common divisor can be.
#[test]
fn all_of_few_values_are_tried() {
    let mut fast = Session::new(Config::default()).unwrap();
    let plain = Config { disabled: Tier::ALL.to_vec(), no_slicing: true, ..Config::default() };
    let mut reference = Session::new(Config { backend: BackendChoice::Z3, ..plain }).unwrap();
    for seed in 0..20 {
        let mut random = Generator::new(seed);
        let bytes: Vec<u8> = (0..3).map(|_| random.below(14) as u8).collect();
        let input = Arc::new(Input { parts: vec![bytes] });
        let own = Model::of_input(input.clone());
        let mut store = Store::new();
        let mut path = fast.path(input);
        let mut numbers: Vec<Term> = (0..3).map(|offset| store.input(0, offset)).collect();
        let limit = store.small(8, 14);
        let mut before: Vec<Term> = numbers.iter().map(|number| store.ult(*number, limit)).collect();
        before.iter().for_each(|constraint| path.push(&mut store, *constraint));
        for _ in 0..8 {
            let [a, b] = [(); 2].map(|()| numbers[random.below(numbers.len() as u64) as usize]);
            let kind = [Kind::URem, Kind::URem, Kind::UDiv, Kind::Mul][random.below(4) as usize];
            numbers.push(store.binary(kind, a, b));
            let limit = store.small(8, random.below(10));
            let condition = store.ult(*numbers.last().unwrap(), limit);
            let taken = Evaluator::new(&store, &own).eval(condition).is_true();
            let constraint = if taken { condition } else { store.not(condition) };
            let query: Vec<Term> = before.iter().copied().chain([store.not(constraint)]).collect();
            let answer = path.branch(&mut store, constraint);
            let expected = reference.solve(&mut store, &query, &Model::new());
            assert_eq!(answer.word(), expected.word(), "seed {seed}: {answer:?}\n{}", print_query(&store, &query));
            before.push(constraint);
        }
    }
    let trials = fast.stats().tier(Tier::Trials);
    assert!(trials.sat > 5 && trials.unsat > 5, "{}", fast.stats());
}

/// A condition on the bytes of the input, or on floating-point numbers that are computed from them.
fn condition_on_numbers(store: &mut Store, random: &mut Generator) -> Term {
    let byte = |store: &mut Store, random: &mut Generator| store.input(0, random.below(4));
    if random.below(2) == 0 {
        let (a, b) = (byte(store, random), byte(store, random));
        let (sum, limit) = (store.xor(a, b), store.small(8, random.below(256)));
        return store.binary([Kind::Eq, Kind::Ult][random.below(2) as usize], sum, limit);
    }
    let number = |store: &mut Store, value: f32| store.small(32, value.to_bits().into());
    let scaled = |store: &mut Store, random: &mut Generator| {
        let byte = byte(store, random);
        let wide = store.zext(byte, 32);
        let float = store.apply(Kind::FFromU, &[wide], 0, 32).unwrap();
        let factor = number(store, random.below(9) as f32 + 0.5);
        store.binary([Kind::FMul, Kind::FDiv][random.below(2) as usize], float, factor)
    };
    let (a, b) = (scaled(store, random), scaled(store, random));
    let sum = store.binary(Kind::FAdd, a, b);
    let limit = number(store, random.below(600) as f32);
    store.binary([Kind::FLe, Kind::FLt][random.below(2) as usize], sum, limit)
}

/// Whether numbers are left out first, or come near to what they should be by trying: the answers are those of a backend that is given
/// everything.
#[test]
fn floating_point_numbers_change_no_answer() {
    let count = if std::env::var_os("PROVOKE_DEEP").is_some() { 300 } else { 12 };
    let mut fast = Session::new(Config { disabled: vec![Tier::Inversion], ..Config::default() }).unwrap();
    let plain = Config { disabled: Tier::ALL.to_vec(), no_slicing: true, ..Config::default() };
    let mut reference = Session::new(plain).unwrap();
    for seed in 0..count {
        let mut random = Generator::new(seed);
        let input = Arc::new(Input { parts: vec![(0..4).map(|_| random.number() as u8).collect()] });
        let own = Model::of_input(input.clone());
        let mut store = Store::new();
        let mut path = fast.path(input);
        let mut before: Vec<Term> = Vec::new();
        for _ in 0..8 {
            let condition = condition_on_numbers(&mut store, &mut random);
            let taken = Evaluator::new(&store, &own).eval(condition).is_true();
            let constraint = if taken { condition } else { store.not(condition) };
            let goal = store.not(constraint);
            let answer = path.branch(&mut store, constraint);
            let query: Vec<Term> = before.iter().copied().chain([goal]).collect();
            let expected = reference.solve(&mut store, &query, &Model::new());
            assert_eq!(answer.word(), expected.word(), "seed {seed}: {answer:?}\n{}", print_query(&store, &query));
            before.push(constraint);
        }
    }
    let stats = fast.stats();
    assert!(stats.tier(Tier::Climbing).sat > 0, "{stats}");
    assert_eq!(stats.wrong_models, 0);
}

/// Jenkins' hash, one byte at a time.
fn jenkins(store: &mut Store, bytes: &[Term]) -> Term {
    let mut hash = store.small(32, 0x5eed);
    for byte in bytes {
        let wide = store.zext(*byte, 32);
        hash = store.add(hash, wide);
        for (kind, by) in [(Kind::Shl, 10), (Kind::LShr, 6)] {
            let by = store.small(32, by);
            let shifted = store.binary(kind, hash, by);
            hash = if kind == Kind::Shl { store.add(hash, shifted) } else { store.xor(hash, shifted) };
        }
    }
    hash
}

/// Asks for every value of so many bits of a hash, for all of which there has to be a model that chance finds.
fn ask_for_all_places(path: &mut PathSolver<'_>, store: &mut Store, hash: Term, bits: u16) {
    let in_table = store.extract(hash, 0, bits);
    for wanted in 0..1 << bits {
        let wanted = store.small(bits, wanted);
        let goal = store.binary(Kind::Eq, in_table, wanted);
        let answer = path.query(store, goal);
        assert_eq!(answer.word(), "sat", "{answer:?}");
    }
}

/// A name of four letters, which is closed as it was opened, and the place that its hash gives it in a table. As expat's tables showed
/// it, a backend takes 200 ms for each place of such.
#[test]
fn places_of_names_in_a_table_are_found_by_chance() {
    let mut session = Session::new(Config { disabled: vec![Tier::Inversion], ..Config::default() }).unwrap();
    let mut path = session.path(Arc::new(Input { parts: vec![b"name name".to_vec()] }));
    let mut store = Store::new();
    let mut name = Vec::new();
    for place in 0..4 {
        let (opened, closed) = (store.input(0, place), store.input(0, place + 5));
        let (first, letters) = (store.small(8, b'a'.into()), store.small(8, 26));
        let from_first = store.binary(Kind::Sub, opened, first);
        let is_letter = store.ult(from_first, letters);
        path.push(&mut store, is_letter);
        let is_closed = store.binary(Kind::Eq, opened, closed);
        path.push(&mut store, is_closed);
        name.push(opened);
    }
    let hash = jenkins(&mut store, &name);
    ask_for_all_places(&mut path, &mut store, hash, 6);
    let stats = session.stats();
    assert!(stats.tier(Tier::Sampling).sat > 50, "{stats}");
    assert_eq!(stats.tier(Tier::Backend).asked, 0, "{stats}");
}

/// The checksum of a sound whose samples are near to each other, as an encoder has it behind all that it has decided about them.
#[test]
fn hashes_of_numbers_that_stay_near_are_found_by_chance() {
    let mut session = Session::new(Config { disabled: vec![Tier::Inversion], ..Config::default() }).unwrap();
    let sound: Vec<u8> = (0..12).map(|place| 100 + 3 * place).collect();
    let mut path = session.path(Arc::new(Input { parts: vec![sound] }));
    let mut store = Store::new();
    let samples: Vec<Term> = (0..12).map(|place| store.input(0, place)).collect();
    for pair in samples.windows(2) {
        let (now, next) = (store.zext(pair[0], 16), store.zext(pair[1], 16));
        let difference = store.binary(Kind::Sub, next, now);
        let many = store.small(16, 7);
        let is_near = store.ult(difference, many);
        path.push(&mut store, is_near);
    }
    let hash = jenkins(&mut store, &samples);
    ask_for_all_places(&mut path, &mut store, hash, 4);
    let stats = session.stats();
    assert!(stats.tier(Tier::Sampling).sat > 0, "{stats}");
    assert_eq!(stats.tier(Tier::Backend).asked, 0, "{stats}");
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

/// Nothing is made ready for a check that bounds alone decide, not even its negation.
#[test]
fn a_check_within_bounds_costs_no_terms() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![1, 2]] }));
    let check = expr::parse_term(&mut store, "(ult (add (zext 32 part0[0]) (zext 32 part0[1])) 1000)").unwrap();
    let before = store.len();
    let combined = path.combine(&mut store, &[check], Combination::Strong);
    assert_eq!(combined.decisions, [Decision::Holds]);
    assert_eq!(store.len(), before);
    let stats = path.session().stats();
    assert_eq!((stats.queries, stats.unsat, stats.tier(Tier::Bounds).unsat, stats.checks.held), (1, 1, 1, 1));
}

/// A byte above what was read ahead, a shift by what was used: all of it can be undone, and nobody needs a backend for it.
#[test]
fn what_was_read_ahead_is_computed_backwards() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![0xb6, 0x5d, 3]] }));
    let ahead = "(lshr (or (shl (zext 32 part0[1]) (zext 32 part0[2])) (lshr (zext 32 part0[0]) 5:32)) 1:32)";
    for wanted in 0..128 {
        let goal = format!("(eq (extract 7 0 {ahead}) {wanted}:7)");
        let goal = expr::parse_term(&mut store, &goal).unwrap();
        assert!(path.query(&mut store, goal).solution().is_some(), "{wanted}");
    }
    assert_eq!(path.session().stats().tier(Tier::Backend).asked, 0);
}

/// A number that has to be what it is, for a reason that only a backend sees, is found out about once.
#[test]
fn what_is_fixed_is_asked_about_once() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![13, 17, 13, 200]] }));
    let mut term = |text: &str| expr::parse_term(&mut store, text).unwrap();
    let product = term("(eq (mul (zext 16 part0[0]) (zext 16 part0[1])) 221)");
    let (order, more) = (term("(ult part0[0] part0[1])"), term("(ult 1 part0[0])"));
    // The third byte follows from the first, the fourth is free.
    let copy = term("(eq (xor part0[2] part0[0]) 0)");
    let free = term("(not (eq (mul part0[3] part0[2]) 7))");
    let goals: Vec<Term> =
        (0..60).filter(|value| *value != 13).map(|value| term(&format!("(eq part0[2] {value})"))).collect();
    let others: Vec<Term> = (0..60).map(|value| term(&format!("(eq part0[3] {value})"))).collect();
    for constraint in [product, order, more, copy, free] {
        path.push(&mut store, constraint);
    }
    for goal in goals {
        assert_eq!(path.query(&mut store, goal).word(), "unsat");
    }
    assert!(path.session().stats().tier(Tier::Backend).asked < 6, "{}", path.session().stats());
    for goal in others {
        assert_eq!(path.query(&mut store, goal).word(), if goal == free { "unsat" } else { "sat" });
    }
}

/// A pointer out of a table of pointers is one of them, which no backend has to be asked about: the key may be hard to find.
#[test]
fn a_choice_between_pointers_needs_no_backend() {
    let mut session = Session::new(Config::default()).unwrap();
    let mut store = Store::new();
    let mut path = session.path(Arc::new(Input { parts: vec![vec![7, 3]] }));
    let key = "(xor (mul part0[0] part0[1]) (mul part0[0] 0x35:8))";
    let pointer = format!("(ite (ult {key} 9:8) 500:16 (ite (eq {key} 0x5e:8) 600:16 0:16))");
    let mut claim = |text: &str| {
        let text = text.replace('P', &pointer);
        let term = expr::parse_term(&mut store, &text).unwrap();
        let original = store.exactly(|store| expr::parse_term(store, &text).unwrap());
        Claim { term, original }
    };
    let not_null = claim("(not (eq P 0:16))");
    let outside = claim("(not (or (ult (add P 65036:16) 9:16) (ult (add P 64936:16) 9:16)))");
    let second = claim("(eq P 600:16)");
    assert_ne!(path.query(&mut store, outside).word(), "unsat", "null is outside, too");
    path.push(&mut store, not_null);
    let before = path.session().stats().tier(Tier::Backend).asked;
    assert_eq!(path.query(&mut store, outside).word(), "unsat");
    assert_eq!(path.session().stats().tier(Tier::Choices).unsat, 1);
    assert_eq!(path.session().stats().tier(Tier::Backend).asked, before);
    assert_ne!(path.query(&mut store, second).word(), "unsat");
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

/// On a long path whose bytes all depend on one another, an answer leaves those alone that need no other value.
#[test]
fn answers_are_near_the_input() {
    const BYTES: u64 = 96;
    let mut session = Session::new(Config { disabled: Tier::ALL.to_vec(), ..Config::default() }).unwrap();
    let mut random = Generator::new(1);
    let input = Arc::new(Input { parts: vec![(0..BYTES).map(|_| random.number() as u8 | 1).collect()] });
    let own = Model::of_input(input.clone());
    let mut store = Store::new();
    let mut path = session.path(input);
    let product = |store: &mut Store, place: u64, factor: u64| {
        let [a, b] = [place, place + 1].map(|place| store.input(0, place)).map(|byte| store.zext(byte, 16));
        let (product, factor) = (store.binary(Kind::Mul, a, b), store.small(16, factor));
        store.binary(Kind::Mul, product, factor)
    };
    for place in 0..BYTES - 1 {
        for factor in [1, 3, 5, 7] {
            let (product, limit) = (product(&mut store, place, factor), random.below(0x8000));
            let limit = store.small(16, limit);
            let condition = store.ult(product, limit);
            let taken = Evaluator::new(&store, &own).eval(condition).is_true();
            let constraint = if taken { condition } else { store.not(condition) };
            path.push(&mut store, constraint);
        }
    }
    for place in [0, 40, 90] {
        let (product, wanted) = (product(&mut store, place, 1), random.below(4));
        let (lowest, wanted) = (store.extract(product, 0, 2), store.small(2, wanted));
        let goal = store.eq(lowest, wanted);
        let Answer::Sat(solution) = path.query(&mut store, goal) else { continue };
        let changed = solution.model.values().count();
        assert!(changed <= 8, "{changed} bytes for the product at {place}");
    }
    assert!(session.stats().sat > 0);
}
