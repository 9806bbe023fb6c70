//! Nodes in a circle of copies hold the same, and become one.

use super::nodes::{Node, Nodes};
use rustc_hash::FxHashMap;

/// Makes the circles one that can be reached from some nodes. All that can be reached comes back, each node before those that it
/// is copied to.
pub fn collapse(nodes: &mut Nodes, from: &[Node]) -> Vec<Node> {
    let mut search = Search { nodes, found: FxHashMap::default(), stack: Vec::new(), circles: Vec::new() };
    for root in from {
        if !search.found.contains_key(root) {
            search.visit(*root);
        }
    }
    let circles = search.circles;
    // Only now: the search does not expect nodes to disappear.
    for circle in &circles {
        if let Some((first, others)) = circle.split_first() {
            others.iter().for_each(|other| nodes.unify(*first, *other));
        }
    }
    circles.iter().rev().filter_map(|circle| circle.first()).map(|node| nodes.find(*node)).collect()
}

/// A node that was found.
#[derive(Clone, Copy)]
struct Found {
    index: u32,
    /// The earliest node that it leads back to.
    low: u32,
    on_stack: bool,
}

/// A node that is being looked at.
struct Active {
    node: Node,
    copies: Vec<Node>,
}

/// Tarjan's search, without recursion.
struct Search<'a> {
    nodes: &'a mut Nodes,
    found: FxHashMap<Node, Found>,
    stack: Vec<Node>,
    /// Every circle behind all that it leads to.
    circles: Vec<Vec<Node>>,
}

impl Search<'_> {
    fn enter(&mut self, node: Node) -> Active {
        let index = self.found.len() as u32;
        self.found.insert(node, Found { index, low: index, on_stack: true });
        self.stack.push(node);
        let copies = self.nodes.copies(node).to_vec();
        Active { node, copies }
    }

    fn lower(&mut self, node: Node, low: u32) {
        if let Some(found) = self.found.get_mut(&node) {
            found.low = found.low.min(low);
        }
    }

    fn visit(&mut self, root: Node) {
        let mut active = vec![self.enter(root)];
        while let Some(Active { node, copies }) = active.last_mut() {
            let node = *node;
            if let Some(next) = copies.pop() {
                match self.found.get(&next) {
                    None => active.push(self.enter(next)),
                    Some(Found { index, on_stack: true, .. }) => {
                        let index = *index;
                        self.lower(node, index);
                    }
                    Some(_) => {}
                }
                continue;
            }
            active.pop();
            let Some(Found { index, low, .. }) = self.found.get(&node).copied() else { continue };
            if let Some(parent) = active.last().map(|parent| parent.node) {
                self.lower(parent, low);
            }
            if low == index {
                self.close(node);
            }
        }
    }

    /// What was found since a node is one circle.
    fn close(&mut self, first: Node) {
        let start = self.stack.iter().rposition(|other| *other == first).unwrap_or(0);
        let circle = self.stack.split_off(start);
        for node in &circle {
            if let Some(found) = self.found.get_mut(node) {
                found.on_stack = false;
            }
        }
        self.circles.push(circle);
    }
}
