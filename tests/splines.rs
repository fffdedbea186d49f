//! Splines in every kind of model: a parabola, which Akima's cubics reproduce, integrated from 0 to 2 s: 8/3.

use crate::running::run_file;
use fourbar::file::ModelFile;
use fourbar::results::Status;
use fourbar::run::{Overrides, Run};
use std::path::Path;
use std::sync::atomic::AtomicBool;

const CURVE: &str = "name = \"c\"\nfile = \"parabola.csv\"\ncolumns = [\"time\", 3]\n";

/// The last value of the column that the run of `text` records under this name.
fn last(text: &str, name: &str) -> f64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let file =
        ModelFile::parse(folder.join("model.toml").display().to_string(), text).unwrap_or_else(|e| panic!("{e}"));
    assert!(file.files().contains(&folder.join("parabola.csv")), "{:?}", file.files());
    let (_, table) = run_file(&file, &Overrides::default());
    let column = table.columns().iter().position(|column| column.name == name).expect(name);
    table.series(column).last().expect("a row")
}

#[test]
fn a_force_by_a_spline_of_the_time() {
    let text = format!(
        "[simulation]\nend = 2\ntolerance = 1e-9\n[[spline]]\n{CURVE}[[body]]\nname = \"block\"\nmass = 1\ninertia = [1, 1, 1]\n\
         [[force]]\nname = \"push\"\ntype = \"force\"\ni = \"block\"\nvalue = [\"akispl(time, c)\", 0, 0]\n\
         [[measure]]\nname = \"v\"\ntype = \"velocity\"\ni = \"block\"\ncomponent = \"x\"\n\
         [[measure]]\nname = \"push_x\"\ntype = \"reaction\"\nforce = \"push\"\nquantity = \"force\"\ncomponent = \"x\"\n"
    );
    // The tolerance is that of a step; there are some tens.
    assert!((last(&text, "v") - 8.0 / 3.0).abs() < 1e-7);
    assert!((last(&text, "push_x") - 4.0).abs() < 1e-12);
}

/// The displacement of a motion, and its second derivative as the reaction, m y" = 2 m, up to the end of the curve, from which on it is straight.
#[test]
fn a_motion_by_a_spline_of_the_time() {
    let text = format!(
        "[simulation]\nend = 1.9\n[[spline]]\n{CURVE}[[body]]\nname = \"block\"\nmass = 3\ninertia = [1, 1, 1]\n\
         [[joint]]\nname = \"slide\"\ntype = \"translational\"\ni = \"block\"\nj = \"ground\"\n\
         [[motion]]\nname = \"drive\"\njoint = \"slide\"\ndisplacement = \"akispl(time, c)\"\n\
         [[measure]]\nname = \"z\"\ntype = \"position\"\ni = \"block\"\ncomponent = \"z\"\n\
         [[measure]]\nname = \"f\"\ntype = \"reaction\"\nmotion = \"drive\"\nquantity = \"force\"\ncomponent = \"z\"\n"
    );
    let (z, f) = (last(&text, "z"), last(&text, "f"));
    assert!((z - 1.9 * 1.9).abs() < 1e-6 && (f - 6.0).abs() < 1e-4, "{z} {f}");
}

/// Exact: the input is a cubic of the time between points.
#[test]
fn a_linear_system_takes_a_spline_in() {
    let text = format!(
        "type = \"linear\"\n[simulation]\nend = 2\noutput_step = 0.5\n[[spline]]\n{CURVE}\
         [[input]]\nname = \"u\"\ntype = \"expression\"\nvalue = \"akispl(time, c)\"\n\
         [[block]]\nname = \"sum\"\ntype = \"integrator\"\ninput = \"u\"\n[[output]]\nname = \"y\"\nfrom = \"sum\"\n"
    );
    assert!((last(&text, "y") - 8.0 / 3.0).abs() < 1e-12);
}

#[test]
fn equations_use_a_spline() {
    let text = format!(
        "type = \"coupled\"\n[simulation]\nend = 2\nstep = 0.1\n[[simulator]]\nname = \"s\"\n[simulator.equations]\n\
         state = [{{ name = \"x\", rate = \"akispl(time, c)\" }}]\noutput = [{{ name = \"x\", value = \"x\" }}]\n\
         [[simulator.equations.spline]]\n{CURVE}"
    );
    // The solver of equations keeps 1e-9 a step.
    assert!((last(&text, "s.x") - 8.0 / 3.0).abs() < 1e-7);
}

/// A curve from columns of a file: the car starts on its first point, and stays on the track.
#[test]
fn a_track_from_a_file_carries_a_car() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let text = "[simulation]\nend = 0.1\n[[body]]\nname = \"car\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [24, 0, 11]\nvelocity = [0, 8, 1]\n\
        [[curve]]\nname = \"track\"\nclosed = true\nfile = \"track.csv\"\ncolumns = [\"x [m]\", 2, \"z [m]\"]\n\
        [[point_on_curve]]\nname = \"wheels\"\ni = \"car\"\ncurve = \"track\"\n";
    let file =
        ModelFile::parse(folder.join("model.toml").display().to_string(), text).unwrap_or_else(|e| panic!("{e}"));
    assert!(file.files().contains(&folder.join("track.csv")), "{:?}", file.files());
    let run = Run::new(file.document(), &Overrides::default()).unwrap_or_else(|e| panic!("{}", file.explain(e)));
    let outcome = run.execute(&mut [], &AtomicBool::new(false)).unwrap();
    let mechanism = outcome.summary.mechanism().expect("a mechanism").clone();
    assert_eq!(outcome.summary.status, Status::Done);
    assert!(mechanism.violation.position < 1e-8, "{:?}", mechanism.violation);
}
