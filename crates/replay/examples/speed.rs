//! Measures replays: `speed VIEW INPUT COUNT`.

use replay::{Input, Replayer, Settings, Target};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let target = Target { view: arguments[1].clone().into(), ..Target::default() };
    let settings = Settings { output: run::Output::Discard, ..Settings::default() };
    let replayer = Replayer::new(target, settings).expect("a view");
    let input = Input::stdin(std::fs::read(&arguments[2]).expect("an input"));
    let count: u32 = arguments[3].parse().expect("a number");
    let start = Instant::now();
    let mut violations = 0;
    for _ in 0..count {
        violations += replayer.replay(&input).expect("it runs").violations.len();
    }
    println!("{:?} per replay, {violations} violations", start.elapsed() / count);
}
