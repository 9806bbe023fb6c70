//! Finished views, kept under a hash of what they were made from.

use crate::{Error, Kind, make, seal};
use cc::bundle::Program;
use refine::Specification;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What a view also depends on: the instrumenter and the runtime.
const FINGERPRINT: &str = env!("PROVOKE_FINGERPRINT");

/// How many views are kept. Old ones go first; a view is made again in seconds.
const MOST_VIEWS: usize = 64;

/// How many bytes all projects share at most: nobody asked for them.
const MOST_SHARED: u64 = 1 << 30;

/// What folders are called in which views are made.
const UNFINISHED: &str = ".new-";

/// Nobody makes a view for longer.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder with views.
pub struct Cache {
    folder: PathBuf,
    /// Where other projects find what is made for this one, and this one what was made for them.
    shared: Option<PathBuf>,
}

impl Cache {
    /// The views of a project, whose own folder this is.
    pub fn of_project(project: &Path) -> Cache {
        Cache { folder: project.join("views"), shared: None }
    }

    /// The same with a folder that all projects share. What is there are copies: nobody loses a view that is in use because others made
    /// many, and what happens to one in a project happens to no other.
    pub fn sharing(self, folder: Option<PathBuf>) -> Cache {
        Cache { shared: folder, ..self }
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
        let name = format!("{hash}-{FINGERPRINT}-{}{stated}", kind.name());
        let view = self.folder.join(&name);
        // One that is damaged is made again.
        if seal::is_whole(&view) {
            note_use(&view);
            return Ok(view);
        }
        fs::create_dir_all(&self.folder).map_err(Error::folder(&self.folder))?;
        let known = self.shared.as_ref().map(|shared| shared.join(&name));
        // Whatever goes wrong with what is shared, it can be done without.
        if let Some(known) = &known
            && copy(known, &view).is_ok()
        {
            note_use(known);
            prune(&self.folder, u64::MAX);
            return Ok(view);
        }
        let unfinished = unfinished_in(&self.folder).map_err(Error::folder(&self.folder))?;
        let made = unfinished.path().join("view");
        make(program, kind, specification, &made, progress)?;
        seal::add(&made).map_err(Error::file(&made))?;
        fs::rename(&made, &view).map_err(Error::file(&view))?;
        prune(&self.folder, u64::MAX);
        let has_room = fs::metadata(&view).is_ok_and(|view| view.len() <= MOST_SHARED);
        if let (Some(shared), Some(known)) = (&self.shared, &known)
            && has_room
            && fs::create_dir_all(shared).is_ok()
        {
            let _ = copy(&view, known);
            prune(shared, MOST_SHARED);
        }
        Ok(view)
    }
}

/// A folder for what is not finished; what is in it when it is dropped is removed.
fn unfinished_in(folder: &Path) -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(folder)
}

/// Copies a view that is whole. The copy is there when it is complete, or not at all.
fn copy(view: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    if !view.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let unfinished = unfinished_in(folder)?;
    let copied = unfinished.path().join("view");
    fs::copy(view, &copied)?;
    match seal::is_whole(&copied) {
        true => fs::rename(&copied, to),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Recently used ones are kept longest; if the time can't be set, no harm is done.
fn note_use(view: &Path) {
    if let Ok(file) = fs::File::options().append(true).open(view) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Removes views that nobody has used for a while, if there are many or they take more than so many bytes, and what was never finished.
fn prune(folder: &Path, most: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let (folders, files): (Vec<_>, Vec<_>) =
        entries.flatten().partition(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    for folder in folders.iter().filter(|folder| is_abandoned(folder)) {
        let _ = fs::remove_dir_all(folder.path());
    }
    let views = files.iter().filter(|e| e.file_type().is_ok_and(|t| t.is_file()));
    let known = |entry: &fs::DirEntry| {
        let known = entry.metadata().ok()?;
        Some((known.modified().ok()?, known.len(), entry.path()))
    };
    let mut views: Vec<(SystemTime, u64, PathBuf)> = views.filter_map(known).collect();
    views.sort();
    let (mut kept, mut bytes) = (0, 0u64);
    for (_, size, view) in views.iter().rev() {
        let with_it = bytes.saturating_add(*size);
        if kept < MOST_VIEWS && with_it <= most {
            (kept, bytes) = (kept + 1, with_it);
        } else {
            // Another process may have been faster.
            let _ = fs::remove_file(view);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let folder = tempfile::tempdir().unwrap();
        let add = |number: u64, size: usize| {
            let path = folder.path().join(number.to_string());
            fs::write(&path, vec![0; size]).unwrap();
            let file = fs::File::options().append(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(number)).unwrap();
        };
        (0..4).for_each(|number| add(number, 10));
        let left = |most| {
            prune(folder.path(), most);
            let names = fs::read_dir(folder.path()).unwrap().flatten();
            let mut names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names.concat()
        };
        assert_eq!([left(u64::MAX), left(40), left(39), left(20)], ["0123", "0123", "123", "23"]);
        // What does not fit by itself takes nothing with it.
        add(4, 21);
        assert_eq!([left(20), left(9)], ["23", ""]);
    }
}
