//! The term store: every term exists once.

use core::hash::{Hash, Hasher};
use core::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use crate::bitvec::BitVec;
use crate::tables::Tables;
use crate::unique::Unique;

/// A term of a [`Store`]: an index, so copying is free and equality of terms is equality of indices. A term's
/// operands always have smaller indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Position in the store, for tables kept beside it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of a [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub(crate) u32);

impl Var {
    /// Position in the store's list of variables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a variable stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum VarName {
    /// Byte `offset` of input part `part`.
    Input {
        /// Index of the part.
        part: u32,
        /// Place of the byte in it.
        offset: u64,
    },
    /// A free variable.
    Named(String),
}

/// The set of values that a term can have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Bit-vectors of this width. Booleans are one bit wide.
    BitVec(u16),
    /// Arrays from bit-vectors to bit-vectors.
    Array {
        /// Width of an index.
        index: u16,
        /// Width of an element.
        element: u16,
    },
}

impl Sort {
    /// The width of a bit-vector, or of an array's elements.
    pub fn width(self) -> u16 {
        match self {
            Sort::BitVec(width) => width,
            Sort::Array { element, .. } => element,
        }
    }
}

/// The operators of terms. See [`crate`] for their spelling in the text form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A value.
    Const,
    /// A variable.
    Var,
    /// Complement.
    Not,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; all ones for a divisor of 0.
    UDiv,
    /// Unsigned remainder; the dividend for a divisor of 0.
    URem,
    /// Signed quotient, rounded towards zero.
    SDiv,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Shift left.
    Shl,
    /// Logical shift right.
    LShr,
    /// Arithmetic shift right.
    AShr,
    /// Equal; also of arrays.
    Eq,
    /// Unsigned less than.
    Ult,
    /// Unsigned less than or equal.
    Ule,
    /// Signed less than.
    Slt,
    /// Signed less than or equal.
    Sle,
    /// The signed sum does not fit.
    SAddO,
    /// The unsigned sum does not fit.
    UAddO,
    /// The signed difference does not fit.
    SSubO,
    /// The unsigned difference does not fit.
    USubO,
    /// The signed product does not fit.
    SMulO,
    /// The unsigned product does not fit.
    UMulO,
    /// Equal as floating-point numbers, which are bit-vectors of 32 or 64 bits.
    FEq,
    /// Less than, of floating-point numbers.
    FLt,
    /// Less than or equal, of floating-point numbers.
    FLe,
    /// Sum of floating-point numbers.
    FAdd,
    /// Difference of floating-point numbers.
    FSub,
    /// Product of floating-point numbers.
    FMul,
    /// Quotient of floating-point numbers.
    FDiv,
    /// The first operand above the second.
    Concat,
    /// Bits from `imm` on, as many as the result is wide.
    Extract,
    /// Zero bits above.
    ZExt,
    /// Copies of the sign bit above.
    SExt,
    /// Square root of a floating-point number.
    FSqrt,
    /// A floating-point number rounded to a whole one, as the rounding `imm` says.
    FRound,
    /// A floating-point number of the other width.
    FConvert,
    /// A signed integer as a floating-point number.
    FFromS,
    /// An unsigned integer as a floating-point number.
    FFromU,
    /// A floating-point number as a signed integer of 32 or 64 bits, rounded towards zero; the least one where it does not fit.
    FToS,
    /// The second operand where the one-bit first is 1, else the third; also of arrays.
    Ite,
    /// Element of an array.
    Select,
    /// An array with one element replaced.
    Store,
    /// The array whose elements all are the operand.
    ConstArray,
    /// The element of a constant table whose number is the operand.
    Lookup,
}

impl Kind {
    /// Every operator.
    pub const ALL: [Kind; 49] = [
        Kind::Const,
        Kind::Var,
        Kind::Not,
        Kind::And,
        Kind::Or,
        Kind::Xor,
        Kind::Add,
        Kind::Sub,
        Kind::Mul,
        Kind::UDiv,
        Kind::URem,
        Kind::SDiv,
        Kind::SRem,
        Kind::Shl,
        Kind::LShr,
        Kind::AShr,
        Kind::Eq,
        Kind::Ult,
        Kind::Ule,
        Kind::Slt,
        Kind::Sle,
        Kind::SAddO,
        Kind::UAddO,
        Kind::SSubO,
        Kind::USubO,
        Kind::SMulO,
        Kind::UMulO,
        Kind::FEq,
        Kind::FLt,
        Kind::FLe,
        Kind::FAdd,
        Kind::FSub,
        Kind::FMul,
        Kind::FDiv,
        Kind::Concat,
        Kind::Extract,
        Kind::ZExt,
        Kind::SExt,
        Kind::FSqrt,
        Kind::FRound,
        Kind::FConvert,
        Kind::FFromS,
        Kind::FFromU,
        Kind::FToS,
        Kind::Ite,
        Kind::Select,
        Kind::Store,
        Kind::ConstArray,
        Kind::Lookup,
    ];

    /// Number of operands.
    pub fn arity(self) -> usize {
        match self {
            Kind::Const | Kind::Var => 0,
            Kind::Not | Kind::Extract | Kind::ZExt | Kind::SExt | Kind::ConstArray | Kind::Lookup => 1,
            Kind::FSqrt | Kind::FRound | Kind::FConvert | Kind::FFromS | Kind::FFromU | Kind::FToS => 1,
            Kind::Ite | Kind::Store => 3,
            _ => 2,
        }
    }

    /// Whether the operator takes two bit-vectors of equal width.
    pub fn is_binary(self) -> bool {
        (Kind::And..=Kind::FDiv).contains(&self)
    }

    /// Whether the operator takes two operands of equal width and gives one bit.
    pub fn is_predicate(self) -> bool {
        (Kind::Eq..=Kind::FLe).contains(&self)
    }

    /// Whether the operator takes or gives floating-point numbers.
    pub fn is_float(self) -> bool {
        (Kind::FEq..=Kind::FDiv).contains(&self) || (Kind::FSqrt..=Kind::FToS).contains(&self)
    }

    /// Whether the result is a floating-point number.
    pub fn gives_float(self) -> bool {
        (Kind::FAdd..=Kind::FDiv).contains(&self) || (Kind::FSqrt..=Kind::FFromU).contains(&self)
    }

    /// Whether the operands can be exchanged.
    pub fn is_commutative(self) -> bool {
        use Kind::*;
        matches!(self, And | Or | Xor | Add | Mul | Eq | SAddO | UAddO | SMulO | UMulO | FEq | FAdd | FMul)
    }
}

/// A term taken apart. Operands beyond the operator's arity are the first term of the store and mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Operator.
    pub kind: Kind,
    /// Sort of the result.
    pub sort: Sort,
    /// Operands.
    pub operands: [Term; 3],
    /// For `Extract` the lowest bit; for `FRound` the code of the rounding; for `Const`, `Var` and `Lookup` the place in the store's tables.
    pub imm: u32,
}

/// In three words: every term is hashed when it is made, and a long path has millions of them.
impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c] = self.operands.map(|operand| u64::from(operand.0));
        let (index, width) = match self.sort {
            Sort::BitVec(width) => (0, width),
            // No index is 0 bits wide.
            Sort::Array { index, element } => (index, element),
        };
        state.write_u64(u64::from(self.kind as u8) << 32 | u64::from(index) << 16 | u64::from(width));
        state.write_u64(a << 32 | b);
        state.write_u64(c << 32 | u64::from(self.imm));
    }
}

impl Node {
    /// The operands that the operator has.
    pub fn operands(&self) -> &[Term] {
        &self.operands[..self.kind.arity()]
    }
}

/// Owns terms and variables. Terms are never removed; drop the store to free them.
pub struct Store {
    id: u64,
    nodes: Vec<Node>,
    unique: Unique,
    constants: Vec<BitVec>,
    constant_terms: FxHashMap<BitVec, Term>,
    vars: Vec<(VarName, Sort)>,
    var_ids: FxHashMap<(VarName, Sort), Var>,
    part_names: Vec<String>,
    pub(crate) tables: Tables,
    /// How deeply simplification rules are nested at the moment.
    pub(crate) depth: u32,
    /// Whether constructors leave terms as they are.
    exact: bool,
    /// Whether any term is about a floating-point number.
    has_floats: bool,
    #[cfg(test)]
    pub(crate) fired: FxHashMap<&'static str, u64>,
}

pub(crate) const NO_OPERAND: Term = Term(0);

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    /// A store that holds only `false` and `true`.
    pub fn new() -> Store {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut store = Store {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            nodes: Vec::new(),
            unique: Unique::default(),
            constants: Vec::new(),
            constant_terms: FxHashMap::default(),
            vars: Vec::new(),
            var_ids: FxHashMap::default(),
            part_names: Vec::new(),
            tables: Tables::default(),
            depth: 0,
            exact: false,
            has_floats: false,
            #[cfg(test)]
            fired: FxHashMap::default(),
        };
        store.bool(false);
        store.bool(true);
        store
    }

    /// Makes room for so many more terms at once: room that grows with them means to move all of them, several times.
    pub fn reserve(&mut self, terms: usize) {
        // Whoever has no memory for all of them may well not need it.
        let _ = self.nodes.try_reserve(terms);
        self.unique.reserve(terms);
    }

    /// A number that no other store of this process has, for tables that are kept about a store's terms.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Runs `build` with constructors that simplify nothing: what it makes is exactly what it says. The same code can so
    /// make a term for the solver and the *original* that the solver's models are checked against; see [`Claim`].
    ///
    /// [`Claim`]: crate::Claim
    pub fn exactly<T>(&mut self, build: impl FnOnce(&mut Store) -> T) -> T {
        let before = core::mem::replace(&mut self.exact, true);
        let made = build(self);
        self.exact = before;
        made
    }

    /// Whether constructors leave terms as they are.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether any term is about a floating-point number.
    pub fn has_floats(&self) -> bool {
        self.has_floats
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms. Never: `false` and `true` always exist.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator and operands of a term.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// The operator of a term.
    pub fn kind(&self, term: Term) -> Kind {
        self.nodes[term.index()].kind
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The width of a bit-vector term (of an array's elements).
    pub fn width(&self, term: Term) -> u16 {
        self.sort(term).width()
    }

    /// The value of a constant term.
    pub fn value(&self, term: Term) -> Option<&BitVec> {
        let node = &self.nodes[term.index()];
        (node.kind == Kind::Const).then(|| &self.constants[node.imm as usize])
    }

    /// The variable of a variable term.
    pub fn var_of(&self, term: Term) -> Option<Var> {
        let node = &self.nodes[term.index()];
        (node.kind == Kind::Var).then_some(Var(node.imm))
    }

    /// All variables, in the order in which they were made.
    pub fn vars(&self) -> impl ExactSizeIterator<Item = Var> + use<> {
        (0..self.vars.len() as u32).map(Var)
    }

    /// What a variable stands for.
    pub fn var_name(&self, var: Var) -> &VarName {
        &self.vars[var.index()].0
    }

    /// The sort of a variable.
    pub fn var_sort(&self, var: Var) -> Sort {
        self.vars[var.index()].1
    }

    /// Gives an input part a name for the text form.
    pub fn set_part_name(&mut self, part: u32, name: &str) {
        let place = part as usize;
        if self.part_names.len() <= place {
            self.part_names.resize(place + 1, String::new());
        }
        self.part_names[place] = name.to_owned();
    }

    /// The name of an input part; `partN` if it was given none.
    pub fn part_name(&self, part: u32) -> String {
        match self.part_names.get(part as usize) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("part{part}"),
        }
    }

    /// The input part with this name.
    pub fn part_named(&self, name: &str) -> Option<u32> {
        let given = self.part_names.iter().position(|known| known == name).map(|place| place as u32);
        given.or_else(|| name.strip_prefix("part")?.parse().ok().filter(|part| self.part_name(*part) == name))
    }

    /// How many input parts have names.
    pub fn named_parts(&self) -> u32 {
        self.part_names.len() as u32
    }

    /// The constant `value`.
    pub fn constant(&mut self, value: BitVec) -> Term {
        if let Some(known) = self.constant_terms.get(&value) {
            return *known;
        }
        let (sort, imm) = (Sort::BitVec(value.width()), self.constants.len() as u32);
        let term = self.intern(Node { kind: Kind::Const, sort, operands: [NO_OPERAND; 3], imm });
        self.constants.push(value.clone());
        self.constant_terms.insert(value, term);
        term
    }

    /// The low `width` bits of `value` as a constant.
    pub fn small(&mut self, width: u16, value: u64) -> Term {
        self.constant(BitVec::new(width, value))
    }

    /// `true` or `false`: one bit.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(BitVec::bool(value))
    }

    /// The variable for byte `offset` of input part `part`.
    pub fn input(&mut self, part: u32, offset: u64) -> Term {
        self.variable(VarName::Input { part, offset }, Sort::BitVec(8))
    }

    /// The free variable with this name and width.
    pub fn named(&mut self, name: &str, width: u16) -> Term {
        self.variable(VarName::Named(name.to_owned()), Sort::BitVec(width.clamp(1, crate::MAX_WIDTH)))
    }

    /// The free array variable with this name.
    pub fn named_array(&mut self, name: &str, index: u16, element: u16) -> Term {
        self.variable(VarName::Named(name.to_owned()), Sort::Array { index, element })
    }

    fn variable(&mut self, name: VarName, sort: Sort) -> Term {
        let next = Var(self.vars.len() as u32);
        let var = *self.var_ids.entry((name, sort)).or_insert_with_key(|key| {
            self.vars.push(key.clone());
            next
        });
        self.var_term(var)
    }

    /// The term of a variable.
    pub fn var_term(&mut self, var: Var) -> Term {
        let sort = self.var_sort(var);
        self.intern(Node { kind: Kind::Var, sort, operands: [NO_OPERAND; 3], imm: var.0 })
    }

    /// The term for this node, made if it did not exist. The node is not simplified and not checked.
    pub(crate) fn intern(&mut self, node: Node) -> Term {
        match self.unique.find(&self.nodes, &node) {
            Ok(term) => term,
            Err(place) => {
                let term = Term(self.nodes.len() as u32);
                self.nodes.push(node);
                self.has_floats |= node.kind.is_float();
                self.unique.add(&self.nodes, place);
                term
            }
        }
    }
}
