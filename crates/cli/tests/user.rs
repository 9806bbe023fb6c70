//! What people run into who use the command for the first time.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A folder with files in it.
struct Sandbox(TempDir);

impl Sandbox {
    fn with(files: &[(&str, &str)]) -> Sandbox {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        for (name, contents) in files {
            std::fs::write(sandbox.path(name), contents).unwrap();
        }
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.args(line.split_whitespace()).current_dir(self.0.path()).env("PROVOKE_SELFCHECK", "1");
        command
    }

    /// Runs the command and expects the exit code. Gives standard output and error.
    fn run(&self, line: &str, code: i32) -> (String, String) {
        let output = self.command(line).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(code), "{line}\n{out}\n{err}");
        (out, err)
    }

    /// The report of a command that finds something, as JSON.
    fn report(&self, line: &str, code: i32) -> Value {
        self.run(&format!("{line} --report json=report.json"), code);
        serde_json::from_str(&std::fs::read_to_string(self.path("report.json")).unwrap()).unwrap()
    }
}

#[test]
fn two_mistakes_on_one_line_are_two_findings() {
    let program = "#include <stdio.h>\nint main(void) {\n    int a = getchar(), b = getchar();\n    \
                   printf(\"%d %d\\n\", 100 / (a - 'k'), 100 / (b - 'm'));\n    return 0;\n}\n";
    let sandbox = Sandbox::with(&[("two.c", program), ("input", "ab")]);
    let report = sandbox.report("check two.c --stdin input", 1);
    let findings = report["findings"].as_array().unwrap();
    let rules: Vec<&str> = findings.iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["div-by-zero", "div-by-zero"]);
    assert_ne!(findings[0]["position"]["column"], findings[1]["position"]["column"]);
    assert_ne!(findings[0]["fingerprint"], findings[1]["fingerprint"]);
}

/// The declared bounds say so at one column, and the sanitizer at another.
#[test]
fn one_mistake_that_is_seen_twice_is_one_finding() {
    let program = "#include <stdio.h>\nint main(void) {\n    char text[8] = \"\";\n    int at = getchar() - 'a';\n    \
                   text[at] = 'x';\n    return text[0] == 'x';\n}\n";
    let sandbox = Sandbox::with(&[("index.c", program), ("input", "a")]);
    let report = sandbox.report("check index.c --stdin input", 1);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1, "{report:#}");
}
