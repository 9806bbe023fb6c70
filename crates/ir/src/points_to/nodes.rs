//! Nodes: sets of cells, and what flows between them. Nodes that hold the same become one.

use super::bits::Bits;
use super::objects::CellId;
use rustc_hash::FxHashSet;

/// A register, a result, what a cell holds, or something in between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub u32);

/// How an address is computed from another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shift {
    /// Bytes that are known.
    pub constant: i64,
    /// Element size and length in bytes of an array that is indexed.
    pub array: Option<(u64, Option<u64>)>,
    /// Whether it is a field of a structure: the address is within what has one, or the program has no right to it.
    pub is_field: bool,
}

impl Shift {
    /// Whether it may lead to what lies before.
    pub fn is_backwards(self) -> bool {
        self.constant < 0
    }
}

/// What is done with the cells that a node points to.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// The node that gets what any of them holds.
    pub read: Option<Node>,
    /// The node whose value all of them get.
    pub written: Option<Node>,
    /// Nodes that get what several words from there on hold, and how many bytes are read.
    pub wide_reads: Vec<(Node, u64)>,
    /// Nodes whose value several words from there on get, and how many bytes are written.
    pub wide_writes: Vec<(Node, u64)>,
    /// Nodes that point to somewhere else in the same objects.
    pub shifts: Vec<(Shift, Node)>,
    /// Calls through this pointer, by number.
    pub calls: Vec<u32>,
}

/// A node's constraints.
#[derive(Clone, Debug, Default)]
struct Data {
    points_to: Bits,
    /// What was added and not yet handed on.
    new: Bits,
    /// What was handed on, but not yet used.
    unused: Bits,
    /// Nodes that hold at least what this one holds.
    copies: Vec<Node>,
    /// How many nodes had become one when the list was last free of those that are gone.
    cleaned: u32,
    uses: Option<Box<Uses>>,
    /// The cell, if it points to just this one whatever happens.
    fixed: Option<CellId>,
    is_changed: bool,
}

/// All nodes.
#[derive(Debug, Default)]
pub struct Nodes {
    data: Vec<Data>,
    /// For a node that became one with another: that one.
    parents: Vec<u32>,
    /// How many nodes are one in this one.
    sizes: Vec<u32>,
    edges: FxHashSet<(Node, Node)>,
    /// Nodes with something to hand on.
    changed: Vec<Node>,
    /// How often two became one.
    unified: u32,
}

impl Nodes {
    pub fn with_count(count: usize) -> Nodes {
        let mut nodes = Nodes::default();
        (0..count).for_each(|_| {
            nodes.make();
        });
        nodes
    }

    /// A new node.
    pub fn make(&mut self) -> Node {
        let number = self.data.len() as u32;
        self.data.push(Data::default());
        self.parents.push(number);
        self.sizes.push(1);
        Node(number)
    }

    /// How many there are, those that are gone included.
    pub fn count(&self) -> usize {
        self.data.len()
    }

    /// The node that stands for a node.
    pub fn find(&self, node: Node) -> Node {
        let mut at = node.0;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        Node(at)
    }

    fn data(&mut self, node: Node) -> &mut Data {
        let node = self.find(node);
        &mut self.data[node.0 as usize]
    }

    pub fn points_to(&self, node: Node) -> &Bits {
        &self.data[self.find(node).0 as usize].points_to
    }

    /// The cell that a node points to whatever happens, if there is one.
    pub fn fixed(&self, node: Node) -> Option<CellId> {
        self.data[self.find(node).0 as usize].fixed
    }

    /// Says that a node points to this cell, and to nothing else ever.
    pub fn fix(&mut self, node: Node, cell: CellId) {
        self.data(node).fixed = Some(cell);
    }

    /// Adds cells to what a node points to.
    pub fn add(&mut self, node: Node, cells: &Bits) {
        let node = self.find(node);
        let new = self.data[node.0 as usize].points_to.add(cells);
        self.announce(node, &new);
    }

    fn announce(&mut self, node: Node, new: &Bits) {
        if new.is_empty() {
            return;
        }
        let data = &mut self.data[node.0 as usize];
        data.new.add(new);
        if !data.is_changed {
            data.is_changed = true;
            self.changed.push(node);
        }
    }

    /// Lets everything that one node points to be pointed to by another one; true if that is new.
    pub fn copy(&mut self, from: Node, to: Node) -> bool {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.edges.insert((from, to)) {
            return false;
        }
        let data = &mut self.data[from.0 as usize];
        data.copies.push(to);
        let known = std::mem::take(&mut data.points_to);
        self.add(to, &known);
        self.data[from.0 as usize].points_to = known;
        true
    }

    /// What is done with a node. Whoever adds to that says so by [`Nodes::again`].
    pub fn uses(&mut self, node: Node) -> &mut Uses {
        self.data(node).uses.get_or_insert_default()
    }

    /// What is done with a node, for those who change nothing.
    pub fn known_uses(&self, node: Node) -> Option<&Uses> {
        self.data[self.find(node).0 as usize].uses.as_deref()
    }

    /// Hands everything on once more, for uses that came later than what they are about.
    pub fn again(&mut self, node: Node) {
        let node = self.find(node);
        let all = self.data[node.0 as usize].points_to.clone();
        self.announce(node, &all);
    }

    /// Hands everything on once more of the nodes with such uses.
    pub fn again_where(&mut self, is_wanted: impl Fn(&Uses) -> bool) {
        let wanted = |node: &Node| self.data[node.0 as usize].uses.as_deref().is_some_and(&is_wanted);
        let nodes: Vec<Node> = (0..self.data.len() as u32).map(Node).filter(wanted).collect();
        nodes.into_iter().for_each(|node| self.again(node));
    }

    /// The nodes with something to hand on.
    pub fn take_changed(&mut self) -> Vec<Node> {
        let mut changed = std::mem::take(&mut self.changed);
        for node in &mut changed {
            *node = self.find(*node);
            self.data[node.0 as usize].is_changed = false;
        }
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|node| !self.data[node.0 as usize].new.is_empty());
        changed
    }

    pub fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// The nodes that get what a node has.
    pub fn copies(&mut self, node: Node) -> &[Node] {
        let node = self.find(node);
        if self.data[node.0 as usize].cleaned < self.unified {
            let mut copies = std::mem::take(&mut self.data[node.0 as usize].copies);
            copies.iter_mut().for_each(|to| *to = self.find(*to));
            copies.sort_unstable();
            copies.dedup();
            copies.retain(|to| *to != node);
            let data = &mut self.data[node.0 as usize];
            data.copies = copies;
            data.cleaned = self.unified;
        }
        &self.data[node.0 as usize].copies
    }

    /// Hands on what is new at a node; true if it is to be used.
    pub fn hand_on(&mut self, node: Node) -> bool {
        let node = self.find(node);
        let data = &mut self.data[node.0 as usize];
        let new = std::mem::take(&mut data.new);
        if new.is_empty() {
            return false;
        }
        let copies = std::mem::take(&mut data.copies);
        for to in &copies {
            if self.find(*to) != node {
                self.add(*to, &new);
            }
        }
        let data = &mut self.data[node.0 as usize];
        data.copies = copies;
        if data.uses.is_none() {
            return false;
        }
        data.unused.add(&new);
        true
    }

    /// What a node points to and was not yet used.
    pub fn take_unused(&mut self, node: Node) -> Bits {
        std::mem::take(&mut self.data(node).unused)
    }

    /// Makes two nodes one that hold the same in the end. What is computed from them in the same way is the same then, too.
    pub fn unify(&mut self, a: Node, b: Node) {
        let mut same = vec![(a, b)];
        while let Some((a, b)) = same.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let (kept, gone) = if self.sizes[a.0 as usize] >= self.sizes[b.0 as usize] { (a, b) } else { (b, a) };
            self.unified += 1;
            self.parents[gone.0 as usize] = kept.0;
            self.sizes[kept.0 as usize] += self.sizes[gone.0 as usize];
            self.absorb(kept, gone, &mut same);
        }
    }

    /// Gives everything of a node that is gone to the one that is kept.
    fn absorb(&mut self, kept: Node, gone: Node, same: &mut Vec<(Node, Node)>) {
        let gone = std::mem::take(&mut self.data[gone.0 as usize]);
        let data = &mut self.data[kept.0 as usize];
        data.fixed = data.fixed.or(gone.fixed);
        data.unused.add(&gone.unused);
        let mut new = gone.new;
        if !gone.copies.is_empty() || gone.uses.is_some() {
            new.add(&data.points_to.without(&gone.points_to));
        }
        new.add(&data.points_to.add(&gone.points_to));
        data.copies.extend(gone.copies);
        data.cleaned = 0;
        match (&mut data.uses, gone.uses) {
            (Some(uses), Some(gone)) => uses.absorb(*gone, same),
            (uses @ None, gone @ Some(_)) => *uses = gone,
            (_, None) => {}
        }
        self.announce(kept, &new);
    }
}

impl Uses {
    fn absorb(&mut self, gone: Uses, same: &mut Vec<(Node, Node)>) {
        for (own, gone) in [(&mut self.read, gone.read), (&mut self.written, gone.written)] {
            match (&own, gone) {
                (Some(own), Some(gone)) => same.push((*own, gone)),
                (None, gone) => *own = gone,
                (Some(_), None) => {}
            }
        }
        for (shift, node) in gone.shifts {
            match self.shifts.iter().find(|(own, _)| *own == shift) {
                Some((_, own)) => same.push((*own, node)),
                None => self.shifts.push((shift, node)),
            }
        }
        self.wide_reads.extend(gone.wide_reads);
        self.wide_writes.extend(gone.wide_writes);
        self.calls.extend(gone.calls);
    }
}
