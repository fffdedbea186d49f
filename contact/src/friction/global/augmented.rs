//! Augmented Lagrangian in the velocities of one island, by Newton with a sparse factorization.
//!
//! In the scaled units of each contact, with given s = mu |u_T| (De Saxce) and impulses S^, the minimizer v of
//!
//! > 1/2 |v - v_f|_M^2 + 1/(2r) sum |P_K(S^ - r (J v + bias + s e_N))|^2
//!
//! gives S = P_K(..), the next S^; a fixed point obeys the law of Coulomb exactly. The function is convex and smooth, its Hessian
//! M + r J^T P_K' J is positive definite and as sparse as the bodies touch. r stands far above 1/W: few outer iterations whatever the
//! masses and however high the stack, where sweeps take their number times the square of the height. Redundant contacts are ordinary.

use crate::surface::V3;

use super::{
    blocks::{Block, BlockCholesky},
    compiled::{Twist, Unit, velocity},
    island::Island,
    node::{Node, moves},
};
use crate::{
    budget::Meter,
    friction::{
        anderson::Anderson,
        cone::{ROWS, worst},
    },
    problem::GlobalFriction,
};

/// Penalty r, relative to 1/W of each contact, the first and the last from afar: Newton finds its way under a soft one, the outer
/// iteration is fast under a hard one.
const AFAR: (f64, f64) = (10.0, 1e4);
/// The same from nearby, where even the sway of a high tower is to be stopped at once.
const NEARBY: (f64, f64) = (1e4, 1e7);
/// Factor from one minimization to the next.
const HARDER: f64 = 10.0;
/// Newton iterations of one minimization.
const NEWTON: usize = 30;
/// The same under the hard penalty at once, which finds its way from nearby or not at all.
const NEWTON_NEARBY: usize = 6;
/// Trials of a line search.
const TRIALS: usize = 12;
/// Without friction against it, nothing: no node.
const GROUND: usize = usize::MAX;

/// Where an island begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Start {
    /// Anywhere: the penalty begins soft.
    Afar,
    /// Impulses of a step before this one: the penalty is hard at once.
    Nearby,
}

/// What impulses obey.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Law {
    Coulomb,
    /// Any impulses, which hold contacts where they are.
    Sticking,
}

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Augmented {
    matrix: BlockCholesky,
    /// Node of each body, [`GROUND`] elsewhere.
    node: Vec<usize>,
    nodes: Vec<Node>,
    /// Gradients of each row by the velocities of its bodies, what cannot move left out.
    jacobian: Vec<[Twist; 2]>,
    /// S^ of each row and S of the last evaluation, in scaled units.
    anchor: Vec<f64>,
    s: Vec<f64>,
    penalty: f64,
    hardest: f64,
    newton: usize,
    /// s of each unit, and the next.
    correction: Vec<f64>,
    next_correction: Vec<f64>,
    anderson: Anderson,
    kept: Vec<f64>,
    gradient: Vec<Twist>,
    direction: Vec<Twist>,
    start: Vec<Twist>,
}

impl Augmented {
    /// Prepares an island and takes its impulses as S^.
    pub(crate) fn begin(&mut self, problem: &GlobalFriction, island: &Island<'_>, from: Start) {
        self.node.clear();
        self.node.resize(island.bodies.len(), GROUND);
        self.nodes.clear();
        self.jacobian.clear();
        self.anchor.clear();
        self.correction.clear();
        for unit in &*island.units {
            for body in unit.bodies {
                self.add_node(problem, island, body);
            }
            for i in 0..unit.size {
                let row = &island.rows[unit.first + i];
                let sides = [(row.g, row.gi, row.mi, 1.0), (row.g, row.gj, row.mj, -1.0)];
                self.jacobian.push(std::array::from_fn(|side| {
                    let (g, turn, moved, sign) = sides[side];
                    let Some(node) = self.nodes.get(self.node[unit.bodies[side]]) else { return [0.0; 6] };
                    // Inertia times inverse inertia: the part of the gradient along which the body can turn.
                    let angular =
                        if node.inertia.amax() > 0.0 { node.inertia * V3::from(moved) } else { V3::from(turn) };
                    let arm = V3::from(turn).norm();
                    let node = &mut self.nodes[self.node[unit.bodies[side]]];
                    if !(unit.inverse_mass[side] > 0.0 && node.lightness > 0.0) && g != [0.0; 3] {
                        node.radius = node.radius.max(arm);
                    }
                    let linear = if unit.inverse_mass[side] > 0.0 { sign } else { 0.0 };
                    [linear * g[0], linear * g[1], linear * g[2], angular.x, angular.y, angular.z]
                }));
                self.anchor.push(island.s[unit.first + i] / unit.unit(i));
            }
            self.correction.push(if sticks(unit, island) { 0.0 } else { correction(unit, island) });
        }
        self.s.clone_from(&self.anchor);
        self.next_correction.clone_from(&self.correction);
        ((self.penalty, self.hardest), self.newton) = match from {
            Start::Afar => (AFAR, NEWTON),
            Start::Nearby => (NEARBY, NEWTON_NEARBY),
        };
        self.anderson.restart();
        let zero = [0.0; 6];
        for list in [&mut self.gradient, &mut self.direction, &mut self.start] {
            list.clear();
            list.resize(self.nodes.len(), zero);
        }
    }

    fn add_node(&mut self, problem: &GlobalFriction, island: &Island<'_>, place: usize) {
        let Some(body) = problem.bodies.get(island.bodies[place]) else { return };
        if !moves(body) || self.node[place] != GROUND {
            return;
        }
        self.node[place] = self.nodes.len();
        self.nodes.push(Node::new(body, place, island.free[place]));
    }

    /// Impulses with which every contact would stick, pushing or pulling, brought into their cones: one linear problem, the minimizer for
    /// cones that are the whole space and no S^. False if it could not be solved.
    pub(crate) fn stick(&mut self, problem: &GlobalFriction, island: &mut Island<'_>, meter: &Meter) -> bool {
        self.begin(problem, island, Start::Nearby);
        self.anchor.fill(0.0);
        self.correction.fill(0.0);
        island.v.copy_from_slice(island.free);
        self.evaluate(island, Law::Sticking);
        let solved = self.find_direction(island, Law::Sticking, meter).is_some();
        for (node, d) in self.nodes.iter().zip(&self.direction) {
            (0..6).for_each(|k| island.v[node.body][k] += d[k]);
        }
        self.evaluate(island, Law::Coulomb);
        self.give_impulses(island);
        solved
    }

    /// One minimization from the present velocities, then S^ = S and s = mu |u_T|. Velocities and impulses go to the island. `enough`
    /// is the change of velocity [m/s] below which Newton stops. Returns its iterations and whether it got there; `None` if the matrix
    /// could not be factored.
    pub(crate) fn minimize(&mut self, island: &mut Island<'_>, enough: f64, meter: &Meter) -> Option<(usize, bool)> {
        self.evaluate(island, Law::Coulomb);
        let (mut done, mut settled) = (0, false);
        while done < self.newton && !settled && !meter.is_over() {
            done += 1;
            let moved = self.find_direction(island, Law::Coulomb, meter)?;
            self.search(island);
            settled = moved <= enough || self.unbalance() <= enough;
        }
        self.anchor.clone_from(&self.s);
        self.give_impulses(island);
        for (next, unit) in self.next_correction.iter_mut().zip(&*island.units) {
            *next = correction(unit, island);
        }
        if self.penalty < self.hardest {
            self.penalty = (HARDER * self.penalty).min(self.hardest);
        } else {
            self.anderson.accelerate(&self.correction, &mut self.next_correction);
        }
        for (correction, next) in self.correction.iter_mut().zip(&self.next_correction) {
            *correction = next.max(0.0);
        }
        self.newton = NEWTON;
        Some((done, settled))
    }

    /// The Newton direction at the velocities of the last evaluation; the largest change of a velocity in it [m/s]. `None` if the matrix could
    /// not be factored.
    fn find_direction(&mut self, island: &Island<'_>, law: Law, meter: &Meter) -> Option<f64> {
        self.assemble(island, law);
        // The factorization, and some thirty evaluations' worth of everything else.
        meter.spend(self.matrix.work() + 30 * island.sweep_work());
        if !self.matrix.factor() {
            return None;
        }
        for (d, g) in self.direction.iter_mut().zip(&self.gradient) {
            *d = g.map(|g| -g);
        }
        self.matrix.solve(&mut self.direction);
        let moved = self.direction.iter().zip(&self.nodes).fold(0.0, |m: f64, (d, node)| {
            let size = |d: &[f64]| d.iter().fold(0.0, |m: f64, d| worst(m, d.abs()));
            worst(m, worst(size(&d[..3]), node.radius * size(&d[3..])))
        });
        moved.is_finite().then_some(moved)
    }

    /// S of the last evaluation.
    fn give_impulses(&self, island: &mut Island<'_>) {
        for unit in &*island.units {
            for i in unit.first..unit.first + unit.size {
                island.s[i] = self.s[i] * unit.unit(i - unit.first);
            }
        }
    }

    /// What the gradient would change of a velocity without the penalty, at most.
    fn unbalance(&self) -> f64 {
        let of = |(g, node): (&Twist, &Node)| {
            let turn = g[3..].iter().fold(0.0, |m: f64, g| m.max(g.abs())) * node.lightness * node.radius;
            g[..3].iter().fold(turn, |m, g| m.max(g.abs() / node.mass))
        };
        self.gradient.iter().zip(&self.nodes).map(of).fold(0.0, f64::max)
    }

    /// Forgets how s moved so far: it misled.
    pub(crate) fn restart(&mut self) {
        self.anderson.restart();
    }

    /// Workspace to keep impulses aside.
    pub(crate) fn aside(&mut self) -> &mut Vec<f64> {
        &mut self.kept
    }

    /// Whether the last s was accelerated.
    pub(crate) fn accelerated(&self) -> bool {
        self.anderson.active()
    }

    /// Moves along the direction to where the slope has fallen to a half: full steps mostly, secants otherwise. The slope of a convex
    /// function tells more than its value, which drowns in round-off.
    fn search(&mut self, island: &mut Island<'_>) {
        let before = slope(&self.gradient, &self.direction);
        for (start, node) in self.start.iter_mut().zip(&self.nodes) {
            *start = island.v[node.body];
        }
        let (mut t, mut low, mut high) = (1.0, 0.0, f64::INFINITY);
        let mut slopes = (before, f64::NAN);
        for _ in 0..TRIALS {
            for ((node, start), d) in self.nodes.iter().zip(&self.start).zip(&self.direction) {
                island.v[node.body] = std::array::from_fn(|k| start[k] + t * d[k]);
            }
            self.evaluate(island, Law::Coulomb);
            let now = slope(&self.gradient, &self.direction);
            // Beyond the range of numbers there is nothing to bracket: the caller sees that its point is no better.
            if now.abs() <= 0.5 * before.abs() || !now.is_finite() {
                return;
            }
            if now < 0.0 {
                // Still falling at a full step: Newton goes on from here.
                if high == f64::INFINITY {
                    return;
                }
                (low, slopes.0) = (t, now);
            } else {
                (high, slopes.1) = (t, now);
            }
            let secant = low - slopes.0 * (high - low) / (slopes.1 - slopes.0);
            let margin = 0.1 * (high - low);
            t = secant.clamp(low + margin, high - margin);
        }
    }

    /// S and the gradient M (v - v_f) - J^T S at the velocities of the island.
    fn evaluate(&mut self, island: &Island<'_>, law: Law) {
        for (gradient, node) in self.gradient.iter_mut().zip(&self.nodes) {
            let v = &island.v[node.body];
            let spin = node.inertia_or_one() * V3::new(v[3] - node.free[3], v[4] - node.free[4], v[5] - node.free[5]);
            for k in 0..3 {
                gradient[k] = node.mass * (v[k] - node.free[k]);
                gradient[3 + k] = spin[k];
            }
        }
        for (k, unit) in island.units.iter().enumerate() {
            let (mut p, at) = (self.target(unit, island, self.correction[k]), unit.first);
            if let Some(cone) = unit.scaled_cone().filter(|_| law == Law::Coulomb) {
                cone.project(&mut p);
            }
            self.s[at..at + unit.size].copy_from_slice(&p[..unit.size]);
            for (side, &body) in unit.bodies.iter().enumerate() {
                let Some(gradient) = self.gradient.get_mut(self.node[body]) else { continue };
                for i in 0..unit.size {
                    let (row, s) = (&self.jacobian[at + i][side], p[i] * unit.unit(i));
                    (0..6).for_each(|k| gradient[k] -= row[k] * s);
                }
            }
        }
    }

    /// S^ - r (u + s e_N) of a unit, scaled.
    #[inline]
    fn target(&self, unit: &Unit, island: &Island<'_>, correction: f64) -> [f64; ROWS] {
        let (at, mut u) = (unit.first, velocity(unit, island.rows, island.bias, island.v));
        u[0] += correction;
        std::array::from_fn(
            |i| if i < unit.size { self.anchor[at + i] - self.penalty * u[i] * unit.unit(i) } else { 0.0 },
        )
    }

    /// M + r J^T P_K' J at the velocities of the island.
    fn assemble(&mut self, island: &Island<'_>, law: Law) {
        let node = &self.node;
        let pairs = island.units.iter().map(|unit| (node[unit.bodies[0]], node[unit.bodies[1]]));
        self.matrix.reset(self.nodes.len(), pairs.filter(|&(a, b)| a != GROUND && b != GROUND));
        for (k, node) in self.nodes.iter().enumerate() {
            let (block, inertia) = (self.matrix.diagonal_mut(k), node.inertia_or_one());
            for i in 0..3 {
                block[i][i] += node.mass;
                for j in 0..3 {
                    block[3 + i][3 + j] += inertia[(i, j)];
                }
            }
        }
        for (k, unit) in island.units.iter().enumerate() {
            let (mut p, mut weight) = ([0.0; ROWS], [[0.0; ROWS]; ROWS]);
            match unit.scaled_cone() {
                Some(cone) if law == Law::Coulomb => {
                    cone.project_with_derivative(&self.target(unit, island, self.correction[k]), &mut p, &mut weight);
                }
                _ => {
                    p[0] = 1.0;
                    (0..unit.size).for_each(|i| weight[i][i] = 1.0);
                }
            }
            // Where the projection is the tip of the cone, nothing pushes.
            if p[0] > 0.0 {
                self.add_unit(unit, &weight);
            }
        }
    }

    /// Adds J^T (r weight) J of a unit.
    fn add_unit(&mut self, unit: &Unit, weight: &[[f64; ROWS]; ROWS]) {
        let (at, size) = (unit.first, unit.size);
        let nodes = unit.bodies.map(|body| self.node[body]);
        for side in 0..2 {
            if nodes[side] == GROUND {
                continue;
            }
            // r weight J of this side, in the units of the rows.
            let mut pushed = [[0.0; 6]; ROWS];
            for i in 0..size {
                for j in 0..size {
                    let factor = self.penalty * weight[i][j] * unit.unit(i) * unit.unit(j);
                    if factor != 0.0 {
                        let row = &self.jacobian[at + j][side];
                        (0..6).for_each(|k| pushed[i][k] += factor * row[k]);
                    }
                }
            }
            add_outer(self.matrix.diagonal_mut(nodes[side]), &self.jacobian[at..at + size], side, &pushed, false);
            if side == 1 && nodes[0] != GROUND && nodes[0] != nodes[1] {
                let (block, transposed) = self.matrix.between_mut(nodes[0], nodes[1]);
                add_outer(block, &self.jacobian[at..at + size], 0, &pushed, transposed);
            }
        }
    }
}

/// block += J^T pushed of one side, or its transpose.
#[inline]
fn add_outer(block: &mut Block, rows: &[[Twist; 2]], side: usize, pushed: &[[f64; 6]; ROWS], transposed: bool) {
    for (row, pushed) in rows.iter().zip(pushed) {
        let row = &row[side];
        let (left, right) = if transposed { (pushed, row) } else { (row, pushed) };
        for i in 0..6 {
            for j in 0..6 {
                block[i][j] += left[i] * right[j];
            }
        }
    }
}

/// mu |u_T| of a unit, in the units of its normal row.
fn correction(unit: &Unit, island: &Island<'_>) -> f64 {
    unit.cone.map_or(0.0, |cone| cone.correction(&velocity(unit, island.rows, island.bias, island.v)))
}

/// Whether impulses and velocities say that a unit will not slip: S - u~ within the cone. What it slips yet is error.
fn sticks(unit: &Unit, island: &Island<'_>) -> bool {
    let (Some(cone), u) = (unit.scaled_cone(), velocity(unit, island.rows, island.bias, island.v)) else {
        return true;
    };
    let mut y = [0.0; ROWS];
    for i in 0..unit.size {
        y[i] = island.s[unit.first + i] / unit.unit(i) - u[i] * unit.unit(i);
    }
    cone.violation(&y) == 0.0
}

fn slope(gradient: &[Twist], direction: &[Twist]) -> f64 {
    gradient.iter().flatten().zip(direction.iter().flatten()).map(|(g, d)| g * d).sum()
}
