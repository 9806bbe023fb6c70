//! Counters of edges, for the replay view.

use crate::calls::is_instrumented;
use crate::context::position;
use llvm::{Block, Module, Opcode, Value};
use llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashSet;
use trace::sites::{Site, SiteKind};

/// An array with a byte for each edge. It has pages of its own, so that the runtime can put shared ones in their place.
const COUNTERS: &str = "__provoke_edges";
/// How many there are, an `i32`.
const COUNT: &str = "__provoke_edge_count";
const PAGE: u64 = 4096;

/// Lets the program count how often it takes each edge, and says where in the source they lead. No edge of the module may be
/// critical: an edge is then known by one of its ends.
///
/// # Safety
/// `module` must be a valid module, and nothing else may use it or its context meanwhile.
pub unsafe fn count_edges(module: LLVMModuleRef) -> Vec<Site> {
    let module = Module::new(module);
    let functions = module.functions().into_iter().filter(|function| is_instrumented(*function));
    let places: Vec<Value> = functions.flat_map(counted_blocks).filter_map(first_place).collect();
    let size = (places.len() as u64).next_multiple_of(PAGE);
    let counters = module.array(module.int(8), size);
    let counters = module.add_zeroed_global(COUNTERS, counters, PAGE as u32);
    module.add_hidden_constant(COUNT, module.int(32).constant(places.len() as u64));
    for (edge, place) in places.iter().enumerate() {
        count(module, counters, edge as u64, *place);
    }
    places.into_iter().map(site).collect()
}

/// The blocks of a function that are not executed exactly as often as another one. Those that cannot be reached are left
/// out: checks leave some behind.
fn counted_blocks(function: Value) -> Vec<Block> {
    let mut reached: Vec<Block> = function.blocks().into_iter().take(1).collect();
    let mut seen: FxHashSet<Block> = reached.iter().copied().collect();
    let mut counted = reached.clone();
    while let Some(block) = reached.pop() {
        let ways = ways(block);
        for way in &ways {
            // No edge is critical: of several, each leads to a block of its own.
            let is_edge = ways.len() > 1 || way.predecessors().len() > 1;
            if seen.insert(*way) {
                reached.push(*way);
                counted.extend(is_edge.then_some(*way));
            }
        }
    }
    counted
}

/// Where a block can go on.
fn ways(block: Block) -> Vec<Block> {
    let Some(last) = block.terminator() else { return Vec::new() };
    let successors = last.successors();
    if last.opcode() == Opcode::LLVMBr
        && let [taken, other] = successors.as_slice()
        && let Some(condition) = last.operand(0).as_constant()
    {
        return vec![if condition == 0 { *other } else { *taken }];
    }
    successors
}

/// The first instruction of a block that others can be put in front of.
fn first_place(block: Block) -> Option<Value> {
    let is_fixed = |i: &Value| matches!(i.opcode(), Opcode::LLVMPHI | Opcode::LLVMLandingPad);
    block.instructions().into_iter().find(|instruction| !is_fixed(instruction))
}

/// Adds 1; 255 is followed by 1, because 0 is for edges that are never taken.
fn count(module: Module, counters: Value, edge: u64, place: Value) {
    let builder = module.builder();
    builder.before(place);
    let byte = module.int(8);
    let counter = builder.offset(module, counters, edge);
    let old = builder.load(byte, counter);
    let more = builder.add(old, byte.constant(1));
    let wrapped = builder.resize(builder.eq(more, byte.zero()), byte);
    let new = builder.store(builder.add(more, wrapped), counter);
    // They are none of the program's accesses.
    old.exclude_from_checks(module);
    new.exclude_from_checks(module);
}

/// Where the block of an instruction starts in the source.
fn site(place: Value) -> Site {
    let mut following = std::iter::successors(Some(place), |instruction| instruction.next());
    let location = following.find_map(|instruction| {
        let location = instruction.location();
        location.first().is_some_and(|(_, line, _, _)| *line != 0).then_some(location)
    });
    Site { positions: location.into_iter().flatten().map(position).collect(), kind: SiteKind::Other }
}
