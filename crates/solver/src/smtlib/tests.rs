//! Scripts that are written are read again, and the usual constructs are understood.

use expr::generate::Generator;
use expr::{Evaluator, Store, print_term, smtlib_script};

use super::*;

#[test]
fn written_scripts_are_read_again() {
    for seed in 0..500 {
        let mut store = Store::new();
        let mut generator = Generator::new(seed);
        // What is written for floating-point numbers is for solvers that know them.
        generator.floats = false;
        let term = generator.term(&mut store, 1, 4);
        let script = smtlib_script(&store, &[term], &[]);
        let mut second = Store::new();
        let read = read_script(&mut second, &script).unwrap_or_else(|error| panic!("{error}\n{script}"));
        let [read] = read.as_slice() else { panic!("one question: {script}") };
        assert_eq!(read.len(), 1);
        // The variables have other names there, but the same order: those of the script.
        let vars = expr::variables(&store, &[term]);
        let others: Vec<expr::Var> = second.vars().collect();
        for _ in 0..3 {
            let model = generator.model(&store);
            let mut translated = expr::Model::new();
            for (var, other) in vars.iter().zip(&others) {
                translated.set(*other, model.value(&store, *var));
                if let Some(array) = model.array(*var) {
                    for (index, element) in &array.elements {
                        translated.set_element(*other, index.clone(), element.clone());
                    }
                    translated.set_default(*other, array.default.clone().unwrap());
                }
            }
            let expected = Evaluator::new(&store, &model).eval(term);
            assert_eq!(Evaluator::new(&second, &translated).eval(read[0]), expected, "{}", print_term(&store, term));
        }
    }
}

#[test]
fn usual_constructs() {
    let check = |body: &str, expected: &str| {
        let script = format!(
            "(set-logic QF_ABV)(declare-fun x () (_ BitVec 8))(declare-const |y z| (_ BitVec 8))\n\
             (declare-fun m () (Array (_ BitVec 8) (_ BitVec 8)))(assert {body})(check-sat)(assert false)"
        );
        let mut store = Store::new();
        let text = match read_script(&mut store, &script) {
            Ok(questions) => {
                questions.iter().flatten().map(|term| print_term(&store, *term)).collect::<Vec<_>>().join(" ")
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(text, expected, "{body}");
    };
    check("(bvugt x #x10)", "(ult 0x10 x:8)");
    check("(let ((a (bvadd x #x01)) (x |y z|)) (= a x))", "(eq |y z|:8 (add x:8 0x1))");
    check("(= ((_ extract 3 0) x) (_ bv5 4))", "(eq (extract 4 0 x:8) 0x5)");
    check("(distinct x |y z|)", "(not (eq x:8 |y z|:8))");
    check("(=> (= x #x01) (! (= |y z| #x02) :named a))", "(or (eq |y z|:8 0x2) (not (eq x:8 0x1)))");
    check("(= (select (store m x #x07) x) #x08)", "false");
    check("(= ((_ rotate_left 3) x) #b00000001)", "(and (eq (extract 5 0 x:8) 0x0) (eq (extract 3 5 x:8) 0x1))");
    check("(foo x)", "line 2: no operator is called `foo`");
    check("(= x q)", "line 2: `q` is not declared");
    check("(= x #x1)", "line 2: Eq: operands of 8 and 4 bits");
}

#[test]
fn nesting_may_be_deep() {
    let depth = 200_000;
    let script = format!(
        "(declare-fun x () (_ BitVec 8))(assert (= x {}x{}))",
        "(bvmul #x03 (bvxor x ".repeat(depth),
        "))".repeat(depth)
    );
    assert_eq!(read_script(&mut Store::new(), &script).unwrap().concat().len(), 1);
}

#[test]
fn every_check_sat_is_a_question() {
    let ask = |body: &str| {
        let script = format!("(set-logic QF_BV)(declare-const x (_ BitVec 8)){body}");
        let mut store = Store::new();
        let questions = read_script(&mut store, &script).map_err(|error| error.to_string())?;
        let text = |terms: &Vec<expr::Term>| terms.iter().map(|t| print_term(&store, *t)).collect::<Vec<_>>().join(" ");
        Ok::<String, String>(questions.iter().map(text).collect::<Vec<_>>().join(" | "))
    };
    let [one, two] = ["(assert (= x #x01))", "(assert (= x #x02))"];
    let is = |number: u8| format!("(eq x:8 {number:#x})");
    assert_eq!(ask(one).unwrap(), is(1));
    assert_eq!(ask(&format!("{one}(check-sat){two}(check-sat)")).unwrap(), format!("{0} | {0} {1}", is(1), is(2)));
    let popped = format!("(push 1){one}(check-sat)(pop 1)(check-sat){two}(check-sat)(exit)(check-sat)");
    assert_eq!(ask(&popped).unwrap(), format!("{} |  | {}", is(1), is(2)));
    let assumed = format!("{one}(check-sat-assuming ((= x #x02)))(check-sat)");
    assert_eq!(ask(&assumed).unwrap(), format!("{0} {1} | {0}", is(1), is(2)));
    let inner = "(push 1)(declare-const y Bool)(assert y)(check-sat)(pop 1)(assert y)(check-sat)";
    assert_eq!(ask(inner).unwrap_err(), "line 1: `y` is not declared");
    for wrong in ["(pop 1)", "(push x)", "(pop 99999999)", "(reset)", "(get-unsat-core)", "(check-sat-assuming (x))"] {
        assert!(ask(wrong).is_err(), "{wrong}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_gives_an_answer(text in "[()a-z0-9#|_! ]{0,80}") {
        let _ = read_script(&mut Store::new(), &text);
    }

    #[test]
    fn any_words_give_an_answer(words in proptest::collection::vec("[()]|let|assert|_|bv3|8|x|true|and|=|extract|declare-const|BitVec", 0..25)) {
        let _ = read_script(&mut Store::new(), &words.join(" "));
    }
}
