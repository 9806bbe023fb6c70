//! Tests of the solver as its users see it. One executable, because linking the solvers takes its time.

// Helpers are no `#[test]` functions for clippy, which would allow it there.
#![allow(clippy::unwrap_used)]

mod combine;
mod commands;
mod originals;
mod paths;
