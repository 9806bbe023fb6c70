//! Terms to text.

use core::fmt::Write;

use rustc_hash::FxHashMap;

use super::{is_plain, spelling};
use crate::store::{Kind, Node, Sort, Store, Term, Var, VarName};
use crate::walk::postorder;

/// What remains to be written.
enum Work {
    Term(Term),
    /// An operand whose width the text around it gives.
    Bare(Term),
    Text(&'static str),
}

/// Writes terms; keeps the names of the shared ones.
struct Printer<'a> {
    store: &'a Store,
    names: FxHashMap<Term, usize>,
    out: String,
}

/// The text form of a term on one line.
pub fn print_term(store: &Store, term: Term) -> String {
    let shared = shared_terms(store, &[term]);
    let mut printer = Printer { store, names: FxHashMap::default(), out: String::new() };
    if shared.is_empty() {
        printer.write(term);
        return printer.out;
    }
    printer.out.push_str("(let (");
    for (place, definition) in shared.iter().enumerate() {
        let _ = write!(printer.out, "{}(${place} ", if place == 0 { "" } else { " " });
        printer.write(*definition);
        printer.out.push(')');
        printer.names.insert(*definition, place);
    }
    printer.out.push_str(") ");
    printer.write(term);
    printer.out.push(')');
    printer.out
}

/// The text form of a query, one line for each constraint: `(assert TERM)`. Terms that several constraints share are
/// defined once, by lines `(define NAME TERM)`.
pub fn print_query(store: &Store, constraints: &[Term]) -> String {
    let mut printer = Printer { store, names: FxHashMap::default(), out: String::new() };
    for (place, definition) in shared_terms(store, constraints).into_iter().enumerate() {
        let _ = write!(printer.out, "(define ${place} ");
        printer.write(definition);
        printer.out.push_str(")\n");
        printer.names.insert(definition, place);
    }
    for constraint in constraints {
        printer.out.push_str("(assert ");
        printer.write(*constraint);
        printer.out.push_str(")\n");
    }
    printer.out
}

/// Terms with operands that are used more than once, in the order in which they can be defined.
fn shared_terms(store: &Store, roots: &[Term]) -> Vec<Term> {
    let order = postorder(store, roots, |_| false);
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    for term in &order {
        for operand in store.node(*term).operands() {
            *uses.entry(*operand).or_default() += 1;
        }
    }
    for root in roots {
        *uses.entry(*root).or_default() += 1;
    }
    let shared = |term: &Term| store.kind(*term).arity() > 0 && uses.get(term).is_some_and(|count| *count > 1);
    order.into_iter().filter(shared).collect()
}

impl Printer<'_> {
    fn write(&mut self, root: Term) {
        let mut stack = vec![Work::Term(root)];
        while let Some(work) = stack.pop() {
            let (term, bare) = match work {
                Work::Text(text) => {
                    self.out.push_str(text);
                    continue;
                }
                Work::Term(term) => (term, false),
                Work::Bare(term) => (term, true),
            };
            if let Some(name) = self.names.get(&term) {
                let _ = write!(self.out, "${name}");
            } else if let Some(value) = self.store.value(term) {
                let _ = match value.width() {
                    1 if value.is_true() => write!(self.out, "true"),
                    1 => write!(self.out, "false"),
                    _ if bare => write!(self.out, "{value}"),
                    width => write!(self.out, "{value}:{width}"),
                };
            } else if let Some(var) = self.store.var_of(term) {
                self.write_variable(var);
            } else {
                self.open(&self.store.node(term), &mut stack);
            }
        }
    }

    fn open(&mut self, node: &Node, stack: &mut Vec<Work>) {
        let _ = write!(self.out, "({}", spelling(node.kind));
        match (node.kind, node.sort) {
            (Kind::Extract, Sort::BitVec(width)) => {
                let _ = write!(self.out, " {width} {}", node.imm);
            }
            (Kind::FRound, _) => {
                let _ = write!(self.out, " {}", node.imm);
            }
            (Kind::FConvert | Kind::FFromS | Kind::FFromU | Kind::FToS, Sort::BitVec(width))
            | (Kind::ZExt | Kind::SExt, Sort::BitVec(width))
            | (Kind::ConstArray, Sort::Array { index: width, .. }) => {
                let _ = write!(self.out, " {width}");
            }
            (Kind::Lookup, Sort::BitVec(width)) => {
                let _ = write!(self.out, " {width}");
                for value in self.store.table_of(node).into_iter().flat_map(|table| table.iter()) {
                    let _ = write!(self.out, " {value}");
                }
            }
            _ => {}
        }
        let operands = node.operands();
        stack.push(Work::Text(")"));
        for (place, operand) in operands.iter().enumerate().rev() {
            let other = match (node.kind, place) {
                (Kind::Ite, 1) => operands.get(2),
                (Kind::Ite, 2) => operands.get(1),
                (kind, 0) if kind.is_binary() => operands.get(1),
                (kind, 1) if kind.is_binary() => operands.first(),
                _ => None,
            };
            let given = other.is_some_and(|other| self.store.value(*other).is_none());
            stack.push(if given { Work::Bare(*operand) } else { Work::Term(*operand) });
            stack.push(Work::Text(" "));
        }
    }

    fn write_variable(&mut self, var: Var) {
        let _ = match self.store.var_name(var) {
            VarName::Input { part, offset } => {
                let name = self.store.part_name(*part);
                self.write_name(&name);
                write!(self.out, "[{offset}]")
            }
            VarName::Named(name) => {
                self.write_name(name);
                match self.store.var_sort(var) {
                    Sort::BitVec(width) => write!(self.out, ":{width}"),
                    Sort::Array { index, element } => write!(self.out, ":{index}>{element}"),
                }
            }
        };
    }

    fn write_name(&mut self, name: &str) {
        if is_plain(name) {
            self.out.push_str(name);
            return;
        }
        self.out.push('|');
        for c in name.chars() {
            if c == '|' || c == '\\' {
                self.out.push('\\');
            }
            self.out.push(c);
        }
        self.out.push('|');
    }
}
