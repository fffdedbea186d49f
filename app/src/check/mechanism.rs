//! What `fourbar check` tells of a mechanism.

use super::Measured;
use super::contact::Touching;
use super::elements::Elements;
use crate::text::{heading, number, two_columns};
use fourbar::Error;
use fourbar::linalg::text::printable;
use fourbar::mechanism::MechanismModel;
use fourbar::multibody::analysis::{AssemblyReport, Reactions};
use fourbar::multibody::mechanism::Mechanism;
use fourbar::multibody::space::Pose;
use serde::Serialize;

/// What there is to tell of `mechanism`, which is `model` compiled and assembled; as text, or as JSON.
pub(super) fn findings(
    model: &MechanismModel,
    mechanism: &Mechanism,
    json: bool,
) -> Result<Result<String, serde_json::Error>, Error> {
    let whole = model.expand().map_err(fourbar::multibody::Error::Model)?;
    let touching = Touching::new(&whole, mechanism)?;
    let findings = Findings::new(&whole, mechanism, touching);
    Ok(if json { serde_json::to_string_pretty(&findings) } else { Ok(findings.text()) })
}

/// What `check` tells.
#[derive(Serialize)]
struct Findings<'a> {
    model: &'a str,
    description: &'a str,
    bodies: usize,
    markers: usize,
    #[serde(flatten)]
    elements: Elements,
    degrees_of_freedom: usize,
    constraint_rows: usize,
    independent_rows: usize,
    redundant: Vec<Redundant<'a>>,
    /// Friction elements whose reactions are not the only ones possible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    friction_not_unique: Vec<String>,
    assembly: Assembly<'a>,
    /// What a run warns of, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    measures: Vec<Measured<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<Touching>,
}

#[derive(Serialize)]
struct Redundant<'a> {
    joint: &'a str,
    row: &'a str,
    because_of: &'a [String],
}

#[derive(Serialize)]
struct Assembly<'a> {
    /// The assembled start is a singular position.
    singular_start: bool,
    iterations: usize,
    /// Largest violation of a joint or motion, as drawn and assembled [m or rad].
    largest_before: f64,
    largest_after: f64,
    /// Joints and motions that were open as drawn.
    closed: Vec<Closed<'a>>,
    moved: Vec<Moved<'a>>,
    /// Initial conditions of joints that others determine already, and with which they agree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    determined: Vec<Stated<'a>>,
}

#[derive(Serialize)]
struct Stated<'a> {
    joint: &'a str,
    quantity: &'a str,
    value: f64,
}

#[derive(Serialize)]
struct Closed<'a> {
    joint: &'a str,
    before: f64,
    after: f64,
}

#[derive(Serialize)]
struct Moved<'a> {
    body: &'a str,
    translation: f64,
    rotation: f64,
    velocity: f64,
    angular_velocity: f64,
}

/// A joint that is open by more than this as drawn is listed [m or rad].
const OPEN: f64 = 1e-9;

impl<'a> Findings<'a> {
    fn new(whole: &'a MechanismModel, mechanism: &'a Mechanism, contacts: Option<Touching>) -> Self {
        let model = &whole.model;
        let redundant = mechanism.redundancies().iter();
        let redundant = redundant.map(|r| Redundant { joint: &r.joint, row: &r.row, because_of: &r.because_of });
        let of_contacts = whole.measures.iter().map(|m| Measured { name: &m.name, unit: m.quantity.unit() });
        let measures = mechanism.measures().iter().map(|m| Measured { name: &m.name, unit: &m.unit });
        Self {
            model: mechanism.name(),
            description: &model.description,
            bodies: model.bodies.len() + model.flexible.len(),
            markers: model.markers.len(),
            elements: Elements::new(whole),
            degrees_of_freedom: mechanism.degrees_of_freedom(),
            constraint_rows: mechanism.all_row_count(),
            independent_rows: mechanism.row_count(),
            redundant: redundant.collect(),
            friction_not_unique: friction_not_unique(mechanism),
            assembly: Assembly::new(mechanism.assembly()),
            warnings: [mechanism.assembly().warnings(), mechanism.advice().to_vec(), whole.advice()].concat(),
            measures: measures.chain(of_contacts).collect(),
            contacts,
        }
    }

    fn text(&self) -> String {
        let mut rows = self.elements.rows(self.bodies);
        let constraints = format!("{}, of which {} independent", self.constraint_rows, self.independent_rows);
        rows.push(("constraint rows".to_owned(), constraints));
        rows.push(("degrees of freedom".to_owned(), self.degrees_of_freedom.to_string()));
        let measures: Vec<_> = self.measures.iter().map(|measure| measure.name).collect();
        rows.push(("measures".to_owned(), if measures.is_empty() { "none".to_owned() } else { measures.join(", ") }));
        let heading = heading(self.model, self.description);
        let contacts = self.contacts.as_ref().map(Touching::text).unwrap_or_default();
        let (redundancy, assembly) = (self.redundancy_text(), self.assembly.text());
        let warnings: String =
            self.warnings.iter().map(|warning| format!("warning: {}\n", printable(warning))).collect();
        let friction = self.friction_text();
        format!("{heading}\n{}{redundancy}{friction}{assembly}{warnings}{contacts}", two_columns(&rows))
    }

    fn friction_text(&self) -> String {
        let one = |name: &String| {
            format!(
                "friction \"{name}\" follows from reactions that redundant constraints leave open: the rows that are kept bear all; replace joints by \
                 kinds with fewer constraints\n"
            )
        };
        self.friction_not_unique.iter().map(one).collect()
    }

    fn redundancy_text(&self) -> String {
        if self.redundant.is_empty() {
            return "no redundant constraints\n".to_owned();
        }
        let row = |redundant: &Redundant<'_>| {
            let kept = redundant.because_of.join(", ");
            (redundant.joint.to_owned(), format!("{} (kept already by {kept})", redundant.row))
        };
        let rows: Vec<_> = self.redundant.iter().map(row).collect();
        format!("{} redundant constraint rows, by joint; they are not imposed\n{}", rows.len(), two_columns(&rows))
    }
}

/// Friction elements whose reactions are not the only ones possible.
fn friction_not_unique(mechanism: &Mechanism) -> Vec<String> {
    if mechanism.frictions().is_empty() {
        return Vec::new();
    }
    let start = mechanism.start();
    let poses: Vec<Pose> = start.poses.iter().copied().chain([Pose::ground()]).collect();
    // At a singular start there is nothing to say; runs tell of it.
    Reactions::new(mechanism, &poses, start.time).map_or_else(|_| Vec::new(), |r| r.several_frictions().to_vec())
}

impl<'a> Assembly<'a> {
    fn new(report: &'a AssemblyReport) -> Self {
        let largest = |worst: f64, next: f64| worst.max(next);
        let closed = report.closures.iter().filter(|closure| closure.before > OPEN);
        let moved = report.moved.iter().map(|moved| Moved {
            body: &moved.body,
            translation: moved.translation,
            rotation: moved.rotation,
            velocity: moved.velocity,
            angular_velocity: moved.angular_velocity,
        });
        let determined = report.determined.iter();
        let determined = determined.map(|d| Stated { joint: &d.joint, quantity: d.quantity, value: d.value });
        Self {
            singular_start: report.singular_start,
            iterations: report.iterations,
            largest_before: report.closures.iter().map(|closure| closure.before).fold(0.0, largest),
            largest_after: report.closures.iter().map(|closure| closure.after).fold(0.0, largest),
            closed: closed.map(|c| Closed { joint: &c.joint, before: c.before, after: c.after }).collect(),
            moved: moved.collect(),
            determined: determined.collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("assembles, open by at most {} m or rad\n", number(self.largest_after, 2));
        if self.singular_start {
            text.push_str("the start is a singular position: a run cannot begin there, move the start a little\n");
        }
        let closed =
            |joint: &Closed<'_>| (joint.joint.to_owned(), format!("was open by {} m or rad", number(joint.before, 3)));
        if !self.closed.is_empty() {
            text.push_str("joints closed by assembly\n");
            text.push_str(&two_columns(&self.closed.iter().map(closed).collect::<Vec<_>>()));
        }
        if !self.moved.is_empty() {
            text.push_str("bodies moved or set moving by assembly\n");
            text.push_str(&two_columns(&self.moved.iter().map(Moved::row).collect::<Vec<_>>()));
        }
        let determined = |stated: &Stated<'_>| {
            (stated.joint.to_owned(), format!("{} of {}", stated.quantity, number(stated.value, 6)))
        };
        if !self.determined.is_empty() {
            text.push_str("initial conditions that other joints and conditions determine already\n");
            text.push_str(&two_columns(&self.determined.iter().map(determined).collect::<Vec<_>>()));
        }
        text
    }
}

impl Moved<'_> {
    fn row(&self) -> (String, String) {
        let parts =
            [(self.translation, "m"), (self.rotation, "rad"), (self.velocity, "m/s"), (self.angular_velocity, "rad/s")];
        let changed: Vec<_> = parts
            .iter()
            .filter(|(value, _)| *value > OPEN)
            .map(|(value, unit)| format!("{} {unit}", number(*value, 3)))
            .collect();
        (
            format!("body \"{}\"", self.body),
            format!("by {}", if changed.is_empty() { "round-off".to_owned() } else { changed.join(", ") }),
        )
    }
}
