//! The order of a call graph.

/// The strongly connected components of a graph, each before those that lead to it.
pub fn components(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut state = Search {
        successors,
        index: vec![UNSEEN; successors.len()],
        low: vec![0; successors.len()],
        on_stack: vec![false; successors.len()],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for node in 0..successors.len() as u32 {
        if state.index[node as usize] == UNSEEN {
            state.visit(node);
        }
    }
    state.found
}

const UNSEEN: u32 = u32::MAX;

/// Tarjan's search, without recursion: call graphs can be deep.
struct Search<'a> {
    successors: &'a [Vec<u32>],
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<u32>,
    next: u32,
    found: Vec<Vec<u32>>,
}

impl Search<'_> {
    fn enter(&mut self, node: u32) {
        self.index[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node as usize] = true;
    }

    fn visit(&mut self, root: u32) {
        let mut active = vec![(root, 0usize)];
        self.enter(root);
        while let Some((node, position)) = active.last_mut() {
            let (node, at) = (*node, *position);
            *position += 1;
            if let Some(next) = self.successors[node as usize].get(at).copied() {
                if self.index[next as usize] == UNSEEN {
                    self.enter(next);
                    active.push((next, 0));
                } else if self.on_stack[next as usize] {
                    self.low[node as usize] = self.low[node as usize].min(self.index[next as usize]);
                }
                continue;
            }
            active.pop();
            if let Some((parent, _)) = active.last() {
                let parent = *parent as usize;
                self.low[parent] = self.low[parent].min(self.low[node as usize]);
            }
            if self.low[node as usize] == self.index[node as usize] {
                let start = self.stack.iter().rposition(|other| *other == node).unwrap_or(0);
                let component = self.stack.split_off(start);
                component.iter().for_each(|node| self.on_stack[*node as usize] = false);
                self.found.push(component);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_call() {
        // 0 → 1 ⇄ 2 → 3, 4 alone.
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![]]);
        assert_eq!(found, vec![vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
