//! Brakes that act on one side of rest, as `if(v > 0, -F, 0)`: bodies stop, stay where they are, and start again where they are pushed, by all
//! methods, against closed forms.

use crate::breaks::{run, pushed};
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
}

impl Brake {
    fn any() -> impl Strategy<Value = Self> {
        let sizes = (-6.0..6.0f64, -6.0..6.0f64, -3.0..3.0f64, 0.1..0.9f64);
        (0..KINDS, sizes, [-3.0..3.0f64, -1.5..1.5f64], any::<[bool; 2]>()).prop_map(
            |(kind, (mass, v, stop, share), axis, [backward, turns])| {
                let [mass, v, stop] = [mass, v, stop].map(|power| 10.0_f64.powf(power));
                // A turn stays below half a revolution.
                let v = if turns { 2.0 * share / stop } else { v };
                Self { kind, mass, v, stop, share, axis, backward, turns }
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
        model
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Ways are met to the position tolerance, speeds to what that is over a stop.
    #[test]
    fn what_a_brake_stops_stays(brake in Brake::any()) {
        let (text, end, [way, speed]) = brake.course();
        let model = brake.model(&text);
        let sign = if brake.backward { -1.0 } else { 1.0 };
        for name in crate::breaks::ALL {
            let (values, steps) = match run(&model, name, end) {
                Ok(done) => done,
                Err(error) => { println!("FAIL {name} {} {text} {brake:?}: {error}", brake.kind); continue; }
            };
            let unit = brake.v * brake.stop;
            let off = [(sign * values[0] - way).abs() / unit, (sign * values[1] - speed).abs() / brake.v];
            if !(off[0] < 1e-4 && off[1] < 1e-4 && steps < 2000) {
                println!("OFF {name} {} {off:?} {steps} {text} {brake:?}", brake.kind);
            }
        }
    }
}
