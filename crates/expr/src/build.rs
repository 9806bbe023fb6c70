//! Constructors of terms.

use rustc_hash::FxHashMap;
use thiserror::Error;
use trace::op::Rounding;

use crate::bitvec::{BitVec, MAX_WIDTH};
use crate::store::{Kind, NO_OPERAND, Node, Sort, Store, Term};
use crate::walk::postorder;

/// Operands that do not fit their operator.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SortError(pub(crate) String);

impl Store {
    /// The sort of an operator applied to operands, or why it cannot be applied. `imm` is the lowest bit of an
    /// `Extract`, the number of a `Lookup`'s table and the code of an `FRound`'s rounding; `width` the result's width of `Extract`,
    /// `ZExt`, `SExt` and conversions of floating-point numbers, and the index width of `ConstArray`.
    pub fn sort_of(&self, kind: Kind, operands: &[Term], imm: u32, width: u16) -> Result<Sort, SortError> {
        let fail = |text: &str| Err(SortError(format!("{kind:?}: {text}")));
        if operands.len() != kind.arity() {
            return fail(&format!("takes {} operands, not {}", kind.arity(), operands.len()));
        }
        let sorts: Vec<Sort> = operands.iter().map(|operand| self.sort(*operand)).collect();
        let all_vectors = sorts.iter().all(|sort| matches!(sort, Sort::BitVec(_)));
        match (kind, sorts.as_slice()) {
            (Kind::Const | Kind::Var, _) => fail("has no operands"),
            _ if kind.is_float() => self.float_sort(kind, &sorts, imm, width),
            (Kind::Eq, [a, b]) if a == b => Ok(Sort::BitVec(1)),
            (_, [a, b]) if kind.is_binary() => match () {
                () if !all_vectors => fail("takes bit-vectors"),
                () if a != b => fail(&format!("operands of {} and {} bits", a.width(), b.width())),
                () if kind.is_predicate() => Ok(Sort::BitVec(1)),
                () => Ok(*a),
            },
            (Kind::Not, [a]) if all_vectors => Ok(*a),
            (Kind::Concat, [a, b]) if all_vectors => match a.width() + b.width() {
                sum if sum <= MAX_WIDTH => Ok(Sort::BitVec(sum)),
                sum => fail(&format!("{sum} bits are more than {MAX_WIDTH}")),
            },
            (Kind::Extract, [Sort::BitVec(inner)]) => match imm.checked_add(width.into()) {
                Some(end) if end <= u32::from(*inner) && width > 0 => Ok(Sort::BitVec(width)),
                _ => fail(&format!("{width} bits from bit {imm} on are not within {inner} bits")),
            },
            (Kind::ZExt | Kind::SExt, [Sort::BitVec(inner)]) if (*inner..=MAX_WIDTH).contains(&width) => {
                Ok(Sort::BitVec(width))
            }
            (Kind::ZExt | Kind::SExt, [Sort::BitVec(inner)]) => fail(&format!("from {inner} to {width} bits")),
            (Kind::Ite, [Sort::BitVec(1), a, b]) if a == b => Ok(*a),
            (Kind::Ite, _) => fail("takes one bit and two operands of equal sort"),
            (Kind::Select, [Sort::Array { index, element }, Sort::BitVec(at)]) if index == at => {
                Ok(Sort::BitVec(*element))
            }
            (Kind::Store, [Sort::Array { index, element }, Sort::BitVec(at), Sort::BitVec(value)])
                if index == at && element == value =>
            {
                Ok(sorts[0])
            }
            (Kind::Lookup, [Sort::BitVec(index)]) => match self.lookup_sort(imm, *index) {
                Some(sort) => Ok(sort),
                None => fail(&format!("an index of {index} bits does not fit the table")),
            },
            (Kind::ConstArray, [Sort::BitVec(element)]) if (1..=MAX_WIDTH).contains(&width) => {
                Ok(Sort::Array { index: width, element: *element })
            }
            _ => fail("operands of the wrong sort"),
        }
    }

    /// The same for operators of floating-point numbers.
    fn float_sort(&self, kind: Kind, sorts: &[Sort], imm: u32, width: u16) -> Result<Sort, SortError> {
        let fail = |text: &str| Err(SortError(format!("{kind:?}: {text}")));
        let is_float = |sort: &Sort| matches!(sort, Sort::BitVec(32 | 64));
        let result = Sort::BitVec(width);
        match (kind, sorts) {
            (Kind::FFromS | Kind::FFromU, [Sort::BitVec(1..=64)]) if is_float(&result) => Ok(result),
            (Kind::FFromS | Kind::FFromU, _) => fail("takes at most 64 bits and gives 32 or 64"),
            _ if !sorts.iter().all(is_float) => fail("takes floating-point numbers, of 32 or 64 bits"),
            (_, [a, b]) if a != b => fail(&format!("operands of {} and {} bits", a.width(), b.width())),
            (_, [_, _]) if kind.is_predicate() => Ok(Sort::BitVec(1)),
            (Kind::FRound, _) if Rounding::from_code(imm.into()).is_none() => {
                fail(&format!("there is no rounding {imm}"))
            }
            (Kind::FConvert, [a]) if !is_float(&result) || *a == result => {
                fail("gives the other one of 32 and 64 bits")
            }
            (Kind::FToS, _) if !is_float(&result) => fail("gives 32 or 64 bits"),
            (Kind::FConvert | Kind::FToS, _) => Ok(result),
            (_, [a, ..]) => Ok(*a),
            _ => fail("takes operands"),
        }
    }

    fn node_for(&self, kind: Kind, operands: &[Term], imm: u32, width: u16) -> Result<Node, SortError> {
        let sort = self.sort_of(kind, operands, imm, width)?;
        let mut all = [NO_OPERAND; 3];
        for (place, operand) in all.iter_mut().zip(operands) {
            *place = *operand;
        }
        Ok(Node {
            kind,
            sort,
            operands: all,
            imm: if matches!(kind, Kind::Extract | Kind::Lookup | Kind::FRound) { imm } else { 0 },
        })
    }

    /// The term exactly as given, without simplification. Arguments as for [`Store::sort_of`].
    pub fn raw(&mut self, kind: Kind, operands: &[Term], imm: u32, width: u16) -> Result<Term, SortError> {
        let node = self.node_for(kind, operands, imm, width)?;
        Ok(self.intern(node))
    }

    /// The simplified term for an operator applied to operands. Arguments as for [`Store::sort_of`].
    pub fn apply(&mut self, kind: Kind, operands: &[Term], imm: u32, width: u16) -> Result<Term, SortError> {
        let node = self.node_for(kind, operands, imm, width)?;
        Ok(self.build(node))
    }

    fn make(&mut self, kind: Kind, sort: Sort, operands: [Term; 3], imm: u32) -> Term {
        self.build(Node { kind, sort, operands, imm })
    }

    /// A binary operator on operands of equal width. For operands that come from outside use [`Store::apply`].
    pub fn binary(&mut self, kind: Kind, a: Term, b: Term) -> Term {
        debug_assert!(self.sort_of(kind, &[a, b], 0, 0).is_ok(), "{:?}", self.sort_of(kind, &[a, b], 0, 0));
        let sort = if kind.is_predicate() { Sort::BitVec(1) } else { self.sort(a) };
        self.make(kind, sort, [a, b, NO_OPERAND], 0)
    }

    /// Complement; negation of a one-bit term.
    pub fn not(&mut self, a: Term) -> Term {
        self.make(Kind::Not, self.sort(a), [a, NO_OPERAND, NO_OPERAND], 0)
    }

    /// Two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let zero = self.constant(BitVec::zero(self.width(a)));
        self.binary(Kind::Sub, zero, a)
    }

    /// Bitwise and; conjunction of one-bit terms.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::And, a, b)
    }

    /// Bitwise or; disjunction of one-bit terms.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::Or, a, b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::Xor, a, b)
    }

    /// Sum.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::Add, a, b)
    }

    /// Difference.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::Sub, a, b)
    }

    /// Equal.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::Eq, a, b)
    }

    /// Not equal.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned less than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::Ult, a, b)
    }

    /// Unsigned less than or equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        self.binary(Kind::Ule, a, b)
    }

    /// The first operand above the second; together at most 1024 bits.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.sort_of(Kind::Concat, &[a, b], 0, 0).is_ok());
        let width = self.width(a) + self.width(b);
        self.make(Kind::Concat, Sort::BitVec(width), [a, b, NO_OPERAND], 0)
    }

    /// `width` bits of `a` from bit `low` on.
    pub fn extract(&mut self, a: Term, low: u32, width: u16) -> Term {
        debug_assert!(self.sort_of(Kind::Extract, &[a], low, width).is_ok());
        self.make(Kind::Extract, Sort::BitVec(width), [a, NO_OPERAND, NO_OPERAND], low)
    }

    /// `a` with zero bits above it; `a` itself if it is that wide already.
    pub fn zext(&mut self, a: Term, width: u16) -> Term {
        debug_assert!(self.sort_of(Kind::ZExt, &[a], 0, width).is_ok());
        self.make(Kind::ZExt, Sort::BitVec(width), [a, NO_OPERAND, NO_OPERAND], 0)
    }

    /// `a` with copies of its sign bit above it.
    pub fn sext(&mut self, a: Term, width: u16) -> Term {
        debug_assert!(self.sort_of(Kind::SExt, &[a], 0, width).is_ok());
        self.make(Kind::SExt, Sort::BitVec(width), [a, NO_OPERAND, NO_OPERAND], 0)
    }

    /// `a` where the one-bit `condition` is 1, else `b`.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        debug_assert!(self.sort_of(Kind::Ite, &[condition, a, b], 0, 0).is_ok());
        self.make(Kind::Ite, self.sort(a), [condition, a, b], 0)
    }

    /// The array with `value` at every index.
    pub fn const_array(&mut self, index: u16, value: Term) -> Term {
        let sort = Sort::Array { index, element: self.width(value) };
        self.make(Kind::ConstArray, sort, [value, NO_OPERAND, NO_OPERAND], 0)
    }

    /// The element of `array` at `index`.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        debug_assert!(self.sort_of(Kind::Select, &[array, index], 0, 0).is_ok());
        self.make(Kind::Select, Sort::BitVec(self.width(array)), [array, index, NO_OPERAND], 0)
    }

    /// `array` with `value` at `index`.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        debug_assert!(self.sort_of(Kind::Store, &[array, index, value], 0, 0).is_ok());
        self.make(Kind::Store, self.sort(array), [array, index, value], 0)
    }

    /// The same term with all rules applied to all of its parts: for terms that were built by [`Store::raw`].
    pub fn simplified(&mut self, root: Term) -> Term {
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        for term in postorder(self, &[root], |_| false) {
            let mut node = self.node(term);
            let arity = node.kind.arity();
            for operand in &mut node.operands[..arity] {
                *operand = made.get(operand).copied().unwrap_or(*operand);
            }
            let simple = if arity == 0 { term } else { self.build(node) };
            made.insert(term, simple);
        }
        made.get(&root).copied().unwrap_or(root)
    }

    /// The conjunction of one-bit terms.
    pub fn conjunction(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let truth = self.bool(true);
        terms.into_iter().fold(truth, |all, term| self.and(all, term))
    }
}
