//! Bitwuzla's own build leaves out the SAT solver that it was built with.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=static=cadical");
}
