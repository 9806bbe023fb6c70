//! Floating-point numbers, which are bit-vectors here and a sort of their own there.

use core::fmt::Write;

use trace::op::{Rounding, canonical_nan};

use super::{reference, sort};
use crate::bitvec::BitVec;
use crate::float::IntegerRange;
use crate::store::{Kind, Node, Store, Term};

/// Bits of the exponent and of the significand, as indices.
fn format(width: u16) -> &'static str {
    if width == 32 { "8 24" } else { "11 53" }
}

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::TowardZero => "RTZ",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::NearestAway => "RNA",
    }
}

/// The name of a term as a number, or its bits read as one.
fn number(store: &Store, term: Term) -> String {
    match store.kind(term).gives_float() {
        true => format!("f{}", term.index()),
        false => format!("((_ to_fp {}) {})", format(store.width(term)), reference(store, term)),
    }
}

/// Defines a number and declares its bits, which there is no function for.
pub(super) fn declare(store: &Store, term: Term, node: &Node, out: &mut String) {
    let [a, b, _] = node.operands;
    let width = node.sort.width();
    let (format, index) = (format(width), term.index());
    let body = match node.kind {
        Kind::FFromS => format!("((_ to_fp {format}) RNE {})", reference(store, a)),
        Kind::FFromU => format!("((_ to_fp_unsigned {format}) RNE {})", reference(store, a)),
        Kind::FConvert => format!("((_ to_fp {format}) RNE {})", number(store, a)),
        Kind::FSqrt => format!("(fp.sqrt RNE {})", number(store, a)),
        Kind::FRound => {
            let rounding = Rounding::from_code(node.imm.into()).unwrap_or(Rounding::NearestEven);
            format!("(fp.roundToIntegral {} {})", mode(rounding), number(store, a))
        }
        kind => {
            let name = match kind {
                Kind::FSub => "sub",
                Kind::FMul => "mul",
                Kind::FDiv => "div",
                _ => "add",
            };
            format!("(fp.{name} RNE {} {})", number(store, a), number(store, b))
        }
    };
    let nan = BitVec::new(width, canonical_nan(width.into())).binary_digits();
    let _ = writeln!(out, "(define-fun f{index} () (_ FloatingPoint {format}) {body})");
    let _ = writeln!(out, "(declare-fun t{index} () {})", sort(node.sort));
    let _ = writeln!(out, "(assert (= ((_ to_fp {format}) t{index}) f{index}))");
    let _ = writeln!(out, "(assert (=> (fp.isNaN f{index}) (= t{index} #b{nan})))");
}

/// The bits of a comparison of numbers, or of the integer that a number becomes.
pub(super) fn of_numbers(store: &Store, node: &Node) -> String {
    let [a, b, _] = node.operands;
    let value = number(store, a);
    let name = match node.kind {
        Kind::FToS => return integer(&value, store.width(a), node.sort.width()),
        Kind::FEq => "eq",
        Kind::FLt => "lt",
        _ => "leq",
    };
    format!("(ite (fp.{name} {value} {}) #b1 #b0)", number(store, b))
}

fn integer(value: &str, from: u16, to: u16) -> String {
    let range = IntegerRange::of(from, to);
    let limit = |bits: &BitVec| format!("((_ to_fp {}) #b{})", format(from), bits.binary_digits());
    let above = if range.excludes_low { "lt" } else { "leq" };
    let fits = format!("(and (fp.{above} {} {value}) (fp.lt {value} {}))", limit(&range.low), limit(&range.high));
    let outside = BitVec::min_signed(to).binary_digits();
    format!("(ite {fits} ((_ fp.to_sbv {to}) RTZ {value}) #b{outside})")
}
