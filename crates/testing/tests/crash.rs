//! Kills a campaign again and again: in the end it has found what an undisturbed one finds.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use testing::toolchain::Toolchain;

/// How often the campaign is killed.
const KILLS: u64 = 8;

struct Campaign {
    toolchain: Toolchain,
    program: PathBuf,
    work: tempfile::TempDir,
}

impl Campaign {
    fn new(source: &str) -> Campaign {
        let toolchain = Toolchain::find().unwrap();
        let work = tempfile::Builder::new().prefix("provoke-crash-").tempdir().unwrap();
        let program = work.path().join("program");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/explore");
        toolchain.compile(&folder.join(source), &[], &program).unwrap();
        std::fs::write(work.path().join("seed"), [0; 6]).unwrap();
        Campaign { toolchain, program, work }
    }

    fn explore(&self) -> Child {
        let mut command = Command::new(&self.toolchain.provoke);
        command.current_dir(self.work.path()).arg("explore").arg(&self.program);
        command.args(["--stdin", "seed", "--out", "out", "--quiet", "--minimise", "3"]);
        command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap()
    }

    /// What `provoke status` says.
    fn status(&self) -> String {
        let mut command = Command::new(&self.toolchain.provoke);
        let output = command.current_dir(self.work.path()).args(["status", "out"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// How many paths there are so far.
    fn paths(&self) -> u64 {
        self.status().split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    /// Goes on to the end and gives the last line of the report.
    fn finish(&self) -> String {
        let output = self.explore().wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().last().unwrap_or_default().to_owned()
    }
}

#[test]
fn a_campaign_that_is_killed_finds_what_another_one_finds() {
    let campaign = Campaign::new("records.c");
    let mut kills = 0;
    while kills < KILLS {
        // Each time a few paths further, wherever the workers are by then.
        let target = campaign.paths() + 1 + kills;
        let mut child = campaign.explore();
        while campaign.paths() < target && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert_eq!(campaign.finish(), "1 finding (1 error); all 93 paths explored for inputs of 6 bytes");
    let killed = campaign.status();
    assert!(killed.starts_with("93 paths, 0 waiting, ") && killed.contains(" 0 divergences, 1 finding"), "{killed}");

    let undisturbed = Campaign::new("records.c");
    undisturbed.finish();
    assert_eq!(killed, undisturbed.status());
}

#[test]
fn two_processes_share_the_work() {
    let campaign = Campaign::new("records.c");
    let children = [campaign.explore(), campaign.explore()];
    for child in children {
        let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert!(text.contains("paths       93, 93 of them completely covered; 93 inputs"), "{text}");
        // What one replays the other does not: 93 inputs and 9 predictions.
        assert!(text.contains("replayed    102 inputs: 9 confirmed"), "{text}");
    }
}
