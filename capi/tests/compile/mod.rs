//! Programs in C and C++ compiled against the header and linked to the library, as a host would build them.
// Each test file uses its part.
#![allow(dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The checkout.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The shared library that cargo built beside this test.
pub fn library_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap().to_path_buf();
    // The test lies in deps, the library in deps too and, for a build of its own, one floor up.
    let has =
        |folder: &Path| folder.join("libfourbar_capi.so").exists() || folder.join("libfourbar_capi.dylib").exists();
    if has(&folder) { folder } else { folder.parent().unwrap().to_path_buf() }
}

/// What a source is compiled with.
pub struct Recipe {
    pub compiler: &'static str,
    pub standard: &'static str,
    pub more: &'static [&'static str],
    /// The folder of the header, from the checkout.
    pub include: &'static str,
    /// Libraries besides that of fourbar.
    pub libraries: &'static [&'static str],
    /// Sources compiled and linked beside the program, from the checkout.
    pub beside: &'static [&'static str],
}

pub const C99: Recipe =
    Recipe { compiler: "cc", standard: "c99", more: &[], include: "include", libraries: &[], beside: &[] };
/// C11 under the sanitizers of addresses and of undefined behaviour.
pub const C11_SANITIZED: Recipe = Recipe {
    compiler: "cc",
    standard: "c11",
    more: &["-fsanitize=address,undefined"],
    include: "include",
    libraries: &[],
    beside: &[],
};
pub const CPP17: Recipe =
    Recipe { compiler: "c++", standard: "c++17", more: &[], include: "include", libraries: &[], beside: &[] };
pub const CPP17_SANITIZED: Recipe = Recipe {
    compiler: "c++",
    standard: "c++17",
    more: &["-fsanitize=address,undefined"],
    include: "include",
    libraries: &[],
    beside: &[],
};

/// A program and the folder it lies in, which goes with it.
pub struct Program {
    path: PathBuf,
    _folder: TempDir,
}

impl Program {
    pub fn command(&self) -> Command {
        Command::new(&self.path)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Compiles `source` (from the checkout) with all warnings as errors. None, with the reason printed, where the compiler or its sanitizer
/// is missing.
pub fn compile(source: &str, recipe: &Recipe) -> Option<Program> {
    let folder = tempfile::tempdir().unwrap();
    if !works(recipe, folder.path()) {
        println!("skipped: {} {} is not there for {source}", recipe.compiler, recipe.more.join(" "));
        return None;
    }
    let path = folder.path().join("program");
    let library = library_folder();
    let mut command = compiler(recipe);
    for include in [recipe.include, "capi/tests/c", "capi/tests/cpp", "examples/c"] {
        command.arg("-I").arg(root().join(include));
    }
    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-g", "-O1"]);
    command.arg(root().join(source)).args(beside(recipe));
    command.arg("-o").arg(&path);
    command.args(recipe.libraries).arg("-L").arg(&library).args(["-lfourbar_capi", "-lm", "-lpthread"]);
    command.arg(format!("-Wl,-rpath,{}", library.display()));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {} {source}: {text}", recipe.compiler, recipe.standard);
    Some(Program { path, _folder: folder })
}

/// Whether the compiler of C finds a header of the system.
pub fn finds(header: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("header.c");
    std::fs::write(&source, format!("#include <{header}>\n")).unwrap();
    Command::new("cc").arg("-fsyntax-only").arg(source).output().is_ok_and(|output| output.status.success())
}

/// Compiles and runs a program of tests. What it writes to the standard error stream tells why it failed; else there is nothing: the
/// library does not print.
pub fn run(source: &str, recipe: &Recipe) {
    if let Some(program) = compile(source, recipe) {
        let printed = expect_success(&mut program.command(), source);
        assert!(printed.is_empty(), "{source} printed {printed}");
    }
}

/// The same with arguments.
pub fn run_with(source: &str, recipe: &Recipe, arguments: &[&str]) {
    if let Some(program) = compile(source, recipe) {
        expect_success(program.command().args(arguments), source);
    }
}

/// Returns what was written to the standard error stream.
pub fn expect_success(command: &mut Command, what: &str) -> String {
    // cargo names a folder there in which an older library may lie.
    let output = command.current_dir(root()).env_remove("LD_LIBRARY_PATH").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{what}: {}\n{out}{err}", output.status);
    err.into_owned()
}

/// The names in a folder of the checkout that end in `extension`, sorted.
pub fn sources(folder: &str, extension: &str) -> Vec<String> {
    let mut all: Vec<String> = std::fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(extension))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    all.sort();
    all
}

fn compiler(recipe: &Recipe) -> Command {
    let mut command = Command::new(recipe.compiler);
    command.arg(format!("-std={}", recipe.standard)).args(recipe.more);
    command
}

fn beside(recipe: &Recipe) -> Vec<PathBuf> {
    recipe.beside.iter().map(|source| root().join(source)).collect()
}

/// Whether an empty program compiles and links.
fn works(recipe: &Recipe, folder: &Path) -> bool {
    let cpp = recipe.compiler.contains("++");
    let source = folder.join(if cpp { "empty.cpp" } else { "empty.c" });
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let mut command = compiler(recipe);
    command.arg(&source).args(beside(recipe)).arg("-o").arg(folder.join("empty")).args(["-lm", "-lpthread"]);
    let output = command.output();
    output.is_ok_and(|output| output.status.success())
}
