//! Terms of floating-point numbers. For the store a number is a bit-vector; for Z3 it is a sort of its own.

use ::z3::Sort as Z3Sort;
use ::z3::ast::{Ast, BV, Bool, Dynamic, Float, RoundingMode};
use expr::{BitVec, IntegerRange, Kind, Node, Rounding, Store, Term};

use super::{Z3Engine, bit, constant};

fn sort(width: u16) -> Z3Sort {
    if width == 32 { Z3Sort::float32() } else { Z3Sort::double() }
}

/// The number that bits stand for.
fn number(bits: &BV) -> Option<Float> {
    let context = bits.get_ctx();
    let sort = sort(bits.get_size() as u16);
    // SAFETY: the bits are as wide as the sort, and both belong to the context.
    unsafe {
        let made = z3_sys::Z3_mk_fpa_to_fp_bv(context.get_z3_context(), bits.get_z3_ast(), sort.get_z3_sort())?;
        Some(Float::wrap(context, made))
    }
}

fn of_integer(integer: &BV, signed: bool, width: u16) -> Option<Float> {
    let context = integer.get_ctx();
    let (raw, sort) = (context.get_z3_context(), sort(width));
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let (rounding, integer, sort) = (nearest.get_z3_ast(), integer.get_z3_ast(), sort.get_z3_sort());
    // SAFETY: all of them belong to the context.
    unsafe {
        let made = match signed {
            true => z3_sys::Z3_mk_fpa_to_fp_signed(raw, rounding, integer, sort)?,
            false => z3_sys::Z3_mk_fpa_to_fp_unsigned(raw, rounding, integer, sort)?,
        };
        Some(Float::wrap(context, made))
    }
}

fn mode(rounding: Rounding) -> RoundingMode {
    match rounding {
        Rounding::NearestEven => RoundingMode::round_nearest_ties_to_even(),
        Rounding::TowardZero => RoundingMode::round_towards_zero(),
        Rounding::Up => RoundingMode::round_towards_positive(),
        Rounding::Down => RoundingMode::round_towards_negative(),
        Rounding::NearestAway => RoundingMode::round_nearest_ties_to_away(),
    }
}

/// The bits of a number: of what is none always the same ones.
fn bits(number: &Float, width: u16) -> Option<BV> {
    let nan = constant(&BitVec::new(width, expr::canonical_nan(width.into())))?;
    Some(number.is_nan().ite(&nan, &number.to_ieee_bv()))
}

impl Z3Engine {
    fn number_of(&self, term: Term) -> Option<Float> {
        match self.floats.get(&term) {
            Some(number) => Some(number.clone()),
            None => number(&self.vector(term)?),
        }
    }

    /// The number that an operator gives, one for which [`Kind::gives_float`] holds, and its bits.
    pub(super) fn number(&self, node: &Node) -> Option<(Float, Dynamic)> {
        let [a, b, _] = node.operands;
        let width = node.sort.width();
        let nearest = RoundingMode::round_nearest_ties_to_even();
        let made = match node.kind {
            Kind::FFromS | Kind::FFromU => of_integer(&self.vector(a)?, node.kind == Kind::FFromS, width)?,
            Kind::FConvert => self.number_of(a)?.to_fp_with_rounding_mode(&nearest, &sort(width)),
            Kind::FSqrt => self.number_of(a)?.sqrt_with_rounding_mode(&nearest),
            Kind::FRound => {
                let rounding = mode(Rounding::from_code(node.imm.into())?);
                self.number_of(a)?.round_to_integral_with_rounding_mode(&rounding)
            }
            kind => {
                let (a, b) = (self.number_of(a)?, self.number_of(b)?);
                match kind {
                    Kind::FAdd => a.add_with_rounding_mode(b, &nearest),
                    Kind::FSub => a.sub_with_rounding_mode(b, &nearest),
                    Kind::FMul => a.mul_with_rounding_mode(b, &nearest),
                    Kind::FDiv => a.div_with_rounding_mode(b, &nearest),
                    _ => return None,
                }
            }
        };
        let bits = bits(&made, width)?;
        Some((made, Dynamic::from_ast(&bits)))
    }

    /// The bits that an operator on numbers gives that are no number: of a comparison or an integer.
    pub(super) fn of_numbers(&self, store: &Store, node: &Node) -> Option<Dynamic> {
        let [a, b, _] = node.operands;
        let number = self.number_of(a)?;
        if node.kind == Kind::FToS {
            return integer(&number, store.width(a), node.sort.width());
        }
        let other = self.number_of(b)?;
        Some(bit(&match node.kind {
            Kind::FEq => number.eq_fpa(other),
            Kind::FLt => number.lt(other),
            _ => number.le(other),
        }))
    }
}

fn integer(value: &Float, from: u16, to: u16) -> Option<Dynamic> {
    let range = IntegerRange::of(from, to);
    let (low, high) = (number(&constant(&range.low)?)?, number(&constant(&range.high)?)?);
    let above = if range.excludes_low { value.gt(low) } else { value.ge(low) };
    let fits = Bool::and(&[above, value.lt(high)]);
    let inside = value.to_sbv_with_rounding_mode(&RoundingMode::round_towards_zero(), to.into());
    let outside = constant(&BitVec::min_signed(to))?;
    Some(Dynamic::from_ast(&fits.ite(&inside, &outside)))
}
