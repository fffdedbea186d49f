//! Tells helgrind, which finds races in programs of tests, that a handle passes from one call to the next: it does not know what atomic numbers
//! order. Only in builds with debug assertions; elsewhere, and outside Valgrind, nothing happens.

/// What Valgrind understands (its helgrind.h): requests of the tool "HG".
#[cfg(all(debug_assertions, target_os = "linux", target_arch = "x86_64"))]
mod requests {
    const TOOL: u64 = (b'H' as u64) << 24 | (b'G' as u64) << 16;
    pub(super) const SEND: u64 = TOOL + 289;
    pub(super) const RECEIVE: u64 = TOOL + 290;
    pub(super) const UNTRACKED: u64 = TOOL + 295;

    /// The sequence of instructions that Valgrind looks for (its valgrind.h); without it, rdi is turned once around and nothing changes.
    pub(super) fn ask(request: u64, address: u64, length: u64) {
        let arguments = [request, address, length, 0, 0, 0];
        // SAFETY: changes rdx and flags alone; reads the arguments, if anything does.
        unsafe {
            std::arch::asm!(
                "rol rdi, 3",
                "rol rdi, 13",
                "rol rdi, 61",
                "rol rdi, 51",
                "xchg rbx, rbx",
                in("rax") arguments.as_ptr(),
                inout("rdx") 0_u64 => _,
            );
        }
    }
}

/// A call that was let in to the object at this address: what calls before did happened before.
#[inline]
pub(super) fn entered<T>(_object: *const T) {
    #[cfg(all(debug_assertions, target_os = "linux", target_arch = "x86_64"))]
    requests::ask(requests::RECEIVE, _object as u64, 0);
}

/// Its end, before the next one is let in.
#[inline]
pub(super) fn leaves<T>(_object: *const T) {
    #[cfg(all(debug_assertions, target_os = "linux", target_arch = "x86_64"))]
    requests::ask(requests::SEND, _object as u64, 0);
}

/// The number that lets calls in is used by several threads at once, and may be.
#[inline]
pub(super) fn shared<T>(_object: *const T) {
    #[cfg(all(debug_assertions, target_os = "linux", target_arch = "x86_64"))]
    requests::ask(requests::UNTRACKED, _object as u64, size_of::<T>() as u64);
}
