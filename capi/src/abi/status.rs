//! Status codes. Their numbers never change and are never used again.

/// What became of a call. `fourbar_last_error` has the text.
#[allow(non_camel_case_types, clippy::upper_case_acronyms)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_status {
    /// Done.
    FOURBAR_OK = 0,
    /// A pointer is NULL that must not be.
    FOURBAR_NULL = 1,
    /// A value is out of its range.
    FOURBAR_INVALID = 2,
    /// `struct_size` of an options struct is none that this library knows.
    FOURBAR_STRUCT_SIZE = 3,
    /// An array has the wrong length, or a matrix the wrong shape.
    FOURBAR_LENGTH = 4,
    /// The call does not fit the state of the object: the text says what has to come first.
    FOURBAR_STATE = 5,
    /// A number that the caller gave is NaN or infinite.
    FOURBAR_NOT_FINITE = 6,
    /// The handle is in use: by another thread, or by the call from which this callback came.
    FOURBAR_BUSY = 7,
    /// A text is not UTF-8.
    FOURBAR_TEXT = 8,
    /// A name that the object does not have.
    FOURBAR_NO_SUCH_NAME = 9,
    /// A number left the range of double.
    FOURBAR_OVERFLOW = 10,
    /// The problem is singular, or an iteration did not converge.
    FOURBAR_NUMERICAL = 11,
    /// What is asked for does not exist for an object of this kind.
    FOURBAR_UNSUPPORTED = 12,
    /// A function of the host said that it failed, or gave a number that is not finite where no shorter step avoids it.
    FOURBAR_CALLBACK = 13,
    /// A file or a library cannot be opened, read or written.
    FOURBAR_FILE = 14,
    /// The call was interrupted (`fourbar_interrupt_raise`).
    FOURBAR_INTERRUPTED = 15,
    /// An error inside fourbar; the handle can only be freed. Please report it.
    FOURBAR_PANIC = 100,
    /// An earlier call on this handle ended with `FOURBAR_PANIC`.
    FOURBAR_POISONED = 101,
}
