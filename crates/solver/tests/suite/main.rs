//! Tests of the solver as its users see it. One executable, because linking the solvers takes its time.

mod agreement;
mod commands;
mod paths;
