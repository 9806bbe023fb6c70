//! Terms from the labels of a trace.

mod dependents;
mod indices;

use thiserror::Error;
use trace::layout::{Label, Node};
use trace::op::Op;

use crate::bitvec::{BitVec, MAX_WIDTH};
use crate::build::SortError;
use crate::semantics::{binary_kind, float_kind};
use crate::store::{Kind, Sort, Store, Term};
use crate::tables::MAX_TABLE_INDEX;
use dependents::Dependents;
use indices::{Indices, Settled};

/// A label that is no term. Always a bug of the runtime or a damaged trace.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ImportError {
    /// The label, or one that it is made of, is not in the arena.
    #[error("label {0} is not in the trace, which is damaged or was cut; run the program again")]
    Unknown(Label),
    /// An operand does not lie before the node that uses it.
    #[error(
        "label {label} uses label {operand}, which does not lie before it: the trace is damaged; run the program again"
    )]
    Order {
        /// The node.
        label: Label,
        /// Its operand.
        operand: Label,
    },
    /// The node's operator or widths make no sense.
    #[error("label {label} is malformed ({reason}): please report this as a bug of the runtime")]
    Malformed {
        /// The node.
        label: Label,
        /// What is wrong with it.
        reason: String,
    },
}

/// Of the index of a `Lookup`.
const MAX_INDEX_WIDTH: u16 = 16;

/// Of so many elements of a table one may be no constant.
const EXCEPTIONAL: usize = 8;

/// Makes terms of a trace's labels: each on demand, each once. The arena is only read.
pub struct Importer<'a> {
    nodes: &'a [Node],
    memo: Vec<Option<Term>>,
    /// The value of each term that has one only, from here on; by the term's index.
    settled: Vec<Option<Term>>,
    /// Labels whose terms are being made; empty in between.
    stack: Vec<Label>,
    indices: Indices,
    dependents: Dependents,
}

/// The operands of a trace node.
pub(crate) struct Operands {
    /// The node's operator.
    pub op: Op,
    /// First label that it refers to, or 0.
    pub a: Label,
    /// Second one, or 0.
    pub b: Label,
    /// Condition of an `Ite` or index of a `Lookup`, or 0.
    pub selector: Label,
    /// For `Bytes` and the elements of a `Lookup`: how many labels from `a` on.
    pub run: u32,
}

impl Operands {
    /// Reads and checks a node; afterwards all labels in the result lie before `label`.
    pub(crate) fn of(nodes: &[Node], label: Label) -> Result<Operands, ImportError> {
        let node = nodes.get(label as usize).ok_or(ImportError::Unknown(label))?;
        let malformed = |reason: &str| ImportError::Malformed { label, reason: reason.to_owned() };
        let op = Op::from_code(node.op).filter(|op| *op != Op::None).ok_or_else(|| malformed("unknown operator"))?;
        if !(1..=MAX_WIDTH).contains(&node.width) {
            return Err(malformed("width out of range"));
        }
        let mut found = Operands { op, a: node.a, b: node.b, selector: 0, run: 1 };
        let run_up_to = |most: u32, reason: &str| {
            u32::try_from(node.imm).ok().filter(|run| (1..=most).contains(run)).ok_or_else(|| malformed(reason))
        };
        match op {
            Op::Input | Op::Const => return Ok(Operands { op, a: 0, b: 0, selector: 0, run: 0 }),
            Op::Ite => found.selector = node.imm as u32,
            Op::Lookup => {
                (found.selector, found.a, found.b) = (node.a, node.b, 0);
                found.run = run_up_to(1 << MAX_INDEX_WIDTH, "number of elements")?;
            }
            Op::Bytes => {
                found.b = 0;
                found.run = run_up_to(128, "number of bytes")?;
            }
            _ if op.is_binary() || op == Op::Concat => {}
            Op::FShl => {}
            _ => found.b = 0,
        }
        let both_needed = matches!(op, Op::Ite | Op::FShl);
        if (found.a == 0 && found.b == 0) || both_needed && (found.a == 0 || found.b == 0) {
            return Err(malformed("missing operand"));
        }
        if matches!(op, Op::Ite | Op::Lookup) && found.selector == 0 {
            return Err(malformed("nothing to choose by"));
        }
        let last = found.a.saturating_add(found.run - 1).max(found.b).max(found.selector);
        if last >= label {
            return Err(ImportError::Order { label, operand: last });
        }
        Ok(found)
    }

    /// Every label that is referred to.
    pub(crate) fn labels(&self) -> impl Iterator<Item = Label> + use<> {
        let first = self.a..self.a.saturating_add(self.run);
        first.chain([self.b, self.selector]).filter(|label| *label != 0)
    }
}

impl<'a> Importer<'a> {
    /// For the labels of this arena.
    pub fn new(nodes: &'a [Node]) -> Importer<'a> {
        Importer {
            nodes,
            memo: vec![None; nodes.len()],
            settled: Vec::new(),
            indices: Indices::default(),
            dependents: Dependents::default(),
            stack: Vec::new(),
        }
    }

    /// Says that a one-bit term is true for all that is asked from here on: where it says what the value of a term is, that
    /// term is a constant in all terms that are yet to be made.
    pub fn settle(&mut self, store: &mut Store, holds: Term) {
        let no = store.bool(false);
        let yes = store.bool(true);
        self.settled.resize(store.len(), None);
        let mut stack = vec![holds];
        while let Some(term) = stack.pop() {
            let node = store.node(term);
            let [a, b, _] = node.operands;
            let more = self.indices.learn(store, term);
            match node.kind {
                Kind::Const => {}
                Kind::And if node.sort == Sort::BitVec(1) => stack.extend([a, b]),
                Kind::Eq if store.value(b).is_some() => {
                    let value = store.value(b).cloned();
                    self.add_settled(store, value.map(|value| (a, value)).into_iter().collect());
                }
                Kind::Not => self.settled[a.index()] = Some(no),
                _ => self.settled[term.index()] = Some(yes),
            }
            self.add_settled(store, more);
        }
    }

    /// Takes note of terms that have one value only from here on, and of what is computed from them.
    fn add_settled(&mut self, store: &mut Store, found: Vec<Settled>) {
        let is_settled = |term: Term| self.settled.get(term.index()).is_some_and(Option::is_some);
        let new = found.iter().filter(|(term, _)| !is_settled(*term));
        let follows: Vec<Settled> = new.flat_map(|one| self.dependents.known_from(store, one, is_settled)).collect();
        for (term, value) in found.into_iter().chain(follows) {
            let value = store.constant(value);
            if self.settled.len() <= term.index() {
                self.settled.resize(store.len(), None);
            }
            self.settled[term.index()] = Some(value);
        }
    }

    fn known(&self, label: Label) -> Option<Term> {
        let term = self.memo.get(label as usize).copied().flatten()?;
        Some(self.settled.get(term.index()).copied().flatten().unwrap_or(term))
    }

    /// The term of a label. Always use the same store with one importer.
    pub fn term(&mut self, store: &mut Store, root: Label) -> Result<Term, ImportError> {
        if let Some(known) = self.known(root) {
            return Ok(known);
        }
        let mut stack = core::mem::take(&mut self.stack);
        stack.clear();
        stack.push(root);
        while let Some(label) = stack.last().copied() {
            if self.known(label).is_some() {
                stack.pop();
                continue;
            }
            let operands = Operands::of(self.nodes, label)?;
            let before = stack.len();
            stack.extend(operands.labels().filter(|operand| self.known(*operand).is_none()));
            if stack.len() == before {
                stack.pop();
                let term = self.make(store, label, &operands)?;
                self.memo[label as usize] = Some(term);
                if !store.is_exact() {
                    self.dependents.add(store, term);
                    let found = self.indices.made(store, term);
                    self.add_settled(store, found);
                }
            }
        }
        self.stack = stack;
        self.known(root).ok_or(ImportError::Unknown(root))
    }

    /// The term of a label whose operands have been made.
    fn make(&self, store: &mut Store, label: Label, operands: &Operands) -> Result<Term, ImportError> {
        let node = &self.nodes[label as usize];
        let malformed = |reason: String| ImportError::Malformed { label, reason };
        let ill_sorted = |error: SortError| malformed(error.to_string());
        let known = |label: Label| self.known(label).ok_or(ImportError::Unknown(label));
        let op = operands.op;
        if op.is_binary() {
            let labelled = if operands.a != 0 { operands.a } else { operands.b };
            let width = store.width(known(labelled)?);
            let mut side = |label: Label| if label == 0 { Ok(store.small(width, node.imm)) } else { known(label) };
            let (a, b) = (side(operands.a)?, side(operands.b)?);
            let (kind, complement) = binary_kind(op).ok_or_else(|| malformed("not a binary operator".to_owned()))?;
            let term = store.apply(kind, &[a, b], 0, 0).map_err(ill_sorted)?;
            let term = if complement { store.not(term) } else { term };
            return self.checked(store, label, term);
        }
        let term = match op {
            Op::Input => store.input(node.a, node.imm),
            Op::Const => store.constant(BitVec::new(node.width, node.imm)),
            Op::Concat => {
                let labelled = if operands.a != 0 { operands.a } else { operands.b };
                let rest = node.width.saturating_sub(store.width(known(labelled)?));
                if rest == 0 {
                    return Err(malformed("no room for the other half".to_owned()));
                }
                let mut side = |label: Label| if label == 0 { Ok(store.small(rest, node.imm)) } else { known(label) };
                let (a, b) = (side(operands.a)?, side(operands.b)?);
                store.apply(Kind::Concat, &[a, b], 0, 0).map_err(ill_sorted)?
            }
            Op::Bytes => {
                let mut joined = known(operands.a)?;
                for byte in 1..operands.run {
                    let next = known(operands.a + byte)?;
                    joined = store.apply(Kind::Concat, &[next, joined], 0, 0).map_err(ill_sorted)?;
                }
                joined
            }
            Op::Extract => {
                let low = u32::try_from(node.imm).map_err(|_| malformed("lowest bit".to_owned()))?;
                store.apply(Kind::Extract, &[known(operands.a)?], low, node.width).map_err(ill_sorted)?
            }
            Op::ZExt => store.apply(Kind::ZExt, &[known(operands.a)?], 0, node.width).map_err(ill_sorted)?,
            Op::SExt => store.apply(Kind::SExt, &[known(operands.a)?], 0, node.width).map_err(ill_sorted)?,
            Op::Ite => {
                let parts = [known(operands.selector)?, known(operands.a)?, known(operands.b)?];
                store.apply(Kind::Ite, &parts, 0, 0).map_err(ill_sorted)?
            }
            Op::Lookup => {
                let elements: Result<Vec<Term>, ImportError> =
                    (operands.a..operands.a.saturating_add(operands.run)).map(known).collect();
                self.element(store, label, known(operands.selector)?, elements?)?
            }
            Op::FShl => {
                let (a, b) = (known(operands.a)?, known(operands.b)?);
                if store.sort(a) != store.sort(b) {
                    return Err(malformed("halves of different width".to_owned()));
                }
                store.funnel_shift_left(a, b, (node.imm % u64::from(node.width)) as u32)
            }
            Op::CtPop => store.count_ones(known(operands.a)?),
            Op::CtLz => store.leading_zeros(known(operands.a)?),
            Op::CtTz => store.trailing_zeros(known(operands.a)?),
            Op::BSwap if node.width.is_multiple_of(8) => store.byte_swap(known(operands.a)?),
            Op::BitReverse => store.bit_reverse(known(operands.a)?),
            _ => {
                let kind = float_kind(op).ok_or_else(|| malformed(format!("{op:?}")))?;
                let imm = u32::try_from(node.imm).map_err(|_| malformed("immediate".to_owned()))?;
                store.apply(kind, &[known(operands.a)?], imm, node.width).map_err(ill_sorted)?
            }
        };
        self.checked(store, label, term)
    }

    /// The element that an index chooses. Where nearly all are constants these are a table, and the others exceptions to it.
    fn element(
        &self,
        store: &mut Store,
        label: Label,
        index: Term,
        mut elements: Vec<Term>,
    ) -> Result<Term, ImportError> {
        let malformed = |reason: String| ImportError::Malformed { label, reason };
        let ill_sorted = |error: SortError| malformed(error.to_string());
        let bits = store.width(index);
        if bits > MAX_INDEX_WIDTH {
            return Err(malformed("width of the index".to_owned()));
        }
        // An index that is too large chooses the last one.
        let last = elements.last().copied().ok_or_else(|| malformed("no elements".to_owned()))?;
        elements.resize(1 << bits, last);
        let exceptions = elements.iter().filter(|element| store.value(**element).is_none()).count();
        if bits > MAX_TABLE_INDEX || exceptions * EXCEPTIONAL > elements.len() {
            return self.element_by_bits(store, label, index, elements);
        }
        let mut values = Vec::with_capacity(elements.len());
        let mut others = Vec::with_capacity(exceptions);
        for (number, element) in (0..).zip(elements) {
            let value = store.value(element).cloned();
            if value.is_none() {
                others.push((number, element));
            }
            values.push(value.unwrap_or_else(|| BitVec::zero(store.width(last))));
        }
        let mut chosen = store.lookup(index, values).map_err(ill_sorted)?;
        for (number, element) in others {
            let number = store.small(bits, number);
            let condition = store.eq(index, number);
            chosen = store.apply(Kind::Ite, &[condition, element, chosen], 0, 0).map_err(ill_sorted)?;
        }
        Ok(chosen)
    }

    /// The same as a tree: every bit of the index halves the elements.
    fn element_by_bits(
        &self,
        store: &mut Store,
        label: Label,
        index: Term,
        mut elements: Vec<Term>,
    ) -> Result<Term, ImportError> {
        let ill_sorted = |error: SortError| ImportError::Malformed { label, reason: error.to_string() };
        for bit in 0..u32::from(store.width(index)) {
            let condition = store.apply(Kind::Extract, &[index], bit, 1).map_err(ill_sorted)?;
            let (pairs, _) = elements.as_chunks::<2>();
            let halved = pairs.iter().map(|[low, high]| match low == high {
                true => Ok(*low),
                false => store.apply(Kind::Ite, &[condition, *high, *low], 0, 0),
            });
            elements = halved.collect::<Result<_, SortError>>().map_err(ill_sorted)?;
        }
        elements.first().copied().ok_or(ImportError::Unknown(label))
    }

    fn checked(&self, store: &Store, label: Label, term: Term) -> Result<Term, ImportError> {
        let (found, stated) = (store.width(term), self.nodes[label as usize].width);
        if found == stated {
            return Ok(term);
        }
        Err(ImportError::Malformed { label, reason: format!("{found} bits wide, {stated} stated") })
    }
}
