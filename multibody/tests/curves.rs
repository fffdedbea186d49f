//! Points on curves and curves that touch: cams in closed form, beads on tracks that keep their energy, in every formulation and however they are drawn.

use crate::support::matrix::off_start;
use crate::support::runs::{compile, measures, methods, refused};
use crate::support::shafts::{Drawn, PLAIN, drawings, vector};
use fourbar_multibody::analysis::{Equilibrium, Kinematics, Linearization};
use fourbar_multibody::formulation::Equations;
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Inputs};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::sync::Arc;

const Z: [f64; 3] = [0.0, 0.0, 1.0];
/// Radius of the eccentric, its eccentricity, and the radius of the roller.
const R: f64 = 0.5;
const E: f64 = 0.2;
const ROLLER: f64 = 0.15;

/// What rides on the eccentric.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Follower {
    /// A point.
    Knife,
    /// A circle.
    Roller,
    /// A line across the slide.
    Flat,
}

const FOLLOWERS: [Follower; 3] = [Follower::Knife, Follower::Roller, Follower::Flat];

impl Follower {
    /// Height at the angle of the eccentric.
    fn lift(self, angle: f64) -> f64 {
        let reach = |r: f64| E * angle.sin() + (r * r - (E * angle.cos()).powi(2)).sqrt();
        match self {
            Self::Knife => reach(R),
            Self::Roller => reach(R + ROLLER),
            Self::Flat => E * angle.sin() + R,
        }
    }
}

/// A circle of `count` points about (x, 0); clockwise if `back`, unevenly spaced by `uneven`.
fn circle(d: Drawn, radius: f64, x: f64, count: usize, back: bool, uneven: f64) -> Value {
    let point = |k: usize| {
        let turn = TAU * (k % count) as f64 / count as f64;
        let turn = (turn + uneven * (2.0 * turn).sin()) * if back { -1.0 } else { 1.0 };
        json!([(x + radius * turn.cos()) * d.unit, radius * turn.sin() * d.unit])
    };
    (0..=count).map(point).collect()
}

/// An eccentric driven at 2 rad/s, or free with a follower that gravity presses down.
fn cam(d: Drawn, follower: Follower, count: usize, (back, reversed): (bool, bool), driven: bool) -> Value {
    let start = follower.lift(0.0);
    let at = [0.0, start, 0.0];
    let marker = |body: &str, p: [f64; 3], z: [f64; 3], x: [f64; 3]| {
        json!({"body": body, "position": vector(d.point(p)), "frame": "global",
        "orientation": {"z_axis": vector(d.direction(z)), "x_axis": vector(d.direction(x))}})
    };
    let x = [1.0, 0.0, 0.0];
    let up = [0.0, 1.0, 0.0];
    let slide = |body: &str| marker(body, at, up, x);
    let mut curves = vec![
        json!({"name": "eccentric", "marker": marker("cam", [0.0; 3], Z, x), "closed": true, "points": circle(d, R, E, count, back, 0.1)}),
    ];
    let own = marker("follower", at, Z, x);
    match follower {
        Follower::Knife => {}
        Follower::Roller => curves.push(
            json!({"name": "shoe", "marker": own, "closed": true, "points": circle(d, ROLLER, 0.0, count, false, 0.0)}),
        ),
        Follower::Flat => {
            curves.push(json!({"name": "shoe", "marker": own, "points": [[-d.unit, 0], [1.3 * d.unit, 0]]}))
        }
    }
    let mut model = json!({
        "gravity": vector(d.direction([0.0, -9.81 * d.unit, 0.0])),
        "body": [d.body("cam", [E, 0.0, 0.0], 3.0, 0.4), d.body("follower", at, 2.0, 0.1)],
        "joint": [
            {"name": "shaft", "type": "revolute", "i": marker("cam", [0.0; 3], Z, x), "j": marker("ground", [0.0; 3], Z, x), "initial": {"angular_velocity": 2.0}},
            {"name": "slide", "type": "prismatic", "i": slide("follower"), "j": slide("ground")}],
        "curve": curves,
        "measure": [
            {"name": "turn", "type": "angle", "i": marker("cam", [0.0; 3], Z, x), "j": marker("ground", [0.0; 3], Z, x)},
            {"name": "height", "type": "position", "i": own, "j": marker("ground", [0.0; 3], Z, x), "frame": slide("ground"), "component": "z"},
            {"name": "energy", "type": "total_energy"}],
    });
    let force = |kind: &str| json!({"name": "press", "type": "reaction", kind: "ride", "quantity": "force", "frame": marker("ground", [0.0; 3], Z, x)});
    let measure = if follower == Follower::Knife {
        model["point_on_curve"] = json!([{"name": "ride", "i": own, "curve": "eccentric"}]);
        force("point_on_curve")
    } else {
        let pair = if reversed { ["eccentric", "shoe"] } else { ["shoe", "eccentric"] };
        model["curve_on_curve"] = json!([{"name": "ride", "curves": pair}]);
        force("curve_on_curve")
    };
    model["measure"].as_array_mut().expect("a list").push(measure);
    if driven {
        model["joint"][0].as_object_mut().expect("a joint").remove("initial");
        model["motion"] = json!([{"name": "drive", "joint": "shaft", "displacement": "2*time"}]);
    }
    model
}

#[test]
fn cams_lift_as_the_circle_they_are_drawn_after() {
    for (k, d) in drawings().into_iter().enumerate() {
        for follower in FOLLOWERS {
            let (back, reversed) = (k % 2 == 1, k % 3 == 1);
            let mechanism = compile(&cam(d, follower, 120, (back, reversed), true));
            assert_eq!(mechanism.degrees_of_freedom(), 0);
            let mut kinematics = Kinematics::new(&mechanism).expect("driven");
            // Ten turns, through the seam of the curve.
            for step in 1..=50 {
                let t = TAU * f64::from(step) / 10.0;
                kinematics.go_to(t).expect("it follows");
                let height = (kinematics.state().poses[1].x - d.point([0.0; 3])).dot(&d.direction([0.0, 1.0, 0.0]));
                let off = (height / d.unit - follower.lift(2.0 * t)).abs();
                assert!(off < 1e-6, "{d:?} {follower:?} at {t}: {off}");
            }
        }
    }
}

#[test]
fn lifts_converge_with_the_fourth_order_of_the_points() {
    for follower in FOLLOWERS {
        let worst = |count| {
            let mechanism = compile(&cam(PLAIN, follower, count, (false, false), true));
            let mut kinematics = Kinematics::new(&mechanism).expect("driven");
            let off = |k: u32| {
                let t = 0.04 * f64::from(k);
                kinematics.go_to(t).expect("it follows");
                (kinematics.state().poses[1].x.y - follower.lift(2.0 * t)).abs()
            };
            (1..80).map(off).fold(0.0, f64::max)
        };
        let [coarse, fine] = [24, 48].map(worst);
        let order = (coarse / fine).log2();
        assert!((3.5..4.6).contains(&order), "{follower:?}: {coarse} {fine} {order}");
    }
}

/// Energy (J + m_f y'^2)/2 + weights, and the force on the follower, m_f (y'' + g) along the slide.
#[test]
fn free_cams_keep_their_energy_and_press_as_they_accelerate() {
    for (k, d) in drawings().into_iter().enumerate() {
        // Each follower twice, all in a row with other directions.
        for follower in [FOLLOWERS[k % 3]] {
            let mechanism = compile(&cam(d, follower, 120, (k % 2 == 0, k % 2 == 1), false));
            assert_eq!(mechanism.degrees_of_freedom(), 1, "{follower:?}");
            let first = measures(&mechanism, methods()[0].clone(), 1e-9);
            // It is that on the first of two curves.
            let reversed = k % 2 == 1 && follower != Follower::Knife;
            let force = if reversed { -first[4] } else { first[4] };
            assert!(force > 0.0, "the cam holds the follower up: {first:?}");
            for way in methods() {
                let formulation = way.1;
                let found = measures(&mechanism, way, 3.0);
                let off = (found[1] / d.unit - follower.lift(found[0])).abs();
                assert!(off < 2e-6, "{d:?} {follower:?} {formulation:?}: {off}");
                let change = (found[2] - first[2]) / (d.unit * d.unit);
                // Of 10 J; `i3` tests no velocities.
                let allowed = if formulation == Formulation::I3 { 3e-4 } else { 3e-5 };
                assert!(change.abs() < allowed, "{d:?} {follower:?} {formulation:?}: {change} J");
            }
        }
    }
}

#[test]
fn cams_in_a_plane_are_solved_in_it() {
    for follower in FOLLOWERS {
        for d in drawings() {
            let mechanism = compile(&cam(d, follower, 40, (false, true), false));
            let equations = Equations::fewest(Arc::clone(&mechanism), Formulation::Si2, mechanism.start());
            assert!(equations.is_planar(), "{follower:?}");
        }
    }
}

#[test]
fn the_matrix_is_the_derivative_of_the_equations() {
    for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
        for follower in FOLLOWERS {
            off_start(&compile(&cam(PLAIN, follower, 40, (false, false), false)), formulation, 0.02);
            // Without joints they tumble in space.
            let mut loose = cam(Drawn { tilt: [0.4, -0.7, 1.1], ..PLAIN }, follower, 40, (true, true), false);
            loose["joint"] = json!([]);
            off_start(&compile(&loose), formulation, 0.02);
        }
        off_start(&compile(&track(PLAIN, false)), formulation, 0.02);
    }
}

/// A bead on a closed track in space that rises and falls, carried by the ground or by a heavy body that tumbles.
fn track(d: Drawn, carried: bool) -> Value {
    let point = |k: usize| {
        let turn = TAU * (k % 60) as f64 / 60.0;
        let radius = 1.0 + 0.2 * (2.0 * turn).cos();
        [radius * turn.cos(), radius * turn.sin(), 0.4 * (3.0 * turn).sin()]
    };
    let on = if carried { "carrier" } else { "ground" };
    let x = d.direction([1.0, 0.0, 0.0]);
    let frame = json!({"body": on, "position": vector(d.point([0.0; 3])), "frame": "global", "orientation": {"z_axis": vector(d.direction(Z)), "x_axis": vector(x)}});
    let points: Vec<Value> = (0..=60).map(|k| vector(crate::support::shafts::V3::from(point(k)) * d.unit)).collect();
    let mut bodies = vec![d.body("bead", point(0), 2.0, 0.01)];
    bodies[0]["velocity"] = vector(d.direction([0.0, 1.2, 1.2]) * (4.0 * d.unit));
    if carried {
        let mut carrier = d.body("carrier", [0.1, 0.2, 0.3], 5.0, 1.0);
        carrier["inertia"] = json!([d.unit * d.unit, 1.5 * d.unit * d.unit, 2.0 * d.unit * d.unit]);
        carrier["angular_velocity"] = json!([0.3, -0.5, 0.8]);
        bodies.push(carrier);
    }
    let gravity = if carried { 0.0 } else { -9.81 * d.unit };
    json!({
        "gravity": vector(d.direction([0.0, 0.0, gravity])),
        "body": bodies,
        "curve": [{"name": "track", "marker": frame, "closed": true, "points": points}],
        "point_on_curve": [{"name": "ride", "i": "bead", "curve": "track"}],
        "measure": [{"name": "energy", "type": "total_energy"}, {"name": "ride", "type": "reaction", "point_on_curve": "ride", "quantity": "torque"}],
    })
}

#[test]
fn beads_on_tracks_in_space_keep_their_energy() {
    for (k, d) in drawings().into_iter().enumerate() {
        let mechanism = compile(&track(d, k % 2 == 1));
        assert_eq!(mechanism.row_count(), 2);
        let first = measures(&mechanism, methods()[0].clone(), 1e-9)[0];
        // Several rounds.
        for way in methods() {
            let formulation = way.1;
            let found = measures(&mechanism, way, 5.0);
            let change = (found[0] - first) / (d.unit * d.unit);
            // Of 46 J, less what `i3`, which tests no velocities, leaves: up to a thousand tolerances.
            let allowed = if formulation == Formulation::I3 { 5e-2 } else { 3e-4 };
            assert!(change.abs() < allowed, "{d:?} {formulation:?}: {change} J of {first}");
            // A smooth curve turns nothing.
            assert!(found[1..].iter().all(|torque| torque.abs() < 1e-6 * d.unit * d.unit), "{found:?}");
        }
    }
}

/// A bead in an open arc of a circle rests below and swings there as a pendulum.
fn arc(d: Drawn, from: f64, to: f64) -> Value {
    let point = |k: usize| {
        let turn = from + (to - from) * k as f64 / 60.0;
        json!([turn.sin() * d.unit, -turn.cos() * d.unit])
    };
    let marker = |body: &str, p: [f64; 3]| d.marker(body, p, Z);
    let at = [0.5_f64.sin(), -(0.5_f64.cos()), 0.0];
    // Axes of the marker as `Drawn` chooses them: x is x.
    json!({
        "gravity": vector(d.direction([0.0, -9.81 * d.unit, 0.0])),
        "body": [d.body("bead", at, 2.0, 0.01)],
        "joint": [{"name": "table", "type": "planar", "i": marker("bead", at), "j": marker("ground", [0.0; 3])}],
        "curve": [{"name": "arc", "marker": marker("ground", [0.0; 3]), "points": (0..=60).map(point).collect::<Vec<_>>()}],
        "point_on_curve": [{"name": "ride", "i": "bead", "curve": "arc"}],
        "measure": [{"name": "p", "type": "position", "i": "bead"}],
    })
}

#[test]
fn a_bead_in_an_arc_rests_below_and_swings() {
    for d in drawings() {
        let mechanism = compile(&arc(d, -1.5, 1.5));
        let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("a rest");
        let off = (found.state.poses[0].x - d.point([0.0, -1.0, 0.0])).norm() / d.unit;
        assert!(off < 1e-6, "{off}");
        let linear = Linearization::new(&mechanism, &found.state, &Inputs::start(&mechanism)).expect("a regular state");
        let values = linear.a.complex_eigenvalues();
        // The bend of the spline has an error of second order in the distance of its points.
        assert!(values.iter().any(|v| ((v * v).re + 9.81).abs() < 1e-3 * 9.81), "{values}");
    }
}

#[test]
fn a_bead_that_leaves_an_open_curve_is_told() {
    let mechanism = compile(&arc(PLAIN, -0.3, 1.5));
    for (method, formulation) in methods() {
        let options = DynamicsOptions { formulation, method, end: 3.0, stop_times: vec![] };
        let mut dynamics = Dynamics::new(&mechanism, &options).expect("a start");
        let error = loop {
            match dynamics.step() {
                Ok(stop) => assert!(stop != fourbar_multibody::integrator::Stop::EndTime, "{formulation:?} goes on"),
                Err(error) => break error.to_string(),
            }
        };
        assert!(
            error.contains("point_on_curve \"ride\"") && error.contains("beyond an end"),
            "{formulation:?}: {error}"
        );
        let at = dynamics.time();
        assert!((0.3..0.9).contains(&at), "{at}");
    }
}

#[test]
fn points_and_pairs_that_do_not_fit_are_refused() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut model = cam(PLAIN, Follower::Roller, 40, (false, false), false);
        model["point_on_curve"] = json!([{"name": "point", "i": "follower", "curve": "eccentric"}]);
        change(&mut model);
        model
    };
    refused(
        &with(&|m| m["curve"][0]["closed"] = json!(false)),
        "curve \"eccentric\", `closed`",
        "not said to be closed",
    );
    refused(
        &with(&|m| m["curve"][0]["points"][40] = json!([0.9, 0.3])),
        "curve \"eccentric\", `closed`",
        "from the first",
    );
    refused(&with(&|m| m["curve"][0]["points"][3] = m["curve"][0]["points"][4].clone()), "`points`", "repeats");
    refused(&with(&|m| m["curve"][0]["points"][3] = json!([1, 2, 3])), "`points[0]`", "coordinates");
    refused(&with(&|m| m["curve"][0]["points"][3] = json!(["1/0", 2])), "`points[3]`", "");
    refused(
        &with(&|m| m["curve"][1]["points"] = json!([[0, 0], [1, 0], [0, 0]])),
        "curve \"shoe\", `points`",
        "at least 4",
    );
    refused(&with(&|m| m["curve"][1]["points"] = json!([])), "curve \"shoe\", `points`", "at least");
    refused(&with(&|m| m["curve"][1]["name"] = json!("eccentric")), "curve \"eccentric\"", "taken");
    refused(&with(&|m| m["curve"][1]["marker"] = json!("shoo")), "curve \"shoe\", `marker`", "shoo");
    refused(&with(&|m| m["curve_on_curve"][0]["curves"][1] = json!("shoe")), "`curves[1]`", "both are on");
    refused(&with(&|m| m["curve_on_curve"][0]["curves"][1] = json!("shoo")), "`curves[1]`", "shoo");
    refused(&with(&|m| m["point_on_curve"][0]["curve"] = json!("excentric")), "`curve`", "eccentric");
    refused(&with(&|m| m["point_on_curve"][0]["i"] = json!("cam")), "`i`", "both are on");
    refused(&with(&|m| m["measure"][3]["curve_on_curve"] = json!("rider")), "measure", "rider");
    let high = json!([[0, 0, 0], [1, 0, 0], [1, 1, 1]]);
    refused(
        &with(&|m| (m["curve"][1]["points"], m["curve"][1]["closed"]) = (high.clone(), json!(false))),
        "`curves[0]`",
        "in space",
    );
}
