//! `provoke checkers`
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::process::Command;

/// Standard output, standard error and exit code.
fn provoke(args: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_provoke")).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn all_are_listed() {
    let (out, _, code) = provoke(&["checkers"]);
    assert_eq!(code, 0);
    let names: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    for entry in checkers::catalogue::entries() {
        assert!(names.iter().any(|name| name.trim_end_matches('*') == entry.name), "{}", entry.name);
    }
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
}

#[test]
fn names_can_be_given_one_by_one() {
    let together = provoke(&["checkers", "integer,-shift,div-by-zero"]);
    assert_eq!(provoke(&["checkers", "integer,-shift", "div-by-zero"]), together);
    let json = provoke(&["checkers", "--json", "shift,div-by-zero"]);
    assert!(json.0.starts_with('['), "{}", json.0);
    assert_eq!(provoke(&["checkers", "shift", "div-by-zero", "--json"]), json);
    assert_eq!(provoke(&["checkers", "shift", "--json", "div-by-zero"]), json);
}

#[test]
fn some_are_explained() {
    let (out, _, code) = provoke(&["checkers", "integer,-shift,-div-by-zero"]);
    assert_eq!(code, 0);
    let named: Vec<&str> = out.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).collect();
    assert_eq!(
        named,
        [
            "integer-overflow: integer overflow",
            "integer-underflow: integer underflow",
            "unsigned-wrap: unsigned arithmetic wraps around",
        ]
    );
    assert!(out.contains("__builtin_add_overflow") && out.contains("CWE-190"));
}

#[test]
fn programs_get_json() {
    let (out, _, code) = provoke(&["checkers", "--json", "shift"]);
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json[0]["name"], "shift");
    assert_eq!(json[0]["group"], "integer");
    assert_eq!(json[0]["severity"], "error");
    assert_eq!(json[0]["default"], true);
    assert_eq!(json.as_array().unwrap().len(), 1);
}

#[test]
fn misspelt_names_are_corrected() {
    let (_, err, code) = provoke(&["checkers", "memry"]);
    assert_eq!(code, 2);
    assert!(err.contains("did you mean `memory`?"), "{err}");
    let (_, err, code) = provoke(&["checkers", "-memry"]);
    assert_eq!(code, 2);
    assert!(err.contains("did you mean `memory`?"), "{err}");
}
