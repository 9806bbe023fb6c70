//! Programs that only pretend to be concolic views, and write into their traces what they like.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use trace::layout::{EVENTS_OFFSET, FILE_SIZE, NODES_OFFSET};
use trace::sites::{Position, SECTION, Site, SiteKind, SiteTable};

/// Makes a view whose `main` runs `body`, with `at(offset)` for the places of the trace.
fn false_view(folder: &Path, body: &str) -> PathBuf {
    let source = format!(
        r#"
        #include <fcntl.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        static char *trace;
        #define at(type, offset) (*(type *)(trace + (offset)))
        #define NODE(index) ({NODES_OFFSET}ull + 16 * (index))
        static void node(int index, int op, int width, uint32_t a, uint64_t imm, uint64_t value) {{
            unsigned form = op == 1 ? 7 : 1;
            at(uint32_t, NODE(index)) = op | width << 16 | form << 28;
            at(uint32_t, NODE(index) + 4) = a;
            at(uint32_t, NODE(index) + 8) = imm;
            at(uint32_t, NODE(index) + 12) = value;
            at(uint32_t, 32) = index + 1;
        }}
        static void branch(uint32_t label, int taken, uint32_t site) {{
            at(uint8_t, {EVENTS_OFFSET}ull) = 1;
            at(uint8_t, {EVENTS_OFFSET}ull + 1) = taken;
            at(uint32_t, {EVENTS_OFFSET}ull + 4) = site;
            at(uint32_t, {EVENTS_OFFSET}ull + 8) = label;
            at(uint64_t, 40) = 1;
        }}
        int main(void) {{
            int file = open(getenv("PROVOKE_TRACE"), O_RDWR);
            trace = mmap(0, {FILE_SIZE}ull, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (trace == MAP_FAILED)
                return 9;
            at(uint32_t, 24) = 1;
            at(uint32_t, 28) = 2;
            {body}
            return 0;
        }}"#
    );
    let position = Position { file: "false.c".into(), line: 77, column: 3, function: "pretend".into() };
    let site = Site { positions: vec![position], kind: SiteKind::Branch };
    let table = SiteTable { sites: vec![Site::default(), site], regions: vec![], ..SiteTable::default() };
    let (file, sites, view) = (folder.join("false.c"), folder.join("sites"), folder.join("view"));
    std::fs::write(&file, source).unwrap();
    std::fs::write(&sites, table.encode().unwrap()).unwrap();
    let run = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    run(Command::new("clang-19").arg(&file).arg("-o").arg(&view));
    let section = format!("{SECTION}={}", sites.display());
    run(Command::new("objcopy").arg("--add-section").arg(section).arg(&view));
    view
}

fn traced(body: &str) -> Output {
    let folder = TempDir::new().unwrap();
    let view = false_view(folder.path(), body);
    let input = folder.path().join("input");
    std::fs::write(&input, "G").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.args(["trace", "--stdin"]).arg(input).arg(view).env("PROVOKE_SELFCHECK", "1");
    command.output().unwrap()
}

/// Expects the exit code and something that is said.
fn check(body: &str, code: i32, said: &[&str]) {
    let output = traced(body);
    let all = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert_eq!(output.status.code(), Some(code), "{all}");
    for part in said {
        assert!(all.contains(part), "{part} is not in\n{all}");
    }
}

#[test]
fn what_holds_together_is_believed() {
    let body = "node(1, 1, 8, 0, 0, 0x47); node(2, 32, 1, 1, 0x47, 1); branch(2, 1, 1);";
    check(body, 0, &["false.c:77:3", "in pretend", "(eq stdin[0] 0x47)"]);
}

#[test]
fn a_term_that_is_not_what_the_program_computed_is_an_internal_error() {
    let body = "node(1, 1, 8, 0, 0, 0x47); node(2, 32, 1, 1, 0x47, 0); branch(2, 0, 1);";
    check(body, 3, &["internal error: self-check", "label 2", "0x0", "0x1", "false.c:77:3 in pretend", "report"]);
}

#[test]
fn an_input_byte_that_is_not_the_files_is_an_internal_error() {
    check("node(1, 1, 8, 0, 0, 0x48);", 3, &["internal error: self-check", "0x48", "0x47"]);
}

#[test]
fn a_damaged_node_ends_the_trace_there() {
    let body = "node(1, 1, 8, 0, 0, 0x47); node(2, 99, 1, 1, 0x47, 0); branch(2, 0, 1);";
    check(body, 0, &["node %2 is damaged (unknown operator 99)", "0 branches"]);
}

#[test]
fn a_trace_that_was_overwritten_is_explained() {
    check("memset(trace, 0x5a, 4096);", 2, &["overwritten"]);
}

#[test]
fn a_program_that_claims_no_trace_is_explained() {
    check("at(uint32_t, 28) = 0;", 2, &["wrote no trace"]);
}

#[test]
fn a_branch_that_went_another_way_than_its_condition_is_an_internal_error() {
    let body = "node(1, 1, 8, 0, 0, 0x47); node(2, 32, 1, 1, 0x47, 1); branch(2, 0, 1);";
    check(body, 3, &["internal error: self-check", "the program had 0x0", "the node has 0x1", "false.c:77:3"]);
}
