//! Terms of one iteration, for any iteration.

use expr::{Kind, Store, Term};
use rustc_hash::FxHashMap;

/// Parts of terms that are looked at: loops on larger terms are no counting loops.
const MOST: usize = 4096;

/// What two terms of iterations in a row have become `further` iterations behind the second, if constants go on by
/// equal steps: the terms must differ in nothing else. `further` is 64 bits wide.
pub fn generalise(store: &mut Store, terms: [Term; 2], further: Term) -> Option<Term> {
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
        if nodes[0].kind == Kind::Const {
            made.insert(pair, stepping(store, pair, further)?);
            continue;
        }
        if nodes[0].kind == Kind::Var || nodes.iter().any(|node| node.imm != nodes[0].imm) {
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
        let terms = texts.map(|text| store.exactly(|store| parse_term(store, text)).unwrap());
        let further = store.small(64, further);
        generalise(&mut store, terms, further).map(|term| print_term(&store, term))
    }

    /// The same term, as it is printed.
    fn printed(text: &str) -> Option<String> {
        let mut store = Store::new();
        let term = parse_term(&mut store, text).unwrap();
        Some(print_term(&store, term))
    }

    #[test]
    fn counters_go_on() {
        let two = ["(bvult #x05 |stdin[0]|)", "(bvult #x07 |stdin[0]|)"];
        assert_eq!(generalised(two, 10), printed("(bvult #x1b |stdin[0]|)"));
    }

    #[test]
    fn what_differs_in_more_does_not() {
        let bytes = ["(bvult #x03 |stdin[0]|)", "(bvult #x03 |stdin[1]|)"];
        assert_eq!(generalised(bytes, 10), None, "each iteration has its own byte");
    }
}
