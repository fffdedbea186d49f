//! What sensors and activities did, as a list of events.

/// A crossing of a sensor, or something that it or `active` switched.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct SwitchEvent {
    /// Time \[s\].
    pub time: f64,
    /// What happened.
    pub kind: SwitchKind,
    /// The sensor, or the element, parameter or input that was switched, with its section: `joint "clutch"`.
    pub element: String,
    /// Of a sensor, what it prints; of a parameter or input, the new value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<NamedValue>,
    /// Of a joint or motion that locked, the size of its impulse \[N s\].
    #[serde(skip_serializing_if = "is_zero")]
    pub impulse: f64,
    /// Of such a one, the size of its angular impulse about the origin of marker I \[N m s\].
    #[serde(skip_serializing_if = "is_zero")]
    pub angular_impulse: f64,
    /// Change of kinetic and potential energy by all that was switched at once, told with the first \[J\].
    #[serde(skip_serializing_if = "is_zero")]
    pub energy: f64,
}

/// A number with a name.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct NamedValue {
    /// Name, or the text of an expression.
    pub name: String,
    /// Value.
    pub value: f64,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SwitchKind {
    /// A sensor's expression rose through its value.
    Rose,
    /// It fell through its value.
    Fell,
    /// A joint or motion began to hold.
    Locked,
    /// A joint or motion let go.
    Released,
    /// A force began to act.
    Activated,
    /// A force ceased.
    Deactivated,
    /// A parameter or input took another value.
    Set,
    /// A sensor ended the run.
    Stopped,
}

impl SwitchKind {
    /// As results call it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rose => "rose",
            Self::Fell => "fell",
            Self::Locked => "locked",
            Self::Released => "released",
            Self::Activated => "activated",
            Self::Deactivated => "deactivated",
            Self::Set => "set",
            Self::Stopped => "stopped",
        }
    }
}

impl SwitchEvent {
    pub(super) fn new(time: f64, kind: SwitchKind, element: String) -> Self {
        Self { time, kind, element, values: Vec::new(), impulse: 0.0, angular_impulse: 0.0, energy: 0.0 }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
