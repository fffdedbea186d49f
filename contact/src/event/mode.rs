//! What each closed contact does: its normal row is held; each kind of friction sticks or slips.
//!
//! Friction of a contact has up to three groups of rows with a limit each, |Lambda_g| <= c_g Lambda_N: sliding (two rows, mu),
//! spinning (one) and rolling (two). A sticking group is rows of its own; a slipping one turns the direction in which the normal
//! multiplier pushes: P = J_N - c_g d J_g, d the direction of slip.

use super::groups::{coefficient, rows};
use super::thresholds::Thresholds;
use crate::unilateral::{ContactId, Row, Unilateral};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_linalg::stored;
use fourbar_multibody::space::Pose;

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

/// What the contacts do from the last decision on.
#[derive(Debug, Clone)]
pub(super) struct Modes {
    /// Sorted by id.
    pub(super) closed: Vec<Closed>,
    /// Open contacts whose gaps are root functions, sorted.
    pub(super) watched: Vec<ContactId>,
    /// What is added to each root function, so that it begins on the side from which it is to fall.
    pub(super) shifts: Vec<f64>,
    /// Whether multipliers of closed contacts are root functions. Where contacts are redundant their forces are not unique: there
    /// the root function is whether the decision would still be the same.
    pub(super) guarded: bool,
    /// When they were decided \[s\].
    pub(super) decided: f64,
    /// Gap below zero at which an open contact closes [m, rad].
    pub(super) ahead: f64,
}

impl Modes {
    /// Nothing is closed or watched at `time` \[s\].
    pub(super) fn at(time: f64) -> Self {
        let (closed, watched, shifts) = (Vec::new(), Vec::new(), Vec::new());
        Self { closed, watched, shifts, guarded: true, decided: time, ahead: 0.0 }
    }

    pub(super) fn is_closed(&self, id: ContactId) -> bool {
        self.closed.binary_search_by_key(&id, |closed| closed.id).is_ok()
    }

    pub(super) fn is_watched(&self, id: ContactId) -> bool {
        self.watched.binary_search(&id).is_ok()
    }
}

impl Stored for Modes {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.closed, to);
        store_list(&self.watched, to);
        store_list(&self.shifts, to);
        self.guarded.store(to);
        self.decided.store(to);
        self.ahead.store(to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list_like(&mut self.closed, &Closed::BLANK)?;
        from.list(&mut self.watched)?;
        from.list(&mut self.shifts)?;
        self.guarded.load(from)?;
        self.decided.load(from)?;
        self.ahead.load(from)?;
        // They are searched by bisection.
        let sorted = self.closed.is_sorted_by(|a, b| a.id < b.id) && self.watched.is_sorted_by(|a, b| a < b);
        if sorted { Ok(()) } else { Err(from.refuse("the order of contacts")) }
    }
}

stored!(struct Closed { id, friction, imposed });

impl Closed {
    /// To be read into.
    const BLANK: Self =
        Self { id: ContactId { pair: 0, feature: 0 }, friction: [Friction::None; 3], imposed: [false; 6] };
}

impl Stored for Friction {
    fn store(&self, to: &mut Vec<u8>) {
        match self {
            Self::None => to.push(0),
            Self::Stick => to.push(1),
            Self::Slip(direction) => {
                to.push(2);
                direction.store(to);
            }
        }
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = match from.value::<u8>()? {
            0 => Self::None,
            1 => Self::Stick,
            2 => Self::Slip(from.value()?),
            _ => return Err(from.refuse("a kind of friction")),
        };
        Ok(())
    }
}
