//! Nothing is printed into the host's streams: a panic inside the library leaves its words with the call that it ends.

use std::cell::{Cell, RefCell};
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::Once;

use fourbar::coupling::is_partner_thread;

use super::environment::Environment;
use crate::log;

/// Characters kept of what a panic says; with the place they fit into the text of an error.
const LONGEST: usize = 500;

thread_local! {
    /// Whether a function of this library is at work on this thread.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// What the last panic inside said, until the call that it ended takes it.
    static WORDS: RefCell<Option<String>> = const { RefCell::new(None) };
}

static INSTALLED: Once = Once::new();

/// A function of the library at work, in the floating-point environment of the library; nested ones count as one.
pub(super) struct Inside {
    outer: bool,
    _environment: Environment,
}

impl Inside {
    #[inline]
    pub(super) fn enter() -> Self {
        if !INSTALLED.is_completed() {
            install();
        }
        // First: what is between entry and exit of a short call is then known to the compiler, which leaves out what nobody sees.
        let environment = Environment::enter();
        Self { outer: INSIDE.replace(true), _environment: environment }
    }
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        INSIDE.set(self.outer);
    }
}

/// What the panic that ended the present call said, and where.
pub(super) fn words() -> Option<String> {
    WORDS.try_with(RefCell::take).unwrap_or_default()
}

/// Puts the hook before the one that is there, at the first use.
#[cold]
fn install() {
    // A hook cannot be set by a thread that is unwinding: the next call does it.
    if std::thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |panic| {
            if is_partner_thread() {
                // It ends the partner, not a call: the run learns of it there.
                let what = words_of(panic);
                log::warn(|| format!("an error inside fourbar, on the thread of a partner: {what}"));
            } else if !(INSIDE.get() && keep(panic)) {
                previous(panic);
            }
        }));
    });
}

/// Keeps the words of a panic; false where there are some already: a second panic before the first was caught ends the process, and that
/// is to be heard.
fn keep(panic: &PanicHookInfo<'_>) -> bool {
    let kept = WORDS.try_with(|words| {
        let mut words = words.try_borrow_mut().ok()?;
        if words.is_some() {
            return None;
        }
        *words = Some(words_of(panic));
        Some(())
    });
    matches!(kept, Ok(Some(())))
}

/// What it says, and where.
fn words_of(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words");
    let text: String = text.chars().take(LONGEST).collect();
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    format!("{text} ({place})")
}
