//! Programs in C and C++ as a host would build them: C99, C11 and C++17, with the sanitizers of addresses and of undefined behaviour where
//! the compiler has them.

use crate::compile;

use std::process::Command;

use compile::{C11_SANITIZED, C99, CPP17, CPP17_SANITIZED, Recipe};

/// A source of `tests/c` in both recipes.
fn in_c(source: &str) {
    for recipe in [C99, C11_SANITIZED] {
        compile::run(&format!("capi/tests/c/{source}"), &recipe);
    }
}

/// A source of `tests/cpp` in both recipes.
fn in_cpp(source: &str) {
    for recipe in [CPP17, CPP17_SANITIZED] {
        compile::run(&format!("capi/tests/cpp/{source}"), &recipe);
    }
}

#[test]
fn linear_systems_in_c() {
    in_c("lti.c");
}

#[test]
fn equations_of_the_host_in_c() {
    in_c("problem.c");
    in_c("problem_misuse.c");
    in_c("problem_failures.c");
}

#[test]
fn numbers_of_the_host_that_are_not_finite_in_c() {
    in_c("not_finite.c");
}

#[test]
fn contact_problems_in_c() {
    in_c("contact.c");
}

#[test]
fn coupled_simulators_in_c() {
    in_c("coupling.c");
}

/// The program gets the path of the library.
#[test]
fn a_partner_in_a_shared_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("partner.so");
    let compiled = Command::new("cc")
        .current_dir(compile::root())
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-shared", "-fPIC", "-Iinclude"])
        .arg("capi/tests/c/partner/library.c")
        .arg("-o")
        .arg(&library)
        .status();
    let Ok(status) = compiled else {
        println!("skipped: cc is not there");
        return;
    };
    assert!(status.success());
    for recipe in [C99, C11_SANITIZED] {
        compile::run_with("capi/tests/c/partner/program.c", &recipe, &[library.to_str().unwrap()]);
    }
}

#[test]
fn results_in_c() {
    in_c("results.c");
    in_c("runs_of_models.c");
}

/// Those that come with the library, where it is built with them.
#[test]
fn problems_with_known_solutions_in_c() {
    in_c("accuracy.c");
}

/// Programs are served that were compiled when a struct had a field less.
#[test]
fn a_program_of_an_earlier_header_runs() {
    for recipe in [C99, C11_SANITIZED] {
        let recipe = Recipe { include: "capi/tests/c/earlier", ..recipe };
        compile::run("capi/tests/c/earlier/program.c", &recipe);
    }
}

/// The library has a function that provokes them where it is built with debug assertions.
#[cfg(debug_assertions)]
#[test]
fn panics_in_c() {
    in_c("panic.c");
}

#[test]
fn linear_systems_in_cpp() {
    in_cpp("lti.cpp");
}

/// With `using namespace fourbar;` beside std and the functions of the system.
#[test]
fn names_in_cpp() {
    in_cpp("names.cpp");
}

#[test]
fn examples_in_c() {
    compile::run_with("examples/c/servo.c", &C99, &["fast"]);
    compile::run_with("examples/c/impacts.c", &C99, &["models/fourbar-impact.toml"]);
}

#[test]
fn examples_in_cpp() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("press.csv");
    compile::run_with("examples/cpp/press.cpp", &CPP17, &["models/press.toml", csv.to_str().unwrap()]);
    assert!(std::fs::read_to_string(csv).unwrap().lines().count() > 3_000);
}

#[test]
fn models_in_c() {
    in_c("model.c");
    in_c("pairs.c");
    in_c("couplers.c");
    in_c("sensors.c");
}

#[test]
fn blocks_in_c() {
    in_c("blocks.c");
}

#[test]
fn simulations_in_c() {
    for source in ["simulation.c", "simulation_callbacks.c", "simulation_analyses.c"] {
        in_c(source);
    }
}

#[test]
fn circuits_and_linear_systems_in_c() {
    in_c("simulator.c");
}

#[test]
fn the_floating_point_environment_of_the_host_in_c() {
    in_c("environment.c");
}

/// Also without a race: what is raised is read by another thread.
#[test]
fn interrupts_in_c() {
    in_c("interrupt.c");
    compile::run("capi/tests/c/interrupt.c", &Recipe { more: &["-fsanitize=thread"], ..C11_SANITIZED });
}

/// One process writes the bytes of checkpoints, another goes on from them.
#[test]
fn saved_points_between_processes() {
    let folder = tempfile::tempdir().unwrap();
    for (recipe, file) in [(C99, "plain"), (C11_SANITIZED, "sanitized")] {
        let path = folder.path().join(file);
        for what in ["write", "read"] {
            compile::run_with("capi/tests/c/points.c", &recipe, &[what, path.to_str().unwrap()]);
        }
    }
}

/// Two threads on one mechanism, without a race.
#[test]
fn simulations_on_threads_in_c() {
    in_c("simulation_threads.c");
    compile::run("capi/tests/c/simulation_threads.c", &Recipe { more: &["-fsanitize=thread"], ..C11_SANITIZED });
}

/// Two threads on one handle, of every kind.
#[test]
fn handles_on_threads_in_c() {
    in_c("handle_threads.c");
}

/// What the equations of a mechanism are, and who integrates them.
#[test]
fn equations_of_mechanisms_in_c() {
    in_c("equations.c");
}

#[test]
fn equations_of_mechanisms_in_cpp() {
    in_cpp("equations.cpp");
}

#[test]
fn circuits_linear_systems_and_interrupts_in_cpp() {
    in_cpp("simulator.cpp");
}

#[test]
fn mechanisms_in_cpp() {
    in_cpp("mechanism.cpp");
    in_cpp("model.cpp");
}

#[test]
fn equations_of_the_host_in_cpp() {
    in_cpp("problem.cpp");
}

#[test]
fn contact_problems_in_cpp() {
    in_cpp("contact.cpp");
}

#[test]
fn coupled_simulators_in_cpp() {
    in_cpp("coupling.cpp");
}

/// A program finds the library by the name of its file, by whatever path it was linked.
#[cfg(target_os = "linux")]
#[test]
fn the_library_is_called_as_its_file() {
    let library = compile::library_folder().join("libfourbar_capi.so");
    let Ok(read) = Command::new("readelf").arg("-d").arg(&library).output() else {
        println!("skipped: readelf is not there");
        return;
    };
    let text = String::from_utf8_lossy(&read.stdout);
    assert!(text.lines().any(|line| line.contains("SONAME") && line.contains("[libfourbar_capi.so]")), "{text}");
}
