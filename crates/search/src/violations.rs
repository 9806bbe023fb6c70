//! Which violations count.

use checkers::selection::Selection;
use replay::Violation;
use rustc_hash::{FxHashMap, FxHashSet};
use trace::rule::Rule;

/// The violations of a run that somebody wants to know about. What only came of another violation is left out, unless it is
/// what the run was made for.
pub fn wanted(
    violations: Vec<Violation>,
    selection: &Selection,
    is_predicted: impl Fn(&Violation) -> bool,
) -> Vec<Violation> {
    let is_selected = |rule| selection.rules().any(|wanted| wanted == rule);
    let line = |violation: &Violation| violation.position().map(|position| (position.file.clone(), position.line));
    let all: FxHashSet<_> = violations.iter().map(|violation| (line(violation), violation.rule)).collect();
    let mut lines = FxHashMap::default();
    let (mut damage, mut is_refused) = (None, false);
    let mut divided = FxHashSet::default();
    let mut is_wanted = |violation: &Violation| {
        // What a check has said of one of two divisions, which are one instruction without a line of its own.
        if let (Rule::DivByZero, Some(position)) = (violation.rule, violation.position()) {
            let function = (position.file.clone(), position.function.clone());
            if position.line == 0 && divided.contains(&function) {
                return false;
            }
            divided.insert(function);
        }
        let line = line(violation);
        // One wrong number, seen on its way into an allocator.
        let says_it = |rule: &Rule| all.contains(&(line.clone(), *rule)) && is_selected(*rule);
        let is_said = said_by(violation.rule).iter().any(says_it);
        is_refused |= violation.rule == Rule::AllocSize && (is_said || is_selected(Rule::AllocSize));
        if is_said {
            return false;
        }
        // And what comes of it if nobody asks whether the allocator has refused.
        if violation.rule == Rule::NullDeref && is_refused && !is_predicted(violation) {
            return false;
        }
        let is_of_memory = violation.wild || is_of_memory(violation.rule);
        let before = lines.get(&line).copied();
        let is_consequence = match before {
            // What comes of the same.
            Some((_, true)) if is_of_memory && !is_predicted(violation) => true,
            Some((before, _)) => match before {
                // All that a format does.
                Rule::FormatString => true,
                Rule::NonnullArg if violation.rule == Rule::NullDeref => is_selected(Rule::NonnullArg),
                // A wild access right where something else failed.
                _ => violation.wild,
            },
            // Behind an index that went into the next member, nobody knows what memory says.
            None => is_of_memory && damage.as_ref().is_some_and(|damaged| *damaged != line) && !is_predicted(violation),
        };
        lines.insert(line.clone(), (violation.rule, is_consequence));
        if violation.rule == Rule::ArrayIndex && is_selected(Rule::ArrayIndex) {
            damage.get_or_insert(line);
        }
        !is_consequence && is_selected(violation.rule)
    };
    violations.into_iter().filter(|violation| is_wanted(violation)).collect()
}

/// The rules that say more about a wrong number than a rule does, where both are violated on one line.
fn said_by(rule: Rule) -> &'static [Rule] {
    match rule {
        Rule::AllocSize => &[Rule::IntegerOverflow, Rule::IntegerUnderflow],
        Rule::SignExtension | Rule::Truncation => &[Rule::IntegerOverflow, Rule::IntegerUnderflow, Rule::AllocSize],
        _ => &[],
    }
}

/// Whether a rule is about memory: it can fail because an index before was out of bounds.
pub(crate) fn is_of_memory(rule: Rule) -> bool {
    BOUNDS.contains(&rule) || LATER.contains(&rule)
}

/// Rules about memory that fail where something else has damaged it.
const LATER: [Rule; 4] = [Rule::NullDeref, Rule::UseAfterFree, Rule::DoubleFree, Rule::InvalidFree];

/// One access outside of its bounds can violate several rules at the same place: that is one finding. The place is that of the index
/// that left its bounds, where there is one: the access has a column of its own. What the memory
/// itself says counts more than the declared bounds, and what a run shows by itself, which `is_own` says, more than what another input
/// does. `drop` is given each one that goes, and the one that stays for it.
pub fn merge<T>(
    found: &mut Vec<T>,
    violation: impl Fn(&T) -> &Violation,
    is_own: impl Fn(&T) -> bool,
    mut drop: impl FnMut(&T, &T),
) {
    let place = |found: &T| {
        let is_bounds = BOUNDS.contains(&violation(found).rule);
        let position = violation(found).position().filter(|_| is_bounds)?;
        let column = violation(found).index_column.unwrap_or(position.column);
        Some((position.file.clone(), position.line, column))
    };
    let weight = |found: &T| (is_own(found), violation(found).rule != Rule::ArrayIndex);
    let mut best: FxHashMap<_, usize> = FxHashMap::default();
    for (index, candidate) in found.iter().enumerate() {
        let Some(place) = place(candidate) else { continue };
        let best = best.entry(place).or_insert(index);
        if found.get(*best).is_some_and(|best| weight(best) < weight(candidate)) {
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

#[cfg(test)]
mod tests {
    use replay::Frame;
    use trace::sites::Position;

    use super::*;

    fn violation((rule, line): &(Rule, u32)) -> Violation {
        let position = Position { file: "a.c".into(), line: *line, ..Position::default() };
        let frame = Frame { position, function_line: 1, inlined: false, library: String::new(), recursive: false };
        Violation {
            rule: *rule,
            message: String::new(),
            access: None,
            check: None,
            operands: None,
            refinement: None,
            stack: vec![frame],
            allocated: vec![],
            freed: vec![],
            wild: false,
            index_column: None,
        }
    }

    /// What is left of violations, each given as a rule and a line.
    fn left(checks: &str, seen: &[(Rule, u32)], predicted: Option<Rule>) -> Vec<Rule> {
        let selection = Selection::parse(checks).unwrap();
        let violations = seen.iter().map(violation).collect();
        let wanted = wanted(violations, &selection, |violation| Some(violation.rule) == predicted);
        wanted.iter().map(|violation| violation.rule).collect()
    }

    #[test]
    fn a_null_argument_is_reported_once() {
        let seen = [(Rule::NonnullArg, 5), (Rule::NullDeref, 5)];
        assert_eq!(left("default", &seen, None), [Rule::NonnullArg]);
        assert_eq!(left("null-deref", &seen, None), [Rule::NullDeref]);
        assert_eq!(left("default", &[(Rule::NonnullArg, 5), (Rule::NullDeref, 6)], None).len(), 2);
    }

    #[test]
    fn what_has_no_line_is_what_a_check_has_said() {
        assert_eq!(left("default", &[(Rule::DivByZero, 5), (Rule::DivByZero, 0)], None).len(), 1);
        assert_eq!(left("default", &[(Rule::DivByZero, 0)], None).len(), 1);
        assert_eq!(left("default", &[(Rule::NullDeref, 5), (Rule::DivByZero, 0)], None).len(), 2);
    }

    #[test]
    fn what_comes_of_damage_is_left_out_unless_it_was_predicted() {
        let seen = [(Rule::ArrayIndex, 5), (Rule::DivByZero, 7), (Rule::InvalidFree, 9)];
        assert_eq!(left("default", &seen, None), [Rule::ArrayIndex, Rule::DivByZero]);
        assert_eq!(left("default", &seen, Some(Rule::InvalidFree)).len(), 3);
        assert_eq!(left("-array-index", &seen, None), [Rule::DivByZero, Rule::InvalidFree]);
        let same_line = [(Rule::ArrayIndex, 5), (Rule::StackBufferOverflow, 5)];
        assert_eq!(left("default", &same_line, None).len(), 2);
    }

    /// `malloc(rows * columns)`: the product overflows, is negative, is no size, and then there is no block.
    #[test]
    fn a_wrong_size_is_one_mistake() {
        let seen = [(Rule::IntegerOverflow, 5), (Rule::SignExtension, 5), (Rule::AllocSize, 5), (Rule::NullDeref, 9)];
        assert_eq!(left("default,sign-extension", &seen[1..], None), [Rule::AllocSize]);
        assert_eq!(
            left("default,sign-extension", &seen[1..], Some(Rule::NullDeref)),
            [Rule::AllocSize, Rule::NullDeref]
        );
        assert_eq!(left("default", &seen, Some(Rule::AllocSize)), [Rule::IntegerOverflow]);
        assert_eq!(left("alloc-size", &seen[..3], None), [Rule::AllocSize]);
        assert_eq!(left("default", &[(Rule::IntegerOverflow, 4), (Rule::AllocSize, 5)], None).len(), 2);
    }

    /// A tokenizer whose count lies behind its array: the loop over the tokens goes too far because the count was overwritten.
    #[test]
    fn what_comes_of_damage_may_fail_in_two_ways_at_one_line() {
        let seen = [(Rule::ArrayIndex, 5), (Rule::ArrayIndex, 9), (Rule::StackBufferOverflow, 9)];
        assert_eq!(left("default", &seen, None), [Rule::ArrayIndex]);
        let predicted = left("default", &seen, Some(Rule::StackBufferOverflow));
        assert_eq!(predicted, [Rule::ArrayIndex, Rule::StackBufferOverflow]);
        let other = [(Rule::ArrayIndex, 5), (Rule::ArrayIndex, 9), (Rule::DivByZero, 9)];
        assert_eq!(left("default", &other, None), [Rule::ArrayIndex, Rule::DivByZero]);
    }

    /// An index of 150, which no redzone sees, in the run itself, and one of 9 on another input.
    #[test]
    fn what_the_run_shows_itself_stays() {
        let seen = [(Rule::ArrayIndex, 5), (Rule::StackBufferOverflow, 5)];
        let merged = |own: Option<Rule>| {
            let mut found: Vec<Violation> = seen.iter().map(violation).collect();
            merge(&mut found, |found| found, |found| Some(found.rule) == own, |_, _| {});
            found.iter().map(|found| found.rule).collect::<Vec<Rule>>()
        };
        assert_eq!(merged(None), [Rule::StackBufferOverflow]);
        assert_eq!(merged(Some(Rule::ArrayIndex)), [Rule::ArrayIndex]);
    }
}
