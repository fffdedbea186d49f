//! Brakes that act on one side of rest, as `if(v > 0, -F, 0)`: bodies stop, stay where they are, and start again where they are pushed, by all
//! methods, against closed forms.

use crate::breaks::{ALL, pushed, run};
use fourbar_multibody::Error;
use fourbar_multibody::integrator::Error as IntegratorError;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Brakes, what acts beside them, and how it ends.
const KINDS: usize = 8;

/// A body with the speed `v`, which a brake alone stops in the time `stop`, and what follows.
#[derive(Debug, Clone, Copy)]
struct Brake {
    kind: usize,
    mass: f64,
    v: f64,
    stop: f64,
    /// A number from 0.1 to 0.9 for what else there is to choose.
    share: f64,
    /// Direction of the guide or axle, as two angles.
    axis: [f64; 2],
    backward: bool,
    turns: bool,
    /// Weight across the guide or along the axle, ten times the brake's force, and a pendulum that swings beside.
    weighs: bool,
}

impl Brake {
    fn any() -> impl Strategy<Value = Self> {
        let sizes = (-6.0..6.0f64, -6.0..6.0f64, -3.0..3.0f64, 0.1..0.9f64);
        (0..KINDS, sizes, [-3.0..3.0f64, -1.5..1.5f64], any::<[bool; 3]>()).prop_map(
            |(kind, (mass, v, stop, share), axis, [backward, turns, weighs])| {
                let [mass, v, stop] = [mass, v, stop].map(|power| 10.0_f64.powf(power));
                // A turn stays below half a revolution.
                let v = if turns { 2.0 * share / stop } else { v };
                // Guides longer than some 1e6 m are no longer closed beside the round-off of the place.
                let v = v.min(1e6 / stop);
                Self { kind, mass, v, stop, share, axis, backward, turns, weighs }
            },
        )
    }

    /// Size of the brake's force or torque.
    fn force(&self) -> f64 {
        self.mass * self.v / self.stop
    }

    /// The force over way `x` and speed `v`, forward; the end of the run; way and speed there.
    fn course(&self) -> (String, f64, [f64; 2]) {
        let Self { v, stop, mass, share, .. } = *self;
        let (force, way) = (self.force(), 0.5 * v * stop);
        let brake = format!("if(v > 0, {:?}, 0)", -force);
        match self.kind {
            0 => (brake, stop * (1.0 + 3.0 * share), [way, 0.0]),
            1 => (format!("if(v <= 0, 0, {:?})", -force), stop * (1.0 + 3.0 * share), [way, 0.0]),
            // From a place on.
            2 => {
                let from = share * way;
                let text = format!("if(v > 0 and x > {from:?}, {:?}, 0)", -force);
                (text, 3.0 * stop, [from + way, 0.0])
            }
            // Against a spring, which swings it back.
            3 => {
                let rate = share * 4.0 / stop;
                let centre = v / stop / (rate * rate);
                let radius = centre.hypot(v / rate);
                let turn = (v / rate).atan2(centre) / rate;
                let top = (v / rate) * (v / rate) / (radius + centre);
                let swing = share * std::f64::consts::PI;
                let text = format!("{brake} - {:?}*x", mass * rate * rate);
                (text, turn + swing / rate, [top * swing.cos(), -top * rate * swing.sin()])
            }
            // A push starts it again.
            4 => {
                let (begin, end) = (1.5 * stop, (1.5 + share) * stop);
                let push = 1.0 + 3.0 * share;
                let text = format!("{brake} + if(time > {begin:?} and time < {end:?}, {:?}, 0)", push * force);
                let speed = (push - 1.0) * v * share;
                let far = way + 0.5 * speed * share * stop + 0.5 * speed * speed / (v / stop);
                (text, end + stop * (speed / v + share), [far, 0.0])
            }
            // A push sends it back, where nothing brakes.
            5 => {
                let (begin, end) = (1.5 * stop, (1.5 + share) * stop);
                let text = format!("{brake} - if(time > {begin:?} and time < {end:?}, {force:?}, 0)");
                let speed = v * share;
                (text, end + stop, [way - 0.5 * speed * share * stop - speed * stop, -speed])
            }
            // It brakes as its speed.
            6 => (
                format!("{:?}*max(0, v)", -force / v),
                3.0 * stop,
                [v * stop * (1.0 - (-3.0_f64).exp()), v * (-3.0_f64).exp()],
            ),
            // With full force above a speed, and as the speed below.
            _ => {
                let low = share * v;
                let text = format!("{:?}*min(1, max(0, v)/{low:?})", -force);
                let (begin, left) = ((1.0 - share) * stop, (-2.0_f64).exp());
                let first = 0.5 * (v + low) * begin;
                (text, begin + 2.0 * share * stop, [first + low * share * stop * (1.0 - left), low * left])
            }
        }
    }

    fn model(&self, text: &str) -> Value {
        let ([a, b], Self { mass, backward, .. }) = (self.axis, *self);
        let z = [a.cos() * b.cos(), a.sin() * b.cos(), b.sin()];
        let axes = json!({"z_axis": z, "x_axis": [-a.sin(), a.cos(), 0.0]});
        let frame = json!({"body": "ground", "orientation": axes});
        let sign = if backward { -1.0 } else { 1.0 };
        // Where it goes backward everything is mirrored.
        let text = if backward {
            let mirrored = text.replace("max", "MAX").replace('x', "(-x)").replace('v', "(-v)").replace("MAX", "max");
            format!("-({mirrored})")
        } else {
            text.to_owned()
        };
        let speed = sign * self.v;
        let (joint, velocity, acts, way, rate) = if self.turns {
            ("revolute", "angular_velocity", "torque", "angle", "angular_velocity")
        } else {
            ("prismatic", "velocity", "force", "position", "velocity")
        };
        let mut model = pushed("0", 0.0);
        model["body"] = json!([{"name": "b", "mass": mass, "inertia": [mass, mass, mass]}]);
        model["body"][0][velocity] = json!(z.map(|z| speed * z));
        model["joint"] = json!([{"name": "g", "type": joint, "i": {"body": "b", "orientation": axes}, "j": frame}]);
        model["force"] = json!([{"name": "brake", "type": acts, "i": "b", "frame": frame, "value": [0, 0, text]}]);
        let component = json!({"name": "v", "type": rate, "i": "b", "frame": frame, "component": "z"});
        let place = if self.turns {
            json!({"name": "x", "type": way, "i": {"body": "b", "orientation": axes}, "j": frame})
        } else {
            json!({"name": "x", "type": way, "i": "b", "frame": frame, "component": "z"})
        };
        model["measure"] = json!([place, component]);
        if self.weighs {
            let across = if self.turns { z } else { [-a.sin(), a.cos(), 0.0] };
            let gravity = across.map(|along| 10.0 * self.v / self.stop * along);
            model["gravity"] = json!(gravity);
        }
        if self.weighs && self.v * self.stop < 10.0 {
            let swing = json!({"name": "p", "mass": 1, "inertia": [1, 1, 1], "center_of_mass": [0.3, 0.4, 0.5]});
            model["body"].as_array_mut().expect("bodies").push(swing);
            model["joint"]
                .as_array_mut()
                .expect("joints")
                .push(json!({"name": "h", "type": "revolute", "i": "p", "j": "ground"}));
        }
        model
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    /// Springs' swings of nanometres, far below the tolerance of positions, are followed to a thousandth.
    #[test]
    fn what_a_brake_stops_stays(brake in Brake::any()) {
        let (text, end, [way, speed]) = brake.course();
        let model = brake.model(&text);
        let sign = if brake.backward { -1.0 } else { 1.0 };
        let allowed = if brake.kind == 3 { 1e-3 } else { 1e-4 };
        for name in ALL {
            let (values, _) = run(&model, name, end).map_err(|error| TestCaseError::fail(format!("{name} {text}: {error}")))?;
            let off = [(sign * values[0] - way) / (brake.v * brake.stop), (sign * values[1] - speed) / brake.v];
            prop_assert!(off.iter().all(|off| off.abs() < allowed), "{name} {text} to {end}: {values:?}, not {way}, {speed}");
        }
    }

    /// What pushes a body at rest less than the brake holds makes it slide at rest: that ends the run with a word, when the push begins.
    #[test]
    fn a_push_against_a_brake_ends_with_a_word(brake in Brake::any(), kind in 0..3_usize) {
        let Brake { stop, share, .. } = brake;
        let (push, begin, end) = (share * brake.force(), 1.5 * stop, 2.5 * stop);
        let pushes = match kind {
            0 => format!("if(time > {begin:?}, {push:?}, 0)"),
            1 => format!("step5(time, {begin:?}, 0, {end:?}, {push:?})"),
            _ => format!("{push:?}*max(0, time - {begin:?})/{stop:?}"),
        };
        let text = format!("if(v > 0, {:?}, 0) + {pushes}", -brake.force());
        let model = brake.model(&text);
        for name in ALL {
            let ended = run(&model, name, 3.0 * stop);
            let Err(Error::Integrator(IntegratorError::Chattering { condition, time })) = &ended else {
                return Err(TestCaseError::fail(format!("{name} {text}: {ended:?}")));
            };
            prop_assert!(condition.contains("brake"), "{condition}");
            prop_assert!(*time > 0.999 * begin && *time < 1.1 * begin, "{name} {text}: {time}, not {begin}");
        }
    }
}
