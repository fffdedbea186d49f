//! The modes of flexible bodies: from their numbers, or from the finite elements of a beam.

use super::scope::Scope;
use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::flexible::{BeamElements, Lump, Section, Shape};
use crate::model::{Flexible, FlexibleBeam, FlexibleNode, ModalData};
use crate::space::{M3, V3};
use fourbar_linalg::large_symmetric_eigen;
use nalgebra::{Cholesky, DMatrix, Matrix3xX};

type Field<'a> = &'a dyn Fn(&str) -> Location;

/// The modes of `flexible`, with its damping.
pub(super) fn read(scope: &Scope<'_>, flexible: &Flexible, field: Field<'_>) -> Result<Shape, Box<ModelError>> {
    let given = [flexible.beam.is_some(), flexible.data.is_some()];
    let mut shape = match (&flexible.beam, &flexible.data) {
        (None, Some(data)) => of_data(data, field)?,
        (Some(beam), None) => of_beam(scope, beam, field)?,
        _ => {
            let problem = if given[0] { "both `beam` and `data` are given" } else { "the body has no modes" };
            let remedy = "give one of `beam`, `data` and `file`";
            return Err(ModelError::new(field("beam"), problem, remedy));
        }
    };
    damp(scope, flexible, field, &mut shape)?;
    Ok(shape)
}

/// A beam as finite elements, reduced.
fn of_beam(scope: &Scope<'_>, beam: &FlexibleBeam, field: Field<'_>) -> Result<Shape, Box<ModelError>> {
    let positive = |name: &str, e| {
        scope.checked(e, &field(&format!("beam.{name}")), "a positive number", |value: f64| {
            value > 0.0 && value.is_finite()
        })
    };
    let length = positive("length", &beam.length)?;
    let moments = [positive("iyy", &beam.iyy)?, positive("izz", &beam.izz)?];
    let torsion = beam.ixx.as_ref().map(|e| positive("ixx", e)).transpose()?;
    let shear = "a number that is not negative, 6/5 for a rectangle";
    let highest = beam.highest_frequency.as_ref().map(|e| positive("highest_frequency", e)).transpose()?;
    let section = Section {
        area: positive("area", &beam.area)?,
        moments,
        torsion: torsion.unwrap_or(moments[0] + moments[1]),
        youngs_modulus: positive("youngs_modulus", &beam.youngs_modulus)?,
        shear_modulus: positive("shear_modulus", &beam.shear_modulus)?,
        density: positive("density", &beam.density)?,
        shear_factor: scope.checked(&beam.shear_factor, &field("beam.shear_factor"), shear, |f| f >= 0.0)?,
    };
    if !(1..=MOST_ELEMENTS).contains(&beam.elements) {
        let problem = format!("{} elements", beam.elements);
        let remedy = format!("give between 1 and {MOST_ELEMENTS}");
        return Err(ModelError::new(field("beam.elements"), problem, remedy));
    }
    let mut stations = vec![(0.0, "start"), (length, "end")];
    for (name, place) in &beam.stations {
        let at = field(&format!("beam.stations.{name}"));
        let x = scope.checked(place, &at, "a place between start and end", |x| x > 0.0 && x < length)?;
        if stations.iter().any(|(known, own)| own == name || *known == x) {
            return Err(ModelError::new(at, "another node has this name or place", "choose another one"));
        }
        stations.push((x, name));
    }
    stations.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut nodes, mut named) = (vec![0.0], vec![(0, "start")]);
    for pair in stations.windows(2) {
        let ([from, to], name) = ([pair[0].0, pair[1].0], pair[1].1);
        let count = ((to - from) / length * beam.elements as f64).ceil().max(1.0);
        nodes.extend((1..count as usize).map(|k| from + (to - from) * k as f64 / count));
        named.push((nodes.len(), name));
        nodes.push(to);
    }
    let highest = highest.map_or(f64::INFINITY, |f| f * std::f64::consts::TAU);
    let shape = BeamElements::new(&section, nodes).reduce(&named, beam.modes, highest);
    let shape = shape.map_err(|error| {
        ModelError::new(field("beam"), error.to_string(), "look at the section, the material and the elements")
    })?;
    if shape.modes() == 0 {
        let problem = "no mode lies below `highest_frequency`";
        return Err(ModelError::new(field("beam.highest_frequency"), problem, "raise it, or use a rigid body"));
    }
    Ok(shape)
}

/// Elements at most: of more the reduction takes seconds.
const MOST_ELEMENTS: usize = 100;

fn of_data(data: &ModalData, field: Field<'_>) -> Result<Shape, Box<ModelError>> {
    let stiffness = match (data.stiffness.is_empty(), data.stiffness_matrix.is_empty()) {
        (false, true) => DMatrix::from_diagonal(&nalgebra::DVector::from_column_slice(&data.stiffness)),
        (true, false) => matrix(&data.stiffness_matrix, "data.stiffness_matrix", field)?,
        (none, _) => {
            let problem = if none { "the modes have no stiffness" } else { "the stiffness is given twice" };
            let remedy = "give `stiffness`, one number a mode, or `stiffness_matrix`";
            return Err(ModelError::new(field("data.stiffness"), problem, remedy));
        }
    };
    let modes = stiffness.nrows();
    let damping = if data.damping_matrix.is_empty() {
        DMatrix::zeros(modes, modes)
    } else {
        matrix(&data.damping_matrix, "data.damping_matrix", field)?
    };
    if damping.nrows() != modes {
        let problem = format!("it has {} rows; there are {modes} modes", damping.nrows());
        return Err(ModelError::new(field("data.damping_matrix"), problem, "give one row and column a mode"));
    }
    let mut lumps = Vec::new();
    for (index, node) in data.node.iter().enumerate() {
        let place = |name: &str| field(&format!("data.node[{index}].{name}"));
        lumps.push((node.name.as_deref(), lump(node, modes, &place)?));
    }
    let named: Vec<&str> = lumps.iter().filter_map(|(name, _)| *name).collect();
    if let Some(twice) = named.iter().enumerate().find(|(k, name)| named[..*k].contains(name)) {
        let problem = format!("two nodes have the name \"{}\"", twice.1);
        return Err(ModelError::new(field("data.node"), problem, "choose another name"));
    }
    let mass: f64 = lumps.iter().map(|(_, lump)| lump.mass).sum();
    if !(mass > 0.0) {
        let problem = format!("its nodes have the mass {mass} together");
        return Err(ModelError::new(field("data.node"), problem, "give nodes a `mass`, kilograms"));
    }
    Ok(Shape::of_lumps(&lumps, stiffness, damping))
}

fn lump(node: &FlexibleNode, modes: usize, field: Field<'_>) -> Result<Lump, Box<ModelError>> {
    if node.modes.len() != modes {
        let problem = format!("the node moves in {} modes; the stiffness has {modes}", node.modes.len());
        return Err(ModelError::new(field("modes"), problem, "give six numbers for each mode"));
    }
    let numbers = node.position.iter().chain(&node.inertia).chain(node.modes.iter().flatten());
    if let Some(bad) = numbers.chain([&node.mass]).find(|value| !value.is_finite()) {
        return Err(ModelError::new(
            field("position"),
            format!("a number of the node is {bad}"),
            "give finite numbers",
        ));
    }
    let light = node.inertia.iter().chain([&node.mass]).find(|value| **value < 0.0);
    if let Some(light) = light {
        let problem = format!("mass or inertia is negative, {light}");
        return Err(ModelError::new(field("mass"), problem, "give numbers that are not negative"));
    }
    let part = |first: usize| Matrix3xX::from_fn(modes, |r, k| node.modes[k][first + r]);
    Ok(Lump {
        mass: node.mass,
        inertia: M3::from_diagonal(&V3::from(node.inertia)),
        position: V3::from(node.position),
        translation: part(0),
        rotation: part(3),
    })
}

/// A symmetric matrix by rows.
fn matrix(rows: &[Vec<f64>], name: &str, field: Field<'_>) -> Result<DMatrix<f64>, Box<ModelError>> {
    let n = rows.len();
    if let Some(row) = rows.iter().find(|row| row.len() != n) {
        let problem = format!("a row has {} numbers, there are {n} rows", row.len());
        return Err(ModelError::new(field(name), problem, "give a square matrix"));
    }
    let matrix = DMatrix::from_fn(n, n, |r, c| rows[r][c]);
    let skew = (&matrix - matrix.transpose()).amax();
    if !(skew <= SYMMETRIC * matrix.amax()) {
        let problem = format!("it is not symmetric: two entries differ by {skew:e}");
        return Err(ModelError::new(field(name), problem, "give a symmetric matrix of finite numbers"));
    }
    Ok(matrix)
}

/// Difference of two entries across the diagonal, over the largest: figures of files have some nine digits.
const SYMMETRIC: f64 = 1e-8;

/// Adds damping by ratios and by the stiffness. With M = L L^T and the eigenmodes V of L^-1 K L^-T, their squared frequencies W, the ratios z make
/// C = L V 2 z sqrt(W) V^T L^T.
fn damp(scope: &Scope<'_>, flexible: &Flexible, field: Field<'_>, shape: &mut Shape) -> Result<(), Box<ModelError>> {
    let wanted = "a number that is not negative";
    let number = |name: &str, e: &Option<Expression>| {
        e.as_ref().map(|e| scope.checked(e, &field(name), wanted, |value: f64| value >= 0.0)).transpose()
    };
    let ratio = number("damping_ratio", &flexible.damping_ratio)?;
    let factor = number("stiffness_damping", &flexible.stiffness_damping)?;
    let by_matrix = flexible.data.as_ref().is_some_and(|data| !data.damping_matrix.is_empty());
    let stated = ratio.is_some() || factor.is_some() || by_matrix;
    let Some(mass) = Cholesky::new(shape.invariants.modal.clone()) else {
        let remedy = "leave out modes that move no mass, and those that others make up";
        return Err(ModelError::new(field("data.node"), "the modes have no mass, or depend on each other", remedy));
    };
    let l = mass.l();
    let inverse = l.solve_lower_triangular(&DMatrix::identity(l.nrows(), l.nrows())).unwrap_or_default();
    let eigen = large_symmetric_eigen(&(&inverse * &shape.stiffness * inverse.transpose()));
    let largest = eigen.eigenvalues.amax();
    if let Some(w) = eigen.eigenvalues.iter().find(|w| !(**w > STIFF * largest)) {
        let problem = format!("the stiffness lets a mode move freely: a squared frequency is {w:e} of {largest:e}");
        let remedy = "leave out modes of rigid-body motion; the floating frame has them";
        return Err(ModelError::new(field("data.stiffness"), problem, remedy));
    }
    let shapes = l * eigen.eigenvectors;
    let of = |w: f64| if stated { ratio.unwrap_or(0.0) } else { usual_ratio(w) };
    let critical = eigen.eigenvalues.map(|w| 2.0 * of(w.sqrt()) * w.sqrt());
    let by_stiffness = &shape.stiffness * factor.unwrap_or(0.0);
    shape.damping += &shapes * DMatrix::from_diagonal(&critical) * shapes.transpose() + by_stiffness;
    Ok(())
}

/// Damping over the critical one of a mode of circular frequency `w` [rad/s] where none is given, as Adams and MotionSolve have it: stretch, torsion and
/// high bending follow their loads without ringing at steps of their own (Altair `MotionView` User's Guide, Deformable Bodies - Modes, Default Damping).
fn usual_ratio(w: f64) -> f64 {
    match w / std::f64::consts::TAU {
        hertz if hertz < 100.0 => 0.01,
        hertz if hertz <= 1000.0 => 0.1,
        _ => 1.0,
    }
}

/// Squared frequencies below this part of the largest are round-off of a rigid-body motion.
const STIFF: f64 = 1e-13;
