//! `--version`

use std::sync::LazyLock;

/// The version alone.
pub fn short() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The version, and those of what is inside.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| format!("{}\nLLVM {}", short(), env!("PROVOKE_LLVM_VERSION")));
    &LONG
}
