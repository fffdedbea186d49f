//! Sensors and `active` in model files: events in summaries and columns, included models, the host's simulation, what is refused.

use fourbar::file::ModelFile;
use fourbar::results::{Summary, Table};
use fourbar::run::{Overrides, Run};
use fourbar::simulation::{CompiledModel, Progress, Simulation};
use fourbar_multibody::{SwitchEvent, SwitchKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Body, hinge and measures that the files share.
const SLUG: &str = r#"
    [[body]]
    name = "slug"
    mass = 2.0
    inertia = [1.0, 1.0, 1.0]
    velocity = [1.0, 0, 0]
    [[measure]]
    name = "x"
    type = "position"
    i = "slug"
    component = "x"
    [[measure]]
    name = "vx"
    type = "velocity"
    i = "slug"
    component = "x"
"#;

fn parse(text: &str) -> ModelFile {
    ModelFile::parse("sensors.toml", format!("{text}\n{SLUG}")).unwrap()
}

fn run(file: &ModelFile) -> (Summary, Table) {
    let run = Run::new(file.document(), &Overrides::default()).unwrap();
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    (outcome.summary, table)
}

fn events(summary: &Summary) -> &[SwitchEvent] {
    &summary.mechanism().unwrap().events
}

fn last(summary: &Summary, name: &str) -> f64 {
    summary.last.iter().find(|(column, _)| column.name == name).unwrap().1
}

#[test]
fn the_clutch_of_the_models_shares_angular_momentum_and_ends_its_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/clutch.toml");
    let file = ModelFile::load(&path).unwrap();
    let (summary, table) = run(&file);
    let kinds: Vec<SwitchKind> = events(&summary).iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [SwitchKind::Rose, SwitchKind::Locked, SwitchKind::Rose, SwitchKind::Stopped]);
    // 4 N m on 0.05 kg m^2 reach 20 rad/s in 0.25 s; 0.15 kg m^2 turn at a third of that.
    let locked = &events(&summary)[1];
    assert!((locked.time - 0.25).abs() < 1e-9 && (locked.energy + 20.0 / 3.0).abs() < 1e-8);
    // I w' = 4 - 0.2 w from 20/3 to 12.
    let end = 0.25 - 0.75 * ((4.0 - 0.2 * 12.0_f64) / (4.0 - 0.2 * 20.0 / 3.0)).ln();
    assert!((summary.end_time - end).abs() < 1e-5, "{} {end}", summary.end_time);
    assert!((last(&summary, "w_motor") - 12.0).abs() < 1e-9 && last(&summary, "active.joint.clutch") == 1.0);
    assert_eq!(*table.times().last().unwrap(), summary.end_time);
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(json["status"], "done");
    assert_eq!(json["events"][1]["kind"], "locked");
    assert_eq!(json["events"][1]["element"], "joint \"clutch\"");
    let names: Vec<&str> = summary.details.tables().iter().map(|table| table.title).collect();
    assert!(names.contains(&"events"), "{names:?}");
}

#[test]
fn a_late_sensor_acts_between_outputs_of_a_second() {
    let file = parse(
        r#"
        [simulation]
        end = 60
        output_step = 1
        [[force]]
        name = "push"
        type = "force"
        i = "slug"
        value = ["4", 0, 0]
        active = "time - 50.4"
        [[sensor]]
        name = "half"
        expression = "x"
        value = 50.25
        print = ["time", "vx"]
        "#,
    );
    let (summary, table) = run(&file);
    let half = &events(&summary)[0];
    assert!((half.time - 50.25).abs() < 1e-9 && (half.values[1].value - 1.0).abs() < 1e-9, "{half:?}");
    assert!((last(&summary, "vx") - (1.0 + 2.0 * 9.6)).abs() < 1e-6);
    assert_eq!(table.times().len(), 61);
    let column = table.columns().iter().position(|column| column.name == "active.force.push").unwrap();
    let shown: Vec<f64> = table.series(column).collect();
    assert!(shown[50] == 0.0 && shown[51] == 1.0);
}

#[test]
fn a_jump_by_a_lock_crosses_other_sensors_at_the_same_time() {
    let file = parse(
        r#"
        [simulation]
        end = 1
        [[joint]]
        name = "rail"
        type = "prismatic"
        i = { body = "slug", orientation = { z_axis = [1, 0, 0] } }
        j = { body = "ground", orientation = { z_axis = [1, 0, 0] } }
        [[motion]]
        name = "brake"
        joint = "rail"
        velocity = 0
        active = 0
        [[sensor]]
        name = "place"
        expression = "x"
        value = 0.5
        lock = ["brake"]
        [[sensor]]
        name = "slow"
        expression = "vx"
        value = 0.5
        direction = "falling"
        stop = true
        "#,
    );
    let (summary, _) = run(&file);
    let told: Vec<(f64, &str)> = events(&summary).iter().map(|event| (event.time, event.kind.word())).collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told.iter().all(|(time, _)| *time == told[0].0), "{told:?}");
    assert_eq!(told.iter().map(|(_, kind)| *kind).collect::<Vec<_>>(), ["rose", "locked", "fell", "stopped"]);
    assert!((summary.end_time - 0.5).abs() < 1e-9);
}

#[test]
fn a_host_sees_the_switched_mechanism() {
    let file = parse(
        r#"
        [[joint]]
        name = "hold"
        type = "fixed"
        i = "slug"
        j = "ground"
        active = "time - 0.5"
        [[force]]
        name = "push"
        type = "force"
        i = "slug"
        value = ["f", 0, 0]
        [[input]]
        name = "f"
        unit = "N"
        [[sensor]]
        name = "more"
        expression = "time"
        value = 0.75
        set = { f = 7 }
        "#,
    );
    let compiled = Arc::new(CompiledModel::new(file.document().mechanism().unwrap(), &Default::default()).unwrap());
    let mut simulation = Simulation::new(&compiled, &Overrides::default()).unwrap();
    let joint = compiled.mechanism().constraint_sets().iter().position(|set| set.name == "hold").unwrap();
    assert_eq!(simulation.reaction(joint).unwrap().unwrap().force.norm(), 0.0);
    simulation.set_inputs(&[[3.0, 0.0, 0.0]]).unwrap();
    while simulation.advance(0.7).unwrap() != Progress::End {}
    assert!((simulation.reaction(joint).unwrap().unwrap().force.x + 3.0).abs() < 1e-9);
    assert_eq!(simulation.state().unwrap().multipliers.len(), 6);
    let saved = simulation.save();
    simulation.step_to(1.0).unwrap();
    assert!((simulation.reaction(joint).unwrap().unwrap().force.x + 7.0).abs() < 1e-9);
    assert_eq!(simulation.inputs_now()[0][0], 7.0);
    let kinds: Vec<SwitchKind> = simulation.switch_events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [SwitchKind::Locked, SwitchKind::Rose, SwitchKind::Set]);
    simulation.restore(&saved).unwrap();
    assert_eq!(simulation.switch_events().len(), 1);
    assert!((simulation.reaction(joint).unwrap().unwrap().force.x + 3.0).abs() < 1e-9);
}

#[test]
fn included_mechanisms_bring_their_sensors() {
    let folder = std::env::temp_dir().join(format!("fourbar-sensors-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let part = format!(
        "{SLUG}\n[parameters]\nlevel = 0.25\n[[joint]]\nname = \"grip\"\ntype = \"fixed\"\ni = \"slug\"\nj = \"ground\"\nactive = \"x - level\"\n\
         [[sensor]]\nname = \"mark\"\nexpression = \"x\"\nvalue = \"level/2\"\ndirection = \"rising\"\nonce = true\nset = {{ level = \"2*level\" }}\n"
    );
    std::fs::write(folder.join("part.toml"), part).unwrap();
    let whole = "[simulation]\nend = 1.2\n[[include]]\nname = \"left\"\nfile = \"part.toml\"\n[[include]]\nname = \"right\"\nfile = \"part.toml\"\nparameters = { level = 0.5 }\n";
    std::fs::write(folder.join("whole.toml"), whole).unwrap();
    let file = ModelFile::load(folder.join("whole.toml"));
    std::fs::remove_dir_all(&folder).unwrap();
    let (summary, _) = run(&file.unwrap());
    assert!((last(&summary, "left.x") - 0.5).abs() < 1e-6, "{}", last(&summary, "left.x"));
    assert!((last(&summary, "right.x") - 1.0).abs() < 1e-6 && last(&summary, "active.joint.left.grip") == 1.0);
    let elements: Vec<&str> = events(&summary).iter().map(|event| event.element.as_str()).collect();
    assert!(
        elements.contains(&"sensor \"right.mark\"") && elements.contains(&"parameter \"left.level\""),
        "{elements:?}"
    );
}

#[test]
fn kinematics_refuse_what_switches() {
    let file = parse("[[sensor]]\nname = \"late\"\nexpression = \"time\"\nvalue = 0.5\nmax_step = 0.01");
    let model = file.document().mechanism().unwrap();
    let error = fourbar::analysis::KinematicRun::new(model, Some(1.0), None, false).err().unwrap();
    assert!(error.to_string().contains("sensor \"late\"") && error.to_string().contains("run its dynamics"), "{error}");
}

/// A slug that an elastic band slows, that a joint grips when it has come far enough and lets go at a time, and that a sensor weakens.
const GRIPPED: &str = r#"
    [parameters]
    stiffness = 2.0
    [[force]]
    name = "band"
    type = "force"
    i = "slug"
    value = ["-stiffness*x", 0, 0]
    [[joint]]
    name = "grip"
    type = "fixed"
    i = "slug"
    j = "ground"
    active = "if(time > 0.61, 0, x - 0.45)"
    [[sensor]]
    name = "weak"
    expression = "x"
    value = 0.3
    direction = "rising"
    once = true
    set = { stiffness = 0.5 }
"#;

/// Every algorithm, order and step gives a mechanism that switches what it does alone, and its partner what it shows.
#[test]
fn a_coupled_model_switches_as_the_run_alone() {
    let alone = run(&parse(&format!("simulation = {{ end = 1.3, tolerance = 1e-9 }}\n{GRIPPED}"))).0;
    for (algorithm, order, step) in
        [("jacobi", 1, 0.05), ("gauss_seidel", 2, 0.013), ("iterated", 1, 0.1), ("jacobi", 2, 0.65)]
    {
        let inner = format!("{GRIPPED}{SLUG}")
            .replace("[[", "[[simulator.model.")
            .replace("[parameters]", "[simulator.model.parameters]");
        let text = format!(
            "type = \"coupled\"\n[simulation]\nend = 1.3\nstep = {step}\nalgorithm = \"{algorithm}\"\norder = {order}\n\
             [[simulator]]\nname = \"m\"\n[simulator.model]\nsimulation = {{ tolerance = 1e-9 }}\n{inner}\n\
             [[simulator]]\nname = \"sum\"\n[simulator.equations]\ninput = [{{ name = \"u\", unit = \"m\" }}]\n\
             output = [{{ name = \"twice\", unit = \"m\", value = \"2*u\" }}]\n[[connection]]\nfrom = \"m.x\"\nto = \"sum.u\"\n"
        );
        let file = ModelFile::parse("coupled.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        let outcome = Run::new(file.document(), &Overrides::default())
            .unwrap_or_else(|error| panic!("{}", file.explain(error)))
            .execute(&mut [&mut Table::default()], &AtomicBool::new(false))
            .unwrap();
        assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
        for name in ["x", "vx"] {
            let (one, other) = (last(&alone, name), last(&outcome.summary, &format!("m.{name}")));
            assert!((one - other).abs() < 1e-6, "{algorithm} {order}: {name} {one} {other}");
        }
        assert!((last(&outcome.summary, "sum.twice") - 2.0 * last(&outcome.summary, "m.x")).abs() < 1e-9);
    }
}
