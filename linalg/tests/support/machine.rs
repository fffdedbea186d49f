//! Newton matrices of the stiff BDF corrector for spatial chains and ladders of rigid bodies, index-3 formulation.
//!
//! Fifteen unknowns a body, (x, V, e, w, P) with 3-1-3 Euler angles e, w = e' and the angular momentum P conjugate to e, and
//! the equations m V' + Phi_x^T lambda = f, P' - T_e + Phi_e^T lambda = 0, P - B^T J B w = 0, x' - V = 0, e' - w = 0; a
//! revolute joint adds five rows, a spherical one three. Rows are in SI units; b = h beta_0 enters as 1/b.

use super::Random;
use fourbar_linalg::{CscMatrix, CsrMatrix};
use nalgebra::{Matrix3, Vector3};
use nalgebra_sparse::CooMatrix;

const B: f64 = 1e-3;
const X: usize = 0;
const V: usize = 3;
const E: usize = 6;
const W: usize = 9;
const P: usize = 12;

struct Body {
    mass: f64,
    inertia: Vector3<f64>,
    angles: Vector3<f64>,
    rates: Vector3<f64>,
}

/// Points on two bodies that coincide; a revolute joint also keeps two axes of the first normal to one of the second.
struct Joint {
    /// `None` is the ground.
    bodies: [Option<usize>; 2],
    points: [Vector3<f64>; 2],
    normals: [Vector3<f64>; 2],
    axis: Vector3<f64>,
    revolute: bool,
    lambda: [f64; 5],
    first_row: usize,
}

/// A mechanism with random bodies.
pub struct Machine {
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    n: usize,
}

impl Machine {
    /// Each body pinned to the previous one by a revolute joint, the first to the ground; n = 20 a body.
    pub fn chain(bodies: usize, seed: u64) -> Self {
        let mut machine = Self { bodies: Vec::new(), joints: Vec::new(), n: 15 * bodies };
        let mut random = Random(seed);
        for i in 0..bodies {
            machine.add_body(&mut random);
            machine.add_joint([i.checked_sub(1), Some(i)], true, &mut random);
        }
        machine
    }

    /// Cells of two rails and a rung: closed loops; n = 61 a cell.
    pub fn ladder(cells: usize, seed: u64) -> Self {
        let mut machine = Self { bodies: Vec::new(), joints: Vec::new(), n: 45 * cells };
        let mut random = Random(seed);
        for cell in 0..cells {
            let [left, right, rung] = [3 * cell, 3 * cell + 1, 3 * cell + 2];
            (0..3).for_each(|_| machine.add_body(&mut random));
            machine.add_joint([left.checked_sub(3), Some(left)], true, &mut random);
            machine.add_joint([right.checked_sub(3).filter(|_| cell > 0), Some(right)], false, &mut random);
            machine.add_joint([Some(left), Some(rung)], false, &mut random);
            machine.add_joint([Some(right), Some(rung)], true, &mut random);
        }
        machine
    }

    fn add_body(&mut self, random: &mut Random) {
        self.bodies.push(Body {
            mass: 2.0 + random.signed(),
            inertia: Vector3::from_fn(|_, _| 0.2 + 0.1 * random.signed()),
            angles: Vector3::from_fn(|i, _| if i == 1 { 1.5 + random.signed() } else { 3.0 * random.signed() }),
            rates: Vector3::from_fn(|_, _| random.signed()),
        });
    }

    fn add_joint(&mut self, bodies: [Option<usize>; 2], revolute: bool, random: &mut Random) {
        let mut vector = || Vector3::from_fn(|_, _| 0.5 * random.signed());
        self.joints.push(Joint {
            bodies,
            points: [vector(), vector()],
            normals: [vector(), vector()],
            axis: vector(),
            revolute,
            lambda: std::array::from_fn(|_| 10.0 * random.signed()),
            first_row: self.n,
        });
        self.n += if revolute { 5 } else { 3 };
    }

    /// The Newton matrix with every Euler angle moved at random by up to `spread` [rad]; the pattern does not depend on it.
    pub fn matrix(&self, spread: f64, seed: u64) -> CscMatrix<f64> {
        let angles = self.angles(spread, seed);
        let mut coo = CooMatrix::new(self.n, self.n);
        for (i, body) in self.bodies.iter().enumerate() {
            body_rows(&mut coo, 15 * i, body, &angles[i]);
        }
        for joint in &self.joints {
            joint_rows(&mut coo, joint, &angles);
        }
        CscMatrix::from(&coo)
    }

    /// M and Phi_q in the coordinates (x, e) of the bodies, angles moved as in [`Machine::matrix`].
    pub fn kkt(&self, spread: f64, seed: u64) -> (CscMatrix<f64>, CsrMatrix<f64>) {
        let angles = self.angles(spread, seed);
        let n = 6 * self.bodies.len();
        let mut mass = CooMatrix::new(n, n);
        for (i, body) in self.bodies.iter().enumerate() {
            diagonal(&mut mass, 6 * i, 6 * i, body.mass);
            block(&mut mass, 6 * i + 3, 6 * i + 3, &angular_mass(&body.inertia, &angles[i]));
        }
        let first_row = 15 * self.bodies.len();
        let mut phi = CooMatrix::new(self.n - first_row, n);
        for joint in &self.joints {
            let mut all = CooMatrix::new(self.n, self.n);
            joint_rows(&mut all, joint, &angles);
            for (row, column, value) in all.triplet_iter().filter(|t| t.0 >= first_row) {
                let (body, unknown) = (column / 15, column % 15);
                let coordinate = if unknown < V { unknown } else { unknown - E + 3 };
                phi.push(row - first_row, 6 * body + coordinate, value * B);
            }
        }
        (CscMatrix::from(&mass), CsrMatrix::from(&phi))
    }

    fn angles(&self, spread: f64, seed: u64) -> Vec<Vector3<f64>> {
        let mut random = Random(seed);
        let moved = |b: &Body| b.angles + Vector3::from_fn(|_, _| spread * random.signed());
        self.bodies.iter().map(moved).collect()
    }

    /// Number n of unknowns.
    pub fn order(&self) -> usize {
        self.n
    }
}

fn block(coo: &mut CooMatrix<f64>, row: usize, column: usize, values: &Matrix3<f64>) {
    for i in 0..3 {
        for j in 0..3 {
            coo.push(row + i, column + j, values[(i, j)]);
        }
    }
}

fn diagonal(coo: &mut CooMatrix<f64>, row: usize, column: usize, value: f64) {
    (0..3).for_each(|i| coo.push(row + i, column + i, value));
}

/// Rows in the order of their dominant unknowns: x' - V, m V', P' (at e), w: P - B^T J B w, e' - w (at P).
fn body_rows(coo: &mut CooMatrix<f64>, at: usize, body: &Body, e: &Vector3<f64>) {
    diagonal(coo, at + X, at + X, 1.0 / B);
    diagonal(coo, at + X, at + V, -1.0);
    diagonal(coo, at + V, at + V, body.mass / B);
    diagonal(coo, at + E, at + P, 1.0 / B);
    diagonal(coo, at + W, at + P, 1.0);
    diagonal(coo, at + P, at + E, 1.0 / B);
    diagonal(coo, at + P, at + W, -1.0);
    let momentum = |e: &Vector3<f64>| angular_mass(&body.inertia, e);
    block(coo, at + W, at + W, &-momentum(e));
    // d(B^T J B w)/de by central differences: only the sizes matter here
    let slope = |i: usize| {
        let step = Vector3::ith(i, 1e-4);
        (momentum(&(e + step)) - momentum(&(e - step))) / 2e-4
    };
    let slopes = Matrix3::from_columns(&[0, 1, 2].map(|i| slope(i) * body.rates));
    block(coo, at + W, at + E, &-slopes);
    block(coo, at + E, at + W, &-slopes.transpose());
    block(coo, at + E, at + E, &(slopes * slopes.transpose()));
}

/// B^T J B, where B(e) w is the angular velocity in the body.
fn angular_mass(inertia: &Vector3<f64>, e: &Vector3<f64>) -> Matrix3<f64> {
    let (st, ct) = e[1].sin_cos();
    let (sp, cp) = e[2].sin_cos();
    let b = Matrix3::new(st * sp, cp, 0.0, st * cp, -sp, 0.0, ct, 0.0, 1.0);
    b.transpose() * Matrix3::from_diagonal(inertia) * b
}

fn about_z(angle: f64) -> [Matrix3<f64>; 2] {
    let (s, c) = angle.sin_cos();
    [Matrix3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), Matrix3::new(-s, -c, 0.0, c, -s, 0.0, 0.0, 0.0, 0.0)]
}

fn about_x(angle: f64) -> [Matrix3<f64>; 2] {
    let (s, c) = angle.sin_cos();
    [Matrix3::new(1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c), Matrix3::new(0.0, 0.0, 0.0, 0.0, -s, -c, 0.0, c, -s)]
}

/// A(e) s and its three partial derivatives as columns.
fn rotate(e: &Vector3<f64>, s: &Vector3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let (a, b, c) = (about_z(e[0]), about_x(e[1]), about_z(e[2]));
    let columns = [a[1] * b[0] * c[0] * s, a[0] * b[1] * c[0] * s, a[0] * b[0] * c[1] * s];
    (a[0] * b[0] * c[0] * s, Matrix3::from_columns(&columns))
}

fn joint_rows(coo: &mut CooMatrix<f64>, joint: &Joint, angles: &[Vector3<f64>]) {
    let row = joint.first_row;
    let at = |side: usize, s: &Vector3<f64>| match joint.bodies[side] {
        Some(body) => rotate(&angles[body], s),
        None => (*s, Matrix3::zeros()),
    };
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let Some(body) = joint.bodies[side] else { continue };
        let (value, slope) = at(side, &joint.points[side]);
        for i in 0..3 {
            entry(coo, row + i, 15 * body + X + i, 15 * body + V + i, sign);
            (0..3).for_each(|j| entry(coo, row + i, 15 * body + E + j, 15 * body + E + j, sign * slope[(i, j)]));
        }
        // second derivative of lambda . A(e) s: of the size of lambda . A s
        let size = value.dot(&Vector3::from_column_slice(&joint.lambda[..3]));
        block(coo, 15 * body + E, 15 * body + E, &Matrix3::from_element(size));
    }
    if !joint.revolute {
        return;
    }
    let (axis, axis_slope) = at(1, &joint.axis);
    for k in 0..2 {
        let (normal, normal_slope) = at(0, &joint.normals[k]);
        let gradients = [normal_slope.transpose() * axis, axis_slope.transpose() * normal];
        for side in 0..2 {
            let Some(body) = joint.bodies[side] else { continue };
            let column = 15 * body + E;
            (0..3).for_each(|j| entry(coo, row + 3 + k, column + j, column + j, gradients[side][j]));
        }
        if let [Some(first), Some(second)] = joint.bodies {
            let mixed = joint.lambda[3 + k] * normal_slope.transpose() * axis_slope;
            block(coo, 15 * first + E, 15 * second + E, &mixed);
            block(coo, 15 * second + E, 15 * first + E, &mixed.transpose());
        }
    }
}

/// One entry of Phi_q over b, and its mirror in Phi_q^T lambda (in the force row of that coordinate).
fn entry(coo: &mut CooMatrix<f64>, row: usize, coordinate: usize, force_row: usize, value: f64) {
    coo.push(row, coordinate, value / B);
    coo.push(force_row, row, value);
}

/// Phi_q of a plane ladder whose 4 joints a cell are revolutes in space: 20 rows and 18 columns a cell, rank 17 a cell.
///
/// Bodies are rail, rail, rung; coordinates are a displacement and a small rotation; every axis is normal to the plane, so each
/// revolute holds three displacements of its point and two tilts.
pub fn plane_ladder(cells: usize, seed: u64) -> CsrMatrix<f64> {
    let mut random = Random(seed);
    let mut phi = CooMatrix::new(20 * cells, 18 * cells);
    let mut row = 0;
    for cell in 0..cells {
        let [left, right, rung] = [3 * cell, 3 * cell + 1, 3 * cell + 2];
        let before = |body: usize| (cell > 0).then(|| body - 3);
        for bodies in [(before(left), left), (before(right), right), (Some(left), rung), (Some(right), rung)] {
            for (body, sign) in [(bodies.0, -1.0), (Some(bodies.1), 1.0)] {
                let [x, y] = [random.signed(), random.signed()];
                let Some(at) = body.map(|b| 6 * b) else { continue };
                (0..3).for_each(|i| phi.push(row + i, at + i, sign));
                // omega x (x, y, 0)
                phi.push(row, at + 5, -sign * y);
                phi.push(row + 1, at + 5, sign * x);
                phi.push(row + 2, at + 3, sign * y);
                phi.push(row + 2, at + 4, -sign * x);
                phi.push(row + 3, at + 3, sign);
                phi.push(row + 4, at + 4, sign);
            }
            row += 5;
        }
    }
    CsrMatrix::from(&phi)
}
