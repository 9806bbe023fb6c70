//! What a check on a path is called, whichever test comes that way.
//!
//! Two checks have the same name only if the same condition is asked for under the same constraints: that no input
//! violates one is so for the other, in another test, and in another build of the program. Sites and positions are not
//! part of it. What a violation looks like is a matter of the place too: [`at`] names that.

use checkers::inject::Injected;
use expr::{BitVec, Kind, Store, Term, VarName};
use path::Path;
use rustc_hash::FxHashMap;

/// The name of a check on a path.
pub type Name = [u8; 16];

/// The names of checks, in their order.
pub fn names(path: &Path, checks: &[Injected]) -> Vec<Name> {
    let roots: Vec<Term> = path
        .constraints
        .iter()
        .map(|constraint| constraint.holds)
        .chain(checks.iter().map(|check| check.holds.term))
        .collect();
    let terms = terms(&path.store, &roots);
    let of = |term: Term| terms.get(&term).copied().unwrap_or_default();
    // What the path says up to each constraint.
    let mut prefixes = vec![Name::default()];
    for constraint in &path.constraints {
        let before = prefixes.last().copied().unwrap_or_default();
        prefixes.push(hash(&[&before, &of(constraint.holds)]));
    }
    let name = |check: &Injected| {
        let prefix = prefixes.get(check.before).or(prefixes.last()).copied().unwrap_or_default();
        hash(&[&prefix, check.rule.id().as_bytes(), &of(check.holds.term)])
    };
    checks.iter().map(name).collect()
}

/// The name of a check at a place.
pub fn at(name: &Name, site: u32) -> Name {
    hash(&[name, &site.to_le_bytes()])
}

/// A hash for all terms that `roots` are made of, which does not depend on the store.
fn terms(store: &Store, roots: &[Term]) -> FxHashMap<Term, Name> {
    let mut hashes: FxHashMap<Term, Name> = FxHashMap::default();
    for term in expr::postorder(store, roots, |_| false) {
        let node = store.node(term);
        let mut operands: Vec<Name> =
            node.operands().iter().map(|operand| hashes.get(operand).copied().unwrap_or_default()).collect();
        if node.kind.is_commutative() {
            // Their order is that in which they came to the store.
            operands.sort_unstable();
        }
        let about: Vec<u8> = match node.kind {
            Kind::Const => words(store.value(term)),
            Kind::Var => store.var_of(term).map(|var| variable(store.var_name(var))).unwrap_or_default(),
            Kind::Lookup => words(store.table(term).unwrap_or_default()),
            _ => node.imm.to_le_bytes().to_vec(),
        };
        let sort = format!("{:?} {:?}", node.kind, node.sort);
        hashes.insert(term, hash(&[sort.as_bytes(), &about, operands.as_flattened()]));
    }
    hashes
}

fn words<'a>(values: impl IntoIterator<Item = &'a BitVec>) -> Vec<u8> {
    values.into_iter().flat_map(BitVec::words).flat_map(u64::to_le_bytes).collect()
}

fn variable(name: &VarName) -> Vec<u8> {
    match name {
        VarName::Input { part, offset } => [&b"i"[..], &part.to_le_bytes(), &offset.to_le_bytes()].concat(),
        VarName::Named(name) => [b"n", name.as_bytes()].concat(),
    }
}

fn hash(pieces: &[&[u8]]) -> Name {
    let mut hasher = blake3::Hasher::new();
    for piece in pieces {
        hasher.update(&(piece.len() as u64).to_le_bytes()).update(piece);
    }
    let mut name = Name::default();
    hasher.finalize_xof().fill(&mut name);
    name
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
        terms(&store, &[term])[&term]
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
