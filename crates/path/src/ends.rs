//! Which end of its type signed arithmetic leaves.
//!
//! The compiler's condition says that a result fits. That it is not too large and that it is not too small are two properties, which
//! different inputs violate.

use expr::{Claim, Kind, Store};
use trace::layout::{Label, Node};
use trace::op::Op;

/// Signed arithmetic of two operands. One whose label is 0 is the number `imm`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arithmetic {
    op: Op,
    a: Label,
    b: Label,
    imm: u64,
}

impl Arithmetic {
    /// The arithmetic whose result fits where a condition holds, if the condition says just that: the opposite of its overflow.
    pub fn of(nodes: &[Node], condition: Label) -> Option<Arithmetic> {
        let outer = nodes.get(condition as usize)?;
        let inverts = match Op::from_code(outer.op)? {
            Op::Xor | Op::Ne => outer.imm == 1,
            Op::Eq => outer.imm == 0,
            _ => false,
        };
        let overflow = match (outer.a, outer.b) {
            (label, 0) | (0, label) if inverts => nodes.get(label as usize)?,
            _ => return None,
        };
        let op = Op::from_code(overflow.op).filter(|op| matches!(op, Op::SAddO | Op::SSubO | Op::SMulO))?;
        Some(Arithmetic { op, a: overflow.a, b: overflow.b, imm: overflow.imm })
    }

    /// The labels of its operands; in place of one that has none, the other's.
    pub fn labelled(self) -> [Label; 2] {
        match (self.a, self.b) {
            (0, label) | (label, 0) => [label, label],
            both => both.into(),
        }
    }

    /// Whether a result that does not fit is too small, given what its [labels](Arithmetic::labelled) stand for.
    pub fn is_below(self, store: &mut Store, a: Claim, b: Claim) -> Claim {
        let width = store.width(a.term);
        let constant: Claim = store.small(width, self.imm).into();
        let is_negative = |store: &mut Store, operand: Claim| {
            Claim::build(store, [operand], |store, [term]| {
                let zero = store.small(width, 0);
                store.binary(Kind::Slt, term, zero)
            })
        };
        match (self.op, self.a, self.b) {
            // Both operands of a sum that does not fit lie on one side; that of a constant is known.
            (Op::SAddO, 0, _) | (Op::SAddO, _, 0) | (Op::SSubO, 0, _) => is_negative(store, constant),
            (Op::SSubO, _, 0) => is_negative(store, constant).negated(store),
            (Op::SMulO, ..) => {
                let sides = [(self.a, a), (self.b, b)];
                let [a, b] = sides.map(|(label, claim)| is_negative(store, if label == 0 { constant } else { claim }));
                Claim::build(store, [a, b], |store, [a, b]| store.xor(a, b))
            }
            _ => is_negative(store, a),
        }
    }
}

#[cfg(test)]
mod tests {
    use expr::{BitVec, Importer, Model, VarName, variables};
    use trace::text::parse;

    use super::*;

    const WIDTH: u16 = 4;

    /// The number that four bits stand for.
    fn signed(bits: u64) -> i64 {
        (bits as i64) << 60 >> 60
    }

    /// Whether the result of the arithmetic is said to be too small, for operands that do not fit.
    fn is_below(arithmetic: &str, a: u64, b: u64) -> Option<bool> {
        let operands = "part stdin 0x2\n%1 = input i8 part0 0x0 -> 0x0\n%2 = input i8 part0 0x1 -> 0x0\n\
                        %3 = extract i4 %1 0x0 -> 0x0\n%4 = extract i4 %2 0x0 -> 0x0\n";
        let trace = parse(&format!("{operands}%5 = {arithmetic} -> 0x0\n%6 = xor i1 %5 0x1 -> 0x1\n")).unwrap();
        let mut store = Store::new();
        let arithmetic = Arithmetic::of(trace.nodes(), 6)?;
        let mut importer = Importer::new(trace.nodes());
        let [first, second] = arithmetic.labelled().map(|label| importer.term(&mut store, label).unwrap().into());
        let below = arithmetic.is_below(&mut store, first, second);
        let mut model = Model::new();
        for variable in variables(&store, &[below.original]) {
            let is_first = *store.var_name(variable) == VarName::Input { part: 0, offset: 0 };
            model.set(variable, BitVec::new(8, if is_first { a } else { b }));
        }
        Some(store.eval(below.term, &model).is_true())
    }

    #[test]
    fn ends_are_those_of_numbers() {
        let smallest = signed(1 << (WIDTH - 1));
        for name in ["saddo", "ssubo", "smulo"] {
            for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
                let result = match name {
                    "saddo" => signed(a) + signed(b),
                    "ssubo" => signed(a) - signed(b),
                    _ => signed(a) * signed(b),
                };
                if (smallest..-smallest).contains(&result) {
                    continue;
                }
                let forms =
                    [format!("{name} i1 %3 %4"), format!("{name} i1 %3 {b:#x}"), format!("{name} i1 {a:#x} %4")];
                for form in forms {
                    assert_eq!(is_below(&form, a, b), Some(result < 0), "{form} of {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn other_conditions_have_no_ends() {
        assert_eq!(is_below("uaddo i1 %3 %4", 0, 0), None);
        assert_eq!(is_below("slt i1 %3 %4", 0, 0), None);
    }
}
