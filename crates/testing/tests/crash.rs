//! Kills campaigns again and again: in the end they have found what undisturbed ones find.
//!
//! `PROVOKE_KILLS` says how many kills there are of each kind of process; the default is what `make test` has time for.

#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use testing::toolchain::Toolchain;

/// How many kills there are of each kind.
fn kills() -> u64 {
    std::env::var("PROVOKE_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(4)
}

/// What is killed.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Victim {
    /// The command itself; what it had started must end too.
    Engine,
    /// A process that solves.
    Solver,
    /// A process of the program under test, or one that stands between.
    Target,
    /// Everything at one blow.
    Group,
}

struct Campaign {
    toolchain: Toolchain,
    program: PathBuf,
    work: tempfile::TempDir,
    /// Value of `--loops`.
    loops: &'static str,
}

impl Campaign {
    /// Many iterations of loops are tried whenever a worker comes to it, so how many runs there are is chance; `off` is for
    /// tests that count them.
    fn new(source: &str, loops: &'static str) -> Campaign {
        let toolchain = Toolchain::find().unwrap();
        let work = tempfile::Builder::new().prefix("provoke-crash-").tempdir().unwrap();
        let program = work.path().join("program");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/explore");
        toolchain.compile(&folder.join(source), &[], &program).unwrap();
        std::fs::write(work.path().join("seed"), [0; 6]).unwrap();
        std::fs::create_dir(work.path().join("temporary")).unwrap();
        Campaign { toolchain, program, work, loops }
    }

    fn provoke(&self) -> Command {
        let mut command = Command::new(&self.toolchain.provoke);
        command.current_dir(self.work.path()).env("TMPDIR", self.work.path().join("temporary"));
        command
    }

    fn explore(&self) -> Child {
        let mut command = self.provoke();
        command.arg("explore").arg(&self.program);
        command.args(["--stdin", "seed", "--out", "out", "--quiet", "--minimise", "3"]);
        command.args(["--loops", self.loops]);
        command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap()
    }

    /// What `provoke status` says.
    fn status(&self) -> String {
        let output = self.provoke().args(["status", "out"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Goes on to the end and gives the last line of the report.
    fn finish(&self) -> String {
        let output = self.explore().wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().last().unwrap_or_default().to_owned()
    }

    /// What is left in the folder for temporary files.
    fn left(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.work.path().join("temporary")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// Forgets everything.
    fn begin_again(&self) {
        std::fs::remove_dir_all(self.work.path().join("out")).unwrap();
    }

    /// The processes below the command, with their names.
    fn below(&self, root: u32) -> Vec<(u32, String)> {
        let mut found = Vec::new();
        let mut open = vec![root];
        while let Some(process) = open.pop() {
            let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { continue };
            for thread in threads.flatten() {
                let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
                for child in children.split_whitespace().filter_map(|word| word.parse().ok()) {
                    let line = std::fs::read_to_string(format!("/proc/{child}/cmdline")).unwrap_or_default();
                    found.push((child, line));
                    open.push(child);
                }
            }
        }
        found
    }

    /// Kills something of a running command; whether there was something.
    fn kill(&self, victim: Victim, child: &mut Child, number: u64) -> bool {
        let below = self.below(child.id());
        let is_solver = |line: &str| line.contains("provoke-solver");
        let wanted: Vec<u32> = match victim {
            Victim::Engine => vec![child.id()],
            Victim::Group => std::iter::once(child.id()).chain(below.iter().map(|(process, _)| *process)).collect(),
            Victim::Solver => below.iter().filter(|(_, line)| is_solver(line)).map(|(process, _)| *process).collect(),
            Victim::Target => below.iter().filter(|(_, line)| !is_solver(line)).map(|(process, _)| *process).collect(),
        };
        let one_of_them = wanted.get(number as usize % wanted.len().max(1)).copied();
        let killed: Vec<u32> = match victim {
            Victim::Solver | Victim::Target => one_of_them.into_iter().collect(),
            Victim::Engine | Victim::Group => wanted,
        };
        for process in &killed {
            let _ = Command::new("kill").args(["-9", &process.to_string()]).stderr(Stdio::null()).status();
        }
        !killed.is_empty()
    }
}

/// Numbers that look random, the same each time.
fn shuffled(number: u64) -> u64 {
    number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33
}

#[test]
fn a_campaign_that_is_killed_finds_what_another_one_finds() {
    let campaign = Campaign::new("records.c", "off");
    // So that views are there: kills are for the campaign.
    campaign.finish();
    for victim in [Victim::Engine, Victim::Group, Victim::Solver, Victim::Target] {
        campaign.begin_again();
        let mut child = campaign.explore();
        for number in 0..kills() {
            // Wherever the workers are by then.
            std::thread::sleep(Duration::from_millis(shuffled(number) % 200));
            let is_over = child.try_wait().unwrap().is_some();
            if is_over {
                // There is more to kill in a campaign that begins again.
                campaign.begin_again();
            } else {
                campaign.kill(victim, &mut child, number);
            }
            if is_over || matches!(victim, Victim::Engine | Victim::Group) {
                child.wait().unwrap();
                child = campaign.explore();
            }
        }
        child.wait().unwrap();
        assert_eq!(campaign.finish(), "1 finding (1 error); all 93 paths explored for inputs of 6 bytes", "{victim:?}");
    }
    let killed = campaign.status();
    assert!(killed.starts_with("93 paths, 0 waiting, ") && killed.contains(" 0 divergences, 1 finding"), "{killed}");
    let database = campaign.work.path().join("out/campaign.sqlite");
    assert!(store::Campaign::look(&database).unwrap().is_intact().unwrap());
    assert!(campaign.left().is_empty(), "what was killed left {:?}", campaign.left());

    let undisturbed = Campaign::new("records.c", "off");
    undisturbed.finish();
    assert_eq!(killed, undisturbed.status());
}

#[test]
fn two_processes_share_the_work() {
    let campaign = Campaign::new("records.c", "off");
    let children = [campaign.explore(), campaign.explore()];
    for child in children {
        let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert!(text.contains("paths       93, 93 of them completely covered; 93 inputs"), "{text}");
        // What one replays the other does not: 93 inputs and 9 predictions.
        assert!(text.contains("replayed    102 inputs: 9 confirmed"), "{text}");
    }
}

/// What is tried by chance changes nothing of what is found, and a kill nothing of that.
#[test]
fn a_campaign_that_looks_at_loops_finds_the_same() {
    let campaign = Campaign::new("records.c", "auto");
    campaign.finish();
    campaign.begin_again();
    let mut children = [campaign.explore(), campaign.explore()];
    for number in 0..6 {
        std::thread::sleep(Duration::from_millis(shuffled(number) % 200));
        let child = &mut children[number as usize % 2];
        campaign.kill(Victim::Engine, child, number);
        child.wait().unwrap();
        *child = campaign.explore();
    }
    for mut child in children {
        child.wait().unwrap();
    }
    assert_eq!(campaign.finish(), "1 finding (1 error); all 93 paths explored for inputs of 6 bytes");
    let status = campaign.status();
    assert!(status.starts_with("93 paths, 0 waiting, ") && status.contains(" 0 divergences, 1 finding"), "{status}");
    assert!(store::Campaign::look(&campaign.work.path().join("out/campaign.sqlite")).unwrap().is_intact().unwrap());
}
