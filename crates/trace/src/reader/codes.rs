//! From the codes in a trace to what they mean. A code that is none gives `None`.

use crate::layout::{Counter, EventKind, Given, PartKind, Reason, RegionKind, SizeUse, State};

/// The kind of event with this code.
pub fn event_kind(code: u8) -> Option<EventKind> {
    use EventKind::*;
    [Branch, Switch, Pin, Read, Write, Loss, Mismatch, Check, Size, Bounds, Target, Loop, Leave, Enter, Exit, Object]
        .into_iter()
        .find(|kind| *kind as u8 == code)
}

/// What became of an object, by this code.
pub fn given(code: u8) -> Option<Given> {
    use Given::*;
    [Null, Input, Unknown, Shared, NoRoom, Beginning].into_iter().find(|given| *given as u8 == code)
}

/// The use of a size with this code.
pub fn size_use(code: u8) -> Option<SizeUse> {
    use SizeUse::*;
    [Allocation, StackArray, BlockRead, BlockWrite].into_iter().find(|size_use| *size_use as u8 == code)
}

/// The reason with this code.
pub fn reason(code: u16) -> Option<Reason> {
    use Reason::*;
    [
        None,
        Float,
        Assembly,
        Instruction,
        UnmodelledCall,
        CallTarget,
        Size,
        ModelArgument,
        Atomic,
        InputLost,
        Representation,
        Address,
        Length,
        Amount,
        Identity,
        Unit,
    ]
    .into_iter()
    .find(|reason| *reason as u16 == code)
}

/// The kind of part with this code.
pub fn part_kind(code: u32) -> Option<PartKind> {
    use PartKind::*;
    [File, Stdin, Buffer, Argument, Variable, Length, Socket, String, Folder]
        .into_iter()
        .find(|kind| *kind as u32 == code)
}

/// The kind of region with this code.
pub fn region_kind(code: u32) -> Option<RegionKind> {
    [RegionKind::Global, RegionKind::Stack, RegionKind::Heap].into_iter().find(|kind| *kind as u32 == code)
}

/// The state with this code.
pub fn state(code: u32) -> Option<State> {
    use State::*;
    [Unclaimed, Running, Ended, CapReached, Replaced].into_iter().find(|state| *state as u32 == code)
}

/// What people call the counter with this index.
pub fn counter_name(index: usize) -> Option<&'static str> {
    Some(match index {
        i if i == Counter::Branches as usize => "branches",
        i if i == Counter::StaleLabels as usize => "stale-labels",
        i if i == Counter::Reentered as usize => "reentered",
        i if i == Counter::ArgumentOverflow as usize => "argument-overflow",
        i if i == Counter::Checks as usize => "checks",
        i if i == Counter::UnseenInput as usize => "unseen-input",
        _ => return None,
    })
}
