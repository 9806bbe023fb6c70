//! Which values decide about memory: those that an address, a size or an index is computed from.

use path::{Observed, Path};
use trace::layout::{Label, Node};
use trace::op::{Op, operands};
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
            if labels.get(index) == Some(&true) && !is_reduced(node) {
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

/// Whether a value is brought into a range, whatever it was before: hashes are meant to wrap around, and are then used like this.
fn is_reduced(node: &Node) -> bool {
    let is_mask = node.b == 0 && (node.imm.wrapping_add(1)).is_power_of_two() && node.imm != 0;
    match Op::from_code(node.op) {
        Some(Op::URem) => node.b == 0,
        Some(Op::And) => is_mask,
        _ => false,
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
