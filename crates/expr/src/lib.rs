//! Terms over input bytes: bit-vectors of 1 to 1024 bits and arrays of them.
//!
//! A [`Store`] owns terms and keeps each one once; a [`Term`] is an index into it. Booleans are one bit wide, as they
//! are in a trace. Constructors simplify; [`Store::raw`] does not, nor do any inside [`Store::exactly`]. Nothing in this crate recurses over the depth of a
//! term, does I/O, or can fail for reasons outside its arguments.
//!
//! # The text form
//!
//! ```text
//! term     = "true" | "false"                      one-bit constants
//!          | number [":" width]                    0x41:32; hexadecimal, or decimal without 0x
//!          | part "[" offset "]"                   an input byte: stdin[3]
//!          | name ":" width                        a free variable: x:32
//!          | name ":" width ">" width              a free array: m:64>8 has 64-bit indices and 8-bit elements
//!          | name                                  bound by a let around it
//!          | "(" operator number* term* ")"
//!          | "(" "let" "(" ("(" name term ")")* ")" term ")"
//! ```
//!
//! A constant may leave out its width where another operand gives it: the other operand of a binary operator, the
//! other arm of an `ite`, the array of a `select` or `store`. The bindings of a `let` see the ones before them. Names made of other characters than
//! letters, digits and `_ . / + - $ @ ~` are put between bars, `|a b|`, with `\` before a bar or a backslash. A `;`
//! starts a comment that ends with its line.
//!
//! | operator | meaning |
//! |---|---|
//! | `not` `and` `or` `xor` | bitwise, and the connectives of one-bit terms |
//! | `neg` `add` `sub` `mul` `udiv` `urem` `sdiv` `srem` | arithmetic modulo 2^width; division by 0 as in SMT-LIB |
//! | `shl` `lshr` `ashr` | shifts; an amount of the width or more shifts everything out |
//! | `eq` `ne` `ult` `ule` `slt` `sle` | comparisons |
//! | `saddo` `uaddo` `ssubo` `usubo` `smulo` `umulo` | the exact result does not fit |
//! | `fadd` `fsub` `fmul` `fdiv` `fsqrt` | floating-point numbers, the bits of IEEE 754 in 32 or 64, rounded to nearest even; what is no number is always the same one |
//! | `feq` `flt` `fle` | comparisons of floating-point numbers |
//! | `(fround R a)` | `a` rounded to a whole number: 0 to nearest even, 1 towards zero, 2 up, 3 down, 4 to nearest and away from zero |
//! | `(fconvert W a)` `(ffroms W a)` `(ffromu W a)` | a number of `W` bits from one of the other width, a signed, an unsigned integer |
//! | `(ftos W a)` | a signed integer of `W` bits, rounded towards zero; the least one where it does not fit |
//! | `(concat a b)` | `a` above `b` |
//! | `(extract W L a)` | `W` bits of `a` from bit `L` on |
//! | `(zext W a)` `(sext W a)` | `a` extended to `W` bits |
//! | `(ite c a b)` | `a` where `c` is 1, else `b` |
//! | `(select m i)` `(store m i a)` `(array W a)` | arrays; the last one has `W`-bit indices and `a` everywhere |
//! | `(lookup W n… i)` | the one of the numbers, `W` bits wide, that `i` says; there are as many as it can tell apart |

mod bitvec;
mod build;
mod claim;
mod derived;
mod eval;
mod float;
#[cfg(any(test, feature = "generate"))]
pub mod generate;
mod import;
mod model;
pub mod selfcheck;
mod semantics;
mod simplify;
mod smtlib;
mod store;
mod tables;
mod text;
mod unique;
mod walk;

pub use bitvec::{BitVec, MAX_WIDTH};
pub use build::SortError;
pub use claim::Claim;
pub use eval::{Evaluator, Values, eval_step};
pub use float::IntegerRange;
pub use import::{ImportError, Importer};
pub use model::{ArrayValue, Input, Model};
pub use semantics::{eval_kind, eval_node};
pub use smtlib::{smtlib_script, smtlib_symbol};
pub use store::{Kind, Node, Sort, Store, Term, Var, VarName};
pub use tables::{Choice, MAX_TABLE_INDEX, decision};
pub use text::{ParseError, parse_query, parse_term, print_query, print_term};
pub use trace::op::{Rounding, canonical_nan};
pub use walk::{below, mentions, postorder, terms_from, variables};
