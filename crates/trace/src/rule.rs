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
    /// A divisor is 0, or the quotient does not fit (`INT_MIN / -1`).
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
}
