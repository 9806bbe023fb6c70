//! Answers queries over terms.
