use proptest::prelude::*;
use solver::Config;

use super::entry::Entry;
use super::express::{Express, Sums};
use super::*;

fn inputs() -> Vec<(u32, Input)> {
    let input = |name: &str, size, signed| Input { name: name.to_owned(), offset: 0, size, signed };
    vec![(0, input("i", 4, false)), (1, input("x", 4, true)), (2, input("c", 1, false))]
}

fn session() -> Session {
    Session::new(Config { in_process: true, ..Config::default() }).unwrap()
}

/// The whole of an input.
fn whole(store: &mut Store, part: u32) -> Term {
    let size = inputs()[part as usize].1.size;
    let mut value = store.input(part, 0);
    for offset in 1..size {
        let byte = store.input(part, offset);
        value = store.concat(byte, value);
    }
    value
}

fn said(text: &str) -> String {
    let mut store = Store::new();
    ["i", "x", "c"].iter().zip(0..).for_each(|(name, part)| store.set_part_name(part, name));
    let (i, x, c) = (whole(&mut store, 0), whole(&mut store, 1), whole(&mut store, 2));
    let c = store.zext(c, 32);
    let number = |store: &mut Store, value: u64| store.small(32, value);
    let term = match text {
        "i < 10" => {
            let ten = number(&mut store, 10);
            store.ult(i, ten)
        }
        "x in 0..10" => {
            let ten = number(&mut store, 10);
            store.ult(x, ten)
        }
        "4 * c <= 39" => {
            let four = number(&mut store, 4);
            let product = store.binary(expr::Kind::Mul, c, four);
            let limit = number(&mut store, 39);
            store.ule(product, limit)
        }
        "i + 1 > 5" => {
            let one = number(&mut store, 1);
            let sum = store.add(i, one);
            let five = number(&mut store, 5);
            store.ult(five, sum)
        }
        "x == -3" => {
            let three = number(&mut store, 0xffff_fffd);
            // The simplifier would compare the bytes.
            store.exactly(|store| store.eq(x, three))
        }
        "8 * (i + 3) <= 80, narrow" => {
            let three = number(&mut store, 3);
            let sum = store.add(i, three);
            let eight = number(&mut store, 8);
            let product = store.exactly(|store| store.binary(expr::Kind::Mul, sum, eight));
            let limit = number(&mut store, 80);
            store.exactly(|store| store.ule(product, limit))
        }
        other => panic!("{other}"),
    };
    Express::new(&store, &entry(), Sums::Wrap).formula(term).unwrap().text()
}

fn entry() -> Entry {
    let inputs = inputs().into_iter().map(|(part, input)| (part, vec![input])).collect();
    Entry { inputs, ..Entry::default() }
}

#[test]
fn conditions_read_like_the_source() {
    assert_eq!(said("i < 10"), "i <= 9");
    assert_eq!(said("x in 0..10"), "x >= 0 && x <= 9");
    assert_eq!(said("4 * c <= 39"), "c <= 9");
    assert_eq!(said("x == -3"), "x == -3");
    // What is multiplied wraps around more than once.
    assert_eq!(said("8 * (i + 3) <= 80, narrow"), "((i + 3) % 536870912) <= 10");
    // It wraps around.
    assert_eq!(said("i + 1 > 5"), "i >= 5 && i <= 4294967294");
}

#[test]
fn what_is_implied_is_left_out() {
    let mut precondition = Precondition {
        inputs: inputs().into_iter().map(|(_, input)| input).collect(),
        clauses: vec!["i <= 9".into(), "x != 100 || i <= 12".into(), "c >= 3".into()],
        ..Precondition::default()
    };
    precondition.simplify(&mut session());
    assert_eq!(precondition.text().unwrap(), "(i <= 9) && (c >= 3)");
}

/// Any term over the inputs.
fn any_term() -> impl Strategy<Value = Vec<(u8, u8, u32)>> {
    prop::collection::vec((0u8..15, 0u8..8, prop::num::u32::ANY), 1..7)
}

/// Builds a term: each step takes what there was before and something new.
fn build(store: &mut Store, steps: &[(u8, u8, u32)]) -> Term {
    let narrow = whole(store, 2);
    let inputs = [whole(store, 0), whole(store, 1), store.zext(narrow, 32), store.sext(narrow, 32)];
    let mut value = inputs[0];
    let mut truth = store.bool(true);
    for (operator, other, number) in steps {
        let constant = store.small(32, u64::from(*number >> (number % 32)));
        let other = inputs.get(usize::from(*other)).copied().unwrap_or(constant);
        use expr::Kind::*;
        let shift = store.small(32, u64::from(number % 31));
        match operator {
            0 => value = store.add(value, other),
            1 => value = store.sub(value, other),
            2 => value = store.binary(Mul, value, constant),
            3 => value = store.binary(LShr, value, shift),
            4 => value = store.binary(And, value, constant),
            5 => value = store.not(value),
            6 => {
                let low = store.extract(value, 0, 8);
                value = store.sext(low, 32);
            }
            7 => value = other,
            14 => value = store.ite(truth, value, other),
            _ => {
                let kind = [Ult, Ule, Slt, Sle, SAddO, Eq][usize::from(*operator - 8)];
                let decided = store.binary(kind, value, other);
                truth = if number % 2 == 0 { store.and(truth, decided) } else { store.xor(truth, decided) };
            }
        }
    }
    truth
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is written says what was meant, for every value.
    #[test]
    fn conditions_say_what_terms_say(steps in any_term(), bytes in prop::collection::vec(prop::num::u8::ANY, 9)) {
        let mut store = Store::new();
        let term = build(&mut store, &steps);
        let entry = entry();
        let Some(formula) = Express::new(&store, &entry, Sums::Wrap).formula(term) else { return Ok(()) };
        let text = formula.text();
        let condition = match Condition::parse(&text) {
            Ok(condition) => condition,
            // There is a limit to what is read, and so to what is kept.
            Err(error) if error.reason == "the condition is too long" => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{text}: {error}"))),
        };
        let inputs = inputs();
        let value_of = &mut |store: &mut Store, name: &str| {
            let (part, input) = inputs.iter().find(|(_, input)| input.name == name)?;
            Some(input.value(store, *part))
        };
        let said = meaning(&mut store, &condition, value_of).unwrap();
        let (i, rest) = bytes.split_at(4);
        let (x, c) = rest.split_at(4);
        for (i, x, c) in [(i, x, c), (&[0; 4][..], x, c), (i, &[255; 4][..], c), (&[9, 0, 0, 0][..], &[10, 0, 0, 0][..], &[200][..])] {
            let values = Values { parts: vec![i.to_vec(), x.to_vec(), c.to_vec()] };
            let model = Model::of_input(values.into());
            let value = |store: &Store, term: Term| store.eval(term, &model).is_true();
            prop_assert_eq!(value(&store, said), value(&store, term), "{}", text);
        }
    }
}
