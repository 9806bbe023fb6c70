//! The input that a trace is about.

use expr::Input;
use trace::layout::PartKind;
use trace::op::Op;
use trace::reader::Trace;

/// Largest part that is made up from what the program saw. A larger one is a damaged trace's.
const MAX_PART: u64 = 1 << 26;

/// The input of a run: the contents that the engine gave, as far as they go, and behind that what the program saw. Behind the
/// end of a file that was given it saw nothing.
pub fn input(trace: &Trace, given: &[Vec<u8>]) -> Input {
    let mut parts = given.to_vec();
    parts.resize(trace.parts().len(), Vec::new());
    for ((bytes, part), index) in parts.iter_mut().zip(trace.parts()).zip(0..) {
        let is_file = matches!(part.kind, PartKind::File | PartKind::Stdin);
        if is_file && index < given.len() {
            continue;
        }
        // Memory that is zero anyway costs nothing until it is touched, and a damaged trace may ask for much of it.
        let mut whole = vec![0; bytes.len().max(part.len.min(MAX_PART) as usize)];
        whole.iter_mut().zip(bytes.iter()).for_each(|(to, from)| *to = *from);
        *bytes = whole;
    }
    for node in trace.nodes().iter().filter(|node| node.op == Op::Input as u8) {
        let Ok(place) = usize::try_from(node.imm) else { continue };
        let is_given = given.get(node.a as usize).is_some_and(|bytes| place < bytes.len());
        let bytes = parts.get_mut(node.a as usize).filter(|_| !is_given);
        if let Some(byte) = bytes.and_then(|bytes| bytes.get_mut(place)) {
            *byte = node.value as u8;
        }
    }
    Input { parts }
}
