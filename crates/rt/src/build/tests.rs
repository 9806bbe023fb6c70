//! Simplifications, judged by evaluation: whatever the builders make of an operation must denote what the operation
//! computes, under the input of the run and under every other input.

use std::collections::HashMap;

use proptest::prelude::*;
use trace::layout::{Label, Node};
use trace::op::Op;

use super::{Operand, mask, operator, sign_extend};
use crate::recorder::Recorder;
use crate::testing::{TestRecorder, recorder};

const INPUTS: usize = 4;

/// What an operator computes on values of at most 64 bits.
fn apply(op: Op, width: u32, a: u64, b: u64) -> u64 {
    let (sa, sb) = (sign_extend(a, width, 64) as i64, sign_extend(b, width, 64) as i64);
    let fits_signed = |value: i128| value == i128::from(sign_extend(value as u64, width, 64) as i64);
    let fits_unsigned = |value: i128| (0..=i128::from(mask(width))).contains(&value);
    let (wa, wb) = (i128::from(a), i128::from(b));
    let (wsa, wsb) = (i128::from(sa), i128::from(sb));
    let shift = |f: fn(u64, u32) -> u64| if b >= u64::from(width) { 0 } else { f(a, b as u32) };
    let result = match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u64::MAX
            }
        }
        Op::SDiv => sa.wrapping_div(sb) as u64,
        Op::SRem if b == 0 => a,
        Op::SRem => sa.wrapping_rem(sb) as u64,
        Op::Shl => shift(|a, n| a << n),
        Op::LShr => shift(|a, n| a >> n),
        Op::AShr => (sa >> b.min(63)) as u64,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => u64::from(a == b),
        Op::Ne => u64::from(a != b),
        Op::Ult => u64::from(a < b),
        Op::Ule => u64::from(a <= b),
        Op::Slt => u64::from(sa < sb),
        Op::Sle => u64::from(sa <= sb),
        Op::SAddO => u64::from(!fits_signed(wsa + wsb)),
        Op::UAddO => u64::from(!fits_unsigned(wa + wb)),
        Op::SSubO => u64::from(!fits_signed(wsa - wsb)),
        Op::USubO => u64::from(!fits_unsigned(wa - wb)),
        Op::SMulO => u64::from(!fits_signed(wsa * wsb)),
        Op::UMulO => u64::from(wa.checked_mul(wb).is_none_or(|product| !fits_unsigned(product))),
        other => unreachable!("{other:?} is not binary"),
    };
    result & mask(if op.is_predicate() { 1 } else { width })
}

/// What a node denotes when the input is `input`; at most 128 bits.
pub(crate) fn evaluate(recorder: &Recorder, label: Label, input: &[u8]) -> u128 {
    evaluate_by(recorder, label, &|node| input[node.imm as usize])
}

/// The same where `byte` says what a byte of the input is.
pub(crate) fn evaluate_by(recorder: &Recorder, label: Label, byte: &dyn Fn(&Node) -> u8) -> u128 {
    evaluate_with(recorder, label, byte, &mut HashMap::new())
}

fn evaluate_with(
    recorder: &Recorder,
    label: Label,
    byte: &dyn Fn(&Node) -> u8,
    known: &mut HashMap<Label, u128>,
) -> u128 {
    if let Some(value) = known.get(&label) {
        return *value;
    }
    let node: Node = recorder.node(label).node();
    let width = u32::from(node.width);
    let mut of = |label| evaluate_with(recorder, label, byte, known);
    let wide_mask = |width: u32| if width >= 128 { u128::MAX } else { (1u128 << width) - 1 };
    let value = match operator(node.op).expect("an operator") {
        Op::Input => u128::from(byte(&node)),
        Op::Const => u128::from(node.imm),
        Op::Concat => {
            let low_width = if node.b == 0 { width - recorder.width(node.a) } else { recorder.width(node.b) };
            let low = if node.b == 0 { u128::from(node.imm) } else { of(node.b) };
            let high = if node.a == 0 { u128::from(node.imm) } else { of(node.a) };
            high << low_width | low
        }
        Op::Bytes => (0..node.imm as u32).fold(0, |value, index| value | of(node.a + index) << (8 * index)),
        Op::Extract => of(node.a) >> node.imm,
        Op::ZExt => of(node.a),
        Op::SExt => {
            let from = recorder.width(node.a);
            let value = of(node.a);
            if value >> (from - 1) & 1 == 1 { value | !wide_mask(from) } else { value }
        }
        Op::Ite => {
            if of(node.imm as Label) == 1 {
                of(node.a)
            } else {
                of(node.b)
            }
        }
        Op::Lookup => {
            let index = of(node.a) as u32;
            of(node.b + index.min(node.imm as u32 - 1))
        }
        Op::FShl => {
            let joined = of(node.a) << width | of(node.b);
            joined << node.imm >> width
        }
        Op::BSwap => {
            let value = of(node.a);
            (0..width / 8).fold(0, |swapped, index| swapped << 8 | value >> (8 * index) & 0xff)
        }
        Op::CtPop => u128::from(of(node.a).count_ones()),
        op => {
            let operand_width = if node.a == 0 { recorder.width(node.b) } else { recorder.width(node.a) };
            let a = if node.a == 0 { node.imm } else { of(node.a) as u64 };
            let b = if node.b == 0 { node.imm } else { of(node.b) as u64 };
            u128::from(apply(op, operand_width, a, b))
        }
    } & wide_mask(width);
    known.insert(label, value);
    value
}

/// A recorder with the labels of some input bytes.
pub(crate) fn with_inputs(input: &[u8]) -> (TestRecorder, Vec<Label>) {
    let mut recorder = recorder(u64::MAX);
    let labels = input
        .iter()
        .zip(0..)
        .map(|(byte, offset)| {
            let value = u64::from(*byte);
            recorder.append(Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm: offset, value })
        })
        .collect();
    (recorder, labels)
}

/// An operation on what was computed before, chosen by numbers so that shrinking works.
#[derive(Clone, Debug)]
enum Step {
    Binary(usize, usize, usize, Option<u64>, bool),
    Extend(bool, usize, u32),
    Extract(usize, u32, u32),
    Ite(usize, usize, usize, Option<u64>, Option<u64>),
    FShl(usize, usize, u64),
    Not(usize),
    StoreLoad(usize),
}

const BINARY: [Op; 25] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Eq,
    Op::Ne,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::SAddO,
    Op::UAddO,
    Op::SSubO,
    Op::USubO,
    Op::SMulO,
    Op::UMulO,
];

/// Constants that simplifications look for, and others.
fn constant() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(1), Just(u64::MAX), Just(0xff), Just(0x80), 0..300u64, any::<u64>()]
}

fn step() -> impl Strategy<Value = Step> {
    let at = 0..64usize;
    prop_oneof![
        6 => (0..25usize, at.clone(), at.clone(), prop::option::weighted(0.6, constant()), any::<bool>())
            .prop_map(|(op, a, b, c, first)| Step::Binary(op, a, b, c, first)),
        3 => (any::<bool>(), at.clone(), prop_oneof![Just(8u32), Just(16), Just(32), Just(64), 1..64u32])
            .prop_map(|(signed, a, width)| Step::Extend(signed, a, width)),
        3 => (at.clone(), 0..64u32, prop_oneof![Just(8u32), 1..64u32]).prop_map(|(a, low, width)| Step::Extract(a, low, width)),
        2 => (at.clone(), at.clone(), at.clone(), prop::option::of(constant()), prop::option::of(constant()))
            .prop_map(|(c, a, b, ca, cb)| Step::Ite(c, a, b, ca, cb)),
        1 => (at.clone(), at.clone(), 0..64u64).prop_map(|(a, b, amount)| Step::FShl(a, b, amount)),
        1 => at.clone().prop_map(Step::Not),
        2 => at.prop_map(Step::StoreLoad),
    ]
}

/// A value with its width, what it is under the run's input and under another, and its label.
#[derive(Clone, Copy, Debug)]
struct Value {
    width: u32,
    here: u64,
    there: u64,
    label: Label,
}

impl Value {
    fn operand(self) -> Operand {
        Operand { label: self.label, value: self.here }
    }

    fn constant(width: u32, value: u64) -> Value {
        Value { width, here: value & mask(width), there: value & mask(width), label: 0 }
    }
}

fn run(recorder: &mut Recorder, values: &[Value], step: &Step) -> Option<Value> {
    let pick = |index: usize| values[index % values.len()];
    let same_width = |index: usize, width: u32| {
        let fitting: Vec<Value> = values.iter().copied().filter(|value| value.width == width).collect();
        (!fitting.is_empty()).then(|| fitting[index % fitting.len()])
    };
    Some(match step.clone() {
        Step::Binary(op, a, b, constant, constant_first) => {
            let op = BINARY[op];
            let a = pick(a);
            let b = match constant {
                Some(value) => Value::constant(a.width, value),
                None => same_width(b, a.width)?,
            };
            let (a, b) = if constant_first { (b, a) } else { (a, b) };
            let width = a.width;
            let (here, there) = (apply(op, width, a.here, b.here), apply(op, width, a.there, b.there));
            if matches!(op, Op::UDiv | Op::SDiv | Op::URem | Op::SRem) && (b.here == 0 || b.there == 0) {
                return None;
            }
            let label = recorder.binary(op, width, a.operand(), b.operand(), here);
            Value { width: if op.is_predicate() { 1 } else { width }, here, there, label }
        }
        Step::Extend(signed, a, width) => {
            let a = pick(a);
            if width <= a.width {
                return None;
            }
            let extend = |value| if signed { sign_extend(value, a.width, width) } else { value };
            let op = if signed { Op::SExt } else { Op::ZExt };
            let label = recorder.unary(op, width, a.label, 0, extend(a.here));
            Value { width, here: extend(a.here), there: extend(a.there), label }
        }
        Step::Extract(a, low, width) => {
            let a = pick(a);
            if low + width > a.width {
                return None;
            }
            let cut = |value: u64| value >> low & mask(width);
            let label = recorder.unary(Op::Extract, width, a.label, u64::from(low), cut(a.here));
            Value { width, here: cut(a.here), there: cut(a.there), label }
        }
        Step::Ite(condition, a, b, ca, cb) => {
            let condition = same_width(condition, 1)?;
            let a = pick(a);
            let width = a.width;
            let a = ca.map_or(a, |value| Value::constant(width, value));
            let b = match cb {
                Some(value) => Value::constant(width, value),
                None => same_width(b, width)?,
            };
            if condition.label == 0 {
                return None;
            }
            let label = recorder.ite(width, condition.label, a.operand(), b.operand(), condition.here == 1);
            let here = if condition.here == 1 { a.here } else { b.here };
            let there = if condition.there == 1 { a.there } else { b.there };
            Value { width, here, there, label }
        }
        Step::FShl(a, b, amount) => {
            let a = pick(a);
            let b = same_width(b, a.width)?;
            let width = a.width;
            let amount = amount % u64::from(width);
            let shift =
                |a: u64, b: u64| ((u128::from(a) << width | u128::from(b)) << amount >> width) as u64 & mask(width);
            let (here, there) = (shift(a.here, b.here), shift(a.there, b.there));
            let label = recorder.funnel_shift(width, a.operand(), b.operand(), amount, here);
            Value { width, here, there, label }
        }
        Step::Not(a) => {
            let a = same_width(a, 1)?;
            if a.label == 0 {
                return None;
            }
            Value { width: 1, here: 1 - a.here, there: 1 - a.there, label: recorder.not(a.label) }
        }
        Step::StoreLoad(a) => {
            let a = pick(a);
            if a.width % 8 != 0 {
                return None;
            }
            let memory = Box::new([0u64; 4]);
            let address = memory.as_ptr() as u64 + 8;
            recorder.store(address, a.width as usize / 8, a.label);
            let label = recorder.load(address, a.width as usize / 8, a.here);
            crate::shadow::clear(address, 16);
            Value { label, ..a }
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn nodes_denote_what_was_computed(
        here in prop::array::uniform4(prop_oneof![Just(0u8), Just(255), any::<u8>()]),
        there in prop::array::uniform4(prop_oneof![Just(0u8), Just(255), any::<u8>()]),
        steps in prop::collection::vec(step(), 1..24),
    ) {
        let (mut recorder, labels) = with_inputs(&here);
        let mut values: Vec<Value> = (0..INPUTS)
            .map(|i| Value { width: 8, here: here[i].into(), there: there[i].into(), label: labels[i] })
            .collect();
        for step in &steps {
            let Some(value) = run(&mut recorder, &values, step) else { continue };
            if value.label == 0 {
                // The builder says that the result does not depend on the input.
                prop_assert_eq!(value.here, value.there, "{:?}", step);
            } else {
                prop_assert_eq!(recorder.width(value.label), value.width, "{:?}", step);
                prop_assert_eq!(recorder.node(value.label).value(), value.here, "{:?}", step);
                prop_assert_eq!(evaluate(&recorder, value.label, &here) as u64, value.here, "{:?}", step);
                prop_assert_eq!(evaluate(&recorder, value.label, &there) as u64, value.there, "{:?}", step);
            }
            values.push(value);
        }
        // Every node on the way has the value that it denotes.
        for label in recorder.labels() {
            prop_assert_eq!(evaluate(&recorder, label, &here) as u64, recorder.node(label).value(), "{:?}", recorder.node(label).node());
        }
    }
}
