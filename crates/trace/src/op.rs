//! The operators of trace nodes.

use crate::layout::{Label, Node};

/// What a [`Node`] computes from its operands.
///
/// An operand whose label is 0 is concrete and its value is in `imm`; at most one operand of a node is concrete
/// (where two would be, one is a [`Const`](Op::Const) node). Unless said otherwise operands and result have the
/// node's `width`; comparisons and overflow predicates have width 1 and their operands' width is in `imm_width`
/// terms: the width of the operand that has a label.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Node 0: never referred to.
    None = 0,
    /// Byte `imm` of input part `a`; width 8.
    Input = 1,
    /// The constant `imm`; width at most 64. Wider constants are a [`Concat`](Op::Concat) of these.
    Const = 2,
    /// `a` above `b`. A concrete half is in `imm` and fits 64 bits; its width is what the other half leaves.
    Concat = 3,
    /// The `imm` byte-wide nodes `a`, `a + 1`, …, the first one least significant.
    Bytes = 4,
    /// `width` bits of `a`, starting at bit `imm`.
    Extract = 5,
    /// `a` with zero bits above it.
    ZExt = 6,
    /// `a` with copies of its sign bit above it.
    SExt = 7,
    /// `a` if the one-bit `imm` (a label in its low 32 bits) is 1, else `b`. Both arms have labels.
    Ite = 8,
    /// The upper half of `a:b` shifted left by `imm < width` bits. Both `a` and `b` have labels; equal ones rotate.
    FShl = 9,
    /// Element number `a` of the `imm` nodes `b`, `b + 1`, …, all of the node's width; the last one where `a`, of at most
    /// 16 bits, is not below `imm`.
    Lookup = 10,

    /// Sum, modulo 2^width.
    Add = 16,
    /// Difference, modulo 2^width.
    Sub = 17,
    /// Product, modulo 2^width.
    Mul = 18,
    /// Unsigned quotient; the divisor was not zero in the run.
    UDiv = 19,
    /// Signed quotient, rounded towards zero.
    SDiv = 20,
    /// Unsigned remainder.
    URem = 21,
    /// Signed remainder, with the sign of the dividend.
    SRem = 22,
    /// Shift left; 0 where the amount is not below the width.
    Shl = 23,
    /// Logical shift right.
    LShr = 24,
    /// Arithmetic shift right.
    AShr = 25,
    /// Bitwise and.
    And = 26,
    /// Bitwise or.
    Or = 27,
    /// Bitwise exclusive or.
    Xor = 28,

    /// Equal; width 1.
    Eq = 32,
    /// Not equal; width 1.
    Ne = 33,
    /// Unsigned less than; width 1.
    Ult = 34,
    /// Unsigned less than or equal; width 1.
    Ule = 35,
    /// Signed less than; width 1.
    Slt = 36,
    /// Signed less than or equal; width 1.
    Sle = 37,

    /// The signed sum does not fit; width 1.
    SAddO = 40,
    /// The unsigned sum does not fit; width 1.
    UAddO = 41,
    /// The signed difference does not fit; width 1.
    SSubO = 42,
    /// The unsigned difference does not fit; width 1.
    USubO = 43,
    /// The signed product does not fit; width 1.
    SMulO = 44,
    /// The unsigned product does not fit; width 1.
    UMulO = 45,

    /// Number of one bits of `a`.
    CtPop = 48,
    /// Number of leading zero bits of `a`; the width for 0.
    CtLz = 49,
    /// Number of trailing zero bits of `a`; the width for 0.
    CtTz = 50,
    /// `a` with its bytes in the opposite order.
    BSwap = 51,
    /// `a` with its bits in the opposite order.
    BitReverse = 52,

    /// Sum of two floating-point numbers. Operands and results of these operators are the bits of numbers of 32 or 64 bits as
    /// IEEE 754 defines them, rounded to the nearest and then to even; a result that is no number is [`canonical_nan`].
    FAdd = 64,
    /// Difference.
    FSub = 65,
    /// Product.
    FMul = 66,
    /// Quotient.
    FDiv = 67,
    /// Equal as numbers; width 1.
    FEq = 68,
    /// Less than; width 1.
    FLt = 69,
    /// Less than or equal; width 1.
    FLe = 70,
    /// Square root of `a`.
    FSqrt = 72,
    /// `a` rounded to a whole number, as the code of a [`Rounding`] in `imm` says.
    FRound = 73,
    /// `a` as a number of the other width.
    FConvert = 74,
    /// The signed integer `a`, of any width up to 64, as a number.
    FFromS = 75,
    /// The unsigned integer `a` as a number.
    FFromU = 76,
    /// The number `a` as a signed integer of 32 or 64 bits, rounded towards zero; the least one where it does not fit, as x86 has it.
    FToS = 77,
}

/// Which whole number is taken for one that is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// The nearest, and the even one of two.
    NearestEven = 0,
    /// The next one in the direction of zero.
    TowardZero = 1,
    /// The next greater one.
    Up = 2,
    /// The next smaller one.
    Down = 3,
    /// The nearest, and of two the one that is further away from zero.
    NearestAway = 4,
}

impl Rounding {
    /// All of them, in the order of their codes.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::TowardZero, Rounding::Up, Rounding::Down, Rounding::NearestAway];

    /// The one with this code.
    pub fn from_code(code: u64) -> Option<Rounding> {
        Rounding::ALL.into_iter().find(|rounding| *rounding as u64 == code)
    }
}

/// The bits of what is no number, of 32 or 64 bits: what x86 makes of an operation without a result.
pub const fn canonical_nan(width: u32) -> u64 {
    if width == 32 { 0xffc0_0000 } else { 0xfff8 << 48 }
}

/// Whether the bits of a floating-point value of 32 or 64 bits stand for no number.
pub const fn is_nan(width: u32, bits: u64) -> bool {
    let (magnitude, infinity) =
        if width == 32 { (bits & 0x7fff_ffff, 0x7f80_0000) } else { (bits & (u64::MAX >> 1), 0x7ff0 << 48) };
    magnitude > infinity
}

impl Op {
    /// Every operator, in the order of its code.
    pub const ALL: [Op; 54] = [
        Op::None,
        Op::Input,
        Op::Const,
        Op::Concat,
        Op::Bytes,
        Op::Extract,
        Op::ZExt,
        Op::SExt,
        Op::Ite,
        Op::FShl,
        Op::Lookup,
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
        Op::CtPop,
        Op::CtLz,
        Op::CtTz,
        Op::BSwap,
        Op::BitReverse,
        Op::FAdd,
        Op::FSub,
        Op::FMul,
        Op::FDiv,
        Op::FEq,
        Op::FLt,
        Op::FLe,
        Op::FSqrt,
        Op::FRound,
        Op::FConvert,
        Op::FFromS,
        Op::FFromU,
        Op::FToS,
    ];

    /// The operator with this code, if there is one.
    pub fn from_code(code: u8) -> Option<Op> {
        Op::ALL.into_iter().find(|op| *op as u8 == code)
    }

    /// Whether the operator takes two operands of equal width, `a` and `b`.
    pub fn is_binary(self) -> bool {
        let code = self as u8;
        (Op::Add as u8..=Op::UMulO as u8).contains(&code) || (Op::FAdd as u8..=Op::FLe as u8).contains(&code)
    }

    /// Whether it is an operator of floating-point numbers.
    pub fn is_float(self) -> bool {
        self as u8 >= Op::FAdd as u8
    }

    /// Whether the result is one bit whatever the operands' width.
    pub fn is_predicate(self) -> bool {
        let code = self as u8;
        (Op::Eq as u8..=Op::UMulO as u8).contains(&code) || (Op::FEq as u8..=Op::FLe as u8).contains(&code)
    }
}

/// The labels that a node is computed from. Those of operands that are concrete are 0.
pub fn operands(node: &Node, mut each: impl FnMut(Label)) {
    match Op::from_code(node.op) {
        Some(Op::Input | Op::Const) | None => {}
        Some(Op::Bytes) => {
            let count = u32::try_from(node.imm).unwrap_or(0).min(128);
            (0..count).filter_map(|i| node.a.checked_add(i)).for_each(each);
        }
        Some(Op::Lookup) => {
            each(node.a);
            let count = u32::try_from(node.imm).unwrap_or(0);
            (0..count).filter_map(|i| node.b.checked_add(i)).for_each(each);
        }
        Some(Op::Ite) => {
            each(node.a);
            each(node.b);
            if let Ok(label) = Label::try_from(node.imm) {
                each(label);
            }
        }
        Some(_) => {
            each(node.a);
            each(node.b);
        }
    }
}
