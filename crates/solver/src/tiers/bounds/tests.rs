use super::*;
use expr::generate::Generator;
use expr::{Evaluator, parse_term};

/// What is said to be false always is false under all models that are tried.
#[test]
fn never_is_never() {
    let mut never = 0;
    for seed in 0..20_000 {
        let mut store = Store::new();
        let mut generator = Generator::new(seed);
        let raw = generator.term(&mut store, 1, 4);
        // The simplifier would leave nothing to find for constants, so both forms are looked at.
        for goal in [raw, store.simplified(raw)] {
            let is_never = is_never(&store, goal);
            assert_eq!(Remembered::default().is_never(&store, goal, |_| None), is_never);
            if !is_never {
                continue;
            }
            never += 1;
            for _ in 0..20 {
                let model = generator.model(&store);
                assert!(!Evaluator::new(&store, &model).eval(goal).is_true(), "{}", expr::print_term(&store, goal));
            }
        }
    }
    assert!(never > 500, "only {never} goals were decided");
}

/// What is said to be false on a path is false under every model of it that is tried.
#[test]
fn never_on_a_path_is_never_there() {
    let (mut by_path, mut tried) = (0, 0);
    for seed in 0..5_000 {
        let mut store = Store::new();
        let mut generator = Generator::new(seed);
        let terms: Vec<Term> = (0..8).map(|_| generator.term(&mut store, 1, 3)).collect();
        let terms: Vec<Term> = terms.into_iter().map(|term| store.simplified(term)).collect();
        let model = generator.model(&store);
        let mut remembered = Remembered::default();
        let mut path = Vec::new();
        for term in &terms[..4] {
            let holds = Evaluator::new(&store, &model).eval(*term).is_true();
            let constraint = if holds { *term } else { store.not(*term) };
            remembered.learn(&store, constraint, |_| None);
            path.push(constraint);
        }
        let refuted: Vec<Term> =
            terms.into_iter().filter(|goal| remembered.is_never(&store, *goal, |_| None)).collect();
        by_path += refuted.iter().filter(|goal| !path.contains(goal) && !is_never(&store, **goal)).count();
        for number in 0..20 {
            let model = if number == 0 { model.clone() } else { generator.model(&store) };
            let mut evaluator = Evaluator::new(&store, &model);
            if !evaluator.all_true(&path) {
                continue;
            }
            for goal in &refuted {
                tried += 1;
                let is_true = evaluator.eval(*goal).is_true();
                assert!(!is_true, "seed {seed}: {}", expr::print_term(&store, *goal));
            }
        }
    }
    assert!(by_path > 500 && tried > 1000, "only {by_path} goals were decided by the path, {tried} times tried");
}

#[test]
fn variables_bring_their_bounds() {
    let mut store = Store::new();
    let goal = parse_term(&mut store, "(ult 0x200 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
    assert!(is_never(&store, goal));
    let goal = parse_term(&mut store, "(ult 0x60 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
    assert!(!is_never(&store, goal));
    assert!(Remembered::default().is_never(&store, goal, |_| Some(Bounds::of_values(8, 0..0x30))));
}

#[test]
fn what_is_remembered_stays_true() {
    let mut store = Store::new();
    let goal = parse_term(&mut store, "(ult 0x60 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
    let mut remembered = Remembered::default();
    let small = |_: Var| Some(Bounds::of_values(8, 0..0x30));
    assert!(remembered.is_never(&store, goal, small));
    assert!(remembered.is_never(&store, goal, |_| None));
    let larger = parse_term(&mut store, "(ult 0x70 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
    assert!(remembered.is_never(&store, larger, |_| None));
}

/// A sample that was cut to 16 bits, and a difference that is added to it: decoders of sound do that for every sample.
#[test]
fn what_the_path_says_of_a_sum_holds_for_later_ones() {
    let mut store = Store::new();
    let mut term = |text: &str| parse_term(&mut store, text).unwrap();
    let sum = "(add (sext 32 (concat a[1] a[0])) (sext 32 (concat b[1] b[0])))";
    let [below, above] = [format!("(sle {sum} 0x7fff)"), format!("(sle 0xffff8000 {sum})")].map(|text| term(&text));
    let goals = [
        format!("(saddo {sum} 0x7fff8000)"),
        format!("(saddo {sum} 0x7fff8001)"),
        format!("(ssubo {sum} 0x7fff8000)"),
        format!("(ssubo {sum} 0x7fff8001)"),
        format!("(smulo {sum} 0xffff)"),
        format!("(slt (ashr {sum} 0x8) 0xffffff80)"),
        format!("(slt (ite (slt {sum} 0x0) 0x0 {sum}) 0x0)"),
    ]
    .map(|text| term(&text));
    let mut remembered = Remembered::default();
    let decided = |remembered: &mut Remembered| goals.map(|goal| remembered.is_never(&store, goal, |_| None));
    assert_eq!(decided(&mut remembered), [false, false, false, false, false, false, true]);
    remembered.learn(&store, below, |_| None);
    remembered.learn(&store, above, |_| None);
    assert_eq!(decided(&mut remembered), [true, false, true, false, true, true, true]);
}

/// No term has a value outside of its bounds, floating-point numbers among them.
#[test]
fn values_lie_within_bounds() {
    let mut floats = 0;
    for seed in 0..20_000 {
        let mut store = Store::new();
        let mut generator = Generator::new(seed);
        let width = [1, 32, 64][generator.below(3) as usize];
        let root = generator.term(&mut store, width, 4);
        let mut remembered = Remembered::default();
        remembered.look_at(&store, root, |_| None);
        let terms = postorder(&store, &[root], |_| false);
        for _ in 0..10 {
            let model = generator.model(&store);
            let mut evaluator = Evaluator::new(&store, &model);
            for term in &terms {
                let Some(bounds) = remembered.bounds(*term) else { continue };
                let Some(value) = evaluator.eval(*term).to_u64() else { continue };
                assert!(bounds.allows(value), "seed {seed}: {value:#x} of {}", expr::print_term(&store, *term));
                let kind = store.node(*term).kind;
                floats += usize::from(kind.is_float() && bounds != Bounds::any(bounds.width));
            }
        }
    }
    assert!(floats > 10_000, "only {floats} values of floating-point operators had bounds");
}

/// A number in decimal that programs make of digits, and what they do with it.
#[test]
fn numbers_have_bounds() {
    let mut store = Store::new();
    let mut term = |text: &str| parse_term(&mut store, text).unwrap();
    let digits = "(ffromu 64 (concat a[1] a[0]))";
    let tenth = format!("(fdiv {digits} 0x4024000000000000)");
    let opposite = format!("(xor {tenth} 0x8000000000000000)");
    let amount = format!("(and {opposite} 0x7fffffffffffffff)");
    let never = [
        format!("(slt 0x199a (ftos 32 {tenth}))"),
        format!("(extract 1 63 {tenth})"),
        format!("(not (extract 1 63 {opposite}))"),
        format!("(flt {amount} 0x0)"),
        // 6554
        format!("(fle 0x40b99a0000000000 {amount})"),
        format!("(not (feq {tenth} {tenth}))"),
    ]
    .map(|text| term(&text));
    for goal in never {
        assert!(is_never(&store, goal), "{}", expr::print_term(&store, goal));
    }
    let mut term = |text: &str| parse_term(&mut store, text).unwrap();
    // What is compared is a number, and one that does not overflow what it is converted to.
    let anything =
        "(concat (concat (concat a[7] a[6]) (concat a[5] a[4])) (concat (concat a[3] a[2]) (concat a[1] a[0])))";
    let [above, below] =
        ["(fle 0xbff0000000000000 X)", "(flt X 0x4059000000000000)"].map(|text| term(&text.replace('X', anything)));
    let goal = term(&format!("(slt 0x64 (ftos 32 {anything}))"));
    let mut remembered = Remembered::default();
    remembered.learn(&store, above, |_| None);
    assert!(!remembered.is_never(&store, goal, |_| None));
    remembered.learn(&store, below, |_| None);
    assert!(remembered.is_never(&store, goal, |_| None));
}

/// An offset and a length that fit into a file bound each other, and what is put together bounds its parts.
#[test]
fn what_is_known_of_a_sum_holds_for_what_is_added() {
    let mut store = Store::new();
    let mut term = |text: &str| parse_term(&mut store, text).unwrap();
    let (offset, length) = ("(zext 32 (concat a[1] a[0]))", "(zext 32 (concat b[1] b[0]))");
    let fits = term(&format!("(ule (add {offset} {length}) 0x400)"));
    let goals = [
        format!("(ult 0x400 {length})"),
        format!("(ult 0x400 {offset})"),
        "(ult 0x4 a[1])".to_owned(),
        format!("(ult 0x3ff {offset})"),
        "(ult 0x3 b[1])".to_owned(),
    ]
    .map(|text| term(&text));
    let mut remembered = Remembered::default();
    let decided = |remembered: &mut Remembered| goals.map(|goal| remembered.is_never(&store, goal, |_| None));
    assert_eq!(decided(&mut remembered), [false; 5]);
    remembered.learn(&store, fits, |_| None);
    assert_eq!(decided(&mut remembered), [true, true, true, false, false]);
}

/// A quotient of counts has no sign if what it is divided by is not zero: that this was tested says a constraint on single bytes.
#[test]
fn what_is_not_zero_can_be_divided_by() {
    let mut store = Store::new();
    let mut term = |text: &str| parse_term(&mut store, text).unwrap();
    let tested = term("(not (eq (concat b[1] b[0]) 0x0))");
    let negative = term("(extract 1 63 (fdiv (ffromu 64 (concat a[1] a[0])) (ffromu 64 (concat b[1] b[0]))))");
    let (number, bounds) = not_zero(&mut store, tested).unwrap();
    assert_eq!(expr::print_term(&store, number), "(concat b[1] b[0])");
    let mut remembered = Remembered::default();
    assert!(!remembered.is_never(&store, negative, |_| None));
    remembered.say(&store, number, bounds, |_| None);
    assert!(remembered.is_never(&store, negative, |_| None));
}
