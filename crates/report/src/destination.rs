//! `--report KIND=FILE`: where reports go.

use std::fmt;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::model::Report;
use crate::sources::Sources;
use crate::{html, json, junit, sarif};

/// The forms in which a report can be written to a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// SARIF 2.1.0.
    Sarif,
    /// Our own JSON.
    Json,
    /// JUnit XML.
    Junit,
    /// One HTML page.
    Html,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Sarif, Kind::Json, Kind::Junit, Kind::Html];

    /// As the user writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Sarif => "sarif",
            Kind::Json => "json",
            Kind::Junit => "junit",
            Kind::Html => "html",
        }
    }

    /// Writes a report in this form.
    pub fn render(self, report: &Report, sources: &dyn Sources) -> Result<String, RenderError> {
        Ok(match self {
            Kind::Sarif => sarif::render(report, sources)?,
            Kind::Json => json::render(report)?,
            Kind::Junit => junit::render(report, sources)?,
            Kind::Html => html::render(report, sources),
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A report that cannot be put into a form. No report that is only data causes this: it is a bug of Provoke.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// JSON or SARIF.
    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// JUnit.
    #[error("the report cannot be written as XML: {0}")]
    Xml(#[from] quick_junit::SerializeError),
}

/// `KIND=FILE`, as a command line has it. Commands take any number of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// The form.
    pub kind: Kind,
    /// The file.
    pub file: PathBuf,
}

/// For `--help`.
pub const HELP: &str = "Write a report to a file: sarif=FILE, json=FILE, junit=FILE or html=FILE; can be repeated";

/// A `KIND=FILE` that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DestinationError {
    /// No `=`.
    #[error("write KIND=FILE, sarif=report.sarif for example")]
    NoKind,
    /// A kind that there is not.
    #[error("there are no reports of kind `{0}`; there are sarif, json, junit and html")]
    UnknownKind(String),
    /// Nothing behind the `=`.
    #[error("the name of the file is missing: write {0}=FILE")]
    NoFile(Kind),
}

impl FromStr for Destination {
    type Err = DestinationError;

    fn from_str(text: &str) -> Result<Destination, DestinationError> {
        let (name, file) = text.split_once('=').ok_or(DestinationError::NoKind)?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| DestinationError::UnknownKind(name.to_owned()))?;
        if file.is_empty() {
            return Err(DestinationError::NoFile(kind));
        }
        Ok(Destination { kind, file: file.into() })
    }
}

/// Why a report is not where it should be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// See [`RenderError`].
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The file cannot be written.
    #[error("cannot write the report to {}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Destination {
    /// Writes the report there. Whoever looks at the file sees the old contents or the new, never a part.
    pub fn write(&self, report: &Report, sources: &dyn Sources) -> Result<(), WriteError> {
        let text = self.kind.render(report, sources)?;
        replace(&self.file, text.as_bytes()).map_err(|error| WriteError::File { file: self.file.clone(), error })
    }
}

/// Replaces the contents of a file at once.
pub fn replace(file: &Path, contents: &[u8]) -> io::Result<()> {
    // A link stays a link to the same file.
    let file = match file.canonicalize() {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => file.to_owned(),
        Err(error) => return Err(error),
    };
    // Devices and pipes cannot be replaced, only written to.
    if file.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return std::fs::OpenOptions::new().write(true).open(file)?.write_all(contents);
    }
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // As for any new file, the user's umask takes away from this.
    let permissions = match file.metadata() {
        Ok(metadata) => metadata.permissions(),
        Err(_) => std::fs::Permissions::from_mode(0o666),
    };
    let mut temporary = tempfile::Builder::new().prefix(".provoke-").permissions(permissions).tempfile_in(folder)?;
    // Nobody waits for the disk: a machine that loses its power loses what can be made again.
    temporary.as_file_mut().write_all(contents)?;
    temporary.persist(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn kinds_and_files() {
        let read = |text: &str| text.parse::<Destination>();
        assert_eq!(read("sarif=a=b.sarif"), Ok(Destination { kind: Kind::Sarif, file: "a=b.sarif".into() }));
        assert_eq!(read("report.html"), Err(DestinationError::NoKind));
        assert_eq!(read("json="), Err(DestinationError::NoFile(Kind::Json)));
        let error = read("xml=a").unwrap_err().to_string();
        for kind in Kind::ALL {
            assert!(error.contains(kind.name()) && HELP.contains(kind.name()));
            assert_eq!(read(&format!("{kind}=f")), Ok(Destination { kind, file: "f".into() }));
        }
    }

    #[test]
    fn files_are_replaced_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("report.json"), folder.path().join("latest"));
        std::os::unix::fs::symlink("report.json", &link).unwrap();
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        let open = std::fs::File::open(&file).unwrap();
        Destination { kind: Kind::Json, file: link.clone() }.write(&testing::example(), &testing::sources).unwrap();
        assert!(link.is_symlink());
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(json::read(&std::fs::read(&file).unwrap()).unwrap(), testing::example());
        // Whoever had it open still reads what was there.
        assert_eq!(io::read_to_string(open).unwrap(), "old");
        let left: Vec<_> = folder.path().read_dir().unwrap().collect();
        assert_eq!(left.len(), 2, "{left:?}");
    }

    #[test]
    fn devices_are_written_to() {
        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: PathBuf| {
            let error = Destination { kind: Kind::Html, file }.write(&testing::example(), &testing::sources);
            error.unwrap_err().to_string()
        };
        assert!(write(folder.path().join("missing/report.html")).contains("missing/report.html"));
        assert!(write(folder.path().to_owned()).contains("cannot write the report"));
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}
