//! Joining values.

use trace::layout::Label;
use trace::op::Op;

use super::{Operand, mask};
use crate::recorder::{Recorder, Shape};

impl Recorder {
    /// `high` above `low`; at least one has a label, and a concrete one has at most 64 bits.
    pub fn concat(&mut self, high: Operand, high_width: u32, low: Operand, low_width: u32) -> Label {
        let width = high_width + low_width;
        if high.label == 0 && high.value & mask(high_width) == 0 {
            return self.zero_extend(low.label, width);
        }
        if high.label != 0
            && low.label != 0
            && let Some(joined) = self.join_neighbours(high.label, low.label, width)
        {
            return joined;
        }
        let imm = match (high.label, low.label) {
            (0, 0) => return 0,
            (0, _) => high.value & mask(high_width),
            (_, 0) => low.value & mask(low_width),
            _ => 0,
        };
        let value = joined_value(high.value, low.value & mask(low_width), low_width);
        let shape = Shape { op: Op::Concat, width, a: high.label, b: low.label, imm };
        self.node_of_shape(shape, value & mask(width))
    }

    /// Two extracts of one node that lie side by side.
    fn join_neighbours(&mut self, high: Label, low: Label, width: u32) -> Option<Label> {
        let (h, l) = (self.node(high), self.node(low));
        let is_pair = h.op == Op::Extract as u8
            && l.op == Op::Extract as u8
            && h.a() == l.a()
            && l.imm() + u64::from(l.width()) == h.imm();
        let value = joined_value(h.value(), l.value(), u32::from(l.width()));
        is_pair.then(|| self.extract(h.a(), l.imm() as u32, width, value & mask(width)))
    }
}

fn joined_value(high: u64, low: u64, low_width: u32) -> u64 {
    if low_width >= 64 { low } else { low | high << low_width }
}
