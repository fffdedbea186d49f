//! A feature of a mechanism as a small model: its text, what is measured of it, and how contacts beside it are followed.

use std::fmt::Write as _;

/// How contacts of a model are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Following {
    /// It has none.
    Nothing,
    Event,
    /// In fixed steps, by this method.
    Steps(&'static str),
}

/// What a row of the table tries.
#[derive(Clone)]
pub(crate) struct Feature {
    pub(crate) name: String,
    /// The sections of the model without those of the feature. If the measure `result` is among them, the feature must change it.
    pub(crate) base: String,
    /// The sections of the feature.
    pub(crate) own: String,
    /// Motions that leave no degree of freedom.
    pub(crate) drive: Option<String>,
    /// The element whose reaction is measured, as a field of a measure.
    pub(crate) reaction: &'static str,
    /// The force named `push`, which is this times cos(5 t) \[N\].
    pub(crate) push: [f64; 3],
    /// Name and value \[N, N m\] of an input that a partner sets.
    pub(crate) input: Option<(&'static str, f64)>,
    pub(crate) following: Following,
    /// Whether the contact is that of a ball beside the feature, which does not touch it.
    pub(crate) is_beside: bool,
    /// The column that is compared; `result` of mechanisms.
    pub(crate) column: &'static str,
    /// Its unit.
    pub(crate) unit: &'static str,
    /// A whole model of another kind than a mechanism.
    pub(crate) whole: Option<String>,
    /// End of the run \[s\], a sixth of which is the step of outputs.
    pub(crate) end: f64,
}

impl Feature {
    pub(crate) fn new(name: &str, base: &str, own: &str) -> Self {
        Self {
            name: name.to_owned(),
            base: base.to_owned(),
            own: own.to_owned(),
            drive: None,
            reaction: "force = \"push\"",
            push: [0.0; 3],
            input: None,
            following: Following::Nothing,
            is_beside: false,
            column: "result",
            unit: "",
            whole: None,
            end: 0.06,
        }
    }

    /// A model of another kind.
    pub(crate) fn whole(name: &str, column: &'static str, unit: &'static str, end: f64, text: &str) -> Self {
        let head = format!("parameters = {{ spare = 1 }}\nsimulation = {{ end = {end}, {} }}\n", steps(text, end));
        Self { column, unit, end, whole: Some(text.replacen('\n', &format!("\n{head}"), 1)), ..Self::new(name, "", "") }
    }

    /// With the force `push` at a marker.
    pub(crate) fn pushed(mut self, marker: &str, push: [f64; 3]) -> Self {
        let value = push.map(|part| format!("\"{part}*cos(5*time)\"")).join(", ");
        let text = format!("[[force]]\nname = \"push\"\ntype = \"force\"\ni = {marker}\nvalue = [{value}]\n");
        self.base.push_str(&text);
        Self { push, ..self }
    }

    pub(crate) fn driven(self, drive: &str) -> Self {
        Self { drive: Some(drive.to_owned()), ..self }
    }

    pub(crate) fn reacting(self, reaction: &'static str) -> Self {
        Self { reaction, ..self }
    }

    pub(crate) fn set(self, input: &'static str, value: f64) -> Self {
        Self { input: Some((input, value)), ..self }
    }

    pub(crate) fn followed(self, name: &str, following: Following) -> Self {
        Self { name: format!("{}, {name}", self.name), following, ..self }
    }

    /// Beside a ball that falls on a floor.
    pub(crate) fn beside(&self, name: &str, following: Following) -> Self {
        let mut beside = self.clone().followed(name, following);
        beside.base.push_str(BALL_BESIDE);
        if let Some(drive) = &mut beside.drive {
            drive.push_str(BALL_HELD);
        }
        Self { is_beside: true, ..beside }
    }

    /// The same feature without the ball, in smooth motion.
    pub(crate) fn alone(&self) -> Self {
        let base = self.base.replace(BALL_BESIDE, "");
        Self { base, following: Following::Nothing, is_beside: false, ..self.clone() }
    }

    /// The same model without the feature, if that has the measure that is compared.
    pub(crate) fn without(&self) -> Option<Self> {
        let can = self.whole.is_none() && self.base.contains("name = \"result\"");
        let following = if self.is_beside { self.following } else { Following::Nothing };
        can.then(|| Self { own: String::new(), following, ..self.clone() })
    }

    pub(crate) fn is_mechanism(&self) -> bool {
        self.whole.is_none()
    }

    pub(crate) fn has_contacts(&self) -> bool {
        self.following != Following::Nothing
    }

    /// Whether its steps are those of an integrator, which locates what happens.
    pub(crate) fn takes_fixed_steps(&self) -> bool {
        matches!(self.following, Following::Steps(_))
    }

    /// Time between outputs \[s\].
    pub(crate) fn step(&self) -> f64 {
        self.end / 6.0
    }

    /// The text of the model, with further sections.
    pub(crate) fn text(&self, more: &str) -> String {
        if let Some(whole) = &self.whole {
            return format!("{whole}\n{more}");
        }
        let (end, step) = (self.end, self.step());
        let mut text = format!(
            "gravity = [0, 0, -9.81]\nparameters = {{ spare = 1 }}\n[simulation]\nend = {end}\noutput_step = {step}\n"
        );
        let _ = match self.following {
            Following::Nothing => writeln!(text, "tolerance = 1e-9"),
            Following::Event => writeln!(text, "tolerance = 1e-9\n[contacts]\nmethod = \"event\""),
            Following::Steps(method) => writeln!(text, "[contacts]\nmethod = \"{method}\"\nstep = 1e-3"),
        };
        format!("{text}{}{}{more}", self.base, self.own)
    }
}

/// The entries of `[simulation]` of a model of another kind.
fn steps(text: &str, end: f64) -> String {
    let step = end / 6.0;
    match text {
        coupled if coupled.contains("\"coupled\"") => format!("step = {step}"),
        circuit if circuit.contains("\"circuit\"") => format!("output_step = {step}, start = \"values\""),
        _ => format!("output_step = {step}"),
    }
}

const BALL_BESIDE: &str = r#"
[[body]]
name = "stone"
mass = 0.5
inertia = [2e-3, 2e-3, 2e-3]
position = [0, 5, 0.105]
[[joint]]
name = "chute"
type = "prismatic"
i = "stone"
j = { body = "ground", position = [0, 5, 0.105] }
[[contact]]
name = "floor"
type = "sphere_plane"
i = "stone"
radius = 0.1
j = "ground"
restitution = 0.5
"#;

const BALL_HELD: &str = r#"
[[motion]]
name = "hold the stone"
joint = "chute"
displacement = 0
"#;
