//! Runs inputs in the replay view and says what came of it.
//!
//! [`Replayer::replay`] runs an input under limits and gives an [`Outcome`]: every violation, with its rule, a message
//! and a call stack, and how the run ended. [`verdict()`] compares that with what was predicted, [`bucket()`] says which
//! violations are the same bug, [`minimise()`] brings a failing input close to the one that it was made from.
//!
//! A replay starts one process. Whatever the program does to itself, what it had violated until then is known: it stands in
//! a file that the program's runtime has mapped.

mod bucket;
mod folders;
mod input;
mod layout;
mod mapped;
mod message;
mod minimise;
mod native;
mod outcome;
mod record;
mod replayer;
mod sanitizer;
mod servers;
mod stack;
mod stage;
mod symbols;
mod texts;
mod verdict;
mod violations;

use std::path::PathBuf;

pub use self::bucket::{Bucket, bucket};
pub use self::folders::compilation_folders;
pub use self::input::{Channel, Input, Part, Source};
pub use self::minimise::{Attempts, Change, Minimised, changes, minimise, minimise_seen};
pub use self::native::{Native, natively};
pub use self::outcome::{Access, Coverage, End, Frame, Outcome, Violation};
pub use self::replayer::{Replayer, Settings, Target};
pub use self::verdict::{Divergence, Prediction, Verdict, is_predicted, verdict};

/// Why an input could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The view cannot be read.
    #[error("cannot read the view {path}: {source}")]
    View {
        /// Its path.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The file is no view.
    #[error(transparent)]
    Sites(#[from] trace::sites::SiteError),
    /// Something that a run needs was refused.
    #[error("cannot get a run ready: {source}; is there room for temporary files? TMPDIR says where they go")]
    Prepare {
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The view does not run.
    #[error(transparent)]
    Run(#[from] run::Error),
}

impl Error {
    fn prepare(source: std::io::Error) -> Error {
        Error::Prepare { source }
    }
}
