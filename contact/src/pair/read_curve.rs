//! Plane curves of a model, read and checked.

use super::curve::{Curve, V2};
use crate::model;
use fourbar_linalg::text::Brief;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, ModelError, Names};

/// Distance between the ends of a closed curve, over its size, that is let pass: an angle written with nine digits.
const ENDS_MEET: f64 = 1e-8;

type Result<T> = std::result::Result<T, Box<ModelError>>;

/// Points along the curve that a model describes at `location`, in the x-y plane of its frame \[m\]: for those who draw it.
///
/// # Errors
/// What is wrong with the curve.
pub fn curve_points(names: &Names<'_>, curve: &model::Curve, location: &Location) -> Result<Vec<[f64; 2]>> {
    let curve = read_curve(names, curve, location)?;
    let inner = curve.samples.iter().map(|(_, c, _)| *c);
    let ends = curve.ends();
    let (first, last) = if curve.closed { (None, None) } else { (Some(ends[0]), Some(ends[1])) };
    Ok(first.into_iter().chain(inner).chain(last).map(|c| [c.x, c.y]).collect())
}

/// The curve that a model describes at `location`.
pub(super) fn read_curve(names: &Names<'_>, curve: &model::Curve, location: &Location) -> Result<Curve> {
    let field = |name: &str| Location { field: format!("{}.{name}", location.field), ..location.clone() };
    match curve {
        model::Curve::Circle { radius, hollow } => {
            let radius = names.checked(radius, &field("radius"), "positive", |r| r > 0.0)?;
            Ok(Curve::circle(radius, *hollow))
        }
        model::Curve::Spline { points, closed } => spline(names, points, *closed, &field("points")),
        model::Curve::Formula { x, y, from, to, closed } => {
            let from = names.number(from, &field("from"))?;
            let to = names.checked(to, &field("to"), &format!("larger than {from}"), |v| v > from)?;
            let programs = [names.program(x, "s", &field("x"))?, names.program(y, "s", &field("y"))?];
            let curve = Curve::formula(programs, [from, to], *closed);
            check_formula(&curve, &field("x"))?;
            check_ends(&curve, &field("closed"))?;
            Ok(curve)
        }
    }
}

fn spline(names: &Names<'_>, points: &[[Expression; 2]], closed: bool, location: &Location) -> Result<Curve> {
    let least = if closed { 3 } else { 2 };
    if points.len() < least {
        let problem = format!("{} points", points.len());
        return Err(ModelError::new(location.clone(), problem, format!("give at least {least}")));
    }
    let number = |e| names.number(e, location);
    let points: Vec<V2> = points.iter().map(|[x, y]| Ok(V2::new(number(x)?, number(y)?))).collect::<Result<_>>()?;
    let ends = if closed { points.len() } else { points.len() - 1 };
    for k in 0..ends {
        let next = (k + 1) % points.len();
        if points[k] == points[next] {
            let problem = format!("points number {} and {} coincide", k + 1, next + 1);
            return Err(ModelError::new(location.clone(), problem, "leave one of them out; `closed` joins the ends"));
        }
    }
    Ok(Curve::spline(&points, closed))
}

/// A formula must be finite, and move on.
fn check_formula(curve: &Curve, location: &Location) -> Result<()> {
    for (s, c, d) in &curve.samples {
        if !(c.norm().is_finite() && d.norm() > 0.0 && d.norm().is_finite()) {
            let problem = format!("at s = {s} the curve is at ({}, {}) with the tangent ({}, {})", c.x, c.y, d.x, d.y);
            return Err(ModelError::new(
                location.clone(),
                problem,
                "write x and y so that the curve is finite and never stands still",
            ));
        }
    }
    Ok(())
}

/// Refuses a curve that is called closed and whose ends lie apart.
fn check_ends(curve: &Curve, location: &Location) -> Result<()> {
    let [from, to] = curve.ends();
    let size = curve.samples.iter().map(|(_, c, _)| (c - from).norm()).fold(0.0, f64::max);
    let gap = (to - from).norm();
    if !curve.closed || gap <= ENDS_MEET * size {
        return Ok(());
    }
    let problem = format!("the curve is closed, but its ends lie {} m apart", Brief(gap));
    Err(ModelError::new(location.clone(), problem, "let `from` and `to` span the whole curve, or leave `closed` out"))
}
