//! The tiers in front of the backends.

pub(crate) mod bounds;
pub(crate) mod byte_set;
pub(crate) mod canonical;
pub(crate) mod choices;
pub(crate) mod climbing;
pub(crate) mod groups;
pub(crate) mod hope;
pub(crate) mod inversion;
pub(crate) mod query_cache;
pub(crate) mod sampling;
pub(crate) mod table;
pub(crate) mod trials;
pub(crate) mod twins;
pub(crate) mod what_if;
