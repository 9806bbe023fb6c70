//! What the analysis needs to know of a function's code, once and for all.

use ir::{BlockId, CellId, Function, Op, Operand, Register, Terminator, Touched};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Cells that are looked for again, by object and offset.
type CellsOf = FxHashMap<(u32, u32), Rc<[CellId]>>;

/// A function's code.
#[derive(Debug, Default)]
pub struct Code {
    /// The place of every block in an order in which all ways that are no loops lead onwards.
    pub order: Vec<u32>,
    /// How many ways lead into a block.
    pub ways: Vec<u32>,
    /// Registers that are used in another block than they are set in.
    pub crossing: FxHashSet<Register>,
    /// Variables whose addresses are only used to read and write them.
    pub private: FxHashSet<Register>,
    /// Blocks that only decide by what is known of the way into them.
    pub decides: Vec<bool>,
    /// The cells that accesses touch.
    pub cells: RefCell<CellsOf>,
    /// What instructions touch beside the functions with code that they call.
    pub touched: RefCell<FxHashMap<(u32, u32), Rc<Touched>>>,
}

impl Code {
    /// Looks at a function.
    pub fn of(function: &Function) -> Code {
        let count = function.blocks.len();
        let mut ways = vec![0u32; count];
        for to in function.blocks.iter().flat_map(|block| block.terminator.successors()) {
            if let Some(ways) = ways.get_mut(to.0 as usize) {
                *ways += 1;
            }
        }
        Code {
            order: order(function),
            ways,
            crossing: crossing(function),
            private: private(function),
            decides: function.blocks.iter().map(decides).collect(),
            ..Code::default()
        }
    }

    /// Whether a way from one block to another leads onwards.
    pub fn is_onwards(&self, from: BlockId, to: BlockId) -> bool {
        let place = |block: BlockId| self.order.get(block.0 as usize).copied().unwrap_or(0);
        place(from) < place(to)
    }
}

/// The variables whose addresses, and addresses within them, are only read and written through.
fn private(function: &Function) -> FxHashSet<Register> {
    let mut variable_of: FxHashMap<Register, Register> = FxHashMap::default();
    let mut found = FxHashSet::default();
    let instructions =
        || function.instructions().filter_map(|instruction| Some((instruction.result?, &instruction.op)));
    for (result, _) in instructions().filter(|(_, op)| matches!(op, Op::Variable { .. })) {
        variable_of.insert(result, result);
        found.insert(result);
    }
    // Addresses of addresses come in any order of blocks.
    loop {
        let before = variable_of.len();
        for (result, op) in instructions() {
            if let Op::Offset { base: Operand::Register(base), .. } = op
                && let Some(variable) = variable_of.get(base).copied()
            {
                variable_of.insert(result, variable);
            }
        }
        if variable_of.len() == before {
            break;
        }
    }
    let mut leaks = |operand: &Operand| {
        if let Operand::Register(register) = operand
            && let Some(variable) = variable_of.get(register)
        {
            found.remove(variable);
        }
    };
    for instruction in function.instructions() {
        match &instruction.op {
            Op::Load { .. } => {}
            Op::Store { value, .. } => leaks(value),
            Op::Offset { steps, .. } => steps.iter().for_each(|step| leaks(&step.index)),
            op => op.operands().into_iter().for_each(&mut leaks),
        }
    }
    for block in &function.blocks {
        match &block.terminator {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => leaks(value),
            _ => {}
        }
    }
    found
}

/// Whether a block is one that `&&` and `||` end in: a choice between conditions, and a branch.
fn decides(block: &ir::Block) -> bool {
    let is_branch = matches!(block.terminator, Terminator::Branch { .. });
    let begins =
        matches!(block.instructions.first(), Some(first) if matches!(first.op, Op::Phi(_)) && first.ty.bits == 1);
    let is_plain = |op: &Op| matches!(op, Op::Phi(_) | Op::Cast { .. } | Op::Compare { .. } | Op::Binary(..));
    begins && is_branch && block.instructions.iter().all(|instruction| is_plain(&instruction.op))
}

/// The reverse of the order in which a depth-first search leaves the blocks.
fn order(function: &Function) -> Vec<u32> {
    let count = function.blocks.len();
    let mut order = vec![0; count];
    let mut entered = vec![false; count];
    let mut next = count as u32;
    let mut active: Vec<(usize, Vec<BlockId>)> = Vec::new();
    if let (Some(first), Some(entered)) = (function.blocks.first(), entered.first_mut()) {
        *entered = true;
        active.push((0, first.terminator.successors()));
    }
    while let Some((block, successors)) = active.last_mut() {
        let block = *block;
        match successors.pop().map(|to| to.0 as usize) {
            Some(to) => {
                if let (Some(seen), Some(code)) = (entered.get_mut(to), function.blocks.get(to))
                    && !*seen
                {
                    *seen = true;
                    active.push((to, code.terminator.successors()));
                }
            }
            None => {
                next -= 1;
                if let Some(place) = order.get_mut(block) {
                    *place = next;
                }
                active.pop();
            }
        }
    }
    order
}

/// The registers that are used outside the block that sets them. Parameters are set before all.
fn crossing(function: &Function) -> FxHashSet<Register> {
    let mut home: FxHashMap<Register, usize> = FxHashMap::default();
    for (number, block) in function.blocks.iter().enumerate() {
        home.extend(block.instructions.iter().filter_map(|instruction| instruction.result).map(|to| (to, number)));
    }
    let choices = function.instructions().filter(|instruction| matches!(instruction.op, Op::Phi(_)));
    // They get their values on the way into their block.
    let mut found: FxHashSet<Register> = choices.filter_map(|instruction| instruction.result).collect();
    for (number, block) in function.blocks.iter().enumerate() {
        let mut note = |operand: &Operand| {
            if let Operand::Register(register) = operand
                && home.get(register) != Some(&number)
            {
                found.insert(*register);
            }
        };
        for instruction in &block.instructions {
            match &instruction.op {
                // The value comes along the way into the block, and the way may be a loop.
                Op::Phi(incoming) => incoming.iter().for_each(|(_, value)| note(value)),
                op => op.operands().into_iter().for_each(&mut note),
            }
        }
        match &block.terminator {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => note(value),
            _ => {}
        }
    }
    found
}
