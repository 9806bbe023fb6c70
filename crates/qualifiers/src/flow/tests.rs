//! What the analysis finds out in small functions.

use super::Facts;
use crate::{Constraints, Sinks};
use ir::{
    Argument, Block, BlockId, Callee, Comparison, Effects, Function, FunctionId, Global, GlobalId, Instruction, Layout,
    Op, Operand, Parameter, PointsTo, Program, Register, Site, SiteId, Terminator, Type,
};

/// A program with what is known of it.
struct Analysed {
    program: Program,
    points_to: PointsTo,
    constraints: Constraints,
    facts: Facts,
}

impl Analysed {
    /// Analyses functions, of which the first is called from elsewhere, with two global variables that are pointers and start
    /// as null.
    fn new(functions: Vec<Function>) -> Analysed {
        let global = |name: &str| Global {
            name: name.to_owned(),
            layout: Layout { size: 8, arrays: Vec::new() },
            initial: Some(Vec::new()),
            ..Global::default()
        };
        let globals = vec![global("g"), global("h")];
        let program = Program { functions, globals, sites: vec![Site::default()], constructors: Vec::new() };
        let points_to = PointsTo::new(&program, &|| false).expect("nobody stops it");
        let constraints = Constraints::new(&program, &points_to, Sinks::All);
        let effects = Effects::new(&program, &points_to);
        let facts = Facts::new(&program, &points_to, &effects, &constraints, &[FunctionId(0)], &|| false).unwrap();
        Analysed { program, points_to, constraints, facts }
    }

    /// Whether what the last instruction of a function's block looks at may be null.
    fn last_can_fail(&self, function: u32, block: usize) -> bool {
        let last = self.program.functions[function as usize].blocks[block].instructions.len() as u32 - 1;
        let sinks = self.constraints.functions[function as usize].sinks_at((block as u32, last));
        assert!(!sinks.is_empty(), "nothing is looked at there");
        sinks.into_iter().any(|sink| self.facts.can_fail(FunctionId(function), sink))
    }

    fn may_return_null(&self, function: u32) -> bool {
        self.facts.may_be_null(self.constraints.nodes.result(FunctionId(function)))
    }

    /// Whether a place in what a pointer in a register points to may be null.
    fn field_may_be_null(&self, function: u32, pointer: u32, offset: u64) -> bool {
        let cells = self.points_to.of(FunctionId(function), &register(pointer));
        cells.iter().any(|cell| {
            let object = self.points_to.cell(ir::CellId(cell)).object;
            let cell = self.points_to.cell_at(object, offset);
            cell.is_some_and(|cell| self.facts.may_be_null(self.constraints.nodes.cell(cell)))
        })
    }
}

fn register(number: u32) -> Operand {
    Operand::Register(Register(number))
}

fn global(number: u32) -> Operand {
    Operand::Global(GlobalId(number), 0)
}

fn instruction(result: Option<u32>, ty: Type, op: Op) -> Instruction {
    Instruction { result: result.map(Register), ty, op, site: SiteId(0) }
}

fn load(to: u32, address: Operand) -> Instruction {
    instruction(Some(to), Type::POINTER, Op::Load { address })
}

fn store(address: Operand, value: Operand) -> Instruction {
    instruction(None, Type::bits(0), Op::Store { address, value, ty: Type::POINTER })
}

fn field(to: u32, base: u32, constant: i64) -> Instruction {
    let op = Op::Offset { base: register(base), constant, steps: Vec::new(), walk: None, field: None };
    instruction(Some(to), Type::POINTER, op)
}

fn is_null(to: u32, value: u32) -> Instruction {
    let (left, right) = (register(value), Operand::Null);
    let op = Op::Compare { comparison: Comparison::Eq, left, right, ty: Type::POINTER };
    instruction(Some(to), Type::bits(1), op)
}

fn call(to: Option<u32>, function: u32, arguments: &[Operand]) -> Instruction {
    let argument = |value: &Operand| Argument { value: value.clone(), ty: Type::POINTER, by_value: None };
    let arguments = arguments.iter().map(argument).collect();
    let ty = if to.is_some() { Type::POINTER } else { Type::bits(0) };
    instruction(to, ty, Op::Call { callee: Callee::Direct(FunctionId(function)), arguments })
}

fn block(instructions: Vec<Instruction>, terminator: Terminator) -> Block {
    Block { instructions, terminator, site: SiteId(0) }
}

fn branch(condition: u32, then: u32, otherwise: u32) -> Terminator {
    Terminator::Branch { condition: register(condition), then: BlockId(then), otherwise: BlockId(otherwise) }
}

const RETURN: Terminator = Terminator::Return(None);

/// A function of pointers.
fn function(name: &str, parameters: u32, blocks: Vec<Block>) -> Function {
    let parameter = Parameter { ty: Type::POINTER, ..Parameter::default() };
    let returns = blocks.iter().any(|block| matches!(block.terminator, Terminator::Return(Some(_))));
    Function {
        name: name.to_owned(),
        parameters: vec![parameter; parameters as usize],
        result: returns.then_some(Type::POINTER),
        blocks,
        registers: 32,
        is_visible: name == "start",
        ..Function::default()
    }
}

/// A function of the library, or of which nothing is known.
fn declared(name: &str, parameters: u32) -> Function {
    Function { result: Some(Type::POINTER), registers: 0, is_visible: true, ..function(name, parameters, Vec::new()) }
}

#[test]
fn a_parameter_that_was_tested_is_not_null() {
    let tested = vec![
        block(vec![is_null(1, 0)], branch(1, 1, 2)),
        block(vec![load(2, register(0))], RETURN),
        block(vec![load(3, register(0))], RETURN),
    ];
    let found = Analysed::new(vec![function("start", 1, tested)]);
    assert!(found.last_can_fail(0, 1));
    assert!(!found.last_can_fail(0, 2));
}

#[test]
fn what_was_followed_is_not_null_afterwards() {
    let twice = block(vec![load(1, register(0)), load(2, register(0))], RETURN);
    let found = Analysed::new(vec![function("start", 1, vec![twice])]);
    assert!(!found.last_can_fail(0, 0));
}

/// `if (g) { …; *g }`
fn guarded_global(between: Vec<Instruction>) -> Vec<Block> {
    let mut guarded = between;
    guarded.extend([load(4, global(0)), load(5, register(4))]);
    vec![
        block(vec![load(2, global(0)), is_null(3, 2)], branch(3, 1, 2)),
        block(Vec::new(), RETURN),
        block(guarded, RETURN),
    ]
}

#[test]
fn a_place_that_was_tested_holds_the_same_until_somebody_writes() {
    let found = |between, more: Vec<Function>| {
        let functions = [function("start", 2, guarded_global(between))].into_iter().chain(more).collect();
        Analysed::new(functions).last_can_fail(0, 2)
    };
    assert!(!found(Vec::new(), Vec::new()));
    assert!(!found(vec![store(global(1), Operand::Null)], Vec::new()), "another variable is written");
    assert!(found(vec![store(global(0), Operand::Null)], Vec::new()), "it is written");
    let writer = function("writer", 0, vec![block(vec![store(global(0), Operand::Null)], RETURN)]);
    assert!(found(vec![call(None, 1, &[])], vec![writer]), "it is written by a call");
    let reader = function("reader", 0, vec![block(vec![load(1, global(0))], RETURN)]);
    assert!(!found(vec![call(None, 1, &[])], vec![reader]), "it is read by a call");
}

/// `v = p; if (v) { …; *v }` in a function that is called once more, with null.
fn guarded_variable(between: Vec<Instruction>, more: Vec<Function>) -> bool {
    let layout = Layout { size: 8, arrays: Vec::new() };
    let variable = instruction(Some(1), Type::POINTER, Op::Variable { name: String::new(), layout, count: None });
    let mut guarded = between;
    guarded.extend([load(4, register(1)), load(5, register(4))]);
    let blocks = vec![
        block(vec![variable, store(register(1), register(0)), load(2, register(1)), is_null(3, 2)], branch(3, 1, 2)),
        block(Vec::new(), RETURN),
        block(guarded, RETURN),
    ];
    Analysed::new([function("start", 1, blocks)].into_iter().chain(more).collect()).last_can_fail(0, 2)
}

#[test]
fn a_variable_is_its_own_in_every_call_of_a_function() {
    let again = call(None, 0, &[Operand::Null]);
    assert!(!guarded_variable(vec![again.clone()], Vec::new()));
    let handed_on = guarded_variable(vec![store(global(0), register(1)), again], Vec::new());
    assert!(handed_on, "somebody else can write it");
}

#[test]
fn code_that_nobody_sees_does_not_know_of_a_variable() {
    let found = |before: Vec<Instruction>| {
        let callee = Callee::Indirect(register(6));
        let unseen = instruction(None, Type::bits(0), Op::Call { callee, arguments: Vec::new() });
        let between = before.into_iter().chain([call(Some(6), 1, &[Operand::Null, Operand::Null]), unseen]).collect();
        guarded_variable(between, vec![declared("dlsym", 2)])
    };
    assert!(!found(Vec::new()));
    assert!(found(vec![store(global(0), register(1))]), "nobody knows who has its address");
}

#[test]
fn what_returns_twice_finds_variables_as_they_are_by_then() {
    let jump = vec![call(Some(6), 1, &[global(0)])];
    assert!(guarded_variable(jump, vec![declared("_setjmp", 1)]));
}

#[test]
fn a_write_through_a_pointer_that_may_be_the_same_is_seen() {
    // `if (*p) { *q = value; **p }`, where both may be the address of `g`.
    let with = |value: Operand| {
        let blocks = vec![
            block(vec![load(2, register(0)), is_null(3, 2)], branch(3, 1, 2)),
            block(Vec::new(), RETURN),
            block(vec![store(register(1), value), load(4, register(0)), load(5, register(4))], RETURN),
        ];
        let caller = block(vec![call(None, 1, &[global(0), global(0)])], RETURN);
        Analysed::new(vec![function("start", 0, vec![caller]), function("both", 2, blocks)]).last_can_fail(1, 2)
    };
    assert!(with(Operand::Null));
    assert!(!with(global(1)));
}

#[test]
fn where_ways_meet_both_count() {
    // `p = c ? &g : other; *p`
    let with = |other: Operand| {
        let phi = Op::Phi(vec![(BlockId(1), global(0)), (BlockId(2), other)]);
        let blocks = vec![
            block(vec![is_null(2, 0)], branch(2, 1, 2)),
            block(Vec::new(), Terminator::Jump(BlockId(3))),
            block(Vec::new(), Terminator::Jump(BlockId(3))),
            block(vec![instruction(Some(3), Type::POINTER, phi), load(4, register(3))], RETURN),
        ];
        Analysed::new(vec![function("start", 2, blocks)]).last_can_fail(0, 3)
    };
    assert!(!with(register(0)), "on that way it was tested");
    assert!(with(register(1)));
    assert!(with(Operand::Null));
}

#[test]
fn a_function_that_returned_has_followed_its_argument() {
    let follows = function("follows", 1, vec![block(vec![load(1, register(0))], RETURN)]);
    let start = block(vec![call(None, 1, &[register(0)]), load(1, register(0))], RETURN);
    let found = Analysed::new(vec![function("start", 1, vec![start]), follows]);
    assert!(!found.last_can_fail(0, 0));
    assert!(found.last_can_fail(1, 0));
}

#[test]
fn an_argument_that_is_returned_is_what_it_was() {
    let same = function("same", 1, vec![block(Vec::new(), Terminator::Return(Some(register(0))))]);
    let start = block(vec![call(Some(1), 1, &[global(0)]), load(2, register(1))], RETURN);
    let found = Analysed::new(vec![function("start", 1, vec![start]), same.clone()]);
    assert!(!found.last_can_fail(0, 0));
    assert!(!found.may_return_null(1));
    let start = block(vec![call(Some(1), 1, &[register(0)]), load(2, register(1))], RETURN);
    let found = Analysed::new(vec![function("start", 1, vec![start]), same]);
    assert!(found.last_can_fail(0, 0));
    assert!(found.may_return_null(1));
}

#[test]
fn a_global_variable_that_is_set_before_every_call_is_not_null_there() {
    let uses = || function("uses", 0, vec![block(vec![load(1, global(0)), load(2, register(1))], RETURN)]);
    let start = block(vec![store(global(0), global(1)), call(None, 1, &[])], RETURN);
    let found = Analysed::new(vec![function("start", 0, vec![start]), uses()]);
    assert!(!found.last_can_fail(1, 0));
    let start = block(
        vec![store(global(0), global(1)), call(None, 1, &[]), store(global(0), Operand::Null), call(None, 1, &[])],
        RETURN,
    );
    let found = Analysed::new(vec![function("start", 0, vec![start]), uses()]);
    assert!(found.last_can_fail(1, 0));
}

/// `p = calloc(…); if (!p) return; …; g = p;`
fn allocation(between: Vec<Instruction>) -> Analysed {
    let mut goes_on = between;
    goes_on.push(store(global(0), register(1)));
    // Somebody looks at both fields.
    goes_on.extend([load(8, global(0)), field(9, 8, 8), load(10, register(9)), load(11, register(8))]);
    let blocks = vec![
        block(vec![call(Some(1), 1, &[]), is_null(2, 1)], branch(2, 1, 2)),
        block(Vec::new(), RETURN),
        block(goes_on, RETURN),
    ];
    Analysed::new(vec![function("start", 0, blocks), declared("calloc", 2)])
}

#[test]
fn zeros_count_when_somebody_else_can_see_them() {
    let nothing = allocation(Vec::new());
    assert!(nothing.field_may_be_null(0, 1, 0) && nothing.field_may_be_null(0, 1, 8));
    let both = allocation(vec![store(register(1), global(1)), field(3, 1, 8), store(register(3), global(1))]);
    assert!(!both.field_may_be_null(0, 1, 0) && !both.field_may_be_null(0, 1, 8));
    let one = allocation(vec![field(3, 1, 8), store(register(3), global(1))]);
    assert!(one.field_may_be_null(0, 1, 0) && !one.field_may_be_null(0, 1, 8));
    let late = allocation(vec![
        store(global(1), register(1)),
        store(register(1), global(1)),
        field(3, 1, 8),
        store(register(3), global(1)),
    ]);
    assert!(late.field_may_be_null(0, 1, 0), "it was handed on before");
}

#[test]
fn a_loop_that_changes_a_pointer_makes_it_unknown() {
    // `for (p = &g; ; p = *p) *p;`
    let phi = Op::Phi(vec![(BlockId(0), global(0)), (BlockId(1), register(3))]);
    let blocks = vec![
        block(Vec::new(), Terminator::Jump(BlockId(1))),
        block(vec![instruction(Some(2), Type::POINTER, phi), load(3, register(2))], Terminator::Jump(BlockId(1))),
    ];
    assert!(Analysed::new(vec![function("start", 0, blocks)]).last_can_fail(0, 1));
}
