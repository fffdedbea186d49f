//! Every test program under Valgrind: no error and no leak; programs with threads under helgrind: no race. `FOURBAR_VALGRIND=required`
//! makes its absence a failure.

use crate::compile;

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
            // Not those "possibly" lost: threads of the standard library keep pointers into the middle of what they own.
            let kinds = ["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"];
            under_valgrind(source, &["--leak-check=full", kinds[0], kinds[1]]);
        }
    }
}

#[test]
fn no_races() {
    if is_there() {
        let threads = |source: &&String| source.contains("threads");
        let mut run = 0;
        for source in sources("capi/tests/c", ".c").iter().chain(&sources("capi/tests/cpp", ".cpp")).filter(threads) {
            under_valgrind(source, &["--tool=helgrind"]);
            run += 1;
        }
        assert!(run > 0, "no program with threads was found");
    }
}
