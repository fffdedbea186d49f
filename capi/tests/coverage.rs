//! Every function of the header is called by a test in C, and every constant of its enums stands in one or in the face in C++.

use crate::compile;

use compile::{root, sources};

fn read(paths: impl IntoIterator<Item = String>) -> String {
    paths.into_iter().map(|path| std::fs::read_to_string(root().join(path)).unwrap()).collect()
}

/// The names of functions: what stands before a parenthesis and is no type of a function.
fn functions(header: &str) -> Vec<&str> {
    let mut names: Vec<&str> = header
        .split('(')
        .filter_map(|before| before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next())
        .filter(|name| name.starts_with("fourbar_"))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// `header` without its comments.
fn code(header: &str) -> String {
    let mut rest = header;
    let mut code = String::new();
    while let Some(begin) = rest.find("/*") {
        code.push_str(&rest[..begin]);
        rest = rest[begin..].split_once("*/").map_or("", |(_, after)| after);
    }
    code + rest
}

#[test]
fn every_function_is_called_by_a_test_in_c() {
    let header = read(["include/fourbar.h".to_string()]);
    let tests = read(sources("capi/tests/c", ".c").into_iter().chain(sources("capi/tests/c", ".h")));
    let header = code(&header);
    let names = functions(&header);
    assert!(names.len() > 30, "the header was not understood: {names:?}");
    let missing: Vec<_> = names.iter().filter(|name| !tests.contains(&format!("{name}("))).collect();
    assert!(missing.is_empty(), "no test in C calls {missing:?}");
}

#[test]
fn every_function_has_its_place_in_the_face_in_cpp() {
    let header = read(["include/fourbar.h".to_string()]);
    let face = read(sources("include/fourbar", ".hpp"));
    let header = code(&header);
    // Free functions are named without a call.
    let missing: Vec<_> = functions(&header).into_iter().filter(|name| !face.contains(name)).collect();
    let left_out = ["fourbar_last_error_copy", "fourbar_stepper_error"];
    let missing: Vec<_> =
        missing.into_iter().filter(|name| !left_out.contains(name) && !name.ends_with("_error")).collect();
    assert!(missing.is_empty(), "fourbar.hpp leaves out {missing:?}");
}
