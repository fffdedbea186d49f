//! A straight beam of constant section as finite elements, with shear (Timoshenko) or without (Euler and Bernoulli).
//!
//! Each element has two nodes of six unknowns, displacement and turn, and the shapes of a beam that is loaded at its ends alone (Przemieniecki, Theory
//! of Matrix Structural Analysis, 1968, sections 5.6 and 11.5). Its mass is that of four points of Gauss' rule, exact for these
//! shapes; every sum over the mass is one over these points.

use super::{CraigBampton, Lump, ReductionError, Shape, ShapeNode};
use crate::space::{M3, V3};
use nalgebra::{DMatrix, Matrix3xX, OMatrix, U3, U12};

/// Points on the unit interval, and their weights.
const GAUSS: [[f64; 2]; 4] = [
    [0.069_431_844_202_973_71, 0.173_927_422_568_726_93],
    [0.330_009_478_207_571_87, 0.326_072_577_431_273_07],
    [0.669_990_521_792_428_1, 0.326_072_577_431_273_07],
    [0.930_568_155_797_026_3, 0.173_927_422_568_726_93],
];

/// Displacement or turn of a point by the twelve unknowns of its element.
type Interpolation = OMatrix<f64, U3, U12>;

/// Section and material of a beam along x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Area \[m^2\].
    pub area: f64,
    /// Second moments of the area about y and z \[m^4\].
    pub moments: [f64; 2],
    /// Torsion constant \[m^4\].
    pub torsion: f64,
    /// Young's modulus \[Pa\].
    pub youngs_modulus: f64,
    /// Shear modulus \[Pa\].
    pub shear_modulus: f64,
    /// Density [kg/m^3].
    pub density: f64,
    /// Area over the area that takes part in shear; 0 without shear.
    pub shear_factor: f64,
}

/// The elements of a beam.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamElements {
    /// Places of the nodes along x, ascending \[m\].
    pub nodes: Vec<f64>,
    /// Stiffness, six unknowns a node: displacement, then turn [N/m, N, N m].
    pub stiffness: DMatrix<f64>,
    /// Mass [kg, kg m, kg m^2].
    pub mass: DMatrix<f64>,
    points: Vec<Point>,
    section: Section,
}

/// A point of Gauss' rule.
#[derive(Debug, Clone, PartialEq)]
struct Point {
    element: usize,
    x: f64,
    /// Length of the beam that it stands for \[m\].
    length: f64,
    displacement: Interpolation,
    turn: Interpolation,
}

impl BeamElements {
    /// Between nodes at the places `nodes`, ascending, two at least.
    #[must_use]
    pub fn new(section: &Section, nodes: Vec<f64>) -> Self {
        let n = 6 * nodes.len();
        let (mut stiffness, mut mass, mut points) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n), Vec::new());
        for (element, ends) in nodes.windows(2).enumerate() {
            let (from, length) = (6 * element, ends[1] - ends[0]);
            let mut block = stiffness.view_mut((from, from), (12, 12));
            block += element_stiffness(section, length);
            for [at, weight] in GAUSS {
                let [displacement, turn] = shapes(section, length, at);
                let part = displacement.transpose() * displacement * (section.density * section.area)
                    + turn.transpose() * section.rotary() * turn;
                let mut block = mass.view_mut((from, from), (12, 12));
                block += part * (weight * length);
                points.push(Point { element, x: ends[0] + at * length, length: weight * length, displacement, turn });
            }
        }
        Self { nodes, stiffness, mass, points, section: *section }
    }

    /// Reduced to modes with the nodes of these numbers and names, `modes` with these fixed, none of a frequency above `highest` [rad/s].
    ///
    /// # Errors
    /// [`ReductionError`] for sections without mass or stiffness.
    pub fn reduce(&self, named: &[(usize, &str)], modes: usize, highest: f64) -> Result<Shape, ReductionError> {
        let interface: Vec<usize> = named.iter().flat_map(|(node, _)| 6 * node..6 * node + 6).collect();
        let reduction = CraigBampton { mass: &self.mass, stiffness: &self.stiffness, interface: &interface, modes };
        let found = reduction.reduce()?;
        let count = found.frequencies.iter().filter(|w| **w <= highest).count();
        let mut shapes = found.shapes.columns(0, count).into_owned();
        let mut stiffness = DMatrix::zeros(count, count);
        for (k, mut shape) in shapes.column_iter_mut().enumerate() {
            // Coordinates are the largest displacement of a node, or its turn by the length of the beam.
            let length = self.nodes[self.nodes.len() - 1] - self.nodes[0];
            let sizes = shape.iter().enumerate().map(|(n, u)| u.abs() * if n % 6 < 3 { 1.0 } else { length });
            let size = sizes.fold(0.0, f64::max);
            shape /= size;
            stiffness[(k, k)] = (found.frequencies[k] / size).powi(2);
        }
        let lumps: Vec<(Option<&str>, Lump)> =
            self.points.iter().map(|point| (None, self.lump(point, &shapes))).collect();
        let mut shape = Shape::of_lumps(&lumps, stiffness, DMatrix::zeros(count, count));
        let part = |first: usize| Matrix3xX::from_fn(count, |r, k| shapes[(first + r, k)]);
        shape.nodes = named
            .iter()
            .map(|&(node, name)| ShapeNode {
                name: name.to_owned(),
                position: V3::new(self.nodes[node], 0.0, 0.0) - shape.center,
                translation: part(6 * node),
                rotation: part(6 * node + 3),
            })
            .collect();
        Ok(shape)
    }

    fn lump(&self, point: &Point, shapes: &DMatrix<f64>) -> Lump {
        let own = shapes.rows(6 * point.element, 12);
        let of = |by: &Interpolation| -> Matrix3xX<f64> { by * own };
        Lump {
            mass: self.section.density * self.section.area * point.length,
            inertia: self.section.rotary() * point.length,
            position: V3::new(point.x, 0.0, 0.0),
            translation: of(&point.displacement),
            rotation: of(&point.turn),
        }
    }
}

impl Section {
    /// Inertia of the section by length [kg m].
    fn rotary(&self) -> M3 {
        let [y, z] = self.moments;
        M3::from_diagonal(&(V3::new(y + z, y, z) * self.density))
    }

    /// 12 E I/(G A_s L^2) for bending about axis `about`, 0 for y.
    fn shear(&self, about: usize, length: f64) -> f64 {
        12.0 * self.youngs_modulus * self.moments[about] * self.shear_factor
            / (self.shear_modulus * self.area * length * length)
    }
}

/// Displacement and turn at x = `at` times the length.
fn shapes(section: &Section, length: f64, at: f64) -> [Interpolation; 2] {
    let (mut displacement, mut turn) = (Interpolation::zeros(), Interpolation::zeros());
    for (first, share) in [(0, 1.0 - at), (6, at)] {
        displacement[(0, first)] = share;
        turn[(0, first + 3)] = share;
    }
    // Bending in the x-y plane turns about z by dv/dx, that in the x-z plane about y by -dw/dx.
    for (across, about, sign) in [(1, 2, 1.0), (2, 1, -1.0)] {
        let p = section.shear(about - 1, length);
        let (x, all) = (at, 1.0 + p);
        let way = [
            (all - p * x - 3.0 * x * x + 2.0 * x * x * x) / all,
            length * ((1.0 + 0.5 * p) * x - (2.0 + 0.5 * p) * x * x + x * x * x) / all,
            (p * x + 3.0 * x * x - 2.0 * x * x * x) / all,
            length * (-0.5 * p * x + (0.5 * p - 1.0) * x * x + x * x * x) / all,
        ];
        let slope = [
            6.0 * (x * x - x) / (length * all),
            (all - (4.0 + p) * x + 3.0 * x * x) / all,
            6.0 * (x - x * x) / (length * all),
            ((p - 2.0) * x + 3.0 * x * x) / all,
        ];
        for (k, first) in [0, 6].into_iter().enumerate() {
            displacement[(across, first + across)] = way[2 * k];
            displacement[(across, first + 3 + about)] = sign * way[2 * k + 1];
            turn[(about, first + across)] = sign * slope[2 * k];
            turn[(about, first + 3 + about)] = slope[2 * k + 1];
        }
    }
    [displacement, turn]
}

fn element_stiffness(section: &Section, length: f64) -> OMatrix<f64, U12, U12> {
    let mut k = OMatrix::<f64, U12, U12>::zeros();
    let e = section.youngs_modulus;
    for (at, value) in [(0, e * section.area / length), (3, section.shear_modulus * section.torsion / length)] {
        for (r, c, sign) in [(0, 0, 1.0), (0, 6, -1.0), (6, 0, -1.0), (6, 6, 1.0)] {
            k[(at + r, at + c)] = sign * value;
        }
    }
    for (across, about, sign) in [(1, 2, 1.0), (2, 1, -1.0)] {
        let p = section.shear(about - 1, length);
        let (l, unit) = (length * sign, e * section.moments[about - 1] / (length.powi(3) * (1.0 + p)));
        let places = [across, 3 + about, 6 + across, 9 + about];
        let (near, far) = ((4.0 + p) * l * l, (2.0 - p) * l * l);
        let rows = [
            [12.0, 6.0 * l, -12.0, 6.0 * l],
            [6.0 * l, near, -6.0 * l, far],
            [-12.0, -6.0 * l, 12.0, -6.0 * l],
            [6.0 * l, far, -6.0 * l, near],
        ];
        for (r, row) in places.into_iter().zip(rows) {
            for (c, value) in places.into_iter().zip(row) {
                k[(r, c)] += value * unit;
            }
        }
    }
    k
}
