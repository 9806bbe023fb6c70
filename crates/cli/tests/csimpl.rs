//! `provoke csimpl` as a user sees it.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs the command in the folder of its test programs, expects the exit code, and gives standard output and error.
fn csimpl(arguments: &[&str], code: i32) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/csimpl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.arg("csimpl").args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    (stdout, stderr)
}

#[test]
fn explain_shows_figure_8() {
    let (out, _) = csimpl(&["figure8.csimpl", "--subtyping", "form", "--explain"], 1);
    let rows: Vec<String> = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "1. () x2 := <int> 52; () x2 := <int> 52; pc = true, Φ = ∅",
        "2. () if x1 > -5 then { () if x1 > -5 then { pc = α > -5, Φ = ∅",
        "3. () x3 := <int> div(x2, x1); (x1 : notzero) x3 := <int> div(x2, x1); pc = α > -5, Φ = {α != 0}",
    ] {
        assert!(rows.iter().any(|row| row == expected), "{expected}\n{out}");
    }
    assert!(out.contains("the run stops with x1 = 2, x2 = 52, x3 = 26"), "{out}");
    assert!(out.contains("C-VAR2 11:25"), "{out}");
    assert!(out.contains("with x1 = 0"), "{out}");
    assert!(out.contains("figure8.csimpl:11:25"), "{out}");
}

#[test]
fn an_input_can_be_given() {
    let (out, _) = csimpl(&["figure8.csimpl", "--subtyping", "prove", "--explain", "--input", "x1=-7"], 1);
    assert!(out.contains("first run: x1 = -7"), "{out}");
    assert!(out.contains("pc = α <= -5"), "{out}");
    let (_, error) = csimpl(&["figure8.csimpl", "--input", "x2=1"], 2);
    assert!(error.contains("there is no input `x2`"), "{error}");
    let (_, error) = csimpl(&["figure8-typed.csimpl", "--input", "x1=0"], 2);
    assert!(error.contains("0 is no value for the input `x1`, which is in notzero"), "{error}");
}

#[test]
fn exit_codes_tell_verdicts_apart() {
    let (out, _) = csimpl(&["figure8.csimpl"], 1);
    assert!(out.contains("int is not a subtype: 0 is in it"), "{out}");
    assert!(out.ends_with("ill-typed: rejected\n"), "{out}");
    let (out, _) = csimpl(&["figure8-typed.csimpl"], 0);
    assert!(out.ends_with("well-typed: proved\n"), "{out}");
    let (out, _) = csimpl(&["figure8-guarded.csimpl", "--subtyping", "prove"], 0);
    assert!(out.contains("safe on all paths: verified"), "{out}");
    let (out, _) = csimpl(&["hard.csimpl", "--subtyping", "prove", "--limit", "query-steps=100000"], 0);
    assert!(out.contains("not covered: hard.csimpl:"), "{out}");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with("undecided: nothing was found, but not everything was decided"), "{out}");
    let (_, error) = csimpl(&["wrong-signature.csimpl"], 2);
    assert!(error.contains("the operator `half` does not do what its signature says"), "{error}");
    let (_, error) = csimpl(&["no-such-file.csimpl"], 2);
    assert!(error.contains("cannot read no-such-file.csimpl"), "{error}");
    let (_, error) = csimpl(&["combination.csimpl", "--env", "divisions"], 2);
    assert!(error.contains("there is no environment `divisions`; there are: overflow, division"), "{error}");
}

#[test]
fn json_says_the_same() {
    let (out, _) = csimpl(&["combination.csimpl", "--subtyping", "prove", "--env", "division", "--json"], 1);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["verdict"], "fails");
    assert_eq!(document["findings"][0]["at"]["line"], 18);
    assert_eq!(document["findings"][0]["input"]["y"], "0");
    assert_eq!(document["inserted"][0]["required"], "notzero");
    let (out, _) = csimpl(&["figure8.csimpl", "--subtyping", "form", "--json", "--explain"], 1);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["columns"][2]["state"]["path_constraint"], "α > -5");
    assert_eq!(document["columns"][2]["state"]["checks"][0]["check"], "α != 0");
    assert_eq!(document["derivation"][4]["rule"], "C-VAR2");
    let (out, _) = csimpl(&["wrong-signature.csimpl", "--json"], 2);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["verdict"], "error");
    assert_eq!(document["at"]["line"], 3);
}

#[test]
fn the_library_can_be_read() {
    let (out, _) = csimpl(&["--library"], 0);
    assert!(out.contains("type uint8_t  = {x : Int | 0 <= x < 2^8};"), "{out}");
}

#[test]
fn output_to_a_file_has_no_colours() {
    for arguments in [&["figure8.csimpl"][..], &["figure8.csimpl", "--subtyping", "prove"]] {
        let (out, _) = csimpl(arguments, 1);
        assert!(!out.contains('\u{1b}'), "{out:?}");
    }
    let (_, error) = csimpl(&["wrong-signature.csimpl"], 2);
    assert!(!error.contains('\u{1b}'), "{error:?}");
}
