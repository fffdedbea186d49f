//! IDA of SUNDIALS integrates the equations of mechanisms. Needs its library and headers (Debian: libsundials-dev), which `.ci/run` installs;
//! `FOURBAR_SUNDIALS=required` makes their absence a failure.

use crate::compile;

use compile::{Recipe, expect_success};

const IDA: Recipe = Recipe {
    compiler: "cc",
    standard: "c11",
    more: &[],
    include: "include",
    libraries: &["-lsundials_ida", "-lsundials_nvecserial", "-lsundials_sunlinsoldense", "-lsundials_sunmatrixdense"],
    beside: &[],
};

#[test]
fn ida_integrates_four_bars_and_andrews_mechanism() {
    if !compile::finds("ida/ida.h") {
        assert!(std::env::var_os("FOURBAR_SUNDIALS").is_none(), "SUNDIALS is required and not there");
        println!("skipped: SUNDIALS is not there (Debian: libsundials-dev)");
        return;
    }
    let Some(program) = compile::compile("capi/tests/c/ida/program.c", &IDA) else {
        assert!(std::env::var_os("FOURBAR_SUNDIALS").is_none(), "SUNDIALS is required, and nothing links to it");
        return;
    };
    expect_success(&mut program.command(), "IDA");
}
