//! Functions, block by block.

use super::{Context, constants, instruction};
use crate::program::{Block, BlockId, FunctionId, Instruction, Op, Operand, Register, SiteId, Terminator, Type};
use llvm::{Opcode, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How the names of the sanitizer's handlers start.
const HANDLER: &str = "__ubsan_handle_";

/// A function on its way.
pub struct Lowering<'a> {
    pub cx: &'a mut Context,
    pub function: FunctionId,
    pub registers: FxHashMap<Value, Register>,
    blocks: FxHashMap<llvm::Block, BlockId>,
    next: u32,
    pub instructions: Vec<Instruction>,
    pub site: SiteId,
    /// Whether all of it is assembly, which returns without the compiler's knowing.
    is_naked: bool,
}

/// Lowers the code of a function.
pub fn lower(cx: &mut Context, id: FunctionId, function: Value) {
    let blocks = function.blocks();
    let parameters = function.parameters();
    let mut registers = FxHashMap::default();
    registers.extend(parameters.iter().copied().zip((0..).map(Register)));
    let instructions = blocks.iter().flat_map(|block| block.instructions());
    let first = parameters.len() as u32;
    let valued = instructions.filter(|instruction| cx.type_of(instruction.ty()).bits > 0);
    registers.extend(valued.zip((first..).map(Register)));
    let next = registers.len() as u32;
    let numbers = blocks.iter().copied().zip((0..).map(BlockId)).collect();
    let mut lowering = Lowering {
        cx,
        function: id,
        registers,
        blocks: numbers,
        next,
        instructions: Vec::new(),
        site: SiteId(0),
        is_naked: function.has_attribute("naked"),
    };
    let lowered: Vec<Block> = blocks.iter().map(|block| lowering.block(*block)).collect();
    let registers = lowering.next;
    lowering.name_parameters(&parameters);
    if let Some(lowering) = cx.program.functions.get_mut(id.0 as usize) {
        lowering.blocks = lowered;
        lowering.registers = registers;
    }
}

impl Lowering<'_> {
    fn block(&mut self, block: llvm::Block) -> Block {
        let mut terminator = Terminator::Unreachable;
        for value in block.instructions() {
            self.site = self.cx.site(value.location());
            match self.terminator(value) {
                Some(end) => terminator = end,
                None => instruction::lower(self, value),
            }
        }
        Block { instructions: std::mem::take(&mut self.instructions), terminator, site: self.site }
    }

    /// A value as an operand.
    pub fn operand(&self, value: Value) -> Operand {
        match self.registers.get(&value) {
            Some(register) => Operand::Register(*register),
            None => constants::operand(self.cx, value),
        }
    }

    pub fn type_of(&self, value: Value) -> Type {
        self.cx.type_of(value.ty())
    }

    /// Adds an instruction for one of LLVM's.
    pub fn push(&mut self, value: Value, op: Op) {
        let (result, ty) = (self.registers.get(&value).copied(), self.type_of(value));
        self.instructions.push(Instruction { result, ty, op, site: self.site });
    }

    /// Adds an instruction without a result.
    pub fn push_effect(&mut self, op: Op) {
        self.instructions.push(Instruction { result: None, ty: Type::default(), op, site: self.site });
    }

    /// Adds an instruction with a register of its own.
    pub fn push_temporary(&mut self, ty: Type, op: Op) -> Operand {
        let register = Register(self.next);
        self.next += 1;
        self.instructions.push(Instruction { result: Some(register), ty, op, site: self.site });
        Operand::Register(register)
    }

    /// How many of the first registers are parameters.
    pub fn parameter_count(&self) -> usize {
        self.cx.program.functions.get(self.function.0 as usize).map_or(0, |function| function.parameters.len())
    }

    /// The number of a block.
    pub fn number(&self, block: llvm::Block) -> BlockId {
        self.blocks.get(&block).copied().unwrap_or(BlockId(0))
    }

    fn terminator(&mut self, value: Value) -> Option<Terminator> {
        Some(match value.opcode() {
            Opcode::LLVMBr if !value.is_conditional() => Terminator::Jump(self.number(*value.successors().first()?)),
            Opcode::LLVMBr => self.branch(value)?,
            Opcode::LLVMSwitch => {
                let successors = value.successors();
                let (default, cases) = successors.split_first()?;
                let cases = (0..).zip(cases).map(|(index, block): (u32, _)| {
                    // Cases of more than 64 bits do not occur in C; any value would lead there.
                    let case = value.operand(2 + 2 * index).as_constant();
                    case.map(|case| (u128::from(case), self.number(*block)))
                });
                match cases.collect::<Option<Vec<_>>>() {
                    Some(cases) => {
                        let (bits, value) = (self.type_of(value.operand(0)).bits, self.operand(value.operand(0)));
                        Terminator::Switch { value, bits, cases, default: self.number(*default) }
                    }
                    None => Terminator::Any(successors.iter().map(|block| self.number(*block)).collect()),
                }
            }
            Opcode::LLVMIndirectBr => {
                Terminator::Any(value.successors().into_iter().map(|block| self.number(block)).collect())
            }
            Opcode::LLVMRet => Terminator::Return((value.operand_count() > 0).then(|| self.operand(value.operand(0)))),
            Opcode::LLVMUnreachable if self.is_naked => self.return_from_assembly(),
            Opcode::LLVMUnreachable => Terminator::Unreachable,
            Opcode::LLVMInvoke | Opcode::LLVMCallBr => {
                instruction::lower(self, value);
                let all = value.successors().into_iter().map(|block| self.number(block)).collect();
                Terminator::Any(all)
            }
            Opcode::LLVMResume | Opcode::LLVMCleanupRet | Opcode::LLVMCatchRet => Terminator::Return(None),
            _ => return None,
        })
    }

    /// The end of a function that is assembly: it may have done anything with its arguments.
    fn return_from_assembly(&mut self) -> Terminator {
        let function = self.cx.program.functions.get(self.function.0 as usize);
        let result = function.and_then(|function| function.result);
        let operands = (0..self.parameter_count() as u32).map(|index| Operand::Register(Register(index))).collect();
        let assembly = Op::Unknown { what: "inline assembly", operands };
        match result {
            Some(ty) => Terminator::Return(Some(self.push_temporary(ty, assembly))),
            None => {
                self.push_effect(assembly);
                Terminator::Return(None)
            }
        }
    }

    /// A branch. One that decides about a check of the compiler's goes the one way where the program goes on.
    fn branch(&mut self, value: Value) -> Option<Terminator> {
        let successors = value.successors();
        let (then, otherwise) = (*successors.first()?, *successors.get(1)?);
        let handlers = [then, otherwise].map(handler_of);
        let (condition, onwards) = match &handlers {
            [None, Some(_)] => (value.operand(0), then),
            [Some(_), None] => (value.operand(0), otherwise),
            _ => {
                let condition = self.operand(value.operand(0));
                return Some(Terminator::Branch {
                    condition,
                    then: self.number(then),
                    otherwise: self.number(otherwise),
                });
            }
        };
        let name = handlers.into_iter().flatten().next()?;
        let why = match name.as_str() {
            "nullability_arg" => Some("the parameter is declared `_Nonnull`"),
            "nullability_return_v1" => Some("the result is declared `_Nonnull`"),
            _ => None,
        };
        if let Some(why) = why
            && let Some(checked) = self.checked_pointer(condition)
        {
            self.push_effect(Op::Nonnull { value: checked, why: Arc::from(why) });
        }
        Some(Terminator::Jump(self.number(onwards)))
    }

    /// What a check compares with null. A comparison of constants is a constant: then it is null itself, or no check.
    fn checked_pointer(&self, condition: Value) -> Option<Operand> {
        if condition.is_instruction() && condition.opcode() == Opcode::LLVMICmp {
            return Some(self.operand(condition.operand(0)));
        }
        (condition.as_constant() == Some(0)).then_some(Operand::Null)
    }

    /// Takes the names of parameters from the variables that they are stored to, and the attributes of those.
    fn name_parameters(&mut self, parameters: &[Value]) {
        for (index, parameter) in parameters.iter().enumerate() {
            let stores = parameter.users().into_iter().filter(|user| user.opcode() == Opcode::LLVMStore);
            for store in stores.filter(|store| store.operand(0) == *parameter) {
                let variable = store.operand(1);
                let nonnull = self.cx.marked.nonnull.contains(&variable);
                let lowered = self.cx.program.functions.get_mut(self.function.0 as usize);
                if let Some(known) = lowered.and_then(|function| function.parameters.get_mut(index)) {
                    known.nonnull |= nonnull;
                    if known.name.is_empty() {
                        known.name = variable.name();
                    }
                }
            }
        }
    }
}

/// The handler that a block calls, if that is what it is for.
fn handler_of(block: llvm::Block) -> Option<String> {
    let calls = block.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMCall && i.callee().is_function());
    calls.map(|call| call.callee().name()).find_map(|name| name.strip_prefix(HANDLER).map(str::to_owned))
}

/// Whether a function is one of the sanitizer's handlers.
pub fn is_handler(function: Value) -> bool {
    function.is_function() && function.name().starts_with(HANDLER)
}
