//! Builds the runtimes of views, which the crate carries inside, and fingerprints what views are made by.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let crates = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("..");
    let out = PathBuf::from(variable("OUT_DIR"));
    let mut hasher = DefaultHasher::new();
    for folder in [
        "rt/src",
        "rt/Cargo.toml",
        "rt/Cargo.lock",
        "trace/src",
        "refine/src",
        "llvm/src",
        "llvm/shim",
        "instrument/src",
        "views/src",
    ] {
        let path = crates.join(folder);
        println!("cargo:rerun-if-changed={}", path.display());
        // One that has moved would be left out without a word, and old views be taken for new ones.
        assert!(path.exists(), "{} is not there", path.display());
        fingerprint(&path, &mut hasher);
    }
    println!("cargo:rustc-env=PROVOKE_FINGERPRINT={:016x}", hasher.finish());

    compile::Build::new()
        .files(
            ["runtime", "server", "lookup", "scanf", "writers", "readers"].map(|name| format!("src/replay/{name}.c")),
        )
        // It is for other people's programs, not for this one.
        .cargo_metadata(false)
        .pic(true)
        .opt_level(2)
        .debug(false)
        .flags([
            "-ftls-model=initial-exec",
            "-fno-stack-protector",
            "-fno-omit-frame-pointer",
            "-fno-optimize-sibling-calls",
            "-fasynchronous-unwind-tables",
        ])
        .compile("provoke_replay");
    println!("cargo:rustc-env=PROVOKE_REPLAY_RUNTIME={}", out.join("libprovoke_replay.a").display());

    compile_models(&out);

    // With its own target directory: the outer cargo holds the lock of the usual one.
    let target = out.join("runtime");
    let mut cargo = Command::new(variable("CARGO"));
    cargo.args(["build", "--release", "--lib", "--locked", "--manifest-path"]).arg(crates.join("rt/Cargo.toml"));
    cargo.arg("--target-dir").arg(&target);
    // Flags for the outer build (coverage, sanitizers) are not for code that lives in other people's programs.
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"] {
        cargo.env_remove(name);
    }
    match cargo.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("building the runtime failed ({status})"),
        Err(error) => panic!("cargo does not run: {error}"),
    }
    println!("cargo:rustc-env=PROVOKE_RUNTIME={}", target.join("release/librt.a").display());
}

/// Models of library functions that are written in C, as bitcode, and a list of them.
fn compile_models(out: &Path) {
    let folder = Path::new("src/models");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    let clang = PathBuf::from(variable("LLVM_SYS_191_PREFIX")).join("bin/clang");
    let mut list = String::from("&[\n");
    for source in &sources {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let bitcode = out.join(format!("{name}.bc"));
        let mut command = Command::new(&clang);
        // Without debug information: what happens in a model happens where it was called. Nothing is known about what
        // library functions do, or the compiler would make calls of them out of their own models. What they call may throw.
        command.args(["-std=gnu17", "-O1", "-Xclang", "-disable-llvm-passes", "-g0", "-fno-builtin", "-fPIC"]);
        command.arg("-fexceptions");
        command.args(["-Wall", "-Wextra", "-Werror", "-c", "-emit-llvm", "-o"]).arg(&bitcode).arg(source);
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => panic!("{} does not compile ({status})", source.display()),
            Err(error) => panic!("{}: {error}", clang.display()),
        }
        let text = std::fs::read_to_string(source).unwrap_or_default();
        let about = text.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default();
        let how = match text.lines().nth(1).and_then(|line| line.strip_prefix("// Modelled: ")) {
            None => "Precise",
            Some("summary") => "Summary",
            Some(other) => panic!("{}: {other} is no way to model functions", source.display()),
        };
        let functions = functions_of(&bitcode);
        list.push_str(&format!(
            "    Model {{ file: {name:?}, about: {about:?}, how: How::{how}, functions: &{functions:?}, \
             bitcode: include_bytes!({:?}) }},\n",
            bitcode.display().to_string()
        ));
    }
    list.push_str("]\n");
    let file = out.join("models.rs");
    std::fs::write(&file, list).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// The library functions that a module has models of.
fn functions_of(bitcode: &Path) -> Vec<String> {
    let command = PathBuf::from(variable("LLVM_SYS_191_PREFIX")).join("bin/llvm-nm");
    let output =
        Command::new(&command).args(["--defined-only", "--extern-only", "--format=just-symbols"]).arg(bitcode).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", command.display()));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(|line| line.strip_prefix("__provoke_x_")).map(str::to_owned).collect()
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

fn fingerprint(path: &Path, hasher: &mut DefaultHasher) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            fingerprint(&path, hasher);
        }
    } else if let Ok(contents) = std::fs::read(path) {
        hasher.write(&contents);
    }
}
