//! What goes wrong.

/// A campaign that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read or written.
    #[error("cannot use the campaign's file: {0}; is there room, and may you write there?")]
    Database(#[from] rusqlite::Error),
    /// It is the file of another campaign.
    #[error("the campaign there was made with another {0}; choose another folder with --out")]
    Other(String),
    /// It is of a version that is not known here.
    #[error(
        "the campaign's file has version {0}, and this is Provoke for version {1}; choose another folder with --out"
    )]
    Version(i64, i64),
}
