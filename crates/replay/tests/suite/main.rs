//! Programs in the replay view, from source to outcome.

mod bench;
mod checks;
mod hostile;
mod library;
mod memory;
mod served;
mod verdicts;
