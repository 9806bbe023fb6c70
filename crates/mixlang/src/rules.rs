//! The premises of rules, so that tests can leave one out and see that the theorems no longer hold.

/// A premise without which the system is not sound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Premise {
    /// TPLUS and its like: the operands have the operator's type.
    OperandTypes,
    /// TIF: both arms have one type.
    SameArms,
    /// TASSIGN: the value has the cell's type.
    CellType,
    /// TAPP: the argument has the parameter's type.
    ArgumentType,
    /// Sums of positive numbers may overflow.
    SumsWrapAround,
    /// SEPLUS and its like.
    SymbolicOperandTypes,
    /// SEIF-TRUE and SEIF-FALSE: the path condition gets the condition or its negation.
    BranchGuard,
    /// SEREF: the new location is none of the others.
    FreshLocation,
    /// SEDEREF: memory is consistent where it is read.
    ConsistentRead,
    /// OVERWRITE-OK: only writes to the same location are forgiven.
    SameLocation,
    /// SEASSIGN: the write is logged.
    LoggedWrite,
    /// TSYMBLOCK: the paths are exhaustive.
    Exhaustive,
    /// TSYMBLOCK: all paths leave memory consistent.
    ConsistentEnd,
    /// TSYMBLOCK: all paths have one type.
    SamePaths,
    /// TSYMBLOCK: assignable variables end with the types that they had.
    VariablesRestored,
    /// TSYMBLOCK and SETYPBLOCK: an unknown is none of the others.
    FreshUnknowns,
    /// SETYPBLOCK: memory is consistent.
    ConsistentStart,
    /// SETYPBLOCK: memory is unknown afterwards.
    FreshMemory,
    /// SETYPBLOCK: assigned variables are unknown afterwards.
    VariablesForgotten,
    /// SETYPBLOCK: the block type checks.
    BlockChecks,
}

/// All premises that are in force.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    #[cfg(test)]
    without: Option<Premise>,
}

impl Rules {
    /// All but one.
    #[cfg(test)]
    pub fn without(premise: Premise) -> Rules {
        Rules { without: Some(premise) }
    }

    /// Whether a premise is needed. Always, outside of tests.
    pub fn need(self, premise: Premise) -> bool {
        #[cfg(test)]
        return self.without != Some(premise);
        #[cfg(not(test))]
        {
            let _ = premise;
            true
        }
    }
}
