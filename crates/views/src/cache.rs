//! Finished views, kept under a hash of what they were made from.

use crate::{Error, Kind, make, seal};
use cc::bundle::Program;
use refine::Specification;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What a view also depends on: the instrumenter and the runtime.
const FINGERPRINT: &str = env!("PROVOKE_FINGERPRINT");

/// How many views are kept. Old ones go first; a view is made again in seconds.
const MOST_VIEWS: usize = 64;

/// What folders are called in which views are made.
const UNFINISHED: &str = ".new-";

/// Nobody makes a view for longer.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder with views.
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The views of a project, whose own folder this is.
    pub fn of_project(project: &Path) -> Cache {
        Cache { folder: project.join("views") }
    }

    /// The view of a program: the one that is there, or a new one.
    ///
    /// Any number of processes may do this at once: a view appears under its name only when it is complete.
    pub fn view(
        &self,
        program: &Program,
        kind: Kind,
        specification: &Specification,
        progress: &dyn Fn(&str),
    ) -> Result<PathBuf, Error> {
        let hash: String = program.hash().iter().take(12).map(|b| format!("{b:02x}")).collect();
        let stated = match kind {
            Kind::Concolic(_) => stated(specification),
            // They have nothing of preconditions in them.
            Kind::Replay(_) | Kind::Coverage(_) => stated(&specification.without_preconditions()),
        };
        let view = self.folder.join(format!("{hash}-{FINGERPRINT}-{}{stated}", kind.name()));
        // One that is damaged is made again.
        if seal::is_whole(&view) {
            // Recently used ones are kept longest; if the time can't be set, no harm is done.
            if let Ok(file) = fs::File::options().append(true).open(&view) {
                let _ = file.set_modified(SystemTime::now());
            }
            return Ok(view);
        }
        fs::create_dir_all(&self.folder).map_err(Error::folder(&self.folder))?;
        let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.folder);
        let unfinished = unfinished.map_err(Error::folder(&self.folder))?;
        let made = unfinished.path().join("view");
        make(program, kind, specification, &made, progress)?;
        seal::add(&made).map_err(Error::file(&made))?;
        fs::rename(&made, &view).map_err(Error::file(&view))?;
        self.prune();
        Ok(view)
    }

    fn prune(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let (folders, files): (Vec<_>, Vec<_>) =
            entries.flatten().partition(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        for folder in folders.iter().filter(|folder| is_abandoned(folder)) {
            let _ = fs::remove_dir_all(folder.path());
        }
        let views = files.iter().filter(|e| e.file_type().is_ok_and(|t| t.is_file()));
        let mut views: Vec<(SystemTime, PathBuf)> =
            views.filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path()))).collect();
        views.sort();
        for (_, old) in views.iter().rev().skip(MOST_VIEWS) {
            // Another process may have been faster.
            let _ = fs::remove_file(old);
        }
    }
}

/// Whether whoever made a view here must have been killed.
fn is_abandoned(folder: &fs::DirEntry) -> bool {
    let is_unfinished = folder.file_name().to_string_lossy().starts_with(UNFINISHED);
    let age = folder.metadata().and_then(|known| known.modified()).ok().and_then(|time| time.elapsed().ok());
    is_unfinished && age.is_some_and(|age| age > LONGEST)
}

/// What a specification adds to the name of a view.
fn stated(specification: &Specification) -> String {
    if specification.is_empty() {
        return String::new();
    }
    let mut hasher = DefaultHasher::new();
    specification.lines.hash(&mut hasher);
    specification.units.hash(&mut hasher);
    specification.driven.hash(&mut hasher);
    format!("-{:016x}", hasher.finish())
}
