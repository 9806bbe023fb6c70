//! Programs in which `provoke check` must find something, and programs in which it must not.
//!
//! [`program`] reads what a program says about itself, [`checking`] runs the command on it and reads the report, and
//! [`judge`] holds the findings against the expectations.

pub mod checking;
pub mod expectation;
pub mod judge;
pub mod program;
