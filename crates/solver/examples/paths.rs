//! Measures all negations of a path: `bench/solver/run` prints its tables.
//!
//! - `paths synthetic LENGTH…` makes paths of these lengths.
//! - `paths compare SECONDS FILE…` reads paths that `--dump` wrote; each row of a table gets so many seconds.
//! - `paths agree FOLDER` puts all dumped queries of a folder to Bitwuzla and to Z3; exit code 1 if they disagree.

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use expr::generate::Generator;
use expr::{Evaluator, Input, Kind, Model, Store, Term};
use solver::{BackendChoice, Budget, Config, Session, Stats, Tier, command, worker};

/// A path: its constraints in order, and the input that took it.
struct Path {
    store: Store,
    constraints: Vec<Term>,
    input: Arc<Input>,
}

/// What came of all negations of a path.
struct Measured {
    /// Time since the start after each of the queries.
    times: Vec<Duration>,
    stats: Stats,
}

impl Measured {
    fn time(&self) -> Duration {
        self.times.last().copied().unwrap_or_default()
    }

    /// How often this run's time for the queries that both did goes into the other's.
    fn ratio(&self, base: &Measured) -> f64 {
        let both = self.times.len().min(base.times.len());
        let time = |measured: &Measured| measured.times.get(both.saturating_sub(1)).map_or(0.0, Duration::as_secs_f64);
        time(self) / time(base)
    }
}

fn main() -> ExitCode {
    worker::init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().ok();
    match words[..] {
        ["synthetic", ref lengths @ ..] => {
            synthetic(&lengths.iter().filter_map(|length| length.parse().ok()).collect::<Vec<_>>());
        }
        ["compare", seconds, ref files @ ..] => {
            let limit = Duration::from_secs(number(seconds).unwrap_or(60));
            files.iter().for_each(|file| compare(file, limit));
        }
        ["agree", folder] => {
            return if agree(folder) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        _ => {
            eprintln!("paths synthetic LENGTH… | compare SECONDS FILE… | agree FOLDER");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// One constraint after the other as a parser of records makes them: mostly about single bytes, some about words, sums
/// and a checksum over a record, each record on its own.
fn synthetic_path(length: usize) -> Path {
    const RECORD: u64 = 16;
    let mut random = Generator::new(length as u64);
    let bytes: Vec<u8> = (0..length as u64 + RECORD).map(|_| random.below(128) as u8).collect();
    let input = Arc::new(Input { parts: vec![bytes] });
    let own = Model::of_input(input.clone());
    let mut store = Store::new();
    let mut constraints = Vec::new();
    let mut place = 0u64;
    while constraints.len() < length {
        let start = place / RECORD * RECORD;
        let byte = |store: &mut Store, offset: u64| {
            let byte = store.input(0, offset);
            store.zext(byte, 32)
        };
        let subject = match random.below(10) {
            0..6 => byte(&mut store, place),
            6 | 7 => {
                let (low, high) = (store.input(0, place), store.input(0, start + place % 7));
                let word = store.concat(high, low);
                store.zext(word, 32)
            }
            8 => {
                let (a, b) = (byte(&mut store, place), byte(&mut store, start));
                store.add(a, b)
            }
            _ => (start..start + 6).fold(store.small(32, 0x1505), |hash, offset| {
                let rotated = store.funnel_shift_left(hash, hash, 5);
                let next = byte(&mut store, offset);
                store.xor(rotated, next)
            }),
        };
        let value = store.eval(subject, &own).low64();
        let limit = match random.below(3) {
            0 => value,
            1 => value + random.below(40),
            _ => random.below(256),
        };
        let limit = store.small(32, limit);
        let kind = if random.below(2) == 0 { Kind::Eq } else { Kind::Ult };
        let condition = store.binary(kind, subject, limit);
        let taken = Evaluator::new(&store, &own).eval(condition).is_true();
        let constraint = if taken { condition } else { store.not(condition) };
        if store.value(constraint).is_none() {
            constraints.push(constraint);
        }
        place += 1;
    }
    Path { store, constraints, input }
}

/// All negations of a path, or as many as `limit` leaves time for.
fn measure(path: &mut Path, config: Config, limit: Duration) -> Measured {
    let mut session = Session::new(config).expect("a session without files starts");
    let started = Instant::now();
    let mut solver = session.path(path.input.clone());
    let mut times = Vec::with_capacity(path.constraints.len());
    for constraint in &path.constraints {
        solver.branch(&mut path.store, *constraint);
        times.push(started.elapsed());
        if started.elapsed() > limit {
            break;
        }
    }
    Measured { times, stats: session.stats().clone() }
}

/// One second for a query: some compare hashes, which nobody solves, and would drown everything else.
fn budget() -> Budget {
    Budget { time: Duration::from_secs(1), ..Budget::default() }
}

/// A solver alone: each query whole, to a fresh instance.
fn alone(backend: BackendChoice) -> Config {
    let disabled = Tier::ALL.to_vec();
    Config { backend, disabled, no_slicing: true, budget: budget(), in_process: true, ..Config::default() }
}

fn synthetic(lengths: &[usize]) {
    println!("all negations of a synthetic path");
    println!(
        "{:>11} {:>9} {:>8} {:>8} {:>10} {:>12} {:>10}",
        "constraints", "sat", "unsat", "unknown", "to backend", "time", "each"
    );
    for length in lengths.iter().copied() {
        let mut path = synthetic_path(length);
        let found = measure(&mut path, Config { budget: budget(), ..Config::default() }, Duration::from_secs(600));
        println!(
            "{:>11} {:>9} {:>8} {:>8} {:>10} {:>9.1} ms {:>7.1} µs",
            found.times.len(),
            found.stats.sat,
            found.stats.unsat,
            found.stats.unknown,
            found.stats.tier(Tier::Backend).asked,
            found.time().as_secs_f64() * 1e3,
            found.time().as_secs_f64() * 1e6 / found.times.len() as f64
        );
        if Some(&length) == lengths.last() {
            println!("\n{}", found.stats);
        }
    }
}

fn compare(file: &str, limit: Duration) {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return println!("{file}: {error}"),
    };
    let query = match command::read(&text) {
        Ok(query) => query,
        Err(error) => return println!("{file}: {error}"),
    };
    let input = query.base.original().cloned().unwrap_or_default();
    let constraints = query.questions.iter().flatten().map(|claim| claim.term).collect();
    let mut path = Path { store: query.store, constraints, input };
    println!("{file}: {} constraints", path.constraints.len());
    println!("{:<26} {:>12} {:>10} {:>9} {:>8} {:>8} {:>8}", "", "time", "ratio", "queries", "sat", "unsat", "unknown");
    let whole = Config { budget: budget(), ..Config::default() };
    let base = measure(&mut path, whole.clone(), limit);
    let row = |name: &str, found: &Measured| {
        println!(
            "{name:<26} {:>9.1} ms {:>9.1}x {:>9} {:>8} {:>8} {:>8}",
            found.time().as_secs_f64() * 1e3,
            found.ratio(&base),
            found.times.len(),
            found.stats.sat,
            found.stats.unsat,
            found.stats.unknown
        );
    };
    row("all tiers", &base);
    row("fresh z3, no tiers", &measure(&mut path, alone(BackendChoice::Z3), limit));
    row("fresh bitwuzla, no tiers", &measure(&mut path, alone(BackendChoice::Bitwuzla), limit));
    for tier in Tier::ALL.into_iter().filter(|tier| *tier != Tier::Backend) {
        let config = Config { disabled: vec![tier], ..whole.clone() };
        row(&format!("without {}", tier.name()), &measure(&mut path, config, limit));
    }
    row("without slicing", &measure(&mut path, Config { no_slicing: true, ..whole.clone() }, limit));
    row("z3 behind the tiers", &measure(&mut path, Config { backend: BackendChoice::Z3, ..whole }, limit));
    println!("\n{}", base.stats);
}

/// Whether Bitwuzla and Z3 say the same of all queries in a folder.
fn agree(folder: &str) -> bool {
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "query"))
        .collect();
    files.sort();
    let mut sessions = [BackendChoice::Bitwuzla, BackendChoice::Z3].map(|backend| {
        let config = Config { in_process: false, ..alone(backend) };
        Session::new(config).expect("a session without files starts")
    });
    let (mut asked, mut sat, mut unsat, mut disagree) = (0, 0, 0, 0);
    for file in &files {
        let read = fs::read_to_string(file).map_err(|error| error.to_string());
        let mut query = match read.and_then(|text| command::read(&text).map_err(|error| error.to_string())) {
            Ok(query) => query,
            Err(error) => {
                println!("{}: {error}", file.display());
                disagree += 1;
                continue;
            }
        };
        asked += 1;
        match sessions.each_mut().map(|session| command::answer(session, &mut query, 0).0.word()) {
            ["sat", "sat"] => sat += 1,
            ["unsat", "unsat"] => unsat += 1,
            ["sat", "unsat"] | ["unsat", "sat"] => {
                println!("{}: Bitwuzla and Z3 disagree", file.display());
                disagree += 1;
            }
            _ => {}
        }
    }
    let wrong: u64 = sessions.iter().map(|session| session.stats().wrong_models).sum();
    println!(
        "Bitwuzla and Z3 on {asked} queries that reached a solver: both sat {sat}, both unsat {unsat}, \
         no answer of one {}, disagreements {disagree}, wrong models {wrong}",
        asked - sat - unsat - disagree
    );
    disagree == 0 && wrong == 0
}
