//! What is watched between two events: gaps, normal forces, limits of friction and slip, as root functions and after each step.

use super::contact_modes::{decide, hold, observe};
use super::flow::{BODY, Flow};
use super::groups;
use super::hyperstatic;
use super::mode::{self, Closed, Friction, Watch, watches};
use super::rows::{Decision, ROUND_OFF, Rows};
use crate::configuration::gather;
use crate::error::Error;
use crate::scene_scales::is_angle;
use crate::unilateral::{ContactId, Contacts, Unilateral};

/// Height of a rebound that is not resolved, over the gap at which contacts close.
const LOWEST: f64 = 4.0;
/// Determinant at which forces count as unbounded, as part of that without slip.
const POLE: f64 = 1e-9;
/// Part of the largest force by which one may exceed its limit before others are looked for.
const SHARED: f64 = 1e-9;
/// Part of the largest force by which a root function of forces begins above zero.
const ABOVE: f64 = 1e-12;

/// Part of the forces of the scene, mass times speed squared over length, up to which a force that has fallen to zero together with another is none.
const IDLE: f64 = 1e-10;

/// A contact that rises while others hold the bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lift {
    pub(super) contact: Unilateral,
    /// Rate of its gap [m/s, rad/s], and how fast that falls.
    pub(super) rate: f64,
    pub(super) deceleration: f64,
    /// Mass that moves: force along the row over its acceleration \[kg\].
    pub(super) mass: f64,
}

impl Lift {
    /// How high it gets [m, rad].
    pub(super) fn height(&self) -> f64 {
        0.5 * self.rate * self.rate / self.deceleration
    }
}

impl<C: Contacts> Flow<C> {
    /// Whether the gap of the watched contact number `k` grows.
    pub(super) fn leaves(&self, k: usize) -> bool {
        let found = self.found.binary_search_by_key(&self.modes.watched[k], |f| f.id);
        found.is_ok_and(|k| self.found[k].rate(self.configuration.poses()) > 0.0)
    }

    /// Time until the first of the open contacts closes if all go on with the velocities and accelerations they have, y' = `yp` \[s\];
    /// infinity if none does.
    pub(super) fn time_to_contact(&mut self, yp: &[f64]) -> f64 {
        for (u, block) in self.top.chunks_exact_mut(6).zip(yp.chunks_exact(BODY)) {
            u.copy_from_slice(&block[6..]);
        }
        let open = self.found.iter().filter(|c| self.modes.is_watched(c.id));
        let time = |c: &Unilateral| {
            let (row, rate) = ((c.bodies, c.rows[0]), c.rate(self.configuration.poses()));
            let a = gather(&row, &self.top) + row.1.drift + c.gap_rate_drift;
            // gap + rate t + a t^2/2 = 0: the first root of one that closes, the second of one that leaves.
            let root = (rate * rate - 2.0 * a * c.gap).sqrt();
            if rate > 0.0 && a < 0.0 {
                (rate + root) / -a
            } else if rate <= 0.0 && c.gap > self.modes.ahead && root > rate {
                2.0 * c.gap / (root - rate)
            } else {
                f64::INFINITY
            }
        };
        open.map(time).fold(f64::INFINITY, f64::min)
    }

    /// Closed contacts whose normal forces are none: where one opens they do so too, as the ends of a capsule that leaves with both at once.
    pub(super) fn idle(&self) -> impl Iterator<Item = ContactId> {
        let (bodies, scales) = (self.configuration.mechanism().bodies(), &self.thresholds.scales);
        let scale = scales.speed * scales.speed / scales.length;
        let is_idle = move |(closed, multipliers): &(&Closed, &[f64; 6])| {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { return false };
            let masses = self.found[k].bodies.iter().filter_map(|b| bodies.get(*b)).map(|body| body.mass);
            !is_angle(&self.found[k]) && multipliers[0] <= IDLE * scale * masses.fold(f64::INFINITY, f64::min)
        };
        self.modes.closed.iter().zip(&self.imposed.multipliers).filter(is_idle).map(|(closed, _)| closed.id)
    }

    /// Contacts not known yet that close.
    pub(super) fn arrived(&self) -> impl Iterator<Item = ContactId> {
        let poses = self.configuration.poses();
        let closes = move |c: &&Unilateral| !self.knows(c.id) && self.thresholds.touches(c) && c.rate(poses) <= 0.0;
        self.found.iter().filter(closes).map(|c| c.id)
    }

    /// Open contacts that have entered the material, too soon after a restart for a root function to see it.
    pub(super) fn entered(&self) -> Vec<ContactId> {
        let closed = |id| self.modes.is_closed(id);
        self.found.iter().filter(|c| self.thresholds.entered(c) && !closed(c.id)).map(|c| c.id).collect()
    }

    /// Contacts of `touching` that the impacts of others lift, to fall again.
    pub(super) fn lifted(&mut self, touching: &[ContactId]) -> Result<Vec<Lift>, Error> {
        let (poses, thresholds) = (self.configuration.poses(), &self.thresholds);
        let rises = |c: &&Unilateral| {
            touching.contains(&c.id) && c.rate(poses) > thresholds.rate(c) && c.surface.restitution < 1.0
        };
        let rising: Vec<Unilateral> = self.found.iter().filter(rises).copied().collect();
        if rising.is_empty() {
            return Ok(Vec::new());
        }
        let accelerations = self.accelerations()?.to_vec();
        let mut lifts = Vec::new();
        for contact in rising {
            let (row, rate) = ((contact.bodies, contact.rows[0]), contact.rate(self.configuration.poses()));
            let deceleration = -(gather(&row, &accelerations) + row.1.drift + contact.gap_rate_drift);
            if deceleration > 0.0 {
                self.imposed.answer(&mut self.configuration, &row, &mut self.top)?;
                let mass = 1.0 / gather(&row, &self.top);
                lifts.push(Lift { contact, rate, deceleration, mass });
            }
        }
        Ok(lifts)
    }

    /// Whether friction somewhere pushes along the slip: it has reversed too soon after a restart for a root function to see it.
    pub(super) fn reversed(&self) -> bool {
        let slips = |closed: &Closed| {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { return false };
            closed.friction.iter().enumerate().any(|(g, friction)| match friction {
                Friction::Slip(before) => {
                    let (u, slow) = (self.velocity(k, g), self.thresholds.slip(g));
                    mode::slip(u, *before, slow).0 < -slow
                }
                _ => false,
            })
        };
        self.modes.closed.iter().any(slips)
    }

    /// Whether the decision at the configuration would be the modes it has. Forces of theirs within all limits prove that they obey the laws,
    /// as for contacts that are not redundant; only where those of least norm are not, others are looked for.
    pub(super) fn lasts(&mut self) -> Result<bool, Error> {
        self.accelerations()?;
        if self.within_limits() {
            return Ok(true);
        }
        self.configuration.free_rubbed(&self.state, &mut self.top, &mut self.bottom)?;
        let Some((touching, friction)) = self.held() else { return Ok(false) };
        let decision = decide(&mut self.configuration, &touching, &self.top, friction, [false; 2])?;
        Ok(matches!(decision, Decision::Modes(now, _) if mode::alike(&now, &self.modes.closed)))
    }

    /// The modes in which all of `touching` stay closed and nothing slips, and whether all their rows could be imposed: where forces within
    /// the limits hold them so, the laws ask for no more. `None` where something slips already, or those of least norm are not within.
    pub(super) fn all_held(&mut self, touching: &[Unilateral]) -> Result<Option<(Vec<Closed>, bool)>, Error> {
        let friction = observe(touching, self.configuration.poses(), &self.thresholds, |_, _| None);
        if friction.iter().flatten().any(|f| matches!(f, Friction::Slip(_))) {
            return Ok(None);
        }
        let (held, _) = hold(&mut self.configuration, touching, &friction, |_| 0.0)?;
        let before = std::mem::replace(&mut self.modes.closed, held);
        let within = match self.accelerations().map(|_| ()) {
            Ok(()) => self.within_limits(),
            Err(Error::Dependent { .. }) => false,
            Err(error) => {
                self.modes.closed = before;
                return Err(error);
            }
        };
        self.modes.closed = before;
        if !within {
            return Ok(None);
        }
        let forces = std::mem::take(&mut self.imposed.multipliers);
        hold(&mut self.configuration, touching, &friction, |c| forces[c][0]).map(Some)
    }

    /// Whether the multipliers of the last evaluation push and stay within the limits of friction, and what they hold does not move: rows that
    /// depend on others are not imposed.
    pub(super) fn within_limits(&self) -> bool {
        let largest = self.imposed.multipliers.iter().flatten().fold(0.0_f64, |a, force| a.max(force.abs()));
        let within = |(c, closed): (usize, &Closed)| {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { return false };
            let stick = (0..3).filter(|&g| closed.friction[g] == Friction::Stick);
            let least = stick.map(|g| self.margin_of_stick(c, k, g)).fold(self.imposed.multipliers[c][0], f64::min);
            least >= -ABOVE * largest
        };
        self.imposed.slack(&self.top) <= ROUND_OFF && self.modes.closed.iter().enumerate().all(within)
    }

    /// Makes the multipliers of redundant contacts some that friction can hold, where those of least norm are not.
    pub(super) fn share(&mut self) -> Result<(), Error> {
        let Some((touching, friction)) = self.held() else { return Ok(()) };
        let largest = self.imposed.multipliers.iter().flatten().fold(0.0_f64, |a, force| a.max(force.abs()));
        let oversteps = |(c, contact): (usize, &Unilateral)| {
            let sticks = (0..3).filter(|&g| friction[c][g] == Friction::Stick);
            let force = &self.imposed.multipliers[c];
            let size = |g: usize| force[groups::rows(g)].iter().map(|x| x * x).sum::<f64>().sqrt();
            let over = |g: usize| size(g) - groups::coefficient(&contact.surface, g) * force[0].max(0.0);
            sticks.map(over).fold(-force[0], f64::max) > SHARED * largest
        };
        if self.modes.guarded || !touching.iter().enumerate().any(oversteps) {
            return Ok(());
        }
        self.configuration.free_rubbed(&self.state, &mut self.top, &mut self.bottom)?;
        let rows = Rows::new(&mut self.configuration, &touching, &self.top)?;
        let mut start = vec![0.0; rows.free.len()];
        (0..touching.len()).for_each(|c| start[rows.first(c)] = self.imposed.multipliers[c][0]);
        if let Some(shared) = hyperstatic::fixed_point(&rows, &touching, &friction, &start)? {
            for (c, multipliers) in self.imposed.multipliers.iter_mut().enumerate() {
                let forces = &shared.forces[rows.first(c)..rows.first(c + 1)];
                multipliers.iter_mut().zip(forces).for_each(|(multiplier, force)| *multiplier = rows.scale() * force);
            }
        }
        Ok(())
    }

    /// Chooses rows that are independent where the flow stands, of the contacts that are closed.
    pub(super) fn choose_rows(&mut self) -> Result<(), Error> {
        if let Some((touching, friction)) = self.held() {
            self.configuration.factor()?;
            (self.modes.closed, self.modes.guarded) = hold(&mut self.configuration, &touching, &friction, |_| 0.0)?;
        }
        self.restore()
    }

    /// The closed contacts where they are now, and what their friction does.
    fn held(&self) -> Option<(Vec<Unilateral>, Vec<[Friction; 3]>)> {
        let (mut touching, mut friction) = (Vec::new(), Vec::new());
        for closed in &self.modes.closed {
            let k = self.found.binary_search_by_key(&closed.id, |f| f.id).ok()?;
            touching.push(self.found[k]);
            friction.push(std::array::from_fn(|g| match closed.friction[g] {
                Friction::Slip(before) => {
                    Friction::Slip(mode::slip(self.velocity(k, g), before, self.thresholds.slip(g)).1)
                }
                other => other,
            }));
        }
        Some((touching, friction))
    }

    /// Velocities of group `g` of contact number `k` of those found.
    fn velocity(&self, k: usize, g: usize) -> [f64; 2] {
        mode::velocity(&self.found[k], g, self.configuration.poses())
    }

    /// c_g Lambda_N - |Lambda_g| of a sticking group of closed contact `c`, number `k` of those found.
    fn margin_of_stick(&self, c: usize, k: usize, g: usize) -> f64 {
        let multipliers = &self.imposed.multipliers[c];
        let size = multipliers[groups::rows(g)].iter().map(|x| x * x).sum::<f64>().sqrt();
        groups::coefficient(&self.found[k].surface, g) * multipliers[0] - size
    }

    /// Makes the root functions begin on the side from which they are to fall, whatever round-off has left: one that begins at zero or
    /// behind it would never be seen to fall.
    pub(super) fn arm(&mut self) -> Result<(), Error> {
        let mut roots = vec![0.0; self.watch_count()];
        self.write_roots(&mut roots)?;
        let largest = self.imposed.multipliers.iter().flatten().fold(f64::MIN_POSITIVE, |a, force| a.max(force.abs()));
        for (i, root) in roots.iter_mut().enumerate() {
            *root = match self.watch(i) {
                Some(Watch::Gap(_)) => (self.modes.ahead - *root).max(0.0),
                Some(Watch::Normal(_)) => ABOVE * largest - root.min(0.0),
                Some(Watch::Friction(c, g)) if self.modes.closed[c].friction[g] == Friction::Stick => {
                    ABOVE * largest - root.min(0.0)
                }
                Some(Watch::Friction(..)) => -root.min(0.0),
                _ => 0.0,
            };
        }
        self.modes.shifts = roots;
        if self.poles() {
            self.imposed.measure(&mut self.configuration)?;
        }
        Ok(())
    }

    /// Root functions at the point where the flow stands.
    pub(super) fn write_roots(&mut self, roots: &mut [f64]) -> Result<(), Error> {
        let mut next = 0;
        for id in &self.modes.watched {
            let known = self.found.binary_search_by_key(id, |f| f.id);
            roots[next] =
                known.map_or(self.margin.min(self.thresholds.scales.length), |k| self.found[k].gap) + self.modes.ahead;
            next += 1;
        }
        if self.meets() {
            let gaps = self.found.iter().filter(|c| !self.knows(c.id)).map(|c| c.gap);
            roots[next] = gaps.fold(self.margin.min(self.thresholds.scales.length), f64::min) + self.modes.ahead;
            next += 1;
        }
        if !self.modes.guarded {
            let fresh = self.configuration.time() <= self.modes.decided + self.thresholds.grace();
            roots[next] = if fresh || self.lasts()? { 1.0 } else { -1.0 };
            next += 1;
        } else if !self.modes.closed.is_empty() {
            self.accelerations()?;
        }
        if self.poles() {
            roots[next] = self.imposed.openness() - POLE;
            next += 1;
        }
        for (c, closed) in self.modes.closed.iter().enumerate() {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { continue };
            for watch in watches(c, closed, self.modes.guarded) {
                roots[next] = match (watch, closed.friction) {
                    (Watch::Friction(_, g), friction) => match friction[g] {
                        Friction::Slip(before) => {
                            let slow = self.thresholds.slip(g);
                            mode::slip(self.velocity(k, g), before, slow).0 + self.thresholds.back(g)
                        }
                        _ => self.margin_of_stick(c, k, g),
                    },
                    _ => self.imposed.multipliers[c][0],
                };
                next += 1;
            }
        }
        for c in self.bounded() {
            roots[next] = self
                .contacts
                .region(self.modes.closed[c].id)
                .unwrap_or(f64::INFINITY)
                .min(self.thresholds.scales.length);
            next += 1;
        }
        Ok(())
    }
}

impl<C: Contacts> Flow<C> {
    /// Closed contacts that may leave the region in which their features touch.
    fn bounded(&self) -> impl Iterator<Item = usize> {
        (0..self.modes.closed.len()).filter(|&c| self.contacts.region(self.modes.closed[c].id).is_some())
    }

    /// Height of a rebound that is not resolved \[m, rad\].
    pub(super) fn lowest(&self) -> f64 {
        LOWEST * self.modes.ahead
    }

    /// Whether a contact is closed or watched.
    pub(super) fn knows(&self, id: ContactId) -> bool {
        self.modes.is_closed(id) || self.modes.is_watched(id)
    }

    /// Whether forces may have poles: where some contact slips and they are unique.
    fn poles(&self) -> bool {
        let slips = |closed: &Closed| closed.friction.iter().any(|f| matches!(f, Friction::Slip(_)));
        self.modes.guarded && self.modes.closed.iter().any(slips)
    }

    /// The meaning of root function `index`.
    pub(super) fn watch(&self, index: usize) -> Option<Watch> {
        let gaps = (0..self.modes.watched.len()).map(Watch::Gap);
        let closed =
            self.modes.closed.iter().enumerate().flat_map(|(c, closed)| watches(c, closed, self.modes.guarded));
        let new = self.meets().then_some(Watch::New);
        let modes = (!self.modes.guarded).then_some(Watch::Modes);
        let pole = self.poles().then_some(Watch::Pole);
        gaps.chain(new).chain(modes).chain(pole).chain(closed).chain(self.bounded().map(Watch::Region)).nth(index)
    }

    /// Number of root functions.
    pub(super) fn watch_count(&self) -> usize {
        let closed = self.modes.closed.iter().enumerate();
        self.modes.watched.len()
            + usize::from(self.meets())
            + usize::from(!self.modes.guarded)
            + usize::from(self.poles())
            + closed.map(|(c, closed)| watches(c, closed, self.modes.guarded).count()).sum::<usize>()
            + self.bounded().count()
    }
}
