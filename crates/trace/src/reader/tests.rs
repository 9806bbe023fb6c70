use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::mem::offset_of;
use std::os::unix::fs::{FileExt, MetadataExt};

use proptest::prelude::*;

use super::*;
use crate::arbitrary::traces;
use crate::layout::{FILE_SIZE, RegionKind};
use crate::packed::PackedNode;
use crate::text;

/// A recording with the contents of `trace`, as a runtime would have written it.
fn written(trace: &Trace) -> (Recording, File) {
    let part = |part: &InputPart| NewPart {
        kind: part.kind,
        name: part.name.clone(),
        device: part.device,
        inode: part.inode,
        len: part.len,
        data: Vec::new(),
    };
    let parts = trace.parts().iter().map(part).collect();
    let recording =
        create(&Options { selfcheck: false, memory: Memory::Precise, memory_cap: trace.head.memory_cap, parts })
            .unwrap();
    let file = OpenOptions::new().read(true).write(true).open(recording.path()).unwrap();
    let put = |offset: usize, bytes: &[u8]| file.write_all_at(bytes, offset as u64).unwrap();
    put(offset_of!(Header, options), &trace.head.options.to_le_bytes());
    put(offset_of!(Header, owner), &trace.head.owner.to_le_bytes());
    put(offset_of!(Header, state), &(trace.head.state as u32).to_le_bytes());
    let nodes = packed_nodes(trace);
    let events = packed_events(trace);
    put(offset_of!(Header, nodes), &(nodes.len() as u32).to_le_bytes());
    put(offset_of!(Header, regions), &(trace.regions().len() as u32).to_le_bytes());
    put(offset_of!(Header, events), &(events.len() as u64).to_le_bytes());
    for (index, counter) in trace.head.counters.iter().enumerate() {
        put(offset_of!(Header, counters) + 8 * index, &counter.to_le_bytes());
    }
    put(REGIONS_OFFSET as usize, bytes_of(trace.regions()));
    put(EVENTS_OFFSET as usize, bytes_of(&events));
    put(NODES_OFFSET as usize, bytes_of(&nodes));
    (recording, file)
}

fn packed_nodes(trace: &Trace) -> Vec<NodeCell> {
    let mut cells = Vec::new();
    for (label, node) in trace.nodes().iter().enumerate() {
        if label == 0 || *node != NO_NODE {
            let packed = PackedNode::of(node);
            cells.push(packed.first());
            cells.extend(packed.second());
        }
    }
    cells
}

fn packed_events(trace: &Trace) -> Vec<EventCell> {
    let cells = trace.events().iter().map(|event| EventCell::of(event, false));
    cells.flat_map(|(first, second)| [Some(first), second]).flatten().collect()
}

fn bytes_of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: plain data has no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Places in a trace where something interesting lies, as an offset into one of its tables.
fn place() -> impl Strategy<Value = u64> {
    prop_oneof![
        0..size_of::<Header>() as u64,
        (0..3 * size_of::<Part>() as u64).prop_map(|i| PARTS_OFFSET + i),
        (0..4 * 24u64).prop_map(|i| REGIONS_OFFSET + i),
        (0..30 * 12u64).prop_map(|i| EVENTS_OFFSET + i),
        (0..60 * 16u64).prop_map(|i| NODES_OFFSET + i),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(trace in traces()) {
        let (recording, file) = written(&trace);
        drop(file);
        prop_assert_eq!(recording.finish().unwrap(), trace);
    }

    #[test]
    fn no_corruption_makes_the_reader_panic(
        trace in traces(),
        damage in prop::collection::vec((place(), any::<u8>()), 1..12),
    ) {
        let (recording, file) = written(&trace);
        for (offset, byte) in damage {
            file.write_all_at(&[byte], offset).unwrap();
        }
        drop(file);
        if let Ok(read) = recording.finish() {
            // What is left must hold together: its text form parses to the same, with nothing to complain about.
            let printed = text::print(&read).to_string();
            let parsed = text::parse(&printed).unwrap();
            prop_assert_eq!(parsed.notes(), &[]);
            prop_assert_eq!(text::print(&parsed).to_string(), printed);
        }
    }

    #[test]
    fn truncated_files_are_read_as_far_as_they_go(trace in traces(), len in place()) {
        let mut copy = tempfile::tempfile().unwrap();
        copy.set_len(FILE_SIZE).unwrap();
        let (recording, file) = written(&trace);
        for (offset, size) in [(0, 0x10_0000), (REGIONS_OFFSET, 4096), (EVENTS_OFFSET, 4096), (NODES_OFFSET, 4096)] {
            let mut bytes = vec![0; size];
            file.read_exact_at(&mut bytes, offset).unwrap();
            copy.seek(SeekFrom::Start(offset)).unwrap();
            copy.write_all(&bytes).unwrap();
        }
        drop((recording, file));
        copy.set_len(len).unwrap();
        match Trace::from_file(&copy) {
            Ok(read) => prop_assert!(trace.nodes().starts_with(read.nodes())),
            Err(error) => prop_assert!(matches!(error, Error::NotATrace), "{error}"),
        }
    }
}

fn small() -> Trace {
    text::parse("part stdin 0x1 name=stdin\n%1 = input i8 part0 0x0 -> 0x7\n%2 = eq i1 %1 0x7 -> 0x1\nbranch %2 taken")
        .unwrap()
}

#[test]
fn memory_that_somebody_still_has_is_not_used_again() {
    let inode = |recording: &Recording| std::fs::metadata(recording.path()).unwrap().ino();
    let (recording, file) = written(&small());
    let before = inode(&recording);
    // SAFETY: nobody truncates the file.
    let mut held = unsafe { MmapOptions::new().len(4096).map_mut(&file) }.unwrap();
    drop(file);
    let trace = recording.finish().unwrap();
    held.fill(0xff);
    assert_eq!(trace.nodes().len(), 3);
    // Other tests take and keep files at the same time.
    let others: Vec<(Recording, File)> = (0..8).map(|_| written(&small())).collect();
    assert!(others.iter().all(|(recording, _)| inode(recording) != before));
}

#[test]
fn memory_is_used_again_and_says_nothing_of_the_last_trace() {
    let mut places = Vec::new();
    for _ in 0..32 {
        let (recording, file) = written(&small());
        places.push(file.metadata().unwrap().ino());
        drop(file);
        assert_eq!(recording.finish().unwrap(), small());
        let empty = create(&Options { selfcheck: false, memory: Memory::Precise, memory_cap: 0, parts: Vec::new() });
        let trace = empty.unwrap().finish().unwrap();
        assert_eq!((trace.nodes().len(), trace.events().len(), trace.parts().len()), (0, 0, 0));
        assert_eq!((trace.owner(), trace.state(), trace.notes()), (0, State::Unclaimed, &[][..]));
    }
    places.sort_unstable();
    places.dedup();
    assert!(places.len() < 32, "every trace had memory of its own");
}

#[test]
fn the_program_cannot_shrink_the_trace() {
    let (_recording, file) = written(&small());
    assert!(file.set_len(0).is_err());
}

#[test]
fn counts_beyond_the_file_are_noted() {
    let (recording, file) = written(&small());
    file.write_all_at(&u64::MAX.to_le_bytes(), offset_of!(Header, events) as u64).unwrap();
    drop(file);
    let trace = recording.finish().unwrap();
    assert_eq!(trace.events().len(), 1);
    let count = Note::Count { table: "events", claimed: u64::MAX, possible: EVENTS_CAPACITY };
    assert_eq!(trace.notes(), [count, Note::Event(1)]);
}

#[test]
fn other_versions_are_refused() {
    let (recording, file) = written(&small());
    let other = VERSION + 1;
    file.write_all_at(&other.to_le_bytes(), offset_of!(Header, version) as u64).unwrap();
    assert!(matches!(recording.finish(), Err(Error::Version(version)) if version == other));
}

/// Nodes after a byte `%1`, a bit `%2` and a word `%3`; expects what the last one is refused for.
fn check_refused(node: &str, expected: NodeError) {
    let before = "part stdin 0x1 name=stdin\n%1 = input i8 part0 0x0\n%2 = eq i1 %1 0x0\n%3 = zext i32 %1\n";
    let trace = text::parse(&format!("{before}%4 = {node}")).unwrap();
    assert_eq!(trace.notes(), [Note::Node { index: 4, error: expected }], "{node}");
}

#[test]
fn nodes_are_checked_by_operator() {
    check_refused("input i16 part0 0x0", NodeError::Width(16));
    check_refused("input i8 part1 0x0", NodeError::Part(1));
    check_refused("const i65 0x0", NodeError::Width(65));
    check_refused("zext i0 %1", NodeError::Width(0));
    check_refused("zext i1025 %1", NodeError::Width(1025));
    check_refused("zext i4 %1", NodeError::OperandWidth(1));
    check_refused("add i8 %3 0x1", NodeError::Width(8));
    check_refused("add i32 %3 %1", NodeError::OperandWidth(1));
    check_refused("add i32 %3 %4", NodeError::Operand(4));
    check_refused("add i32 %3 %9", NodeError::Operand(9));
    check_refused("add i32 0x1 0x1", NodeError::Operand(0));
    check_refused("eq i8 %1 0x1", NodeError::Width(8));
    check_refused("concat i16 %1 %2", NodeError::Width(16));
    check_refused("concat i8 %1 0x1", NodeError::OperandWidth(1));
    check_refused("concat i100 %1 0x1", NodeError::OperandWidth(1));
    check_refused("bytes i16 %1 0x2", NodeError::OperandWidth(2));
    check_refused("bytes i16 %1 0x3", NodeError::Immediate(3));
    check_refused("extract i8 %3 0x19", NodeError::Immediate(0x19));
    check_refused("ite i8 %1 %1 %1", NodeError::OperandWidth(1));
    check_refused("ite i8 %2 %1 %3", NodeError::OperandWidth(3));
    check_refused("fshl i8 %1 %1 0x8", NodeError::Immediate(8));
    check_refused("bswap i1 %2", NodeError::Width(1));
}

#[test]
fn region_codes_are_checked() {
    let region = Region { base: u64::MAX, size: 2, extent: 0, allocated_in: 0, kind: RegionKind::Heap as u32, id: 0 };
    let mut notes = Vec::new();
    assert_eq!(validate::regions(&[region], &[], &mut notes), 0);
    assert_eq!(notes, [Note::Region(0)]);
}
