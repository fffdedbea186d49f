//! 1,000 boxes dropped in layers, a wall and a tower with a heavy top, beside rapier3d-f64 on the same scenes: time of a step, and
//! how deep boxes overlap, measured for both by parry's penetration queries.
//!
//! `cargo bench -p fourbar-benches --bench piles`

#[path = "../contact/tests/piles/mod.rs"]
mod piles;
#[path = "../contact/tests/piles/scenes.rs"]
mod scenes;

use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{TimeStepper, TimeStepping};
use fourbar_multibody::space::{M3, Pose, V3};
use rapier3d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector as Vec3, nalgebra::Unit,
};
use scenes::{Brick, EDGE};
use std::time::Instant;

const STEP: f64 = 5e-3;
const FRICTION: f64 = 0.5;
/// Solver iterations of rapier: its default, and as many as bring the overlap down.
const ITERATIONS: [usize; 2] = [4, 32];

/// Whoever steps bricks.
trait Engine {
    /// One step; the residual it reports [m/s], if it does.
    fn step(&mut self) -> Option<f64>;
    /// Bodies and, last, the ground.
    fn poses(&self) -> Vec<Pose>;
}

struct Fourbar(TimeStepper<ContactSet>);

impl Fourbar {
    fn new(bricks: &[Brick]) -> Self {
        let (mechanism, contacts) = scenes::compile(bricks, FRICTION);
        let options = TimeStepping { step: STEP, ..TimeStepping::default() };
        Self(options.start(&mechanism, contacts, &scenes::start(bricks, &mechanism)).expect("a start"))
    }
}

impl Engine for Fourbar {
    fn step(&mut self) -> Option<f64> {
        Some(self.0.step().expect("a step").residual)
    }

    fn poses(&self) -> Vec<Pose> {
        scenes::with_ground(&self.0.state().poses)
    }
}

struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    fn new(bricks: &[Brick], iterations: usize) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vec3::new(0.0, 0.0, -9.81);
        world.integration_parameters.dt = STEP;
        world.integration_parameters.num_solver_iterations = iterations;
        let ground = world.insert_body(RigidBodyBuilder::fixed());
        let floor = ColliderBuilder::halfspace(Unit::new_unchecked(Vec3::new(0.0, 0.0, 1.0)));
        world.insert_collider(floor.friction(FRICTION), Some(ground));
        let bodies = bricks.iter().map(|brick| {
            let [at, turn] = [brick.at, brick.turn].map(|v| Vec3::new(v.x, v.y, v.z));
            let body = RigidBodyBuilder::dynamic().translation(at).rotation(turn);
            let half = 0.5 * EDGE;
            // Awake, as fourbar's bodies are: what is compared is a step, not the art of leaving it out.
            let collider = ColliderBuilder::cuboid(half, half, half).friction(FRICTION).mass(brick.mass);
            world.insert(body.can_sleep(false), collider).0
        });
        let bodies = bodies.collect();
        Self { world, bodies }
    }
}

impl Engine for Rapier {
    fn step(&mut self) -> Option<f64> {
        self.world.step();
        None
    }

    fn poses(&self) -> Vec<Pose> {
        let pose = |&handle: &RigidBodyHandle| {
            let body = &self.world.bodies[handle];
            let axis = |e: Vec3| {
                let e = body.rotation() * e;
                V3::new(e.x, e.y, e.z)
            };
            let x = body.translation();
            let a = M3::from_columns(&[axis(Vec3::X), axis(Vec3::Y), axis(Vec3::Z)]);
            Pose { x: V3::new(x.x, x.y, x.z), a, v: V3::zeros(), w: V3::zeros() }
        };
        scenes::with_ground(&self.bodies.iter().map(pose).collect::<Vec<_>>())
    }
}

/// Steps `engine` to `rest` [s], and a second more, and prints a line of figures.
fn measure(name: &str, mut engine: impl Engine, judge: &ContactSet, rest: f64) {
    let steps = |seconds: f64| (seconds / STEP).round() as usize;
    let timed = |engine: &mut dyn FnMut() -> Option<f64>| {
        let begun = Instant::now();
        let residual = engine();
        (1e3 * begun.elapsed().as_secs_f64(), residual)
    };
    let landing = (0..steps(rest)).map(|_| timed(&mut || engine.step()).0).fold(0.0, f64::max);
    let (mut times, mut overlap, mut residual) = (Vec::new(), 0.0_f64, f64::NAN);
    for _ in 0..steps(1.0) {
        let (time, left) = timed(&mut || engine.step());
        times.push(time);
        residual = residual.max(left.unwrap_or(f64::NAN));
        overlap = overlap.max(judge.overlap(&engine.poses()));
    }
    times.sort_by(f64::total_cmp);
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    let residual = if residual.is_nan() { "-".to_owned() } else { format!("{residual:.1e}") };
    println!("| {name} | {median:.2} | {longest:.2} | {landing:.1} | {:.2e} | {residual} |", 1e3 * overlap);
}

fn main() {
    let pile = |pitch, stagger| scenes::layers(10, 10, pitch, stagger);
    let all = [
        ("1,000 boxes, 0.1 m apart", pile(0.3, 0.0), 1.0),
        ("1,000 boxes, 1 mm apart", pile(0.201, 0.0), 1.0),
        ("1,000 boxes, 1 mm apart, turned by 30 degrees", scenes::turned(pile(0.201, 0.0), 30.0_f64.to_radians()), 1.0),
        ("1,000 boxes, 0.1 m apart, each turned by up to 0.1", scenes::twisted(pile(0.3, 0.0), 0.1, 3), 1.5),
        ("wall of 120", scenes::wall(15), 0.5),
        ("tower of 10, top 100 times heavier", scenes::tower(10, |k| if k == 9 { 800.0 } else { 8.0 }), 0.5),
        (
            "the tower turned by 30 degrees",
            scenes::turned(scenes::tower(10, |k| if k == 9 { 800.0 } else { 8.0 }), 30.0_f64.to_radians()),
            0.5,
        ),
    ];
    println!("| scene | median \\[ms\\] | longest | longest before rest | overlap \\[mm\\] | residual \\[m/s\\] |");
    println!("|---|---|---|---|---|---|");
    for (name, bricks, rest) in all {
        let (_, judge) = scenes::compile(&bricks, FRICTION);
        measure(&format!("{name}: fourbar"), Fourbar::new(&bricks), &judge, rest);
        for iterations in ITERATIONS {
            measure(
                &format!("{name}: rapier, {iterations} iterations"),
                Rapier::new(&bricks, iterations),
                &judge,
                rest,
            );
        }
    }
}
