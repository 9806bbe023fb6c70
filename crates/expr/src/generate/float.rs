//! Random terms of floating-point numbers.

use super::Generator;
use crate::bitvec::BitVec;
use crate::store::{Kind, Sort, Store, Term};

impl Generator {
    /// A number that programs like, or one that is special.
    fn number_value(&mut self, width: u16) -> BitVec {
        const LIKED: [f64; 14] =
            [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.0, 3.0, 10.0, 0.1, 100.0, 1e10, f64::INFINITY, f64::NAN];
        if self.chance(4) {
            return self.value(width);
        }
        let liked = self.pick(&LIKED);
        BitVec::new(width, if width == 32 { (liked as f32).to_bits().into() } else { liked.to_bits() })
    }

    /// An operand: a constant, an integer with something done to it, or anything.
    fn number_term(&mut self, store: &mut Store, width: u16, depth: u32) -> Option<Term> {
        match self.below(6) {
            0 => {
                let value = self.number_value(width);
                Some(store.constant(value))
            }
            1 | 2 => {
                let inner = self.pick(&[4, 8, 16, 24, 32, 64]);
                let integer = self.grow(store, Sort::BitVec(inner), depth);
                let kind = self.pick(&[Kind::FFromS, Kind::FFromU]);
                let number = store.raw(kind, &[integer], 0, width).ok()?;
                if self.chance(2) {
                    return Some(number);
                }
                let value = self.number_value(width);
                let value = store.constant(value);
                let kind = self.arithmetic();
                let operands = if self.chance(4) { [value, number] } else { [number, value] };
                store.raw(kind, &operands, 0, 0).ok()
            }
            3 => {
                let number = self.grow(store, Sort::BitVec(width), depth);
                let sign = store.constant(BitVec::min_signed(width));
                store.raw(Kind::Xor, &[number, sign], 0, 0).ok()
            }
            _ => Some(self.grow(store, Sort::BitVec(width), depth)),
        }
    }

    fn arithmetic(&mut self) -> Kind {
        if self.hard {
            self.pick(&[Kind::FAdd, Kind::FSub, Kind::FMul, Kind::FDiv])
        } else {
            self.pick(&[Kind::FAdd, Kind::FAdd, Kind::FSub, Kind::FMul])
        }
    }

    fn number_width(&mut self) -> u16 {
        if self.hard { self.pick(&[32, 64]) } else { 32 }
    }

    /// An operator of floating-point numbers for a result of this width.
    pub(super) fn float(&mut self, store: &mut Store, width: u16, depth: u32) -> Option<(Kind, Vec<Term>, u32, u16)> {
        if width == 1 {
            let (kind, inner) = (self.pick(&[Kind::FEq, Kind::FLt, Kind::FLe]), self.number_width());
            let a = self.number_term(store, inner, depth)?;
            let b = if self.chance(2) {
                let value = self.number_value(inner);
                store.constant(value)
            } else {
                self.number_term(store, inner, depth)?
            };
            return Some((kind, if self.chance(3) { vec![b, a] } else { vec![a, b] }, 0, 0));
        }
        Some(match self.below(10) {
            0 if self.hard => (Kind::FSqrt, vec![self.number_term(store, width, depth)?], 0, 0),
            1 => (Kind::FRound, vec![self.number_term(store, width, depth)?], self.below(5) as u32, 0),
            2 | 3 if self.hard => (Kind::FConvert, vec![self.number_term(store, 96 - width, depth)?], 0, width),
            4 => {
                let inner = self.width().min(64);
                let kind = self.pick(&[Kind::FFromS, Kind::FFromU]);
                (kind, vec![self.grow(store, Sort::BitVec(inner), depth)], 0, width)
            }
            5 | 6 => {
                let inner = self.number_width();
                (Kind::FToS, vec![self.number_term(store, inner, depth)?], 0, width)
            }
            _ => {
                let kind = self.arithmetic();
                let (a, b) = (self.number_term(store, width, depth)?, self.number_term(store, width, depth)?);
                (kind, vec![a, b], 0, 0)
            }
        })
    }
}
