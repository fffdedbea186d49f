//! Balls dropped, thrown and spun into grooves and cups of two and three plane faces, with any slopes, friction and restitution: event-driven
//! motion never fails, never gains energy and never enters a face, also where friction can jam the ball.

use crate::support;
use crate::support::families;
use families::Numbers;
use fourbar_contact::event::EventDriven;
use fourbar_multibody::State;
use fourbar_multibody::model::{Body, vector};
use support::{OnPlane, Planes, body, follow, free};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// Faces, a ball of 1 kg at rest on both of two or above them, and its moment of inertia.
#[derive(Debug)]
struct Cup {
    faces: Planes,
    ball: Body,
    inertia: f64,
}

impl Cup {
    fn random(seed: u64, count: usize) -> Self {
        let mut numbers = Numbers(seed * 7919 + 13);
        let inertia = RADIUS * RADIUS * (0.05 + 0.6 * numbers.unit());
        let faces: Vec<OnPlane> = (0..count).map(|k| face(&mut numbers, k, count)).collect();
        let drop = if numbers.below(2) == 0 { 0.0 } else { 0.1 * numbers.unit() };
        let place = if drop == 0.0 && count == 2 {
            // n.x = R on both.
            let [a, b] = [faces[0].normal, faces[1].normal];
            let determinant = a.x * b.y - a.y * b.x;
            [RADIUS * (b.y - a.y) / determinant, RADIUS * (a.x - b.x) / determinant, 0.0]
        } else {
            [0.0, faces.iter().map(|f| RADIUS / f.normal.y).fold(0.0, f64::max) + drop, 0.0]
        };
        let mut ball = body("ball", 1.0, [inertia; 3], place, 0.0);
        ball.angular_velocity = vector([10.0, 10.0, 20.0].map(|w| w * numbers.signed()));
        if numbers.below(2) == 0 {
            ball.velocity = vector([(); 3].map(|()| numbers.signed()));
        }
        Self { faces: Planes(faces), ball, inertia }
    }

    fn energy(&self, state: &State) -> f64 {
        let pose = &state.poses[0];
        0.5 * (pose.v.norm_squared() + self.inertia * pose.w.norm_squared()) + G * pose.x.y
    }

    /// Follows it for 2 s; says what was wrong.
    fn run(&self) -> Result<(), String> {
        let mechanism = free(vec![self.ball.clone()], [0.0, -G, 0.0]);
        let options = EventDriven { tolerance: 1e-9, events_max: 5000, ..EventDriven::default() };
        let started = options.start(&mechanism, self.faces.clone(), mechanism.start(), 2.0);
        let mut run = started.map_err(|e| format!("start: {e}"))?;
        follow(&mut run, &mut self.faces.clone(), |state| self.energy(state))
    }
}

/// Face `k` of a groove, or of a cup with faces on all sides, inclined by 15 to 80 degrees.
fn face(numbers: &mut Numbers, k: usize, count: usize) -> OnPlane {
    let (s, c) = (15.0 + 65.0 * numbers.unit()).to_radians().sin_cos();
    let normal = if count == 2 {
        [if k == 0 { -s } else { s }, c, 0.0]
    } else {
        let turn = 2.0944 * k as f64 + 0.5 * numbers.signed();
        [s * turn.cos(), c, s * turn.sin()]
    };
    let friction = [0.0, 0.2, 0.5, 1.0, 1.5, 3.0, 100.0][numbers.below(7)] * (0.5 + numbers.unit());
    let restitution = if numbers.below(2) == 0 { 0.0 } else { 0.9 * numbers.unit() };
    OnPlane::sphere(0, RADIUS, normal, 0.0, restitution, friction)
}

fn all_run(count: usize, seeds: impl Iterator<Item = u64>) {
    let failures: Vec<String> = seeds
        .filter_map(|seed| {
            let cup = Cup::random(seed, count);
            cup.run().err().map(|reason| format!("{seed}: {reason}: {cup:?}"))
        })
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn balls_in_grooves_run_to_the_end() {
    // The last starts with two faces that slip slowly and rise by less than what counts as a velocity.
    all_run(2, (0..200).chain([324]));
}

#[test]
fn balls_in_cups_run_to_the_end() {
    // The last two come to slip and rebounds as slow as that.
    all_run(3, (0..60).chain([211, 900]));
}
