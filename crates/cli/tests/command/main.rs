//! The command as a user sees it: output, exit codes, and what it does when things go wrong.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

mod explore;
mod general;
mod refinements;
mod sandbox;
mod user;
