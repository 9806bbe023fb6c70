//! The catalogue itself.

use trace::rule::Rule;

use super::{Entry, Group, Severity, UNSIGNED_WRAP};

/// Undefined behaviour that an attacker who writes the input can often turn into their own code.
const SEVERE: f32 = 9.0;
/// Undefined behaviour that mostly reads what it should not, or ends the program.
const HIGH: f32 = 7.5;
/// The program ends, or computes something else than was meant.
const MEDIUM: f32 = 5.5;
/// Mostly harmless.
const LOW: f32 = 3.0;

/// The parts of an [`Entry`] in which two rules of one kind differ; the rest comes from the constructors below.
const fn error(
    rule: Rule,
    group: Group,
    title: &'static str,
    absence: &'static str,
    security_severity: f32,
    cwe: &'static [u16],
    help: &'static str,
) -> Entry {
    let (name, severity, default) = (rule.id(), Severity::Error, true);
    Entry { name, group, title, help, absence, severity, security_severity, cwe, default }
}

/// An entry for what is often meant: a warning, and off unless asked for.
const fn often_meant(entry: Entry) -> Entry {
    Entry { severity: Severity::Warning, default: false, ..entry }
}

pub(super) static UNSIGNED_WRAP_ENTRY: Entry = often_meant(Entry {
    name: UNSIGNED_WRAP,
    ..error(
        Rule::IntegerOverflow,
        Group::Integer,
        "unsigned arithmetic wraps around",
        "no unsigned arithmetic wraps around",
        MEDIUM,
        &[190, 191],
        "The result of unsigned arithmetic does not fit its type and wraps around. C defines this, and hashes and ring \
         buffers rely on it; in a computed size, index or length it is nearly always a bug. Compare before computing \
         (`a > SIZE_MAX - b`), or use `__builtin_add_overflow` and its relatives.",
    )
});

macro_rules! catalogue {
    ($($rule:ident => $entry:expr,)*) => {
        pub(super) fn entry_of(rule: Rule) -> &'static Entry {
            match rule {
                $(Rule::$rule => {
                    static ENTRY: Entry = $entry;
                    &ENTRY
                })*
            }
        }
    };
}

catalogue! {
    DivByZero => error(
        Rule::DivByZero,
        Group::Integer,
        "division by zero",
        "no division by zero",
        MEDIUM,
        &[369],
        "A divisor is 0, or the smallest value of a signed type is divided by -1, whose quotient does not fit. On most \
         processors the program dies. Test the divisor before dividing, and for signed types the pair `INT_MIN`, `-1` \
         too.",
    ),
    NullDeref => error(
        Rule::NullDeref,
        Group::Pointer,
        "access through a null pointer",
        "no access through a null pointer",
        MEDIUM,
        &[476],
        "Memory is read or written through a pointer that is null, or null plus a small offset. The program dies, or, \
         with a large index, touches memory that an attacker can choose. Test the pointer where it comes from: results \
         of `malloc`, `fopen`, `strchr` and of your own look-ups can be null.",
    ),
    NonnullArg => error(
        Rule::NonnullArg,
        Group::Pointer,
        "null where it is declared never to be null",
        "no null where it is declared never to be null",
        MEDIUM,
        &[476, 628],
        "A null pointer is passed or returned although the declaration says (`nonnull`, `_Nonnull`, `returns_nonnull`, \
         or the C standard for library functions) that this never happens. The compiler removes later tests for null on \
         the strength of it. Test before the call, even if the length that goes with the pointer is 0.",
    ),
    HeapBufferOverflow => error(
        Rule::HeapBufferOverflow,
        Group::Memory,
        "access behind the end of a heap block",
        "no access behind the end of a heap block",
        SEVERE,
        &[122, 787, 125],
        "Memory behind the end of a block from the malloc family is read or written. A write damages other blocks, which \
         attackers turn into their own code; a read gives away what lies there. Compare index and length with the size \
         that was allocated, before the access, and in a way that cannot itself overflow.",
    ),
    StackBufferOverflow => error(
        Rule::StackBufferOverflow,
        Group::Memory,
        "access behind the end of a variable on the stack",
        "no access behind the end of a variable on the stack",
        SEVERE,
        &[121, 787, 125],
        "Memory behind the end of a local variable is read or written. A write can reach other variables and the return \
         address. Compare the index with the number of elements before the access; for input of any length use a block \
         that grows with it.",
    ),
    GlobalBufferOverflow => error(
        Rule::GlobalBufferOverflow,
        Group::Memory,
        "access behind the end of a global variable",
        "no access behind the end of a global variable",
        SEVERE,
        &[787, 125],
        "Memory behind the end of a global or static variable is read or written, often a table that is indexed by a \
         value from the input. Compare the index with the number of elements before the access.",
    ),
    BufferUnderflow => error(
        Rule::BufferUnderflow,
        Group::Memory,
        "access before the start of a block or variable",
        "no access before the start of a block or variable",
        SEVERE,
        &[124, 127, 786],
        "Memory before the start of a block or variable is read or written: a negative index, or a loop that walks \
         backwards and does not stop at the start. Test the lower bound too, and use unsigned types for indices that \
         cannot be negative.",
    ),
    ArrayIndex => error(
        Rule::ArrayIndex,
        Group::Memory,
        "index outside the bounds of an array",
        "no index outside the bounds of an array",
        HIGH,
        &[129, 787, 125],
        "An index is outside the declared bounds of an array, possibly one inside a larger structure, so that the access \
         reaches the next member and no tool that looks at whole blocks sees it. Test the index against the number of \
         elements of this very array.",
    ),
    Overlap => error(
        Rule::Overlap,
        Group::String,
        "source and destination of a copy overlap",
        "no copy with overlapping source and destination",
        MEDIUM,
        &[475],
        "`memcpy`, `strcpy` or one of their relatives copies between blocks that overlap, which is undefined: what arrives \
         depends on the library and the processor. Use `memmove`.",
    ),
    IntegerOverflow => error(
        Rule::IntegerOverflow,
        Group::Integer,
        "integer overflow",
        "no integer overflow",
        HIGH,
        &[190],
        "The result of signed arithmetic is above what its type can hold, which is undefined: compilers assume that it \
         never happens and remove tests that look for it afterwards. Test before computing (`a > INT_MAX - b`), compute \
         in a wider type, or use `__builtin_add_overflow` and its relatives.",
    ),
    IntegerUnderflow => error(
        Rule::IntegerUnderflow,
        Group::Integer,
        "integer underflow",
        "no integer underflow",
        HIGH,
        &[191],
        "The result of arithmetic is below what its type can hold: a difference of two lengths that is negative, or the \
         negation of a smallest value. Test which operand is larger before subtracting, or use `__builtin_sub_overflow`.",
    ),
    SignExtension => often_meant(error(
        Rule::SignExtension,
        Group::Conversion,
        "a conversion turns a negative value into a large one",
        "no conversion that turns a negative value into a large one",
        HIGH,
        &[194, 195],
        "A negative value of a signed type is converted to an unsigned one and becomes very large: a length of -1 passes \
         a test against the maximum and then means 4 GB. Test for negative values before the conversion, or keep sizes \
         and lengths in `size_t` from the start.",
    )),
    Truncation => often_meant(error(
        Rule::Truncation,
        Group::Conversion,
        "a conversion loses bits that matter",
        "no conversion that loses bits that matter",
        MEDIUM,
        &[197, 681],
        "A value is converted to a narrower type that cannot hold it, so that a different value goes on: 65537 becomes a \
         length of 1. Test the range before the conversion, or use the wider type. Where losing bits is meant, mask them \
         off first (`x & 0xff`).",
    )),
    // As bad as an overflow: clang counts it among the checks of `-fsanitize=undefined` (GCC does not), and to LLVM the
    // result is poison.
    FloatCast => error(
        Rule::FloatCast,
        Group::Conversion,
        "floating-point number does not fit an integer",
        "no floating-point number that does not fit the integer it becomes",
        MEDIUM,
        &[681, 190],
        "A floating-point number is converted to an integer type that cannot hold its whole part, or it is no number at all. The \
         result is undefined and differs between processors, and compilers may assume that it never happens. Compare with the limits of the type before converting, in \
         the floating-point type, and in a way that NaN does not pass.",
    ),
    StackSmash => error(
        Rule::StackSmash,
        Group::Memory,
        "write to the saved return address",
        "no write to a saved return address",
        SEVERE,
        &[121, 787],
        "A write runs past the variables of a function into the place where its return address is kept. Whoever controls \
         the input controls where the function returns to. Bound the copy by the size of its destination.",
    ),
    AllocSize => error(
        Rule::AllocSize,
        Group::Resource,
        "size of an allocation is not what was meant",
        "no size of an allocation that is not what was meant",
        HIGH,
        &[131, 789, 680],
        "The size that is asked for is negative, or has wrapped around. A block that is too small is overflowed later; \
         one that is too large can never be had. Test the number of elements before multiplying, or use `calloc` or \
         `reallocarray`, which test it themselves. A large size alone is no error: the allocator returns null.",
    ),
    Assertion => error(
        Rule::Assertion,
        Group::Assertion,
        "assertion fails",
        "no assertion fails",
        MEDIUM,
        &[617],
        "An `assert` fails, `abort` or `__builtin_trap` is called, or `__builtin_unreachable` is reached. What the \
         program's authors took for granted does not hold for this input. If input can cause it, it is no assertion: \
         handle the case as an error.",
    ),
    PointerArithmetic => often_meant(error(
        Rule::PointerArithmetic,
        Group::Pointer,
        "pointer arithmetic leaves the object",
        "no pointer arithmetic that leaves the object",
        LOW,
        &[823, 468],
        "A computed pointer lies neither inside its object nor right behind its end, or its computation wrapped around. \
         That is undefined even if nothing is accessed through it, and compilers remove tests such as `p + n < p`. \
         Compare lengths (`n > end - p`), not pointers.",
    )),
    Shift => error(
        Rule::Shift,
        Group::Integer,
        "shift by a negative amount or by too much",
        "no shift by a negative amount or by too much",
        MEDIUM,
        &[1335, 758],
        "The shift amount is negative, or not smaller than the width of the (promoted) left operand. The result is \
         undefined and differs between processors. Test the amount, and treat a shift by the whole width as the special \
         case that it is.",
    ),
    UseAfterFree => error(
        Rule::UseAfterFree,
        Group::Memory,
        "access to memory that is gone",
        "no access to memory that is gone",
        SEVERE,
        &[416, 562, 825],
        "Memory is accessed after it was freed, or a local variable after its function or block has ended. Something else \
         may lie there by now. Set pointers to null where their block is freed, find out who owns the block, and do not \
         keep addresses of local variables.",
    ),
    DoubleFree => error(
        Rule::DoubleFree,
        Group::Memory,
        "memory is freed twice",
        "no memory that is freed twice",
        SEVERE,
        &[415],
        "A block is freed that was freed before, which damages the allocator's own data. Mostly an error path frees what \
         the caller frees again. Set pointers to null where their block is freed, and let one place own it.",
    ),
    InvalidFree => error(
        Rule::InvalidFree,
        Group::Memory,
        "freeing what was not allocated",
        "no freeing of what was not allocated",
        HIGH,
        &[590, 761],
        "`free` or `realloc` gets a pointer that does not come from the malloc family: the address of a variable, or a \
         pointer into the middle of a block. Keep the pointer that `malloc` returned and free that one.",
    ),
    StringOverflow => error(
        Rule::StringOverflow,
        Group::String,
        "string or block does not fit its destination",
        "no string or block that does not fit its destination",
        SEVERE,
        &[120, 787, 805],
        "A library function (`strcpy`, `sprintf`, `memcpy`, `read`, `fgets`, …) writes more than its destination can hold. \
         Give it the size of the destination (`snprintf`, `memcpy` after a test), count the terminating 0, and never pass \
         the length of the source as the bound.",
    ),
    FormatString => error(
        Rule::FormatString,
        Group::String,
        "input controls a format string",
        "no format string under the control of the input",
        SEVERE,
        &[134],
        "Text from the input is used as the format of `printf` or one of its relatives. `%s` and `%n` in it read and write \
         memory. Print text with `printf(\"%s\", text)` or `fputs`.",
    ),
    StackOverflow => error(
        Rule::StackOverflow,
        Group::Resource,
        "stack is used up",
        "no use of the stack beyond its limit",
        MEDIUM,
        &[674, 770],
        "The stack is used up, mostly by recursion whose depth the input controls, or by a variable-length array or \
         `alloca` whose size it controls. Limit the depth, or keep what is pending in a list of your own; take large \
         blocks from the heap.",
    ),
    Refinement => error(
        Rule::Refinement,
        Group::Assertion,
        "refinement does not hold",
        "every refinement holds",
        MEDIUM,
        &[1284, 617],
        "A variable, parameter, field or result has a value that the condition given for it (`PROVOKE_REFINE` or a line of \
         the specification file) excludes. Either the code that makes the value is wrong, or the condition is: tighten \
         the one or loosen the other.",
    ),
}
