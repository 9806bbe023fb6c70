//! What instrumented code and the runtime agree on.
//!
//! # Labels in memory
//! Every byte of memory has a 32-bit label at [`label_address`]. In front of the labels lies the *summary*: one
//! byte for every 8 bytes of memory, at [`summary_address`], which is 0 where all eight labels are 0 and the runtime need
//! not know of accesses (other values all mean "some label may be there"). Instrumented code reads summary bytes inline and enters the runtime
//! only where one is not 0; only the runtime writes either table.
//!
//! # Labels of arguments and results
//! They travel in thread-local slots ([`ThreadSlots`]). A caller with a labelled argument fills `arguments` and
//! sets `argument_tag` to the address of the function it calls; the callee takes the labels only if the tag is its
//! own address, and clears it. Results go the other way: the callee fills `results` and sets `result_tag` to its own
//! address, the caller compares and clears. So a label never reaches a function that it was not meant for, whatever
//! uninstrumented code, signal handler or `longjmp` lies between. A caller without labels touches nothing.
//!
//! A tag that nobody clears means that labels were lost: after a call of a function that is known only at run time, and
//! wherever a tag turns out to be another function's, this is recorded ([`UNTAKEN`]).
//!
//! A function that is left by a jump to another one (`musttail`) says so in `tail_from` and `tail_to`: the other one gives
//! its results in the first one's name.
//!
//! The same holds for the runtime's models of library functions: an instrumented caller calls `__provoke_x_strlen`
//! in place of `strlen`, with the same arguments, and the model behaves like an instrumented function.

/// Environment variable with the path of the trace. The runtime removes it from the environment.
pub const TRACE_VARIABLE: &str = "PROVOKE_TRACE";

/// Memory bytes per summary byte, as a shift.
pub const SUMMARY_SHIFT: u32 = 3;
/// Address of the summary byte of address 0. Fits a 32-bit displacement.
pub const SUMMARY_BASE: u64 = 0x7fff_8000;
/// Bytes of the summary: all of a 47-bit address space.
pub const SUMMARY_SIZE: u64 = 1 << (47 - SUMMARY_SHIFT);
/// The bits of an address that select its label.
pub const LABEL_ADDRESS_MASK: u64 = 0x0fff_ffff_ffff;
/// Address of the label of address 0.
pub const LABEL_BASE: u64 = 0x1001_0000_0000;
/// Bytes of the label table.
pub const LABEL_SIZE: u64 = (LABEL_ADDRESS_MASK + 1) << 2;

/// Where the summary byte for `address` lies.
pub const fn summary_address(address: u64) -> u64 {
    (address >> SUMMARY_SHIFT) + SUMMARY_BASE
}

/// Where the label of the byte at `address` lies.
pub const fn label_address(address: u64) -> u64 {
    ((address & LABEL_ADDRESS_MASK) << 2) + LABEL_BASE
}

/// Labels of arguments that fit the thread-local slots; the rest travels without labels and is counted.
pub const ARGUMENT_SLOTS: usize = 64;
/// Labels of results that fit.
pub const RESULT_SLOTS: usize = 32;
/// Structures passed by value in memory whose labels are carried.
pub const BY_VALUE_SLOTS: usize = 8;
/// Bytes of variadic arguments whose labels are carried: the register save area of the x86-64 ABI (176 bytes: six
/// general and eight vector registers), then the overflow area.
pub const VARIADIC_BYTES: usize = 176 + 256;

/// Thread-local state, the symbol `__provoke_thread`, defined by the runtime (local-exec model).
#[repr(C)]
pub struct ThreadSlots {
    /// Function that `arguments` are meant for, or 0.
    pub argument_tag: u64,
    /// Function that `results` come from, or 0.
    pub result_tag: u64,
    /// The innermost stack frame with variables in memory, a [`Frame`], or 0.
    pub frames: u64,
    /// Site of the call that is being made; set together with `argument_tag`, and before every call of a model.
    pub call_site: u32,
    /// 1 if `variadic` holds labels for the call that is being made; set together with `argument_tag`.
    pub has_variadic: u32,
    /// One label for each scalar of the fixed arguments, in order; vectors and aggregates count once per element.
    pub arguments: [u32; ARGUMENT_SLOTS],
    /// One label for each scalar of the result.
    pub results: [u32; RESULT_SLOTS],
    /// One label for each byte that the callee's `va_list` can reach.
    pub variadic: [u32; VARIADIC_BYTES],
    /// Function that `by_value` is meant for, or 0.
    pub by_value_tag: u64,
    /// For each structure that the call being made passes by value in memory: where the caller has the original. The
    /// callee moves labels from there to its copy. Set before every such call, labelled or not.
    pub by_value: [u64; BY_VALUE_SLOTS],
    /// Function that is being entered by a jump that replaces a call (`musttail`), or 0. It clears this on entry.
    pub tail_to: u64,
    /// The function whose result the caller waits for, meant for `tail_to`: what goes into `result_tag`.
    pub tail_from: u64,
    /// How much of `variadic` may be other than 0, for the runtime's own use.
    pub variadic_end: u64,
}

/// A stack frame whose variables can be reached by address. Lies in the frame itself; linked on entry, unlinked on
/// return; entries below the stack pointer are dead (`longjmp`).
#[repr(C)]
pub struct Frame {
    /// The next outer one, or 0.
    pub outer: u64,
    /// Address of the [`FrameShape`].
    pub shape: u64,
    // Then the addresses of the variables, one u64 each, in the order of the shape; 0 for one not yet allocated. Then for
    // each variable-length array its size in bytes and the label of that, one u64 each.
}

/// What is constant about a function's [`Frame`]s.
#[repr(C)]
pub struct FrameShape {
    /// Number of variables.
    pub count: u64,
    // Then for each variable its size in bytes (u64; of a variable-length array: [`VARIABLE_LENGTH`] and the offset of its
    // size in the frame) and its index in the region-name table (u64).
}

/// In the place of a variable's size: it is an array whose size is in the frame, at the offset in the other bits.
pub const VARIABLE_LENGTH: u64 = 1 << 63;

/// An entry of the table of globals that the view registers through `__provoke_globals`.
#[repr(C)]
pub struct GlobalEntry {
    /// Its address.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its index in the region-name table.
    pub id: u64,
}

/// Type of a parameter or result of a runtime entry point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abi {
    /// No result.
    Void,
    /// 32-bit integer: labels, sites, operators.
    I32,
    /// 64-bit integer: values and sizes.
    I64,
    /// Pointer.
    Ptr,
}

/// An entry point of the runtime, called by instrumented code with the C calling convention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Symbol.
    pub name: &'static str,
    /// Result.
    pub result: Abi,
    /// Parameters.
    pub parameters: &'static [Abi],
}

macro_rules! entries {
    ($($(#[$doc:meta])* $id:ident = $name:literal ($($parameter:ident),*) -> $result:ident;)*) => {
        $($(#[$doc])* pub const $id: Entry =
            Entry { name: $name, result: Abi::$result, parameters: &[$(Abi::$parameter),*] };)*
        /// All entry points.
        pub const ENTRIES: &[Entry] = &[$($id),*];
    };
}

entries! {
    /// `(op | width << 8, la, lb, va, vb, result) -> label`. A binary operator on operands of `width` bits, at most
    /// 64; at least one label is not 0 or the result is 0. A label that is 0 means that the operand is the concrete
    /// value. `result` is what the program computed.
    BINARY = "__provoke_binary" (I32, I32, I32, I64, I64, I64) -> I32;
    /// `(op | width << 8, la, imm, va, result) -> label`. `ZExt`, `SExt`, `Extract` (`imm`: lowest bit) and the
    /// bit-counting operators; `width` is the result's, any up to 1024. 0 if `la` is 0.
    UNARY = "__provoke_unary" (I32, I32, I64, I64, I64) -> I32;
    /// `(op | width << 8, la, lb, result) -> label`. A binary operator or `Concat` on two labels, neither 0, of any
    /// width up to 1024 (`width` is the operands'; of `Concat`, the result's); `result` is the low 64 bits.
    WIDE_BINARY = "__provoke_wide_binary" (I32, I32, I32, I64) -> I32;
    /// `(width, words) -> label`. A label for a constant of any width, 64-bit words, least significant first.
    CONSTANT = "__provoke_constant" (I32, Ptr) -> I32;
    /// `(width, condition, la, lb, va, vb, taken) -> label`. The condition has a label; `la` and `lb` may be 0 (then
    /// the width is at most 64).
    ITE = "__provoke_ite" (I32, I32, I32, I32, I64, I64, I32) -> I32;
    /// `(width, la, lb, amount, va, vb, result) -> label`. Funnel shift left by a concrete amount below the width.
    FSHL = "__provoke_fshl" (I32, I32, I32, I64, I64, I64, I64) -> I32;
    /// `(op | width << 8, site, la, lb, va, vb, result) -> label`. An operator of floating-point numbers, whose bits the values are. Of
    /// binary operators `width` is the operands', of others the result's, and `vb` is the immediate. Where the
    /// program computed something else than the operator gives, operands are pinned.
    FLOAT = "__provoke_float" (I32, I32, I32, I32, I64, I64, I64) -> I32;
    /// `(label, site, from, to, is_signed, value, result) -> label`. A floating-point number of `from` bits as an integer of `to` bits.
    TO_INTEGER = "__provoke_to_integer" (I32, I32, I32, I32, I32, I64, I64) -> I32;

    /// `(address, bytes, value, site) -> label`. The label of a little-endian value of `bytes` bytes, any number up to 128, at
    /// `address`; `value` is (the low 64 bits of) what was loaded, and labels that contradict it are dropped.
    LOAD = "__provoke_load" (Ptr, I64, I64, I32) -> I32;
    /// `(address, bytes, label, value, site)`. Labels the bytes at `address`, or clears them where `label` is 0.
    STORE = "__provoke_store" (Ptr, I64, I32, I64, I32) -> Void;
    /// `(address label, site, address, bytes, value) -> label`. As [`LOAD`], of at most 8 bytes, through an address that may
    /// have a label; the program has not written to memory since it loaded the value.
    READ = "__provoke_read" (I32, I32, Ptr, I64, I64) -> I32;
    /// `(address label, site, address, bytes, label, value)`. As [`STORE`], of at most 8 bytes, through an address that may
    /// have a label; called before the program stores the value.
    WRITE = "__provoke_write" (I32, I32, Ptr, I64, I32, I64) -> Void;
    /// `(site, address, bytes)`. An access that nothing else is said of.
    TOUCH = "__provoke_touch" (I32, Ptr, I64) -> Void;
    /// `(destination label, source label, site, destination, source, bytes)`. As [`MEMMOVE`], of a block that is not large,
    /// between addresses that may have labels.
    MOVE = "__provoke_move" (I32, I32, I32, Ptr, Ptr, I64) -> Void;
    /// `(destination, source, bytes)`. Moves labels as memmove does; called before the bytes are moved.
    MEMMOVE = "__provoke_memmove" (Ptr, Ptr, I64) -> Void;
    /// `(destination, label, value, bytes)`. Gives every byte the 8-bit label.
    MEMSET = "__provoke_memset" (Ptr, I32, I32, I64) -> Void;

    /// `(label, site, taken)`.
    BRANCH = "__provoke_branch" (I32, I32, I32) -> Void;
    /// `(label, site, value)`.
    SWITCH = "__provoke_switch" (I32, I32, I64) -> Void;
    /// `(label, site, width, value)`. The amount by which a labelled value of `width` bits is shifted. Nothing if the label is 0.
    AMOUNT = "__provoke_amount" (I32, I32, I32, I64) -> Void;
    /// `(place, site, loop, condition)`. Before a branch on a label that decides whether a loop goes on: which loop of the site table,
    /// and which of its conditions. `place` is 8 bytes of the frame that are 0 or anything when the loop is entered, and that the
    /// program sets to 0 when it is left.
    LOOP = "__provoke_loop" (Ptr, I32, I32, I32) -> Void;
    /// `(place)`. After a branch that leaves the loop.
    LEAVE = "__provoke_leave" (Ptr) -> Void;
    /// `(label, site, holds, subject)`. A check of the condition `label`; `subject` is the label of what it is about, or 0.
    CHECK = "__provoke_check" (I32, I32, I32, I32) -> Void;
    /// `(label, site, reason, value)`. Nothing if the label is 0.
    PIN = "__provoke_pin" (I32, I32, I32, I64) -> Void;
    /// `(label, site, address, bytes, is_write)`. An access through a labelled address.
    ADDRESS = "__provoke_address" (I32, I32, Ptr, I64, I32) -> Void;
    /// `(label, site, use, address, size)`. A size with a label, used as [`crate::layout::SizeUse`] says, of the block at
    /// `address`. The size is pinned.
    SIZE = "__provoke_size" (I32, I32, I32, Ptr, I64) -> Void;
    /// `(label, site, array, element, count)`. A variable-length array in the frame has so many elements, a number with a
    /// label, of so many bytes each.
    ARRAY = "__provoke_array" (I32, I32, Ptr, I64, I64) -> Void;
    /// `(site, reason, bytes)`. A loss without a label to pin.
    LOSS = "__provoke_loss" (I32, I32, I64) -> Void;
    /// `(site, reason, address, bytes)`. Code that knows no labels may read so many bytes, or with 0 everything in the
    /// region of the address: a loss if one of them has a label. The address may be anything.
    EXPOSE = "__provoke_expose" (I32, I32, Ptr, I64) -> Void;
    /// `(site, format)`. A function that only writes out uses a format that is no constant: a loss if the format depends on input, or
    /// has the function write to memory.
    PRINTED = "__provoke_printed" (I32, Ptr) -> Void;
    /// `(site)`. Code that knows no labels may read what it wants of the input: a loss if the input is in files.
    READ_UNSEEN = "__provoke_read_unseen" (I32) -> Void;
    /// `(site)`. Labels of arguments or results were left in the slots: a loss. Clears both tags.
    UNTAKEN = "__provoke_untaken" (I32) -> Void;
    /// `(is_replaced)`. 1 before the program is replaced by another one (`execve`), 0 when that has failed.
    REPLACED = "__provoke_replaced" (I32) -> Void;

    /// `(offset, bytes, label, value)`. Before a variadic call: labels `bytes` bytes at `offset` of the slots'
    /// `variadic`, or clears them.
    VARIADIC_ARGUMENT = "__provoke_variadic_argument" (I64, I64, I32, I64) -> Void;
    /// `(save)`. On entry of a variadic function: keeps the labels of variadic arguments that came with the call in
    /// `save`, `4 * VARIADIC_BYTES + 8` bytes in its frame, or marks it as empty.
    VARIADIC_ENTRY = "__provoke_variadic_entry" (Ptr) -> Void;
    /// `(list, save)`. After `va_start(list)`: labels the memory that the list reads from.
    VARIADIC_START = "__provoke_variadic_start" (Ptr, Ptr) -> Void;
    /// `(table, count)`. Registers the view's globals, an array of [`GlobalEntry`].
    GLOBALS = "__provoke_globals" (Ptr, I64) -> Void;
}

/// Where the program's own code is: two 64-bit numbers, address and size, both 0 until the runtime has found out.
pub const TEXT: &str = "__provoke_text";

/// Name under which a model looks at formats before they are used: `(format, arguments behind it)`.
pub const FORMAT_MODEL: &str = "provoke_format";

/// Name under which a model looks at strings before they are written out: `(string, bytes that are written at most)`.
pub const PRINTED_MODEL: &str = "provoke_printed";

/// The same for strings in a list of arguments: `(format, list)`.
pub const PRINTED_LIST_MODEL: &str = "provoke_printed_list";

/// Site of everything in a model that is written in C: where the model was called.
pub const CALLERS_SITE: u32 = u32::MAX;

/// Prefix of what models that are written in C call the library's own functions.
pub const REAL_PREFIX: &str = "__provoke_real_";

/// Prefix of the symbol of a model.
pub const MODEL_PREFIX: &str = "__provoke_x_";
