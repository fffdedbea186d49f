//! Every test program under Valgrind: no error and no leak; programs with threads under helgrind: no race. `FOURBAR_VALGRIND=required`
//! makes its absence a failure.

use crate::compile;

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use compile::{C99, CPP17, compile, expect_success, sources};

fn is_there() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(std::env::var_os("FOURBAR_VALGRIND").is_none(), "valgrind is required and not there");
        println!("skipped: valgrind is not there");
    }
    found
}

/// All of them, as many at once as there are processors: one after the other they take minutes, on one processor.
fn all_under_valgrind(sources: &[String], options: &[&str]) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            under_valgrind(source, options);
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    // A panic in one of them is a panic of the test.
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
}

fn under_valgrind(source: &str, options: &[&str]) {
    let recipe = if source.ends_with(".cpp") { CPP17 } else { C99 };
    let Some(program) = compile(source, &recipe) else { return };
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=9"]).args(options).arg(program.path());
    expect_success(&mut command, source);
}

fn programs() -> Vec<String> {
    [sources("capi/tests/c", ".c"), sources("capi/tests/cpp", ".cpp")].concat()
}

#[test]
fn no_errors_and_no_leaks() {
    if is_there() {
        // Not those "possibly" lost: threads of the standard library keep pointers into the middle of what they own.
        let kinds = ["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"];
        all_under_valgrind(&programs(), &["--leak-check=full", kinds[0], kinds[1]]);
    }
}

#[test]
fn no_races() {
    if is_there() {
        let mut threaded = programs();
        threaded.retain(|source| source.contains("threads"));
        assert!(!threaded.is_empty(), "no program with threads was found");
        all_under_valgrind(&threaded, &["--tool=helgrind"]);
    }
}
