//! What goes wrong.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// A file that cannot be used. What SQLite says comes last, so that nobody says it again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be opened.
    #[error("cannot use {}; {}: {error}", .file.display(), what_to_do(.error))]
    File {
        /// The file.
        file: PathBuf,
        /// What SQLite says.
        #[source]
        error: rusqlite::Error,
    },
    /// It cannot be read or written any more.
    #[error("cannot use the SQLite file in the folder of --out; {todo}: {0}", todo = what_to_do(.0))]
    Database(#[from] rusqlite::Error),
    /// It is the file of another campaign.
    #[error("the campaign there was made with another {0}; choose another folder with --out")]
    Other(String),
    /// It is of a version that is not known here.
    #[error(
        "what is kept there has version {0}, and this is Provoke for version {1}; choose another folder with --out"
    )]
    Version(i64, i64),
}

impl Error {
    /// The same, with the name of the file that could not be opened.
    pub(crate) fn of_file(self, file: &Path) -> Error {
        match self {
            Error::Database(error) => Error::File { file: file.to_owned(), error },
            other => other,
        }
    }
}

/// What whoever reads of an error can do about it.
fn what_to_do(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "make room on its disk",
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            "may you write there? choose another folder with --out if not"
        }
        Some(ErrorCode::SystemIoFailure) => "is there room, and may you write there?",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "others use it; try again when they are done",
        // It is somebody else's, or damaged.
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => "delete it, or choose another folder with --out",
        _ => "choose another folder with --out",
    }
}

#[cfg(test)]
mod tests {
    use crate::{Campaign, Suite};

    #[test]
    fn files_of_others_are_named_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("it.sqlite");
        std::fs::write(
            &file,
            "this is a text, and a long one: SQLite looks at no less than a hundred bytes of a file".repeat(9),
        )
        .unwrap();
        let errors = [Suite::open(&file).err(), Campaign::open(&file, &[]).err(), Campaign::look(&file).err()];
        for error in errors {
            let text = error.unwrap().to_string();
            assert!(text.contains("it.sqlite; delete it, or choose another folder with --out"), "{text}");
            assert!(text.ends_with(": file is not a database"), "{text}");
        }
        let missing = folder.path().join("no/folder");
        let text = Suite::open(&missing).err().unwrap().to_string();
        assert!(text.contains("no/folder; may you write there?"), "{text}");
    }
}
