//! The decisions of a path: what tells it from every other one.

use path::{Constraint, Kind, Path};
use run::Outcome;
use trace::layout::PartKind;

/// A decision of the program: where, and which way it went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    /// Where.
    pub site: u32,
    /// Which way: 0 or 1 at a branch; at a switch the index of the case, or their number for the default.
    pub way: u64,
}

/// The decision that a constraint comes from. A pin is none.
pub fn decision(constraint: &Constraint) -> Option<Decision> {
    let way = match &constraint.kind {
        Kind::Branch { taken } => u64::from(*taken),
        // Where the cases are not known, every value has a way of its own.
        Kind::Switch { value, cases } if cases.is_empty() => *value,
        Kind::Switch { value, cases } => cases.iter().position(|case| case == value).unwrap_or(cases.len()) as u64,
        Kind::Pin { .. } | Kind::Access { .. } | Kind::Bounds { .. } => return None,
    };
    Some(Decision { site: constraint.site, way })
}

/// The decisions of a path, each with the index of the constraint that it comes from.
pub fn decisions(path: &Path) -> impl Iterator<Item = (usize, Decision)> {
    path.constraints.iter().enumerate().filter_map(|(index, constraint)| Some((index, decision(constraint)?)))
}

/// The index behind the constraint that a number of decisions ends with; nothing if a path has fewer.
pub fn behind(path: &Path, number: usize) -> Option<usize> {
    match number.checked_sub(1) {
        Some(last) => decisions(path).nth(last).map(|(index, _)| index + 1),
        None => Some(0),
    }
}

/// A name for a path, or for the beginning of one.
pub type Name = Vec<u8>;

/// Bytes of a name: enough that no two paths of a campaign share one.
const NAME: usize = 16;

/// Decisions in a row, from the start of a path.
#[derive(Clone)]
pub struct Row {
    hasher: blake3::Hasher,
    len: usize,
}

impl Row {
    /// No decisions of a run on an input of this length. Runs on inputs of other lengths take other paths, though they may
    /// decide the same; where the length is input itself, what is decided about it is in the path.
    pub fn new(outcome: &Outcome) -> Row {
        let mut hasher = blake3::Hasher::new();
        let parts = outcome.trace.parts();
        for (index, (part, bytes)) in (0..).zip(parts.iter().zip(&outcome.contents)) {
            let has_length = parts.iter().any(|other| other.kind == PartKind::Length && other.inode == index);
            if part.kind.is_file() && !has_length {
                hasher.update(&(bytes.len() as u64).to_le_bytes());
            }
        }
        Row { hasher, len: 0 }
    }

    /// Adds a decision.
    pub fn push(&mut self, decision: Decision) {
        self.hasher.update(&decision.site.to_le_bytes()).update(&decision.way.to_le_bytes());
        self.len += 1;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds the decisions of a path from one constraint to another.
    pub fn extend(&mut self, path: &Path, constraints: std::ops::Range<usize>) {
        let constraints = path.constraints.get(constraints).unwrap_or_default();
        constraints.iter().filter_map(decision).for_each(|decision| self.push(decision));
    }

    /// The name of what there is so far.
    pub fn name(&self) -> Name {
        self.hasher.finalize().as_bytes().iter().copied().take(NAME).collect()
    }
}

#[cfg(test)]
mod tests {
    use trace::layout::Reason;

    use super::*;
    use crate::divergence::in_common;
    use crate::made::path_of;

    /// One pin more on a child's path made its last decision one too few, and that was a divergence without an explanation.
    #[test]
    fn pins_are_not_counted() {
        let pin = Kind::Pin { value: 7, reason: Reason::Size };
        let branch = |taken| Kind::Branch { taken };
        let parent = path_of(&[branch(true), pin.clone(), branch(false)]);
        let child = path_of(&[branch(true), pin.clone(), pin.clone(), branch(true), pin]);
        assert_eq!((behind(&parent, 2), behind(&child, 2)), (Some(3), Some(4)));
        assert_eq!((behind(&child, 0), behind(&child, 1), behind(&child, 3)), (Some(0), Some(1), None));
        assert_eq!(in_common(&parent, &child), 1);
        assert_eq!(in_common(&child, &path_of(&[branch(true), branch(true)])), 2);
    }
}
