//! Programs in C against the header and the library, as a host would build them: C99 and C11, with the address sanitizer where the
//! compiler has it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The shared library that cargo built beside this test.
fn library_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap().to_path_buf();
    // The test lies in deps, the library in deps too and, for a build of its own, one floor up.
    let has =
        |folder: &Path| folder.join("libfourbar_capi.so").exists() || folder.join("libfourbar_capi.dylib").exists();
    if has(&folder) { folder } else { folder.parent().unwrap().to_path_buf() }
}

/// Compiles `source` with all warnings as errors against the header in `include` (as seen from this crate), links it and runs it.
fn build_and_run_with(include: &str, source: &str, compiler: &str, standard: &str, more: &[&str]) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let library = library_folder();
    let output = Command::new(compiler)
        .args([&format!("-std={standard}"), "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1"])
        .args(more)
        .arg("-I")
        .arg(root.join(include))
        .arg("-I")
        .arg(root.join("tests/c"))
        .arg("-I")
        .arg(root.join("tests/cpp"))
        .arg(root.join("tests/c").join(source))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&library)
        .arg("-lfourbar_capi")
        .arg("-lm")
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .output();
    let Ok(output) = output else {
        println!("skipped: {compiler} is not there");
        return;
    };
    assert!(output.status.success(), "{compiler} {standard} {source}: {}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{standard} {source}: {}", String::from_utf8_lossy(&output.stderr));
}

fn build_and_run(source: &str, compiler: &str, standard: &str, more: &[&str]) {
    build_and_run_with("../include", source, compiler, standard, more);
}

#[test]
fn linear_systems_in_c() {
    build_and_run("lti.c", "cc", "c99", &[]);
    build_and_run("lti.c", "cc", "c11", &["-fsanitize=address,undefined"]);
}

/// Programs are served that were compiled when a struct had a field less.
#[test]
fn a_program_of_an_earlier_header_runs() {
    build_and_run_with("tests/c/earlier", "earlier.c", "cc", "c99", &[]);
    build_and_run_with("tests/c/earlier", "earlier.c", "cc", "c11", &["-fsanitize=address,undefined"]);
}

#[test]
fn linear_systems_in_cpp() {
    build_and_run("../cpp/lti.cpp", "c++", "c++17", &[]);
    build_and_run("../cpp/lti.cpp", "c++", "c++17", &["-fsanitize=address,undefined"]);
}
