//! Terms that choose between few constants: what a table of pointers has under a key, say.
//!
//! No interval tells two addresses from all that lies between them, and a backend would have to understand how the choice is made: the
//! hash of the key. But what depends on the input by way of one choice alone can be tried with each value that this has.

use expr::{BitVec, Kind, Model, Sort, Store, Term, Values, eval_step, postorder};
use rustc_hash::FxHashMap;

use super::table::Table;

/// More values than this are too many to try.
const MAX_VALUES: usize = 64;
/// More terms above a choice than this are too many to evaluate for each.
const MAX_TERMS: usize = 200;

/// The choices that a path is made of.
#[derive(Default)]
pub(crate) struct Choices {
    /// The constraints of the path.
    said: Vec<Term>,
    /// How many of them have been learnt from.
    learnt: usize,
    known: Table<Through>,
    /// The values that are left of each choice.
    left: FxHashMap<Term, Vec<BitVec>>,
}

/// By way of what a term depends on the input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    /// It does not.
    Nothing,
    /// Of this choice alone.
    One(Term),
    /// Of anything else.
    Other,
}

impl Through {
    fn with(self, other: Through) -> Through {
        match (self, other) {
            (Through::Nothing, other) | (other, Through::Nothing) => other,
            (one, other) if one == other => one,
            _ => Through::Other,
        }
    }
}

/// The values of terms above a choice, for one value of it.
struct Trial(FxHashMap<Term, BitVec>);

impl Values for Trial {
    fn value(&self, term: Term) -> Option<&BitVec> {
        self.0.get(&term)
    }
}

impl Choices {
    /// Adds a constraint to the path. Nothing is done about it until somebody asks.
    pub(crate) fn push(&mut self, constraint: Term) {
        self.said.push(constraint);
    }

    /// Whether the one-bit `goal` depends on one choice, and is false for all values that the path leaves it.
    pub(crate) fn is_never(&mut self, store: &Store, goal: Term) -> bool {
        let Through::One(choice) = self.look_at(store, goal) else { return false };
        for place in core::mem::replace(&mut self.learnt, self.said.len())..self.said.len() {
            let constraint = self.said[place];
            if let Through::One(choice) = self.look_at(store, constraint) {
                self.keep_where_true(store, choice, constraint);
            }
        }
        let Some(values) = self.left.get(&choice) else { return false };
        which_hold(store, choice, values, goal).is_some_and(|holds| !holds.contains(&true))
    }

    fn keep_where_true(&mut self, store: &Store, choice: Term, constraint: Term) {
        let Some(values) = self.left.get_mut(&choice) else { return };
        let Some(holds) = which_hold(store, choice, values, constraint) else { return };
        let mut holds = holds.into_iter();
        values.retain(|_| holds.next().unwrap_or(true));
    }

    fn look_at(&mut self, store: &Store, root: Term) -> Through {
        for term in postorder(store, &[root], |term| self.of(term).is_some()) {
            let through = self.through(store, term);
            self.known.insert(term, through);
        }
        self.of(root).unwrap_or(Through::Other)
    }

    fn of(&self, term: Term) -> Option<Through> {
        self.known.get(term).copied()
    }

    /// The same for a term whose operands have been looked at.
    fn through(&mut self, store: &Store, term: Term) -> Through {
        let node = store.node(term);
        let values = match (node.kind, node.sort) {
            (Kind::Const, _) => return Through::Nothing,
            (Kind::Var | Kind::Select, _) | (_, Sort::Array { .. }) => return Through::Other,
            (Kind::Ite, _) => self.either(store, node.operands[1], node.operands[2]),
            (Kind::Lookup, _) => store.table(term).and_then(|table| together(table.iter())),
            _ => None,
        };
        if let Some(values) = values {
            self.left.insert(term, values);
            return Through::One(term);
        }
        let operands = node.operands().iter().map(|operand| self.of(*operand).unwrap_or(Through::Other));
        operands.fold(Through::Nothing, Through::with)
    }

    /// The values of two terms that are constants, or choices themselves.
    fn either(&self, store: &Store, a: Term, b: Term) -> Option<Vec<BitVec>> {
        let values = |term: Term| match store.value(term) {
            Some(value) => Some(core::slice::from_ref(value)),
            None => self.left.get(&term).map(Vec::as_slice),
        };
        together(values(a)?.iter().chain(values(b)?))
    }
}

/// Each value once, unless there are too many.
fn together<'a>(values: impl Iterator<Item = &'a BitVec>) -> Option<Vec<BitVec>> {
    let mut all: Vec<BitVec> = Vec::new();
    for value in values {
        if !all.contains(value) {
            if all.len() == MAX_VALUES {
                return None;
            }
            all.push(value.clone());
        }
    }
    Some(all)
}

/// For each value of a choice, whether a one-bit term is true that depends on nothing else; unless there is too much between them.
fn which_hold(store: &Store, choice: Term, values: &[BitVec], term: Term) -> Option<Vec<bool>> {
    let between = postorder(store, &[term], |below| below == choice);
    if between.len() > MAX_TERMS {
        return None;
    }
    let nothing = Model::default();
    let holds = |value: &BitVec| {
        let mut trial = Trial(FxHashMap::default());
        trial.0.insert(choice, value.clone());
        for term in &between {
            let value = eval_step(store, &nothing, *term, &trial);
            trial.0.insert(*term, value);
        }
        trial.value(term).is_some_and(BitVec::is_true)
    };
    Some(values.iter().map(holds).collect())
}

#[cfg(test)]
mod tests {
    use expr::{Evaluator, Input, parse_term};
    use std::sync::Arc;

    use super::*;

    const POINTER: &str = "(ite (ult stdin[0] 7:8) 500:16 (ite (eq stdin[1] 3:8) 600:16 0:16))";

    fn is_never(path: &[&str], goal: &str) -> bool {
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        let mut said = |text: &str| store.exactly(|store| parse_term(store, &text.replace('P', POINTER)).unwrap());
        let mut choices = Choices::default();
        path.iter().for_each(|constraint| choices.push(said(constraint)));
        let goal = said(goal);
        let never = choices.is_never(&store, goal);
        // Nothing is asked of the other bytes, and these decide everything.
        for (a, b) in [(0, 0), (0, 3), (9, 0), (9, 3)] {
            let model = Model::of_input(Arc::new(Input { parts: vec![vec![a, b, 1]] }));
            let mut evaluator = Evaluator::new(&store, &model);
            let is_on_path = choices.said.iter().all(|constraint| evaluator.eval(*constraint).is_true());
            assert!(!(never && is_on_path && evaluator.eval(goal).is_true()), "{path:?} {a} {b}");
        }
        never
    }

    #[test]
    fn each_value_of_a_choice_is_tried() {
        let outside = "(not (or (ult (add P 65036:16) 9:16) (ult (add P 64936:16) 9:16)))";
        assert!(is_never(&["(not (eq P 0:16))"], outside));
        assert!(is_never(&["(not (eq P 0:16))"], "(ult P 100:16)"));
        assert!(is_never(&["(not (eq P 0:16))", "(ult P 600:16)"], "(not (eq P 500:16))"));
        assert!(is_never(&[], "(eq P 501:16)"));
    }

    #[test]
    fn a_value_that_is_left_may_make_the_goal_true() {
        assert!(!is_never(&[], "(ult P 100:16)"));
        assert!(!is_never(&["(not (eq P 0:16))"], "(eq P 600:16)"));
        assert!(!is_never(&["(ult 0:8 stdin[2])"], "(eq P 0:16)"));
    }

    #[test]
    fn what_depends_on_more_is_left_to_others() {
        assert!(!is_never(&[], "(and (eq P 501:16) (eq stdin[2] 1:8))"));
        assert!(!is_never(&["(not (eq P (zext 16 stdin[2])))"], "(eq P 0:16)"));
    }
}
