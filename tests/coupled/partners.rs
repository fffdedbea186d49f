//! Each kind of simulator beside a run of its own or a closed form.

use crate::coupled::running::{assert_near, measure, root, run, run_file};
use fourbar::file::ModelFile;
use fourbar::results::{Summary, Table};
use fourbar::run::Overrides;

fn parsed(text: &str) -> (Summary, Table) {
    // Files that it names lie beside the models.
    let name = root("models/test.toml").display().to_string();
    let file = ModelFile::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    run_file(&file, &Overrides::default())
}

fn alone(file: &str, step: f64, output_step: f64, end: f64) -> Summary {
    let text = format!(
        "type = \"coupled\"\n[simulation]\nend = {end}\nstep = {step}\noutput_step = {output_step}\n\
         [[simulator]]\nname = \"one\"\nfile = \"{file}\"\n"
    );
    parsed(&text).0
}

#[test]
fn a_linear_system_keeps_its_exact_steps_and_its_jumps_between_communication_points() {
    // The reference jumps at 10 ms, the load at 0.5 s: both within steps of 7 ms.
    let expected = run("servo.toml", &Overrides { end: Some(2.1), ..Overrides::default() }).0;
    let found = alone("servo.toml", 7e-3, 7e-3, 2.1);
    for name in ["position", "velocity", "force", "reference", "load"] {
        let (found, expected) = (measure(&found, &format!("one.{name}")), measure(&expected, name));
        assert_near(found, expected, 1e-9 * expected.abs().max(1e-3));
    }
}

/// Own signals between two communication points: a sine far above their rate, and a pulse a thousandth as long as a step.
#[test]
fn a_linear_system_steps_over_none_of_its_own_signals() {
    let (_, table) = parsed(
        r#"
        type = "coupled"
        simulation = { end = 1, step = 0.01, output_step = 0.01 }

        [[simulator]]
        name = "one"

        [simulator.model]
        type = "linear"
        input = [
            { name = "fast", type = "sine", frequency = 1001 },
            { name = "pulse", type = "expression", value = "if(time > 0.503 and time < 0.50301, 1e5, 0)" },
            { name = "bell", type = "expression", value = "exp(-((time - 0.403)/1e-5)^2)" },
        ]
        block = [
            { name = "lag", type = "lag", input = "fast", time_constant = 0.01 },
            { name = "area", type = "integrator", input = "pulse" },
            { name = "bell_area", type = "integrator", input = "bell" },
        ]
        output = [{ name = "lag", from = "lag" }, { name = "area", from = "area" }, { name = "bell", from = "bell_area" }]
        "#,
    );
    let column = |name: &str| {
        let index = table.columns().iter().position(|column| column.name == name).unwrap();
        table.series(index).collect::<Vec<f64>>()
    };
    let z = 2.0 * std::f64::consts::PI * 10.01;
    for (y, t) in column("one.lag").into_iter().zip(table.times()) {
        let angle = 100.0 * z * t;
        assert_near(y, (angle.sin() - z * angle.cos() + z * (-t / 0.01).exp()) / (1.0 + z * z), 1e-13);
    }
    assert_near(*column("one.area").last().unwrap(), 1.0, 1e-9);
    let bell = std::f64::consts::PI.sqrt() * 1e-5;
    assert_near(*column("one.bell").last().unwrap(), bell, 1e-7 * bell);
}

#[test]
fn a_mechanism_without_partners_moves_as_it_does_alone() {
    let overrides = Overrides { tolerance: Some(1e-9), end: Some(1.0), ..Overrides::default() };
    let expected = run("pendulum.toml", &overrides).0;
    let found = alone("pendulum.toml", 0.05, 0.05, 1.0);
    assert_near(measure(&found, "one.angle"), measure(&expected, "angle"), 1e-5);
}

#[test]
fn equations_follow_the_closed_form() {
    let text = std::fs::read_to_string(root("docs/model-format.md")).unwrap();
    let example = text.split("```toml\n").find(|block| block.starts_with("type = \"coupled\"")).unwrap();
    let (summary, table) = parsed(example.split("```").next().unwrap());
    // x'' + 2 x' + 100 x = 0 with 2 kg, units of mm and kN between the two.
    let omega = 99f64.sqrt();
    let exact = (-10f64).exp() * ((10.0 * omega).cos() + (10.0 * omega).sin() / omega);
    assert_near(measure(&summary, "mass.x"), exact, 1e-6);
    assert_eq!(table.times().len(), 1001);
    // The mass begins and ends at rest: what it took up of the 100 J it gave back.
    let port = &summary.coupled().unwrap().ports[0];
    assert_near(port.received, 0.0, 1e-2);
    assert!(port.absolute_residual < 0.5, "{port:?}");
}

#[test]
fn a_circuit_empties_as_torricelli_says() {
    let text = std::fs::read_to_string(root("docs/model-format.md")).unwrap();
    let example = text.split("```toml\n").find(|block| block.starts_with("type = \"circuit\"")).unwrap();
    let example =
        example.split("```").next().unwrap().replace("end = 2", "end = 2\nstart = \"values\"\ntolerance = 1e-9");
    let (summary, _) = parsed(&example.replace("area = 1e-8", "area = 1e-8\nlaminar_below = 1e2"));
    // d sqrt(dp)/dt = -E Cd A sqrt(2/rho)/(2 V) with half of the area open.
    let rate = 1.4e9 / 1e-3 * 0.62 * 0.5e-8 * (2.0_f64 / 860.0).sqrt() / 2.0;
    let expected = 101_325.0 + ((2e7 - 101_325.0_f64).sqrt() - 2.0 * rate).powi(2);
    assert_near(measure(&summary, "vessel.pressure"), expected, 1e-6 * expected);
    assert!(summary.circuit().unwrap().statistics.steps > 0);
}

#[test]
fn a_circuit_with_parameters_of_the_coupled_model_starts_in_their_steady_state() {
    let text = "type = \"coupled\"\n[parameters]\nhigh = 30e6\n[simulation]\nend = 0.01\nstep = 1e-3\nrecord = [\"a.pump.pressure\", \"a.rod.force\"]\n\
        [[simulator]]\nname = \"a\"\nfile = \"hydraulic-axis.toml\"\nparameters = { supply = \"high - 1e6\", stroke = 0.7 }\n";
    let (summary, table) = parsed(text);
    let names: Vec<_> = table.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["a.pump.pressure", "a.rod.force"]);
    assert_eq!(measure(&summary, "a.pump.pressure"), 29e6);
    let force: Vec<f64> = table.series(1).collect();
    assert!(force.iter().all(|f| (f - force[0]).abs() < 1e-3), "{force:?}");
}

#[test]
fn adaptive_steps_give_outputs_between_communication_points() {
    let text = std::fs::read_to_string(root("docs/model-format.md")).unwrap();
    let example = text.split("```toml\n").find(|block| block.starts_with("type = \"coupled\"")).unwrap();
    let example = example.split("```").next().unwrap();
    let settings = "step = 0.05\noutput_step = 0.013\nadaptive = { tolerance = 1e-6, first = 2e-3, shortest = 1e-3 }";
    let (summary, table) = parsed(&example.replace("step = 0.01", settings));
    let omega = 99f64.sqrt();
    for (t, x) in table.times().iter().zip(table.series(0)) {
        let exact = (-t).exp() * ((t * omega).cos() + (t * omega).sin() / omega);
        assert!((x - exact).abs() < 1e-4, "{x} {exact} at {t}");
    }
    assert!(summary.coupled().unwrap().statistics.counts.steps > 200);
}
