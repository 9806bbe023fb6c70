//! A moment at which work ends that only looks at a flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often the user's wish is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// Does work that ends early when its flag becomes true: with `interrupt`, and at a moment if there is one. Says whether it was set.
pub(super) fn with_flag<R>(
    interrupt: &AtomicBool,
    until: Option<Instant>,
    work: impl FnOnce(&AtomicBool) -> R,
) -> (R, bool) {
    let Some(until) = until else { return (work(interrupt), interrupt.load(Ordering::Relaxed)) };
    let flag = AtomicBool::new(false);
    let (done, ends) = channel::<()>();
    let set = &flag;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The other end goes away when the work is done.
            while ends.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                if interrupt.load(Ordering::Relaxed) || Instant::now() >= until {
                    set.store(true, Ordering::Relaxed);
                }
            }
        });
        let result = work(&flag);
        drop(done);
        (result, flag.load(Ordering::Relaxed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(flag: &AtomicBool) {
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn work_ends_at_the_moment_or_when_somebody_wants_it() {
        let never = AtomicBool::new(false);
        assert!(with_flag(&never, Some(Instant::now()), waits).1);
        let now = AtomicBool::new(true);
        with_flag(&now, Some(Instant::now() + Duration::from_secs(3600)), waits);
        with_flag(&now, None, waits);
        assert!(!with_flag(&never, Some(Instant::now() + Duration::from_secs(3600)), |_| ()).1);
    }
}
