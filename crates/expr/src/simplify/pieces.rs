//! Words made of pieces: `zext`, `concat` and zeros.

use crate::bitvec::BitVec;
use crate::store::{Kind, Store, Term};

/// Consecutive bits of a word: zeros, or a term.
#[derive(Clone, Copy)]
struct Piece {
    low: u16,
    term: Option<Term>,
}

/// More pieces than this are not worth looking at.
const MAX_PIECES: usize = 64;

/// The pieces of a word from the lowest on, or `None` if there are too many.
fn pieces(store: &Store, word: Term) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut stack = vec![(Some(word), store.width(word))];
    let mut low = 0;
    while let Some((term, width)) = stack.pop() {
        if let Some(term) = term {
            let [a, b, _] = store.node(term).operands;
            match store.kind(term) {
                Kind::Concat => {
                    stack.extend([(Some(a), store.width(a)), (Some(b), store.width(b))]);
                    continue;
                }
                Kind::ZExt => {
                    stack.extend([(None, width - store.width(a)), (Some(a), store.width(a))]);
                    continue;
                }
                _ => {}
            }
        }
        let term = term.filter(|term| !store.value(*term).is_some_and(BitVec::is_zero));
        found.push(Piece { low, term });
        low += width;
        if found.len() > MAX_PIECES {
            return None;
        }
    }
    Some(found)
}

/// The concatenation that equals `a | b`, `a ^ b` and `a + b` where at every bit one of both is known to be 0.
pub(super) fn join_disjoint(store: &mut Store, a: Term, b: Term) -> Option<Term> {
    let made_of_pieces = |term| matches!(store.kind(term), Kind::ZExt | Kind::Concat);
    if !made_of_pieces(a) || !made_of_pieces(b) {
        return None;
    }
    let (a_pieces, b_pieces) = (pieces(store, a)?, pieces(store, b)?);
    let mut cuts: Vec<u16> = a_pieces.iter().chain(&b_pieces).map(|piece| piece.low).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let end = store.width(a);
    let at = |pieces: &[Piece], low: u16| pieces.iter().rfind(|piece| piece.low <= low).copied();
    let mut chosen = Vec::with_capacity(cuts.len());
    for (place, low) in cuts.iter().enumerate() {
        let width = cuts.get(place + 1).copied().unwrap_or(end) - low;
        let (x, y) = (at(&a_pieces, *low)?, at(&b_pieces, *low)?);
        let piece = match (x.term, y.term) {
            (Some(_), Some(_)) => return None,
            (Some(term), None) => Some((term, low - x.low)),
            (None, Some(term)) => Some((term, low - y.low)),
            (None, None) => None,
        };
        chosen.push((piece, width));
    }
    let mut joined: Option<Term> = None;
    for (piece, width) in chosen {
        let next = match piece {
            Some((term, low)) => store.extract(term, low.into(), width),
            None => store.zeros(width),
        };
        joined = Some(match joined {
            Some(below) => store.concat(next, below),
            None => next,
        });
    }
    joined
}
