//! Programs that misbehave: each run ends, says how, and leaves no process behind.

#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use run::{Command, Error, Finished, Limits, Output, Status, execute};

static NEVER: AtomicBool = AtomicBool::new(false);

/// Far beyond what any test takes: reaching it is a failure.
fn patient() -> Limits {
    Limits { time: Duration::from_secs(100), ..Limits::default() }
}

fn command(script: &str) -> Command {
    Command {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        output: Output::Capture(1 << 16),
        ..Command::default()
    }
}

fn shell(script: &str, limits: &Limits) -> Finished {
    execute(&command(script), limits, &NEVER).unwrap()
}

/// Fails if one of the processes that the program wrote the numbers of is alive.
fn assert_gone(finished: &Finished) {
    let text = String::from_utf8_lossy(&finished.stdout.bytes).into_owned();
    let pids: Vec<&str> = text.split_whitespace().collect();
    assert!(!pids.is_empty());
    for pid in pids {
        assert!(!Path::new("/proc").join(pid).exists(), "{pid} is still there");
    }
}

#[test]
fn the_exit_code_is_seen() {
    assert_eq!(shell("exit 7", &patient()).status, Status::Exited(7));
}

#[test]
fn a_crash_is_seen() {
    assert_eq!(shell("kill -SEGV $$", &patient()).status, Status::Signalled(libc::SIGSEGV));
}

#[test]
fn an_endless_loop_is_cut() {
    let limits = Limits { time: Duration::from_millis(100), ..Limits::default() };
    let finished = shell("trap '' TERM; echo $$; while :; do :; done", &limits);
    assert_eq!(finished.status, Status::TimedOut);
    assert_gone(&finished);
}

#[test]
fn an_interrupt_ends_the_run() {
    let finished = execute(&command("echo $$; sleep 1000"), &patient(), &AtomicBool::new(true)).unwrap();
    assert_eq!(finished.status, Status::Interrupted);
}

#[test]
fn memory_is_limited() {
    let limits = Limits { memory: 100 << 20, ..patient() };
    let finished = shell("echo $$; x=$(head -c 500000000 /dev/zero | tr '\\0' x); sleep 1000", &limits);
    assert_eq!(finished.status, Status::MemoryExceeded);
    assert_gone(&finished);
}

#[test]
fn processes_are_limited() {
    let limits = Limits { processes: 20, ..patient() };
    let finished = shell("for i in $(seq 60); do sleep 1000 & echo $!; done; wait", &limits);
    assert_eq!(finished.status, Status::TooManyProcesses);
    assert_gone(&finished);
}

#[test]
fn a_hundred_children_that_outlive_the_program_are_killed() {
    let finished = shell("for i in $(seq 100); do sleep 1000 & echo $!; done; exit 3", &patient());
    assert_eq!(finished.status, Status::Exited(3));
    assert_gone(&finished);
}

#[test]
fn children_that_leave_the_session_are_killed() {
    let script = "for i in 1 2 3; do setsid sh -c 'echo $$; setsid sleep 1000' & done; sleep 0.2; exit 0";
    let finished = shell(script, &patient());
    assert_eq!(finished.status, Status::Exited(0));
    assert_gone(&finished);
}

#[test]
fn closing_all_descriptors_changes_nothing() {
    assert_eq!(shell("exec 0<&- 1>&- 2>&-; exit 5", &patient()).status, Status::Exited(5));
}

#[test]
fn killing_the_supervisor_is_noticed() {
    assert_eq!(shell("kill -KILL $PPID; sleep 1000", &patient()).status, Status::Lost);
}

#[test]
fn output_is_capped() {
    let command = Command { output: Output::Capture(10), ..command("head -c 1000000 /dev/zero") };
    let finished = execute(&command, &patient(), &NEVER).unwrap();
    assert_eq!((finished.stdout.bytes.len(), finished.stdout.dropped), (10, 999_990));
}

#[test]
fn large_files_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large");
    let limits = Limits { file_size: 1 << 20, ..patient() };
    let script = format!("exec head -c 3000000 /dev/zero > {}", file.display());
    assert_eq!(shell(&script, &limits).status, Status::Signalled(libc::SIGXFSZ));
    assert_eq!(file.metadata().unwrap().len(), 1 << 20);
}

#[test]
fn standard_input_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    std::fs::write(&file, "hello").unwrap();
    let command = Command { stdin: Some(file), ..command("cat") };
    assert_eq!(execute(&command, &patient(), &NEVER).unwrap().stdout.bytes, b"hello");
    assert_eq!(shell("cat", &patient()).stdout.bytes, b"");
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let missing = Command { program: "/nonexistent/program".into(), ..Command::default() };
    let error = execute(&missing, &patient(), &NEVER).unwrap_err();
    assert!(matches!(error, Error::Start { .. }), "{error}");
}

const ENGINE: &str = "PROVOKE_TEST_ENGINE";

/// Not a test by itself: the engine that [`the_death_of_the_engine_ends_the_run`] kills.
#[test]
fn engine_to_be_killed() {
    if let Some(file) = std::env::var_os(ENGINE) {
        let script = format!("setsid sleep 1000 & echo $! $$ > {}; sleep 1000", file.display());
        shell(&script, &patient());
    }
}

#[test]
fn the_death_of_the_engine_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let mut engine = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "engine_to_be_killed"])
        .env(ENGINE, &file)
        .spawn()
        .unwrap();
    let pids = wait_until(|| std::fs::read_to_string(&file).ok().filter(|text| text.ends_with('\n')));
    engine.kill().unwrap();
    engine.wait().unwrap();
    for pid in pids.split_whitespace() {
        // A process that nobody waits for stays as a zombie where there is no init; it holds nothing any more.
        let gone = || match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) => stat.contains(") Z ").then_some(()),
            Err(_) => Some(()),
        };
        wait_until(gone);
    }
}

/// Polls with a limit that only a failure reaches.
fn wait_until<T>(mut condition: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "waited in vain");
        std::thread::sleep(Duration::from_millis(10));
    }
}
