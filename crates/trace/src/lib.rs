//! What the runtime writes and the engine reads.
//!
//! [`layout`] is the shared memory itself, [`packed`] how nodes and events lie in it, [`op`] the operators of nodes, [`abi`] what instrumented code and
//! the runtime agree on (addresses of the shadow, thread-local slots, entry points). All of them are free of `std`,
//! because the runtime is. The reader and the text form need `std`.
#![cfg_attr(not(feature = "std"), no_std)]

pub mod abi;
pub mod directives;
pub mod layout;
pub mod models;
pub mod op;
pub mod packed;
pub mod processes;
#[cfg(feature = "std")]
pub mod reader;
#[cfg(feature = "std")]
pub mod rule;
#[cfg(feature = "std")]
pub mod sites;
#[cfg(feature = "std")]
pub mod text;
pub mod unit;

#[cfg(all(feature = "std", any(test, feature = "arbitrary")))]
pub mod arbitrary;
