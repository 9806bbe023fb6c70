//! `--version`

use std::sync::LazyLock;

/// The version alone.
pub fn short() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The version, and those of what is inside.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| {
        let mut text = format!("{}\nLLVM {}", short(), env!("PROVOKE_LLVM_VERSION"));
        for (solver, version) in solver::versions() {
            text.push_str(&format!("\n{solver} {version}"));
        }
        text
    });
    &LONG
}
