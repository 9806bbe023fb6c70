//! Whether trying is worth its time.

/// Decides whether something is tried on a path that may help: where it never gets anywhere, it is tried now and then.
#[derive(Default)]
pub(crate) struct Hope {
    failures: u32,
}

impl Hope {
    /// Failures in a row before it is tried less often, and how often then.
    const FAILURES: u32 = 32;
    const EVERY: u32 = 8;

    /// Whether to try now.
    pub(crate) fn is_there(&mut self) -> bool {
        let is_there = self.failures < Hope::FAILURES || self.failures.is_multiple_of(Hope::EVERY);
        // Until the try says otherwise.
        self.failures = self.failures.saturating_add(1);
        is_there
    }

    /// A try was worth it.
    pub(crate) fn is_fulfilled(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hope_comes_back() {
        let mut hope = Hope::default();
        let tries = |hope: &mut Hope, times: u32| (0..times).filter(|_| hope.is_there()).count();
        assert_eq!(tries(&mut hope, 32 + 64), 32 + 8);
        hope.is_fulfilled();
        assert_eq!(tries(&mut hope, 8), 8);
    }
}
