//! The name of the shared library inside: that of its file, which programs linked to it then look for, by whatever path it was linked.
//!
//! An installation (CMake, cargo-c: both build with the feature `capi`) gives file and library a name with the version instead. With the feature
//! `python`, what cffi declares is written too.

use std::env;

#[path = "build/cffi.rs"]
mod cffi;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_PYTHON").is_some() {
        cffi::write();
    }
    if env::var_os("CARGO_FEATURE_CAPI").is_some() {
        return;
    }
    match env::var("CARGO_CFG_TARGET_VENDOR").as_deref() {
        Ok("apple") => {
            println!("cargo::rustc-link-arg-cdylib=-Wl,-install_name,@rpath/libfourbar_capi.dylib");
        }
        _ if env::var_os("CARGO_CFG_UNIX").is_some() => {
            println!("cargo::rustc-link-arg-cdylib=-Wl,-soname,libfourbar_capi.so");
        }
        _ => {}
    }
}
