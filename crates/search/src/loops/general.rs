//! Terms of one iteration, for any iteration.

use expr::{Kind, Store, Term, VarName};
use rustc_hash::FxHashMap;

/// Parts of terms that are looked at: loops on larger terms are no counting loops.
const MOST: usize = 4096;

/// What two terms of iterations in a row have become `further` iterations behind the second, if constants go on by
/// equal steps: the terms must differ in nothing else. `further` is 64 bits wide.
pub fn generalise(store: &mut Store, terms: [Term; 2], further: Term) -> Option<Term> {
    rebuild(store, terms, |store, pair| stepping(store, pair, further))
}

/// The same for a known number of iterations, where each may look at bytes of the input that are as far from those of the one
/// before.
pub fn at(store: &mut Store, terms: [Term; 2], further: u64) -> Option<Term> {
    let number = store.small(64, further);
    rebuild(store, terms, |store, pair| match pair.map(|term| store.var_of(term)) {
        [Some(first), Some(second)] => {
            let [VarName::Input { part, offset: first }, VarName::Input { part: other, offset: second }] =
                [first, second].map(|var| store.var_name(var).clone())
            else {
                return None;
            };
            let step = i128::from(second) - i128::from(first);
            let offset = u64::try_from(i128::from(second) + step * i128::from(further)).ok()?;
            (part == other).then(|| store.input(part, offset))
        }
        _ => stepping(store, pair, number),
    })
}

/// Whether a term is what two before it lead to expect: then three in a row go by equal steps.
pub fn is_next(store: &mut Store, before: [Term; 2], term: Term) -> bool {
    let one = store.small(64, 1);
    // Parts in which terms do not differ are left as the trace says them.
    let expected = generalise(store, before, one).map(|expected| store.simplified(expected));
    expected.is_some() && expected == Some(store.simplified(term))
}

/// Goes through two terms at once; `leaf` says what constants and variables become in which they differ.
fn rebuild(
    store: &mut Store,
    terms: [Term; 2],
    mut leaf: impl FnMut(&mut Store, [Term; 2]) -> Option<Term>,
) -> Option<Term> {
    let mut made: FxHashMap<[Term; 2], Term> = FxHashMap::default();
    let mut work = vec![terms];
    while let Some(&pair) = work.last() {
        if made.contains_key(&pair) {
            work.pop();
            continue;
        }
        if made.len() > MOST {
            return None;
        }
        let [first, second] = pair;
        if first == second {
            made.insert(pair, second);
            continue;
        }
        let nodes = pair.map(|term| store.node(term));
        let is_alike = nodes.iter().all(|node| (node.kind, node.sort) == (nodes[0].kind, nodes[0].sort));
        if !is_alike {
            return None;
        }
        if matches!(nodes[0].kind, Kind::Const | Kind::Var) {
            made.insert(pair, leaf(store, pair)?);
            continue;
        }
        if nodes.iter().any(|node| node.imm != nodes[0].imm) {
            return None;
        }
        let operands: Vec<[Term; 2]> =
            (0..nodes[0].operands().len()).map(|i| nodes.map(|node| node.operands[i])).collect();
        let missing: Vec<[Term; 2]> = operands.iter().copied().filter(|pair| !made.contains_key(pair)).collect();
        if missing.is_empty() {
            let operands: Option<Vec<Term>> = operands.iter().map(|pair| made.get(pair).copied()).collect();
            let term = store.apply(nodes[0].kind, &operands?, nodes[0].imm, nodes[0].sort.width()).ok()?;
            made.insert(pair, term);
        }
        work.extend(missing);
    }
    made.get(&terms).copied()
}

/// A constant that goes by equal steps.
fn stepping(store: &mut Store, pair: [Term; 2], further: Term) -> Option<Term> {
    let [first, second] = pair.map(|term| store.value(term).cloned());
    let (first, second) = (first?, second?);
    let width = second.width();
    if width > 64 {
        return None;
    }
    let step = second.sub(&first);
    let further = if width < 64 { store.extract(further, 0, width) } else { further };
    let step = store.constant(step);
    let distance = store.binary(Kind::Mul, step, further);
    let second = store.constant(second);
    Some(store.add(second, distance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{parse_term, print_term};

    fn generalised(texts: [&str; 2], further: u64) -> Option<String> {
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        let terms = texts.map(|text| store.exactly(|store| parse_term(store, text)).unwrap());
        let further = store.small(64, further);
        generalise(&mut store, terms, further).map(|term| print_term(&store, term))
    }

    /// The same term, as it is printed.
    fn printed(text: &str) -> Option<String> {
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        let term = parse_term(&mut store, text).unwrap();
        Some(print_term(&store, term))
    }

    #[test]
    fn counters_go_on() {
        let two = ["(ult 0x5 stdin[0])", "(ult 0x7 stdin[0])"];
        assert_eq!(generalised(two, 10), printed("(ult 0x1b stdin[0])"));
    }

    #[test]
    fn what_differs_in_more_does_not() {
        let bytes = ["(ult 0x3 stdin[0])", "(ult 0x3 stdin[1])"];
        assert_eq!(generalised(bytes, 10), None, "each iteration has its own byte");
    }

    #[test]
    fn three_in_a_row_tell_steps_from_others() {
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        let texts = ["(ult 0x1 stdin[0])", "(ult 0x4 stdin[0])", "(ult 0x7 stdin[0])", "(ult 0x9 stdin[0])"];
        let [a, b, next, square] = texts.map(|text| store.exactly(|store| parse_term(store, text)).unwrap());
        assert!(is_next(&mut store, [a, b], next));
        assert!(!is_next(&mut store, [a, b], square));
    }

    #[test]
    fn bytes_go_on_too() {
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        let terms = ["(eq 0x3 stdin[4])", "(eq 0x3 stdin[6])"];
        let terms = terms.map(|text| store.exactly(|store| parse_term(store, text)).unwrap());
        let third = at(&mut store, terms, 1).map(|term| print_term(&store, term));
        assert_eq!(third, printed("(eq 0x3 stdin[8])"));
        let backwards = at(&mut store, [terms[1], terms[0]], 3);
        assert_eq!(backwards, None, "there is nothing before the first byte");
    }
}
