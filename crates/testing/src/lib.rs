//! End-to-end tests of Provoke.
//!
//! A test is a C program under `tests/` that says in comments what it is run with and what is to be seen in its trace:
//! [`case`] reads them, [`toolchain`] makes the native program and its concolic view, [`compare`] runs both and compares
//! them, [`observe`] turns the trace into one line of text per event, [`check`] holds the two against each other, and
//! [`bless`] writes what was seen into the program.
//!
//! [`suite`] makes a test of every program in a folder.
//!
//! Programs in which something is to be found, or nothing, are in [`findings`].
//!
//! The same comparison, without expectations, is used on random programs and on real ones (`provoke-compare`), and the
//! same runs are timed (`provoke-measure`).

pub mod bless;
pub mod case;
pub mod check;
pub mod compare;
pub mod depends;
pub mod expectation;
pub mod findings;
pub mod observe;
pub mod random;
pub mod suite;
pub mod toolchain;
