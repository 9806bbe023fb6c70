//! Values that are a byte of the input again, after something was added to it and taken away.
//!
//! Who writes `c++` and `c--` has what was there before, though in between it may not have fitted a `char`.

use trace::layout::{Label, Node};
use trace::op::{Op, operands};

/// How many nodes are looked at. What is added to a byte and taken away is computed by a few.
const MOST: usize = 64;

/// The width of a byte.
const BYTE: u16 = 8;

/// Whether a value is a byte of the input, and a condition about that byte alone. Then nothing that it tells is lost with the condition.
pub fn is_lossless(nodes: &[Node], condition: Label, value: Label) -> bool {
    byte_itself(nodes, value).is_some_and(|byte| is_about(nodes, condition, byte))
}

/// The node of the input byte that a value of eight bits is.
fn byte_itself(nodes: &[Node], value: Label) -> Option<Label> {
    let node = |label: Label| nodes.get(label as usize).filter(|node| label != 0 && node.width >= BYTE);
    node(value).filter(|node| node.width == BYTE)?;
    let (mut label, mut added) = (value, 0u8);
    for _ in 0..MOST {
        let this = node(label)?;
        let is_constant = this.b == 0;
        label = match Op::from_code(this.op)? {
            Op::Input => return (added == 0).then_some(label),
            Op::Extract if this.imm == 0 => this.a,
            Op::ZExt | Op::SExt => this.a,
            Op::And if is_constant && this.imm & 0xff == 0xff => this.a,
            // Of what is added, what lies above these bits changes nothing in them.
            Op::Add if is_constant => {
                added = added.wrapping_add(this.imm as u8);
                this.a
            }
            Op::Sub if is_constant => {
                added = added.wrapping_sub(this.imm as u8);
                this.a
            }
            // Up and down again is how a sign is extended in place.
            Op::AShr | Op::LShr if is_constant && this.imm <= u64::from(this.width - BYTE) => {
                let up = node(this.a)?;
                let is_same = Op::from_code(up.op) == Some(Op::Shl) && up.b == 0 && up.imm == this.imm;
                is_same.then_some(up.a)?
            }
            _ => return None,
        };
    }
    None
}

/// Whether something is computed from a byte of the input and from nothing else of it.
fn is_about(nodes: &[Node], condition: Label, byte: Label) -> bool {
    let is_same = |node: &Node| nodes.get(byte as usize).is_some_and(|byte| (byte.a, byte.imm) == (node.a, node.imm));
    let mut left = vec![condition];
    for _ in 0..MOST {
        let Some(label) = left.pop() else { return true };
        let Some(node) = nodes.get(label as usize) else { return false };
        match Op::from_code(node.op) {
            Some(Op::Input) if !is_same(node) => return false,
            _ => operands(node, |operand| left.extend(Some(operand).filter(|operand| *operand != 0))),
        }
    }
    left.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::reader::Trace;
    use trace::text::parse;

    /// Two bytes of standard input, and nodes after them.
    fn traced(rest: &str) -> Trace {
        let start = "part stdin 0x2 name=stdin\n%1 = input i8 part0 0x0 -> 0x78\n%2 = input i8 part0 0x1 -> 0x31\n";
        parse(&format!("{start}{rest}")).unwrap()
    }

    /// Which byte the last node is.
    fn byte(rest: &str) -> Option<Label> {
        let trace = traced(rest);
        byte_itself(trace.nodes(), trace.nodes().len() as Label - 1)
    }

    const THERE: &str = "%3 = sext i32 %1 -> 0x78\n%4 = add i32 %3 0x1 -> 0x79\n";

    #[test]
    fn what_is_added_and_taken_away_leaves_a_byte() {
        assert_eq!(byte(""), Some(2));
        let narrow = "%5 = extract i8 %4 0x0 -> 0x79\n%6 = sext i32 %5 -> 0x79\n";
        let in_place = "%5 = shl i32 %4 0x18 -> 0x79000000\n%6 = ashr i32 %5 0x18 -> 0x79\n";
        for wide in [narrow, in_place] {
            let back = "%7 = add i32 %6 0xffffffff -> 0x78\n%8 = extract i8 %7 0x0 -> 0x78";
            assert_eq!(byte(&format!("{THERE}{wide}{back}")), Some(1));
            let too_far = "%7 = add i32 %6 0xfffffffe -> 0x77\n%8 = extract i8 %7 0x0 -> 0x77";
            assert_eq!(byte(&format!("{THERE}{wide}{too_far}")), None);
        }
        assert_eq!(byte("%3 = mul i8 %1 0x3 -> 0x68"), None, "another number");
        assert_eq!(byte("%3 = zext i32 %1 -> 0x78"), None, "more bits");
        assert_eq!(byte("%3 = add i8 %1 %2 -> 0xa9"), None, "another byte more");
        assert_eq!(
            byte(
                "%3 = zext i16 %1 -> 0x78\n%4 = shl i16 %3 0x9 -> 0xf000\n%5 = lshr i16 %4 0x9 -> 0x78\n\
                         %6 = extract i8 %5 0x0 -> 0x78"
            ),
            None,
            "a bit is lost"
        );
    }

    /// The low byte of a number is a byte of the input too, but what is above it is lost.
    #[test]
    fn a_condition_may_be_about_more_than_the_byte() {
        let rest = "%3 = concat i16 %2 %1 -> 0x3178\n%4 = ult i1 %3 0x100 -> 0x0\n%5 = ult i1 %1 0x7f -> 0x1";
        let trace = traced(rest);
        assert!(!is_lossless(trace.nodes(), 4, 1));
        assert!(is_lossless(trace.nodes(), 5, 1));
    }
}
