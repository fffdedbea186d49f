//! Versions.

use std::ffi::c_char;

/// Version of the binary interface that the header describes: a library of the same number serves every program compiled against it.
pub const FOURBAR_ABI_VERSION: u32 = 1;

/// Version of the binary interface that the library has; compare it to `FOURBAR_ABI_VERSION` of the header.
#[unsafe(no_mangle)]
pub extern "C" fn fourbar_abi_version() -> u32 {
    FOURBAR_ABI_VERSION
}

/// Version of the library, such as "0.1.0". Never NULL, never freed.
#[unsafe(no_mangle)]
pub extern "C" fn fourbar_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
