//! MIX: type checking and symbolic execution, mixed by blocks.
//!
//! The formal language of Khoo, Chang and Foster's *Mixing Type Checking and Symbolic Execution* as a small, finished tool:
//! the executable specification of what the mixed analysis of C does. What is inside `{t … t}` is type checked, what is
//! inside `{s … s}` is executed symbolically, and blocks nest at will. An accepted program never evaluates to an error.
//!
//! ```
//! use mixlang::{Options, analyse, parse};
//! use solver::{Config, Session};
//!
//! let program = parse(r#"{t 1 + {s if true then {t 5 t} else {t "foo" + 3 t} s} t}"#)?;
//! let mut session = Session::new(Config { in_process: true, ..Config::default() })?;
//! assert!(analyse(&program, &mut session, &Options::default()).is_accepted());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The language
//!
//! ```text
//! program = { "extern" name ":" type "in" } expr         what is defined elsewhere, then what is computed
//! type    = [sign] "int" | "bool" | "string" | "float" | "unit" | type "ref" | type "->" type | "(" type ")"
//! sign    = "unknown" | "pos" | "neg" | "zero"
//! expr    = literal | name | operator expressions | "(" expr [":" type] ")"
//!         | "let" name parameters [":" type] "=" expr "in" expr
//!         | "var" name "=" expr "in" expr | name "<-" expr       a variable that can be assigned to
//!         | "fun" parameters "->" expr | expr expr
//!         | "if" expr "then" expr ["else" expr] | "while" expr "do" expr | expr ";" expr
//!         | "ref" ["[" type "]"] expr | "!" expr | expr ":=" expr
//!         | "{t" expr "t}" | "{s" expr "s}"
//! parameter = name | "(" name ":" type ")" | "()"
//! ```
//!
//! Operators, tightest first: application; `-` `not` `!` `ref`; `**` (groups to the right); `*` `/`; `+` `-` `^` (joins
//! strings); `=` `<>` `<` `<=` `>` `>=`; `&&`; `||`; `:=` and `<-`. Comments are `(* … *)` and nest.
//!
//! - **Integers** have 64 bits and wrap around, in the evaluator, the type checker's signs and the solver alike. Every
//!   operator is total: `n / 0` is 0, and so is a power with a negative exponent.
//! - Both operands of an operator are always evaluated, also of `&&` and `||`, as in the paper.
//! - Values of different kinds cannot be compared, and functions not at all: that is an error.
//! - **Annotations** are checked at run time as far as a value shows its type: its kind, and the sign of an integer.
//! - A cell made by `ref` has the type of its first value without its sign, unless it is given one: `ref [pos int] 5`.
//! - A **`var`** variable may hold values of different types in a symbolic block. Functions cannot capture it.
//! - A **function** without a type on its parameter is known by its code: symbolic execution executes its body at each call,
//!   the type checker cannot call it but passes it on. With a type it has an arrow type for the type checker, and a
//!   function that comes *from* a typed block has nothing else: symbolic execution cannot call it.
//!
//! # The rules
//!
//! `check` has the typing rules of the paper's figure 6, `execute` the symbolic ones of figures 2 and 3, `mix`
//! the two mix rules of figure 4, and [`evaluate`] the big-step semantics of figure 5. What is more than in the paper:
//!
//! - Memory consistency asks the solver. A wrong write is forgiven when the solver shows that the same cell was written
//!   again, and reading is possible while *other* cells are inconsistent. The paper suggests both.
//! - Signs: pos, neg and zero integers are integers. What the path condition says about an integer becomes its sign when a
//!   typed block starts, and what a type says becomes a fact when a symbolic block starts.
//! - When a typed block ends, the variables that it assigns to are unknown, as memory is. When a symbolic block ends, they
//!   must have the types that they had.
//! - Loops are unrolled as far as [`Options::iterations`] goes; a path that is left is missing in the exhaustiveness check.
//! - Operators that the solver does not know (`**`, `^`) are executed for constants only.
//!
//! A rejection says which block rejected what, on which path, and has a witness: a state at the start of the symbolic
//! block. The block is run from there, and an error that it ends in confirms the rejection.

mod analysis;
mod check;
mod environment;
pub mod evaluate;
mod execute;
mod functions;
mod mix;
mod parse;
mod print;
pub mod render;
mod rules;
mod signs;
mod span;
pub mod syntax;
#[cfg(test)]
mod theorems;
mod types;
mod verdict;
mod witness;

pub use analysis::{Options, analyse};
pub use parse::{MAX_DEPTH, MAX_LENGTH, ParseError, parse};
pub use span::Span;
pub use types::{CodeId, Sign, Type};
pub use verdict::{BlockPlace, Cause, Rejection, Report, Run, Stats, Step, Verdict, Witness};

/// Runs something that recurses over a program with enough stack for another level.
fn with_stack<T>(work: impl FnOnce() -> T) -> T {
    // A level of any of our recursions needs far less than the first number, also in debug builds.
    stacker::maybe_grow(128 << 10, 2 << 20, work)
}
