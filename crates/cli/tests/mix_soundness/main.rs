//! `provoke mix` against brute force: random programs with sixteen inputs are run on all of them. If a run follows a null
//! pointer, there is a warning for that line, however the program is divided into blocks.
//!
//! `PROVOKE_MIX_PROGRAMS` says how many programs.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

mod generator;

use std::fs;
use std::path::Path;
use std::process::Command;

use generator::Generator;
use serde_json::Value;

/// The lines on which some run follows a null pointer.
fn faults(folder: &Path) -> Vec<u64> {
    let mut found = Vec::new();
    for count in 0..16 {
        let output = Command::new(folder.join("program")).args(vec!["x"; count]).output().unwrap();
        if output.status.code() == Some(100) {
            found.push(String::from_utf8_lossy(&output.stdout).trim().parse().unwrap());
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn warned(folder: &Path, arguments: &[&str]) -> Vec<u64> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.args(["mix", "program", "--sinks", "all", "--time", "600", "--report", "json=report.json"]).args(arguments);
    let output = command.current_dir(folder).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["position"]["line"].as_u64().unwrap()).collect()
}

#[test]
fn no_run_follows_null_without_a_warning() {
    let programs = std::env::var("PROVOKE_MIX_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let first = std::env::var("PROVOKE_MIX_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let modes: [&[&str]; 4] = [&["--ignore-blocks"], &[], &["--ignore-blocks", "--auto"], &["--outer", "symbolic"]];
    let mut faulty = 0;
    let mut warnings = [0; 4];
    for seed in first..first + programs {
        let text = Generator::new(seed).program();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("program.c"), &text).unwrap();
        let mut compile = Command::new(env!("CARGO_BIN_EXE_provoke"));
        compile.args(["cc", "-w", "-O0", "-g", "program.c", "-o", "program"]).current_dir(folder.path());
        assert!(compile.status().unwrap().success(), "{text}");
        let faults = faults(folder.path());
        faulty += usize::from(!faults.is_empty());
        for (mode, warnings) in modes.iter().zip(&mut warnings) {
            let warned = warned(folder.path(), mode);
            *warnings += warned.len();
            for fault in &faults {
                let seen = warned.contains(fault);
                assert!(seen, "program {seed} with {mode:?}: no warning for line {fault}, {warned:?}\n{text}");
            }
        }
    }
    println!("{faulty} of {programs} programs fail; warnings by mode: {warnings:?}");
}
