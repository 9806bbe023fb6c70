//! Instructions, one by one.

use super::function::Lowering;
use super::{Context, calls, layout};
use crate::program::{Binary, Cast, Comparison, Op, Operand, Step, Type};
use llvm::{Kind, Opcode, Value};
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate};
use std::sync::Arc;

/// Lowers an instruction that is no terminator.
pub fn lower(at: &mut Lowering<'_>, value: Value) {
    if let Some(op) = operation(at, value) {
        at.push(value, op);
    }
}

fn operation(at: &mut Lowering<'_>, value: Value) -> Option<Op> {
    let opcode = value.opcode();
    if let Some(binary) = binary(opcode) {
        return Some(match value.ty().kind() {
            Kind::LLVMIntegerTypeKind => Op::Binary(binary, at.operand(value.operand(0)), at.operand(value.operand(1))),
            _ => opaque(at, value),
        });
    }
    Some(match opcode {
        Opcode::LLVMAlloca => {
            let count = Some(value.operand(0)).filter(|count| count.as_constant() != Some(1));
            Op::Variable {
                name: value.name(),
                layout: layout::of(at.cx.module, value.allocated_type()),
                count: count.map(|count| at.operand(count)),
            }
        }
        Opcode::LLVMLoad => Op::Load { address: at.operand(value.operand(0)) },
        Opcode::LLVMStore => store(at, value),
        Opcode::LLVMGetElementPtr => offset(at, value),
        Opcode::LLVMICmp => compare(at, value),
        Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt => match value.ty().kind() {
            Kind::LLVMIntegerTypeKind => cast(at, value, integer_cast(opcode)),
            _ => opaque(at, value),
        },
        Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => cast(at, value, Cast::Bits),
        Opcode::LLVMPtrToInt if at.type_of(value).bits < 64 => {
            let whole = cast(at, value, Cast::PointerToInteger);
            let word = Type::bits(64);
            Op::Cast { cast: Cast::Truncate, value: at.push_temporary(word, whole), from: word }
        }
        Opcode::LLVMPtrToInt => cast(at, value, Cast::PointerToInteger),
        Opcode::LLVMIntToPtr => cast(at, value, Cast::IntegerToPointer),
        Opcode::LLVMSelect if value.operand(0).ty().kind() == Kind::LLVMIntegerTypeKind => {
            let [condition, a, b] = [0, 1, 2].map(|index| at.operand(value.operand(index)));
            Op::Select(condition, a, b)
        }
        Opcode::LLVMPHI => {
            let incoming = value.incoming().into_iter();
            Op::Phi(incoming.map(|(value, block)| (at.number(block), at.operand(value))).collect())
        }
        Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr => return calls::lower(at, value),
        Opcode::LLVMExtractValue => return Some(extract(at, value)),
        Opcode::LLVMInsertValue => {
            let (low, bits) = bit_range(at.cx, value.operand(0).ty(), &value.indices());
            let [whole, part] = [0, 1].map(|index| at.operand(value.operand(index)));
            Op::Insert { value: whole, part, part_bits: bits, low }
        }
        Opcode::LLVMAtomicRMW => {
            let exchanges = value.rmw_operation() == LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg;
            let (ty, written) = (at.type_of(value), at.operand(value.operand(1)));
            let written = match exchanges {
                true => written,
                // What is added to or taken from a pointer may leave null.
                false if ty.bits < 64 => Operand::Any { bits: ty.bits },
                false => at.push_temporary(ty, Op::Unknown { what: "atomic arithmetic", operands: Vec::new() }),
            };
            Op::Exchange { address: at.operand(value.operand(0)), value: written, ty }
        }
        Opcode::LLVMAtomicCmpXchg => {
            let (ty, address) = (at.type_of(value.operand(2)), at.operand(value.operand(0)));
            let exchange = Op::Exchange { address, value: at.operand(value.operand(2)), ty };
            let old = at.push_temporary(ty, exchange);
            Op::Insert { value: Operand::Any { bits: at.type_of(value).bits }, part: old, part_bits: ty.bits, low: 0 }
        }
        Opcode::LLVMFence => return None,
        Opcode::LLVMVAArg => unknown(at, value, "va_arg"),
        Opcode::LLVMLandingPad => unknown(at, value, "exception handling"),
        _ => opaque(at, value),
    })
}

/// A value that is not followed.
pub fn opaque(at: &Lowering<'_>, value: Value) -> Op {
    Op::Opaque(value.operands().into_iter().map(|operand| at.operand(operand)).collect())
}

fn unknown(at: &Lowering<'_>, value: Value, what: &'static str) -> Op {
    Op::Unknown { what, operands: value.operands().into_iter().map(|operand| at.operand(operand)).collect() }
}

fn cast(at: &Lowering<'_>, value: Value, cast: Cast) -> Op {
    Op::Cast { cast, value: at.operand(value.operand(0)), from: at.type_of(value.operand(0)) }
}

fn store(at: &mut Lowering<'_>, value: Value) -> Op {
    let [stored, address] = [0, 1].map(|index| value.operand(index));
    let ty = at.type_of(stored);
    let operand = at.operand(stored);
    let is_parameter = matches!(&operand, Operand::Register(r) if (r.0 as usize) < at.parameter_count());
    let global = Some(address.without_constant_offset()).filter(|address| at.cx.marked.nonnull.contains(address));
    if !is_parameter && (at.cx.marked.nonnull.contains(&address) || global.is_some()) {
        let why = Arc::from("the variable is declared `PROVOKE_NONNULL`");
        at.push_effect(Op::Nonnull { value: operand.clone(), why });
    }
    Op::Store { address: at.operand(address), value: operand, ty }
}

fn compare(at: &Lowering<'_>, value: Value) -> Op {
    let ty = at.type_of(value.operand(0));
    if !matches!(value.operand(0).ty().kind(), Kind::LLVMIntegerTypeKind | Kind::LLVMPointerTypeKind) {
        return opaque(at, value);
    }
    let comparison = match value.int_predicate() {
        LLVMIntPredicate::LLVMIntEQ => Comparison::Eq,
        LLVMIntPredicate::LLVMIntNE => Comparison::Ne,
        LLVMIntPredicate::LLVMIntUGT => Comparison::Ugt,
        LLVMIntPredicate::LLVMIntUGE => Comparison::Uge,
        LLVMIntPredicate::LLVMIntULT => Comparison::Ult,
        LLVMIntPredicate::LLVMIntULE => Comparison::Ule,
        LLVMIntPredicate::LLVMIntSGT => Comparison::Sgt,
        LLVMIntPredicate::LLVMIntSGE => Comparison::Sge,
        LLVMIntPredicate::LLVMIntSLT => Comparison::Slt,
        LLVMIntPredicate::LLVMIntSLE => Comparison::Sle,
    };
    Op::Compare { comparison, left: at.operand(value.operand(0)), right: at.operand(value.operand(1)), ty }
}

/// A part of an aggregate. Arithmetic with an overflow bit is an aggregate only in LLVM.
fn extract(at: &Lowering<'_>, value: Value) -> Op {
    let whole = value.operand(0);
    let indices = value.indices();
    if whole.is_instruction()
        && whole.opcode() == Opcode::LLVMCall
        && let Some((operation, signed)) = overflowing(whole.callee())
    {
        let [left, right] = [0, 1].map(|index| at.operand(whole.operand(index)));
        return match indices.as_slice() {
            [0] => Op::Binary(operation, left, right),
            _ => Op::Overflows { operation, signed, left, right, bits: at.type_of(whole.operand(0)).bits },
        };
    }
    let (low, _) = bit_range(at.cx, whole.ty(), &indices);
    Op::Extract { value: at.operand(whole), bits: at.type_of(whole).bits, low }
}

/// For the intrinsics that compute an overflow bit: what they compute, and whether operands are signed.
pub fn overflowing(callee: Value) -> Option<(Binary, bool)> {
    let name = if callee.is_function() { callee.name() } else { return None };
    let name = name.strip_prefix("llvm.")?;
    let (operation, rest) = name.split_once('.')?;
    if !rest.starts_with("with.overflow") {
        return None;
    }
    Some(match operation {
        "sadd" => (Binary::Add, true),
        "uadd" => (Binary::Add, false),
        "ssub" => (Binary::Sub, true),
        "usub" => (Binary::Sub, false),
        "smul" => (Binary::Mul, true),
        "umul" => (Binary::Mul, false),
        _ => return None,
    })
}

/// First bit and width of a part of an aggregate.
fn bit_range(cx: &Context, ty: llvm::Type, indices: &[u32]) -> (u32, u32) {
    let (mut ty, mut at) = (ty, 0u64);
    for index in indices {
        match ty.kind() {
            Kind::LLVMStructTypeKind => {
                at += cx.module.field_offset(ty, *index);
                match ty.fields().get(*index as usize) {
                    Some(field) => ty = *field,
                    None => break,
                }
            }
            Kind::LLVMArrayTypeKind => {
                let (element, _) = ty.elements();
                at += cx.module.alloc_size(element) * u64::from(*index);
                ty = element;
            }
            _ => break,
        }
    }
    (at.saturating_mul(8).min(u64::from(u32::MAX)) as u32, cx.type_of(ty).bits)
}

/// What a `getelementptr` adds.
pub struct Walked {
    pub constant: i64,
    pub steps: Vec<Step>,
    pub walk: Option<u64>,
    pub field: Option<Arc<str>>,
}

fn offset(at: &mut Lowering<'_>, value: Value) -> Op {
    if value.ty().kind() != Kind::LLVMPointerTypeKind {
        return opaque(at, value);
    }
    let walked = offset_of(at.cx, value, &|index| Some(at.operand(index)));
    let Some(walked) = walked else { return unknown(at, value, "address arithmetic") };
    let base = at.operand(value.operand(0));
    Op::Offset { base, constant: walked.constant, steps: walked.steps, walk: walked.walk, field: walked.field }
}

/// What a `getelementptr` adds; indices that are not constant are made operands.
pub fn offset_of(cx: &Context, value: Value, operand: &dyn Fn(Value) -> Option<Operand>) -> Option<Walked> {
    let mut ty = value.gep_source_type();
    let mut walked = Walked { constant: 0, steps: Vec::new(), walk: None, field: None };
    let indices = value.operands();
    for (position, index) in indices.iter().skip(1).enumerate() {
        let mut bound = None;
        let scale = if position == 0 {
            cx.module.alloc_size(ty)
        } else if ty.kind() == Kind::LLVMStructTypeKind {
            let field = index.as_constant()? as u32;
            let at = cx.module.field_offset(ty, field);
            walked.constant = walked.constant.wrapping_add(at as i64);
            walked.field = cx.field(ty, at.saturating_mul(8));
            ty = *ty.fields().get(field as usize)?;
            continue;
        } else {
            let element = match ty.kind() {
                Kind::LLVMArrayTypeKind => ty.elements().0,
                Kind::LLVMVectorTypeKind => ty.lanes().0,
                _ => return None,
            };
            let size = cx.module.alloc_size(element);
            bound = Some(cx.module.alloc_size(ty)).filter(|bytes| *bytes > size);
            walked.field = None;
            ty = element;
            size
        };
        match index.as_constant() {
            Some(number) => {
                let bits = cx.type_of(index.ty()).bits.clamp(1, 64);
                // Indices are signed.
                let number = (number << (64 - bits)) as i64 >> (64 - bits);
                walked.constant = walked.constant.wrapping_add(number.wrapping_mul(scale as i64));
                // A distance in bytes that is more than one is a field, computed by hand.
                if position == 0 && number != 0 && (scale > 1 || number.abs() == 1) {
                    walked.walk = Some(scale);
                }
            }
            None => {
                walked.steps.push(Step { index: operand(*index)?, bits: cx.type_of(index.ty()).bits, scale, bound })
            }
        }
    }
    Some(walked)
}

fn integer_cast(opcode: Opcode) -> Cast {
    match opcode {
        Opcode::LLVMTrunc => Cast::Truncate,
        Opcode::LLVMSExt => Cast::SignExtend,
        _ => Cast::ZeroExtend,
    }
}

fn binary(opcode: Opcode) -> Option<Binary> {
    Some(match opcode {
        Opcode::LLVMAdd => Binary::Add,
        Opcode::LLVMSub => Binary::Sub,
        Opcode::LLVMMul => Binary::Mul,
        Opcode::LLVMUDiv => Binary::Udiv,
        Opcode::LLVMSDiv => Binary::Sdiv,
        Opcode::LLVMURem => Binary::Urem,
        Opcode::LLVMSRem => Binary::Srem,
        Opcode::LLVMShl => Binary::Shl,
        Opcode::LLVMLShr => Binary::Lshr,
        Opcode::LLVMAShr => Binary::Ashr,
        Opcode::LLVMAnd => Binary::And,
        Opcode::LLVMOr => Binary::Or,
        Opcode::LLVMXor => Binary::Xor,
        _ => return None,
    })
}
