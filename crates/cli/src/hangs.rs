//! Inputs that take too long: whether the program itself does, or only its view with the sanitizers in it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cc::bundle::Program;
use replay::{Input, Native};
use report::Slow;
use run::Limits;

use crate::saved::{Folder, Run};

/// Inputs that the program is run on.
const MOST: usize = 4;

/// How long it may take for that, if it may take as long at all: far longer than what is too long for a view mostly.
const LONGEST: Duration = Duration::from_secs(10);

/// Says of inputs that took too long whether the program itself ends on them, and saves the first on which it does not.
/// Where that cannot be found out, the first one is saved; where there are too many, the first of which nobody knows.
pub fn tell(
    slow: &mut Slow,
    inputs: &[Input],
    (program, run): (&Program, &Run<'_>),
    folder: &mut Folder,
    interrupt: &AtomicBool,
) {
    let limits = run.target.limits();
    let limits = Limits { time: limits.time.min(LONGEST), ..limits };
    let target = replay::Target {
        view: program.images.first().map(|image| image.path.clone()).unwrap_or_default(),
        name: Some(run.target.program.clone().into_os_string()),
        args: run.target.args.clone(),
        surroundings: run.surroundings.clone(),
    };
    let is_same = run.target.stand_ins().is_empty();
    let mut longest = Duration::ZERO;
    let is_hang = |input: &&Input| {
        !is_same
            || match replay::natively(&target, input, &limits, interrupt) {
                Native::Ended(took) => {
                    longest = longest.max(took);
                    false
                }
                Native::TookTooLong | Native::NotRun => true,
            }
    };
    match inputs.iter().take(MOST).find(is_hang).or(inputs.get(MOST)) {
        Some(hang) => slow.reproduce = folder.save_slow(run, hang),
        None => slow.natively = Some(longest.as_secs_f64()),
    }
}
