//! Curves, points that stay on them, and curves that touch.

use super::check::{at, unique};
use super::joints::Joints;
use super::markers;
use super::measures::global;
use super::scope::{Scope, unknown};
use crate::constraint::{Constraint, Form};
use crate::curve::Curve;
use crate::error::{Location, ModelError};
use crate::mechanism::{Composed, ConstraintSet, Function, Relation, Term};
use crate::model::{self, MarkerRef, Model};
use crate::space::{FixedFrame, V3};
use std::sync::Arc;

type Field<'a> = &'a dyn Fn(&str) -> Location;

/// A curve in its frame.
struct Placed {
    frame: FixedFrame,
    curve: Arc<Curve>,
}

/// Sine of the angle between planes that counts as drawn by hand: their curves are off by half its square, 5e-7 of their size.
const DRAWN: f64 = 1e-3;

/// Reads all of them, behind couplers, gears and racks.
pub(super) fn read(model: &Model, scope: &Scope<'_>, joints: &mut Joints) -> Result<(), Box<ModelError>> {
    unique("curve", model.curves.iter().map(|curve| curve.name.as_str()))?;
    unique("point_on_curve", model.points_on_curves.iter().map(|each| each.name.as_str()))?;
    unique("curve_on_curve", model.curves_on_curves.iter().map(|each| each.name.as_str()))?;
    let mut curves = Vec::new();
    for (index, curve) in model.curves.iter().enumerate() {
        curves.push(read_curve(scope, curve, &|name| at("curve", index, &curve.name, name))?);
    }
    let find = |name: &str, location: &Location| {
        let known = || model.curves.iter().map(|curve| curve.name.as_str());
        let found = known().position(|known| known == name).ok_or_else(|| unknown("curve", name, known(), location))?;
        Ok::<_, Box<ModelError>>(&curves[found])
    };
    for (index, each) in model.points_on_curves.iter().enumerate() {
        let field = |name: &str| at("point_on_curve", index, &each.name, name);
        let Placed { frame, curve } = find(&each.curve, &field("curve"))?;
        let i = markers::resolve(scope, &each.i, &field("i"))?;
        apart(scope, &i, frame, &field("i"))?;
        joints.keep_on(&each.name, curve, i, *frame);
    }
    for (index, each) in model.curves_on_curves.iter().enumerate() {
        let field = |name: &str| at("curve_on_curve", index, &each.name, name);
        let places = ["curves[0]", "curves[1]"].map(field);
        let [own, other] = [0, 1].map(|k| find(&each.curves[k], &places[k]));
        let both = [own?, other?];
        if let Some(k) = both.iter().position(|placed| !placed.curve.is_plane()) {
            let problem = "a curve in space touches no other one along its length";
            let remedy = "give its points as [x, y], in the x-y plane of its marker";
            return Err(ModelError::new(places[k].clone(), problem, remedy));
        }
        apart(scope, &both[0].frame, &both[1].frame, &places[1])?;
        parallel(scope, &both[0].frame, &both[1].frame, &places[1])?;
        joints.let_touch(&each.name, both);
    }
    Ok(())
}

fn apart(scope: &Scope<'_>, i: &FixedFrame, j: &FixedFrame, location: &Location) -> Result<(), Box<ModelError>> {
    if i.body != j.body {
        return Ok(());
    }
    let name = scope.bodies.get(i.body).map_or(model::GROUND, |body| body.name.as_str());
    let remedy = "an element acts between two different bodies; name another curve or marker";
    Err(ModelError::new(location.clone(), format!("both are on \"{name}\""), remedy))
}

/// Refuses planes that are not parallel as they are drawn: curves of which one is seen as another curve from the other.
fn parallel(scope: &Scope<'_>, i: &FixedFrame, j: &FixedFrame, location: &Location) -> Result<(), Box<ModelError>> {
    let normal = |frame: &FixedFrame| {
        let z = frame.c.column(2).into_owned();
        scope.poses.get(frame.body).map_or(z, |pose| pose.a * z)
    };
    let sine = normal(i).cross(&normal(j)).norm();
    if sine <= DRAWN {
        return Ok(());
    }
    let problem = format!("the planes of the two curves meet at {:.3} degrees", sine.min(1.0).asin().to_degrees());
    let remedy = "turn their markers so that z of one is parallel to z of the other";
    Err(ModelError::new(location.clone(), problem, remedy))
}

/// A curve and the frame that carries it.
pub(super) fn placed(
    scope: &Scope<'_>,
    index: usize,
    curve: &model::Curve,
) -> Result<(FixedFrame, Arc<Curve>), Box<ModelError>> {
    let Placed { frame, curve } = read_curve(scope, curve, &|name| at("curve", index, &curve.name, name))?;
    Ok((frame, curve))
}

fn read_curve(scope: &Scope<'_>, curve: &model::Curve, field: Field<'_>) -> Result<Placed, Box<ModelError>> {
    let resolve = |marker: &MarkerRef| markers::resolve(scope, marker, &field("marker"));
    let frame = curve.marker.as_ref().map_or_else(|| Ok(global(scope)), resolve)?;
    if let Some(file) = &curve.file {
        let remedy = "read the model from a file, whose folder then says where that of the points lies";
        return Err(ModelError::new(field("file"), format!("the file \"{file}\" was not read"), remedy));
    }
    let plane = curve.points.iter().all(|point| point.len() == 2);
    let mut points = Vec::with_capacity(curve.points.len());
    for (k, point) in curve.points.iter().enumerate() {
        let place = field(&format!("points[{k}]"));
        if !plane && point.len() != 3 {
            let problem = format!("point {k} has {} coordinates", point.len());
            return Err(ModelError::new(place, problem, "write [x, y] for every point, or [x, y, z] for every one"));
        }
        let mut p = V3::zeros();
        for (c, coordinate) in point.iter().enumerate() {
            p[c] = scope.checked(coordinate, &place, "a finite coordinate", f64::is_finite)?;
        }
        points.push(p);
    }
    let curve = Curve::new(&points, curve.closed, plane).map_err(|error| {
        use crate::curve::CurveError as E;
        let (place, remedy) = match error {
            E::Few { .. } => ("points", "give more points; a closed curve repeats its first point at the end"),
            E::NotFinite { .. } => ("points", "give finite coordinates"),
            E::Repeated { .. } => ("points", "give every point once, the first of a closed curve also at the end"),
            E::NotClosed { .. } => ("closed", "repeat the first point at the end, or remove `closed`"),
            E::NotOpen => ("closed", "write `closed = true`, or leave the last point out"),
            E::Cusp { .. } | E::Crossing { .. } => {
                ("points", "give points in the order along the curve, closer together there; split it where it crosses")
            }
            E::AllDirections => ("points", "split the curve into pieces that do not turn through all directions"),
        };
        ModelError::new(field(place), error.to_string(), remedy)
    })?;
    Ok(Placed { frame, curve: Arc::new(curve) })
}

impl Joints {
    /// Keeps the origin of `i` on a curve in the frame `j`: two rows, of a plane curve one beside it and one across its plane.
    fn keep_on(&mut self, name: &str, curve: &Arc<Curve>, i: FixedFrame, j: FixedFrame) {
        let first = self.constraints.len();
        let axes = if curve.is_plane() { 2 } else { 3 };
        let along = |axis| Constraint { form: Form::AxisVector { axis, offset: 0.0 }, i, j };
        for side in 0..axes - 1 {
            let terms = (0..axes).map(|axis| self.term(along(axis), axis + 1)).collect();
            self.bind_function(terms, Function::Point { curve: Arc::clone(curve), side }, 1.0);
        }
        if curve.is_plane() {
            self.bind(along(2), None);
        }
        self.close(name, Relation::PointOnCurve, [i, j], first);
    }

    /// Lets two plane curves touch.
    fn let_touch(&mut self, name: &str, [own, other]: [&Placed; 2]) {
        let first = self.constraints.len();
        let (i, j) = (own.frame, other.frame);
        let along = |axis| Form::AxisVector { axis, offset: 0.0 };
        let forms = [along(0), along(1), Form::Angle];
        let terms = (1..).zip(forms).map(|(argument, form)| self.term(Constraint { form, i, j }, argument)).collect();
        let curves = [Arc::clone(&own.curve), Arc::clone(&other.curve)];
        self.bind_function(terms, Function::Contact { curves }, 1.0);
        self.close(name, Relation::CurveOnCurve, [i, j], first);
    }

    /// A term of the function that is bound next. Turns are not counted.
    pub(super) fn term(&self, constraint: Constraint, argument: usize) -> Term {
        Term { constraint, set: self.sets.len(), weight: 1.0, argument, counter: None }
    }

    /// Binds a row that is a function of `terms`, divided by `scale`. The first term tells whether it is a length or an angle.
    pub(super) fn bind_function(&mut self, terms: Vec<Term>, function: Function, scale: f64) {
        let Some(lead) = terms.first().map(|term| term.constraint) else { return };
        let at = self.constraints.len();
        self.bind(lead, None);
        let composed = Composed { terms, offset: 0.0, scale, function: Some(function), begins: false };
        self.constraints[at].composed = Some(Box::new(composed));
    }

    /// Ends the set of the rows from `first` on.
    pub(super) fn close(&mut self, name: &str, relation: Relation, [i, j]: [FixedFrame; 2], first: usize) {
        let (name, relation, constraints) = (name.to_owned(), Some(relation), first..self.constraints.len());
        self.sets.push(ConstraintSet { name, joint: None, relation, i, j, constraints });
    }
}
