//! A flexible body in a mechanism: its forces and its inertia beyond those of its parts as rigid bodies.
//!
//! In global axes, with s = A S(q), c_k = A linear_k, p = sum q_k' c_k, J, D_k = d_k + sum q_j d_jk and G turned into them, a = x'', alpha = omega' and
//! g the gravity:
//!
//! ```text
//! m a - s x alpha + sum q_k'' c_k             = F + m g - omega x (omega x s) - 2 omega x p
//! s x a + J alpha + G q''                     = T + s x g - omega x J omega - sum q_k' D_k omega - omega x G q'
//! c_k.a + G_k.alpha + sum_j M_kj q_j''        = Q_k + c_k.g + omega.D_k omega/2 - 2 sum_j q_j' n_jk.omega - (K q)_k - (C q')_k
//! ```
//!
//! These are Lagrange's equations of the kinetic energy (Shabana, section 5.5), the balance of moments about the moving origin x.

use super::Shape;
use super::invariants::Invariants;
use crate::mechanism::RigidBody;
use crate::space::{M3, Pose, V3};
use nalgebra::DMatrix;
use std::ops::Range;

/// A compiled flexible body.
#[derive(Debug, Clone)]
pub(crate) struct FlexibleBody {
    /// Body that is its floating frame.
    pub body: usize,
    /// Bodies that carry its modal coordinates, three each.
    pub carriers: Range<usize>,
    /// Bodies of its nodes, and the mass of each.
    pub nodes: Range<usize>,
    pub node_mass: f64,
    /// What the modal coordinates are in place of zero where the run begins, and their rates.
    pub start: Vec<[f64; 2]>,
    /// Inertia of the whole less the masses of the nodes and what frame and carriers have as rigid bodies.
    pub(super) beyond: Invariants,
    /// Masses of the carriers, by mode.
    pub(super) carried: Vec<f64>,
    pub(super) stiffness: DMatrix<f64>,
    pub(super) damping: DMatrix<f64>,
    pub(crate) shape: Shape,
}

/// What depends on where it is, in global axes.
pub(super) struct Now {
    pub a: M3,
    pub w: V3,
    /// omega in the axes of the frame.
    pub w_own: V3,
    /// First moment, beyond; inertia, beyond.
    pub s: V3,
    pub j: M3,
    /// sum q_k' c_k, and G q'.
    pub p: V3,
    pub h: V3,
    /// sum q_k' D_k.
    pub d: M3,
}

impl FlexibleBody {
    /// Of `shape`, its frame being `body`, its modal coordinates on `carriers` of the given masses, one each mode, its nodes `nodes` of `node_mass` each.
    pub(crate) fn new(
        shape: Shape,
        (body, carriers, nodes): (usize, Range<usize>, Range<usize>),
        carried: Vec<f64>,
        node_mass: f64,
    ) -> Self {
        let mut beyond = shape.invariants.clone();
        for node in &shape.nodes {
            beyond.add_point(-node_mass, &node.position, &node.translation);
        }
        beyond.mass -= shape.invariants.mass;
        beyond.inertia -= shape.invariants.inertia;
        for (k, mass) in carried.iter().enumerate() {
            beyond.modal[(k, k)] -= mass;
        }
        let start = vec![[0.0; 2]; shape.modes()];
        let (stiffness, damping) = (shape.stiffness.clone(), shape.damping.clone());
        Self { body, carriers, nodes, node_mass, start, beyond, carried, stiffness, damping, shape }
    }

    /// Number of modes.
    #[inline]
    pub(crate) fn modes(&self) -> usize {
        self.carried.len()
    }

    /// Body and coordinate that carry modal coordinate `k`.
    #[inline]
    pub(crate) fn place(&self, k: usize) -> (usize, usize) {
        (self.carriers.start + k / 3, k % 3)
    }

    #[inline]
    pub(super) fn q(&self, poses: &[Pose], k: usize) -> f64 {
        poses[self.carriers.start + k / 3].x[k % 3]
    }

    #[inline]
    pub(super) fn rate(&self, poses: &[Pose], k: usize) -> f64 {
        poses[self.carriers.start + k / 3].v[k % 3]
    }

    /// c_k.
    #[inline]
    pub(super) fn c(&self, now: &Now, k: usize) -> V3 {
        now.a * self.beyond.linear.column(k)
    }

    /// G_k, in the axes of the frame.
    #[inline]
    pub(super) fn g_own(&self, poses: &[Pose], k: usize) -> V3 {
        let n = self.modes();
        let mut g: V3 = self.beyond.angular.column(k).into_owned();
        (0..n).for_each(|j| g += self.beyond.coupling[j * n + k] * self.q(poses, j));
        g
    }

    /// D_k, in the axes of the frame.
    #[inline]
    pub(super) fn d_own(&self, poses: &[Pose], k: usize) -> M3 {
        let n = self.modes();
        let mut d = self.beyond.first_change[k];
        (0..n).for_each(|j| d += self.beyond.second_change[j * n + k] * self.q(poses, j));
        d
    }

    /// sum_j q_j' n_jk, in the axes of the frame.
    #[inline]
    pub(super) fn y_own(&self, poses: &[Pose], k: usize) -> V3 {
        let n = self.modes();
        (0..n).fold(V3::zeros(), |y, j| y + self.beyond.coupling[j * n + k] * self.rate(poses, j))
    }

    pub(super) fn now(&self, poses: &[Pose]) -> Now {
        let (pose, own) = (&poses[self.body], &self.beyond);
        let (mut s, mut j) = (own.first, own.inertia);
        let (mut p, mut h, mut d) = (V3::zeros(), V3::zeros(), M3::zeros());
        for k in 0..self.modes() {
            let (q, rate, by) = (self.q(poses, k), self.rate(poses, k), self.d_own(poses, k));
            s += own.linear.column(k) * q;
            // J(q) - J(0) = sum q_k (d_k + D_k)/2.
            j += (own.first_change[k] + by) * (0.5 * q);
            p += own.linear.column(k) * rate;
            h += self.g_own(poses, k) * rate;
            d += by * rate;
        }
        let turned = |m: M3| pose.a * m * pose.a.transpose();
        Now {
            a: pose.a,
            w: pose.w,
            w_own: pose.a.tr_mul(&pose.w),
            s: pose.a * s,
            j: turned(j),
            p: pose.a * p,
            h: pose.a * h,
            d: turned(d),
        }
    }

    /// Adds the right-hand sides beyond gravity and gyroscopic torque of the bodies by themselves.
    pub(crate) fn apply(&self, poses: &[Pose], gravity: &V3, wrenches: &mut [[V3; 2]]) {
        let now = self.now(poses);
        let w = &now.w;
        let [force, torque] = &mut wrenches[self.body];
        *force += gravity * self.beyond.mass - w.cross(&w.cross(&now.s)) - w.cross(&now.p) * 2.0;
        *torque += now.s.cross(gravity) - w.cross(&(now.j * w)) - now.d * w - w.cross(&now.h);
        for k in 0..self.modes() {
            let (body, at) = self.place(k);
            let own = gravity.dot(&self.c(&now, k)) - gravity[at] * self.carried[k]
                + 0.5 * now.w_own.dot(&(self.d_own(poses, k) * now.w_own))
                - 2.0 * self.y_own(poses, k).dot(&now.w_own);
            wrenches[body][0][at] += own + self.elastic(poses, k);
        }
    }

    /// -(K q)_k - (C q')_k.
    fn elastic(&self, poses: &[Pose], k: usize) -> f64 {
        let row = |j: usize| self.stiffness[(k, j)] * self.q(poses, j) + self.damping[(k, j)] * self.rate(poses, j);
        -(0..self.modes()).map(row).sum::<f64>()
    }

    /// The inertia beyond times `u`, three linear and three angular numbers a body as (V, omega): calls `put` with a body and its part.
    pub(crate) fn multiply(&self, poses: &[Pose], u: &dyn Fn(usize) -> [V3; 2], put: &mut dyn FnMut(usize, [V3; 2])) {
        let now = self.now(poses);
        let ([a, alpha], n) = (u(self.body), self.modes());
        let (mut force, mut torque) = (a * self.beyond.mass - now.s.cross(&alpha), now.s.cross(&a) + now.j * alpha);
        let (a_own, alpha_own) = (now.a.tr_mul(&a), now.a.tr_mul(&alpha));
        for carrier in self.carriers.clone() {
            let mut part = V3::zeros();
            let first = 3 * (carrier - self.carriers.start);
            for k in first..n.min(first + 3) {
                let (g, second) = (self.g_own(poses, k), u(carrier)[0][k - first]);
                force += self.c(&now, k) * second;
                torque += now.a * g * second;
                let linear = self.beyond.linear.column(k).dot(&a_own);
                let modal = (0..n).map(|j| self.beyond.modal[(k, j)] * u(self.carriers.start + j / 3)[0][j % 3]);
                part[k - first] = linear + g.dot(&alpha_own) + modal.sum::<f64>();
            }
            put(carrier, [part, V3::zeros()]);
        }
        put(self.body, [force, torque]);
    }

    /// The bodies that it is made of.
    pub(crate) fn parts(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(self.body).chain(self.carriers.clone()).chain(self.nodes.clone())
    }

    /// Momentum of the whole, and angular momentum about its centre of mass, `frame` being its frame [kg m/s, kg m^2/s].
    pub(crate) fn momenta(&self, frame: &RigidBody, poses: &[Pose]) -> [V3; 2] {
        let pose = &poses[self.body];
        let (mut linear, mut angular, mut first) = (pose.v * frame.mass, frame.momentum(pose), self.now(poses).s);
        self.multiply(poses, &|b| [poses[b].v, poses[b].w], &mut |b, [p, h]| {
            if b == self.body {
                linear += p;
                angular += h;
            }
        });
        for node in self.nodes.clone().map(|b| &poses[b]) {
            linear += node.v * self.node_mass;
            angular += (node.x - pose.x).cross(&node.v) * self.node_mass;
            first += (node.x - pose.x) * self.node_mass;
        }
        [linear, angular - first.cross(&linear) / frame.mass]
    }

    /// Kinetic energy beyond that of its bodies by themselves \[J\].
    pub(crate) fn kinetic_energy(&self, poses: &[Pose]) -> f64 {
        let mut energy = 0.0;
        self.multiply(poses, &|b| [poses[b].v, poses[b].w], &mut |b, [p, h]| {
            energy += 0.5 * (poses[b].v.dot(&p) + poses[b].w.dot(&h));
        });
        energy
    }

    /// Elastic energy, and that of gravity beyond that of its bodies by themselves \[J\].
    pub(crate) fn potential_energy(&self, poses: &[Pose], gravity: &V3) -> f64 {
        let now = self.now(poses);
        let mut energy = -gravity.dot(&(poses[self.body].x * self.beyond.mass + now.s));
        for k in 0..self.modes() {
            let (_, at) = self.place(k);
            let (q, row) = (self.q(poses, k), (0..self.modes()).map(|j| self.stiffness[(k, j)] * self.q(poses, j)));
            energy += q * (gravity[at] * self.carried[k] + 0.5 * row.sum::<f64>());
        }
        energy
    }

    /// Whether it has damping.
    pub(crate) fn is_damped(&self) -> bool {
        self.damping.iter().any(|c| *c != 0.0)
    }

    /// Power of its damping \[W\], at most zero.
    pub(crate) fn power(&self, poses: &[Pose]) -> f64 {
        let row = |k: usize| (0..self.modes()).map(|j| self.damping[(k, j)] * self.rate(poses, j)).sum::<f64>();
        -(0..self.modes()).map(|k| self.rate(poses, k) * row(k)).sum::<f64>()
    }
}
