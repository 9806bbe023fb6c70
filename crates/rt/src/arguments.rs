//! The labels that come with a call of a model, and those that go back.

use trace::abi::ThreadSlots;
use trace::layout::{Label, Reason};

use crate::runtime::{Runtime, with};
use crate::thread;

/// How many arguments the modelled functions have at most.
const LARGEST: usize = 6;

/// What a caller passed in the thread-local slots.
pub struct Arguments {
    labels: [Label; LARGEST],
    /// Site of the call.
    pub site: u32,
}

impl Arguments {
    /// Takes what was meant for `model`, the model's own address.
    #[inline(always)]
    pub fn take(model: usize) -> Arguments {
        // SAFETY: the slots belong to this thread.
        let slots: &mut ThreadSlots = unsafe { &mut *thread::slots() };
        let site = slots.call_site;
        if slots.argument_tag != model as u64 {
            return Arguments { labels: [0; LARGEST], site };
        }
        slots.argument_tag = 0;
        let mut labels = [0; LARGEST];
        labels.copy_from_slice(&slots.arguments[..LARGEST]);
        Arguments { labels, site }
    }

    /// The label of an argument.
    #[inline(always)]
    pub fn label(&self, index: usize) -> Label {
        self.labels.get(index).copied().unwrap_or(0)
    }

    /// Pins arguments that the model takes as concrete: index, value and reason.
    #[inline(always)]
    pub fn pin(&self, arguments: &[(usize, u64, Reason)]) {
        if self.labels != [0; LARGEST] {
            self.pin_slowly(arguments);
        }
    }

    #[cold]
    fn pin_slowly(&self, arguments: &[(usize, u64, Reason)]) {
        with((), |runtime: &mut Runtime| {
            for (index, value, reason) in arguments {
                runtime.recorder.pin(self.label(*index), self.site, *reason, *value);
            }
        });
    }
}

/// Gives the label of a result back to the caller of `model`.
#[inline(always)]
pub fn give(model: usize, label: Label) {
    if label != 0 {
        // SAFETY: the slots belong to this thread.
        let slots: &mut ThreadSlots = unsafe { &mut *thread::slots() };
        slots.results[0] = label;
        slots.result_tag = model as u64;
    }
}
