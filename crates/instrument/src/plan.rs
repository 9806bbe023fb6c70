//! What is decided about a function before any code is made for it: which values can have labels, where its segments
//! are cut, and which labels need a slot in the frame.
//!
//! A *segment* is a straight run of instructions that ends just before a call, at the end of its block, when it is long, or
//! before a store that would change what the labels of an indexed access depend on. The labels
//! of a whole segment are computed at its end, by one cold function, and only if a label can be there. Within a
//! segment labels are ordinary values of that cold function; a label that a later segment needs goes through a slot.

use crate::calls::{self, Callee};
use crate::exposure;
use crate::lookups;
use crate::loops::Boundaries;
use crate::rules::floats;
use crate::shape::{self, Leaf};
use llvm::{Block, Module, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The largest constant block operation that is tested inline: its summary fits one 64-bit load.
pub const INLINE_BLOCK: u64 = 56;

/// After so many memory accesses a segment ends: each is a value that the hot code keeps until then.
const MOST_ACCESSES: usize = 64;
/// After so many instructions it ends anyway.
const MOST_INSTRUCTIONS: usize = 512;

/// How a segment starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// At the start of the function.
    Entry,
    /// At the start of another block.
    Block,
    /// After a call (for an invoke: at the start of its normal destination).
    Call(Value),
    /// Where the segment before became too long.
    Within,
}

/// Why a segment ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Its block ends: the tail is the terminator.
    Block,
    /// The tail is a call.
    Call,
    /// The tail writes to memory; what was there before is still to be seen.
    Write,
    /// It was long enough: the tail is the first instruction of the next one.
    Length,
}

/// A run of instructions whose labels are computed together.
pub struct Segment {
    pub block: Block,
    pub head: Head,
    /// Instructions between head and tail, phis included.
    pub instructions: Vec<Value>,
    /// The instruction before which the labels are computed.
    pub tail: Value,
    pub end: End,
}

/// Slots of a value's labels.
#[derive(Clone, Copy)]
pub struct Slots {
    /// Index of the first; the value's leaves follow.
    pub first: u32,
    /// Bit of the mask that says whether any of them may be other than 0.
    pub bit: u32,
}

/// See the module's description.
pub struct Plan {
    pub function: Value,
    pub segments: Vec<Segment>,
    carriers: FxHashSet<Value>,
    leaves: FxHashMap<Value, Vec<Leaf>>,
    /// Where a value's labels are computed.
    defined_in: FxHashMap<Value, usize>,
    /// Slots that hold a value's labels from the segment that computes them on.
    pub own: FxHashMap<Value, Slots>,
    /// Slots through which a phi gets its labels from the block before.
    pub incoming: FxHashMap<Value, Slots>,
    /// How many slots there are.
    pub slot_count: u32,
    /// How many values share each bit.
    bit_shares: Vec<u32>,
    /// Width of the mask.
    pub mask_width: u32,
    /// Functions that call setjmp keep the mask in memory.
    pub returns_twice: bool,
    /// Loads after which their segment writes to memory.
    unsettled: FxHashSet<Value>,
    /// The function's variables in memory whose place in the frame is fixed.
    pub variables: Vec<Value>,
    /// Its variable-length arrays.
    pub arrays: Vec<Value>,
    /// The function in whose name results are given: itself, unless another one jumped here.
    pub result_tag: Value,
    /// Its loops, as far as the trace tells of them.
    pub boundaries: Boundaries,
    /// Functions whose results are addresses that depend on input often.
    lookups: Rc<FxHashSet<Value>>,
}

impl Plan {
    pub fn new(module: Module, function: Value, lookups: Rc<FxHashSet<Value>>) -> Plan {
        let mut plan = Plan {
            function,
            segments: Vec::new(),
            carriers: FxHashSet::default(),
            leaves: FxHashMap::default(),
            defined_in: FxHashMap::default(),
            own: FxHashMap::default(),
            incoming: FxHashMap::default(),
            slot_count: 0,
            bit_shares: Vec::new(),
            mask_width: 32,
            returns_twice: false,
            unsettled: FxHashSet::default(),
            variables: Vec::new(),
            arrays: Vec::new(),
            result_tag: function,
            boundaries: Boundaries::default(),
            lookups,
        };
        let entry = function.blocks().first().copied();
        let instructions = entry.into_iter().flat_map(Block::instructions);
        let is_fixed = |i: &Value| i.opcode() == Opcode::LLVMAlloca && i.operand(0).as_constant().is_some();
        plan.variables.extend(instructions.take_while(is_fixed));
        let all = function.blocks().into_iter().flat_map(Block::instructions);
        plan.arrays.extend(all.filter(|i| i.opcode() == Opcode::LLVMAlloca && !is_fixed(i)));
        plan.find_carriers(module);
        plan.cut();
        plan.assign_slots();
        plan
    }

    /// Whether the value can have a label in some run.
    pub fn carries(&self, value: Value) -> bool {
        self.carriers.contains(&value)
    }

    /// The scalars of a value that carries labels.
    pub fn leaves(&self, value: Value) -> &[Leaf] {
        self.leaves.get(&value).map_or(&[], |l| l.as_slice())
    }

    /// Whether the value's labels are computed in that segment.
    pub fn is_defined_in(&self, value: Value, segment: usize) -> bool {
        self.defined_in.get(&value) == Some(&segment)
    }

    /// Whether memory is still as a load found it when the load's labels are computed.
    pub fn is_settled(&self, load: Value) -> bool {
        !self.unsettled.contains(&load)
    }

    /// Whether an address is one of those that depend on input most often; others are followed only where that takes no cut.
    fn is_indexed(&self, pointer: Value) -> bool {
        lookups::is_indexed(pointer, &self.lookups, |index| self.carries(index))
    }

    /// Whether no other value shares the bit.
    pub fn is_exclusive(&self, bit: u32) -> bool {
        self.bit_shares.get(bit as usize) == Some(&1)
    }

    fn find_carriers(&mut self, module: Module) {
        let mut work: Vec<Value> = self.function.parameters();
        for block in self.function.blocks() {
            work.extend(block.instructions().into_iter().filter(|i| is_source(*i)));
        }
        while let Some(value) = work.pop() {
            if self.carriers.contains(&value) {
                continue;
            }
            let leaves = shape::leaves(module, value.ty());
            if leaves.is_empty() {
                continue;
            }
            self.leaves.insert(value, leaves);
            self.carriers.insert(value);
            let users = value.users().into_iter().filter(|u| u.is_instruction());
            work.extend(users.filter(|u| passes_on(*u) || is_read_through(*u, value)));
        }
    }

    fn cut(&mut self) {
        let entry = self.function.blocks().first().copied();
        for block in self.function.blocks() {
            let mut head = if Some(block) == entry { Head::Entry } else { Head::Block };
            let mut instructions = Vec::new();
            let mut accesses = 0;
            let mut loads = Vec::new();
            for instruction in block.instructions() {
                let end = if Some(instruction) == block.terminator() {
                    End::Block
                } else if cuts(instruction) {
                    End::Call
                } else if self.needs_old_memory(instruction, &loads) {
                    if is_atomic(instruction) { End::Length } else { End::Write }
                } else if ends_arrays(instruction) && !instructions.is_empty()
                    || accesses >= MOST_ACCESSES
                    || instructions.len() >= MOST_INSTRUCTIONS && may_start(instruction)
                {
                    End::Length
                } else {
                    if writes_memory(instruction) {
                        self.unsettled.extend(loads.drain(..));
                    }
                    loads.extend(Some(instruction).filter(|i| i.opcode() == Opcode::LLVMLoad));
                    accesses += usize::from(is_access(instruction));
                    instructions.push(instruction);
                    continue;
                };
                self.returns_twice |= calls::is_call(instruction) && instruction.returns_twice();
                let run = std::mem::take(&mut instructions);
                self.segments.push(Segment { block, head, instructions: run, tail: instruction, end });
                accesses = 0;
                loads.clear();
                head = Head::Call(instruction);
                if end == End::Write {
                    head = Head::Within;
                } else if end == End::Length {
                    head = Head::Within;
                    accesses = usize::from(is_access(instruction));
                    loads.extend(Some(instruction).filter(|i| i.opcode() == Opcode::LLVMLoad));
                    instructions.push(instruction);
                } else if calls::is_call(instruction) && instruction.is_must_tail() {
                    // Nothing may come between such a call and the return that follows it.
                    break;
                }
            }
        }
        // An invoke's result arrives in a block of its own.
        let invokes: FxHashMap<Block, Value> = self
            .segments
            .iter()
            .filter(|s| s.tail.opcode() == Opcode::LLVMInvoke)
            .map(|s| (s.tail.normal_destination(), s.tail))
            .collect();
        for segment in &mut self.segments {
            if let (Head::Block, Some(invoke)) = (segment.head, invokes.get(&segment.block)) {
                segment.head = Head::Call(*invoke);
            }
        }
    }

    /// Whether labels have to be computed before an instruction, because it writes to memory that an indexed access after
    /// the `loads` so far, or the instruction itself, depends on.
    fn needs_old_memory(&self, instruction: Value, loads: &[Value]) -> bool {
        if !writes_memory(instruction) {
            return false;
        }
        let addresses = match instruction.opcode() {
            Opcode::LLVMStore => vec![instruction.operand(1)],
            Opcode::LLVMCall => vec![instruction.operand(0), instruction.operand(1)],
            _ => Vec::new(),
        };
        addresses.into_iter().any(|address| self.is_indexed(address))
            || loads.iter().any(|load| self.is_indexed(load.operand(0)))
    }

    fn assign_slots(&mut self) {
        for (index, segment) in self.segments.iter().enumerate() {
            for instruction in &segment.instructions {
                self.defined_in.insert(*instruction, index);
            }
            if let Head::Call(call) = segment.head {
                self.defined_in.insert(call, index);
            }
            if segment.head == Head::Entry {
                for parameter in self.function.parameters() {
                    self.defined_in.insert(parameter, index);
                }
            }
        }
        let last: FxHashMap<Block, usize> =
            self.segments.iter().enumerate().filter(|(_, s)| s.end == End::Block).map(|(i, s)| (s.block, i)).collect();
        let with_tail = self.segments.iter().enumerate().filter(|(_, s)| s.end != End::Length);
        let tails: FxHashMap<Value, usize> = with_tail.map(|(i, s)| (s.tail, i)).collect();

        // In the order of the code, so that neighbours get different bits.
        let mut in_order = self.function.parameters();
        in_order.extend(self.function.blocks().into_iter().flat_map(Block::instructions));
        let mut wanted: Vec<(Value, bool, bool)> = Vec::new();
        for value in in_order.into_iter().filter(|v| self.carriers.contains(v)) {
            let is_phi = value.is_instruction() && value.opcode() == Opcode::LLVMPHI;
            let home = self.defined_in.get(&value).copied();
            let crosses = value.users().into_iter().filter(|u| u.is_instruction()).any(|user| {
                if user.opcode() == Opcode::LLVMPHI {
                    return user.incoming().iter().any(|(v, from)| *v == value && last.get(from).copied() != home);
                }
                tails.get(&user).or_else(|| self.defined_in.get(&user)).copied() != home
            });
            if crosses || is_phi {
                wanted.push((value, crosses, is_phi));
            }
        }
        self.mask_width = if wanted.len() <= 32 { 32 } else { 64 };
        self.bit_shares = vec![0; self.mask_width as usize];
        for (number, (value, crosses, is_phi)) in wanted.into_iter().enumerate() {
            let bit = number as u32 % self.mask_width;
            self.bit_shares[bit as usize] += 1;
            let count = self.leaves(value).len() as u32;
            if crosses {
                self.own.insert(value, Slots { first: self.slot_count, bit });
                self.slot_count += count;
            }
            if is_phi {
                self.incoming.insert(value, Slots { first: self.slot_count, bit });
                self.slot_count += count;
            }
        }
    }
}

/// Whether labels can appear here out of memory or from another function.
fn is_source(instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::LLVMLoad => reads_variable_memory(instruction) && is_ordinary_access(instruction),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => is_ordinary_access(instruction),
        Opcode::LLVMCall | Opcode::LLVMInvoke => {
            matches!(calls::classify(instruction), Callee::Labelled | Callee::Model)
        }
        _ => false,
    }
}

/// Whether the memory that a load reads can ever have labels: constants can't.
pub fn reads_variable_memory(load: Value) -> bool {
    let mut pointer = load.operand(0);
    while pointer.is_instruction() && pointer.opcode() == Opcode::LLVMGetElementPtr {
        pointer = pointer.operand(0);
    }
    let pointer = pointer.without_constant_offset();
    !pointer.is_global_constant_variable()
}

/// Whether an instruction loads through an address: what it loads depends on the address, even from constants.
fn is_read_through(instruction: Value, address: Value) -> bool {
    instruction.opcode() == Opcode::LLVMLoad && instruction.operand(0) == address && is_ordinary_access(instruction)
}

fn is_atomic(instruction: Value) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg)
}

/// Whether an instruction that is part of a segment changes memory.
fn writes_memory(instruction: Value) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg => true,
        LLVMCall => {
            matches!(calls::classify(instruction), Callee::Intrinsic(name) if calls::is_block_operation(&name))
        }
        _ => false,
    }
}

/// Whether the instruction does not access memory relative to a segment register: that has no labels.
pub fn is_ordinary_access(instruction: Value) -> bool {
    let pointer = match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => instruction.operand(0),
        Opcode::LLVMStore => instruction.operand(1),
        _ => return true,
    };
    pointer.ty().address_space() == 0
}

/// Whether a label of an operand can become a label of the result.
pub fn passes_on(instruction: Value) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMAnd | LLVMOr | LLVMXor | LLVMICmp | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr
        | LLVMBitCast | LLVMAddrSpaceCast | LLVMGetElementPtr | LLVMSelect | LLVMPHI | LLVMFreeze
        | LLVMExtractValue | LLVMInsertValue | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => true,
        LLVMCall => matches!(calls::classify(instruction), Callee::Intrinsic(name) if calls::has_rule(&name)),
        _ => floats::is_float_instruction(instruction) && floats::has_rule(instruction),
    }
}

/// Whether an instruction can be the first of a segment that is not the first of its block.
fn may_start(instruction: Value) -> bool {
    !matches!(instruction.opcode(), Opcode::LLVMPHI | Opcode::LLVMLandingPad)
}

fn is_access(instruction: Value) -> bool {
    use Opcode::*;
    matches!(instruction.opcode(), LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMCall)
}

/// Whether variable-length arrays are gone behind an instruction: labels that are about them come before.
pub fn ends_arrays(instruction: Value) -> bool {
    calls::is_call(instruction)
        && matches!(calls::classify(instruction), Callee::Intrinsic(name) if name.starts_with("llvm.stackrestore"))
}

/// Whether an instruction ends the segment before it.
fn cuts(instruction: Value) -> bool {
    if !calls::is_call(instruction) {
        return false;
    }
    match calls::classify(instruction) {
        Callee::Check => false,
        Callee::Intrinsic(name) => {
            name.starts_with("llvm.va_start")
                || calls::is_block_operation(&name) && inline_size(instruction).is_none()
                || exposure::reads_memory(instruction, &name)
        }
        _ => true,
    }
}

/// The size of a block operation that is small enough to be tested inline.
pub fn inline_size(call: Value) -> Option<u64> {
    call.operand(2).as_constant().filter(|n| *n <= INLINE_BLOCK)
}
