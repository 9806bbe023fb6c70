//! A thread that lives as long as this process.
//!
//! The system tells a process that its parent has died when the *thread* that started it ends. What is to outlive the thread that
//! needs it first is started here.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

type Work = Box<dyn FnOnce() + Send>;

static THREAD: OnceLock<Mutex<Sender<Work>>> = OnceLock::new();

/// Does something in that thread and waits for it; nothing if that cannot be done.
pub(crate) fn in_lasting_thread<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Option<R> {
    let (done, result) = channel();
    let thread = THREAD.get_or_init(|| {
        let (send, receive) = channel::<Work>();
        // Where there is no room for a thread nobody receives, which is seen below.
        let _ = thread::Builder::new()
            .name("starter".to_owned())
            .spawn(move || receive.into_iter().for_each(|work| work()));
        Mutex::new(send)
    });
    let work: Work = Box::new(move || {
        // Whoever asked is waiting.
        let _ = done.send(work());
    });
    thread.lock().unwrap_or_else(PoisonError::into_inner).send(work).ok()?;
    result.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_always_the_same_thread() {
        let of = || in_lasting_thread(|| thread::current().id());
        let first = thread::spawn(of).join().unwrap();
        let second = thread::spawn(of).join().unwrap();
        assert!(first.is_some());
        assert_eq!(first, second);
    }
}
