//! The input that a trace is about.

use expr::Input;
use trace::op::Op;
use trace::reader::Trace;

/// Largest part that is made up from what the program saw. A larger one is a damaged trace's.
const MAX_PART: u64 = 1 << 26;

/// The input of a run: of the first parts the contents that the engine gave, of the others what the program saw in them.
pub fn input(trace: &Trace, given: &[Vec<u8>]) -> Input {
    let mut parts = given.to_vec();
    parts.truncate(trace.parts().len());
    for part in trace.parts().iter().skip(given.len()) {
        parts.push(vec![0; part.len.min(MAX_PART) as usize]);
    }
    for node in trace.nodes().iter().filter(|node| node.op == Op::Input as u8 && node.a as usize >= given.len()) {
        let bytes = parts.get_mut(node.a as usize);
        let place = usize::try_from(node.imm);
        if let (Some(bytes), Ok(place)) = (bytes, place)
            && let Some(byte) = bytes.get_mut(place)
        {
            *byte = node.value as u8;
        }
    }
    Input { parts }
}
