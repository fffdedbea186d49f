//! The default step of fixed steps follows the scene: drawn in any unit of length, under any gravity, in any unit of mass, it gives the same picture.

use fourbar::file::ModelFile;
use fourbar::results::Table;
use fourbar::run::{Overrides, Run};
use std::sync::atomic::AtomicBool;

/// A ball thrown onto a floor, and a box that lands on an edge, in units of length, mass and time: what they do, without units.
fn picture(method: &str, [length, mass, time]: [f64; 3], output_step: Option<f64>) -> (Vec<Vec<f64>>, f64) {
    let (speed, gravity) = (length / time, 9.81 * length / time / time);
    let outputs = output_step.map_or(String::new(), |step| format!("output_step = {:e}\n", step * time));
    let text = format!(
        "gravity = [0, 0, {:e}]\n\n[simulation]\nend = {:e}\n{outputs}\n[contacts]\nmethod = \"{method}\"\n
[[body]]\nname = \"ball\"\nmass = {:e}\ninertia = [{i:e}, {i:e}, {i:e}]\nposition = [0, 0, {:e}]\nvelocity = [{:e}, 0, 0]\n
[[body]]\nname = \"box\"\nmass = {:e}\ninertia = [{j:e}, {j:e}, {j:e}]\nposition = [{:e}, 0, {:e}]\norientation = {{ z_axis = [1, 0, 3] }}\n
[[contact]]\nname = \"a\"\ntype = \"sphere_plane\"\ni = \"ball\"\nradius = {:e}\nj = \"ground\"\nfriction = 0.3\nrestitution = 0.5\n
[[contact]]\nname = \"b\"\ntype = \"box_plane\"\ni = \"box\"\nsize = [{s:e}, {s:e}, {s:e}]\nj = \"ground\"\nfriction = 0.3\n
[[measure]]\nname = \"x\"\ntype = \"position\"\ni = \"ball\"\n\n[[measure]]\nname = \"y\"\ntype = \"position\"\ni = \"box\"\n",
        -gravity, 1.0 * time, mass, 0.3 * length, 0.7 * speed, 2.0 * mass, 3.0 * length, 0.25 * length, 0.1 * length,
        i = 0.004 * mass * length * length, j = 0.02 * mass * length * length, s = 0.2 * length,
    );
    let file = ModelFile::parse("scene", text).unwrap();
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert!(outcome.failure.is_none(), "{method}: {:?}", outcome.failure);
    let step = outcome.summary.contact().unwrap().statistics.step_size.unwrap();
    let places = (0..6).map(|column| table.series(column).map(|x| x / length).collect()).collect();
    (places, step / time)
}

#[test]
fn scenes_of_any_size_give_the_same_picture_with_their_own_steps() {
    // On earth time goes with the root of the length; elsewhere as it likes.
    let units = [[1e-6, 1e-12, 1e-3], [1e-2, 1e-6, 0.1], [1e4, 1e12, 1e2], [1.0, 1.0, 30.0], [1e-3, 1.0, 1e-6]];
    for method in ["gap_lcp", "moreau_jean", "ggl"] {
        for output_step in [None, Some(0.05), Some(1e-4)] {
            let (metres, step) = picture(method, [1.0; 3], output_step);
            for unit in units {
                let (places, other) = picture(method, unit, output_step);
                assert!((other / step - 1.0).abs() < 1e-9, "{method} {unit:?}: {other} {step}");
                for (a, b) in metres.iter().flatten().zip(places.iter().flatten()) {
                    assert!((a - b).abs() < 1e-6, "{method} {unit:?}: {a} {b}");
                }
            }
        }
    }
}

/// Whole ones make an output step; none is longer than sqrt(L/g)/300, L the geometric mean of the corners of boxes of the inertia of both bodies.
#[test]
fn steps_are_whole_parts_of_the_output_step() {
    let corners = [5.0 * 0.012_f64, 5.0 * 0.06 / 2.0];
    let longest = ((corners[0] * corners[1]).powf(0.25) / 9.81).sqrt() / 300.0;
    for (output_step, parts) in [(0.05, (0.05 / longest).ceil()), (1e-4, 1.0), (1e-3, (1e-3 / longest).ceil())] {
        let (_, step) = picture("gap_lcp", [1.0; 3], Some(output_step));
        assert!((step * parts / output_step - 1.0).abs() < 1e-9, "{output_step}: {step} {parts}");
    }
}
