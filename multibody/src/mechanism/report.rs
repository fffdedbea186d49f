//! What the initial-condition analysis did.

use crate::model::Exact;
use crate::space::V3;
use fourbar_linalg::text::Brief;

/// What the initial-condition analysis did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssemblyReport {
    /// Bodies that moved by more than round-off, in the order of the model.
    pub moved: Vec<Moved>,
    /// Start values that the model calls exact and that could not be kept.
    pub not_kept: Vec<NotKept>,
    /// Stated velocities of bodies that joints and motions changed.
    pub changed: Vec<ChangedVelocity>,
    /// Motions that begin elsewhere than drawn.
    pub begun: Vec<Begun>,
    /// Violation of every joint and motion before and after.
    pub closures: Vec<Closure>,
    /// Initial conditions of joints that other joints, motions and conditions determine already, and with which they agree.
    pub determined: Vec<Determined>,
    /// Iterations done.
    pub iterations: usize,
    /// Whether the start is a singular position: the constraints are independent beside it but not at it.
    pub singular_start: bool,
    /// Gears, couplers and racks that hold against each other by the last digits of their ratios and places.
    pub nearly_dependent: Option<NearlyDependent>,
}

/// Gears, couplers and racks whose equations agree but for the last digits of ratios and places, so that they lock.
#[derive(Debug, Clone, PartialEq)]
pub struct NearlyDependent {
    /// Their names.
    pub relations: Vec<String>,
    /// Relative size to which they disagree.
    pub mismatch: f64,
    /// Degrees of freedom that the mechanism has with all of them.
    pub freedom: usize,
}

impl NearlyDependent {
    fn warning(&self) -> String {
        let Self { relations, mismatch, freedom } = self;
        let names: Vec<String> = relations.iter().take(2 * NAMED).map(|name| format!("\"{name}\"")).collect();
        let left = match freedom {
            0 => "no freedom is left".to_owned(),
            1 => "1 degree of freedom is left".to_owned(),
            more => format!("{more} degrees of freedom are left"),
        };
        format!(
            "{} hold against each other: their ratios and places disagree by a relative {mismatch:.0e} or less, so they do not move together, and {left}; write \
             ratios and places with all digits, or as expressions such as `0.06*cos(2*pi/3)`, or leave one of them out",
            names.join(", ")
        )
    }
}

/// Bodies, or measures, that a warning names one by one.
pub(crate) const NAMED: usize = 5;

impl AssemblyReport {
    /// What a reader of the results should know of the start: bodies that were put elsewhere, motions that begin elsewhere, and stated velocities and
    /// exact values that were not kept.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let told = |kind: &str, list: Vec<String>, remedy: &str| {
            let (count, shown) =
                (list.len(), list.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", "));
            let more = if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
            (count > 0).then(|| format!("assembly {kind} {shown}{more}; {remedy}"))
        };
        let moved = self.moved.iter().filter(|moved| moved.displaced).map(|moved| {
            let (way, turn) = (Brief(moved.translation), Brief(moved.rotation));
            format!("body \"{}\" by {way:.3} m and {turn:.3} rad", moved.body)
        });
        let changed = self.not_kept.iter().map(|value| {
            let unit = value.value.unit();
            format!("`{}` of body \"{}\" by {:.3} {unit}", value.value.name(), value.body, Brief(value.change))
        });
        let moved = told("moved", moved.collect(), "draw them where their joints close");
        let begun = self.begun.iter().map(|begun| {
            let unit = if begun.is_angle { "rad" } else { "m" };
            format!("\"{}\" by {:.3} {unit}", begun.motion, Brief(begun.way))
        });
        let begun = told(
            "moved bodies to where motions begin:",
            begun.collect(),
            "draw them there, or let the motions begin where they are drawn",
        );
        let velocities = self.changed.iter().map(|changed| {
            let vector = |v: &V3| format!("({:.3}, {:.3}, {:.3})", Brief(v.x), Brief(v.y), Brief(v.z));
            let (name, unit) = if changed.is_angular { ("angular_velocity", "rad/s") } else { ("velocity", "m/s") };
            let [stated, start] = [&changed.stated, &changed.start].map(vector);
            format!("`{name}` of body \"{}\" from {stated} to {start} {unit}", changed.body)
        });
        let velocities = told(
            "changed stated velocities:",
            velocities.collect(),
            "state both velocities of each body as its joints let it move, list under `exact` what shall stay, or give a joint `initial` values",
        );
        let changed = told(
            "changed what the model calls exact:",
            changed.collect(),
            "what is exact contradicts the joints and motions; correct it, or call less exact",
        );
        let locked = self.nearly_dependent.as_ref().map(NearlyDependent::warning);
        [moved, begun, velocities, changed, locked].into_iter().flatten().collect()
    }
}

/// A body that the analysis moved.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// Body.
    pub body: String,
    /// Way of the centre of mass \[m\].
    pub translation: f64,
    /// Angle of the turn \[rad\].
    pub rotation: f64,
    /// Change of the velocity of the centre of mass [m/s].
    pub velocity: f64,
    /// Change of the angular velocity [rad/s].
    pub angular_velocity: f64,
    /// Whether joints that were drawn open put it elsewhere, by more than a joint may be open. What joints state as their start is no such change, and none
    /// is where any joint states the coordinate at which it starts: the drawing is a sketch there.
    pub displaced: bool,
}

/// A start value that is called exact and had to change.
#[derive(Debug, Clone, PartialEq)]
pub struct NotKept {
    /// Body.
    pub body: String,
    /// Which value.
    pub value: Exact,
    /// By how much [m, rad, m/s or rad/s].
    pub change: f64,
}

/// A stated velocity of a body that changed by more than a thousandth: people write three digits.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedVelocity {
    /// Body.
    pub body: String,
    /// Whether it is the angular velocity, else that of the centre of mass.
    pub is_angular: bool,
    /// As the model states it, global axes [m/s or rad/s].
    pub stated: V3,
    /// As the motion starts.
    pub start: V3,
}

/// A motion that begins elsewhere than drawn, by more than a joint may be open.
#[derive(Debug, Clone, PartialEq)]
pub struct Begun {
    /// Motion.
    pub motion: String,
    /// Way or turn from the drawing [m or rad].
    pub way: f64,
    /// Whether it is a turn.
    pub is_angle: bool,
}

/// Violation of a joint or motion [m and rad mixed, the largest row].
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// Joint or motion.
    pub joint: String,
    /// As the model puts the bodies.
    pub before: f64,
    /// Assembled.
    pub after: f64,
}

/// An initial condition of a joint that agrees with what other joints and conditions determine already.
#[derive(Debug, Clone, PartialEq)]
pub struct Determined {
    /// Joint.
    pub joint: String,
    /// What it states: `angle`, `displacement`, `angular velocity` or `velocity`.
    pub quantity: &'static str,
    /// The value stated [rad, m, rad/s, m/s].
    pub value: f64,
}
