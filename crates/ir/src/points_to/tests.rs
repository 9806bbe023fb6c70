//! Random constraints: the sets are those of a solver that knows nothing but the rules, and nothing that can happen is missing.

use super::graph::Graph;
use super::nodes::{Node, Shift};
use super::objects::{CellId, ObjectId, ObjectKind};
use super::solve;
use crate::program::{ArrayRange, GlobalId, Layout, Program};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A place in memory: object, and bytes from its start.
type Place = (usize, i64);

/// A constraint between numbered variables.
#[derive(Clone, Debug)]
enum Constraint {
    /// The variable points to a place.
    Address(usize, Place),
    Copy {
        from: usize,
        to: usize,
    },
    Read {
        address: usize,
        to: usize,
        bytes: u64,
    },
    Write {
        address: usize,
        value: usize,
        bytes: u64,
    },
    Shift {
        base: usize,
        to: usize,
        shift: Shift,
    },
}

/// How variables get what they hold. Those of the program's registers have one source each, which makes them the same as that.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Style {
    Copied,
    Same,
}

const VARIABLES: usize = 14;

fn variable() -> impl Strategy<Value = usize> {
    0..VARIABLES
}

fn constraint(objects: usize, shift: impl Strategy<Value = Shift> + 'static) -> impl Strategy<Value = Constraint> {
    let bytes = prop_oneof![4 => Just(8u64), 1 => Just(16)];
    prop_oneof![
        2 => (variable(), 0..objects, 0..3i64).prop_map(|(at, object, word)| Constraint::Address(at, (object, word * 8))),
        3 => (variable(), variable()).prop_map(|(from, to)| Constraint::Copy { from, to }),
        2 => (variable(), variable(), bytes.clone())
            .prop_map(|(address, to, bytes)| Constraint::Read { address, to, bytes }),
        2 => (variable(), variable(), bytes)
            .prop_map(|(address, value, bytes)| Constraint::Write { address, value, bytes }),
        2 => (variable(), variable(), shift).prop_map(|(base, to, shift)| Constraint::Shift { base, to, shift }),
    ]
}

/// Solves constraints; what every variable points to.
fn solved(layouts: &[(ObjectKind, Layout)], constraints: &[Constraint], style: Style) -> (Graph, Vec<Node>) {
    let program = Program::default();
    let mut graph = Graph::new(&program);
    let objects: Vec<ObjectId> =
        layouts.iter().map(|(kind, layout)| graph.object_for(*kind, || layout.clone())).collect();
    let nodes: Vec<Node> = (0..VARIABLES).map(|_| graph.temporary()).collect();
    let mut is_same = [false; VARIABLES];
    let sources = |at: usize| constraints.iter().filter(|one| target(one) == Some(at)).count();
    for constraint in constraints {
        let mut give = |graph: &mut Graph, to: usize, value: Node| {
            if style == Style::Same && sources(to) == 1 && !is_same[to] {
                is_same[to] = true;
                graph.nodes.unify(nodes[to], value);
            } else {
                graph.copy(value, nodes[to]);
            }
        };
        match constraint {
            Constraint::Address(at, (object, offset)) => {
                let cell = graph.cell_in(objects[*object], *offset as u64);
                let constant = graph.constant(cell);
                give(&mut graph, *at, constant);
            }
            Constraint::Copy { from, to } => give(&mut graph, *to, nodes[*from]),
            Constraint::Read { address, to, bytes } => {
                let read = graph.read(nodes[*address], *bytes);
                give(&mut graph, *to, read);
            }
            Constraint::Write { address, value, bytes } => graph.store(nodes[*address], nodes[*value], *bytes),
            Constraint::Shift { base, to, shift } => {
                let shifted = graph.shift_of(nodes[*base], *shift);
                give(&mut graph, *to, shifted);
            }
        }
    }
    solve::solve(&mut graph, &program, &|| false).expect("nobody stops it");
    graph.finish();
    (graph, nodes)
}

fn target(constraint: &Constraint) -> Option<usize> {
    match constraint {
        Constraint::Address(to, _)
        | Constraint::Copy { to, .. }
        | Constraint::Read { to, .. }
        | Constraint::Shift { to, .. } => Some(*to),
        Constraint::Write { .. } => None,
    }
}

/// What the rules say, applied until nothing changes. `shifted` says where an address may lead, `place` which of the
/// places that are the same stands for all.
fn by_the_rules(
    constraints: &[Constraint],
    place: impl Fn(Place) -> Option<Place>,
    shifted: impl Fn(Place, Shift) -> Vec<Place>,
) -> Vec<BTreeSet<Place>> {
    let mut sets = vec![BTreeSet::new(); VARIABLES];
    let mut memory: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    loop {
        let before = (sets.clone(), memory.clone());
        for constraint in constraints {
            match constraint {
                Constraint::Address(at, to) => sets[*at].extend(place(*to)),
                Constraint::Copy { from, to } => {
                    let more = sets[*from].clone();
                    sets[*to].extend(more);
                }
                Constraint::Read { address, to, bytes } => {
                    for (object, offset) in sets[*address].clone() {
                        for word in (0..*bytes as i64).step_by(8) {
                            let read = place((object, offset + word)).and_then(|at| memory.get(&at).cloned());
                            sets[*to].extend(read.unwrap_or_default());
                        }
                    }
                }
                Constraint::Write { address, value, bytes } => {
                    for (object, offset) in sets[*address].clone() {
                        for at in (0..*bytes as i64).step_by(8).filter_map(|word| place((object, offset + word))) {
                            memory.entry(at).or_default().extend(sets[*value].iter().copied());
                        }
                    }
                }
                Constraint::Shift { base, to, shift } => {
                    let targets = sets[*base].clone().into_iter().flat_map(|at| shifted(at, *shift));
                    sets[*to].extend(targets.filter_map(&place).collect::<Vec<_>>());
                }
            }
        }
        if before == (sets.clone(), memory.clone()) {
            return sets;
        }
    }
}

/// Objects that are rows of elements of these sizes, without end: every address within them leads somewhere.
const ELEMENTS: [u64; 4] = [8, 16, 24, 48];

fn rows() -> Vec<(ObjectKind, Layout)> {
    let row = |(number, element): (u32, &u64)| {
        let arrays = vec![ArrayRange { start: 0, element: *element, end: u64::MAX }];
        (ObjectKind::Global(GlobalId(number)), Layout { size: 0, arrays })
    };
    (0..).zip(&ELEMENTS).map(row).collect()
}

/// Objects of 64 bytes, of which nothing but the size is known, or not even that.
const BYTES: i64 = 64;

fn blocks() -> Vec<(ObjectKind, Layout)> {
    let heap = |number| (ObjectKind::Heap(crate::FunctionId(0), number, 0), Layout::default());
    let declared = |number| {
        let layout = Layout { size: BYTES as u64, arrays: Vec::new() };
        (ObjectKind::Global(GlobalId(number)), layout)
    };
    vec![heap(0), heap(1), declared(0), declared(1)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn sets_are_those_of_the_rules(
        constraints in prop::collection::vec(
            constraint(ELEMENTS.len(), (-2..4i64).prop_map(|words| Shift { constant: words * 8, array: None, is_field: false })),
            1..45,
        ),
        style in prop_oneof![Just(Style::Copied), Just(Style::Same)],
    ) {
        let place = |(object, offset): Place| Some((object, offset.rem_euclid(ELEMENTS[object] as i64)));
        let expected = by_the_rules(&constraints, place, |(object, offset), shift| vec![(object, offset + shift.constant)]);
        let (graph, nodes) = solved(&rows(), &constraints, style);
        for (node, expected) in nodes.iter().zip(expected) {
            let places = graph.points_to(*node).iter().map(|cell| graph.cell(CellId(cell)));
            let found: BTreeSet<Place> = places.map(|cell| (cell.object.0 as usize, cell.offset as i64)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn arrays_that_are_found_on_the_way_hide_nothing(
        constraints in prop_oneof![Just(1u64), (1..4u64).prop_map(|words| words * 8)].prop_flat_map(|element| {
            // Memory that is used as arrays of different things is not followed byte by byte: one size for all.
            let shift = prop_oneof![
                3 => (-2..4i64, any::<bool>())
                    .prop_map(|(words, is_field)| Shift { constant: words * 8, array: None, is_field }),
                2 => Just(Shift { constant: 0, array: Some((element, None)), is_field: false }),
            ];
            prop::collection::vec(constraint(blocks().len(), shift), 1..30)
        }),
        style in prop_oneof![Just(Style::Copied), Just(Style::Same)],
    ) {
        let place = |(object, offset): Place| (0..BYTES).contains(&offset).then_some((object, offset));
        let shifted = |(object, offset): Place, shift: Shift| {
            let step = shift.array.map_or(BYTES, |(element, _)| element as i64);
            (0..BYTES).step_by(step as usize).map(|more| (object, offset + shift.constant + more)).collect()
        };
        let expected = by_the_rules(&constraints, place, shifted);
        let (graph, nodes) = solved(&blocks(), &constraints, style);
        for (node, expected) in nodes.iter().zip(expected) {
            for (object, offset) in expected {
                let object = ObjectId(object as u32);
                let is_there = |cell: u32| graph.cell(CellId(cell)).object == object;
                let found = match graph.existing_cell(object, offset as u64) {
                    Some(cell) => graph.points_to(*node).contains(cell.0),
                    // Somewhere in it, where nobody else looks.
                    None => graph.points_to(*node).iter().any(is_there),
                };
                prop_assert!(found, "{offset} of object {} is missing", object.0);
            }
        }
    }
}
