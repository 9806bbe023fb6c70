//! What a node, a load, a store and a byte of input cost: `cargo bench`.

#[path = "../tests/common/mod.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod common;

use std::process::Stdio;

fn main() {
    let input: Vec<u8> = (0..1_000_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (trace, status) = common::trace_of("nodes", &[], &input, (false, 4 << 30), Stdio::inherit());
    assert!(status.success(), "the benchmark failed");
    println!("{} nodes, {} events", trace.nodes().len(), trace.events().len());
}
