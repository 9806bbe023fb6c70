//! Null before anything runs: globals, the arguments of the program, parameters of what is called from elsewhere.

use crate::node::{Nodes, Source, SourceKind};
use ir::{ArrayRange, FunctionId, GlobalId, ObjectKind, PointsTo, Program, Register, SiteId};
use rustc_hash::FxHashMap;

/// Variables of the C library that are never null.
const NEVER_NULL: [&str; 5] = ["stdin", "stdout", "stderr", "program_invocation_name", "program_invocation_short_name"];

/// Bytes of a pointer.
const POINTER: u64 = 8;

/// All sources that are in no function.
pub fn sources(program: &Program, points_to: &PointsTo, nodes: &Nodes) -> Vec<Source> {
    let mut found = Vec::new();
    let mut add = |node, kind, function: Option<FunctionId>, site| found.push(Source { node, kind, function, site });
    for (id, object) in points_to.objects() {
        match object.kind {
            ObjectKind::Global(global) => {
                let Some(kind) = kind_of(program, global) else { continue };
                if is_text(program, global) {
                    continue;
                }
                let mut written: FxHashMap<_, u64> = FxHashMap::default();
                // Only pointers count: what is used as bytes has other fields in the same cell.
                let pointers = program
                    .global(global)
                    .initial
                    .iter()
                    .flatten()
                    .filter(|part| part.ty.is_pointer && !program.may_be_missing(&part.value));
                for part in pointers {
                    if let Some(cell) = points_to.cell_at(id, part.offset) {
                        *written.entry(cell).or_default() += 1;
                    }
                }
                for (offset, cell) in &object.cells {
                    // The elements of an array share a cell: all of them must start with something.
                    let has = |array: &&ArrayRange| (array.start..array.end).contains(offset);
                    let arrays: Vec<&ArrayRange> = object.layout.arrays.iter().filter(has).collect();
                    // What is also computed with as bytes is one cell, with all pointers in it.
                    let of_bytes = arrays.iter().any(|array| array.element < POINTER);
                    let elements = |array: &ArrayRange| {
                        let end = array.end.min(object.layout.size);
                        (end.saturating_sub(array.start) / array.element.max(POINTER)).max(1)
                    };
                    let wanted = match of_bytes {
                        true => program.global(global).pointers.max(1),
                        false => arrays.into_iter().map(elements).fold(1u64, u64::saturating_mul),
                    };
                    if written.get(cell).copied().unwrap_or(0) < wanted {
                        add(nodes.cell(*cell), kind.clone(), None, program.global(global).site);
                    }
                }
            }
            ObjectKind::Elsewhere(global) => {
                let Some(kind) = kind_of(program, global) else { continue };
                for cell in object.cells.values() {
                    add(nodes.cell(*cell), kind.clone(), None, program.global(global).site);
                }
            }
            ObjectKind::External(function)
                if ir::library::model(&program.function(function).name).is_some_and(|model| model.has_nulls) =>
            {
                for cell in object.cells.values() {
                    add(nodes.cell(*cell), SourceKind::LibraryWrites(function), None, SiteId(0));
                }
            }
            ObjectKind::Arguments => {
                for cell in object.cells.values() {
                    add(nodes.cell(*cell), SourceKind::Arguments, None, SiteId(0));
                }
            }
            ObjectKind::Outside(function, index) => {
                for cell in object.cells.values() {
                    add(nodes.cell(*cell), SourceKind::Parameter(function, index), Some(function), SiteId(0));
                }
                let parameter = program.function(function).parameters.get(index as usize);
                if parameter.is_some_and(|parameter| !parameter.nonnull) {
                    let site = program.function(function).site;
                    let node = nodes.register(function, Register(index));
                    add(node, SourceKind::Parameter(function, index), Some(function), site);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a global variable is constant and made of parts that are smaller than a pointer: a text, or a table of numbers. Where
/// all of it is 0, a pointer in it would be null.
fn is_text(program: &Program, id: GlobalId) -> bool {
    let global = program.global(id);
    let array = global.layout.arrays.first();
    global.is_constant
        && global.initial.as_ref().is_some_and(|parts| {
            parts.iter().all(|part| !part.ty.is_pointer) && (!parts.is_empty() || global.layout.size < POINTER)
        })
        && array.is_some_and(|array| array.start == 0 && array.element < 8 && array.end >= global.layout.size)
}

fn kind_of(program: &Program, id: GlobalId) -> Option<SourceKind> {
    let global = program.global(id);
    match &global.initial {
        Some(_) => Some(SourceKind::ZeroInitialised(id)),
        None if NEVER_NULL.contains(&global.name.as_str()) => None,
        None => Some(SourceKind::DefinedElsewhere(id)),
    }
}
