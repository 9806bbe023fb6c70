//! Every rule against the evaluator.

use super::*;
use crate::eval::Evaluator;
use crate::generate::Generator;
use crate::text::print_term;

fn all_rules() -> impl Iterator<Item = &'static Rule> {
    ite::LIFT.iter().chain(choice::LIFT).chain(lookup::LIFT).chain(Kind::ALL.into_iter().flat_map(rules))
}

#[test]
fn every_rule_keeps_the_value() {
    let mut fired: std::collections::BTreeMap<&str, u64> = all_rules().map(|rule| (rule.name, 0)).collect();
    for seed in 0..40_000 {
        let mut store = Store::new();
        let mut generator = Generator::new(seed);
        let width = generator.width();
        let depth = generator.below(5) as u32 + 1;
        let term = generator.term(&mut store, width, depth);
        let simple = store.simplified(term);
        for _ in 0..6 {
            let model = generator.model(&store);
            let mut evaluator = Evaluator::new(&store, &model);
            let (expected, found) = (evaluator.eval(term), evaluator.eval(simple));
            assert_eq!(
                expected,
                found,
                "seed {seed}, {model:?}\n{}\n{}\n{:?}",
                print_term(&store, term),
                print_term(&store, simple),
                store.fired
            );
        }
        for (name, count) in &store.fired {
            *fired.entry(name).or_default() += count;
        }
    }
    let rare: Vec<_> = fired.iter().filter(|(_, count)| **count < 5).collect();
    assert!(rare.is_empty(), "rules that were hardly tested: {rare:?}");
}

#[test]
fn rule_names_are_unique() {
    let mut names: Vec<_> = all_rules().map(|rule| rule.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// What the rules are for: the terms that compilers make of byte-wise code.
#[test]
fn expected_forms() {
    let check = |text: &str, expected: &str| {
        let mut store = Store::new();
        store.set_part_name(0, "in");
        let term = crate::parse_term(&mut store, text).unwrap();
        assert_eq!(print_term(&store, term), expected, "{text}");
    };
    check("(ult (zext 32 in[3]) 0x41)", "(ult in[3] 0x41)");
    check("(slt (zext 32 in[3]) 0x41)", "(ult in[3] 0x41)");
    check("(slt (zext 32 in[3]) 0xfffffff0)", "false");
    check("(eq (add (zext 32 in[0]) 0xffffffd0) 0x5)", "(eq in[0] 0x35)");
    check("(eq (add (shl (zext 64 in[0]) 3) 0x7f10) (add (shl (zext 64 in[1]) 3) 0x7f10))", "(eq in[0] in[1])");
    check("(extract 8 1 (add (concat (sext 63 in[0]) 0:1) 0x100))", "(add in[0] 0x80)");
    check("(or (shl (zext 32 in[1]) 8) (zext 32 in[0]))", "(zext 32 (concat in[1] in[0]))");
    check("(extract 8 8 (concat in[2] (concat in[1] in[0])))", "in[1]");
    check("(eq (concat in[1] in[0]) 0x4142)", "(and (eq in[1] 0x41) (eq in[0] 0x42))");
    check("(eq (ite (eq in[0] 7) 3:32 4:32) 3)", "(eq in[0] 0x7)");
    check(
        "(eq (ite (eq in[0] 7) (ite (eq in[1] 8) 0:32 (sub (zext 32 in[1]) 8)) (sub (zext 32 in[0]) 7)) 0)",
        "(and (eq in[0] 0x7) (eq in[1] 0x8))",
    );
    check(
        "(eq (ite (eq in[0] 7) 0x1000:64 (ite (eq in[1] 7) 0x1020:64 (ite (eq in[2] 7) 0x1040:64 0:64))) 0x1020)",
        "(and (eq in[1] 0x7) (not (eq in[0] 0x7)))",
    );
    check("(not (ult in[0] 0x41))", "(ult 0x40 in[0])");
    check("(and (lshr x:32 8) 0xff)", "(zext 32 (extract 8 8 x:32))");
    check("(select (store (store m:64>8 1 in[0]) 2 in[1]) 1:64)", "in[0]");
    check("(eq (lookup 8 0 0 5 5 x:2) 5)", "(ult 0x1 x:2)");
    check("(ult (add (lookup 8 0 1 2 9 x:2) 1) 3)", "(ult x:2 0x2)");
    check("(lookup 8 3 1 0 2 (lookup 2 1 2 3 0 x:2))", "(lookup 8 0x1 0x0 0x2 0x3 x:2)");
    check("(concat (lookup 8 1 2 y:1) (lookup 8 3 4 y:1))", "(lookup 16 0x103 0x204 y:1)");
    check("(select (store m:64>8 (add p:64 1) in[0]) p:64)", "(select m:64>8 p:64)");
    // What is asked before a product is computed, and after it.
    check("(ult (udiv 0xffffffff x:32) y:32)", "(umulo x:32 y:32)");
    check(
        "(ult 0xb (udiv (udiv 0xffffffff (zext 32 x:16)) (zext 32 y:16)))",
        "(ult (mul (zext 32 x:16) (zext 32 y:16)) 0x15555556)",
    );
    check("(eq (udiv (mul (zext 32 x:16) 5:32) 5:32) (zext 32 x:16))", "true");
    // What is below one and a half when it is divided by a hundred.
    check("(flt (fdiv (ffromu 64 x:32) 0x4059000000000000:64) 0x3ff8000000000000)", "(ult x:32 0x96)");
    check("(feq (fmul (ffroms 64 x:32) 0x3fe0000000000000) 0x3ff8000000000000)", "(eq x:32 0x3)");
    check("(feq (ffromu 32 in[0]) 0x3fc00000)", "false");
    check("(ftos 32 (ffroms 64 x:32))", "x:32");
    check("(flt (ffromu 64 x:32) (ffromu 64 y:32))", "(ult x:32 y:32)");
    check("(ftos 32 (fadd (ffroms 64 x:16) 0x3ff0000000000000))", "(sext 32 (add (sext 17 x:16) 0x1))");
    check("(ftos 32 (xor (ffromu 64 in[0]) 0x8000000000000000))", "(sext 32 (sub 0x0 (zext 10 in[0])))");
}

/// A chain as a hash over the input makes it, two terms deep for each step.
fn deep_term(store: &mut Store, steps: u64) -> Term {
    let mut term = store.named("x", 32);
    for step in 0..steps {
        let byte = store.input(0, step % 64);
        let wide = store.zext(byte, 32);
        let factor = store.small(32, 0x0100_0193);
        let product = store.binary(Kind::Mul, term, factor);
        term = store.xor(product, wide);
    }
    let (low, zero) = (store.extract(term, 0, 8), store.small(8, 0));
    store.eq(low, zero)
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut store = Store::new();
    let constraint = deep_term(&mut store, 500_000);
    assert!(store.eval(constraint, &crate::Model::new()).is_true());
    assert!(crate::variables(&store, &[constraint]).len() == 65);
}

#[test]
fn deep_terms_can_be_written_and_read() {
    let mut store = Store::new();
    let constraint = deep_term(&mut store, 30_000);
    let text = print_term(&store, constraint);
    let mut second = Store::new();
    let again = crate::parse_term(&mut second, &text).unwrap();
    assert_eq!(second.width(again), 1);
    assert!(crate::smtlib_script(&store, &[constraint], &[]).len() > 1_000_000);
}
