//! The IR.

/// A function, by its number in [`Program::functions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

/// A global variable, by its number in [`Program::globals`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);

/// A register of a function. It is written by one instruction; the first ones are the function's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Register(pub u32);

/// A block of a function, by its number in [`Function::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A place in the source, by its number in [`Program::sites`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct SiteId(pub u32);

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its functions, those without code too.
    pub functions: Vec<Function>,
    /// Its global variables.
    pub globals: Vec<Global>,
    /// The places that instructions come from; the first is the unknown one.
    pub sites: Vec<Site>,
    /// Functions that run before `main` or behind it.
    pub constructors: Vec<FunctionId>,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Site {
    /// The file; empty if unknown.
    pub file: std::sync::Arc<str>,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

/// What the source says about how a function is to be analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// `PROVOKE_TYPED`.
    pub typed: bool,
    /// `PROVOKE_SYMBOLIC`.
    pub symbolic: bool,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters, in the first registers.
    pub parameters: Vec<Parameter>,
    /// What it returns, if anything.
    pub result: Option<Type>,
    /// Whether its result is declared never to be null.
    pub result_nonnull: bool,
    /// Whether it takes more arguments than it has parameters.
    pub is_variadic: bool,
    /// Its code, starting with the first block; empty if it is defined elsewhere.
    pub blocks: Vec<Block>,
    /// How many registers it has.
    pub registers: u32,
    /// Where it starts.
    pub site: SiteId,
    /// How it is to be analysed.
    pub marks: Marks,
    /// Whether other images than the program can call it.
    pub is_visible: bool,
    /// Whether it never returns.
    pub is_noreturn: bool,
    /// Whether it may be missing: it is declared weak, and its address may be null.
    pub is_weak: bool,
}

/// A parameter.
#[derive(Clone, Debug, Default)]
pub struct Parameter {
    /// Its name in the source; empty if unknown.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it is declared never to be null.
    pub nonnull: bool,
    /// For a structure that is passed as a copy in memory: its layout.
    pub by_value: Option<Layout>,
}

/// The type of a value in a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Type {
    /// Width in bits.
    pub bits: u32,
    /// Whether it is a pointer.
    pub is_pointer: bool,
}

impl Type {
    /// A pointer.
    pub const POINTER: Type = Type { bits: 64, is_pointer: true };

    /// An integer, or anything else that is just bits.
    pub const fn bits(bits: u32) -> Type {
        Type { bits, is_pointer: false }
    }

    /// Bytes in memory.
    pub const fn bytes(self) -> u64 {
        self.bits.div_ceil(8) as u64
    }

    /// Whether a pointer fits in.
    pub const fn can_hold_pointer(self) -> bool {
        self.bits >= 64
    }
}

/// An array within a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ArrayRange {
    /// Where it starts, in bytes.
    pub start: u64,
    /// Bytes of an element.
    pub element: u64,
    /// Where it ends; the end of memory if it has no declared length.
    pub end: u64,
}

/// Size and arrays of a type, the outer arrays first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Bytes.
    pub size: u64,
    /// Arrays. Those within an element are given for the first element.
    pub arrays: Vec<ArrayRange>,
}

/// A global variable.
#[derive(Clone, Debug, Default)]
pub struct Global {
    /// Its name in the source.
    pub name: String,
    /// Its layout.
    pub layout: Layout,
    /// What it starts with; nothing if it is defined elsewhere.
    pub initial: Option<Vec<Initial>>,
    /// Whether it never changes.
    pub is_constant: bool,
    /// How many places for pointers there are in its type.
    pub pointers: u64,
    /// Where it is defined.
    pub site: SiteId,
    /// Whether it is declared never to hold null.
    pub nonnull: bool,
    /// Whether it may be missing: it is declared weak, and its address may be null.
    pub is_weak: bool,
}

/// A part of what a global variable starts with; everything else is 0.
#[derive(Clone, Debug)]
pub struct Initial {
    /// Where in the variable, in bytes.
    pub offset: u64,
    /// What is there.
    pub value: Operand,
    /// Its type.
    pub ty: Type,
}

/// A block: instructions, then where to go.
#[derive(Clone, Debug)]
pub struct Block {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub terminator: Terminator,
    /// Where that is.
    pub site: SiteId,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What gets its value.
    pub result: Option<Register>,
    /// The type of that.
    pub ty: Type,
    /// What is done.
    pub op: Op,
    /// Where it stands in the source.
    pub site: SiteId,
}

/// A value that an instruction uses.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// What a register holds.
    Register(Register),
    /// An integer.
    Integer {
        /// Its bits.
        value: u128,
        /// Its width.
        bits: u32,
    },
    /// The null pointer.
    Null,
    /// The address of a global variable, and bytes from there.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FunctionId),
    /// Bits that may be anything, as in a variable that was not initialised, or that are not understood.
    Any {
        /// How many.
        bits: u32,
    },
    /// The same as zeros of any width, pointers among them.
    Zero {
        /// Width.
        bits: u32,
    },
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Makes a variable; the result is its address.
    Variable {
        /// Its name in the source; empty if it has none.
        name: String,
        /// Its layout, for one element.
        layout: Layout,
        /// How many elements, if not one.
        count: Option<Operand>,
    },
    /// Reads memory; the instruction's type says how much.
    Load {
        /// Where.
        address: Operand,
    },
    /// Writes memory.
    Store {
        /// Where.
        address: Operand,
        /// What.
        value: Operand,
        /// Its type.
        ty: Type,
    },
    /// An address within what another address points to.
    Offset {
        /// That other address.
        base: Operand,
        /// Bytes that are known.
        constant: i64,
        /// What is added for indices.
        steps: Vec<Step>,
        /// If the constant is a walk through an array: the size of its elements.
        walk: Option<u64>,
        /// The field's name in the source, if it is one.
        field: Option<std::sync::Arc<str>>,
    },
    /// Arithmetic; operands have the type of the result.
    Binary(Binary, Operand, Operand),
    /// Whether arithmetic does not fit. Only for addition, subtraction and multiplication.
    Overflows {
        /// The operation.
        operation: Binary,
        /// Whether operands are signed.
        signed: bool,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
        /// Width of the operands.
        bits: u32,
    },
    /// A comparison of integers or pointers.
    Compare {
        /// Which.
        comparison: Comparison,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
        /// The operands' type.
        ty: Type,
    },
    /// A conversion.
    Cast {
        /// Which.
        cast: Cast,
        /// Of what.
        value: Operand,
        /// From which type.
        from: Type,
    },
    /// One of two values.
    Select(Operand, Operand, Operand),
    /// The value for the block that control came from.
    Phi(Vec<(BlockId, Operand)>),
    /// A call.
    Call {
        /// Of what.
        callee: Callee,
        /// With what.
        arguments: Vec<Argument>,
    },
    /// Copies bytes; `memcpy` or `memmove`.
    Copy {
        /// To where.
        to: Operand,
        /// From where.
        from: Operand,
        /// How many.
        length: Operand,
    },
    /// Sets bytes; `memset`.
    Fill {
        /// Where.
        to: Operand,
        /// To what.
        byte: Operand,
        /// How many.
        length: Operand,
    },
    /// Bits of a value, from `low` on.
    Extract {
        /// The value.
        value: Operand,
        /// Its width.
        bits: u32,
        /// The first bit.
        low: u32,
    },
    /// A value with some of its bits replaced, from `low` on.
    Insert {
        /// The value.
        value: Operand,
        /// The bits.
        part: Operand,
        /// Their width.
        part_bits: u32,
        /// The first bit.
        low: u32,
    },
    /// Reads and writes memory at once: atomic operations. The result is what was there.
    Exchange {
        /// Where.
        address: Operand,
        /// What may be written, if it is one of the operands.
        value: Operand,
        /// Its type.
        ty: Type,
    },
    /// Starts reading variable arguments.
    StartVariadic {
        /// Where the list is.
        list: Operand,
    },
    /// A value that depends on the operands in a way that is not followed: floating point, vectors.
    Opaque(Vec<Operand>),
    /// Something that is not understood, and may do anything with what the operands point to.
    Unknown {
        /// What, for people.
        what: &'static str,
        /// The operands.
        operands: Vec<Operand>,
    },
    /// A position that must not be null.
    Nonnull {
        /// What must not be null.
        value: Operand,
        /// What says so, for people.
        why: std::sync::Arc<str>,
    },
}

/// What an index adds to an address.
#[derive(Clone, Debug)]
pub struct Step {
    /// The index, signed.
    pub index: Operand,
    /// Its width.
    pub bits: u32,
    /// Bytes of an element.
    pub scale: u64,
    /// Bytes of the array, if its type says so.
    pub bound: Option<u64>,
}

/// What is called.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A function.
    Direct(FunctionId),
    /// What a pointer points to.
    Indirect(Operand),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its value.
    pub value: Operand,
    /// Its type.
    pub ty: Type,
    /// Bytes that are copied, if the argument is the address of a structure that is passed as a copy.
    pub by_value: Option<u64>,
}

/// Arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    Shl,
    Lshr,
    Ashr,
    And,
    Or,
    Xor,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Cast {
    Truncate,
    ZeroExtend,
    SignExtend,
    /// The same bits.
    Bits,
    PointerToInteger,
    IntegerToPointer,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// In another block.
    Jump(BlockId),
    /// In one of two blocks.
    Branch {
        /// Which.
        condition: Operand,
        /// If it is 1.
        then: BlockId,
        /// If it is 0.
        otherwise: BlockId,
    },
    /// In one of several blocks.
    Switch {
        /// Which.
        value: Operand,
        /// Its width.
        bits: u32,
        /// Values and their blocks.
        cases: Vec<(u128, BlockId)>,
        /// For all other values.
        default: BlockId,
    },
    /// In any of these blocks: a computed `goto`.
    Any(Vec<BlockId>),
    /// In the caller.
    Return(Option<Operand>),
    /// Nowhere.
    Unreachable,
}

impl Op {
    /// The values that it uses.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Op::Variable { count, .. } => count.iter().collect(),
            Op::Load { address } => vec![address],
            Op::Store { address, value, .. } | Op::Exchange { address, value, .. } => vec![address, value],
            Op::Offset { base, steps, .. } => [base].into_iter().chain(steps.iter().map(|step| &step.index)).collect(),
            Op::Binary(_, left, right) | Op::Overflows { left, right, .. } | Op::Compare { left, right, .. } => {
                vec![left, right]
            }
            Op::Cast { value, .. } | Op::Extract { value, .. } | Op::Nonnull { value, .. } => vec![value],
            Op::Select(condition, a, b) => vec![condition, a, b],
            Op::Phi(incoming) => incoming.iter().map(|(_, value)| value).collect(),
            Op::Call { callee, arguments } => {
                let pointer = match callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect(pointer) => Some(pointer),
                };
                pointer.into_iter().chain(arguments.iter().map(|argument| &argument.value)).collect()
            }
            Op::Copy { to, from, length } => vec![to, from, length],
            Op::Fill { to, byte, length } => vec![to, byte, length],
            Op::Insert { value, part, .. } => vec![value, part],
            Op::StartVariadic { list } => vec![list],
            Op::Opaque(operands) | Op::Unknown { operands, .. } => operands.iter().collect(),
        }
    }
}

impl Terminator {
    /// The blocks that may follow.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Jump(to) => vec![*to],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => cases.iter().map(|(_, to)| *to).chain([*default]).collect(),
            Terminator::Any(all) => all.clone(),
            Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
        }
    }
}

impl Program {
    /// A function.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A global variable.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The function of this name, if there is one.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let index = self.functions.iter().position(|function| function.name == name)?;
        Some(FunctionId(index as u32))
    }

    /// Whether a constant is the address of something that may be missing.
    pub fn may_be_missing(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Function(function) => self.function(*function).is_weak,
            Operand::Global(global, _) => self.global(*global).is_weak,
            _ => false,
        }
    }

    /// All functions with their numbers.
    pub fn all_functions(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        (0..).map(FunctionId).zip(&self.functions)
    }

    /// A place in the source.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}

impl Function {
    /// Whether its code is known.
    pub fn has_code(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// All instructions.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.blocks.iter().flat_map(|block| &block.instructions)
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }
}

impl Layout {
    /// The place that stands for `offset`: in the first element of every array that it lies in.
    pub fn canonical(&self, offset: u64) -> u64 {
        let mut offset = offset;
        for array in &self.arrays {
            if (array.start..array.end).contains(&offset) && array.element > 0 {
                offset = array.start + (offset - array.start) % array.element;
            }
        }
        offset
    }

    /// The size of the elements of the innermost array around `offset`.
    pub fn element_at(&self, offset: u64) -> Option<ArrayRange> {
        self.arrays.iter().rev().copied().find(|array| (array.start..array.end).contains(&offset))
    }
}
