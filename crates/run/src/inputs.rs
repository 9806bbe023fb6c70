//! The inputs of a run.
//!
//! The program gets private copies: so it cannot change the user's files, and the runtime can tell an input from every
//! other file by its inode, however it is opened.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use trace::layout::PartKind;
use trace::reader::NewPart;

use crate::Error;

/// Stands for the path of the input file in the arguments of a program.
pub const PLACEHOLDER: &str = "@@";

/// Where the inputs of a run are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// File to be the standard input.
    pub stdin: Option<PathBuf>,
    /// File that [`PLACEHOLDER`] stands for.
    pub file: Option<PathBuf>,
}

/// Private copies of inputs, which go away with this value.
pub(crate) struct Prepared {
    _folder: TempDir,
    pub(crate) stdin: Option<PathBuf>,
    pub(crate) args: Vec<OsString>,
    pub(crate) parts: Vec<NewPart>,
    /// Contents of the parts.
    pub(crate) contents: Vec<Vec<u8>>,
}

/// Copies the inputs and puts the path of the input file in place of every [`PLACEHOLDER`]. Where `given` has bytes for
/// a part, it gets those.
pub(crate) fn prepare(inputs: &Inputs, args: &[OsString], given: Vec<Vec<u8>>) -> Result<Prepared, Error> {
    let mut given = given.into_iter();
    let folder = tempfile::Builder::new().prefix("provoke-").tempdir();
    let folder = folder.map_err(|source| Error::System { action: "make a folder for copies of the inputs", source })?;
    let (mut parts, mut contents) = (Vec::new(), Vec::new());
    let mut copied_file = None;
    if let Some(file) = &inputs.file {
        // The program may look at the name, at its ending most of all.
        let name = file.file_name().unwrap_or(OsStr::new("input"));
        let copy = folder.path().join(name);
        let (part, bytes) = copy_input(file, given.next(), &copy, PartKind::File, file.display().to_string())?;
        parts.push(part);
        contents.push(bytes);
        copied_file = Some(copy);
    }
    let args = with_file(args, copied_file.as_deref())?;
    let mut stdin = None;
    if let Some(file) = &inputs.stdin {
        let folder = folder.path().join("standard-input");
        fs::create_dir(&folder)
            .map_err(|source| Error::System { action: "make a folder for copies of the inputs", source })?;
        let copy = folder.join("stdin");
        let (part, bytes) = copy_input(file, given.next(), &copy, PartKind::Stdin, "stdin".to_owned())?;
        parts.push(part);
        contents.push(bytes);
        stdin = Some(copy);
    }
    Ok(Prepared { _folder: folder, stdin, args, parts, contents })
}

fn copy_input(
    from: &Path,
    given: Option<Vec<u8>>,
    to: &Path,
    kind: PartKind,
    name: String,
) -> Result<(NewPart, Vec<u8>), Error> {
    let copied = || -> io::Result<(fs::Metadata, Vec<u8>)> {
        let mut source = File::open(from)?;
        let bytes = match given {
            Some(bytes) => bytes,
            None => {
                let mut bytes = Vec::new();
                source.read_to_end(&mut bytes)?;
                bytes
            }
        };
        let mut target = File::create_new(to)?;
        target.write_all(&bytes)?;
        let mode = source.metadata()?.permissions().mode() | 0o600;
        target.set_permissions(fs::Permissions::from_mode(mode & 0o777))?;
        Ok((target.metadata()?, bytes))
    };
    let (metadata, bytes) = copied().map_err(|source| Error::Input { path: from.display().to_string(), source })?;
    let part = NewPart { kind, name, device: metadata.dev(), inode: metadata.ino(), len: metadata.len() };
    Ok((part, bytes))
}

/// The arguments with the path of an input file in place of every [`PLACEHOLDER`].
///
/// # Errors
/// If there is a file and no placeholder, or a placeholder and no file.
pub fn with_file(args: &[OsString], file: Option<&Path>) -> Result<Vec<OsString>, Error> {
    let replaced: Vec<_> = args.iter().map(|arg| replace(arg, file.unwrap_or(Path::new("")))).collect();
    match (file, replaced.iter().any(Option::is_some)) {
        (None, true) => return Err(Error::NoFile),
        (Some(_), false) => return Err(Error::NoPlaceholder),
        _ => {}
    }
    Ok(args.iter().zip(replaced).map(|(arg, replaced)| replaced.unwrap_or_else(|| arg.clone())).collect())
}

/// The argument with `path` in place of every [`PLACEHOLDER`], or nothing if there is none.
fn replace(arg: &OsStr, path: &Path) -> Option<OsString> {
    let mark = PLACEHOLDER.as_bytes();
    let mut rest = arg.as_bytes();
    let mut replaced = Vec::new();
    let mut found = false;
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        let (before, after) = rest.split_at(at);
        replaced.extend_from_slice(before);
        replaced.extend_from_slice(path.as_os_str().as_bytes());
        rest = after.get(mark.len()..).unwrap_or_default();
        found = true;
    }
    replaced.extend_from_slice(rest);
    found.then(|| OsString::from_vec(replaced))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(folder: &TempDir) -> Inputs {
        let file = folder.path().join("a.gz");
        fs::write(&file, b"contents").unwrap();
        Inputs { stdin: Some(file.clone()), file: Some(file) }
    }

    #[test]
    fn the_program_gets_copies() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(&folder);
        let prepared = prepare(&inputs, &["-d".into(), "--in=@@,@@".into()], vec![]).unwrap();
        let arg = prepared.args[1].to_str().unwrap();
        let (first, second) = arg.strip_prefix("--in=").unwrap().split_once(',').unwrap();
        assert_eq!(first, second);
        assert!(first.ends_with("/a.gz"));
        assert_ne!(Path::new(first), inputs.file.unwrap());
        assert_eq!(fs::read(first).unwrap(), b"contents");
        let inode = fs::metadata(first).unwrap().ino();
        assert_eq!((prepared.parts[0].inode, prepared.parts[0].len), (inode, 8));
        assert_ne!(prepared.parts[1].inode, inode);
    }

    #[test]
    fn placeholder_and_file_belong_together() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(prepare(&inputs(&folder), &["x".into()], vec![]), Err(Error::NoPlaceholder)));
        assert!(matches!(prepare(&Inputs::default(), &["@@".into()], vec![]), Err(Error::NoFile)));
    }

    #[test]
    fn missing_inputs_are_named() {
        let missing = Inputs { stdin: Some("/nonexistent/input".into()), file: None };
        let error = prepare(&missing, &[], vec![]).err().unwrap().to_string();
        assert!(error.contains("/nonexistent/input"), "{error}");
    }
}
