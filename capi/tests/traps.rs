//! Every program of tests in C as a host runs it that traps invalid operations and divisions by zero, on a thread with a stack of 256 kB.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use crate::compile;

use compile::{C99, Recipe, expect_success, sources};

const TRAPPED: Recipe = Recipe { more: &["-Dmain=program_main"], beside: &["capi/tests/c/trapped/main.c"], ..C99 };

/// With what a program is started.
fn arguments(source: &str, folder: &std::path::Path) -> Vec<Vec<String>> {
    if source.ends_with("/points.c") {
        let file = folder.join("point").to_str().unwrap().to_owned();
        return ["write", "read"].map(|what| vec![what.to_owned(), file.clone()]).into();
    }
    vec![Vec::new()]
}

#[test]
fn no_program_meets_a_trap_or_the_end_of_its_stack() {
    let mut run = 0;
    for source in sources("capi/tests/c", ".c") {
        // Its function is in libraries with debug assertions alone.
        if source.ends_with("/panic.c") && !cfg!(debug_assertions) {
            continue;
        }
        let Some(program) = compile::compile(&source, &TRAPPED) else { return };
        let folder = tempfile::tempdir().unwrap();
        for arguments in arguments(&source, folder.path()) {
            expect_success(program.command().args(arguments), &source);
        }
        run += 1;
    }
    assert!(run > 10, "the programs were not found");
}
