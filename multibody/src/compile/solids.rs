//! Solids as numbers: where they are, what they weigh, and the mass, centre and inertia of a body made of several.

use super::check::at;
use super::scope::Scope;
use super::{markers, outline};
use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::model::{Body, Model, Solid, SolidKind};
use crate::space::{M3, V3};
use nalgebra::Vector2;

/// A solid of a body, in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySolid {
    /// Origin of its form in the frame of the body \[m\].
    pub position: V3,
    /// Its axes in the frame of the body, as columns.
    pub axes: M3,
    /// Its form.
    pub form: SolidForm,
    /// Mass \[kg\].
    pub mass: f64,
}

/// The form of a solid, about its origin \[m\].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SolidForm {
    /// Whole lengths.
    Box(V3),
    /// About z.
    Cylinder {
        /// Outer radius.
        radius: f64,
        /// Radius of the hole, or 0.
        inner: f64,
        /// Length.
        length: f64,
    },
    /// A ball, or a shell.
    Sphere {
        /// Outer radius.
        radius: f64,
        /// Radius of the hole, or 0.
        inner: f64,
    },
    /// About z.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylinder, without the half spheres.
        length: f64,
    },
    /// Outline in the x-y plane, middle plane at z = 0.
    Plate {
        /// Corners, counter-clockwise.
        outline: Vec<Vector2<f64>>,
        /// Along z.
        thickness: f64,
    },
}

/// Mass, centre and inertia about it.
pub(super) struct MassProperties {
    pub(super) mass: f64,
    pub(super) center: V3,
    pub(super) inertia: M3,
}

/// Volume, centre, and inertia about the centre over the mass, in the axes of the solid.
struct Unit {
    volume: f64,
    center: V3,
    gyration: M3,
}

/// The solids of all bodies of `model`: a list for each body, in their order.
///
/// # Errors
/// Sizes that a kind of solid does not take, or lacks; numbers that are not positive; an outline that crosses itself.
pub fn body_solids(model: &Model) -> Result<Vec<Vec<BodySolid>>, Box<ModelError>> {
    let model = &*model.in_si()?;
    let scope = Scope::new(model)?;
    model.bodies.iter().enumerate().map(|(index, body)| of_body(&scope, index, body)).collect()
}

pub(super) fn of_body(scope: &Scope<'_>, index: usize, body: &Body) -> Result<Vec<BodySolid>, Box<ModelError>> {
    let read = |(k, solid): (usize, &Solid)| {
        let at = |name: &str| at("body", index, &body.name, &format!("solids.{k}.{name}"));
        Reader { scope, solid, at: &at }.solid()
    };
    body.solids.iter().enumerate().map(read).collect()
}

/// Of several solids: the sum of masses, their centre, and their inertia about it (Steiner).
pub(super) fn sum(solids: &[BodySolid]) -> MassProperties {
    let parts: Vec<(f64, V3, M3)> = solids
        .iter()
        .map(|solid| {
            let unit = solid.form.unit();
            let inertia = solid.axes * unit.gyration * solid.axes.transpose() * solid.mass;
            (solid.mass, solid.position + solid.axes * unit.center, inertia)
        })
        .collect();
    let mass: f64 = parts.iter().map(|(mass, ..)| mass).sum();
    let center = parts.iter().map(|(m, c, _)| c * (m / mass)).sum::<V3>();
    let inertia = parts.iter().map(|(m, c, inertia)| inertia + away(&(c - center)) * *m).sum::<M3>();
    // Symmetric but for round-off.
    MassProperties { mass, center, inertia: 0.5 * (inertia + inertia.transpose()) }
}

/// |d|^2 I - d d^T.
fn away(d: &V3) -> M3 {
    M3::identity() * d.norm_squared() - d * d.transpose()
}

struct Reader<'a> {
    scope: &'a Scope<'a>,
    solid: &'a Solid,
    at: &'a dyn Fn(&str) -> Location,
}

impl Reader<'_> {
    fn solid(&self) -> Result<BodySolid, Box<ModelError>> {
        self.refuse_others()?;
        let own = self.solid;
        let mut position = self.scope.vector(&own.position, &(self.at)("position"))?;
        let mut axes = markers::rotation(self.scope, &own.orientation, &(self.at)("orientation"))?;
        let form = match own.kind {
            SolidKind::Box => SolidForm::Box(self.lengths()?),
            SolidKind::Cylinder => {
                let (radius, inner) = self.radii()?;
                SolidForm::Cylinder { radius, inner, length: self.positive("length", own.length.as_ref())? }
            }
            SolidKind::Sphere => {
                let (radius, inner) = self.radii()?;
                SolidForm::Sphere { radius, inner }
            }
            SolidKind::Capsule => SolidForm::Capsule {
                radius: self.positive("radius", own.radius.as_ref())?,
                length: self.positive("length", own.length.as_ref())?,
            },
            SolidKind::Bar => {
                let (middle, along, size) = self.bar()?;
                position += axes * middle;
                axes *= along;
                SolidForm::Box(size)
            }
            SolidKind::Plate => SolidForm::Plate {
                outline: outline::read(self.scope, &own.outline, &(self.at)("outline"))?,
                thickness: self.positive("thickness", own.thickness.as_ref())?,
            },
        };
        let mass = self.mass(form.unit().volume)?;
        Ok(BodySolid { position, axes, form, mass })
    }

    fn mass(&self, volume: f64) -> Result<f64, Box<ModelError>> {
        match (&self.solid.density, &self.solid.mass) {
            (Some(density), None) => Ok(volume * self.positive("density", Some(density))?),
            (None, Some(mass)) => self.positive("mass", Some(mass)),
            (given, _) => {
                let problem = if given.is_some() { "both density and mass are given" } else { "it has no mass" };
                Err(ModelError::new((self.at)("density"), problem, "give `density` or `mass`, one of both"))
            }
        }
    }

    fn positive(&self, field: &str, value: Option<&Expression>) -> Result<f64, Box<ModelError>> {
        let Some(value) = value else { return Err(self.missing(field)) };
        self.scope.checked(value, &(self.at)(field), "a number above 0", |value| value > 0.0)
    }

    fn lengths(&self) -> Result<V3, Box<ModelError>> {
        let Some(size) = &self.solid.size else { return Err(self.missing("size")) };
        let mut lengths = V3::zeros();
        for (length, value) in lengths.iter_mut().zip(size) {
            *length = self.positive("size", Some(value))?;
        }
        Ok(lengths)
    }

    fn radii(&self) -> Result<(f64, f64), Box<ModelError>> {
        let radius = self.positive("radius", self.solid.radius.as_ref())?;
        let Some(inner) = &self.solid.inner_radius else { return Ok((radius, 0.0)) };
        let allowed = "a number from 0 on, below `radius`";
        let inner = self.scope.checked(inner, &(self.at)("inner_radius"), allowed, |r| (0.0..radius).contains(&r))?;
        Ok((radius, inner))
    }

    /// Middle, axes (x along the bar, z as near to that of the solid as can be) and lengths of a bar.
    fn bar(&self) -> Result<(V3, M3, V3), Box<ModelError>> {
        let point = |field: &str, value: &Option<_>| match value {
            Some(value) => self.scope.vector(value, &(self.at)(field)),
            None => Err(self.missing(field)),
        };
        let (from, to) = (point("from", &self.solid.from)?, point("to", &self.solid.to)?);
        let way = to - from;
        let length = way.norm();
        if !(length > 0.0) {
            return Err(ModelError::new(
                (self.at)("to"),
                "the bar has no length",
                "give two points apart from each other",
            ));
        }
        let x = way / length;
        // A bar along z takes x in its place.
        let upright = if x.z.abs() < 1.0 - f64::EPSILON.sqrt() { V3::z() } else { V3::x() };
        let y = upright.cross(&x).normalize();
        let axes = M3::from_columns(&[x, y, x.cross(&y)]);
        let width = self.positive("width", self.solid.width.as_ref())?;
        let thickness = self.positive("thickness", self.solid.thickness.as_ref())?;
        Ok(((from + to) / 2.0, axes, V3::new(length, width, thickness)))
    }

    fn missing(&self, field: &str) -> Box<ModelError> {
        let problem = format!("a solid of this type has no size without `{field}`");
        ModelError::new((self.at)(field), problem, format!("add `{field}`; it takes {}", self.takes().join(", ")))
    }

    /// The fields of its sizes.
    fn takes(&self) -> &'static [&'static str] {
        match self.solid.kind {
            SolidKind::Box => &["size"],
            SolidKind::Cylinder => &["radius", "length", "inner_radius"],
            SolidKind::Sphere => &["radius", "inner_radius"],
            SolidKind::Capsule => &["radius", "length"],
            SolidKind::Bar => &["from", "to", "width", "thickness"],
            SolidKind::Plate => &["outline", "thickness"],
        }
    }

    fn refuse_others(&self) -> Result<(), Box<ModelError>> {
        let own = self.solid;
        let given = [
            ("size", own.size.is_some()),
            ("radius", own.radius.is_some()),
            ("inner_radius", own.inner_radius.is_some()),
            ("length", own.length.is_some()),
            ("from", own.from.is_some()),
            ("to", own.to.is_some()),
            ("width", own.width.is_some()),
            ("thickness", own.thickness.is_some()),
            ("outline", !own.outline.is_empty()),
        ];
        match given.iter().find(|(name, given)| *given && !self.takes().contains(name)) {
            Some((name, _)) => Err(ModelError::new(
                (self.at)(name),
                format!("a solid of this type has no `{name}`"),
                format!("leave it out; it takes {}", self.takes().join(", ")),
            )),
            None => Ok(()),
        }
    }
}

impl SolidForm {
    /// Textbook moments, as in Beer and Johnston, Vector Mechanics for Engineers, appendix; those of the plate by Green's theorem.
    fn unit(&self) -> Unit {
        use std::f64::consts::PI;
        let even =
            |volume, x, y, z| Unit { volume, center: V3::zeros(), gyration: M3::from_diagonal(&V3::new(x, y, z)) };
        match self {
            Self::Box(l) => {
                let [xx, yy, zz] = [l.x * l.x, l.y * l.y, l.z * l.z];
                even(l.x * l.y * l.z, (yy + zz) / 12.0, (xx + zz) / 12.0, (xx + yy) / 12.0)
            }
            &Self::Cylinder { radius, inner, length } => {
                let square = radius * radius + inner * inner;
                let across = square / 4.0 + length * length / 12.0;
                let area = PI * (radius - inner) * (radius + inner);
                even(area * length, across, across, square / 2.0)
            }
            &Self::Sphere { radius, inner } => {
                let powers = |k: i32| (0..k).map(|i| radius.powi(i) * inner.powi(k - 1 - i)).sum::<f64>();
                // (R^3 - r^3) and (R^5 - r^5), both over R - r, which a thin shell would lose digits by.
                let square = 0.4 * powers(5) / powers(3);
                even(4.0 / 3.0 * PI * (radius - inner) * powers(3), square, square, square)
            }
            &Self::Capsule { radius: r, length: l } => {
                let (cylinder, ball) = (PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3));
                let volume = cylinder + ball;
                let along = (cylinder * r * r / 2.0 + ball * 0.4 * r * r) / volume;
                let of_ball = 0.4 * r * r + l * l / 4.0 + 0.375 * r * l;
                let across = (cylinder * (r * r / 4.0 + l * l / 12.0) + ball * of_ball) / volume;
                even(volume, across, across, along)
            }
            Self::Plate { outline, thickness: t } => {
                let outline::Area { area, center, xx, yy, xy } = outline::Area::of(outline);
                let (x, y) = (yy / area + t * t / 12.0, xx / area + t * t / 12.0);
                let gyration = M3::new(x, -xy / area, 0.0, -xy / area, y, 0.0, 0.0, 0.0, (xx + yy) / area);
                Unit { volume: area * t, center: V3::new(center.x, center.y, 0.0), gyration }
            }
        }
    }
}
