//! SMT-LIB's operators in terms of ours.

use expr::{Kind, Store, Term};

/// Applies an operator with its indices (of `(_ extract 7 0)`) to operands.
pub(super) fn apply(store: &mut Store, name: &str, indices: &[u32], operands: &[Term]) -> Result<Term, String> {
    let make = |store: &mut Store, kind: Kind, operands: &[Term], imm: u32, width: u16| {
        store.apply(kind, operands, imm, width).map_err(|error| error.to_string())
    };
    let width = |store: &Store, place: usize| operands.get(place).map_or(0, |term| store.width(*term));
    if !indices.is_empty() {
        return indexed(store, name, indices, operands);
    }
    // Operators that take any number of operands from the left.
    let chain = |store: &mut Store, kind: Kind| {
        let [first, rest @ ..] = operands else { return Err(format!("{name} needs operands")) };
        rest.iter().try_fold(*first, |all, next| make(store, kind, &[all, *next], 0, 0))
    };
    let negated = |store: &mut Store, term: Result<Term, String>| term.map(|term| store.not(term));
    let swapped: Vec<Term> = operands.iter().rev().copied().collect();
    match name {
        "not" | "bvnot" => make(store, Kind::Not, operands, 0, 0),
        "and" | "bvand" => chain(store, Kind::And),
        "or" | "bvor" => chain(store, Kind::Or),
        "xor" | "bvxor" => chain(store, Kind::Xor),
        "bvadd" => chain(store, Kind::Add),
        "bvmul" => chain(store, Kind::Mul),
        "concat" => chain(store, Kind::Concat),
        "bvnand" | "bvnor" | "bvxnor" => {
            let kind = match name {
                "bvnand" => Kind::And,
                "bvnor" => Kind::Or,
                _ => Kind::Xor,
            };
            let term = make(store, kind, operands, 0, 0);
            negated(store, term)
        }
        "bvneg" if operands.len() == 1 => Ok(store.neg(operands[0])),
        "bvsub" => chain(store, Kind::Sub),
        "bvudiv" => make(store, Kind::UDiv, operands, 0, 0),
        "bvurem" => make(store, Kind::URem, operands, 0, 0),
        "bvsdiv" => make(store, Kind::SDiv, operands, 0, 0),
        "bvsrem" => make(store, Kind::SRem, operands, 0, 0),
        "bvsmod" => {
            make(store, Kind::SRem, operands, 0, 0)?;
            Ok(store.signed_modulo(operands[0], operands[1]))
        }
        "bvshl" => make(store, Kind::Shl, operands, 0, 0),
        "bvlshr" => make(store, Kind::LShr, operands, 0, 0),
        "bvashr" => make(store, Kind::AShr, operands, 0, 0),
        "bvult" => make(store, Kind::Ult, operands, 0, 0),
        "bvule" => make(store, Kind::Ule, operands, 0, 0),
        "bvugt" => make(store, Kind::Ult, &swapped, 0, 0),
        "bvuge" => make(store, Kind::Ule, &swapped, 0, 0),
        "bvslt" => make(store, Kind::Slt, operands, 0, 0),
        "bvsle" => make(store, Kind::Sle, operands, 0, 0),
        "bvsgt" => make(store, Kind::Slt, &swapped, 0, 0),
        "bvsge" => make(store, Kind::Sle, &swapped, 0, 0),
        "bvcomp" => make(store, Kind::Eq, operands, 0, 0),
        "bvuaddo" => make(store, Kind::UAddO, operands, 0, 0),
        "bvsaddo" => make(store, Kind::SAddO, operands, 0, 0),
        "bvusubo" => make(store, Kind::USubO, operands, 0, 0),
        "bvssubo" => make(store, Kind::SSubO, operands, 0, 0),
        "bvumulo" => make(store, Kind::UMulO, operands, 0, 0),
        "bvsmulo" => make(store, Kind::SMulO, operands, 0, 0),
        "bvnego" if operands.len() == 1 => {
            let least = store.constant(expr::BitVec::min_signed(width(store, 0)));
            Ok(store.eq(operands[0], least))
        }
        "bvsdivo" => {
            make(store, Kind::SDiv, operands, 0, 0)?;
            let least = store.constant(expr::BitVec::min_signed(width(store, 0)));
            let minus_one = store.constant(expr::BitVec::ones(width(store, 0)));
            let (a, b) = (store.eq(operands[0], least), store.eq(operands[1], minus_one));
            Ok(store.and(a, b))
        }
        "=" => {
            let equal: Result<Vec<Term>, String> =
                operands.windows(2).map(|pair| make(store, Kind::Eq, pair, 0, 0)).collect();
            Ok(store.conjunction(equal?))
        }
        "distinct" => {
            let mut all = store.bool(true);
            for (place, a) in operands.iter().enumerate() {
                for b in operands.iter().skip(place + 1) {
                    let equal = make(store, Kind::Eq, &[*a, *b], 0, 0)?;
                    let different = store.not(equal);
                    all = store.and(all, different);
                }
            }
            Ok(all)
        }
        "=>" => {
            let [conditions @ .., conclusion] = operands else { return Err("=> needs operands".to_owned()) };
            conditions.iter().rev().try_fold(*conclusion, |all, condition| {
                let negated = store.not(*condition);
                make(store, Kind::Or, &[negated, all], 0, 0)
            })
        }
        "ite" => make(store, Kind::Ite, operands, 0, 0),
        "select" => make(store, Kind::Select, operands, 0, 0),
        "store" => make(store, Kind::Store, operands, 0, 0),
        _ => Err(format!("no operator is called `{name}`")),
    }
}

fn indexed(store: &mut Store, name: &str, indices: &[u32], operands: &[Term]) -> Result<Term, String> {
    let [a] = operands else { return Err(format!("{name} takes one operand")) };
    let inner = store.width(*a);
    let mut make = |kind: Kind, imm: u32, width: u32| {
        let width = u16::try_from(width).map_err(|_| "this is too wide".to_owned())?;
        store.apply(kind, &[*a], imm, width).map_err(|error| error.to_string())
    };
    match (name, indices) {
        ("extract", [high, low]) if high >= low => make(Kind::Extract, *low, (high - low).saturating_add(1)),
        ("zero_extend", [extra]) => make(Kind::ZExt, 0, extra.saturating_add(inner.into())),
        ("sign_extend", [extra]) => make(Kind::SExt, 0, extra.saturating_add(inner.into())),
        ("rotate_left", [amount]) => Ok(store.funnel_shift_left(*a, *a, *amount)),
        ("rotate_right", [amount]) => {
            let amount = amount % u32::from(inner);
            Ok(store.funnel_shift_left(*a, *a, u32::from(inner) - amount))
        }
        ("repeat", [count @ 1..=1024]) => (1..*count)
            .try_fold(*a, |all, _| store.apply(Kind::Concat, &[*a, all], 0, 0).map_err(|error| error.to_string())),
        _ => Err(format!("no operator is called `(_ {name} …)` with {} indices", indices.len())),
    }
}
