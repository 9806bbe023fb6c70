//! The rules: what a finding is a violation of. `checkers` has their descriptions.

use serde::{Deserialize, Serialize};

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// What a check makes sure of. The names users see are those of [`Rule::id`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub enum Rule {
            $($(#[$doc])* #[serde(rename = $id)] $name,)*
        }

        impl Rule {
            /// All rules, in the order in which they are listed.
            pub const ALL: &[Rule] = &[$(Rule::$name),*];

            /// The name that users see, which never changes.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Rule::$name => $id,)*
                }
            }
        }
    };
}

rules! {
    /// A divisor is 0. A quotient that does not fit (`INT_MIN / -1`) is an integer overflow.
    DivByZero = "div-by-zero",
    /// An access through a null pointer.
    NullDeref = "null-deref",
    /// Null where a parameter or result is declared never to be null.
    NonnullArg = "nonnull-arg",
    /// An access behind the end of a block from the malloc family.
    HeapBufferOverflow = "heap-buffer-overflow",
    /// An access behind the end of a variable on the stack.
    StackBufferOverflow = "stack-buffer-overflow",
    /// An access behind the end of a global variable.
    GlobalBufferOverflow = "global-buffer-overflow",
    /// An access before the start of a block or variable.
    BufferUnderflow = "buffer-underflow",
    /// An index outside the declared bounds of an array.
    ArrayIndex = "array-index",
    /// A block copy whose source and destination overlap.
    Overlap = "overlap",
    /// The result of integer arithmetic is above what its type can hold.
    IntegerOverflow = "integer-overflow",
    /// The result of integer arithmetic is below what its type can hold.
    IntegerUnderflow = "integer-underflow",
    /// A conversion turns a negative value into a large one.
    SignExtension = "sign-extension",
    /// A conversion loses bits that matter.
    Truncation = "truncation",
    /// A floating-point number that does not fit the integer it is converted to.
    FloatCast = "float-cast",
    /// A write that reaches the saved return address.
    StackSmash = "stack-smash",
    /// The size of an allocation is not what was meant: negative, wrapped around, or beyond every limit.
    AllocSize = "alloc-size",
    /// An assertion fails, or code is reached that the program says is never reached.
    Assertion = "assertion",
    /// Pointer arithmetic that leaves the object.
    PointerArithmetic = "pointer-arithmetic",
    /// A shift by a negative amount, or by the width of the value or more.
    Shift = "shift",
    /// An access to memory that was freed, or to a variable that is gone.
    UseAfterFree = "use-after-free",
    /// Memory that is freed twice.
    DoubleFree = "double-free",
    /// Freeing what was not allocated.
    InvalidFree = "invalid-free",
    /// A string or block that does not fit its destination.
    StringOverflow = "string-overflow",
    /// A format string under the control of the input.
    FormatString = "format-string",
    /// The stack is used up, mostly by unbounded recursion.
    StackOverflow = "stack-overflow",
    /// A refinement that the user gave does not hold.
    Refinement = "refinement",
}

impl Rule {
    /// The rule with this name.
    pub fn from_id(id: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.id() == id)
    }
}

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct RuleSet(u64);

impl RuleSet {
    /// No rules.
    pub const NONE: RuleSet = RuleSet(0);

    /// All rules.
    pub fn all() -> RuleSet {
        Rule::ALL.iter().copied().collect()
    }

    /// Whether a rule is in it.
    pub const fn contains(self, rule: Rule) -> bool {
        self.0 & 1 << rule as u32 != 0
    }

    /// Adds a rule.
    pub const fn insert(&mut self, rule: Rule) {
        self.0 |= 1 << rule as u32;
    }

    /// Takes a rule away.
    pub const fn remove(&mut self, rule: Rule) {
        self.0 &= !(1 << rule as u32);
    }

    /// Whether there is no rule in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rules in it, in the order in which they are listed.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| self.contains(*rule))
    }

    /// A number that stands for the set, for names of files.
    pub const fn code(self) -> u64 {
        self.0
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<T: IntoIterator<Item = Rule>>(rules: T) -> RuleSet {
        let mut set = RuleSet::NONE;
        rules.into_iter().for_each(|rule| set.insert(rule));
        set
    }
}

impl core::fmt::Display for Rule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_rules() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_id(rule.id()), Some(*rule));
        }
        assert_eq!(Rule::from_id("no-such-rule"), None);
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set: RuleSet = [Rule::Shift, Rule::DivByZero].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Rule::DivByZero, Rule::Shift]);
        set.remove(Rule::Shift);
        assert!(set.contains(Rule::DivByZero) && !set.contains(Rule::Shift) && !set.is_empty());
        assert_eq!(RuleSet::all().iter().count(), Rule::ALL.len());
    }
}
