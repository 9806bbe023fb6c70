//! CSimpL: the small imperative language in which active property checking is defined, as a tool.
//!
//! A program assigns, branches and stops. Types are sets of integers given by a predicate, `{x : Int | x != 0}`, and a type
//! environment is a property: it says what variables may hold and what operators may be given. The property is proved
//! where it can be; where that is not known, *casts* check it at run time; and *active checking* solves for an input that
//! makes a cast fail, on every path.
//!
//! ```
//! use csimpl::{Module, Options, Strength, Verdict, analyse};
//!
//! let module = Module::parse(
//!     "input x1 : int = 2; var x3 : int;
//!      if x1 > -5 then { x3 := div(52, x1); stop } else stop",
//! )?;
//! // With a prover that refutes, the program is ill-typed: `div` takes a `notzero`, and 0 is an int.
//! assert_eq!(analyse(&module, &Options::default())?.verdict, Verdict::IllTyped);
//! // With one that only proves, a cast is inserted, and there is an input that makes it fail.
//! let analysis = analyse(&module, &Options { subtyping: Strength::Prove, ..Options::default() })?;
//! let findings = analysis.search.map(|search| search.findings).unwrap_or_default();
//! assert_eq!(findings[0].input, [0.into()]);
//! # Ok::<(), csimpl::Problem>(())
//! ```
//!
//! # The language
//!
//! ```text
//! type index = {i : Int | 0 <= i < 20};            types are named …
//! op load(i : index) : int = 2 * i;                operators have a signature and a definition
//! input x : uint32_t = 3;                          a variable that starts with an input; the first run is on 3
//! var y : int;                                     any other variable; starts with 0 or false
//! env strict { x : index; op load(index); }        an environment restricts what is declared
//!
//! (x : index) y := <int> load(x);                  cast set, target, cast, expression
//! if y > 7 then { y := 0; stop } else stop         both branches are continuations
//! ```
//!
//! Cast sets, casts, `else`, and `stop` at the end of a block can be left out. Expressions are not nested. [`LIBRARY`] has
//! the types of Figures 7 and 9 and the usual operators, most of which are also written between their operands. Several
//! environments are combined by intersection.
//!
//! # Where things are
//!
//! | paper | here |
//! |---|---|
//! | Figure 3, typing | [`check`] |
//! | Figure 4, concrete evaluation | `evaluate` |
//! | Figure 5, compilation by cast insertion | [`compile()`] |
//! | Figure 6, side-by-side evaluation | [`Subject::run`] |
//! | Figures 7 and 9, types and operators | [`LIBRARY`] |
//! | Figure 8, the three columns | [`explain()`] |
//! | section 2, directed search; section 3, active checkers | [`Subject::search`] |
//! | section 4.5, restriction and intersection of environments | [`Environment::restricts`], [`Environment::intersect`] |
//! | theorems 1 to 9, both lemmas | the tests in `theorems` |
//!
//! What the rules say is in one file, `rules`.
//!
//! # Mathematical integers
//!
//! The paper's integers have no size, and neither have these. Formulas go to Z3's theory of integers instead of the
//! bit-vectors that the rest of Provoke uses: bit-vectors would need guards against overflow in every formula, and
//! "unknown" wherever a guard might be left, which for `int` is everywhere. Linear formulas are decided; products of
//! unknowns may not be, and then the answer is unknown, never a guess. The budget is counted in steps of the solver, so
//! answers do not depend on how fast the machine is. Every solution is evaluated before it is believed. Concrete numbers
//! may have up to [`LARGEST_BITS`] bits.
//!
//! Operators may be partial. A formula carries where it is defined along with its value; a predicate without a value does not
//! hold; and an operator whose definition does not keep its signature is an error of the file (the paper's Δ ∉ Γ).
//!
//! # Where the paper is mended
//!
//! Taken by the letter, some rules and statements do not hold. `theorems::as_printed` has a counterexample for each; the
//! theorems are tested in the mended form.
//!
//! - **T-ASN, C-ASN** (Figures 3 and 5) go on with Γ ∩ *G* after an assignment, so the cast of a variable outlives an
//!   assignment to it. `x := div(10, x); y := div(1, x)` would be compiled with one cast and then divide by 0. Here the
//!   casts of the assigned variable are forgotten, and what is assigned must be in its *declared* type.
//! - **Theorem 3** (preservation) says that what follows a step is well-typed in the same Γ. It is so in the environment that
//!   the rule goes on with.
//! - **Theorem 8**, part 2, speaks of the checks of *k* steps; the check of the command that fails comes with step *k* + 1.
//! - **Lemma 1**, part 1, holds for operators that take more, not for variables with larger types: an operand may need the
//!   smaller one. Part 2 is printed the wrong way round: where the program of the *larger* environment fails, that of the
//!   restriction fails, as Theorem 9 needs it.
//!
//! A check is solved for together with the checks before it: then everything up to it has a value, and a solution fails
//! at that very cast.

mod analysis;
mod compile;
mod environment;
mod evaluate;
mod explain;
mod formula;
mod module;
mod obligation;
mod print;
mod program;
mod resolve;
mod rules;
mod search;
mod side_by_side;
mod solve;
mod source;
mod subtyping;
mod syntax;
mod term;
mod types;
mod typing;
mod value;

#[cfg(test)]
mod theorems;

pub use analysis::{Analysis, Options, Problem, Verdict, analyse};
pub use compile::{Compiled, Rejected, Step, compile};
pub use environment::{Environment, Signature};
pub use evaluate::{CastPlace, Store};
pub use explain::{Explanation, Row, State, explain};
pub use formula::{Formulas, Node, Symbolic};
pub use module::{Module, OperatorInfo, UnknownEnvironment, VariableInfo};
pub use obligation::{Judgement, Obligation, Purpose};
pub use print::{Detail, Line, command as command_text, expression as expression_text, lines};
pub use program::{CastSet, Command, CommandId, Expression, ExpressionKind, Operand, Operator, Program, Variable};
pub use resolve::LIBRARY;
pub use search::{Finding, Gap, Limits, Search, Subject};
pub use side_by_side::{End, Event, EventKind, Run, SymbolicStore};
pub use solve::{Budget, Constraint, Solution, Unknown, solve};
pub use source::{Diagnostic, Lines, Span};
pub use subtyping::{Answer, Smt, Strength, Subtyping};
pub use term::Term;
pub use types::Type;
pub use typing::{Typing, check};
pub use value::{Binary, LARGEST_BITS, NoValue, Sort, Unary, Value};
