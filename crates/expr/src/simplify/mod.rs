//! The simplifier: rules that the constructors apply.
//!
//! Each rule has a name and looks at one node whose operands are simplified already. The test of this module makes
//! random terms until every rule has been applied many times, and compares values with the evaluator.

mod arithmetic;
mod arrays;
mod bitwise;
mod choice;
mod compare;
mod float;
mod ite;
mod lookup;
mod overflow;
mod pieces;
mod quotient;
mod shift;
mod slice;
#[cfg(test)]
mod tests;

use crate::bitvec::BitVec;
use crate::semantics::eval_kind;
use crate::store::{Kind, Node, Sort, Store, Term};

/// A rewriting that keeps the value.
pub(crate) struct Rule {
    pub name: &'static str,
    pub apply: fn(&mut Store, Node) -> Option<Term>,
}

/// Rules nest only so deeply; below that, terms are left as they are. Bounds the stack whatever the term. Useful
/// nesting is bounded by the pieces of a word, of which there are few.
const MAX_DEPTH: u32 = 48;

fn rules(kind: Kind) -> &'static [Rule] {
    match kind {
        Kind::Const | Kind::Var | Kind::ConstArray => &[],
        Kind::FDiv | Kind::FSqrt => &[],
        Kind::FAdd => float::FADD,
        Kind::FSub => float::FSUB,
        Kind::FMul => float::FMUL,
        Kind::FRound => float::FROUND,
        Kind::FConvert => float::FCONVERT,
        Kind::FFromS => float::FFROMS,
        Kind::FFromU => float::FFROMU,
        Kind::FEq => float::FEQ,
        Kind::FLt => float::FLT,
        Kind::FLe => float::FLE,
        Kind::FToS => float::FTOS,
        Kind::Not => bitwise::NOT,
        Kind::And => bitwise::AND,
        Kind::Or => bitwise::OR,
        Kind::Xor => bitwise::XOR,
        Kind::Add => arithmetic::ADD,
        Kind::Sub => arithmetic::SUB,
        Kind::Mul => arithmetic::MUL,
        Kind::UDiv => arithmetic::UDIV,
        Kind::URem => arithmetic::UREM,
        Kind::SDiv => arithmetic::SDIV,
        Kind::SRem => arithmetic::SREM,
        Kind::Shl => shift::SHL,
        Kind::LShr => shift::LSHR,
        Kind::AShr => shift::ASHR,
        Kind::Eq => compare::EQ,
        Kind::Ult => compare::ULT,
        Kind::Ule => compare::ULE,
        Kind::Slt => compare::SLT,
        Kind::Sle => compare::SLE,
        Kind::SAddO => overflow::SADDO,
        Kind::UAddO => overflow::UADDO,
        Kind::SSubO => overflow::SSUBO,
        Kind::USubO => overflow::USUBO,
        Kind::SMulO => overflow::SMULO,
        Kind::UMulO => overflow::UMULO,
        Kind::Concat => slice::CONCAT,
        Kind::Extract => slice::EXTRACT,
        Kind::ZExt => slice::ZEXT,
        Kind::SExt => slice::SEXT,
        Kind::Ite => ite::ITE,
        Kind::Select => arrays::SELECT,
        Kind::Store => arrays::STORE,
        Kind::Lookup => lookup::LOOKUP,
    }
}

impl Store {
    /// The simplified term for a node of the right sorts; the node itself inside [`Store::exactly`].
    pub(crate) fn build(&mut self, mut node: Node) -> Term {
        if self.is_exact() {
            return self.intern(node);
        }
        if node.kind.is_commutative() {
            self.order_operands(&mut node);
        }
        if let Some(value) = self.fold(&node) {
            return self.constant(value);
        }
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            for rule in ite::LIFT.iter().chain(choice::LIFT).chain(lookup::LIFT).chain(rules(node.kind)) {
                if let Some(term) = (rule.apply)(self, node) {
                    debug_assert_eq!(self.sort(term), node.sort, "{}", rule.name);
                    self.depth -= 1;
                    #[cfg(test)]
                    {
                        *self.fired.entry(rule.name).or_default() += 1;
                    }
                    return term;
                }
            }
            self.depth -= 1;
        }
        self.intern(node)
    }

    /// Constants come second, else the older term first: one form for `a + b` and `b + a`.
    fn order_operands(&self, node: &mut Node) {
        let [a, b, _] = node.operands;
        let (a_const, b_const) = (self.value(a).is_some(), self.value(b).is_some());
        if (a_const && !b_const) || (a_const == b_const && b < a) {
            node.operands.swap(0, 1);
        }
    }

    fn fold(&self, node: &Node) -> Option<BitVec> {
        let Sort::BitVec(width) = node.sort else { return None };
        match node.operands() {
            [a] if node.kind == Kind::Lookup => self.element(node, self.value(*a)?),
            [a] => eval_kind(node.kind, width, node.imm, &[self.value(*a)?]),
            [a, b] => eval_kind(node.kind, width, node.imm, &[self.value(*a)?, self.value(*b)?]),
            _ => None,
        }
    }

    fn zeros(&mut self, width: u16) -> Term {
        self.constant(BitVec::zero(width))
    }

    /// Whether one of two terms is the complement of the other.
    fn complementary(&self, a: Term, b: Term) -> bool {
        let is_not = |x: Term, y: Term| self.kind(x) == Kind::Not && self.node(x).operands[0] == y;
        is_not(a, b) || is_not(b, a)
    }

    /// The operands of `term` if it has this operator.
    pub fn parts(&self, term: Term, kind: Kind) -> Option<[Term; 3]> {
        let node = self.node(term);
        (node.kind == kind).then_some(node.operands)
    }

    /// For `x op constant`: both.
    fn with_constant(&self, term: Term, kind: Kind) -> Option<(Term, BitVec)> {
        let [x, c, _] = self.parts(term, kind)?;
        Some((x, self.value(c)?.clone()))
    }

    /// The operand of a `zext` that really extends.
    fn zero_extended(&self, term: Term) -> Option<Term> {
        self.parts(term, Kind::ZExt).map(|operands| operands[0])
    }

    /// The operand of a `sext`.
    fn sign_extended(&self, term: Term) -> Option<Term> {
        self.parts(term, Kind::SExt).map(|operands| operands[0])
    }

    /// Whether the term is known to be not negative because its top bit is 0.
    fn top_bit_clear(&self, term: Term) -> bool {
        self.zero_extended(term).is_some() || self.value(term).is_some_and(|value| !value.is_negative())
    }

    /// Whether taking bits of this term gives a term that is no larger.
    fn slices_well(&self, term: Term) -> bool {
        matches!(self.kind(term), Kind::Const | Kind::ZExt | Kind::SExt | Kind::Concat | Kind::Extract | Kind::Lookup)
    }
}
