//! What instructions compute: arithmetic, comparisons and casts, of numbers and of pointers.

use crate::Executor;
use crate::execute::register_cells;
use crate::value::{Pointer, Target, Value};
use expr::{Kind, Term};
use ir::{Binary, Cast, Comparison, FunctionId, Register, Set, Type};

impl Executor<'_> {
    /// A value with a part of it replaced.
    pub fn insert(&mut self, value: Value, part: Value, part_bits: u32, low: u32, ty: Type) -> Value {
        let (whole, part) = (self.bits(value, ty.bits), self.bits(part, part_bits));
        let (width, part_width) = (u32::from(self.store.width(whole)), u32::from(self.store.width(part)));
        let end = low + part_width;
        if end > width {
            return Value::Bits(self.fresh_term(ty.bits));
        }
        let mut term = part;
        if low > 0 {
            let below = self.store.extract(whole, 0, low as u16);
            term = self.store.concat(term, below);
        }
        if end < width {
            let above = self.store.extract(whole, end, (width - end) as u16);
            term = self.store.concat(above, term);
        }
        Value::Bits(term)
    }

    /// A term with another width.
    pub fn extended(&mut self, term: Term, bits: u16, signed: bool) -> Term {
        let width = self.store.width(term);
        match width.cmp(&bits) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => self.store.extract(term, 0, bits),
            std::cmp::Ordering::Less if signed => self.store.sext(term, bits),
            std::cmp::Ordering::Less => self.store.zext(term, bits),
        }
    }

    /// A value as another type.
    pub fn cast(
        &mut self,
        cast: Cast,
        value: Value,
        from: Type,
        to: Type,
        id: FunctionId,
        result: Option<Register>,
    ) -> Value {
        match cast {
            Cast::Bits | Cast::PointerToInteger => match value {
                Value::Bits(term) if to.is_pointer => self.integer_to_pointer(term, id, result),
                _ => value,
            },
            Cast::IntegerToPointer => match value {
                Value::Pointer(_) => value,
                Value::Bits(term) => {
                    let term = self.extended(term, 64, false);
                    self.integer_to_pointer(term, id, result)
                }
            },
            Cast::Truncate | Cast::ZeroExtend | Cast::SignExtend => {
                let term = self.bits(value, from.bits);
                let bits = to.bits.clamp(1, u32::from(expr::MAX_WIDTH)) as u16;
                Value::Bits(self.extended(term, bits, cast == Cast::SignExtend))
            }
        }
    }

    fn integer_to_pointer(&mut self, term: Term, id: FunctionId, result: Option<Register>) -> Value {
        let points_to = self.subject.points_to;
        Value::Pointer(self.pointer(Value::Bits(term), || register_cells(points_to, id, result)))
    }

    /// Arithmetic; a pointer and a number give a pointer.
    pub fn arithmetic(&mut self, operation: Binary, a: Value, b: Value, ty: Type) -> Value {
        if ty.bits == 64 {
            match (operation, a, b) {
                (Binary::Add, Value::Pointer(pointer), Value::Bits(bytes))
                | (Binary::Add, Value::Bits(bytes), Value::Pointer(pointer)) => {
                    return Value::Pointer(self.moved(pointer, bytes));
                }
                (Binary::Sub, Value::Pointer(pointer), Value::Bits(bytes)) => {
                    let zero = self.store.small(64, 0);
                    let back = self.store.sub(zero, bytes);
                    return Value::Pointer(self.moved(pointer, back));
                }
                (Binary::Sub, Value::Pointer(a), Value::Pointer(b)) if a.target == b.target => {
                    return Value::Bits(self.store.sub(a.offset, b.offset));
                }
                _ => {}
            }
        }
        let (a, b) = (self.bits(a, ty.bits), self.bits(b, ty.bits));
        let kind = match operation {
            Binary::Add => Kind::Add,
            Binary::Sub => Kind::Sub,
            Binary::Mul => Kind::Mul,
            Binary::Udiv => Kind::UDiv,
            Binary::Sdiv => Kind::SDiv,
            Binary::Urem => Kind::URem,
            Binary::Srem => Kind::SRem,
            Binary::Shl => Kind::Shl,
            Binary::Lshr => Kind::LShr,
            Binary::Ashr => Kind::AShr,
            Binary::And => Kind::And,
            Binary::Or => Kind::Or,
            Binary::Xor => Kind::Xor,
        };
        Value::Bits(self.store.binary(kind, a, b))
    }

    /// A comparison.
    pub fn compare(&mut self, comparison: Comparison, a: Value, b: Value, ty: Type) -> Term {
        let equality = matches!(comparison, Comparison::Eq | Comparison::Ne);
        if let (Value::Pointer(_), _) | (_, Value::Pointer(_)) = (a, b)
            && ty.bits == 64
        {
            let [a, b] = [a, b].map(|value| self.pointer(value, Set::default));
            let equal = match equality {
                true => self.same_pointer(a, b),
                false if a.target == b.target => return self.compare_bits(comparison, a.offset, b.offset),
                false => return self.fresh_term(1),
            };
            return if comparison == Comparison::Eq { equal } else { self.store.not(equal) };
        }
        let (a, b) = (self.bits(a, ty.bits), self.bits(b, ty.bits));
        self.compare_bits(comparison, a, b)
    }

    fn compare_bits(&mut self, comparison: Comparison, a: Term, b: Term) -> Term {
        match comparison {
            Comparison::Eq => self.store.eq(a, b),
            Comparison::Ne => self.store.ne(a, b),
            Comparison::Ult => self.store.ult(a, b),
            Comparison::Ule => self.store.ule(a, b),
            Comparison::Ugt => self.store.ult(b, a),
            Comparison::Uge => self.store.ule(b, a),
            Comparison::Slt => self.store.binary(Kind::Slt, a, b),
            Comparison::Sle => self.store.binary(Kind::Sle, a, b),
            Comparison::Sgt => self.store.binary(Kind::Slt, b, a),
            Comparison::Sge => self.store.binary(Kind::Sle, b, a),
        }
    }

    /// When two pointers are the same.
    fn same_pointer(&mut self, a: Pointer, b: Pointer) -> Term {
        let at_same_distance = self.store.eq(a.beyond, b.beyond);
        let both = self.store.and(a.null, b.null);
        let both = self.store.and(both, at_same_distance);
        if self.is_true(a.null) || self.is_true(b.null) {
            return both;
        }
        let either = self.store.or(a.null, b.null);
        let else_same = match (a.target, b.target) {
            (left, right) if left == right => self.store.eq(a.offset, b.offset),
            (Target::Function(_), Target::Function(_)) => self.store.bool(false),
            (Target::Region(left), Target::Region(right)) if self.info(left).is_exact && self.info(right).is_exact => {
                self.store.bool(false)
            }
            // Whether they meet is not followed.
            _ => self.fresh_term(1),
        };
        self.store.ite(either, both, else_same)
    }
}
