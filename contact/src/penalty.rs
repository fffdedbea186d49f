//! Penalty contact: overlap pushes back as a stiff spring with damping, the alternative that complementarity replaces.
//!
//! The normal force is that of Adams' IMPACT (Adams/Solver, function expressions), over the gap g and its rate:
//!
//! ```text
//! f_N = max(0, k (-g)^e - c g' s(-g/d)),    s(x) = x^2 (3 - 2 x) for 0 <= x <= 1, then 1
//! ```
//!
//! with exponent e (1.5 for elastic bodies with round surfaces, Hertz 1882), and a damping that rises with the depth so that the
//! force does not jump. Friction is Coulomb's with the jump at rest smoothed: f_T = -mu f_N s(|v_T|/v_s) v_T/|v_T|. It
//! creeps where Coulomb's law sticks, and how deep bodies sink depends on k: this is here for comparison.
//!
//! The same normal force on a mechanism solved as a [`Dae`](fourbar_multibody::dae::Dae) is the expression function
//! `impact(x, v, x1, k, e, c, d)` over a distance and its rate.

use crate::unilateral::Unilateral;
use fourbar_multibody::space::{Pose, V3};

/// Parameters of a penalty force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// k [N/m^e].
    pub stiffness: f64,
    /// e, at least 1.
    pub exponent: f64,
    /// c, damping at full depth [N s/m].
    pub damping: f64,
    /// d, the depth from which damping is full \[m\], positive.
    pub full_depth: f64,
    /// v_s, the slip from which friction is full [m/s], positive.
    pub full_slip: f64,
}

impl Default for Penalty {
    /// Adams' defaults for solids: 1e8 N/m^2.2, 1e4 N s/m, 0.1 mm; friction full at 1 mm/s.
    fn default() -> Self {
        Self { stiffness: 1e8, exponent: 2.2, damping: 1e4, full_depth: 1e-4, full_slip: 1e-3 }
    }
}

/// Elastic body with a round surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elastic {
    /// Radius \[m\]; infinite for a plane.
    pub radius: f64,
    /// Young's modulus \[Pa\].
    pub modulus: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Penalty {
    /// Two elastic bodies by Hertz: k = 4/3 E* sqrt(R*), e = 3/2, 1/E* = sum of (1 - nu^2)/E, 1/R* = sum of 1/R (Johnson, Contact
    /// Mechanics, 1985, eq. 4.23); without damping.
    #[must_use]
    pub fn hertz(i: Elastic, j: Elastic) -> Self {
        let compliance = |b: Elastic| (1.0 - b.poisson * b.poisson) / b.modulus;
        let modulus = 1.0 / (compliance(i) + compliance(j));
        let radius = 1.0 / (1.0 / i.radius + 1.0 / j.radius);
        Self { stiffness: 4.0 / 3.0 * modulus * radius.sqrt(), exponent: 1.5, damping: 0.0, ..Self::default() }
    }

    /// Normal force f_N \[N\] at a gap \[m\] and its rate [m/s].
    #[must_use]
    pub fn force(&self, gap: f64, rate: f64) -> f64 {
        if gap >= 0.0 {
            return 0.0;
        }
        let elastic = self.stiffness * (-gap).powf(self.exponent);
        (elastic - self.damping * rate * rise(-gap / self.full_depth)).max(0.0)
    }

    /// Elastic energy at a gap \[J\].
    #[must_use]
    pub fn energy(&self, gap: f64) -> f64 {
        if gap >= 0.0 { 0.0 } else { self.stiffness * (-gap).powf(self.exponent + 1.0) / (self.exponent + 1.0) }
    }

    /// Adds the forces of `contacts` to `wrenches`, one (force, torque about the centre of mass) a body, the ground last; `poses` are
    /// those at which the contacts were found.
    pub fn apply(&self, contacts: &[Unilateral], poses: &[Pose], wrenches: &mut [[V3; 2]]) {
        for contact in contacts {
            let normal = self.force(contact.gap, contact.rate(poses));
            if normal == 0.0 {
                continue;
            }
            let mut along = [normal, 0.0, 0.0];
            if contact.surface.friction > 0.0 {
                let [i, j] = contact.bodies.map(|b| &poses[b]);
                let slip = [contact.rows[1].rate(i, j), contact.rows[2].rate(i, j)];
                let speed = slip[0].hypot(slip[1]);
                if speed > 0.0 {
                    let size = contact.surface.friction * normal * rise(speed / self.full_slip) / speed;
                    along = [normal, -size * slip[0], -size * slip[1]];
                }
            }
            for (row, f) in contact.rows.iter().zip(along) {
                wrenches[contact.bodies[0]][0] += row.g * f;
                wrenches[contact.bodies[0]][1] += row.gi * f;
                wrenches[contact.bodies[1]][0] -= row.g * f;
                wrenches[contact.bodies[1]][1] += row.gj * f;
            }
        }
    }
}

/// The cubic step from 0 at 0 to 1 at 1.
fn rise(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unilateral::{ContactId, Row, Surface};
    use fourbar_multibody::expression::{Binding, Expression, Stack};
    use proptest::prelude::*;

    proptest! {
        /// The force is that of the expression function of the same name.
        #[test]
        fn is_adams_impact(gap in -0.01..0.002f64, rate in -3.0..3.0f64, exponent in 1.0..3.0f64) {
            let penalty = Penalty { exponent, stiffness: 1e6, damping: 200.0, full_depth: 0.003, full_slip: 1e-3 };
            let text = format!("impact(g, v, 0, 1e6, {exponent:?}, 200, 0.003)");
            let impact = Expression::parse(&text).expect("an expression");
            let mut slot = |name: &str| Some(Binding::Slot(usize::from(name == "v")));
            let program = impact.bind(&mut slot).expect("a program");
            let force = program.evaluate(&[gap, rate], &mut Stack::new(program.depth()));
            prop_assert!((penalty.force(gap, rate) - force).abs() <= 1e-12 * force.abs());
        }
    }

    fn steel(radius: f64) -> Elastic {
        Elastic { radius, modulus: 2.1e11, poisson: 0.3 }
    }

    /// A steel ball dropped on a steel plane: greatest depth (5 m v^2/(4 k))^(2/5), time of contact 2.9432 depth/v (Johnson 1985,
    /// eq. 11.24, with 2.943275 to more digits), speed kept.
    #[test]
    fn a_ball_rebounds_as_hertz_says() {
        let (mass, v) = (0.5, 0.4);
        let penalty = Penalty::hertz(steel(0.02), steel(f64::INFINITY));
        let depth = (1.25 * mass * v * v / penalty.stiffness).powf(0.4);
        let (mut gap, mut rate, mut time, mut deepest) = (0.0_f64, -v, 0.0, 0.0_f64);
        let h = 1e-4 * depth / v;
        // Stoermer and Verlet.
        while gap <= 0.0 {
            rate += 0.5 * h * penalty.force(gap, rate) / mass;
            gap += h * rate;
            rate += 0.5 * h * penalty.force(gap, rate) / mass;
            time += h;
            deepest = deepest.max(-gap);
        }
        assert!((deepest / depth - 1.0).abs() < 1e-6, "{deepest} {depth}");
        assert!((time * v / depth - 2.943275).abs() < 1e-3, "{}", time * v / depth);
        assert!((rate - v).abs() < 1e-6 * v);
        assert!((penalty.energy(-depth) - 0.5 * mass * v * v).abs() < 1e-12);
    }

    #[test]
    fn wrenches_push_apart_and_against_the_slip() {
        let row =
            |g: V3| Row { g, gi: V3::new(0.1, 0.0, 0.0).cross(&g), gj: g.cross(&V3::new(0.0, 0.2, 0.0)), drift: 0.0 };
        let contact = Unilateral {
            id: ContactId { pair: 0, feature: 0 },
            bodies: [0, 1],
            gap: -1e-3,
            gap_rate: 0.0,
            gap_rate_drift: 0.0,
            rows: [row(V3::z()), row(V3::x()), row(V3::y()), Row::zero(), Row::zero(), Row::zero()],
            point: None,
            surface: Surface { friction: 0.5, ..Surface::smooth() },
        };
        let mut poses = [Pose::ground(); 2];
        poses[0].v = V3::new(3.0, -4.0, 0.0);
        let mut wrenches = [[V3::zeros(); 2]; 2];
        let penalty = Penalty { stiffness: 1e6, exponent: 1.0, ..Penalty::default() };
        penalty.apply(&[contact], &poses, &mut wrenches);
        // Full friction: 0.5 of 1000 N against (3, -4)/5.
        let force = V3::new(-300.0, 400.0, 1000.0);
        assert!((wrenches[0][0] - force).norm() < 1e-9 && (wrenches[1][0] + force).norm() < 1e-9);
        assert!((wrenches[0][1] - V3::new(0.1, 0.0, 0.0).cross(&force)).norm() < 1e-9);
        assert!((wrenches[1][1] - force.cross(&V3::new(0.0, 0.2, 0.0))).norm() < 1e-9);
    }
}
