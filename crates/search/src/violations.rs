//! Which violations count.

use checkers::selection::Selection;
use replay::Violation;
use rustc_hash::FxHashMap;
use trace::rule::Rule;

/// The violations of a run that somebody wants to know about. What only came of another violation is left out, unless it is
/// what the run was made for.
pub fn wanted(
    violations: Vec<Violation>,
    selection: &Selection,
    is_predicted: impl Fn(&Violation) -> bool,
) -> Vec<Violation> {
    let is_selected = |rule| selection.rules().any(|wanted| wanted == rule);
    let mut lines = FxHashMap::default();
    let mut damage = None;
    let mut is_wanted = |violation: &Violation| {
        let line = violation.position().map(|position| (position.file.clone(), position.line));
        let before = lines.insert(line.clone(), violation.rule);
        let is_of_memory = violation.wild || BOUNDS.contains(&violation.rule) || LATER.contains(&violation.rule);
        let is_consequence = match before {
            // All that a format does.
            Some(Rule::FormatString) => true,
            Some(Rule::NonnullArg) if violation.rule == Rule::NullDeref => is_selected(Rule::NonnullArg),
            // A wild access right where something else failed.
            Some(_) => violation.wild,
            // Behind an index that went into the next member, nobody knows what memory says.
            None => is_of_memory && damage.as_ref().is_some_and(|damaged| *damaged != line) && !is_predicted(violation),
        };
        if violation.rule == Rule::ArrayIndex && is_selected(Rule::ArrayIndex) {
            damage.get_or_insert(line);
        }
        !is_consequence && is_selected(violation.rule)
    };
    violations.into_iter().filter(|violation| is_wanted(violation)).collect()
}

/// Rules about memory that fail where something else has damaged it.
const LATER: [Rule; 4] = [Rule::NullDeref, Rule::UseAfterFree, Rule::DoubleFree, Rule::InvalidFree];

/// One access outside of its bounds can violate several rules at the same place: that is one finding. What the memory
/// itself says counts more than the declared bounds. `drop` is given each one that goes, and the one that stays for it.
pub fn merge<T>(found: &mut Vec<T>, violation: impl Fn(&T) -> &Violation, mut drop: impl FnMut(&T, &T)) {
    let place = |found: &T| {
        let is_bounds = BOUNDS.contains(&violation(found).rule);
        let position = violation(found).position().filter(|_| is_bounds)?;
        Some((position.file.clone(), position.line))
    };
    let is_declared = |found: &T| violation(found).rule == Rule::ArrayIndex;
    let mut best: FxHashMap<_, usize> = FxHashMap::default();
    for (index, candidate) in found.iter().enumerate() {
        let Some(place) = place(candidate) else { continue };
        let best = best.entry(place).or_insert(index);
        if found.get(*best).is_some_and(is_declared) && !is_declared(candidate) {
            *best = index;
        }
    }
    let kept: Vec<usize> = (0..found.len())
        .zip(found.iter())
        .map(|(index, candidate)| place(candidate).and_then(|place| best.get(&place).copied()).unwrap_or(index))
        .collect();
    for (candidate, kept) in found.iter().zip(&kept) {
        if let Some(kept) = found.get(*kept).filter(|kept| !std::ptr::eq(*kept, candidate)) {
            drop(candidate, kept);
        }
    }
    let mut index = 0..;
    found.retain(|_| index.next().is_some_and(|index| kept.get(index) == Some(&index)));
}

/// Rules about accesses outside of bounds.
const BOUNDS: [Rule; 7] = [
    Rule::ArrayIndex,
    Rule::HeapBufferOverflow,
    Rule::StackBufferOverflow,
    Rule::GlobalBufferOverflow,
    Rule::BufferUnderflow,
    Rule::StringOverflow,
    Rule::StackSmash,
];
