//! Building, linking and tracing C programs that play the part of instrumented code.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use trace::layout::PartKind;
use trace::reader::{Memory, NewPart, Options, Trace, create};

/// Builds the archive as the engine's build does, once.
fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("archive");
        let status = Command::new(env!("CARGO"))
            .args(["build", "--release", "--lib", "--manifest-path"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&target)
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the archive does not build");
        target.join("release/librt.a")
    })
}

/// Compiles a program, once for all tests.
pub fn compile(program: &'static str) -> PathBuf {
    static DONE: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(program);
    if done.contains(program) {
        return out;
    }
    // Another test process may be doing the same.
    let unfinished = out.with_extension(std::process::id().to_string());
    let status = Command::new("clang-19")
        .args(["-O1", "-g", "-pthread", "-o"])
        .arg(&unfinished)
        .arg(folder.join(format!("{program}.c")))
        .arg(archive())
        .status()
        .expect("clang-19 is installed");
    assert!(status.success(), "{program}.c does not compile");
    fs::rename(&unfinished, &out).expect("renamed");
    done.insert(program);
    out
}

/// What a run left behind.
pub struct Run {
    /// The trace.
    pub trace: Trace,
    /// The trace as text.
    pub text: String,
    /// How the program ended.
    pub status: ExitStatus,
}

/// Runs a program with `input` as its standard input and its output going to `output`.
pub fn trace_of(
    program: &'static str,
    arguments: &[&str],
    input: &[u8],
    (selfcheck, memory_cap): (bool, u64),
    output: Stdio,
) -> (Trace, ExitStatus) {
    let program = compile(program);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("input");
    fs::write(&path, input).expect("written");
    let meta = fs::metadata(&path).expect("metadata");
    let part = NewPart {
        kind: PartKind::Stdin,
        name: "stdin".into(),
        device: meta.dev(),
        inode: meta.ino(),
        len: input.len() as u64,
        data: Vec::new(),
    };
    let recording =
        create(&Options { selfcheck, memory: Memory::Precise, memory_cap, parts: vec![part] }).expect("a trace");
    let status = Command::new(program)
        .args(arguments)
        .env("PROVOKE_TRACE", recording.path())
        .stdin(fs::File::open(&path).expect("open"))
        .stdout(output)
        .status()
        .expect("the program starts");
    let trace = recording.finish().expect("a readable trace");
    assert_eq!(trace.notes(), []);
    (trace, status)
}

/// Runs a program under self-check with at most `cap` bytes of trace.
pub fn run_with_cap(program: &'static str, arguments: &[&str], input: &[u8], cap: u64) -> Run {
    let (trace, status) = trace_of(program, arguments, input, (true, cap), Stdio::null());
    let text = trace::text::print(&trace).to_string();
    assert!(!text.contains("mismatch"), "{text}");
    Run { trace, text, status }
}

impl Run {
    /// Lines of the trace that start in one of these ways.
    pub fn lines(&self, starts: &[&str]) -> Vec<&str> {
        self.text.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).collect()
    }

    /// The branches, in order.
    pub fn branches(&self) -> Vec<&str> {
        self.lines(&["branch"])
    }

    /// The node with this label, as text.
    pub fn node(&self, label: &str) -> &str {
        let start = format!("{label} = ");
        self.text.lines().find_map(|line| line.strip_prefix(start.as_str())).unwrap_or("not there")
    }

    /// The condition of the branch at a site.
    pub fn condition_at(&self, site: u32) -> &str {
        let end = format!(" site={site}");
        let branch = self.branches().into_iter().find(|line| line.ends_with(&end)).expect("a branch at the site");
        self.node(branch.split(' ').nth(1).expect("a label"))
    }
}
