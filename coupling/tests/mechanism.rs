//! Mechanisms as partners: contacts inside, exact return to checkpoints, the control plant, what is refused (R40 to R46).

use crate::counting;

use counting::obtained;
use fourbar_contact::event::{EventDriven, EventKind};
use fourbar_contact::model::ContactModel;
use fourbar_contact::stepping::TimeStepping;
use fourbar_coupling::partner::{ControlPlant, Following, Mechanism, MechanismOptions, Ode, ReactionOutputs};
use fourbar_coupling::{
    Algorithm, Connection, Error, Fault, Master, Options, Order, Partner, RunState, Signal, Simulator, Snapshot,
    Variable,
};
use fourbar_dae::integrator::{Gstiff, Rkf45};
use fourbar_multibody::{DynamicsOptions, Method, Model};
use serde_json::json;

const MASS: f64 = 2.0;
const FORCE: f64 = 10.0;
const RESTITUTION: f64 = 0.5;
const STOP: f64 = 0.2;

/// A mass on a slide, 1 m from the ground, a cylinder between both, and a stop at 0.2 m.
fn slide() -> (Model, ContactModel) {
    let model = json!({
        "name": "slide",
        "body": [{ "name": "mass", "mass": MASS, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 1] }],
        "joint": [{ "name": "guide", "type": "prismatic", "i": "mass", "j": "ground" }],
        "actuator": [{ "name": "cylinder", "i": "mass", "j": "ground" }],
        "measure": [
            { "name": "energy", "type": "kinetic_energy" },
            { "name": "acceleration", "type": "acceleration", "i": "mass", "component": "z" },
        ],
    });
    let contacts = json!({ "contact": [
        { "name": "stop", "type": "joint_stop", "joint": "guide", "lower": STOP, "restitution": RESTITUTION }
    ] });
    (serde_json::from_value(model).unwrap(), serde_json::from_value(contacts).unwrap())
}

fn events() -> Following {
    Following::Events(EventDriven { accumulation_speed: 1e-6, ..EventDriven::default() })
}

fn steps(step: f64) -> Following {
    Following::Steps(TimeStepping { step, ..TimeStepping::default() })
}

/// Displacement and velocity of the cylinder as outputs.
fn coordinates(output_derivatives: bool) -> MechanismOptions {
    MechanismOptions {
        outputs: Some(vec!["cylinder.displacement".into(), "cylinder.velocity".into()]),
        output_derivatives,
        ..MechanismOptions::default()
    }
}

fn on_the_stop(following: &Following) -> Mechanism {
    let (model, contacts) = slide();
    Mechanism::with_contacts(&model, &contacts, following, &coordinates(false)).unwrap()
}

fn outputs(simulator: &mut dyn Simulator) -> Vec<f64> {
    let count =
        simulator.describe().variables.iter().filter(|v| v.causality == fourbar_coupling::Causality::Output).count();
    let mut values = vec![0.0; count];
    simulator.outputs(&mut values).unwrap();
    values
}

/// Position and velocity at t of a mass that a constant force presses from rest at 1 m onto the stop.
fn bouncing(t: f64) -> [f64; 2] {
    let a = FORCE / MASS;
    let mut impact = (2.0 * (1.0 - STOP) / a).sqrt();
    if t <= impact {
        return [1.0 - 0.5 * a * t * t, -a * t];
    }
    let mut rebound = RESTITUTION * a * impact;
    while rebound > 1e-9 {
        let flight = 2.0 * rebound / a;
        if t <= impact + flight {
            let s = t - impact;
            return [STOP + rebound * s - 0.5 * a * s * s, rebound - a * s];
        }
        impact += flight;
        rebound *= RESTITUTION;
    }
    [STOP, 0.0]
}

/// Largest errors of position and velocity over 2.5 s under a constant force, in steps of `h`; near an impact that falls together with a
/// communication point the velocity may be that of before or after.
fn errors_while_bouncing(mechanism: &mut Mechanism, h: f64) -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for k in 0..(2.5 / h).round() as usize {
        mechanism.set_inputs(&[Signal::held(-FORCE)]).unwrap();
        mechanism.step(k as f64 * h, h).unwrap();
        let (found, expected) = (outputs(mechanism), bouncing((k + 1) as f64 * h));
        for i in 0..2 {
            worst[i] = worst[i].max((found[i] - expected[i]).abs());
        }
    }
    worst
}

#[test]
fn impacts_within_communication_steps_follow_the_closed_form() {
    let mut mechanism = on_the_stop(&events());
    let h = 0.013;
    let found = errors_while_bouncing(&mut mechanism, h);
    println!("{found:?}");
    assert!(found[0] < 1e-9 && found[1] < 2e-6, "{found:?}");
    // It rests, carried by the stop, until the force turns within a step.
    let t = 192.0 * h;
    for (k, (signal, expected)) in [
        (Signal::held(-3.0), [STOP, 0.0]),
        (Signal { value: -3.0, first: 6.0 / h, second: 0.0 }, [STOP + 0.5 / MASS * h * h / 4.0, 0.75 / MASS * h]),
    ]
    .into_iter()
    .enumerate()
    {
        mechanism.set_inputs(&[signal]).unwrap();
        let reached = mechanism.step(t + k as f64 * h, h).unwrap();
        assert!((reached - t - (k + 1) as f64 * h).abs() < 1e-12);
        let found = outputs(&mut mechanism);
        println!("{found:?} {expected:?}");
        assert!(
            (found[0] - expected[0]).abs() < 1e-9 && (found[1] - expected[1]).abs() < 1e-8,
            "{found:?} {expected:?}"
        );
    }
    assert!(mechanism.events().iter().any(|event| event.kind == EventKind::Opened), "{:?}", mechanism.events());
}

#[test]
fn fixed_steps_divide_a_communication_step_and_converge() {
    let coarse = errors_while_bouncing(&mut on_the_stop(&steps(2e-3)), 0.013)[0];
    let fine = errors_while_bouncing(&mut on_the_stop(&steps(5e-4)), 0.013)[0];
    println!("{coarse:e} {fine:e}");
    assert!(coarse < 2e-2 && fine < 0.4 * coarse, "{coarse:e}, {fine:e}");
    let description = on_the_stop(&steps(2e-3)).describe();
    assert_eq!(description.solver_step, Some(2e-3));
}

#[test]
fn a_step_with_impacts_repeats_itself_bit_for_bit() {
    for following in [events(), steps(1e-3)] {
        let mut mechanism = on_the_stop(&following);
        let h = 0.05;
        // The first impact is at 0.566 s.
        for k in 0..11 {
            mechanism.set_inputs(&[Signal::held(-FORCE)]).unwrap();
            mechanism.step(k as f64 * h, h).unwrap();
        }
        let mut saved = Snapshot::new();
        mechanism.save(&mut saved).unwrap();
        let mut go = |force: f64| -> Vec<u64> {
            let mut all = vec![];
            for k in 11..20 {
                mechanism.set_inputs(&[Signal { value: force, first: 3.0, second: -40.0 }]).unwrap();
                mechanism.step(k as f64 * h, h).unwrap();
                all.extend(outputs(&mut mechanism).iter().map(|value| value.to_bits()));
            }
            mechanism.restore(&saved).unwrap();
            all
        };
        let first = go(-FORCE);
        assert!(go(-FORCE - 1.0) != first);
        assert_eq!(go(-FORCE), first, "{following:?}");
    }
}

#[test]
fn a_communication_step_of_a_smooth_mechanism_allocates_nothing() {
    // Partitioned coordinates set their solvers up anew where they return to a checkpoint.
    let methods: [(Method, usize); 2] =
        [(Gstiff::with_tolerance(1e-6).into(), 2), (Rkf45::with_tolerance(1e-6).into(), 1)];
    for (method, repeats) in methods {
        let dynamics = DynamicsOptions { method, ..DynamicsOptions::default() };
        let mut mechanism = Mechanism::new(&slide().0, &dynamics, &coordinates(true)).unwrap();
        let (mut saved, mut values) = (Snapshot::new(), [0.0; 2]);
        let mut go = |from: usize, to: usize| {
            for k in from..to {
                let t = k as f64 * 0.01;
                mechanism.set_inputs(&[Signal { value: t.sin(), first: 1.0, second: -20.0 * t.cos() }]).unwrap();
                mechanism.save(&mut saved).unwrap();
                for repeat in 1..=repeats {
                    mechanism.step(t, 0.01).unwrap();
                    mechanism.outputs(&mut values).unwrap();
                    mechanism.output_derivatives(&mut values).unwrap();
                    if repeat < repeats {
                        mechanism.restore(&saved).unwrap();
                    }
                }
            }
        };
        go(0, 50);
        let before = obtained();
        go(50, 150);
        assert_eq!(obtained() - before, 0, "{dynamics:?}");
    }
}

#[test]
fn the_control_plant_says_what_is_exchanged() {
    let (mut model, _) = slide();
    model.motions =
        serde_json::from_value(json!([{ "name": "stroke", "joint": "guide", "displacement": "1 + 0*time" }])).unwrap();
    model.actuators[0].replaces = Some("stroke".into());
    let plant = Mechanism::of_model(&model, &MechanismOptions::default()).unwrap().plant().clone();
    let text = serde_json::to_string(&plant).unwrap();
    println!("{text}");
    assert_eq!(serde_json::from_str::<ControlPlant>(&text).unwrap(), plant);
    let names = |variables: &[fourbar_coupling::partner::PlantVariable]| -> Vec<(String, String, f64)> {
        variables.iter().map(|v| (v.name.clone(), v.unit.clone(), v.start)).collect()
    };
    let named = |name: &str, unit: &str, start: f64| (name.to_owned(), unit.to_owned(), start);
    assert_eq!(names(&plant.inputs), [named("cylinder.force", "N", 0.0)]);
    let expected = [
        named("energy", "J", 0.0),
        named("acceleration", "m/s^2", 0.0),
        named("cylinder.displacement", "m", 1.0),
        named("cylinder.velocity", "m/s", 0.0),
    ];
    assert_eq!(names(&plant.outputs), expected);
    assert_eq!(plant.outputs[1].feedthrough, ["cylinder.force"]);
    assert!(plant.outputs[3].feedthrough.is_empty());
    assert_eq!((plant.degrees_of_freedom, plant.replaced_motions.as_slice()), (1, &["stroke".to_owned()][..]));
    assert!(plant.motions.is_empty() && plant.method.contains("gstiff"), "{}", plant.method);
}

#[test]
fn displacement_is_a_distance_and_velocity_its_rate_along_the_line_of_sight() {
    // Beside the reference point, which the mass passes: the distance stays positive, its rate changes its sign there.
    let (mut model, _) = slide();
    model.actuators[0].j = serde_json::from_value(json!({ "body": "ground", "position": [0.3, 0, 0] })).unwrap();
    model.measures = serde_json::from_value(json!([
        { "name": "z", "type": "position", "i": "mass", "component": "z" },
        { "name": "v", "type": "velocity", "i": "mass", "component": "z" },
    ]))
    .unwrap();
    let mut mechanism = Mechanism::of_model(&model, &MechanismOptions::default()).unwrap();
    let mut signs = [0; 2];
    for k in 0..100 {
        mechanism.set_inputs(&[Signal::held(-FORCE)]).unwrap();
        mechanism.step(k as f64 * 0.01, 0.01).unwrap();
        let found = outputs(&mut mechanism);
        let ([z, v], distance) = ([found[0], found[1]], f64::hypot(0.3, found[0]));
        assert!((found[2] - distance).abs() < 1e-12 && (found[3] - z * v / distance).abs() < 1e-12, "{found:?}");
        signs[usize::from(found[3] > 0.0)] += 1;
    }
    assert!(signs[0] > 10 && signs[1] > 10, "{signs:?}");
}

/// The slide on a spring that another partner computes.
fn on_a_spring(output_derivatives: bool, h: f64) -> f64 {
    let (model, _) = slide();
    let dynamics = DynamicsOptions { method: Gstiff::with_tolerance(1e-11).into(), ..DynamicsOptions::default() };
    let mechanism = Mechanism::new(&model, &dynamics, &coordinates(output_derivatives)).unwrap();
    assert_eq!(mechanism.describe().capabilities.output_derivatives, output_derivatives);
    let spring = Ode::new(Vec::new(), |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
        .input(Variable::input("x", "m").start(1.0))
        .output(Variable::output("F", "N").depends_on(&["x"]), |_, _, u| -200.0 * (u[0] - 1.5));
    let connections = [
        Connection::new("slide.cylinder.displacement", "spring.x"),
        Connection::new("spring.F", "slide.cylinder.force"),
    ];
    let algorithm = Algorithm::GaussSeidel { order: Order::Linear, sequence: vec!["spring".into(), "slide".into()] };
    let partners = vec![Partner::new("slide", mechanism), Partner::new("spring", spring)];
    let mut master = Master::new(partners, &connections, &Options::new(2.0, h, algorithm)).unwrap();
    struct Worst(f64);
    impl fourbar_coupling::Observer for Worst {
        fn exchanged(&mut self, view: &fourbar_coupling::management::View<'_>) -> fourbar_coupling::Proceed {
            let expected = 1.5 - 0.5 * (10.0 * view.time()).cos();
            self.0 = self.0.max((view.received(0).unwrap().values[0] - expected).abs());
            fourbar_coupling::Proceed::Continue
        }
    }
    let mut worst = Worst(0.0);
    assert_eq!(master.run(&mut worst).unwrap(), RunState::Finished);
    worst.0
}

#[test]
fn known_derivatives_of_the_outputs_keep_the_order_of_the_coupling() {
    for derivatives in [false, true] {
        let errors = [0.004, 0.002].map(|h| on_a_spring(derivatives, h));
        let order = (errors[0] / errors[1]).log2();
        println!("{derivatives}: {errors:?}, order {order:.2}");
        assert!((order - 2.0).abs() < 0.15 && errors[1] < 5e-3, "{errors:?}, {order}");
    }
}

#[test]
fn what_cannot_be_coupled_is_refused_by_name() {
    let (model, contacts) = slide();
    let choose = |name: &str| MechanismOptions { outputs: Some(vec![name.into()]), ..MechanismOptions::default() };
    let Err(error) = Mechanism::of_model(&model, &choose("cylinder.velocty")) else { panic!() };
    assert!(
        matches!(&error, Error::UnknownVariable { nearest: Some(near), .. } if near == "cylinder.velocity"),
        "{error}"
    );
    let Err(error) = Mechanism::with_contacts(&model, &contacts, &events(), &choose("acceleration")) else { panic!() };
    assert!(matches!(&error, Error::Start { .. }) && error.to_string().contains("\"acceleration\""), "{error}");
    let Err(error) = Mechanism::with_contacts(&model, &contacts, &steps(-1.0), &choose("energy")) else { panic!() };
    assert!(matches!(&error, Error::Start { .. }) && error.to_string().contains("step"), "{error}");
    let mut overdriven = model.clone();
    overdriven.joints.push(overdriven.joints[0].clone());
    let Err(error) = Mechanism::of_model(&overdriven, &MechanismOptions::default()) else { panic!() };
    assert!(matches!(&error, Error::Mechanism(_)), "{error}");
    // Accelerations are simply no outputs where nobody asked for them.
    let whole = Mechanism::with_contacts(&model, &contacts, &events(), &MechanismOptions::default()).unwrap();
    let names: Vec<String> = whole.describe().variables.into_iter().map(|v| v.name).collect();
    assert_eq!(names, ["cylinder.force", "energy", "cylinder.displacement", "cylinder.velocity"]);
}

#[test]
fn a_mechanism_that_fails_is_named_with_its_time() {
    let (mut model, _) = slide();
    let brake = json!([{ "name": "brake", "type": "force", "i": "mass", "value": [0, 0, "-sqrt(0.5 - time)"] }]);
    model.forces = serde_json::from_value::<Vec<fourbar_multibody::model::Force>>(brake).unwrap();
    let mechanism = Mechanism::of_model(&model, &MechanismOptions::default()).unwrap();
    let push = Ode::new(Vec::new(), |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
        .output(Variable::output("F", "N"), |t, _, _| t.sin());
    let partners = vec![Partner::new("slide", mechanism), Partner::new("push", push)];
    let connections = [Connection::new("push.F", "slide.cylinder.force")];
    let options = Options::new(1.0, 0.01, Algorithm::Jacobi { order: Order::Linear });
    let error = Master::new(partners, &connections, &options).unwrap().run(&mut ()).unwrap_err();
    let Error::Stopped(fault) = &error else { panic!("{error}") };
    assert!(
        matches!(&**fault, Fault::Communication { partner, during: "stepping", time, .. }
        if partner == "slide" && (*time - 0.5).abs() < 0.011),
        "{fault}"
    );
    assert!(error.to_string().contains("force \"brake\""), "{error}");
}

#[test]
fn inputs_of_a_model_drive_any_force() {
    // A force across the slide does nothing; one along it, doubled, moves the mass.
    let (mut model, _) = slide();
    model.actuators.clear();
    model.inputs = serde_json::from_value(json!([{ "name": "push", "unit": "N", "value": 1.0 }])).unwrap();
    let forces = json!([{ "name": "pushed", "type": "force", "i": "mass", "value": ["100*push", 0, "2*push"] }]);
    model.forces = serde_json::from_value(forces).unwrap();
    model.measures = serde_json::from_value(json!([
        { "name": "z", "type": "position", "i": "mass", "component": "z" },
        { "name": "effort", "type": "expression", "expression": "2*push", "unit": "N" },
    ]))
    .unwrap();
    let mut mechanism = Mechanism::of_model(&model, &MechanismOptions::default()).unwrap();
    let description = mechanism.describe();
    assert_eq!(description.variables[0].start, 1.0);
    assert_eq!(description.variables[2].feedthrough, ["push"]);
    mechanism.set_inputs(&[Signal { value: 3.0, first: 6.0, second: 0.0 }]).unwrap();
    mechanism.step(0.0, 1.0).unwrap();
    let found = outputs(&mut mechanism);
    assert!((found[0] - (1.0 + 1.5 + 1.0)).abs() < 1e-5 && found[1] == 18.0, "{found:?}");
}

/// A pendulum let go from the horizontal: its pivot carries m g (3 sin a), the angle a counted from there, along the rod (energy: v^2 = 2 g l sin a), and
/// what the measure of the reaction says, which solves for it.
#[test]
fn reactions_are_outputs_from_the_multipliers_of_the_step() {
    let model: Model = serde_json::from_value(json!({
        "name": "pendulum",
        "gravity": [0, -9.81, 0],
        "body": [{ "name": "bob", "mass": MASS, "inertia": [1e-9, 1e-9, 1e-9], "position": [1, 0, 0] }],
        "joint": [{ "name": "pivot", "type": "revolute", "i": { "body": "bob", "position": [-1, 0, 0] }, "j": "ground" }],
        "measure": [
            { "name": "angle", "type": "angle", "i": "bob" },
            { "name": "force", "type": "reaction", "joint": "pivot", "quantity": "force" },
        ],
    }))
    .unwrap();
    let dynamics = DynamicsOptions { method: Method::from(Gstiff::default()), ..DynamicsOptions::default() };
    let of = |every| {
        let reactions = ReactionOutputs { sets: vec![(0, "shown".to_owned())], every };
        let options = MechanismOptions { reactions: Some(reactions), ..MechanismOptions::default() };
        Mechanism::new(&model, &dynamics, &options).unwrap()
    };
    let mut mechanism = of(None);
    let names: Vec<String> = mechanism.describe().variables.into_iter().map(|variable| variable.name).collect();
    assert_eq!(names[names.len() - 6..], ["fx", "fy", "fz", "tx", "ty", "tz"].map(|part| format!("shown.{part}")));
    let mut rare = of(Some(0.1));
    let mut held = Vec::new();
    for k in 0..50 {
        for one in [&mut mechanism, &mut rare] {
            one.step(f64::from(k) * 0.01, 0.01).unwrap();
        }
        let values = outputs(&mut mechanism);
        let shown = &values[values.len() - 6..];
        let solved = &values[1..4];
        let size = solved.iter().map(|part| part * part).sum::<f64>().sqrt();
        let angle = -values[0];
        assert!((size - MASS * 9.81 * 3.0 * angle.sin()).abs() < 1e-3 * MASS * 9.81, "{angle}: {size}");
        for (shown, solved) in shown.iter().zip(solved) {
            assert!((shown - solved).abs() < 1e-2 * MASS * 9.81, "{k}: {shown} {solved}");
        }
        // Every tenth step they are taken, and stay until the next.
        let found = outputs(&mut rare);
        let found = found[found.len() - 6..].to_vec();
        if (k + 1) % 10 == 0 {
            assert_ne!(found, held);
            held = found;
        } else if k > 9 {
            assert_eq!(found, held, "{k}");
        }
    }
}
