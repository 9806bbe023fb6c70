//! What a check on a path is called, whichever test comes that way.
//!
//! Two checks have the same name only if the same condition is asked for under the same constraints: that no input
//! violates one is so for the other, in another test, and in another build of the program. Sites and positions are not
//! part of it. What a violation looks like is a matter of the place too, and which inputs come there one of the divisions before:
//! what does not simply hold has a name with these in it.

use checkers::inject::Injected;
use expr::{BitVec, Kind, Sort, Store, Term, VarName};
use path::Path;
use rustc_hash::FxHashMap;
use search::Division;
use store::Name;

/// What a check on a path is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Names {
    /// By its condition and the constraints before it.
    pub everywhere: Name,
    /// Where it stands, behind the divisions that are there.
    pub here: Name,
}

/// The names of all checks of a path, in their order.
pub fn names(path: &Path, checks: &[Injected]) -> Vec<Names> {
    let roots: Vec<Term> = path
        .constraints
        .iter()
        .map(|constraint| constraint.holds)
        .chain(checks.iter().map(|check| check.holds.term))
        .collect();
    let terms = terms(&path.store, &roots);
    let of = |term: Term| terms.get(term.index()).copied().unwrap_or_default();
    // What the path says up to each constraint.
    let mut prefixes = vec![Name::default()];
    for constraint in &path.constraints {
        let before = prefixes.last().copied().unwrap_or_default();
        prefixes.push(hash(&[&before, &of(constraint.holds)]));
    }
    let divisions = search::divisions(checks);
    let mut passed = vec![Name::default()];
    for division in &divisions {
        let before = passed.last().copied().unwrap_or_default();
        passed.push(hash(&[&before, &of(division.holds().term)]));
    }
    let name = |check: &Injected| {
        let prefix = prefixes.get(check.before).or(prefixes.last()).copied().unwrap_or_default();
        let everywhere = hash(&[&prefix, check.rule.id().as_bytes(), &of(check.holds.term)]);
        let passed = passed.get(Division::before(&divisions, check).len()).copied().unwrap_or_default();
        Names { everywhere, here: hash(&[&everywhere, &check.site.to_le_bytes(), &passed]) }
    };
    checks.iter().map(name).collect()
}

/// A hash for all terms that `roots` are made of, by the term's index, which does not depend on the store.
fn terms(store: &Store, roots: &[Term]) -> Vec<Name> {
    let mut hashes = vec![Name::default(); store.len()];
    // Their names stay when their numbers change.
    let kinds: FxHashMap<Kind, String> = Kind::ALL.into_iter().map(|kind| (kind, format!("{kind:?} "))).collect();
    let mut text = Vec::new();
    for term in expr::below(store, roots) {
        let node = store.node(term);
        text.clear();
        text.extend(kinds.get(&node.kind).iter().flat_map(|name| name.as_bytes()));
        match node.sort {
            Sort::BitVec(width) => text.extend(width.to_le_bytes()),
            Sort::Array { index, element } => {
                text.push(b'a');
                text.extend([index.to_le_bytes(), element.to_le_bytes()].as_flattened());
            }
        }
        match node.kind {
            Kind::Const => words(&mut text, store.value(term)),
            Kind::Var => store.var_of(term).iter().for_each(|var| variable(&mut text, store.var_name(*var))),
            Kind::Lookup => words(&mut text, store.table(term).unwrap_or_default()),
            _ => text.extend(node.imm.to_le_bytes()),
        }
        // Operands are at the end and of one size, so what comes before them cannot be taken for them.
        let mut operands = [Name::default(); 3];
        let count = node.operands().len().min(operands.len());
        for (name, operand) in operands.iter_mut().zip(node.operands()) {
            *name = hashes.get(operand.index()).copied().unwrap_or_default();
        }
        let operands = operands.get_mut(..count).unwrap_or_default();
        if node.kind.is_commutative() {
            // Their order is that in which they came to the store.
            operands.sort_unstable();
        }
        text.extend(operands.as_flattened());
        if let Some(hash) = hashes.get_mut(term.index()) {
            *hash = short(&text);
        }
    }
    hashes
}

fn words<'a>(text: &mut Vec<u8>, values: impl IntoIterator<Item = &'a BitVec>) {
    for value in values {
        text.extend(value.words().iter().flat_map(|word| word.to_le_bytes()));
    }
}

fn variable(text: &mut Vec<u8>, name: &VarName) {
    match name {
        VarName::Input { part, offset } => {
            text.push(b'i');
            text.extend(part.to_le_bytes());
            text.extend(offset.to_le_bytes());
        }
        VarName::Named(name) => {
            text.push(b'n');
            text.extend(name.as_bytes());
        }
    }
}

fn short(text: &[u8]) -> Name {
    blake3::hash(text).as_bytes().first_chunk().copied().unwrap_or_default()
}

fn hash(pieces: &[&[u8]]) -> Name {
    let mut text = Vec::with_capacity(128);
    for piece in pieces {
        text.extend((piece.len() as u64).to_le_bytes());
        text.extend_from_slice(piece);
    }
    short(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(store: &mut Store, text: &str) -> Term {
        expr::parse_term(store, text).unwrap()
    }

    fn name(before: &str, text: &str) -> Name {
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        // Whatever else is in the store makes no difference.
        if !before.is_empty() {
            term(&mut store, before);
        }
        let term = term(&mut store, text);
        terms(&store, &[term])[term.index()]
    }

    #[test]
    fn equal_terms_have_equal_names() {
        let text = "(ult (add stdin[0] stdin[1]) 7:8)";
        assert_eq!(name("", text), name("(eq stdin[1] 3:8)", text));
    }

    #[test]
    fn different_terms_have_different_names() {
        let texts = [
            "(ult stdin[0] 7:8)",
            "(ult stdin[1] 7:8)",
            "(ult stdin[0] 8:8)",
            "(slt stdin[0] 7:8)",
            "(ult 7:8 stdin[0])",
            "(eq (extract 2 1 stdin[0]) 1:2)",
            "(eq (extract 2 2 stdin[0]) 1:2)",
            "(lookup 1 1 0 1 1 (extract 2 2 stdin[0]))",
            "(lookup 1 1 1 0 1 (extract 2 2 stdin[0]))",
        ];
        let names: std::collections::BTreeSet<Name> = texts.iter().map(|text| name("", text)).collect();
        assert_eq!(names.len(), texts.len());
    }
}
