//! Random terms and models.
//!
//! Terms are built without simplification, from few variables, from constants that rules look for, and from parts
//! that occur more than once, so that every rule of the simplifier gets its turn.

mod float;

use crate::bitvec::{BitVec, MAX_WIDTH};
use crate::model::Model;
use crate::store::{Kind, Sort, Store, Term};

/// Makes random terms; the same seed gives the same terms.
pub struct Generator {
    state: u64,
    /// Whether terms contain arrays.
    pub arrays: bool,
    /// Whether terms contain products, quotients and shifts by terms, which solvers find hard, of more than 16 bits.
    pub hard: bool,
    /// Whether terms contain floating-point numbers.
    pub floats: bool,
    pool: Vec<Term>,
}

impl Generator {
    /// A generator with all features.
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed, arrays: true, hard: true, floats: true, pool: Vec::new() }
    }

    /// The next random number (SplitMix64).
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound.max(1)
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// A width that a term may have.
    pub fn width(&mut self) -> u16 {
        self.pick(&[1, 1, 4, 7, 8, 8, 16, 24, 32, 32, 64, 100, 128])
    }

    /// A value, often one that is special.
    pub fn value(&mut self, width: u16) -> BitVec {
        match self.below(9) {
            0 => BitVec::zero(width),
            1 => BitVec::new(width, 1),
            2 => BitVec::ones(width),
            3 => BitVec::min_signed(width),
            4 => BitVec::min_signed(width).not(),
            5 => BitVec::new(width, 1).shl(&BitVec::new(width, self.state % u64::from(width))),
            6 => {
                // Ones in a row.
                let (ones, low) = (self.below(width.into()) as u16 + 1, self.below(width.into()));
                BitVec::ones(ones).zext(width).shl(&BitVec::new(width, low))
            }
            7 => BitVec::new(width, self.number() & 0x1f),
            _ => BitVec::from_words(width, &[self.number(), self.number()]),
        }
    }

    /// A model for all variables of the store, arrays included.
    pub fn model(&mut self, store: &Store) -> Model {
        let mut model = Model::new();
        for var in store.vars() {
            match store.var_sort(var) {
                Sort::BitVec(width) => model.set(var, self.value(width)),
                Sort::Array { index, element } => {
                    for _ in 0..4 {
                        let (at, value) = (self.value(index), self.value(element));
                        model.set_element(var, at, value);
                    }
                    let default = self.value(element);
                    model.set_default(var, default);
                }
            }
        }
        model
    }

    /// A term of the given width and about the given depth.
    pub fn term(&mut self, store: &mut Store, width: u16, depth: u32) -> Term {
        self.pool.clear();
        self.grow(store, Sort::BitVec(width), depth)
    }

    fn leaf(&mut self, store: &mut Store, sort: Sort) -> Term {
        match sort {
            Sort::Array { index, element } => store.named_array("m", index, element),
            Sort::BitVec(width) if self.chance(3) => {
                let value = self.value(width);
                store.constant(value)
            }
            Sort::BitVec(8) => {
                let offset = self.below(3);
                store.input(0, offset)
            }
            Sort::BitVec(width) => {
                let name = self.pick(&["x", "y"]);
                store.named(name, width)
            }
        }
    }

    fn grow(&mut self, store: &mut Store, sort: Sort, depth: u32) -> Term {
        let before: Vec<Term> = self.pool.iter().copied().filter(|term| store.sort(*term) == sort).collect();
        if !before.is_empty() && self.chance(3) {
            return self.pick(&before);
        }
        let term = if depth == 0 { self.leaf(store, sort) } else { self.node(store, sort, depth - 1) };
        self.pool.push(term);
        term
    }

    fn node(&mut self, store: &mut Store, sort: Sort, depth: u32) -> Term {
        // Sorts are right by construction; a leaf stands in for what does not fit, such as too wide a concatenation.
        match self.candidate(store, sort, depth) {
            Some((kind, operands, imm, width)) => match store.raw(kind, &operands, imm, width) {
                Ok(term) => term,
                Err(_) => self.leaf(store, sort),
            },
            None => self.leaf(store, sort),
        }
    }

    fn candidate(&mut self, store: &mut Store, sort: Sort, depth: u32) -> Option<(Kind, Vec<Term>, u32, u16)> {
        use Kind::*;
        let Sort::BitVec(width) = sort else { return self.array(store, sort, depth) };
        // Solvers find all of them hard.
        let is_float = width == 1 || width == 32 || width == 64 && self.hard;
        if self.floats && is_float && self.chance(if self.hard { 6 } else { 16 }) {
            return self.float(store, width, depth);
        }
        let kind = if width == 1 && !self.chance(3) {
            self.pick(&[Eq, Eq, Ult, Ult, Ule, Slt, Slt, Sle, SAddO, UAddO, SSubO, USubO, SMulO, UMulO])
        } else {
            self.pick(&[
                Not, Not, And, And, Or, Or, Xor, Xor, Add, Add, Sub, Sub, Mul, UDiv, URem, SDiv, SRem, Shl, LShr, AShr,
                Concat, Concat, Extract, Extract, Extract, ZExt, ZExt, ZExt, SExt, SExt, Ite, Ite, Select, Lookup,
            ])
        };
        let cheap = self.hard || width <= 16;
        Some(match kind {
            Select if !self.arrays => return None,
            Select => {
                let array = self.grow(store, Sort::Array { index: 8, element: width }, depth);
                let index = self.grow(store, Sort::BitVec(8), depth);
                (kind, vec![array, index], 0, 0)
            }
            Concat if width > 1 && self.chance(4) => {
                // Two neighbouring slices of one term.
                let base = self.grow(store, Sort::BitVec(width), depth);
                let low = self.below(u64::from(width) - 1) as u16 + 1;
                let upper = store.raw(Extract, &[base], low.into(), width - low).ok()?;
                (kind, vec![upper, store.raw(Extract, &[base], 0, low).ok()?], 0, 0)
            }
            Concat if width > 1 => {
                let low = self.below(u64::from(width) - 1) as u16 + 1;
                let a = self.grow(store, Sort::BitVec(width - low), depth);
                (kind, vec![a, self.grow(store, Sort::BitVec(low), depth)], 0, 0)
            }
            Extract => {
                let (above, low) = (self.pick(&[0, 1, 4, 8]), self.pick(&[0, 0, 1, 4, 8]));
                let inner = (width + above + low).min(MAX_WIDTH);
                (kind, vec![self.grow(store, Sort::BitVec(inner), depth)], low.into(), width)
            }
            ZExt | SExt if width > 1 => {
                let inner = if self.chance(3) { self.below(width.into()) as u16 + 1 } else { width.div_ceil(2) };
                (kind, vec![self.grow(store, Sort::BitVec(inner), depth)], 0, width)
            }
            Ite => {
                let condition = self.grow(store, Sort::BitVec(1), depth);
                let a = self.grow(store, sort, depth);
                (kind, vec![condition, a, self.grow(store, sort, depth)], 0, 0)
            }
            Not => (kind, vec![self.grow(store, sort, depth)], 0, 0),
            Lookup => {
                let bits = self.pick(&[1, 4, 4, 7, 8]);
                let table = self.table(store, bits, width)?;
                (kind, vec![self.grow(store, Sort::BitVec(bits), depth)], table, 0)
            }
            Mul | UDiv | URem | SDiv | SRem | Shl | LShr | AShr if !cheap => {
                let a = self.grow(store, sort, depth);
                let value = BitVec::new(width, self.below(width.into()) + 1);
                (kind, vec![a, store.constant(value)], 0, 0)
            }
            _ if kind.is_predicate() => {
                let mut inner = self.width();
                if matches!(kind, SMulO | UMulO) && !self.hard {
                    inner = inner.min(8);
                }
                (kind, self.pair(store, inner, depth)?, 0, 0)
            }
            _ if kind.is_binary() => (kind, self.pair(store, width, depth)?, 0, 0),
            _ => return None,
        })
    }

    /// A table for an index of so many bits: few different values, often in a row, or all of them different.
    fn table(&mut self, store: &mut Store, bits: u16, width: u16) -> Option<u32> {
        let [a, b] = [self.value(width), self.value(width)];
        let (shape, start, count) = (self.below(4), self.below(1 << bits), self.below(1 << bits));
        let values = (0..1u64 << bits).map(|number| match shape {
            0 => BitVec::new(width, number),
            1 if number.wrapping_sub(start) < count => a.clone(),
            1 => b.clone(),
            2 if number % 3 == 0 => a.clone(),
            2 => b.clone(),
            _ => BitVec::new(width, number.wrapping_mul(number).wrapping_add(start)),
        });
        store.table_number(values.collect()).ok()
    }

    /// The operands of a binary operator, often such as go together.
    fn pair(&mut self, store: &mut Store, width: u16, depth: u32) -> Option<Vec<Term>> {
        let sort = Sort::BitVec(width);
        let half = width / 2;
        let shape = self.below(if width > 1 { 15 } else { 6 });
        if shape < 4 {
            let a = self.grow(store, sort, depth);
            return Some(vec![a, self.grow(store, sort, depth)]);
        }
        if shape < 6 {
            let (a, value) = (self.grow(store, sort, depth), self.value(width));
            return Some(vec![a, store.constant(value)]);
        }
        if shape == 6 && self.chance(3) {
            // What was subtracted is added again.
            let (a, b) = (self.grow(store, sort, depth), self.grow(store, sort, depth));
            return Some(vec![store.raw(Kind::Sub, &[a, b], 0, 0).ok()?, b]);
        }
        if shape == 12 {
            // The same is done to both, from either side.
            let kind = self.pick(&[Kind::Xor, Kind::Add, Kind::Sub]);
            let [a, b, common] = [0; 3].map(|_| self.grow(store, sort, depth));
            let mut done_to = |store: &mut Store, x| {
                let operands = if self.chance(2) { [x, common] } else { [common, x] };
                store.raw(kind, &operands, 0, 0).ok()
            };
            return Some(vec![done_to(store, a)?, done_to(store, b)?]);
        }
        if shape == 13 {
            // A choice between some constants, and one of them or another one.
            let constants = [0; 4].map(|_| self.value(width)).map(|value| store.constant(value));
            let mut choice = self.pick(&constants);
            for _ in 0..3 {
                let condition = self.grow(store, Sort::BitVec(1), depth);
                let arms = [choice, self.pick(&constants)];
                let [a, b] = if self.chance(2) { [arms[1], arms[0]] } else { arms };
                choice = store.raw(Kind::Ite, &[condition, a, b], 0, 0).ok()?;
            }
            return Some(vec![choice, self.pick(&constants)]);
        }
        if shape == 14 {
            return self.quotient(store, width, depth);
        }
        if shape < 7 {
            // An operator with a constant, and another constant.
            let kind = self.pick(&[Kind::And, Kind::Or, Kind::Xor, Kind::Add, Kind::Sub, Kind::Mul, Kind::Mul]);
            let (a, first, second) = (self.grow(store, sort, depth), self.value(width), self.value(width));
            let (first, second) = (store.constant(first), store.constant(second));
            return Some(vec![store.raw(kind, &[a, first], 0, 0).ok()?, second]);
        }
        let (x, y) = (self.grow(store, Sort::BitVec(half), depth), self.grow(store, Sort::BitVec(half), depth));
        let rest = width - half;
        match shape {
            7 | 8 => {
                let kind = if shape == 7 { Kind::ZExt } else { Kind::SExt };
                Some(vec![store.raw(kind, &[x], 0, width).ok()?, store.raw(kind, &[y], 0, width).ok()?])
            }
            9 => {
                let (p, q) = (self.grow(store, Sort::BitVec(rest), depth), self.grow(store, Sort::BitVec(rest), depth));
                Some(vec![store.raw(Kind::Concat, &[p, x], 0, 0).ok()?, store.raw(Kind::Concat, &[q, y], 0, 0).ok()?])
            }
            10 => {
                let zeros = store.constant(BitVec::zero(rest));
                let upper = store.raw(Kind::Concat, &[x, zeros], 0, 0).ok()?;
                Some(vec![upper, store.raw(Kind::ZExt, &[y], 0, width).ok()?])
            }
            _ => {
                let value = self.value(width);
                Some(vec![store.raw(Kind::ZExt, &[x], 0, width).ok()?, store.constant(value)])
            }
        }
    }

    /// A quotient and what may be compared with it: its other factor, or a multiple of something small.
    fn quotient(&mut self, store: &mut Store, width: u16, depth: u32) -> Option<Vec<Term>> {
        let sort = Sort::BitVec(width);
        let (x, y) = (self.grow(store, sort, depth), self.grow(store, sort, depth));
        let (quotient, other) = if self.chance(2) {
            let product = store.raw(Kind::Mul, &[x, y], 0, 0).ok()?;
            (store.raw(Kind::UDiv, &[product, y], 0, 0).ok()?, x)
        } else {
            let dividend = self.value(width);
            let dividend = store.constant(dividend);
            let small = self.grow(store, Sort::BitVec(width / 2), depth);
            let small = store.raw(Kind::ZExt, &[small], 0, width).ok()?;
            let factor = store.small(width, self.below(8));
            (store.raw(Kind::UDiv, &[dividend, x], 0, 0).ok()?, store.raw(Kind::Mul, &[small, factor], 0, 0).ok()?)
        };
        Some(if self.chance(2) { vec![quotient, other] } else { vec![other, quotient] })
    }

    fn array(&mut self, store: &mut Store, sort: Sort, depth: u32) -> Option<(Kind, Vec<Term>, u32, u16)> {
        let Sort::Array { index, element } = sort else { return None };
        Some(match self.below(6) {
            0 => (Kind::ConstArray, vec![self.grow(store, Sort::BitVec(element), depth)], 0, index),
            1 => {
                let condition = self.grow(store, Sort::BitVec(1), depth);
                let a = self.grow(store, sort, depth);
                (Kind::Ite, vec![condition, a, self.grow(store, sort, depth)], 0, 0)
            }
            2 => return None,
            _ => {
                let array = self.grow(store, sort, depth);
                let at = self.grow(store, Sort::BitVec(index), depth);
                if self.chance(6) {
                    let selected = store.raw(Kind::Select, &[array, at], 0, 0).ok()?;
                    return Some((Kind::Store, vec![array, at, selected], 0, 0));
                }
                (Kind::Store, vec![array, at, self.grow(store, Sort::BitVec(element), depth)], 0, 0)
            }
        })
    }
}
