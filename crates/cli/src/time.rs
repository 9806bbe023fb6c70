//! How long a command may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Reads a number of seconds, or with `m` or `h` behind it of minutes or hours.
pub fn parse(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix('m').map(|t| (t, 60.0)).or(text.strip_suffix('h').map(|t| (t, 3600.0)))
    {
        Some(with_unit) => with_unit,
        None => (text.trim_end_matches('s'), 1.0),
    };
    let number: f64 = number.parse().map_err(|_| "the time is a number, with s, m or h behind it")?;
    seconds(number * unit)
}

/// So many seconds, if a time can be as long.
pub fn seconds(number: f64) -> Result<Duration, String> {
    let why = if number < 0.0 { "a time is not negative" } else { "a time is not as long" };
    Duration::try_from_secs_f64(number).map_err(|_| format!("{why}; write 10 for example"))
}

/// Sets the flag that Ctrl-C sets when the time is over; the flag that comes back says whether that was the reason.
pub fn stop_after(time: Duration, stop: &Arc<AtomicBool>) -> Arc<AtomicBool> {
    let is_over = Arc::new(AtomicBool::new(false));
    let (own, stop) = (Arc::clone(&is_over), Arc::clone(stop));
    thread::spawn(move || {
        thread::sleep(time);
        // Who was interrupted before was interrupted.
        own.store(!stop.swap(true, Ordering::Relaxed), Ordering::Relaxed);
    });
    is_over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse("3s"), Ok(Duration::from_secs(3)));
        assert!(parse("soon").is_err() && parse("-1").is_err() && parse("").is_err());
    }

    #[test]
    fn times_that_are_none_are_said_to_be() {
        assert_eq!(seconds(-1.0), Err("a time is not negative; write 10 for example".to_owned()));
        assert!([f64::INFINITY, f64::NAN, 1e300].into_iter().all(|number| seconds(number).is_err()));
    }

    #[test]
    fn the_reason_is_known() {
        let stop = Arc::new(AtomicBool::new(false));
        let is_over = stop_after(Duration::ZERO, &stop);
        while !is_over.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        assert!(stop.load(Ordering::Relaxed));
    }
}
