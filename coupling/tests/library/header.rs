//! `include/fourbar_partner.h` by itself: clean under every warning in C99, C11 and C++17.

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn the_header_is_clean_in_c_and_cpp() {
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../include");
    let strict = [
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-Wshadow",
        "-Wundef",
        "-Werror",
        "-fsyntax-only",
        "-I",
        include,
    ];
    for (compiler, standard, language) in
        [("cc", "-std=c99", "c"), ("cc", "-std=c11", "c"), ("c++", "-std=c++17", "c++")]
    {
        let mut command = Command::new(compiler);
        command.args(strict).args([standard, "-x", language, "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
        let Ok(mut child) = command.spawn() else {
            println!("skipped: the compiler {compiler} cannot be run");
            continue;
        };
        // Twice, for the guard.
        let source = b"#include \"fourbar_partner.h\"\n#include \"fourbar_partner.h\"\n";
        child.stdin.take().unwrap().write_all(source).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{standard}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
