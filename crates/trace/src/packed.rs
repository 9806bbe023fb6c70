//! How nodes and events lie in a trace: as small as most of them are.
//!
//! What a run costs is to a large part the memory that its trace takes. So a node is one [`NodeCell`] of 16 bytes, of
//! which two are needed only where operands, immediate and value do not fit; an event is one or two [`EventCell`]s of 12.
//! A label is the number of a node's first cell.

mod event;
mod node;

pub use event::EventCell;
#[cfg(feature = "std")]
pub use event::Events;
pub use node::{NodeCell, PackedNode, View};
