//! Ctrl-C.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::raw::WithRawSiginfo;

use crate::exit::{self, Failure};

/// How often somebody looks whether there was one.
const GLANCE: Duration = Duration::from_millis(20);

/// The signals that ask for an end.
const ENDS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// A flag that Ctrl-C sets: the run ends and what there is gets shown. A second Ctrl-C ends everything.
pub fn flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in ENDS {
        // In this order, so that the first signal finds the flag not set.
        register_conditional_shutdown(signal, 128 + signal, Arc::clone(&flag))?;
        register(signal, Arc::clone(&flag))?;
    }
    Ok(flag)
}

/// Until this is dropped there is nothing to show, and Ctrl-C ends the command at once: the compiler that makes the view of a large program
/// takes minutes, and nobody can ask it to stop.
pub struct Preparing {
    _ends: Sender<()>,
}

impl Preparing {
    /// Looks at the flag that Ctrl-C sets.
    pub fn start(interrupted: &Arc<AtomicBool>) -> Preparing {
        let (_ends, ended) = channel::<()>();
        let interrupted = Arc::clone(interrupted);
        thread::spawn(move || {
            while ended.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                if interrupted.load(Ordering::Relaxed) {
                    exit::at_once(Failure::Interrupted("the program was not run"));
                }
            }
        });
        Preparing { _ends }
    }
}

/// Runs a command to its end, which is its own: when somebody wants ours, it is told. What the terminal sends it has got itself.
pub fn handing_on(command: &mut Command) -> io::Result<ExitStatus> {
    // What is ignored here, as behind nohup, stays ignored there: a handler would not be handed on.
    let heard = ENDS.into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = SignalsInfo::<WithRawSiginfo>::new(heard.chain([SIGCHLD]))?;
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        for signal in signals.wait() {
            // A positive code is one of the system's.
            if signal.si_signo != SIGCHLD && signal.si_code <= 0 {
                // SAFETY: sends a signal. The child has not been waited for since it was seen alive, so the number is still its own.
                unsafe { libc::kill(child.id() as i32, signal.si_signo) };
            }
        }
    }
}

fn is_ignored(signal: i32) -> bool {
    // SAFETY: asks for the present action, for which there is room, and changes none.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}
