//! One contact with friction: Routh's method, the velocities followed as functions of the normal impulse.
//!
//! While the contact slips along the unit vector d the impulse grows by (1, -mu d) dp and the velocity by
//!
//! ```text
//! d u_N = (W_NN - mu W_NT d) dp,     d u_T = (W_TN - mu W_TT d) dp = r(d) dp
//! ```
//!
//! When u_T reaches zero the contact sticks if |W_TT^-1 W_TN| <= mu; else it slips on along the one direction with r(d) = lambda d,
//! lambda > 0, which it then keeps. Compression ends where u_N = 0. (E. J. Routh, Dynamics of a System of Rigid Bodies, 1860;
//! W. J. Stronge, Impact Mechanics, 2000, chapter 4.) In a plane each phase is linear in p and solved in closed form; in space the
//! direction turns, and the hodograph is integrated in dtau = dp/|u_T|, in which its end at u_T = 0 is regular.

use super::restitution::Restitution;
use fourbar_linalg::symmetric_eigen;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// What one contact did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Single {
    /// Impulse (N, T1, T2) [N s].
    pub impulse: Vector3<f64>,
    /// Velocity (N, T1, T2) after [m/s].
    pub rates: Vector3<f64>,
    /// Work of the normal impulse in compression, not positive \[J\].
    pub compression: f64,
    /// Work of the normal impulse in expansion, not negative \[J\].
    pub expansion: f64,
    /// Phases of slip and stick passed.
    pub phases: usize,
}

/// Phases until it is given up: slip, stick or reversed slip in compression and expansion are five.
const PHASES: usize = 16;
/// Part of the slip that the first bit of a Painlevé shock takes: half the digits tell from there where u_N = 0 is.
const BEGIN: f64 = 1e-9;
/// Slip over what it was, or over u_N, from which a path has no end.
const GROWN: f64 = 1e12;
/// Part of the slip below which it has stopped.
const STOPPED: f64 = 1e-15;
/// Eigenvalue of W_TT that is round-off of zero, as part of the larger one.
const HELD: f64 = 1e-12;
/// Slope of u_N that slip leaves, as part of W_NN, up to which it counts as zero.
const POLE: f64 = 1e-8;
/// Part of the velocity below which the direction of slip does not turn.
const STRAIGHT: f64 = 1e-13;

/// Impact of one contact that closes with the velocity `rates`. `None` if no impulse ends it (W_NN = 0, or a matrix that is not
/// positive semidefinite).
#[must_use]
pub fn impact(w: &Matrix3<f64>, rates: &Vector3<f64>, friction: f64, e: f64, law: Restitution) -> Option<Single> {
    let mut path = Path::new(w, rates, friction);
    if rates.x < 0.0 {
        path.run(&Goal::Rate(0.0))?;
        path.compressed();
        let goal = match law {
            Restitution::Newton => Goal::Rate(-e * rates.x),
            Restitution::Poisson => Goal::Impulse((1.0 + e) * path.impulse.x),
            Restitution::Energetic => Goal::Work(-e * e * path.compression),
        };
        path.run(&goal)?;
    }
    Some(path.finished())
}

/// Impulse of a contact that slides along its surface, u_N = 0, in a Painlevé shock: slip pulls it in, W_NN - mu W_NT d < 0, until it sticks or
/// slips back (Painleve's paradox; an impact without collision). Plastic. `None` if there is none. At the pole itself, where this
/// slope is zero but for 1e-8 of W_NN, slip is taken to pull.
#[must_use]
pub fn painleve_shock(w: &Matrix3<f64>, rates: &Vector3<f64>, friction: f64) -> Option<Single> {
    let mut path = Path::new(w, &Vector3::new(0.0, rates.y, rates.z), friction);
    let mut pull = path.nn - friction * path.tn.dot(&path.direction);
    if path.slip == 0.0 || pull > POLE * path.nn {
        return None;
    }
    if pull >= -POLE * path.nn {
        path.nn -= pull + POLE * path.nn;
        pull = path.nn - friction * path.tn.dot(&path.direction);
    }
    // A little way in, from where u_N = 0 is ahead.
    let r = path.tn - path.tt * path.direction * friction;
    let dp = BEGIN * path.slip / (r.norm() + friction * path.tt.norm());
    path.work += 0.5 * pull * dp * dp;
    path.normal += pull * dp;
    path.impulse += Vector3::new(1.0, -friction * path.direction.x, -friction * path.direction.y) * dp;
    let tangential = path.direction * path.slip + r * dp;
    path.slip = tangential.norm();
    path.direction = tangential / path.slip;
    path.run(&Goal::Rate(0.0))?;
    path.compressed();
    Some(path.finished())
}

/// The x of least norm with W_TT x = W_TN. Joints may hold the contact in a tangential direction, along which W_TT is zero but for
/// round-off, and W_TN with it, as W is positive semidefinite.
fn least_norm(tt: &Matrix2<f64>, tn: &Vector2<f64>) -> Vector2<f64> {
    let eigen = symmetric_eigen(tt);
    let held = HELD * eigen.eigenvalues.amax();
    let mut x = Vector2::zeros();
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > held {
            x += vector * (vector.dot(tn) / value);
        }
    }
    x
}

/// Where a stretch of the path ends.
#[derive(Debug, Clone, Copy)]
enum Goal {
    /// u_N reaches this, upwards.
    Rate(f64),
    /// The normal impulse reaches this.
    Impulse(f64),
    /// The normal work since the end of compression reaches this.
    Work(f64),
}

/// The state of the contact along the normal impulse.
#[derive(Debug, Clone, Copy)]
struct Path {
    nn: f64,
    tn: Vector2<f64>,
    tt: Matrix2<f64>,
    friction: f64,
    normal: f64,
    slip: f64,
    direction: Vector2<f64>,
    impulse: Vector3<f64>,
    work: f64,
    compression: f64,
    phases: usize,
}

impl Path {
    fn new(w: &Matrix3<f64>, rates: &Vector3<f64>, friction: f64) -> Self {
        let tangential = Vector2::new(rates.y, rates.z);
        let slip = tangential.norm();
        // A slip that is round-off of the velocity is none.
        let slip = if slip <= STOPPED * rates.norm() { 0.0 } else { slip };
        Self {
            nn: w[(0, 0)],
            tn: Vector2::new(w[(1, 0)], w[(2, 0)]),
            tt: Matrix2::new(w[(1, 1)], w[(1, 2)], w[(2, 1)], w[(2, 2)]),
            friction,
            normal: rates.x,
            slip,
            direction: if slip > 0.0 { tangential / slip } else { Vector2::x() },
            impulse: Vector3::zeros(),
            work: 0.0,
            compression: 0.0,
            phases: 0,
        }
    }

    fn finished(&self) -> Single {
        Single {
            impulse: self.impulse,
            rates: Vector3::new(self.normal, self.slip * self.direction.x, self.slip * self.direction.y),
            compression: self.compression,
            expansion: self.work,
            phases: self.phases,
        }
    }

    fn compressed(&mut self) {
        self.normal = 0.0;
        self.compression = self.work;
        self.work = 0.0;
    }

    /// Follows the path to the goal; `None` if it is not reached.
    fn run(&mut self, goal: &Goal) -> Option<()> {
        for _ in 0..PHASES {
            if self.remaining(goal) <= 0.0 {
                return Some(());
            }
            self.phases += 1;
            let reached = if self.slip == 0.0 {
                self.leave_stop(goal)?
            } else {
                let r = self.tn - self.tt * self.direction * self.friction;
                let across = self.direction.perp(&r);
                if across.abs() <= STRAIGHT * (self.tn.norm() + self.friction * self.tt.norm()) {
                    self.straight(-self.direction * self.friction, self.direction.dot(&r), goal)?
                } else {
                    self.turning(goal)?
                }
            };
            if reached {
                return Some(());
            }
        }
        None
    }

    /// What the goal still asks for, positive before it.
    fn remaining(&self, goal: &Goal) -> f64 {
        match *goal {
            Goal::Rate(target) => target - self.normal,
            Goal::Impulse(target) => target - self.impulse.x,
            Goal::Work(target) => target - self.work,
        }
    }

    /// Without slip: sticks, or slips away along the direction it then keeps.
    fn leave_stop(&mut self, goal: &Goal) -> Option<bool> {
        if self.friction == 0.0 {
            return self.straight(Vector2::zeros(), 0.0, goal);
        }
        let hold = -least_norm(&self.tt, &self.tn);
        if hold.norm() <= self.friction {
            return self.straight(hold, 0.0, goal);
        }
        let (direction, rate) = self.escape()?;
        self.direction = direction;
        self.straight(-direction * self.friction, rate, goal)
    }

    /// d and lambda > 0 with (lambda + mu W_TT) d = W_TN, |d| = 1: |(lambda + mu W_TT)^-1 W_TN| falls with lambda.
    fn escape(&self) -> Option<(Vector2<f64>, f64)> {
        let along = |lambda: f64| {
            (Matrix2::identity() * lambda + self.tt * self.friction).try_inverse().map(|inverse| inverse * self.tn)
        };
        let (mut low, mut high) = (0.0, self.tn.norm());
        for _ in 0..200 {
            let mid = 0.5 * (low + high);
            if mid <= low || mid >= high {
                break;
            }
            if along(mid)?.norm() > 1.0 { low = mid } else { high = mid }
        }
        let d = along(high)?;
        Some((d.normalize(), high))
    }

    /// A phase in which the impulse grows along (1, `ratio`) and the slip by `rate`; true if the goal was reached.
    fn straight(&mut self, ratio: Vector2<f64>, rate: f64, goal: &Goal) -> Option<bool> {
        let slope = self.nn + self.tn.dot(&ratio);
        let to_goal = match *goal {
            Goal::Rate(target) if slope > 0.0 => (target - self.normal) / slope,
            Goal::Rate(_) => f64::INFINITY,
            Goal::Impulse(target) => target - self.impulse.x,
            // normal dp + slope dp^2/2 = rest, the smaller positive root.
            Goal::Work(target) => {
                let rest = target - self.work;
                let root = (self.normal * self.normal + 2.0 * slope * rest).max(0.0).sqrt();
                if self.normal + root > 0.0 { 2.0 * rest / (self.normal + root) } else { f64::INFINITY }
            }
        };
        let to_stop = if rate < 0.0 { -self.slip / rate } else { f64::INFINITY };
        let dp = to_goal.min(to_stop);
        if !dp.is_finite() {
            return None;
        }
        self.work += dp * (self.normal + 0.5 * slope * dp);
        self.normal += slope * dp;
        self.slip = if to_stop <= to_goal { 0.0 } else { self.slip + rate * dp };
        self.impulse += Vector3::new(1.0, ratio.x, ratio.y) * dp;
        Some(to_goal <= to_stop)
    }

    /// A phase of slip whose direction turns; true if the goal was reached, false if slip stopped or turned straight.
    fn turning(&mut self, goal: &Goal) -> Option<bool> {
        let start = self.slip;
        let spread = self.tn.norm() + self.friction * self.tt.norm();
        let step = 0.02 / spread;
        for _ in 0..100_000 {
            let mut next = *self;
            next.rotate(step);
            if next.remaining(goal) <= 0.0 {
                self.locate(step, goal);
                return Some(true);
            }
            *self = next;
            if self.slip <= STOPPED * start {
                self.slip = 0.0;
                return Some(false);
            }
            if !(self.slip < GROWN * start.max(self.normal.abs())) {
                return None;
            }
        }
        None
    }

    /// Goes the part of `step` that leads to the goal.
    fn locate(&mut self, step: f64, goal: &Goal) {
        let (mut low, mut high) = (0.0, step);
        for _ in 0..100 {
            let mid = 0.5 * (low + high);
            let mut trial = *self;
            trial.rotate(mid);
            if mid <= low || mid >= high {
                break;
            }
            if trial.remaining(goal) > 0.0 { low = mid } else { high = mid }
        }
        self.rotate(high);
    }

    /// One Runge-Kutta step of order 4 in tau.
    fn rotate(&mut self, step: f64) {
        // y = ln(s/s0), angle, p_N, p_T1, p_T2, u_N, work.
        let (s0, angle0, u0) = (self.slip, self.direction.y.atan2(self.direction.x), self.normal);
        let slope = |y: &[f64; 7]| {
            let d = Vector2::new((angle0 + y[1]).cos(), (angle0 + y[1]).sin());
            let r = self.tn - self.tt * d * self.friction;
            let s = s0 * y[0].exp();
            let (t1, t2) = (-self.friction * d.x * s, -self.friction * d.y * s);
            let normal = s * (self.nn - self.friction * self.tn.dot(&d));
            [d.dot(&r), d.perp(&r), s, t1, t2, normal, (u0 + y[5]) * s]
        };
        let shifted = |k: &[f64; 7], f: f64| k.map(|k| k * f);
        let zero = [0.0; 7];
        let k1 = slope(&zero);
        let k2 = slope(&shifted(&k1, 0.5 * step));
        let k3 = slope(&shifted(&k2, 0.5 * step));
        let k4 = slope(&shifted(&k3, step));
        let y: [f64; 7] = std::array::from_fn(|i| step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        self.slip = s0 * y[0].exp();
        let angle = angle0 + y[1];
        self.direction = Vector2::new(angle.cos(), angle.sin());
        self.impulse += Vector3::new(y[2], y[3], y[4]);
        self.normal += y[5];
        self.work += y[6];
    }
}
