//! Every "verified" is true: generated programs are run on all of their inputs.
//!
//! A check that `provoke predict` calls verified on the path of a test must not be violated by any input that goes the same way up to
//! it. `PROVOKE_PROGRAMS` says how many programs there are, `PROVOKE_FIRST` which is the first.

#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use testing::random::Random;
use testing::toolchain::Toolchain;

/// Programs that everybody has time for.
const FEW: u64 = 8;

/// Tests of each program.
const TESTS: usize = 3;

/// The rules that the generated programs can violate.
const CHECKS: &str = "div-by-zero,array-index,global-buffer-overflow,buffer-underflow,assertion,integer-overflow";

/// Writes a program, one check or decision to a line.
struct Generator {
    random: Random,
    text: String,
    left: usize,
    loops: usize,
}

const VARIABLES: u64 = 5;

impl Generator {
    fn program(seed: u64) -> String {
        let mut generator = Generator { random: Random(seed), text: String::new(), left: 14, loops: 0 };
        generator.text.push_str("#include \"bruteforce.h\"\n\nstatic uint32_t run(uint32_t a, uint32_t b) {\n");
        generator.text.push_str("uint32_t v0 = a, v1 = b, v2 = 1, v3 = a, v4 = b;\n");
        while generator.left > 0 {
            generator.statement(0);
        }
        generator.text.push_str("return v0 ^ v1 ^ v2 ^ v3 ^ v4;\n}\n");
        generator.text
    }

    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").unwrap();
    }

    fn statement(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        let target = self.random.below(VARIABLES);
        match self.random.below(if depth < 3 { 16 } else { 11 }) {
            0 | 1 => {
                let value = self.value(2);
                self.line(&format!("v{target} = {value};"));
            }
            2 | 3 => {
                let (x, y) = (self.value(1), self.value(2));
                self.line(&format!("v{target} = D({x}, {y});"));
            }
            4 | 5 => {
                let index = self.value(2);
                self.line(&format!("v{target} = R({index});"));
            }
            6 | 7 => {
                let (index, value) = (self.value(2), self.value(1));
                self.line(&format!("W({index}, {value});"));
            }
            8 => {
                let condition = self.condition();
                self.line(&format!("T({condition});"));
            }
            9 if self.random.below(3) == 0 => {
                let value = self.value(1);
                self.line(&format!("v{target} = F({value});"));
            }
            9 => {
                let value = self.value(1);
                self.line(&format!("v{target} = ({value}) & 7u;"));
            }
            10 => self.arithmetic(target),
            // What both ways do in the same way, optimisation makes one of.
            11 => {
                let condition = self.condition();
                self.line(&format!("if (B({condition})) {{"));
                self.arithmetic(target);
                self.line("} else {");
                self.arithmetic(target);
                self.line("}");
            }
            12..=14 => {
                let condition = self.condition();
                self.line(&format!("if (B({condition})) {{"));
                self.block(depth);
                self.line("} else {");
                self.block(depth);
                self.line("}");
            }
            _ => {
                let (counter, value) = (self.loops, self.value(1));
                self.loops += 1;
                self.line(&format!("for (uint32_t k{counter} = 0; B(k{counter} < (({value}) & 3u)); k{counter}++) {{"));
                self.block(depth);
                self.line("}");
            }
        }
    }

    /// A sum or a difference of signed numbers.
    fn arithmetic(&mut self, target: u64) {
        let (x, y) = (self.value(2), self.value(1));
        let operator = ["S", "M"][self.random.below(2) as usize];
        self.line(&format!("v{target} = {operator}({x}, {y});"));
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.random.below(3) {
            self.statement(depth + 1);
        }
    }

    fn condition(&mut self) -> String {
        let operator = ["<", "<=", "==", "!=", ">"][self.random.below(5) as usize];
        format!("{} {operator} {}", self.value(2), self.value(1))
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return match self.random.below(4) {
                0 => format!("{}u", self.random.below(16)),
                _ => format!("v{}", self.random.below(VARIABLES)),
            };
        }
        let (x, y) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(7) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} & {y})"),
            4 => format!("({x} ^ {y})"),
            5 => format!("({x} >> {})", self.random.below(6)),
            _ => format!("({x} & {}u)", [1, 3, 7, 15][self.random.below(4) as usize]),
        }
    }
}

/// What was called verified, and what was withheld.
#[derive(Default, Debug)]
struct Counts {
    verified: u64,
    withheld: u64,
    others: u64,
}

fn numbers(of: &Value, key: &str) -> u64 {
    of["checks"][key].as_u64().unwrap_or(0)
}

/// The lines on which every check is verified.
fn verified(toolchain: &Toolchain, work: &Path, test: [u8; 2], number: usize, counts: &mut Counts) -> BTreeSet<u64> {
    let tests = work.join(format!("tests{number}"));
    std::fs::create_dir(&tests).unwrap();
    std::fs::write(tests.join("1"), test).unwrap();
    let mut command = Command::new(&toolchain.provoke);
    command.current_dir(work).args(["predict", "program", "--tests"]).arg(&tests);
    command.args(["--checks", CHECKS, "--minimise", "1", "--jobs", "1", "--report", "json=report.json", "--out"]);
    let status = command.arg(format!("out{number}")).stdout(Stdio::null()).status().unwrap();
    let text = || std::fs::read_to_string(work.join("program.c")).unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "provoke predict: {status} on test {test:?} of\n{}", text());
    let report: Value = serde_json::from_slice(&std::fs::read(work.join("report.json")).unwrap()).unwrap();
    let lines = report["summary"]["suite"]["lines"].as_array().cloned().unwrap_or_default();
    let mut all_verified = BTreeSet::new();
    for line in &lines {
        counts.verified += numbers(line, "verified");
        counts.withheld += numbers(line, "withheld");
        let others = ["found", "predicted", "unknown"].map(|key| numbers(line, key)).iter().sum::<u64>();
        counts.others += others;
        if others == 0 && numbers(line, "withheld") == 0 {
            all_verified.extend(line["line"].as_u64());
        }
    }
    all_verified
}

/// The lines that some input violates which goes the same way as the test.
fn violated(work: &Path, test: [u8; 2]) -> BTreeSet<u64> {
    let output = Command::new(work.join("brute")).args(test.map(|byte| byte.to_string())).output().unwrap();
    assert!(output.status.success(), "the program that tries all inputs: {}", output.status);
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

fn clang(arguments: &[&str], work: &Path) {
    let status = Command::new("clang-19").current_dir(work).args(arguments).status().unwrap();
    assert!(status.success(), "clang: {status}");
}

#[test]
fn no_input_violates_a_verified_check() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let programs = variable("PROVOKE_PROGRAMS").unwrap_or(FEW);
    let first = variable("PROVOKE_FIRST").unwrap_or(1);
    let toolchain = Toolchain::find().unwrap();
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verified");
    let include = format!("-I{}", header.display());
    let mut counts = Counts::default();
    let mut violable = 0;
    for seed in first..first + programs {
        let work = tempfile::Builder::new().prefix("provoke-verified-").tempdir().unwrap();
        let text = Generator::program(seed);
        std::fs::write(work.path().join("program.c"), &text).unwrap();
        clang(&["-w", "-O1", "-DBRUTE", &include, "program.c", "-o", "brute"], work.path());
        let source = work.path().join("program.c");
        toolchain.compile(&source, &["-w".to_owned(), include.clone()], &work.path().join("program")).unwrap();
        let mut random = Random(seed ^ 0xffff);
        for number in 0..TESTS {
            let test = [random.below(256) as u8, random.below(256) as u8];
            let verified = verified(&toolchain, work.path(), test, number, &mut counts);
            let violated = violated(work.path(), test);
            violable += violated.len();
            let wrong: Vec<&u64> = verified.intersection(&violated).collect();
            assert!(wrong.is_empty(), "program {seed}, test {test:?}: lines {wrong:?} are not verified\n{text}");
        }
    }
    println!("{programs} programs, {TESTS} tests each: {counts:?}; {violable} lines that some input violates");
    assert!(counts.verified > 0 && violable > 0, "nothing was put to the test: {counts:?}");
}
