//! Every test program under Valgrind: no error and no leak; programs with threads under helgrind: no race. `FOURBAR_VALGRIND=required`
//! makes its absence a failure.

mod compile;

use std::process::Command;

use compile::{C99, CPP17, compile, expect_success, sources};

fn is_there() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(std::env::var_os("FOURBAR_VALGRIND").is_none(), "valgrind is required and not there");
        println!("skipped: valgrind is not there");
    }
    found
}

fn under_valgrind(source: &str, options: &[&str]) {
    let recipe = if source.ends_with(".cpp") { CPP17 } else { C99 };
    let Some(program) = compile(source, &recipe) else { return };
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=9"]).args(options).arg(program.path());
    expect_success(&mut command, source);
}

#[test]
fn no_errors_and_no_leaks() {
    if is_there() {
        for source in sources("capi/tests/c", ".c").iter().chain(&sources("capi/tests/cpp", ".cpp")) {
            under_valgrind(source, &["--leak-check=full", "--show-leak-kinds=definite,indirect,possible"]);
        }
    }
}

#[test]
fn no_races() {
    if is_there() {
        let threads = |source: &&String| source.contains("threads");
        for source in sources("capi/tests/c", ".c").iter().chain(&sources("capi/tests/cpp", ".cpp")).filter(threads) {
            under_valgrind(source, &["--tool=helgrind"]);
        }
    }
}
