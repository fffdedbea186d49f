//! Components against closed forms.

use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Error, Model};
use serde_json::{Value, json};

fn compile(model: Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap()
}

/// The outputs at the steady state, by name.
fn steady(model: Value) -> impl Fn(&str) -> f64 {
    let mut circuit = compile(model);
    let point = circuit.steady(0.0).unwrap();
    observed(circuit, 0.0, &point.y)
}

/// The outputs at t = `end`, by name.
fn run(model: Value, end: f64, tolerance: f64) -> impl Fn(&str) -> f64 {
    let mut circuit = compile(model);
    let start = circuit.start(0.0).unwrap();
    let method = Gstiff { order_max: 4, ..Gstiff::with_tolerance(tolerance) };
    let mut run = method.start(circuit.clone(), 0.0, &start.y, &start.yp, end).unwrap();
    while run.step().unwrap() != Stop::EndTime {}
    observed(circuit, end, run.state())
}

fn observed(mut circuit: Circuit, t: f64, y: &[f64]) -> impl Fn(&str) -> f64 + use<> {
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(t, y, &mut values).unwrap();
    move |name| values[circuit.output(name).unwrap_or_else(|| panic!("no output {name}"))]
}

fn near(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found:e}, expected {expected:e}");
}

#[test]
fn two_orifices_share_the_pressure_by_their_areas() {
    let found = steady(json!({
        "node": [ { "type": "pressure", "name": "high", "pressure": 2e7 }, { "type": "volume", "name": "between" },
                  { "type": "tank", "name": "tank", "pressure": 0 } ],
        "component": [
            { "type": "orifice", "name": "first", "from": "high", "to": "between", "area": 2e-6, "laminar_below": 10 },
            { "type": "orifice", "name": "second", "from": "between", "to": "tank", "area": 1e-6, "laminar_below": 10 } ],
    }));
    // A1^2 (p - x) = A2^2 x.
    near(found("between.pressure"), 2e7 * 4.0 / 5.0, 1e-9);
    near(found("first.flow"), 0.62 * 2e-6 * (2.0 * 4e6 / 860.0_f64).sqrt(), 1e-9);
    near(found("second.flow"), found("first.flow"), 1e-12);
}

#[test]
fn a_relief_valve_has_its_characteristic() {
    for flow in [1e-6, 1e-4, 1e-3] {
        let found = steady(json!({
            "node": [ { "type": "volume", "name": "line", "volume": 1e-3 }, { "type": "tank", "name": "tank", "pressure": 2e5 } ],
            "component": [
                { "type": "flow_source", "name": "source", "from": "tank", "to": "line", "flow": flow },
                { "type": "relief_valve", "name": "relief", "from": "line", "to": "tank", "pressure": 2e7, "slope": 1e-9, "band": 5e4 } ],
        }));
        // q = k (d + sqrt(d^2 + w^2))/2 solved for d.
        let excess = flow / 1e-9 - 5e4 * 5e4 * 1e-9 / (4.0 * flow);
        near(found("line.pressure"), 2e5 + 2e7 + excess, 1e-11);
    }
}

/// What flows into a junction flows out of it at every instant, not only where the integrator happens to look.
#[test]
fn a_junction_without_volume_balances_between_steps() {
    let mut circuit = compile(json!({
        "node": [ { "type": "volume", "name": "line", "start": 2e7 }, { "type": "tank", "name": "tank", "pressure": 1e5 } ],
        "component": [
            { "type": "flow_source", "name": "source", "from": "tank", "to": "line", "flow": "5e-4*(1 + 0.5*sin(2*pi*50*time))" },
            { "type": "relief_valve", "name": "relief", "from": "line", "to": "tank", "pressure": 2e7, "slope": 1e-9 } ],
    }));
    let start = circuit.start(0.0).unwrap();
    let mut run = Gstiff::with_tolerance(1e-9).start(circuit.clone(), 0.0, &start.y, &start.yp, 0.1).unwrap();
    let (mut y, mut yp) = (start.y.clone(), start.yp.clone());
    let mut time = 0.0;
    loop {
        let stop = run.step().unwrap();
        while time < run.time() {
            run.interpolate(time, &mut y, &mut yp).unwrap();
            let found = observed(circuit.clone(), time, &y);
            near(found("relief.flow"), found("source.flow"), 1e-6);
            time += 3.7e-4;
        }
        if stop == Stop::EndTime {
            break;
        }
    }
}

#[test]
fn pumps_motors_and_shafts_balance() {
    let found = steady(json!({
        "node": [ { "type": "volume", "name": "line", "volume": 1e-3 }, { "type": "tank", "name": "tank", "pressure": 1e5 } ],
        "component": [
            { "type": "fixed_pump", "name": "pump", "from": "tank", "to": "line", "displacement": 3e-6, "speed": 150, "leakage": 2e-12 },
            { "type": "motor", "name": "motor", "a": "line", "b": "tank", "displacement": 5e-6, "leakage": 1e-12,
              "friction": { "viscous": 0.01 }, "shaft": { "inertia": 0.2, "torque": 40 } } ],
    }));
    // D dp = T + d n and D n = q - c dp: two linear equations.
    let dp = (40.0 + 0.01 * 450e-6 / 5e-6) / (5e-6 + 0.01 * 3e-12 / 5e-6);
    near(found("line.pressure"), 1e5 + dp, 1e-11);
    near(found("motor.speed"), (450e-6 - 3e-12 * dp) / 5e-6, 1e-11);
    near(found("pump.torque"), 3e-6 * dp, 1e-11);
}

#[test]
fn a_variable_pump_cuts_off_and_a_reducing_valve_holds() {
    let found = steady(json!({
        "node": [ { "type": "volume", "name": "line", "volume": 1e-3 }, { "type": "volume", "name": "low", "volume": 1e-3 },
                  { "type": "tank", "name": "tank", "pressure": 1e5 } ],
        "component": [
            { "type": "variable_pump", "name": "pump", "from": "tank", "to": "line", "displacement": 3e-6, "speed": 150,
              "time_constant": 0.05, "cutoff": 2e7, "band": 1e6 },
            { "type": "reducing_valve", "name": "reducer", "from": "line", "to": "low", "pressure": 5e6, "band": 2e5, "area": 2e-5 },
            { "type": "orifice", "name": "user", "from": "low", "to": "tank", "area": 1e-6 } ],
    }));
    let line = found("line.pressure");
    assert!(line > 1.9e7 && line < 2e7, "{line}");
    let low = found("low.pressure");
    assert!(low > 4.8e6 && low < 5e6, "{low}");
    let s = (line - 1.9e7) / 1e6;
    near(found("pump.setting"), 1.0 - s * s * (3.0 - 2.0 * s), 1e-9);
    near(450e-6 * found("pump.setting"), found("user.flow"), 1e-9);
}

#[test]
fn a_spool_valve_opens_as_its_center_says() {
    let flows = |center: &str, command: f64| {
        let found = steady(json!({
            "node": [ { "type": "pressure", "name": "supply", "pressure": 2e7 }, { "type": "tank", "name": "tank", "pressure": 0 },
                      { "type": "pressure", "name": "a", "pressure": 1e7 }, { "type": "pressure", "name": "b", "pressure": 1e7 } ],
            "component": [ { "type": "spool_valve", "name": "valve", "supply": "supply", "tank": "tank", "a": "a", "b": "b",
                "command": command, "limit": 1, "frequency": 500, "damping": 0.7, "area": 1e-5, "overlap": 0.05, "center": center,
                "null_leakage": 1e-6, "laminar_below": 10 } ],
        }));
        [found("valve.flow_a"), found("valve.flow_b")]
    };
    // Opening 1 under 1e7 Pa.
    let full = 0.62 * 1e-5 * (2.0 * 1e7 / 860.0_f64).sqrt();
    let [a, b] = flows("closed", 3.0);
    near(a, 0.95 * full, 1e-6);
    near(b, -0.95 * full, 1e-6);
    assert!(flows("closed", 0.04).iter().chain(&flows("tandem", 0.0)).all(|q| q.abs() < 1e-6 * full));
    let [a, b] = flows("float", 0.0);
    near(a, -0.1 * full, 1e-6);
    near(b, -0.1 * full, 1e-6);
    // All four edges: what comes in goes out.
    assert!(flows("open", 0.0).iter().all(|q| q.abs() < 1e-9 * full));
    let [a, _] = flows("open", 0.05);
    near(a, (0.15 - 0.05) * full, 1e-6);
}

#[test]
fn a_mass_on_a_cylinder_swings_with_the_stiffness_of_the_oil() {
    let (area, dead, stroke, x0, mass, e): ([f64; 2], [f64; 2], _, _, _, _) =
        ([4e-3, 2e-3], [5e-4, 4e-4], 0.6, 0.2, 800.0, 1.4e9);
    let stiffness =
        e * (area[0].powi(2) / (dead[0] + area[0] * x0) + area[1].powi(2) / (dead[1] + area[1] * (stroke - x0)));
    let omega = f64::sqrt(stiffness / mass);
    let v0 = 1e-4;
    let model = || {
        json!({
            "node": [ { "type": "volume", "name": "a", "start": 5e6 }, { "type": "volume", "name": "b", "start": 1e7 } ],
            "component": [ { "type": "cylinder", "name": "rod", "a": "a", "b": "b", "area_a": area[0], "area_b": area[1], "dead_a": dead[0],
                "dead_b": dead[1], "stroke": stroke, "position": x0, "velocity": v0, "load": { "mass": mass } } ],
        })
    };
    for phase in [0.5, 2.0, 4.5] {
        let found = run(model(), phase * std::f64::consts::PI / omega, 1e-11);
        let swing = v0 / omega * (phase * std::f64::consts::PI).sin();
        assert!((found("rod.position") - x0 - swing).abs() < 2e-5 * v0 / omega);
        let speed = v0 * (phase * std::f64::consts::PI).cos();
        assert!((found("rod.velocity") - speed).abs() < 2e-5 * v0);
    }
}

/// A plunger swings on its one column of oil, and moves as a cylinder does whose other side is open to nothing.
#[test]
fn a_single_acting_cylinder_has_one_chamber() {
    let (area, dead, x0, mass, e, p0, v0) = (4e-3, 5e-4, 0.2, 800.0, 1.4e9, 5e6, 1e-4);
    let omega = f64::sqrt(e * area * area / (dead + area * x0) / mass);
    let model = |other: Value| {
        let mut rod = json!({ "type": "cylinder", "name": "rod", "a": "a", "area_a": area, "dead_a": dead, "stroke": 0.6, "position": x0,
            "velocity": v0, "load": { "mass": mass, "force": area * p0 } });
        rod.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        json!({
            "node": [ { "type": "volume", "name": "a", "start": p0 }, { "type": "pressure", "name": "b", "pressure": 0 } ],
            "component": [rod],
        })
    };
    for phase in [0.5, 2.0, 4.5] {
        let end = phase * std::f64::consts::PI / omega;
        let found = run(model(json!({})), end, 1e-11);
        let swing = v0 / omega * (phase * std::f64::consts::PI).sin();
        assert!((found("rod.position") - x0 - swing).abs() < 1e-4 * v0 / omega, "{phase}");
        let open = run(model(json!({ "b": "b", "area_b": 2e-3, "dead_b": 1e-4 })), end, 1e-11);
        near(found("rod.position"), open("rod.position"), 1e-12);
    }
    for (other, field) in [
        (json!({ "b": "b", "area_b": 1e-3 }), "dead_b"),
        (json!({ "area_b": 1e-3 }), "area_b"),
        (json!({ "dead_b": 1e-3 }), "dead_b"),
        (json!({ "leakage": 1e-12 }), "leakage"),
    ] {
        let error = Circuit::compile(&serde_json::from_value::<Model>(model(other)).unwrap()).unwrap_err().to_string();
        assert!(
            error.contains("\"rod\"") && error.contains(&format!("`{field}`")) && error.contains("leave"),
            "{error}"
        );
    }
}

#[test]
fn an_accumulator_follows_the_adiabat() {
    let (q, end, e, volume) = (1e-4, 4.0, 1.4e9, 1e-4);
    let found = run(
        json!({
            "node": [ { "type": "volume", "name": "line", "volume": volume, "start": 6e6 }, { "type": "tank", "name": "tank" } ],
            "component": [
                { "type": "flow_source", "name": "source", "from": "tank", "to": "line", "flow": q },
                { "type": "accumulator", "name": "store", "node": "line", "volume": 1e-3, "precharge": 6e6, "area": 1e-4 } ],
        }),
        end,
        1e-9,
    );
    // All that came is in the store or compressed in the line.
    let fluid = q * end - volume * (found("line.pressure") - 6e6) / e;
    near(found("store.volume"), fluid, 1e-6);
    near(found("store.pressure"), 6e6 * (1e-3 / (1e-3 - fluid)).powf(1.4), 1e-6);
}

#[test]
fn water_hammer_in_a_pipe_is_rho_c_dv() {
    let (rho, e, length, diameter) = (860.0, 1.4e9, 20.0, 0.02_f64);
    let c = f64::sqrt(e / rho);
    let area = std::f64::consts::PI * diameter * diameter / 4.0;
    let v = 1.5;
    // Closes smoothly within a fifth of the travel time of the wave.
    let (crossing, flow) = (length / c, area * v);
    let model = json!({
        "fluid": { "density": rho, "viscosity": 1e-6 },
        "node": [ { "type": "pressure", "name": "vessel", "pressure": 5e6 }, { "type": "volume", "name": "valve" },
                  { "type": "tank", "name": "tank" } ],
        "component": [
            { "type": "pipe", "name": "pipe", "from": "vessel", "to": "valve", "length": length, "diameter": diameter, "segments": 60 },
            { "type": "flow_source", "name": "outlet", "from": "valve", "to": "tank",
              "flow": format!("{flow:?} * step5(time, 0, 1, {:?}, 0)", 0.2 * crossing) } ],
    });
    let mut circuit = compile(model);
    let start = circuit.steady(0.0).unwrap();
    let valve = circuit.output("valve.pressure").unwrap();
    let method = Gstiff { order_max: 2, ..Gstiff::with_tolerance(1e-7) };
    let mut run = method.start(circuit, 0.0, &start.y, &start.yp, 3.0 * crossing).unwrap();
    run.set_stop_times(&[crossing]).unwrap();
    while run.step().unwrap() != Stop::EndTime {
        if run.time() == crossing {
            near(run.state()[valve] - 5e6, rho * c * v, 0.005);
        }
    }
    // The wave has come back from the vessel with its sign reversed.
    near(run.state()[valve] - 5e6, -rho * c * v, 0.01);
}

#[test]
fn a_cavity_closes_with_the_oil_that_opened_it() {
    let start = 5e6;
    let model = |flow: &str| {
        json!({
            "fluid": { "bulk_modulus": { "type": "logarithmic", "maximum": 1.8e9, "reference": 2.8e7 }, "vapor": { "pressure": 3000 } },
            "node": [ { "type": "volume", "name": "chamber", "volume": 1e-3, "start": start }, { "type": "tank", "name": "tank" } ],
            "component": [ { "type": "flow_source", "name": "pull", "from": "chamber", "to": "tank", "flow": flow } ],
        })
    };
    // A tenth of the volume is drawn out and put back: beside a cavity of D = 0.1 less what the liquid expanded by, pv + m/(1 + D).
    let open = run(model("1e-4*pi/2*sin(pi*time)"), 1.0, 1e-9)("chamber.pressure");
    assert!(open > 3000.0 + 1000.0 / 1.1 && open < 3000.0 + 1000.0 / 1.07, "{open}");
    let closed = run(model("1e-4*pi/2*sin(pi*time)"), 2.0, 1e-9)("chamber.pressure");
    near(closed, start, 1e-3);
}

#[test]
fn a_rod_rests_on_its_stop() {
    let found = steady(json!({
        "node": [ { "type": "pressure", "name": "push", "pressure": 1e7 }, { "type": "tank", "name": "tank", "pressure": 0 } ],
        "component": [ { "type": "cylinder", "name": "rod", "a": "push", "b": "tank", "area_a": 1e-3, "area_b": 5e-4, "dead_a": 1e-4,
            "dead_b": 1e-4, "stroke": 0.3, "position": 0.31, "load": { "mass": 10 }, "stops": { "stiffness": 1e8 } } ],
    }));
    near(found("rod.position"), 0.3 + 1e7 * 1e-3 / 1e8, 1e-12);
}

#[test]
fn what_is_not_determined_is_named() {
    let mut circuit = compile(json!({
        "node": [ { "type": "volume", "name": "line", "volume": 1e-3 }, { "type": "volume", "name": "sealed", "volume": 1e-3 },
                  { "type": "tank", "name": "tank" } ],
        "component": [ { "type": "orifice", "name": "leak", "from": "line", "to": "tank", "area": 1e-6 } ],
    }));
    let error = circuit.steady(0.0).unwrap_err();
    assert!(matches!(&error, Error::Undetermined { unknown, .. } if unknown == "sealed.pressure"), "{error}");
    assert!(error.to_string().contains("volume \"sealed\""), "{error}");
    assert!(circuit.start(0.0).is_ok());
}

#[test]
fn wrong_models_say_where_and_what_to_write() {
    let orifice = |field: &str, value: Value| {
        let mut orifice = json!({ "type": "orifice", "name": "leak", "from": "line", "to": "tank", "area": 1e-6 });
        orifice[field] = value;
        let model = json!({ "node": [ { "type": "volume", "name": "line", "volume": 1e-3 }, { "type": "tank", "name": "tank" } ],
                            "component": [ orifice ] });
        Circuit::compile(&serde_json::from_value(model).unwrap()).unwrap_err().to_string()
    };
    for (field, value, expected) in [
        ("to", json!("tankk"), "did you mean \"tank\"?"),
        ("area", json!(-1e-6), "it must be positive"),
        ("opening", json!("line.presure"), "line.pressure"),
        ("name", json!("line"), "the name is taken by a node"),
        ("name", json!("a leak"), "cannot be used as a name"),
    ] {
        let error = orifice(field, value);
        assert!(error.contains(expected), "{error}");
        assert!(error.starts_with("component"), "{error}");
    }
    let misspelled = json!({ "node": [ { "type": "tank", "name": "tank", "presure": 1e5 } ] });
    assert!(serde_json::from_value::<Model>(misspelled).unwrap_err().to_string().contains("`presure`"));
    let mut circuit = compile(json!({ "input": [ { "name": "u" } ], "node": [ { "type": "tank", "name": "tank" } ] }));
    assert!(matches!(circuit.hold_inputs(&[]), Err(Error::Inputs { found: 0, expected: 1, .. })));
    assert!(matches!(circuit.hold_inputs(&[f64::NAN]), Err(Error::NotFinite { .. })));
    assert!(matches!(circuit.set_inputs(0.0, [[1.0, f64::INFINITY, 0.0]].into_iter()), Err(Error::NotFinite { .. })));
    assert!(matches!(circuit.set_inputs(f64::NAN, [[1.0, 0.0, 0.0]].into_iter()), Err(Error::NotFinite { .. })));
}
