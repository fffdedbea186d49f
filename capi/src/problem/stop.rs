//! Why an integration came back.

/// Why a function that integrates came back.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_stop {
    /// A step was accepted.
    FOURBAR_STOP_STEP = 1,
    /// A step was accepted that ends exactly at a stop time.
    FOURBAR_STOP_TIME = 2,
    /// The end time is reached, exactly.
    FOURBAR_STOP_END = 3,
    /// Root functions changed their signs at the present time: `fourbar_integration_events`. What its event function asked for is done.
    FOURBAR_STOP_EVENT = 4,
    /// The event function asked for `FOURBAR_EVENT_STOP`.
    FOURBAR_STOP_HOST = 5,
}
