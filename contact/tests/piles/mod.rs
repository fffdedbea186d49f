//! Boxes on boxes as problems in global form: what a time step of a pile at rest, or just landing, asks of a solver.
#![allow(dead_code, unreachable_pub, reason = "each test and bench uses its part")]

pub mod collection;

use fourbar_contact::{
    friction::Cone,
    problem::{FreeBody, GlobalContact, GlobalFriction},
    unilateral::Row,
};
use fourbar_multibody::space::{M3, V3};

/// Gravity times step [m/s].
pub const PULL: f64 = 9.81 * 0.005;

/// A box of edge `edge` and mass `mass` with a free velocity.
pub fn cube(mass: f64, edge: f64, velocity: V3, spin: V3) -> FreeBody {
    let inverse = 6.0 / (mass * edge * edge);
    FreeBody { inverse_mass: 1.0 / mass, inverse_inertia: M3::from_diagonal_element(inverse), velocity, spin }
}

/// Rows of a contact at `point` with unit normal `n` (towards I), centres of mass at `centres`.
pub fn rows(point: V3, n: V3, centres: [V3; 2]) -> [Row; 6] {
    let least = if n.x.abs() < 0.8 { V3::x() } else { V3::y() };
    let t1 = (least - n * n.dot(&least)).normalize();
    let t2 = n.cross(&t1);
    let [ri, rj] = centres.map(|x| point - x);
    let along = |d: V3| Row { g: d, gi: ri.cross(&d), gj: -rj.cross(&d), drift: 0.0 };
    let about = |d: V3| Row { g: V3::zeros(), gi: d, gj: -d, drift: 0.0 };
    [along(n), along(t1), along(t2), about(n), about(t1), about(t2)]
}

/// Columns of `height` boxes of 0.2 m side by side; the mass of box k of a column (from below) is `mass(k)`. All fall at `PULL`, column
/// c also with its `push(c)`; four points a face.
pub fn columns(
    count: usize,
    height: usize,
    mu: f64,
    mass: impl Fn(usize) -> f64,
    push: impl Fn(usize) -> V3,
) -> GlobalFriction {
    let edge = 0.2;
    let mut problem = GlobalFriction::default();
    for c in 0..count {
        let x = V3::new((c % 10) as f64 * 0.3, (c / 10) as f64 * 0.3, 0.0);
        for k in 0..height {
            let velocity = V3::new(0.0, 0.0, -PULL) + push(c);
            problem.bodies.push(cube(mass(k), edge, velocity, V3::zeros()));
            let centre = |k: f64| x + V3::new(0.0, 0.0, edge * (k + 0.5));
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let point = x + V3::new(0.5 * a * edge, 0.5 * b * edge, edge * k as f64);
                let below = if k == 0 { count * height } else { c * height + k - 1 };
                let under = if k == 0 { V3::zeros() } else { centre(k as f64 - 1.0) };
                problem.contacts.push(GlobalContact {
                    bodies: [c * height + k, below],
                    cone: Cone::coulomb(mu),
                    rows: rows(point, V3::z(), [centre(k as f64), under]),
                    bias: [0.0; 6],
                });
            }
        }
    }
    problem
}

/// A wall of bricks in running bond, `wide` at the bottom, one fewer in each row above: two bricks carry one.
pub fn wall(wide: usize, mu: f64, push: V3) -> GlobalFriction {
    let edge = 0.2;
    let mut problem = GlobalFriction::default();
    let mut below: Vec<(usize, V3)> = Vec::new();
    for row in 0..wide {
        let mut present = Vec::new();
        for k in 0..wide - row {
            let centre = V3::new((k as f64 + 0.5 * row as f64) * edge, 0.0, (row as f64 + 0.5) * edge);
            let body = problem.bodies.len();
            problem.bodies.push(cube(1.0 + 0.1 * k as f64, edge, V3::new(0.0, 0.0, -PULL) + push, V3::zeros()));
            let z = row as f64 * edge;
            let supports: Vec<(usize, V3, [f64; 2])> = if row == 0 {
                vec![(usize::MAX, V3::zeros(), [-0.5, 0.5])]
            } else {
                vec![(below[k].0, below[k].1, [-0.5, 0.0]), (below[k + 1].0, below[k + 1].1, [0.0, 0.5])]
            };
            for (under, under_centre, ends) in supports {
                for (a, b) in [(ends[0], -0.5), (ends[1], -0.5), (ends[1], 0.5), (ends[0], 0.5)] {
                    let point = V3::new(centre.x + a * edge, b * edge, z);
                    problem.contacts.push(GlobalContact {
                        bodies: [body, under],
                        cone: Cone::coulomb(mu),
                        rows: rows(point, V3::z(), [centre, under_centre]),
                        bias: [0.0; 6],
                    });
                }
            }
            present.push((body, centre));
        }
        below = present;
    }
    let ground = problem.bodies.len();
    for contact in &mut problem.contacts {
        contact.bodies[1] = contact.bodies[1].min(ground);
    }
    problem
}

/// Numbers that repeat: a linear congruence.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next one in [-1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A vector of such numbers.
    pub fn vector(&mut self) -> V3 {
        V3::new(self.next(), self.next(), self.next())
    }
}

/// A heap: bodies at random places and speeds, masses spread over `decades`, each touching the ground or earlier bodies at random points
/// with random normals.
pub fn heap(bodies: usize, contacts: usize, mu: impl Fn(usize) -> Cone, decades: f64, seed: u64) -> GlobalFriction {
    let mut numbers = Numbers(seed);
    let mut problem = GlobalFriction::default();
    let mut centres = Vec::new();
    for _ in 0..bodies {
        let mass = 10.0_f64.powf(0.5 * decades * numbers.next());
        problem.bodies.push(cube(mass, 0.2, V3::new(0.0, 0.0, -1.0) + 0.5 * numbers.vector(), numbers.vector()));
        centres.push(numbers.vector() + V3::new(0.0, 0.0, 1.5));
    }
    for c in 0..contacts {
        let i = c % bodies;
        let j = if c < bodies { (((numbers.next() + 1.0) * 0.5 * (i + 1) as f64) as usize).min(i) } else { bodies };
        let (j, other) = if j == i || j >= bodies { (bodies, V3::new(0.0, 0.0, -10.0)) } else { (j, centres[j]) };
        let towards = (centres[i] - other).normalize();
        let n = (towards + 0.3 * numbers.vector()).normalize();
        let point =
            if j == bodies { centres[i] - 0.1 * n } else { 0.5 * (centres[i] + other) } + 0.05 * numbers.vector();
        problem.contacts.push(GlobalContact {
            bodies: [i, j],
            cone: mu(c),
            rows: rows(point, n, [centres[i], if j == bodies { V3::zeros() } else { other }]),
            bias: [0.0; 6],
        });
    }
    problem
}
