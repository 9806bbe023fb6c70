//! Checks: the condition's label goes to the runtime.

use super::calls::pin_scalar;
use crate::cold::Cold;
use llvm::Value;
use trace::abi;
use trace::layout::Reason;
use trace::sites::SiteKind;

/// Reports a check whose condition depends on input. See `annotate` for its operands.
pub fn apply(cold: &mut Cold, call: Value) {
    let arguments = call.arguments();
    let [number, condition, ..] = arguments.as_slice() else { return };
    let Some(label) = cold.label(*condition) else { return };
    let Some(number) = number.as_constant() else {
        // Checks are kept apart (`annotate`). If some have become one all the same, nobody knows which, but it is known that one is lost.
        return pin_scalar(cold, call, Some(label), *condition, Reason::Instruction);
    };
    let site = cold.site(call, SiteKind::Check(number as u32));
    let holds = cold.concrete(*condition);
    let holds = cold.values().resize(holds, cold.cx.i32);
    let subject = arguments.get(4).copied().and_then(|subject| cold.label(subject));
    let subject = cold.plain(subject);
    cold.act_when(label, |c| c.act(abi::CHECK, &[label, site, holds, subject]));
}
