//! Solving: null spreads along the flows.

use crate::node::{Edge, Node, Sink, Source};
use crate::{Constraints, Facts};
use ir::FunctionId;
use std::collections::VecDeque;

/// How a node came to be null.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// It is not.
    Nonnull,
    /// By a source, by number.
    Source(u32),
    /// By an edge, by number.
    Edge(u32),
}

/// A null that may reach a position that must not be null.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The position.
    pub sink: Sink,
    /// Where the null comes from; nothing if it is written at the sink itself.
    pub source: Option<Source>,
    /// How it gets from there to the sink, with the functions whose code does that.
    pub flow: Vec<(Edge, FunctionId)>,
}

/// The qualifiers of a program, as far as they are known.
#[derive(Debug)]
pub struct Inference<'c> {
    constraints: &'c Constraints,
    facts: Option<&'c Facts>,
    /// All edges with the function that each belongs to, sorted by where they start.
    edges: Vec<(Edge, FunctionId)>,
    first_edge: Vec<u32>,
    /// The numbers of every function's edges.
    edges_of: Vec<Vec<u32>>,
    sources: Vec<Source>,
    origins: Vec<Origin>,
    active: Vec<bool>,
    waiting: VecDeque<Node>,
    nulls: usize,
}

impl<'c> Inference<'c> {
    /// An inference for which no function counts yet. What `facts` says never to be null is not.
    pub fn new(constraints: &'c Constraints, facts: Option<&'c Facts>) -> Inference<'c> {
        let mut edges: Vec<(Edge, FunctionId)> = Vec::new();
        for (id, function) in (0..).map(FunctionId).zip(&constraints.functions) {
            edges.extend(function.edges.iter().map(|edge| (*edge, id)));
        }
        edges.sort_by_key(|(edge, _)| edge.from);
        let mut first_edge = vec![0; constraints.nodes.count() + 1];
        for (edge, _) in &edges {
            if let Some(count) = first_edge.get_mut(edge.from.0 as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for first in &mut first_edge {
            sum += *first;
            *first = sum;
        }
        let mut edges_of = vec![Vec::new(); constraints.functions.len()];
        for (number, (_, function)) in (0..).zip(&edges) {
            if let Some(own) = edges_of.get_mut(function.0 as usize) {
                own.push(number);
            }
        }
        let origins = vec![Origin::Nonnull; constraints.nodes.count()];
        let active = vec![false; constraints.functions.len()];
        Inference {
            constraints,
            facts,
            edges,
            first_edge,
            edges_of,
            sources: Vec::new(),
            origins,
            active,
            waiting: VecDeque::new(),
            nulls: 0,
        }
    }

    /// Starts again, with the constraints of these functions, and solves them.
    pub fn solve(&mut self, functions: impl IntoIterator<Item = FunctionId>) {
        self.origins.fill(Origin::Nonnull);
        self.active.fill(false);
        self.sources.clear();
        self.nulls = 0;
        for function in functions {
            if let Some(active) = self.active.get_mut(function.0 as usize) {
                *active = true;
            }
        }
        let constraints = self.constraints;
        for source in &constraints.initial {
            self.start(source.clone());
        }
        for (active, function) in self.active.clone().into_iter().zip(&constraints.functions) {
            if active {
                function.sources.iter().for_each(|source| self.start(source.clone()));
            }
        }
        self.spread();
    }

    /// Lets the constraints of one more function count.
    pub fn activate(&mut self, function: FunctionId) {
        match self.active.get_mut(function.0 as usize) {
            Some(active) if !*active => *active = true,
            _ => return,
        }
        let constraints = self.constraints;
        let Some(own) = constraints.functions.get(function.0 as usize) else { return };
        own.sources.iter().for_each(|source| self.start(source.clone()));
        // What is null already flows on through the function. All other edges from there have been followed.
        for number in self.edges_of.get(function.0 as usize).cloned().unwrap_or_default() {
            let start = self.edges.get(number as usize).map(|(edge, _)| edge.from);
            if start.is_some_and(|node| self.is_null(node)) {
                self.follow(number);
            }
        }
        self.spread();
    }

    /// Lets null flow along an edge, from where it is.
    fn follow(&mut self, number: u32) {
        let Some((edge, function)) = self.edges.get(number as usize).copied() else { return };
        if self.is_active(function)
            && self.can_be_null(edge.to)
            && let Some(origin @ Origin::Nonnull) = self.origins.get_mut(edge.to.0 as usize)
        {
            *origin = Origin::Edge(number);
            self.nulls += 1;
            self.waiting.push_back(edge.to);
        }
    }

    /// Adds a source and solves again; true if it changes anything.
    pub fn constrain(&mut self, source: Source) -> bool {
        if self.is_null(source.node) || !self.can_be_null(source.node) {
            return false;
        }
        self.start(source);
        self.spread();
        true
    }

    /// Whether a node may be null.
    pub fn is_null(&self, node: Node) -> bool {
        !matches!(self.origins.get(node.0 as usize), None | Some(Origin::Nonnull))
    }

    /// How many nodes may be null.
    pub fn nulls(&self) -> usize {
        self.nulls
    }

    /// Whether the constraints of a function count.
    pub fn is_active(&self, function: FunctionId) -> bool {
        self.active.get(function.0 as usize).copied().unwrap_or(false)
    }

    /// What is known from elsewhere.
    pub fn facts(&self) -> Option<&'c Facts> {
        self.facts
    }

    /// The constraints.
    pub fn constraints(&self) -> &'c Constraints {
        self.constraints
    }

    /// The warnings, in the order of functions and their instructions.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut found = Vec::new();
        let functions = (0..).map(FunctionId).zip(&self.constraints.functions);
        for (active, (id, function)) in self.active.iter().zip(functions) {
            if !active {
                continue;
            }
            let can_fail = |number: usize| self.facts.is_none_or(|facts| facts.can_fail(id, number));
            for (_, sink) in function.sinks.iter().enumerate().filter(|(number, _)| can_fail(*number)) {
                match sink.node {
                    None => found.push(Warning { sink: sink.clone(), source: None, flow: Vec::new() }),
                    Some(node) if self.is_null(node) => {
                        let (source, flow) = self.explain(node);
                        found.push(Warning { sink: sink.clone(), source, flow });
                    }
                    Some(_) => {}
                }
            }
        }
        found
    }

    /// Where the null in a node comes from, and how.
    pub fn explain(&self, node: Node) -> (Option<Source>, Vec<(Edge, FunctionId)>) {
        let mut flow = Vec::new();
        let mut at = node;
        loop {
            match self.origins.get(at.0 as usize) {
                Some(Origin::Edge(index)) => {
                    let Some(edge) = self.edges.get(*index as usize) else { return (None, flow) };
                    flow.push(*edge);
                    at = edge.0.from;
                }
                Some(Origin::Source(index)) => {
                    flow.reverse();
                    return (self.sources.get(*index as usize).cloned(), flow);
                }
                _ => return (None, flow),
            }
        }
    }

    fn can_be_null(&self, node: Node) -> bool {
        self.facts.is_none_or(|facts| facts.may_be_null(node))
    }

    fn start(&mut self, source: Source) {
        if !self.can_be_null(source.node) {
            return;
        }
        if let Some(origin @ Origin::Nonnull) = self.origins.get_mut(source.node.0 as usize) {
            *origin = Origin::Source(self.sources.len() as u32);
            self.nulls += 1;
            self.waiting.push_back(source.node);
            self.sources.push(source);
        }
    }

    /// Breadth first, so that flows are the shortest ones.
    fn spread(&mut self) {
        while let Some(node) = self.waiting.pop_front() {
            let index = node.0 as usize;
            let range = match (self.first_edge.get(index), self.first_edge.get(index + 1)) {
                (Some(first), Some(end)) => *first..*end,
                _ => continue,
            };
            range.for_each(|number| self.follow(number));
        }
    }
}
