//! Which values a label can have, as far as its nodes show it at a glance.

use trace::layout::Label;
use trace::op::Op;
use trace::packed::View;

use super::range::Range;
use crate::build::{mask, operator};
use crate::recorder::{Recorder, flag};
use crate::system::List;

/// From a pin on, a label has no other value.
const PINNED: u8 = flag::PIN_SIZE | flag::PIN_CALL | flag::PIN_OTHER;

/// How far nodes are followed. Choices between a thousand elements are ten deep.
const DEPTH: u32 = 32;
/// Nodes that are looked at for one label.
const MOST_NODES: u32 = 2048;
/// Masks below select an index.
const MASKED: u64 = 1 << 16;
/// Tables and pairs whose range is kept.
const KNOWN_RANGES: usize = 1024;
/// Objects that an address can point into.
pub const MOST_RANGES: usize = 64;

/// Where an address can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The addresses.
    pub range: Range,
    /// The pointer that they are computed from, if it is one.
    pub pointer: u64,
}

/// The ranges that an address lies in, the one that it was in first.
pub struct Ranges {
    items: List<Reach>,
    is_complete: bool,
}

impl Ranges {
    /// None yet.
    pub fn new() -> Ranges {
        Ranges { items: List::new(MOST_RANGES), is_complete: true }
    }

    /// Those of a 64-bit label; `None` if there are too many.
    pub fn of<'a>(&'a mut self, recorder: &Recorder, unions: &mut Unions, label: Label) -> Option<&'a [Reach]> {
        self.items.clear();
        self.is_complete = true;
        let mut look = Look { recorder, unions, left: MOST_NODES };
        look.collect(label, DEPTH, Range::point(0), self);
        self.is_complete.then_some(self.items.items())
    }

    fn push(&mut self, reach: Reach) {
        if !self.items.items().contains(&reach) && !self.items.push(reach) {
            self.is_complete = false;
        }
    }
}

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges::new()
    }
}

/// Ranges that were found before, one for each remainder of a label.
struct Known(List<(Label, Range)>);

impl Known {
    fn new() -> Known {
        // SAFETY: integers only; nothing is known by the label 0.
        Known(unsafe { List::zeroed(KNOWN_RANGES) })
    }

    fn get(&self, label: Label) -> Option<Range> {
        let (known, range) = self.0.items().get(label as usize % KNOWN_RANGES)?;
        (*known == label).then_some(*range)
    }

    fn put(&mut self, label: Label, range: Range) {
        if let Some(place) = self.0.items_mut().get_mut(label as usize % KNOWN_RANGES) {
            *place = (label, range);
        }
    }
}

/// Ranges of what was looked at before.
pub struct Unions {
    /// Of the elements of tables, by the first one.
    tables: Known,
    /// Of nodes with two operands.
    pairs: Known,
}

impl Unions {
    /// None yet.
    pub fn new() -> Unions {
        Unions { tables: Known::new(), pairs: Known::new() }
    }
}

struct Look<'a> {
    recorder: &'a Recorder,
    unions: &'a mut Unions,
    left: u32,
}

impl Look<'_> {
    /// Adds the ranges of the sum of a label and `offset`. The arms of a choice between addresses stay apart: they may
    /// point into different objects.
    fn collect(&mut self, label: Label, depth: u32, offset: Range, out: &mut Ranges) {
        let node = self.recorder.node(label);
        if depth == 0 || self.left == 0 || !out.is_complete {
            out.is_complete = false;
            return;
        }
        self.left -= 1;
        match operator(node.op) {
            Some(Op::Ite) => {
                let was_first = self.recorder.node(node.imm() as Label).value() & 1 == 1;
                let arms = if was_first { [node.a(), node.b()] } else { [node.b(), node.a()] };
                arms.into_iter().for_each(|arm| self.collect(arm, depth - 1, offset, out));
            }
            Some(Op::Lookup) => {
                let elements = node.b()..node.b().saturating_add(node.imm() as Label);
                let index = self.recorder.node(node.a()).value() as Label;
                let was_chosen = node.b().saturating_add(index);
                self.collect(was_chosen, depth - 1, offset, out);
                elements.for_each(|element| self.collect(element, depth - 1, offset, out));
            }
            Some(Op::Add) if node.b() == 0 => {
                self.collect(node.a(), depth - 1, offset.add(&Range::point(node.imm()), 64), out);
            }
            Some(Op::Add) if node.a() != 0 => {
                let is_second = self.recorder.is_choice(node.b());
                let (pointer, index) = if is_second { (node.b(), node.a()) } else { (node.a(), node.b()) };
                let index = self.range(index, depth - 1);
                self.collect(pointer, depth - 1, offset.add(&index, 64), out);
            }
            _ => {
                let own = self.range(label, depth);
                out.push(Reach { range: own.add(&offset, 64), pointer: own.first });
            }
        }
    }

    /// A range that has all values of a label of at most 64 bits.
    fn range(&mut self, label: Label, depth: u32) -> Range {
        let node = self.recorder.node(label);
        let width = u32::from(node.width());
        let inner_width = self.recorder.width(node.a());
        if node.flags() & PINNED != 0 && width <= 64 {
            return Range::point(node.value());
        }
        if depth == 0 || self.left == 0 || width > 64 {
            return Range::full(width);
        }
        self.left -= 1;
        let Some(op) = operator(node.op) else { return Range::full(width) };
        let depth = depth - 1;
        match op {
            Op::Const => Range::point(node.imm()),
            Op::ZExt => self.range(node.a(), depth).zero_extend(inner_width),
            Op::SExt => self.range(node.a(), depth).sign_extend(inner_width, width),
            Op::Extract if inner_width <= 64 && node.imm() < 64 => {
                let shifted = self.range(node.a(), depth);
                let shifted = if node.imm() == 0 { shifted } else { shifted.divide(1 << node.imm(), inner_width) };
                shifted.truncate(width)
            }
            Op::Concat => {
                let low_width =
                    if node.b() == 0 { width.saturating_sub(inner_width) } else { self.recorder.width(node.b()) };
                let high = if node.a() == 0 { Range::point(node.imm()) } else { self.range(node.a(), depth) };
                let low = if node.b() == 0 { Range::point(node.imm()) } else { self.range(node.b(), depth) };
                let high = high.zero_extend(width.saturating_sub(low_width));
                high.multiply(1u64.checked_shl(low_width).unwrap_or(0), width).add(&low.zero_extend(low_width), width)
            }
            Op::Ite => self.both(label, &node, depth, |a, b| a.union(b, width)),
            Op::Lookup => self.union_of_elements(&node, depth),
            Op::Add if node.a() != 0 && node.b() != 0 => self.both(label, &node, depth, |a, b| a.add(b, width)),
            Op::Sub if node.a() != 0 && node.b() != 0 => {
                self.both(label, &node, depth, |a, b| a.add(&b.negate(width), width))
            }
            Op::Or | Op::Xor if node.a() != 0 && node.b() != 0 => {
                self.both(label, &node, depth, |a, b| a.join_bits(b, width))
            }
            Op::Mul if node.a() != 0 && node.b() != 0 => {
                let other = self.range(node.b(), depth).largest(width);
                let product = self.range(node.a(), depth).largest(width).checked_mul(other);
                product.filter(|most| *most <= mask(width)).map_or(Range::full(width), Range::up_to)
            }
            Op::Sub if node.a() == 0 => self.range(node.b(), depth).negate(width).add(&Range::point(node.imm()), width),
            _ if op.is_binary() && !op.is_predicate() && node.b() == 0 => {
                self.with_constant(op, node.a(), node.imm(), width, depth)
            }
            Op::CtPop | Op::CtLz | Op::CtTz => Range::up_to(width.into()),
            _ => Range::full(width),
        }
    }

    /// The range of an operation that can have every value if one of its operands can: then the other one is not looked at.
    fn both(&mut self, label: Label, node: &View, depth: u32, join: impl FnOnce(&Range, &Range) -> Range) -> Range {
        if let Some(known) = self.unions.pairs.get(label) {
            return known;
        }
        let all = Range::full(node.width().into());
        let second = self.range(node.b(), depth);
        let first = if second == all { all } else { self.range(node.a(), depth) };
        let whole = if first == all { all } else { join(&first, &second) };
        if self.left > 0 && depth >= DEPTH / 2 {
            self.unions.pairs.put(label, whole);
        }
        whole
    }

    /// A range that has all values of the elements of a table.
    fn union_of_elements(&mut self, node: &View, depth: u32) -> Range {
        if let Some(range) = self.unions.tables.get(node.b()) {
            return range;
        }
        let (width, count) = (u32::from(node.width()), node.imm() as Label);
        let mut whole = self.range(node.b(), depth);
        for element in (node.b()..node.b().saturating_add(count)).skip(1) {
            whole = whole.union(&self.range(element, depth), width);
        }
        // What was cut short says less than another look would.
        if self.left > 0 && depth >= DEPTH / 2 {
            self.unions.tables.put(node.b(), whole);
        }
        whole
    }

    fn with_constant(&mut self, op: Op, label: Label, constant: u64, width: u32, depth: u32) -> Range {
        let power = u32::try_from(constant).ok().filter(|amount| *amount < width).map(|amount| 1u64 << amount);
        match op {
            Op::Add => self.range(label, depth).add(&Range::point(constant), width),
            Op::Sub => self.range(label, depth).add(&Range::point(constant).negate(width), width),
            Op::Mul => self.range(label, depth).multiply(constant, width),
            // The most common index of all, not worth a look at what is masked.
            Op::And if constant < MASKED && (constant + 1).is_power_of_two() => Range::up_to(constant),
            Op::And => self.range(label, depth).and(constant, width),
            Op::Or | Op::Xor => self.range(label, depth).join_bits(&Range::point(constant), width),
            Op::UDiv if constant != 0 => self.range(label, depth).divide(constant, width),
            Op::URem if constant != 0 => Range::up_to(constant - 1),
            Op::Shl => power.map_or(Range::point(0), |power| self.range(label, depth).multiply(power, width)),
            Op::LShr => power.map_or(Range::point(0), |power| self.range(label, depth).divide(power, width)),
            _ => Range::up_to(mask(width)),
        }
    }
}

/// The largest value that a label of at most 64 bits can have, as far as its nodes show it.
pub fn largest(recorder: &Recorder, unions: &mut Unions, label: Label) -> u64 {
    let width = recorder.width(label);
    Look { recorder, unions, left: MOST_NODES }.range(label, DEPTH).largest(width)
}

/// The smallest one.
pub fn smallest(recorder: &Recorder, unions: &mut Unions, label: Label) -> u64 {
    let width = recorder.width(label);
    Look { recorder, unions, left: MOST_NODES }.range(label, DEPTH).smallest(width)
}
