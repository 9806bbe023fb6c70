//! Where the input of a run comes from, and how the program gets it.
//!
//! The program gets private copies of files: so it cannot change the user's, and the runtime can tell an input from every
//! other file by its inode, however it is opened.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use trace::layout::{LENGTH_BYTES, PartKind, STRING_FILL, STRING_ROOM};
use trace::reader::NewPart;

use crate::Error;
use crate::channel::Channel;
use crate::input::{Input, Source};

/// Stands for the path of the input file in the arguments of a program; of several files `@@1`, `@@2`, ….
pub const PLACEHOLDER: &str = "@@";

/// The largest input that is copied. Labels of that many bytes fill gigabytes.
pub const LARGEST_INPUT: u64 = 64 << 20;

/// Where the inputs of a run are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// File to be the standard input.
    pub stdin: Option<PathBuf>,
    /// Files that [`PLACEHOLDER`]s stand for.
    pub files: Vec<PathBuf>,
    /// Files that stand in for parts of the system.
    pub channels: Vec<(Channel, PathBuf)>,
    /// Indices of the program's arguments whose contents and lengths are input.
    pub arguments: BTreeSet<usize>,
    /// Environment variables whose values are input.
    pub variables: Vec<(String, OsString)>,
    /// Whether the lengths of files and of standard input are input too.
    pub lengths: bool,
}

/// Private copies of inputs, which go away with this value.
pub(crate) struct Prepared {
    _folder: TempDir,
    pub(crate) stdin: Option<PathBuf>,
    pub(crate) args: Vec<OsString>,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) parts: Vec<NewPart>,
    /// Contents of the parts.
    pub(crate) contents: Vec<Vec<u8>>,
}

impl Inputs {
    /// The input as the user gave it.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(&self, args: &[OsString]) -> Result<Input, Error> {
        let mut input = Input::default();
        let mut add = |source, bytes| input.parts.push(crate::Part { source, bytes });
        for file in &self.files {
            add(Source::File(file.display().to_string()), read(file)?);
        }
        if let Some(file) = &self.stdin {
            add(Source::Stdin, read(file)?);
        }
        for (channel, file) in &self.channels {
            add(Source::Channel(*channel), read(file)?);
        }
        for index in &self.arguments {
            let argument = args.get(*index).ok_or(Error::NoArgument { number: index + 1, given: args.len() })?;
            if !positions(argument).is_empty() {
                return Err(Error::ArgumentIsFile { number: index + 1 });
            }
            add(Source::Argument(index + 1), argument.as_bytes().to_vec());
        }
        for (name, value) in &self.variables {
            add(Source::Variable(name.clone()), value.as_bytes().to_vec());
        }
        Ok(input)
    }

    /// Whether a run on these can begin: their files are there, and each has its [`PLACEHOLDER`].
    ///
    /// # Errors
    /// What [`Inputs::read`] and a run would say.
    pub fn examine(&self, args: &[OsString]) -> Result<(), Error> {
        let channels = self.channels.iter().map(|(_, file)| file);
        self.files.iter().chain(&self.stdin).chain(channels).try_for_each(|file| suitable(file).map(drop))?;
        with_files(args, &self.files).map(drop)
    }

    /// Makes copies, and puts the paths of the files in place of every [`PLACEHOLDER`].
    pub(crate) fn prepare(&self, args: &[OsString], input: &Input) -> Result<Prepared, Error> {
        let folder = tempfile::Builder::new().prefix("provoke-").tempdir().map_err(cannot_copy)?;
        let (mut parts, mut contents) = (Vec::new(), Vec::new());
        let mut copies = Vec::new();
        for ((name, bytes), number) in input.files().zip(1..) {
            // The program may look at the name, at its ending most of all.
            let own = folder.path().join(format!("file-{number}"));
            fs::create_dir(&own).map_err(cannot_copy)?;
            let copy = own.join(Path::new(name).file_name().unwrap_or(OsStr::new("input")));
            parts.push(copied(Path::new(name), bytes, &copy, PartKind::File, name)?);
            contents.push(bytes.to_vec());
            copies.push(copy);
        }
        let args = with_files(&input.arguments(args), &copies)?;
        let mut stdin = None;
        if let Some(bytes) = input.standard_input() {
            let own = folder.path().join("standard-input");
            fs::create_dir(&own).map_err(cannot_copy)?;
            let copy = own.join("stdin");
            let from = self.stdin.as_deref().unwrap_or(Path::new("/dev/null"));
            parts.push(copied(from, bytes, &copy, PartKind::Stdin, "stdin")?);
            contents.push(bytes.to_vec());
            stdin = Some(copy);
        }
        let mut env: Vec<(OsString, OsString)> = Vec::new();
        for (channel, bytes) in input.channels() {
            let copy = folder.path().join(channel.name());
            parts.push(copied(Path::new(""), bytes, &copy, channel.kind(), channel.name())?);
            contents.push(bytes.to_vec());
            env.push((channel.variable().into(), copy.into()));
        }
        let mut lengths: Vec<(usize, u64)> = Vec::new();
        if self.lengths {
            lengths = contents.iter().enumerate().map(|(index, bytes)| (index, bytes.len() as u64)).collect();
        }
        for part in &input.parts {
            let (kind, inode) = match &part.source {
                Source::Argument(number) => (PartKind::Argument, *number as u64),
                Source::Variable(_) => (PartKind::Variable, 0),
                _ => continue,
            };
            let len = part.bytes.len() as u64;
            lengths.push((parts.len(), len));
            let name = part.source.name();
            parts.push(NewPart { kind, name, device: 0, inode, len: len + STRING_ROOM, data: Vec::new() });
            let mut bytes = part.bytes.clone();
            bytes.resize((len + STRING_ROOM) as usize, STRING_FILL);
            contents.push(bytes);
        }
        for (name, bytes) in input.buffers() {
            let (name, len, data) = (name.to_owned(), bytes.len() as u64, bytes.to_vec());
            parts.push(NewPart { kind: PartKind::Buffer, name, device: 0, inode: 0, len, data });
            contents.push(bytes.to_vec());
        }
        for (index, length) in lengths {
            let of = parts.get(index).map_or("", |part| part.name.as_str());
            let name = format!("length of {}", of.rsplit('/').next().unwrap_or(of));
            let inode = index as u64;
            parts.push(NewPart { kind: PartKind::Length, name, device: 0, inode, len: LENGTH_BYTES, data: Vec::new() });
            contents.push((length as u32).to_le_bytes().to_vec());
        }
        env.extend(input.variables().map(|(name, value)| (name.into(), value.to_owned())));
        Ok(Prepared { _folder: folder, stdin, args, env, parts, contents })
    }
}

/// What kind of file this is, if it is one that can be an input.
fn suitable(path: &Path) -> Result<FileType, Error> {
    let name = || path.display().to_string();
    let metadata = fs::metadata(path).map_err(|source| Error::Input { path: name(), source })?;
    let kind = metadata.file_type();
    let is_device = kind.is_char_device() || kind.is_block_device();
    let what = if kind.is_dir() {
        "is a folder"
    } else if kind.is_socket() {
        "is a socket"
    } else if is_device && path != Path::new("/dev/null") {
        // The empty one is the one that people mean.
        "is a device or a terminal"
    } else {
        return Ok(kind);
    };
    Err(Error::Unsuitable { path: name(), what })
}

/// The contents of a file, if it is one that can be an input.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let cannot = |source| Error::Input { path: path.display().to_string(), source };
    let unsuitable = |what| Error::Unsuitable { path: path.display().to_string(), what };
    let bytes = if suitable(path)?.is_fifo() {
        // What a shell makes of `<(command)`. Opening it must not wait for somebody to write.
        let pipe = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path).map_err(cannot)?;
        read_pipe(pipe).map_err(cannot)?.ok_or_else(|| unsuitable("is a pipe that nobody writes to"))?
    } else {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(cannot)?;
        file.take(LARGEST_INPUT + 1).read_to_end(&mut bytes).map_err(cannot)?;
        bytes
    };
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(unsuitable("is larger than 64 MiB"));
    }
    Ok(bytes)
}

/// What comes out of a pipe until its end; nothing if nothing comes for a while.
fn read_pipe(mut pipe: File) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    while bytes.len() as u64 <= LARGEST_INPUT {
        let mut wait = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one entry, which is ours.
        if unsafe { libc::poll(&mut wait, 1, PATIENCE) } <= 0 {
            return Ok(None);
        }
        match pipe.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(piece.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Some(bytes))
}

/// How many milliseconds whoever writes to a pipe may take between two pieces.
const PATIENCE: i32 = 10_000;

fn cannot_copy(source: io::Error) -> Error {
    Error::Copy { folder: std::env::temp_dir(), source }
}

/// A copy that may be used as the original may be.
fn copied(original: &Path, bytes: &[u8], to: &Path, kind: PartKind, name: &str) -> Result<NewPart, Error> {
    let mut target = File::create_new(to).map_err(cannot_copy)?;
    target.write_all(bytes).map_err(cannot_copy)?;
    if let Ok(metadata) = fs::metadata(original) {
        let mode = metadata.permissions().mode() | 0o600;
        target.set_permissions(fs::Permissions::from_mode(mode & 0o777)).map_err(cannot_copy)?;
    }
    let metadata = target.metadata().map_err(cannot_copy)?;
    let (device, inode, len) = (metadata.dev(), metadata.ino(), metadata.len());
    Ok(NewPart { kind, name: name.to_owned(), device, inode, len, data: Vec::new() })
}

/// The arguments with the paths of input files in place of every [`PLACEHOLDER`].
///
/// # Errors
/// If there is a file and no placeholder for it, or a placeholder and no file.
pub fn with_files(args: &[OsString], files: &[PathBuf]) -> Result<Vec<OsString>, Error> {
    let mut used = vec![false; files.len()];
    let mut replaced = Vec::with_capacity(args.len());
    for arg in args {
        let bytes = arg.as_bytes();
        let mut result = Vec::new();
        let mut done = 0;
        for (start, end, index) in placeholders(arg) {
            let file = files.get(index).ok_or(Error::NoFile)?;
            result.extend_from_slice(bytes.get(done..start).unwrap_or_default());
            result.extend_from_slice(file.as_os_str().as_bytes());
            done = end;
            used.iter_mut().skip(index).take(1).for_each(|used| *used = true);
        }
        result.extend_from_slice(bytes.get(done..).unwrap_or_default());
        replaced.push(OsString::from_vec(result));
    }
    match used.iter().position(|used| !used) {
        Some(index) => Err(Error::NoPlaceholder { number: index + 1, files: files.len() }),
        None => Ok(replaced),
    }
}

/// Where the placeholders of an argument start.
fn positions(arg: &OsStr) -> Vec<usize> {
    let mark = PLACEHOLDER.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = arg.as_bytes().get(from..)
        && let Some(at) = rest.windows(mark.len()).position(|window| window == mark)
    {
        found.push(from + at);
        from += at + mark.len();
    }
    found
}

/// The placeholders of an argument: start, end, and index of the file, which is the first one without a number.
fn placeholders(arg: &OsStr) -> Vec<(usize, usize, usize)> {
    let bytes = arg.as_bytes();
    let of = |start: usize| {
        let after = start + PLACEHOLDER.len();
        let digits =
            bytes.get(after..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).take(4).count();
        let number: String = bytes.iter().skip(after).take(digits).map(|byte| char::from(*byte)).collect();
        match number.parse::<usize>() {
            Ok(number) => (start, after + digits, number.wrapping_sub(1)),
            Err(_) => (start, after, 0),
        }
    };
    positions(arg).into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(inputs: &Inputs, args: &[OsString]) -> Result<Prepared, Error> {
        inputs.prepare(args, &inputs.read(args)?)
    }

    fn inputs(folder: &TempDir) -> Inputs {
        let file = folder.path().join("a.gz");
        fs::write(&file, b"contents").unwrap();
        Inputs { stdin: Some(file.clone()), files: vec![file], ..Inputs::default() }
    }

    #[test]
    fn the_program_gets_copies() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(&folder);
        let prepared = prepared(&inputs, &["-d".into(), "--in=@@,@@".into()]).unwrap();
        let arg = prepared.args[1].to_str().unwrap();
        let (first, second) = arg.strip_prefix("--in=").unwrap().split_once(',').unwrap();
        assert_eq!(first, second);
        assert!(first.ends_with("/a.gz"));
        assert_ne!(Path::new(first), inputs.files[0]);
        assert_eq!(fs::read(first).unwrap(), b"contents");
        let inode = fs::metadata(first).unwrap().ino();
        assert_eq!((prepared.parts[0].inode, prepared.parts[0].len), (inode, 8));
        assert_ne!(prepared.parts[1].inode, inode);
    }

    #[test]
    fn several_files_have_numbers() {
        let files = ["/a".into(), "/b".into()];
        let args = with_files(&["@@2".into(), "x@@1y@@".into()], &files).unwrap();
        assert_eq!(args, ["/b", "x/ay/a"]);
        assert!(matches!(with_files(&["@@".into()], &files), Err(Error::NoPlaceholder { number: 2, .. })));
        assert!(matches!(with_files(&["@@1@@2@@3".into()], &files), Err(Error::NoFile)));
        // One file has a number too.
        assert_eq!(with_files(&["@@1".into(), "@@".into()], &["/a".into()]).unwrap(), ["/a", "/a"]);
        for wrong in ["@@2", "@@0", "@@12"] {
            assert!(matches!(with_files(&[wrong.into()], &["/a".into()]), Err(Error::NoFile)));
        }
    }

    #[test]
    fn placeholder_and_file_belong_together() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(prepared(&inputs(&folder), &["x".into()]), Err(Error::NoPlaceholder { .. })));
        assert!(matches!(prepared(&Inputs::default(), &["@@".into()]), Err(Error::NoFile)));
    }

    #[test]
    fn strings_have_room_and_lengths() {
        let variables = vec![("HOME".to_owned(), "/root".into())];
        let inputs = Inputs { arguments: [1].into(), variables, ..Inputs::default() };
        let prepared = prepared(&inputs, &["-o".into(), "name".into()]).unwrap();
        let kinds: Vec<PartKind> = prepared.parts.iter().map(|part| part.kind).collect();
        assert_eq!(kinds, [PartKind::Argument, PartKind::Variable, PartKind::Length, PartKind::Length]);
        assert_eq!(prepared.parts[0].len, 4 + STRING_ROOM);
        assert_eq!(prepared.contents[2], [4, 0, 0, 0]);
        assert_eq!(prepared.env, [("HOME".into(), OsString::from("/root"))]);
        let few = Inputs { arguments: [2].into(), ..Inputs::default() };
        assert!(matches!(few.read(&["-o".into()]), Err(Error::NoArgument { number: 3, given: 1 })));
    }

    #[test]
    fn what_is_no_input_is_named() {
        for (path, word) in [("/nonexistent/input", "/nonexistent/input"), ("/dev/zero", "device"), ("/", "folder")] {
            let inputs = Inputs { stdin: Some(path.into()), ..Inputs::default() };
            let error = prepared(&inputs, &[]).err().unwrap().to_string();
            assert!(error.contains(word), "{error}");
        }
        assert!(prepared(&Inputs { stdin: Some("/dev/null".into()), ..Inputs::default() }, &[]).is_ok());
    }
}
