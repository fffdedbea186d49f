//! Which of the touching contacts stay closed, stick or slip: Signorini's and Coulomb's laws on accelerations.
//!
//! ```text
//! a = b + W Lambda,   0 <= Lambda_N _|_ a_N >= 0;   where a group has no velocity: |Lambda_g| <= c_g Lambda_N, against a_g at the limit
//! ```
//!
//! Without slip this is the problem of friction in reduced form. Contacts that slip push along P = J_N - c_g d J_g: what is left after
//! the sticking rows are eliminated is a complementarity problem with an unsymmetric matrix, for Lemke's method. It may have no
//! solution (Painleve), or several; then [`impulse_level`] says whether an impulse must go on. Forces that hold what sticks may lie beyond the
//! limits: then [`hyperstatic`] looks for others within, and for the direction in which slip begins.

use super::hyperstatic::{self, Shared};
use super::impulse_level;
use super::mode::{self, Closed, Friction};
use super::thresholds::Thresholds;
use crate::configuration::{Configuration, Delassus};
use crate::error::Error;
use crate::problem::Lcp;
use crate::solution::Status;
use crate::solver::{Lemke, Method};
use crate::unilateral::{ContactId, Unilateral};
use fourbar_multibody::space::Pose;
use nalgebra::{DMatrix, DVector};

/// Accelerations and forces that are round-off, as part of the largest.
pub(super) const ROUND_OFF: f64 = 1e-10;
/// Pivot of W below which a row depends on those before, as part of its diagonal.
const DEPENDENT: f64 = 1e-9;
/// The same, of rows that are chosen first: three corners nearly on a line come after others that are not.
const WELL: f64 = 1e-3;
/// Diagonal of W that is round-off, where joints hold all motion along a row, as part of the largest of its kind.
const HELD: f64 = 1e-13;
/// Closing acceleration, or residual, that forces leave only where nothing holds contacts apart, as part of the largest.
const SQUEEZED: f64 = 1e-6;
/// Changes of mind about sticking groups.
const ROUNDS: usize = 20;

/// What was decided.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// The contacts that stay closed, sorted by id, and whether all their rows could be imposed.
    Modes(Vec<Closed>, bool),
    /// No finite forces: a Painlevé shock at this contact, and the impulses of all rows that end it.
    Shock(ContactId, Vec<f64>),
}

/// The rows of the touching contacts at a configuration: W, velocities and free accelerations.
pub(super) struct Rows {
    pub(super) delassus: Delassus,
    pub(super) rates: Vec<f64>,
    pub(super) free: Vec<f64>,
}

/// What the friction of the touching contacts does by their velocities. `slipping`(id, group) may name the direction of a group
/// that has just reached its limit, whose slip is not yet seen in them.
pub(super) fn observe(
    touching: &[Unilateral],
    poses: &[Pose],
    thresholds: &Thresholds,
    slipping: impl Fn(ContactId, usize) -> Option<[f64; 2]>,
) -> Vec<[Friction; 3]> {
    let observe = |contact: &Unilateral, g: usize| {
        let count = contact.surface.friction_rows();
        if mode::rows(g).start > count || mode::coefficient(&contact.surface, g) == 0.0 {
            return Friction::None;
        }
        let v = mode::velocity(contact, g, poses);
        let speed = v[0].hypot(v[1]);
        if speed > thresholds.slip(g) {
            Friction::Slip([v[0] / speed, v[1] / speed])
        } else {
            slipping(contact.id, g).map_or(Friction::Stick, Friction::Slip)
        }
    };
    touching.iter().map(|contact| std::array::from_fn(|g| observe(contact, g))).collect()
}

/// Decides on `touching`, whose friction does what `friction` says, at the factored `configuration` with the free accelerations `u`.
/// `unbounded`: forces have grown without bound towards here, so that they say nothing of what comes after; `pole`: they have, before an
/// impulse here.
pub(super) fn decide(
    configuration: &mut Configuration,
    touching: &[Unilateral],
    u: &[f64],
    friction: Vec<[Friction; 3]>,
    [unbounded, pole]: [bool; 2],
) -> Result<Decision, Error> {
    let rows = Rows::new(configuration, touching, u)?;
    let slips = friction.iter().flatten().any(|f| matches!(f, Friction::Slip(_)));
    if slips {
        let by_forces = if unbounded { None } else { by_turns(&rows, touching, friction.clone())? };
        by_forces.map_or_else(|| impulse_level::decide(&rows, touching, &friction, pole), Ok)
    } else {
        symmetric(&rows, touching, &friction, configuration.time())
    }
}

/// All of `touching` held, with as many rows as are independent, the heavier loaded first, whose friction does what `friction` says, and
/// whether these are all rows.
pub(super) fn hold(
    configuration: &mut Configuration,
    touching: &[Unilateral],
    friction: &[[Friction; 3]],
    load: impl Fn(usize) -> f64,
) -> Result<(Vec<Closed>, bool), Error> {
    let rows = Rows::new(configuration, touching, &vec![0.0; configuration.dimension()])?;
    let chosen: Vec<_> = friction.iter().enumerate().map(|(c, friction)| (c, *friction, load(c))).collect();
    Ok(rows.impose(touching, &chosen))
}

/// Largest acceleration that closes contacts against `forces`, or the round-off of their responses where that hides it.
fn squeezed(rows: &Rows, forces: &[f64], accelerations: &[f64]) -> f64 {
    let w = rows.delassus.matrix();
    let normals = rows.delassus.first().split_last().map_or(&[][..], |(_, normals)| normals);
    let size = |i: usize| w.row(i).iter().zip(forces).map(|(w, f)| (w * f).abs()).sum::<f64>();
    normals.iter().fold(0.0, |a, &i| a.max(f64::EPSILON * size(i)).max(-accelerations[i]))
}

impl Rows {
    /// With the free accelerations `u`.
    pub(super) fn new(configuration: &mut Configuration, touching: &[Unilateral], u: &[f64]) -> Result<Self, Error> {
        let mut delassus = Delassus::default();
        delassus.assemble(configuration, touching, |c| c.surface.friction_rows())?;
        let count = delassus.row_count();
        let (mut rates, mut free) = (vec![0.0; count], vec![0.0; count]);
        delassus.rates(touching, configuration.poses(), &mut rates);
        delassus.accelerations(touching, u, &mut free);
        Ok(Self { delassus, rates, free })
    }

    pub(super) fn first(&self, c: usize) -> usize {
        self.delassus.first()[c]
    }

    fn count(&self, c: usize) -> usize {
        self.delassus.first()[c + 1] - self.first(c)
    }

    /// Entries of group `g` of contact `c`.
    pub(super) fn pair(&self, c: usize, g: usize, values: &[f64]) -> [f64; 2] {
        let mut pair = [0.0; 2];
        for (p, row) in pair.iter_mut().zip(mode::rows(g).filter(|row| *row < self.count(c))) {
            *p = values[self.first(c) + row];
        }
        pair
    }

    pub(super) fn scale(&self) -> f64 {
        self.free.iter().fold(1e-300, |a, b| a.max(b.abs()))
    }

    /// An empty basis of rows. Rows of turning have another unit than those of sliding.
    fn basis(&self) -> Basis<'_> {
        let (w, first) = (self.delassus.matrix(), self.delassus.first());
        let turns = |i: usize| i - first[first.partition_point(|f| *f <= i) - 1] > 2;
        let mut largest = [0.0_f64; 2];
        for i in 0..w.nrows() {
            let kind = &mut largest[usize::from(turns(i))];
            *kind = kind.max(w[(i, i)]);
        }
        let held = (0..w.nrows()).map(|i| HELD * largest[usize::from(turns(i))]).collect();
        Basis::new(w, held)
    }

    /// Whether the forces that hold `count` contacts with the groups that stick are unique.
    fn unique(&self, count: usize, friction: &[[Friction; 3]]) -> bool {
        let mut basis = self.basis();
        let mut rows = (0..count).flat_map(|c| {
            let sticks = (0..3).filter(move |&g| friction[c][g] == Friction::Stick).flat_map(mode::rows);
            std::iter::once(0).chain(sticks).map(move |row| self.first(c) + row)
        });
        rows.all(|row| basis.admit(row))
    }

    /// Closed contacts with as many rows as are independent, the heavier loaded first, and whether these are all.
    pub(super) fn impose(
        &self,
        touching: &[Unilateral],
        chosen: &[(usize, [Friction; 3], f64)],
    ) -> (Vec<Closed>, bool) {
        let mut order: Vec<usize> = (0..chosen.len()).collect();
        order.sort_by(|a, b| chosen[*b].2.total_cmp(&chosen[*a].2).then(a.cmp(b)));
        let mut basis = self.basis();
        let mut closed: Vec<Closed> = chosen
            .iter()
            .map(|(c, friction, _)| Closed { id: touching[*c].id, friction: *friction, imposed: [false; 6] })
            .collect();
        let mut whole = true;
        for least in [WELL, DEPENDENT] {
            for &k in &order {
                closed[k].imposed[0] = closed[k].imposed[0] || basis.admit_from(self.first(chosen[k].0), least);
            }
        }
        whole &= closed.iter().all(|closed| closed.imposed[0]);
        for &k in &order {
            let friction = closed[k].friction;
            for g in (0..3).filter(|&g| friction[g] == Friction::Stick) {
                for row in mode::rows(g) {
                    closed[k].imposed[row] = basis.admit(self.first(chosen[k].0) + row);
                    whole &= closed[k].imposed[row];
                }
            }
        }
        closed.sort_by_key(|c| c.id);
        (closed, whole)
    }
}

/// Rows admitted so far and the Cholesky factor of W over them.
struct Basis<'a> {
    w: &'a DMatrix<f64>,
    /// Diagonals that are round-off.
    held: Vec<f64>,
    rows: Vec<usize>,
    factor: Vec<Vec<f64>>,
}

impl<'a> Basis<'a> {
    fn new(w: &'a DMatrix<f64>, held: Vec<f64>) -> Self {
        Self { w, held, rows: Vec::new(), factor: Vec::new() }
    }

    fn admit(&mut self, row: usize) -> bool {
        self.admit_from(row, DEPENDENT)
    }

    /// Admits a row whose pivot is above `least` of its diagonal.
    fn admit_from(&mut self, row: usize, least: f64) -> bool {
        if !(self.w[(row, row)] > self.held[row]) {
            return false;
        }
        let mut line = Vec::with_capacity(self.rows.len() + 1);
        for (i, &other) in self.rows.iter().enumerate() {
            let sum: f64 = (0..i).map(|k| line[k] * self.factor[i][k]).sum();
            line.push((self.w[(row, other)] - sum) / self.factor[i][i]);
        }
        let diagonal = self.w[(row, row)];
        let rest = diagonal - line.iter().map(|x| x * x).sum::<f64>();
        let independent = rest > least * diagonal;
        if independent {
            line.push(rest.sqrt());
            self.factor.push(line);
            self.rows.push(row);
        }
        independent
    }
}

/// Nothing slips yet: the problem of friction in reduced form.
fn symmetric(rows: &Rows, touching: &[Unilateral], friction: &[[Friction; 3]], time: f64) -> Result<Decision, Error> {
    let none = DVector::zeros(rows.free.len());
    let Shared { forces, accelerations, residual } = hyperstatic::solve(rows, touching, friction, &none)?;
    let left = squeezed(rows, &forces, &accelerations).max(residual);
    if left > SQUEEZED {
        let pressed = touching.iter().enumerate().filter(|(c, _)| forces[rows.first(*c)] > 0.0);
        let contacts = pressed.map(|(_, contact)| contact.id).collect();
        return Err(Error::Squeezed { contacts, names: Vec::new(), time, left: left * rows.scale() });
    }
    Ok(hyperstatic::modes(rows, touching, friction, &forces, &accelerations))
}

/// Some slip: sticking rows eliminated, normals by Lemke's method; sticking groups beyond their limit set free together, or one after the
/// other against their forces where that finds no forces. `None` where that comes to no end, or finds no forces.
fn by_turns(rows: &Rows, touching: &[Unilateral], mut friction: Vec<[Friction; 3]>) -> Result<Option<Decision>, Error> {
    let scale = rows.scale();
    let mut open = vec![false; touching.len()];
    let (observed, mut asked) = (friction.clone(), false);
    for _ in 0..ROUNDS {
        let Some(forces) = forces(rows, touching, &friction, &open)? else { return Ok(None) };
        let mut changed = false;
        for (c, contact) in touching.iter().enumerate().filter(|(c, _)| !open[*c]).collect::<Vec<_>>() {
            let at = rows.first(c);
            if lifts(rows, &forces, at, scale) && friction[c].contains(&Friction::Stick) {
                // Its sticking rows hold nothing without a normal force.
                open[c] = true;
                changed = true;
                continue;
            }
            for g in 0..3 {
                let force = rows.pair(c, g, &forces);
                let size = force[0].hypot(force[1]);
                let limit = mode::coefficient(&contact.surface, g) * forces[at];
                if friction[c][g] == Friction::Stick && size > limit * (1.0 + 1e-9) {
                    friction[c][g] = Friction::Slip([-force[0] / size, -force[1] / size]);
                    changed = true;
                }
            }
        }
        if !changed {
            let closed = |c: &usize| !open[*c] && !lifts(rows, &forces, rows.first(*c), scale);
            let chosen: Vec<_> =
                (0..touching.len()).filter(closed).map(|c| (c, friction[c], forces[rows.first(c)])).collect();
            let (closed, whole) = rows.impose(touching, &chosen);
            return Ok(Some(Decision::Modes(closed, whole)));
        }
        if !asked {
            asked = true;
            let decision = hyperstatic::decide(rows, touching, &observed, &forces)?;
            if decision.is_some() || !rows.unique(touching.len(), &observed) {
                return Ok(decision);
            }
        }
    }
    Ok(None)
}

/// Whether the contact whose normal row is `at` has no force and moves apart. Of redundant contacts some have no force but stay.
fn lifts(rows: &Rows, forces: &[f64], at: usize, scale: f64) -> bool {
    let w = rows.delassus.matrix();
    let acceleration = rows.free[at] + w.row(at).iter().zip(forces).map(|(w, f)| w * f).sum::<f64>();
    forces[at] * w[(at, at)] <= ROUND_OFF * scale && acceleration > ROUND_OFF * scale
}

/// Multipliers of all rows for given modes: W P^T with sticking rows eliminated. `None` without a solution.
fn forces(
    rows: &Rows,
    touching: &[Unilateral],
    friction: &[[Friction; 3]],
    open: &[bool],
) -> Result<Option<Vec<f64>>, Error> {
    let w = rows.delassus.matrix();
    let n = w.nrows();
    let mut normals = Vec::new();
    let mut basis = rows.basis();
    let mut pushes = Vec::new();
    for c in (0..touching.len()).filter(|&c| !open[c]) {
        let mut push = DVector::zeros(n);
        push[rows.first(c)] = 1.0;
        for g in 0..3 {
            match friction[c][g] {
                Friction::None => {}
                Friction::Stick => mode::rows(g).for_each(|row| {
                    basis.admit(rows.first(c) + row);
                }),
                Friction::Slip(d) => {
                    for (d, row) in d.iter().zip(mode::rows(g)) {
                        push[rows.first(c) + row] = -mode::coefficient(&touching[c].surface, g) * d;
                    }
                }
            }
        }
        normals.push(rows.first(c));
        pushes.push(push);
    }
    let sticks = basis.rows;
    let (p, b) = (DMatrix::from_columns(&pushes), DVector::from_column_slice(&rows.free));
    let wp = if pushes.is_empty() { DMatrix::zeros(n, 0) } else { w * &p };
    let (mut m, mut q) = (wp.select_rows(&normals), b.select_rows(&normals));
    let mut sticking = None;
    if !sticks.is_empty() {
        let block = w.select_rows(&sticks).select_columns(&sticks).lu();
        let (coupled, free) = (wp.select_rows(&sticks), b.select_rows(&sticks));
        let (Some(x), Some(y)) = (block.solve(&coupled), block.solve(&free)) else { return Ok(None) };
        let across = w.select_rows(&normals).select_columns(&sticks);
        m -= &across * &x;
        q -= &across * &y;
        sticking = Some((x, y));
    }
    if normals.is_empty() {
        return Ok(Some(vec![0.0; n]));
    }
    let solution = Lemke::default().solve(&Lcp::new(m, q)?);
    if solution.status != Status::Solved {
        return Ok(None);
    }
    let z = DVector::from_vec(solution.z);
    let mut forces = &p * &z;
    if let Some((x, y)) = sticking {
        let held = -(x * &z + y);
        sticks.iter().zip(held.iter()).for_each(|(&row, value)| forces[row] = *value);
    }
    Ok(Some(forces.iter().copied().collect()))
}
