//! Which loops are running, as far as conditions on input were met in them, and which units.
//!
//! A loop has a place in the frame of its function. When a condition of it on input is met for the first time, a number is written
//! there; the program's own code writes 0 when it leaves the loop. So whether a loop is still running is looked up when the
//! next event is logged, and code without labels never calls anybody. Units have such places too.

use trace::layout::{Event, EventKind, Given};

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
    is_unit: bool,
    /// Site and value of the event that was logged last for it.
    last: Option<(u32, u64)>,
}

impl Running {
    fn mark(&self) -> u64 {
        MARK | u64::from(self.entry)
    }

    /// Whether it is the loop with this place in a frame, running still.
    ///
    /// # Safety
    /// As for [`Recorder::loop_condition`].
    #[inline(always)]
    unsafe fn is_at(&self, place: *mut u64) -> bool {
        // SAFETY: by contract.
        self.place == place as u64 && unsafe { place.read_volatile() } == self.mark()
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
    /// Index of the event with which a unit was entered last.
    last_unit: u64,
    /// Units that are running, as far as is known.
    units: u32,
}

impl Loops {
    /// None yet.
    pub fn new() -> Loops {
        Loops { running: List::new(DEPTH), entries: 0, last_unit: 0, units: 0 }
    }

    /// Index of the event with which a unit was entered last; 0 if none was.
    pub fn last_unit(&self) -> u64 {
        self.last_unit
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
        if last.is_unit {
            self.loops.units = self.loops.units.saturating_sub(1);
            self.log_unit(EventKind::Exit, 0, last.entry, 0, 0);
        } else {
            self.append_event(self.boundary(EventKind::Leave, 0, last.entry, 0));
        }
    }

    fn log_unit(&mut self, kind: EventKind, site: u32, entry: u32, taken: u8, value: u64) {
        self.append_event(Event { kind: kind as u8, taken, reason: 0, site, label: 0, aux: entry, value });
    }

    fn boundary(&self, kind: EventKind, site: u32, entry: u32, value: u64) -> Event {
        Event { kind: kind as u8, taken: 0, reason: 0, site, label: self.last_node(), aux: entry, value }
    }

    /// A condition that decides whether the loop with a place in the frame goes on.
    ///
    /// # Safety
    /// `place` is 8 bytes in a frame of this thread's stack.
    pub unsafe fn loop_condition(&mut self, place: *mut u64, site: u32, number: u32, condition: u32) {
        // SAFETY: by contract.
        let is_innermost = self.loops.running.items().last().is_some_and(|last| unsafe { last.is_at(place) });
        // SAFETY: by contract.
        if !is_innermost && !unsafe { self.enter_loop(place) } {
            return;
        }
        let Some(running) = self.loops.running.items_mut().last_mut() else { return };
        let value = u64::from(condition) << 32 | u64::from(number);
        let is_again = running.last.replace((site, value)) == Some((site, value));
        let entry = running.entry;
        let event = self.boundary(EventKind::Loop, site, entry, value);
        self.append_loop(event, is_again);
    }

    /// Makes the loop with a place in the frame the innermost one; `false` if there are too many.
    ///
    /// # Safety
    /// As for [`Recorder::loop_condition`].
    unsafe fn enter_loop(&mut self, place: *mut u64) -> bool {
        self.settle();
        // SAFETY: by contract.
        let known = |running: &Running| unsafe { running.is_at(place) };
        if self.loops.running.items().iter().rev().any(known) {
            // What is above was left in a way that nobody noticed.
            while let Some(last) = self.loops.running.items().last().copied().filter(|last| !known(last)) {
                self.end_loop(last);
            }
            return true;
        }
        let entry = self.loops.entries.saturating_add(1);
        let running = Running { place: place as u64, entry, thread: thread::identity(), is_unit: false, last: None };
        if !self.loops.running.push(running) {
            return false;
        }
        self.loops.entries = entry;
        // SAFETY: by contract.
        unsafe { place.write_volatile(running.mark()) };
        true
    }

    /// The number that the next unit is entered as.
    pub fn next_unit(&mut self) -> u32 {
        self.settle();
        self.loops.entries.saturating_add(1)
    }

    /// An object that the next unit gets.
    pub fn unit_object(&mut self, index: u32, given: Given, address: u64) {
        let entry = self.loops.entries.saturating_add(1);
        self.log_unit(EventKind::Object, index, entry, given as u8, address);
    }

    /// Whether a unit is running.
    pub fn is_in_unit(&mut self) -> bool {
        self.settle_loops();
        self.loops.units > 0
    }

    /// A unit with a place in the frame is entered, with the number that [`Recorder::next_unit`] gave. Whether there is room for it.
    ///
    /// # Safety
    /// As for [`Recorder::loop_condition`].
    pub unsafe fn enter_unit(&mut self, place: *mut u64, unit: u32, frame: u64) -> bool {
        let entry = self.loops.entries.saturating_add(1);
        let running = Running { place: place as u64, entry, thread: thread::identity(), is_unit: true, last: None };
        // What was made input for it is nobody else's.
        self.loops.entries = entry;
        if !self.loops.running.push(running) {
            return false;
        }
        // SAFETY: by contract.
        unsafe { place.write_volatile(running.mark()) };
        self.loops.units += 1;
        self.loops.last_unit = self.event_count();
        self.log_unit(EventKind::Enter, unit, entry, 0, frame);
        true
    }

    /// All units are left, and all loops in them.
    pub fn leave_units(&mut self) {
        while self.loops.running.items().iter().any(|running| running.is_unit) {
            let Some(last) = self.loops.running.items().last().copied() else { return };
            self.end_loop(last);
        }
    }

    /// The loop, or the unit, with a place in the frame is left.
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
    fn boundaries(recorder: &Recorder) -> Vec<(u8, u32)> {
        recorder.events_from(0).into_iter().map(|event| (event.kind, event.aux)).collect()
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
        assert_eq!(boundaries(&recorder), expected);
    }

    #[test]
    fn a_unit_that_is_entered_again_from_outside_has_ended() {
        #[inline(never)]
        fn runs_a_unit(recorder: &mut Recorder, depth: u32) {
            let mut place = 0u64;
            recorder.next_unit();
            // SAFETY: it is in this frame.
            unsafe { recorder.enter_unit(&raw mut place, 0, u64::MAX) };
            if depth > 0 {
                runs_a_unit(recorder, depth - 1);
            }
            // Nobody says that it is left, as after `longjmp`.
            core::hint::black_box(&mut place);
        }
        let mut recorder = recorder(1 << 20);
        runs_a_unit(&mut recorder, 1);
        runs_a_unit(&mut recorder, 0);
        recorder.settle_loops();
        const ENTER: u8 = EventKind::Enter as u8;
        const EXIT: u8 = EventKind::Exit as u8;
        let expected = [(ENTER, 1), (ENTER, 2), (EXIT, 2), (EXIT, 1), (ENTER, 3), (EXIT, 3)];
        assert_eq!(boundaries(&recorder), expected);
    }

    #[test]
    fn units_that_are_too_deep_are_not_entered() {
        let mut recorder = recorder(1 << 22);
        let mut places = [0u64; DEPTH + 2];
        let mut entered = 0;
        // From the end: outer frames are at higher addresses.
        for place in places.iter_mut().rev() {
            let number = recorder.next_unit();
            // SAFETY: it is in this frame.
            let is_entered = unsafe { recorder.enter_unit(place, 0, u64::MAX) };
            entered += usize::from(is_entered);
            assert_ne!(recorder.next_unit(), number, "its number is used up");
        }
        assert_eq!(entered, DEPTH);
        assert!(recorder.is_in_unit());
        recorder.leave_units();
        assert!(!recorder.is_in_unit());
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
        assert_eq!(boundaries(&recorder), [(LOOP, 1), (LEAVE, 1)]);
    }
}
