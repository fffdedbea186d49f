//! What each closed contact does: its normal row is held; each kind of friction sticks or slips.
//!
//! Friction of a contact has up to three groups of rows with a limit each, |Lambda_g| <= c_g Lambda_N: sliding (two rows, mu),
//! spinning (one) and rolling (two). A sticking group is rows of its own; a slipping one turns the direction in which the normal
//! multiplier pushes: P = J_N - c_g d J_g, d the direction of slip.

use super::thresholds::Thresholds;
use crate::unilateral::{ContactId, Row, Surface, Unilateral};
use fourbar_multibody::space::Pose;
use std::ops::Range;

/// What a group of friction rows does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Friction {
    /// No such rows, or no coefficient.
    None,
    /// Velocity zero, multipliers inside the limit.
    Stick,
    /// Multipliers at the limit, against the slip, whose direction was this at the last step.
    Slip([f64; 2]),
}

/// A closed contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closed {
    /// Which one.
    pub id: ContactId,
    /// Sliding, spinning, rolling.
    pub friction: [Friction; 3],
    /// Whether each of its rows is imposed; redundant ones are not.
    pub imposed: [bool; 6],
}

/// Whether two lists of closed contacts, sorted by id, are the same and stick and slip alike.
pub(super) fn alike(a: &[Closed], b: &[Closed]) -> bool {
    let kinds = |closed: &Closed| closed.friction.map(|f| std::mem::discriminant(&f));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.id == b.id && kinds(a) == kinds(b))
}

/// Rows of group `g` among those of a contact.
pub(super) fn rows(g: usize) -> Range<usize> {
    [1..3, 3..4, 4..6][g].clone()
}

/// Limit of group `g` over the normal multiplier.
pub(super) fn coefficient(surface: &Surface, g: usize) -> f64 {
    [surface.friction, surface.spinning, surface.rolling][g]
}

/// Velocities of group `g`.
pub(super) fn velocity(contact: &Unilateral, g: usize, poses: &[Pose]) -> [f64; 2] {
    let [i, j] = contact.bodies.map(|b| &poses[b]);
    let mut u = [0.0; 2];
    for (u, row) in u.iter_mut().zip(&contact.rows[rows(g)]) {
        *u = row.rate(i, j);
    }
    u
}

/// Speed of slip with a sign, and its direction: positive along the way it had before, so that both pass smoothly through a stop. At a
/// speed up to `slow` the direction is that before, as errors of the velocities may turn it.
pub(super) fn slip(u: [f64; 2], before: [f64; 2], slow: f64) -> (f64, [f64; 2]) {
    let (speed, along) = (u[0].hypot(u[1]), u[0] * before[0] + u[1] * before[1]);
    if speed <= slow {
        return (along, before);
    }
    let signed = speed.copysign(along);
    (signed, [u[0] / signed, u[1] / signed])
}

/// Whether group `g` is a motion along the surfaces, not a turn.
pub(super) fn slides(g: usize) -> bool {
    g == 0
}

/// Whether the direction of group `g` can turn: it has two rows.
pub(super) fn turns(g: usize) -> bool {
    rows(g).len() == 2
}

/// Directions of the slipping groups of a contact: those of their velocities.
pub(super) fn directions(
    contact: &Unilateral,
    friction: &[Friction; 3],
    poses: &[Pose],
    thresholds: &Thresholds,
) -> [[f64; 2]; 3] {
    std::array::from_fn(|g| match friction[g] {
        Friction::Slip(before) => slip(velocity(contact, g, poses), before, thresholds.slip(g)).1,
        _ => [0.0; 2],
    })
}

/// The row along which the normal multiplier pushes: the normal less c_g d of each slipping group.
pub(super) fn push(contact: &Unilateral, friction: &[Friction; 3], directions: &[[f64; 2]; 3]) -> Row {
    let mut push = contact.rows[0];
    for g in (0..3).filter(|&g| matches!(friction[g], Friction::Slip(_))) {
        let c = coefficient(&contact.surface, g);
        for (d, row) in directions[g].iter().zip(&contact.rows[rows(g)]) {
            push.g -= row.g * (c * d);
            push.gi -= row.gi * (c * d);
            push.gj -= row.gj * (c * d);
        }
    }
    push
}

/// What root function `index` watches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Watch {
    /// The gap of the open contact of this number.
    Gap(usize),
    /// The least gap of contacts that are not known yet: they came within reach since the last restart.
    New,
    /// Whether the modes last, where forces are not unique.
    Modes,
    /// Whether slip and normal forces are far from a pole, where no finite force holds a contact.
    Pole,
    /// The normal multiplier of the closed contact of this number.
    Normal(usize),
    /// A group of friction rows of the closed contact of this number.
    Friction(usize, usize),
    /// How far the closed contact of this number is from leaving the region in which its features touch.
    Region(usize),
}

/// Root functions of closed contact `c`: its normal force and what sticks, where forces are unique (`guarded`); what slips always.
pub(super) fn watches(c: usize, closed: &Closed, guarded: bool) -> impl Iterator<Item = Watch> {
    let friction = closed.friction;
    let groups = (0..3).filter(move |&g| match friction[g] {
        Friction::None => false,
        Friction::Stick => guarded,
        Friction::Slip(_) => true,
    });
    std::iter::once(Watch::Normal(c)).filter(move |_| guarded).chain(groups.map(move |g| Watch::Friction(c, g)))
}
