//! Which values decide about memory: those that an address, a size or an index is computed from.

use path::{Observed, Path};
use trace::layout::Label;
use trace::op::operands;
use trace::reader::Trace;
use trace::rule::Rule;
use trace::sites::{SiteKind, SiteTable};

/// A set of labels.
pub struct Reach {
    labels: Vec<bool>,
}

impl Reach {
    /// The values that addresses, sizes and indices of a path are computed from.
    pub fn of(path: &Path, trace: &Trace, sites: &SiteTable) -> Reach {
        let nodes = trace.nodes();
        let mut labels = vec![false; nodes.len()];
        let decides = path.observations.iter().filter(|observation| match observation.what {
            Observed::Access { .. } | Observed::Size { .. } => true,
            // The address is observed by itself.
            Observed::Bounds { .. } => false,
            Observed::Condition { .. } => is_index(sites, observation.site),
        });
        for observation in decides {
            mark(&mut labels, observation.label);
        }
        // Operands come before what is computed from them.
        for (index, node) in nodes.iter().enumerate().rev() {
            if labels.get(index) == Some(&true) {
                operands(node, |label| mark(&mut labels, label));
            }
        }
        Reach { labels }
    }

    /// Whether a value decides about memory.
    pub fn contains(&self, label: Label) -> bool {
        label != 0 && self.labels.get(label as usize) == Some(&true)
    }
}

fn mark(labels: &mut [bool], label: Label) {
    if let Some(place) = labels.get_mut(label as usize) {
        *place = true;
    }
}

fn is_index(sites: &SiteTable, site: u32) -> bool {
    match sites.site(site).kind {
        SiteKind::Check(number) => sites.checks.get(number as usize).is_some_and(|c| c.rule == Rule::ArrayIndex),
        _ => false,
    }
}
