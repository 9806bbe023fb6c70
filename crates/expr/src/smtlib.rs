//! Terms as an SMT-LIB 2 script.

mod float;

use core::fmt::Write;

use rustc_hash::FxHashSet;

use crate::store::{Kind, Node, Sort, Store, Term, Var, VarName};
use crate::tables::{Choice, decision};
use crate::walk::{postorder, variables};

/// The script that asks whether the constraints can hold together, and for the values of `wanted` if so.
/// Only operators of SMT-LIB 2.6 are used, and every term gets a definition, so nothing is nested.
pub fn smtlib_script(store: &Store, constraints: &[Term], wanted: &[Term]) -> String {
    let roots = [constraints, wanted].concat();
    let order = postorder(store, &roots, |_| false);
    let floats = order.iter().any(|term| store.kind(*term).is_float());
    let logic = if floats { "QF_ABVFP" } else { "QF_ABV" };
    let mut out = format!("(set-option :produce-models true)\n(set-logic {logic})\n");
    for var in &variables(store, &roots) {
        let _ = writeln!(out, "(declare-fun {} () {})", smtlib_symbol(store, *var), sort(store.var_sort(*var)));
    }
    for term in order {
        let node = store.node(term);
        if node.kind.gives_float() {
            float::declare(store, term, &node, &mut out);
        } else if node.kind.arity() > 0 {
            let body = definition(store, &node);
            let _ = writeln!(out, "(define-fun t{} () {} {body})", term.index(), sort(node.sort));
        }
    }
    let mut asserted = FxHashSet::default();
    for constraint in constraints.iter().filter(|constraint| asserted.insert(**constraint)) {
        let _ = writeln!(out, "(assert (= {} #b1))", reference(store, *constraint));
    }
    out.push_str("(check-sat)\n");
    let names: Vec<String> = wanted.iter().map(|term| reference(store, *term)).collect();
    if !names.is_empty() {
        let _ = writeln!(out, "(get-value ({}))", names.join(" "));
    }
    out
}

/// The symbol of a variable in a script: its place in the store and, for people, what it stands for.
pub fn smtlib_symbol(store: &Store, var: Var) -> String {
    let text = match store.var_name(var) {
        VarName::Input { part, offset } => format!("{}[{offset}]", store.part_name(*part)),
        VarName::Named(name) => name.clone(),
    };
    let printable: String =
        text.chars().map(|c| if c == '|' || c == '\\' || c.is_control() { '_' } else { c }).collect();
    format!("|v{} {printable}|", var.index())
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

fn reference(store: &Store, term: Term) -> String {
    match (store.value(term), store.var_of(term)) {
        (Some(value), _) => format!("#b{}", value.binary_digits()),
        (_, Some(var)) => smtlib_symbol(store, var),
        _ => format!("t{}", term.index()),
    }
}

fn definition(store: &Store, node: &Node) -> String {
    let operand = |place: usize| reference(store, node.operands[place]);
    let (a, b) = (operand(0), if node.kind.arity() > 1 { operand(1) } else { String::new() });
    let inner = store.width(node.operands[0]);
    let truth = |predicate: String| format!("(ite {predicate} #b1 #b0)");
    let simple = |name: &str| format!("({name} {a} {b})");
    // An operation is repeated with more bits; where extending its usual result gives something else it overflows.
    let widened = |name: &str, extension: &str, extra: u16| {
        let wide = |x: &str| format!("((_ {extension} {extra}) {x})");
        truth(format!("(not (= ({name} {} {}) {}))", wide(&a), wide(&b), wide(&simple(name))))
    };
    // Signed overflow of a sum from its operands' signs, and of a minuend from the subtrahend's and the difference's.
    let signs_differ = |x: &str, y: &str, z: &str| {
        let top = inner - 1;
        format!("((_ extract {top} {top}) (bvand (bvxor {x} {y}) (bvxor {x} {z})))")
    };
    match node.kind {
        Kind::Const | Kind::Var => String::new(),
        Kind::FEq | Kind::FLt | Kind::FLe | Kind::FToS => float::of_numbers(store, node),
        // Declared, not defined.
        Kind::FAdd | Kind::FSub | Kind::FMul | Kind::FDiv | Kind::FSqrt | Kind::FRound => String::new(),
        Kind::FConvert | Kind::FFromS | Kind::FFromU => String::new(),
        Kind::Not => format!("(bvnot {a})"),
        Kind::And => simple("bvand"),
        Kind::Or => simple("bvor"),
        Kind::Xor => simple("bvxor"),
        Kind::Add => simple("bvadd"),
        Kind::Sub => simple("bvsub"),
        Kind::Mul => simple("bvmul"),
        Kind::UDiv => simple("bvudiv"),
        Kind::URem => simple("bvurem"),
        Kind::SDiv => simple("bvsdiv"),
        Kind::SRem => simple("bvsrem"),
        Kind::Shl => simple("bvshl"),
        Kind::LShr => simple("bvlshr"),
        Kind::AShr => simple("bvashr"),
        Kind::Eq => truth(simple("=")),
        Kind::Ult => truth(simple("bvult")),
        Kind::Ule => truth(simple("bvule")),
        Kind::Slt => truth(simple("bvslt")),
        Kind::Sle => truth(simple("bvsle")),
        Kind::UAddO => widened("bvadd", "zero_extend", 1),
        Kind::SAddO => signs_differ(&simple("bvadd"), &a, &b),
        Kind::USubO => truth(simple("bvult")),
        Kind::SSubO => signs_differ(&a, &b, &simple("bvsub")),
        Kind::UMulO => widened("bvmul", "zero_extend", inner),
        Kind::SMulO => widened("bvmul", "sign_extend", inner),
        Kind::Concat => simple("concat"),
        Kind::Extract => {
            let top = node.imm + u32::from(node.sort.width()) - 1;
            format!("((_ extract {top} {}) {a})", node.imm)
        }
        Kind::ZExt => format!("((_ zero_extend {}) {a})", node.sort.width() - inner),
        Kind::SExt => format!("((_ sign_extend {}) {a})", node.sort.width() - inner),
        Kind::Ite => format!("(ite (= {a} #b1) {b} {})", operand(2)),
        Kind::Select => simple("select"),
        Kind::Store => format!("(store {a} {b} {})", operand(2)),
        Kind::ConstArray => format!("((as const {}) {a})", sort(node.sort)),
        Kind::Lookup => {
            let mut steps: Vec<String> = Vec::new();
            for step in store.table_of(node).map(|table| decision(table)).unwrap_or_default() {
                steps.push(match step {
                    Choice::Value(value) => format!("#b{}", value.binary_digits()),
                    Choice::Either { bit, high, low } => {
                        format!("(ite (= ((_ extract {bit} {bit}) {a}) #b1) {} {})", steps[high], steps[low])
                    }
                });
            }
            steps.pop().unwrap_or_default()
        }
    }
}
