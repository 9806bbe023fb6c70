//! Which values decide about memory: those that an address, a size or an index is computed from.

use path::{Observation, Observed, Path};
use trace::layout::{EventKind, Label, Node};
use trace::op::{Op, operands};
use trace::reader::Trace;
use trace::rule::Rule;
use trace::sites::{SiteKind, SiteTable};

/// For each label, where its value is first used as an address, a size or an index, or as a part of one.
pub struct Reach {
    uses: Vec<Use>,
}

/// How many constraints of the path come before the first use of a value.
#[derive(Clone, Copy, Default)]
struct Use {
    /// As anything that decides about memory.
    any: Option<usize>,
    /// As a size.
    size: Option<usize>,
}

/// The width of addresses. Values of that width are added up modulo all addresses: whatever has wrapped around on the way, the sum
/// is the address that is meant, or lies outside of its bounds, which has checks of its own.
const ADDRESS: u16 = 64;

impl Reach {
    /// The values that addresses, sizes and indices of a path are computed from.
    pub fn of(path: &Path, trace: &Trace, sites: &SiteTable) -> Reach {
        let nodes = trace.nodes();
        let mut uses = Uses(vec![Use::default(); nodes.len()]);
        for observation in &path.observations {
            let before = Some(observation.before);
            match observation.what {
                Observed::Access { .. } => uses.add(observation.label, Use { any: before, size: None }),
                Observed::Size { .. } => uses.add(observation.label, Use { any: before, size: before }),
                // The address is observed by itself.
                Observed::Bounds { .. } => {}
                Observed::Condition { .. } if is_index(sites, observation) => {
                    if let Some(comparison) = nodes.get(observation.label as usize) {
                        operands(comparison, |label| uses.add(label, Use { any: before, size: None }));
                    }
                }
                Observed::Condition { .. } => {}
            }
        }
        // Operands come before what is computed from them.
        for (index, node) in nodes.iter().enumerate().rev() {
            if let Some(used) = uses.0.get(index).copied().filter(|used| used.any.is_some()) {
                carried(node, |label| uses.add(label, used));
            }
        }
        for (used, _) in uses.0.iter_mut().zip(nodes).filter(|(_, node)| node.width == ADDRESS) {
            used.any = used.size;
        }
        let tested = tested(trace);
        let sums = uses.0.iter_mut().zip(nodes).zip(tested);
        for ((used, _), _) in
            sums.filter(|((_, node), is_tested)| is_sum(node) && (*is_tested || is_displacement(node, nodes)))
        {
            used.any = used.size;
        }
        Reach { uses: uses.0 }
    }

    /// How many constraints of the path come before the first use that decides about memory, if there is one.
    pub fn first_use(&self, label: Label) -> Option<usize> {
        if label == 0 { None } else { self.uses.get(label as usize)?.any }
    }
}

struct Uses(Vec<Use>);

impl Uses {
    fn add(&mut self, label: Label, used: Use) {
        let first = |a: Option<usize>, b: Option<usize>| a.into_iter().chain(b).min();
        if let Some(known) = self.0.get_mut(label as usize) {
            *known = Use { any: first(known.any, used.any), size: first(known.size, used.size) };
        }
    }
}

/// The operands that a value is too large or too small with: what arithmetic carries on. Hashes, checksums and random numbers
/// are meant to wrap around, and their bits are mixed, or most of them are left out, before they are an index.
fn carried(node: &Node, mut each: impl FnMut(Label)) {
    let (a, b, imm, width) = (node.a, node.b, node.imm, u32::from(node.width));
    let is_constant = b == 0;
    match Op::from_code(node.op) {
        Some(Op::Add | Op::Sub | Op::Mul) => {
            each(a);
            each(b);
        }
        Some(Op::ZExt | Op::SExt | Op::UDiv | Op::SDiv | Op::Shl) => each(a),
        // Bits to bytes, bytes to pages. A hash is in the upper bits of a product.
        Some(Op::LShr | Op::AShr) if is_constant && imm < u64::from(width / 2) => each(a),
        // Rounded down, not brought into a range.
        Some(Op::And) if is_constant && (1..=64).contains(&width) && imm >> (width - 1) & 1 == 1 => each(a),
        // Instead of a sum, where the bits are known to be 0.
        Some(Op::Or) if is_constant => each(a),
        Some(Op::Ite) => {
            each(a);
            each(b);
        }
        Some(Op::Lookup) => {
            let count = u32::try_from(imm).unwrap_or(0);
            (0..count).filter_map(|element| b.checked_add(element)).for_each(each);
        }
        _ => {}
    }
}

/// For each value whether a branch of the program asks how large it is. Who tests a sum before it is an index means whatever passes, also
/// where -3 was added as the unsigned number that it is in as many bits; what passes and lies outside of its bounds is found there. A
/// size has none.
fn tested(trace: &Trace) -> Vec<bool> {
    let nodes = trace.nodes();
    let mut tested = vec![false; nodes.len()];
    let branches = trace.events().iter().filter(|event| event.kind == EventKind::Branch as u8);
    let mut left: Vec<Label> = branches.map(|event| event.label).collect();
    while let Some(label) = left.pop() {
        let Some(node) = nodes.get(label as usize).filter(|_| label != 0) else { continue };
        match Op::from_code(node.op) {
            Some(Op::And | Op::Or | Op::Xor) if node.width == 1 => left.extend([node.a, node.b]),
            Some(Op::Ult | Op::Ule | Op::Slt | Op::Sle) => {
                for operand in [node.a, node.b] {
                    mark_tested(nodes, operand, &mut tested);
                }
            }
            _ => {}
        }
    }
    tested
}

/// A value that is tested, and what it is in fewer bits.
fn mark_tested(nodes: &[Node], mut label: Label, tested: &mut [bool]) {
    while let Some(node) = nodes.get(label as usize).filter(|_| label != 0) {
        tested[label as usize] = true;
        label = match Op::from_code(node.op) {
            Some(Op::ZExt | Op::SExt) => node.a,
            _ => return,
        };
    }
}

fn is_sum(node: &Node) -> bool {
    matches!(Op::from_code(node.op), Some(Op::Add | Op::Sub))
}

/// Whether a sum is that of a value and of a signed number of fewer bits, or their difference: who adds -3 to an unsigned position means to
/// go back, and where that is too far, the sum lies outside of its bounds. A size has none.
fn is_displacement(node: &Node, nodes: &[Node]) -> bool {
    let is_signed = |label: Label| {
        let operand = nodes.get(label as usize).filter(|_| label != 0);
        operand.is_some_and(|operand| Op::from_code(operand.op) == Some(Op::SExt))
    };
    is_signed(node.a) || is_signed(node.b)
}

fn is_index(sites: &SiteTable, observation: &Observation) -> bool {
    match sites.site(observation.site).kind {
        SiteKind::Check(number) => sites.checks.get(number as usize).is_some_and(|c| c.rule == Rule::ArrayIndex),
        _ => false,
    }
}
