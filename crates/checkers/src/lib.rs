//! The checkers: what each rule is about, and which of them are wanted.
//!
//! Nothing here does I/O.

pub mod catalogue;
pub mod inject;
pub mod selection;
