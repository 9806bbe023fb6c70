//! Terms for people: short, with runs of input bytes written as one.

use expr::{Kind, Store, Term, VarName};

/// A term as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Brief {
    /// The text, with `…` for what was left out.
    pub text: String,
    /// Whether nothing was left out.
    pub complete: bool,
}

/// The term in at most about `limit` characters. Unlike the text form of `expr`, which `--full` prints, this is only to
/// be read: bytes next to each other are one run (`stdin[4..8]`, the last byte most significant, or `stdin[4..8]be`), and
/// constants have no widths.
pub fn brief(store: &Store, term: Term, limit: usize) -> Brief {
    let mut printer = Printer { store, text: String::new(), limit, complete: true };
    printer.term(term);
    Brief { text: printer.text, complete: printer.complete }
}

/// The term in the text form of `expr`.
pub fn full(store: &Store, term: Term) -> Brief {
    Brief { text: expr::print_term(store, term), complete: true }
}

/// Halves of concatenations that are looked at together; more than the widest value that programs compare has bytes.
const MAX_PIECES: usize = 128;

struct Printer<'a> {
    store: &'a Store,
    text: String,
    limit: usize,
    complete: bool,
}

impl Printer<'_> {
    // Recursion is bounded: every level writes at least one character, and there is a limit to those.
    fn term(&mut self, term: Term) {
        if self.text.len() >= self.limit {
            self.complete = false;
            self.text.push('…');
            return;
        }
        let node = self.store.node(term);
        match node.kind {
            Kind::Const => match self.store.value(term) {
                Some(value) if value.width() == 1 => self.text.push_str(if value.is_true() { "true" } else { "false" }),
                Some(value) => self.text.push_str(&value.to_string()),
                None => self.text.push('?'),
            },
            Kind::Var => self.variable(term),
            Kind::Concat => self.concat(term),
            Kind::Extract => {
                let low = node.imm;
                self.operator(&format!("bits {low}..{}", low + u32::from(node.sort.width())), node.operands());
            }
            Kind::ZExt | Kind::SExt => {
                let name = if node.kind == Kind::ZExt { "zext" } else { "sext" };
                self.operator(&format!("{name} {}", node.sort.width()), node.operands());
            }
            Kind::Not if self.store.kind(node.operands[0]) == Kind::Eq => {
                let equality = self.store.node(node.operands[0]);
                self.operator("ne", equality.operands());
            }
            kind => self.operator(&format!("{kind:?}").to_lowercase(), node.operands()),
        }
    }

    fn operator(&mut self, name: &str, operands: &[Term]) {
        self.text.push('(');
        self.text.push_str(name);
        for operand in operands {
            self.text.push(' ');
            self.term(*operand);
            if !self.complete {
                break;
            }
        }
        self.text.push(')');
    }

    fn variable(&mut self, term: Term) {
        match self.input_byte(term) {
            Some((part, offset)) => self.text.push_str(&format!("{}[{offset}]", self.store.part_name(part))),
            None => {
                let name = self.store.var_of(term).map(|var| self.store.var_name(var));
                if let Some(VarName::Named(name)) = name {
                    self.text.push_str(name);
                }
            }
        }
    }

    fn input_byte(&self, term: Term) -> Option<(u32, u64)> {
        match self.store.var_name(self.store.var_of(term)?) {
            VarName::Input { part, offset } => Some((*part, *offset)),
            VarName::Named(_) => None,
        }
    }

    fn concat(&mut self, term: Term) {
        let pieces = self.merge(self.pieces(term));
        match pieces.as_slice() {
            [piece] => self.piece(piece),
            pieces => {
                self.text.push_str("(concat");
                for piece in pieces {
                    self.text.push(' ');
                    self.piece(piece);
                    if !self.complete {
                        break;
                    }
                }
                self.text.push(')');
            }
        }
    }

    /// What is concatenated, the most significant first.
    fn pieces(&self, term: Term) -> Vec<Term> {
        let mut pieces = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            let node = self.store.node(term);
            if node.kind == Kind::Concat && pieces.len() + open.len() < MAX_PIECES {
                open.extend(node.operands().iter().rev());
            } else {
                pieces.push(term);
            }
        }
        pieces
    }

    /// Joins input bytes that follow each other.
    fn merge(&self, terms: Vec<Term>) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        for term in terms {
            let Some((part, offset)) = self.input_byte(term) else {
                pieces.push(Piece::Term(term));
                continue;
            };
            if let Some(Piece::Run(run)) = pieces.last_mut()
                && run.extend(part, offset)
            {
                continue;
            }
            pieces.push(Piece::Run(Run { part, first: offset, last: offset }));
        }
        pieces
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Term(term) => self.term(*term),
            Piece::Run(run) => {
                let name = self.store.part_name(run.part);
                let text = match (run.first, run.last) {
                    (first, last) if first == last => format!("{name}[{first}]"),
                    (high, low) if high > low => format!("{name}[{low}..{}]", high + 1),
                    (high, low) => format!("{name}[{high}..{}]be", low + 1),
                };
                self.text.push_str(&text);
            }
        }
    }
}

enum Piece {
    Term(Term),
    Run(Run),
}

/// Bytes of one part, from the most significant one to the least.
struct Run {
    part: u32,
    first: u64,
    last: u64,
}

impl Run {
    /// Takes a less significant byte in, if it is the next one in the direction of the run.
    fn extend(&mut self, part: u32, offset: u64) -> bool {
        let down = self.first >= self.last && self.last.checked_sub(1) == Some(offset);
        let up = self.first <= self.last && self.last.checked_add(1) == Some(offset);
        let joins = part == self.part && (down || up);
        if joins {
            self.last = offset;
        }
        joins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a term and prints it briefly.
    fn check(text: &str, expected: &str) {
        let mut store = Store::new();
        let term = expr::parse_term(&mut store, text).unwrap();
        assert_eq!(brief(&store, term, 60).text, expected);
    }

    #[test]
    fn bytes_next_to_each_other_are_a_run() {
        check("(concat stdin[3] (concat stdin[2] (concat stdin[1] stdin[0])))", "stdin[0..4]");
        check("(concat (concat stdin[4] stdin[5]) stdin[6])", "stdin[4..7]be");
        check("(concat stdin[1] (concat f[0] stdin[0]))", "(concat stdin[1] f[0] stdin[0])");
        check("(concat (concat stdin[1] stdin[0]) (concat stdin[2] stdin[3]))", "(concat stdin[0..2] stdin[2..4]be)");
    }

    #[test]
    fn comparisons_are_readable() {
        check("(ne stdin[0] 0x47)", "(ne stdin[0] 0x47)");
        check("(ult (zext 32 stdin[2]) x:32)", "(ult (zext 32 stdin[2]) x)");
    }

    #[test]
    fn large_terms_are_cut() {
        let mut store = Store::new();
        let mut term = store.named("x", 32);
        for index in 0..1000 {
            let other = store.named(&format!("y{index}"), 32);
            term = store.binary(Kind::URem, other, term);
        }
        let brief = brief(&store, term, 60);
        assert!(!brief.complete);
        assert!(brief.text.chars().count() < 100, "{}", brief.text);
        assert!(brief.text.starts_with("(urem y999 (urem y998"), "{}", brief.text);
    }
}
