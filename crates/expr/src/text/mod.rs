//! The text form; [`crate`] describes it.

mod parse;
mod print;
#[cfg(test)]
mod tests;
mod token;

pub use parse::{ParseError, parse_query, parse_term};
pub use print::{print_query, print_term};

use crate::store::Kind;

/// Spelling of the operators that have operands.
const SPELLINGS: [(&str, Kind); 47] = [
    ("not", Kind::Not),
    ("and", Kind::And),
    ("or", Kind::Or),
    ("xor", Kind::Xor),
    ("add", Kind::Add),
    ("sub", Kind::Sub),
    ("mul", Kind::Mul),
    ("udiv", Kind::UDiv),
    ("urem", Kind::URem),
    ("sdiv", Kind::SDiv),
    ("srem", Kind::SRem),
    ("shl", Kind::Shl),
    ("lshr", Kind::LShr),
    ("ashr", Kind::AShr),
    ("eq", Kind::Eq),
    ("ult", Kind::Ult),
    ("ule", Kind::Ule),
    ("slt", Kind::Slt),
    ("sle", Kind::Sle),
    ("saddo", Kind::SAddO),
    ("uaddo", Kind::UAddO),
    ("ssubo", Kind::SSubO),
    ("usubo", Kind::USubO),
    ("smulo", Kind::SMulO),
    ("umulo", Kind::UMulO),
    ("feq", Kind::FEq),
    ("flt", Kind::FLt),
    ("fle", Kind::FLe),
    ("fadd", Kind::FAdd),
    ("fsub", Kind::FSub),
    ("fmul", Kind::FMul),
    ("fdiv", Kind::FDiv),
    ("fsqrt", Kind::FSqrt),
    ("fround", Kind::FRound),
    ("fconvert", Kind::FConvert),
    ("ffroms", Kind::FFromS),
    ("ffromu", Kind::FFromU),
    ("ftos", Kind::FToS),
    ("concat", Kind::Concat),
    ("extract", Kind::Extract),
    ("zext", Kind::ZExt),
    ("sext", Kind::SExt),
    ("ite", Kind::Ite),
    ("select", Kind::Select),
    ("store", Kind::Store),
    ("array", Kind::ConstArray),
    ("lookup", Kind::Lookup),
];

fn spelling(kind: Kind) -> &'static str {
    SPELLINGS.iter().find(|(_, known)| *known == kind).map_or("?", |(text, _)| text)
}

/// Whether a name can stand without bars.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./+-$@~".contains(c);
    let starts_like_a_number = name.starts_with(|c: char| c.is_ascii_digit());
    !name.is_empty() && name.chars().all(plain) && !starts_like_a_number && name != "true" && name != "false"
}
