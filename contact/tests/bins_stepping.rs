//! Spheres with friction that fall into bins and onto floors, in fixed steps: no run ends early, and hardly a step is left unsolved.

use crate::piles::Numbers;
use fourbar_contact::Budget;
use fourbar_contact::model::{
    Contact, ContactKind, ContactModel, Geometry, HalfSpaceShape, Shape, Shapes, SphereShape,
};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Scheme, TimeStepper, TimeStepping};
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Body, Frame, MarkerRef, Model, Orientation, Place, vector, zero};
use proptest::prelude::*;
use std::sync::Arc;

const RADIUS: f64 = 0.1;
const G: f64 = 9.81;

/// Spheres of 1 kg in layers of `across` x `across`, on a floor, between four walls if there are any.
struct Bin {
    across: usize,
    count: usize,
    walls: bool,
    friction: f64,
    seed: u64,
}

impl Bin {
    fn places(&self) -> Vec<[f64; 3]> {
        let mut numbers = Numbers(self.seed);
        let middle = 0.5 * (self.across - 1) as f64;
        let place = |k: usize| {
            let (layer, rest) = (k / self.across.pow(2), k % self.across.pow(2));
            let at = |i: usize, jitter: f64| 0.24 * (i as f64 - middle) + 0.01 * jitter;
            [at(rest % self.across, numbers.next()), at(rest / self.across, numbers.next()), 0.15 + 0.24 * layer as f64]
        };
        (0..self.count).map(place).collect()
    }

    fn planes(&self) -> Vec<[[f64; 3]; 2]> {
        let wall = 0.12 * self.across as f64 + 0.05;
        let sides = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        let floor = [[0.0; 3], [0.0, 0.0, 1.0]];
        let walls = sides.map(|[x, y]| [[wall * x, wall * y, 0.0], [-x, -y, 0.0]]);
        std::iter::once(floor).chain(walls.into_iter().filter(|_| self.walls)).collect()
    }

    fn model(&self) -> (Model, ContactModel) {
        let mut shapes = Vec::new();
        let mut shape = |name: String, on: MarkerRef, geometry: Geometry| {
            shapes.push(Shape { name, on, group: Some("all".to_owned()), geometry });
        };
        for (k, [position, z]) in self.planes().into_iter().enumerate() {
            let orientation = Orientation { z_axis: Some(vector(z)), ..Orientation::default() };
            let place =
                Place { body: "ground".to_owned(), position: vector(position), orientation, frame: Frame::Body };
            shape(format!("plane {k}"), MarkerRef::Inline(Box::new(place)), Geometry::HalfSpace(HalfSpaceShape {}));
        }
        let mut bodies = Vec::new();
        for (k, at) in self.places().into_iter().enumerate() {
            let name = format!("ball {k}");
            shape(format!("sphere {k}"), name.as_str().into(), Geometry::Sphere(SphereShape { radius: RADIUS.into() }));
            bodies.push(Body {
                name,
                mass: 1.0.into(),
                inertia: vec![0.004.into(); 3],
                center_of_mass: zero(),
                position: vector(at),
                orientation: Orientation::default(),
                velocity: zero(),
                angular_velocity: zero(),
                exact: vec![],
                solids: Vec::new(),
            });
        }
        let all = ContactKind::Shapes(Shapes { i: "all".to_owned(), j: None, joined: false });
        let contacts = vec![Contact::new("touching", all).with_friction(self.friction)];
        let model = Model { gravity: vector([0.0, 0.0, -G]), bodies, ..Model::default() };
        (model, ContactModel { shapes, contacts })
    }

    fn begin(&self, scheme: Scheme, step: f64) -> TimeStepper<ContactSet> {
        let (model, contacts) = self.model();
        let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
        let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
        let options = TimeStepping { scheme, step, ..TimeStepping::default() };
        options.start(&mechanism, set, mechanism.start()).expect("a start")
    }
}

/// Steps to `end`: all of them, and those with residuals above a thousandth of the speeds, of which a run warns. Energy must not rise, and what rests on
/// the floor carries all.
fn follow(stepper: &mut TimeStepper<ContactSet>, end: f64) -> [usize; 2] {
    let [mut steps, mut unsolved] = [0; 2];
    let start = stepper.record().kinetic + stepper.record().potential;
    while stepper.time() < end - 1e-9 {
        let record = stepper.step().expect("a step");
        steps += 1;
        unsolved += usize::from(record.residual > 1e-3);
        let energy = record.kinetic + record.potential;
        assert!(energy <= start * (1.0 + 1e-9), "{energy} J of {start} J at {}", record.time);
    }
    [steps, unsolved]
}

#[test]
fn a_bin_of_spheres_comes_to_rest() {
    let bin = Bin { across: 5, count: 100, walls: true, friction: 0.5, seed: 5 };
    let mut stepper = bin.begin(Scheme::GapLcp, 5e-3);
    let [steps, unsolved] = follow(&mut stepper, 1.5);
    assert!(steps == 300 && unsolved == 0, "{unsolved} of {steps}");
    // The floor carries them.
    let on_floor = |id| stepper.detector().describe(id).contains("plane 0");
    let carried: f64 = stepper.contacts().iter().filter(|c| on_floor(c.id)).map(|c| c.impulse[0]).sum();
    let weight = 100.0 * G * 5e-3;
    assert!((carried - weight).abs() < 0.2 * weight, "{carried} N s of {weight}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Bins and heaps of any friction and step: none ends early, none leaves a step above a thousandth of the speeds.
    #[test]
    fn bins_are_followed_to_the_end(
        seed in any::<u64>(), count in 6..20_usize, walls in any::<bool>(), friction in 0.0..1.2_f64, step in 0..3_usize
    ) {
        let step = [5e-3, 2.5e-3, 1e-3][step];
        let bin = Bin { across: 2, count, walls, friction, seed };
        let mut stepper = bin.begin(Scheme::GapLcp, step);
        let [_, unsolved] = follow(&mut stepper, 0.4);
        prop_assert_eq!(unsolved, 0);
    }
}

/// Without any work to spend no step is solved: the run goes on from the best points, and says so.
#[test]
fn steps_that_are_not_solved_end_no_run() {
    for scheme in [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl] {
        let bin = Bin { across: 2, count: 8, walls: true, friction: 0.5, seed: 3 };
        let mut stepper = bin.begin(scheme, 5e-3);
        stepper.set_budget(&Budget { work: Some(0), ..Budget::default() });
        let (mut told, mut ends) = (0, 0.0);
        while stepper.time() < 0.3 - 1e-9 {
            let record = stepper.step().expect("a step");
            assert!(record.residual.is_finite(), "{scheme:?}");
            told += usize::from(record.out_of_budget);
            ends = record.time;
        }
        assert!(told > 0 && (ends - 0.3).abs() < 1e-9, "{scheme:?}: {told}");
    }
}
