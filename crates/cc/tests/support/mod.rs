//! A folder to compile in, by clang and by the driver.

// Every test file is a crate of its own and uses its own part of this. In tests an unwrap is an assertion.
#![allow(dead_code, clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use cc::bundle::Program;
use tempfile::TempDir;

/// A folder to compile in.
pub struct Workshop {
    folder: TempDir,
}

impl Workshop {
    /// A new folder with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let workshop = Self { folder: TempDir::new().unwrap() };
        for (name, text) in files {
            workshop.write(name, text);
        }
        workshop
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, in order.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => names.push(path.strip_prefix(self.folder.path()).unwrap().display().to_string()),
                }
            }
        }
        names.sort();
        names
    }

    /// Runs any command here; it has to succeed.
    pub fn run(&self, line: &str) -> String {
        let output = self.output(Command::new("sh").args(["-ec", line]), b"");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// `provoke cc` with these arguments.
    pub fn provoke(&self, arguments: &[&str], input: &[u8]) -> Output {
        self.output(Command::new(driver()).arg("cc").args(arguments), input)
    }

    /// clang with these arguments.
    pub fn clang(&self, arguments: &[&str], input: &[u8]) -> Output {
        self.output(Command::new("clang-19").args(arguments), input)
    }

    fn output(&self, command: &mut Command, input: &[u8]) -> Output {
        command
            .current_dir(self.folder.path())
            .env("PROVOKE", driver())
            .env("CC", format!("{} cc", driver().display()));
        command.env("CXX", format!("{} c++", driver().display())).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    /// Opens a program that was built here.
    pub fn open(&self, name: &str) -> Program {
        Program::open(&self.path(name)).unwrap()
    }

    /// Links the program's own bitcode again, unchanged, and runs the result.
    pub fn run_relinked(&self, program: &Program, extra: &[&str]) -> String {
        let work = TempDir::new().unwrap();
        let runtime = work.path().join("runtime.a");
        succeed(Command::new("ar").arg("rc").arg(&runtime));
        self.run_relinked_with(&runtime, program, extra)
    }

    /// The same, with a runtime.
    pub fn run_relinked_with(&self, runtime: &Path, program: &Program, extra: &[&str]) -> String {
        let work = TempDir::new().unwrap();
        let mut objects = Vec::new();
        for (index, module) in program.modules.iter().enumerate() {
            let bitcode = work.path().join(format!("{index}.bc"));
            let object = work.path().join(format!("{index}.o"));
            fs::write(&bitcode, &module.bitcode).unwrap();
            succeed(Command::new("clang-19").args(["-c", "-x", "ir"]).arg(&bitcode).arg("-o").arg(&object));
            objects.push(object);
        }
        let merged = work.path().join("merged.o");
        succeed(Command::new("ld").arg("-r").args(&objects).arg("-o").arg(&merged));
        let view = work.path().join("view");
        // The handlers of the checks that are in the bitcode.
        let extra = extra.iter().chain(&["-fsanitize=undefined"]);
        let extra: Vec<String> = extra.map(|word| (*word).to_owned()).collect();
        program.relink(&merged, runtime, &view, &extra).unwrap();
        let output = Command::new(&view).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Names of the sources with bitcode.
pub fn sources(program: &Program) -> Vec<&str> {
    program.modules.iter().map(|module| module.source.as_str()).collect()
}

/// The example program, which cargo builds before it runs tests.
fn driver() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let driver = test.ancestors().nth(2).unwrap().join("examples/provoke-cc");
    assert!(driver.is_file(), "{} is missing: run the tests by `cargo test -p provoke-cc`", driver.display());
    driver
}

/// Whether a file starts as another does, from an offset on.
pub fn same_from(offset: usize, short: &[u8], long: &Path) {
    let long = fs::read(long).unwrap();
    assert!(long.len() > short.len(), "nothing was added to {}", short.len());
    assert!(short[offset..] == long[offset..short.len()], "the native part of the file is not clang's");
}
