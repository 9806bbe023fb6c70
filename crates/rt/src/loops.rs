//! Which loops are running, as far as conditions on input were met in them.
//!
//! A loop has a place in the frame of its function. When a condition of it on input is met for the first time, a number is written
//! there; the program's own code writes 0 when it leaves the loop. So whether a loop is still running is looked up when the
//! next event is logged, and code without labels never calls anybody.

use trace::layout::{Event, EventKind};

use crate::recorder::Recorder;
use crate::system::List;
use crate::thread;

/// Loops that run at the same time, one in the other; those within are not told of.
const DEPTH: usize = 4096;

/// Upper half of what is written into a frame: no number that programs use.
const MARK: u64 = 0x9d3f_5a61 << 32;

/// A loop that was running when it was last looked at.
#[derive(Clone, Copy)]
struct Running {
    place: u64,
    entry: u32,
    thread: u64,
}

impl Running {
    fn mark(&self) -> u64 {
        MARK | u64::from(self.entry)
    }

    /// Whether the loop is running still: its frame is there, and nobody has written to its place.
    fn is_running(&self) -> bool {
        // SAFETY: the place was in a frame of this thread's stack, and is above the end of the stack.
        self.thread == thread::identity()
            && self.place >= thread::stack_pointer()
            && unsafe { (self.place as *const u64).read_volatile() } == self.mark()
    }
}

/// The loops that are running, and how many have been.
pub struct Loops {
    running: List<Running>,
    entries: u32,
}

impl Loops {
    /// None yet.
    pub fn new() -> Loops {
        Loops { running: List::new(DEPTH), entries: 0 }
    }

    /// Whether any was running when it was last looked at.
    #[inline(always)]
    pub fn any(&self) -> bool {
        !self.running.items().is_empty()
    }
}

impl Default for Loops {
    fn default() -> Loops {
        Loops::new()
    }
}

impl Recorder {
    /// Logs the end of loops that the program has left.
    #[inline(always)]
    pub fn settle_loops(&mut self) {
        if self.loops.any() {
            self.settle();
        }
    }

    #[inline(never)]
    fn settle(&mut self) {
        while let Some(last) = self.loops.running.items().last().copied() {
            if last.is_running() {
                break;
            }
            self.end_loop(last);
        }
    }

    fn end_loop(&mut self, last: Running) {
        self.loops.running.pop();
        self.log_boundary(EventKind::Leave, 0, last.entry, 0);
    }

    fn log_boundary(&mut self, kind: EventKind, site: u32, entry: u32, value: u64) {
        let label = self.node_count().saturating_sub(1);
        self.append_event(Event { kind: kind as u8, taken: 0, reason: 0, site, label, aux: entry, value });
    }

    /// A condition that decides whether the loop with a place in the frame goes on.
    ///
    /// # Safety
    /// `place` is 8 bytes in a frame of this thread's stack.
    pub unsafe fn loop_condition(&mut self, place: *mut u64, site: u32, number: u32, condition: u32) {
        self.settle();
        let thread = thread::identity();
        // SAFETY: by contract.
        let mark = unsafe { place.read_volatile() };
        let known = |running: &Running| running.place == place as u64 && running.mark() == mark;
        if self.loops.running.items().iter().rev().any(known) {
            // What is above was left in a way that nobody noticed.
            while let Some(last) = self.loops.running.items().last().copied().filter(|last| !known(last)) {
                self.end_loop(last);
            }
        } else {
            let entry = self.loops.entries.saturating_add(1);
            let running = Running { place: place as u64, entry, thread };
            if !self.loops.running.push(running) {
                return;
            }
            self.loops.entries = entry;
            // SAFETY: by contract.
            unsafe { place.write_volatile(running.mark()) };
        }
        let Some(entry) = self.loops.running.items().last().map(|running| running.entry) else { return };
        self.log_boundary(EventKind::Loop, site, entry, u64::from(condition) << 32 | u64::from(number));
    }

    /// The loop with a place in the frame is left.
    ///
    /// # Safety
    /// As for [`Recorder::loop_condition`].
    pub unsafe fn leave_loop(&mut self, place: *mut u64) {
        // SAFETY: by contract.
        unsafe { place.write_volatile(0) };
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::recorder;

    /// Kinds and numbers of the boundaries that were logged.
    fn boundaries(recorder: &mut Recorder) -> Vec<(u8, u32)> {
        (0..recorder.event_count()).filter_map(|i| recorder.event_mut(i).map(|e| (e.kind, e.aux))).collect()
    }

    const LOOP: u8 = EventKind::Loop as u8;
    const LEAVE: u8 = EventKind::Leave as u8;

    #[test]
    fn loops_end_when_their_place_is_cleared() {
        let mut recorder = recorder(1 << 20);
        let (mut outer, mut inner) = (7u64, 0u64);
        let (outer_place, inner_place) = (&raw mut outer, &raw mut inner);
        // SAFETY: both are in this frame.
        unsafe {
            recorder.loop_condition(outer_place, 1, 0, 0);
            recorder.loop_condition(inner_place, 2, 1, 0);
            recorder.loop_condition(inner_place, 2, 1, 0);
            inner_place.write_volatile(0);
            recorder.loop_condition(outer_place, 1, 0, 0);
            recorder.loop_condition(inner_place, 2, 1, 0);
            recorder.leave_loop(inner_place);
            recorder.leave_loop(outer_place);
        }
        let expected = [(LOOP, 1), (LOOP, 2), (LOOP, 2), (LEAVE, 2), (LOOP, 1), (LOOP, 3), (LEAVE, 3), (LEAVE, 1)];
        assert_eq!(boundaries(&mut recorder), expected);
    }

    #[test]
    fn loops_of_frames_that_are_gone_have_ended() {
        #[inline(never)]
        fn runs_a_loop(recorder: &mut Recorder) {
            let mut place = 0u64;
            // SAFETY: it is in this frame.
            unsafe { recorder.loop_condition(&raw mut place, 1, 0, 0) };
        }
        let mut recorder = recorder(1 << 20);
        runs_a_loop(&mut recorder);
        recorder.settle_loops();
        assert_eq!(boundaries(&mut recorder), [(LOOP, 1), (LEAVE, 1)]);
    }
}
