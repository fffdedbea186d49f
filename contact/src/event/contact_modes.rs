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

use super::groups;
use super::hyperstatic::{self, Shared};
use super::impulse_level;
use super::mode::{self, Closed, Friction};
use super::rows::{Decision, ROUND_OFF, Rows};
use super::thresholds::Thresholds;
use crate::configuration::Configuration;
use crate::error::Error;
use crate::problem::Lcp;
use crate::solution::Status;
use crate::solver::{Lemke, Method};
use crate::unilateral::{ContactId, Unilateral};
use fourbar_multibody::space::Pose;
use nalgebra::{DMatrix, DVector};

/// Closing acceleration, or residual, that forces leave only where nothing holds contacts apart, as part of the largest.
const SQUEEZED: f64 = 1e-6;
/// Part of its limit by which a sticking force may exceed it: what solves leave of a force at its limit.
const BEYOND: f64 = 1e-9;
/// Active-set iterations on sticking groups.
const ROUNDS: usize = 20;

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
        if groups::rows(g).start > count || groups::coefficient(&contact.surface, g) == 0.0 {
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
                let limit = groups::coefficient(&contact.surface, g) * forces[at];
                if friction[c][g] == Friction::Stick && size > limit * (1.0 + BEYOND) {
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
                Friction::Stick => groups::rows(g).for_each(|row| {
                    basis.admit(rows.first(c) + row);
                }),
                Friction::Slip(d) => {
                    for (d, row) in d.iter().zip(groups::rows(g)) {
                        push[rows.first(c) + row] = -groups::coefficient(&touching[c].surface, g) * d;
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
