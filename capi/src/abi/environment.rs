//! The floating-point environment of the host and that of the library.
//!
//! Compiled Rust takes for granted that operations round to nearest, keep subnormal numbers and trap nothing: dividing before it is asked
//! whether to divide is as good as after. A host may trap invalid operations and divisions by zero, round otherwise, or flush subnormal numbers. So a
//! call begins in the environment that the library was compiled for and ends in that of the host, and so do calls of the host's functions within. A
//! host that changed nothing pays for looking: one instruction that stores the control word, and a comparison.

use std::cell::Cell;

/// Control words of the processor.
type Word = machine::Word;

thread_local! {
    /// The environment of the host whose call this thread is in, where it is another one than ours.
    static HOST: Cell<Option<Word>> = const { Cell::new(None) };
}

/// Ours, until it is dropped: then that of before is back.
pub(super) struct Environment {
    /// Whether that of the host is another one, and kept.
    exchanged: bool,
}

impl Environment {
    #[inline]
    pub(super) fn enter() -> Self {
        Self { exchanged: !machine::is_ours() && exchange() }
    }
}

impl Drop for Environment {
    #[inline]
    fn drop(&mut self) {
        if self.exchanged {
            leave();
        }
    }
}

/// False on a thread that is ending, which has no place to keep that of the host.
#[cold]
#[inline(never)]
fn exchange() -> bool {
    let kept = HOST.try_with(|kept| kept.set(Some(machine::present()))).is_ok();
    if kept {
        machine::set(&machine::OURS);
    }
    kept
}

#[cold]
#[inline(never)]
fn leave() {
    if let Some(host) = HOST.try_with(Cell::take).unwrap_or_default() {
        machine::set(&host);
    }
}

/// Runs a function of the host in the environment of the host. It may call the library, which is its own environment again.
#[inline]
pub(crate) fn of_host<T>(call: impl FnOnce() -> T) -> T {
    match HOST.try_with(Cell::get).unwrap_or_default() {
        None => call(),
        Some(host) => away(host, call),
    }
}

#[cold]
fn away<T>(host: Word, call: impl FnOnce() -> T) -> T {
    struct Back(Word);
    impl Drop for Back {
        fn drop(&mut self) {
            machine::set(&machine::OURS);
            let _ = HOST.try_with(|kept| kept.set(Some(self.0)));
        }
    }
    let _back = Back(host);
    let _ = HOST.try_with(|kept| kept.set(None));
    machine::set(&host);
    call()
}

/// MXCSR, and the control word of the old unit, which functions of libm use.
#[cfg(target_arch = "x86_64")]
mod machine {
    use std::arch::asm;

    #[derive(Clone, Copy)]
    pub(super) struct Word {
        pub(super) vector: u32,
        pub(super) old: u16,
    }

    /// As a process begins (System V ABI, Windows x64): all exceptions masked, to nearest, subnormal numbers kept; the old unit with 64 bits.
    pub(super) const OURS: Word = Word { vector: 0x1f80, old: 0x037f };
    /// Flags of exceptions that have been, which are not the environment.
    const FLAGS: u32 = 0x3f;

    #[inline]
    fn vector() -> u32 {
        let mut word = 0_u32;
        // SAFETY: stores a control word.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
        word
    }

    pub(super) fn present() -> Word {
        let mut word = Word { vector: vector(), old: 0 };
        // SAFETY: stores a control word.
        unsafe { asm!("fnstcw [{}]", in(reg) &raw mut word.old, options(nostack, preserves_flags)) };
        word
    }

    /// A host that changes the old unit changes this one too.
    #[inline]
    pub(super) fn is_ours() -> bool {
        vector() & !FLAGS == OURS.vector
    }

    pub(super) fn set(word: &Word) {
        // SAFETY: loads control words: ours, or those that were there before. `fnclex` forgets exceptions of the old unit, which unmasked would
        // trap at once.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const word.vector, options(nostack, preserves_flags));
            asm!("fnclex", "fldcw [{}]", in(reg) &raw const word.old, options(nostack, preserves_flags));
        }
    }
}

/// FPCR.
#[cfg(target_arch = "aarch64")]
mod machine {
    use std::arch::asm;

    pub(super) type Word = u64;

    /// As a process begins: nothing trapped, to nearest, subnormal numbers kept.
    pub(super) const OURS: Word = 0;

    #[inline]
    pub(super) fn present() -> Word {
        let word: u64;
        // SAFETY: reads a control word.
        unsafe { asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }

    #[inline]
    pub(super) fn is_ours() -> bool {
        present() == OURS
    }

    pub(super) fn set(word: &Word) {
        // SAFETY: writes a control word: ours, or that which was there before.
        unsafe { asm!("msr fpcr, {}", in(reg) *word, options(nostack, preserves_flags)) };
    }
}

/// Elsewhere it is the host's affair to leave the environment as it is.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    pub(super) type Word = ();

    pub(super) const OURS: Word = ();

    pub(super) fn present() -> Word {}

    #[inline]
    pub(super) fn is_ours() -> bool {
        true
    }

    pub(super) fn set(_: &Word) {}
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn a_call_has_the_environment_of_the_library_and_functions_of_the_host_theirs() {
        let vector = || machine::present().vector & !0x3f;
        let ours = machine::present();
        // Towards zero, subnormal numbers flushed: what a host may have, without a trap that would end this test.
        let host = Word { vector: ours.vector | 0x6000 | 0x8040, old: ours.old };
        machine::set(&host);
        {
            let _library = Environment::enter();
            assert_eq!(vector(), machine::OURS.vector);
            assert!(black_box(f64::MIN_POSITIVE) / 2.0 > 0.0);
            of_host(|| {
                assert_eq!(vector(), host.vector & !0x3f);
                let _again = Environment::enter();
                assert_eq!(vector(), machine::OURS.vector);
                of_host(|| assert_eq!(vector(), host.vector & !0x3f));
            });
            assert_eq!(vector(), machine::OURS.vector);
        }
        let after = vector();
        machine::set(&ours);
        assert_eq!(after, host.vector & !0x3f);
    }
}
