//! Bushings, fields, beams and gyroscopic couples: their coordinates and coefficients.

use super::forces::Forces;
use super::measures::{Measures, global};
use super::scope::Scope;
use super::{markers, orientations};
use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::force::{Displacement, ElasticForce, ElasticLaw, Middle, Projected};
use crate::measure::{Kinematic, KinematicQuantity, Projection};
use crate::mechanism::{CountedAngle, TurnCounter};
use crate::model::{Beam, Bushing, Component, ElasticAngles, Field as FieldModel, GyroscopicCouple, Six};
use crate::space::{FixedFrame, skew};
use nalgebra::{Matrix6, Vector3, Vector6};

type Field<'a> = dyn Fn(&str) -> Location + 'a;

/// Adds a bushing.
pub(super) fn bushing(
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
    b: &Bushing,
    field: &Field<'_>,
) -> Result<(), Box<ModelError>> {
    let pair = markers::pair(scope, &b.i, &b.j, field)?;
    let preload = six(&b.preload, |e| scope.number(e, &field("preload")))?;
    let law = ElasticLaw {
        stiffness: matrix(scope, &b.stiffness, b.stiffness_matrix.as_ref(), "stiffness", field)?,
        damping: matrix(scope, &b.damping, b.damping_matrix.as_ref(), "damping", field)?,
        free: Vector6::zeros(),
        preload,
    };
    forces.elastic(&b.name, element(scope, measures, pair, law, b.angles), pair);
    Ok(())
}

/// Adds a field.
pub(super) fn field_by_matrices(
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
    f: &FieldModel,
    field: &Field<'_>,
) -> Result<(), Box<ModelError>> {
    let pair = markers::pair(scope, &f.i, &f.j, field)?;
    let law = ElasticLaw {
        stiffness: rows(scope, f.stiffness_matrix.as_ref(), &field("stiffness_matrix"))?,
        damping: rows(scope, f.damping_matrix.as_ref(), &field("damping_matrix"))?,
        free: six(&f.free, |e| scope.number(e, &field("free")))?,
        preload: six(&f.preload, |e| scope.number(e, &field("preload")))?,
    };
    forces.elastic(&f.name, element(scope, measures, pair, law, f.angles), pair);
    Ok(())
}

/// Adds the couple of a rotor: h x omega in the axes of I, which is linear in the angular velocity.
pub(super) fn gyroscopic_couple(
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
    g: &GyroscopicCouple,
    field: &Field<'_>,
) -> Result<(), Box<ModelError>> {
    let i = markers::resolve(scope, &g.i, &field("i"))?;
    let ground = global(scope);
    if i.body == ground.body {
        return Err(ModelError::new(
            field("i"),
            "the couple acts on the ground, which does not turn",
            "put marker I on the body in which the rotor spins",
        ));
    }
    let momentum = Vector3::z() * scope.number(&g.momentum, &field("momentum"))?;
    let mut damping = Matrix6::zeros();
    damping.fixed_view_mut::<3, 3>(3, 3).copy_from(&skew(&momentum));
    let law = ElasticLaw { stiffness: Matrix6::zeros(), damping, free: Vector6::zeros(), preload: Vector6::zeros() };
    // Seen from the body the ground turns by -omega.
    forces.couple(&g.name, element(scope, measures, (ground, i), law, ElasticAngles::Projected), i, ground.body);
    Ok(())
}

/// Adds a beam.
pub(super) fn beam(
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
    b: &Beam,
    field: &Field<'_>,
) -> Result<(), Box<ModelError>> {
    let pair = markers::pair(scope, &b.i, &b.j, field)?;
    let positive = |e, name: &str| scope.checked(e, &field(name), "positive", |v| v > 0.0);
    let not_negative = |e, name: &str| scope.checked(e, &field(name), "zero or positive", |v| v >= 0.0);
    let section = Section {
        length: positive(&b.length, "length")?,
        area: positive(&b.area, "area")?,
        moments: [not_negative(&b.ixx, "ixx")?, not_negative(&b.iyy, "iyy")?, not_negative(&b.izz, "izz")?],
        shear_ratios: [not_negative(&b.asy, "asy")?, not_negative(&b.asz, "asz")?],
        moduli: [positive(&b.youngs_modulus, "youngs_modulus")?, positive(&b.shear_modulus, "shear_modulus")?],
    };
    let stiffness = section.stiffness();
    let mut damping = stiffness * not_negative(&b.damping_ratio, "damping_ratio")?;
    damping += rows(scope, b.damping_matrix.as_ref(), &field("damping_matrix"))?;
    let mut free = Vector6::zeros();
    free[0] = section.length;
    let law = ElasticLaw { stiffness, damping, free, preload: Vector6::zeros() };
    forces.elastic(&b.name, element(scope, measures, pair, law, b.angles), pair);
    Ok(())
}

/// What the stiffness of a beam follows from.
struct Section {
    length: f64,
    area: f64,
    /// Torsion constant, second moments about y and z.
    moments: [f64; 3],
    /// Along y and z.
    shear_ratios: [f64; 2],
    /// Young's, shear.
    moduli: [f64; 2],
}

impl Section {
    /// Stiffness of the far end against the near one (Przemieniecki 1968, equation 5.116, its block of the second end).
    fn stiffness(&self) -> Matrix6<f64> {
        let (l, [torsion, iyy, izz], [e, g]) = (self.length, self.moments, self.moduli);
        let shear = |moment: f64, ratio: f64| 12.0 * e * moment * ratio / (g * self.area * l * l);
        let (py, pz) = (shear(izz, self.shear_ratios[0]), shear(iyy, self.shear_ratios[1]));
        let mut k = Matrix6::zeros();
        k[(0, 0)] = e * self.area / l;
        k[(3, 3)] = g * torsion / l;
        // Deflection along y turns the end about z, along z about -y.
        for (along, about, moment, p, sign) in [(1, 5, izz, py, -1.0), (2, 4, iyy, pz, 1.0)] {
            let ei = e * moment / (1.0 + p);
            k[(along, along)] = 12.0 * ei / l.powi(3);
            k[(about, about)] = (4.0 + p) * ei / l;
            k[(along, about)] = sign * 6.0 * ei / (l * l);
            k[(about, along)] = k[(along, about)];
        }
        k
    }
}

fn six(
    given: &Six,
    mut number: impl FnMut(&Expression) -> Result<f64, Box<ModelError>>,
) -> Result<Vector6<f64>, Box<ModelError>> {
    let mut values = Vector6::zeros();
    for (value, expression) in values.iter_mut().zip(given) {
        *value = number(expression)?;
    }
    Ok(values)
}

/// The diagonal plus the matrix.
fn matrix(
    scope: &Scope<'_>,
    diagonal: &Six,
    added: Option<&[Six; 6]>,
    name: &str,
    field: &Field<'_>,
) -> Result<Matrix6<f64>, Box<ModelError>> {
    let not_negative = |e: &Expression| scope.checked(e, &field(name), "zero or positive", |v| v >= 0.0);
    Ok(Matrix6::from_diagonal(&six(diagonal, not_negative)?) + rows(scope, added, &field(&format!("{name}_matrix")))?)
}

/// A matrix by its rows; zero if absent.
fn rows(scope: &Scope<'_>, given: Option<&[Six; 6]>, location: &Location) -> Result<Matrix6<f64>, Box<ModelError>> {
    let mut matrix = Matrix6::zeros();
    for (k, row) in given.into_iter().flatten().enumerate() {
        matrix.set_row(k, &six(row, |e| scope.number(e, location))?.transpose());
    }
    Ok(matrix)
}

/// The element between two frames, its displacement as the model asks for; its place among the programs follows.
fn element(
    scope: &Scope<'_>,
    measures: &mut Measures,
    pair: (FixedFrame, FixedFrame),
    law: ElasticLaw,
    angles: ElasticAngles,
) -> ElasticForce {
    let displacement = match angles {
        ElasticAngles::RotationVector => Displacement::Middle(Box::new(middle(pair, measures))),
        ElasticAngles::Projected => Displacement::Projected(Box::new(projected(pair, measures))),
    };
    let bodies = [pair.0.body, pair.1.body];
    let mut bodies: Vec<usize> = bodies.into_iter().filter(|&body| body < scope.bodies.len()).collect();
    bodies.sort_unstable();
    bodies.dedup();
    ElasticForce { first: 0, bodies, displacement, law }
}

/// By the rotation vector, turns about each axis of J counted.
fn middle((i, j): (FixedFrame, FixedFrame), measures: &mut Measures) -> Middle {
    let twists = [[2, 3, 1], [3, 1, 2], [1, 2, 3]].map(|axes| TurnCounter {
        i: orientations::turned(i, axes),
        j: orientations::turned(j, axes),
        angle: CountedAngle::Twist,
    });
    Middle { i, j, counters: twists.map(|twist| measures.count(twist)), twists }
}

/// By angles about the axes of J.
fn projected((i, j): (FixedFrame, FixedFrame), measures: &mut Measures) -> Projected {
    use KinematicQuantity as Q;
    let axis = |component| Projection { frame: j, component };
    let of = |quantity| Kinematic { quantity, i, j };
    let [x, y, z] = [Component::X, Component::Y, Component::Z].map(axis);
    let [a, b, c] = orientations::axis_angles((i, j), measures);
    let velocity = |projection| of(Q::Velocity { projection, seen_from: j });
    let coordinates = [
        of(Q::Position(x)),
        of(Q::Position(y)),
        of(Q::Position(z)),
        a,
        b,
        c,
        velocity(x),
        velocity(y),
        velocity(z),
        of(Q::AngularVelocity(x)),
        of(Q::AngularVelocity(y)),
        of(Q::AngularVelocity(z)),
    ];
    Projected { coordinates }
}
