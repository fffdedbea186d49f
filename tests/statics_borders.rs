//! Statics where supports are hyperstatic, stiffnesses lie far apart, an equilibrium lies far away, or the way to it leads through a change point.

use fourbar::analysis::{QuasiStatics, Statics};
use fourbar::file::ModelFile;
use nalgebra::{DMatrix, DVector, Matrix3, Rotation3, Vector3};
use std::fmt::Write;

fn statics(text: &str) -> Result<Statics, fourbar::Error> {
    let file = ModelFile::parse("model.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    QuasiStatics::new(file.document().mechanism().unwrap(), None, None)?.at(0.0)
}

fn measured(found: &Statics, name: &str) -> f64 {
    found.measures.iter().find(|(column, _)| column.name == name).unwrap_or_else(|| panic!("{name}")).1
}

/// Numbers from -1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }

    fn rotation(&mut self) -> Rotation3<f64> {
        Rotation3::new(Vector3::new(self.next(), self.next(), self.next()) * 3.0)
    }
}

/// A table of 10 kg with its centre of mass above the middle of random feet on whole and half decimetres, so that lengths repeat.
fn table(random: &mut Random, legs: usize) -> (String, Vec<[f64; 2]>) {
    let places: Vec<[f64; 2]> =
        (0..legs).map(|_| [random.next(), random.next()].map(|x| (10.0 * x).round() / 10.0)).collect();
    let mean = [0, 1].map(|k| places.iter().map(|place| place[k]).sum::<f64>() / legs as f64);
    let mut text = format!(
        "gravity = [0, 0, -9.81]\n[[body]]\nname = \"t\"\nmass = 10\ninertia = [1, 1, 1.5]\ncenter_of_mass = [{:?}, {:?}, 1]\n",
        mean[0], mean[1]
    );
    for (k, [x, y]) in places.iter().enumerate() {
        let _ = write!(
            text,
            "[[contact]]\nname = \"c{k}\"\ntype = \"point_plane\"\ni = {{ body = \"t\", position = [{x:?}, {y:?}, 0] }}\nj = \"ground\"\n"
        );
    }
    (text, places)
}

/// Above the middle of the feet forces of least norm are equal ones: 98.1 N over their number, by the symmetry of the three balances.
#[test]
fn tables_on_random_legs_stand_on_all_of_them_alike() {
    let mut random = Random(7);
    let mut compared = 0;
    for _ in 0..300 {
        let legs = 3 + (4.0 * (random.next() + 1.0)) as usize;
        let (text, places) = table(&mut random, legs);
        let balances = DMatrix::from_fn(3, legs, |row, k| if row == 0 { 1.0 } else { places[k][row - 1] });
        // Legs in one line hold no table.
        if (&balances * balances.transpose()).determinant() < 1e-3 {
            continue;
        }
        compared += 1;
        let found = statics(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let forces = DVector::from_iterator(legs, found.contacts.iter().map(|contact| contact.normal));
        let even = 98.1 / legs as f64;
        assert!(forces.iter().all(|force| (force - even).abs() < 1e-8 * 98.1), "{forces}\n{text}");
    }
    assert!(compared >= 200, "{compared}");
}

/// Two masses on slides, the second one on a spring that is stiffer by up to 1e14, each on the ground or the second on the first: z = -m g / k, a straight
/// law. One on the other, differences of forces keep the soft spring up to 1e8.
#[test]
fn springs_of_any_spread_are_one_step() {
    for (on_ground, power) in [(true, 14), (true, 12), (true, 10), (true, 4), (false, 8), (false, 6), (false, 3)] {
        let (soft, stiff) = (100.0, 100.0 * 10.0_f64.powi(power));
        let spring = |name: &str, stiffness: f64, i: &str, j: &str| {
            format!(
                "[[force]]\nname = \"{name} spring\"\ntype = \"spring_damper\"\ni = {i}\nj = {j}\nstiffness = {stiffness:e}\nfree_length = 1\n"
            )
        };
        let body = |name: &str, z: f64| {
            format!(
                "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, {z:?}]\n\
                 [[joint]]\nname = \"{name} slide\"\ntype = \"prismatic\"\ni = \"{name}\"\nj = \"ground\"\n"
            )
        };
        let text = format!(
            "gravity = [0, 0, -9.81]\n{}{}{}{}[[measure]]\nname = \"z\"\ntype = \"position\"\ni = \"low\"\n[[measure]]\nname = \"top\"\ntype = \"position\"\ni = \"high\"\n",
            body("low", 0.0),
            body("high", 1.0),
            spring("a", soft, "\"low\"", "{ body = \"ground\", position = [0, 0, -1] }"),
            spring("b", stiff, "\"high\"", if on_ground { "\"ground\"" } else { "\"low\"" }),
        );
        let found = statics(&text).unwrap_or_else(|error| panic!("1e{power}: {error}"));
        let z = -9.81 / soft * if on_ground { 1.0 } else { 2.0 };
        let below = if on_ground { 0.0 } else { z };
        assert!((measured(&found, "z.z") - z).abs() < 1e-8, "1e{power}: {}", measured(&found, "z.z"));
        assert!((measured(&found, "top.z") - below - 1.0 + 9.81 / stiff).abs() < 1e-8, "1e{power}");
        let iterations = found.equilibrium.iterations;
        assert!(found.equilibrium.stable && iterations <= 3, "1e{power}: {iterations}");
    }
}

/// A pendulum whose bob is held by a stiff bushing, drawn up to a right angle above: it hangs.
#[test]
fn a_bob_on_a_bushing_is_found_where_it_hangs() {
    for degrees in [-60.0_f64, 0.0, 45.0, 80.0, 100.0, 135.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let turned = format!("orientation = {{ axis = [0, 0, 1], angle = \"{degrees} deg\" }}");
        let text = format!(
            "gravity = [0, -9.81, 0]\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0.01, 0.1, 0.1]\ncenter_of_mass = [0.5, 0, 0]\n{turned}\n\
             [[body]]\nname = \"bob\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [{cos:?}, {sin:?}, 0]\n{turned}\n\
             [[joint]]\nname = \"h\"\ntype = \"revolute\"\ni = \"rod\"\nj = \"ground\"\n\
             [[force]]\nname = \"rubber\"\ntype = \"bushing\"\ni = \"bob\"\nj = {{ body = \"rod\", position = [1, 0, 0] }}\n\
             stiffness = [1e5, 1e5, 1e5, 1e3, 1e3, 1e3]\n[[measure]]\nname = \"r\"\ntype = \"position\"\ni = {{ body = \"rod\", position = [1, 0, 0] }}\n"
        );
        let found = statics(&text).unwrap_or_else(|error| panic!("{degrees}: {error}"));
        assert!(found.equilibrium.stable, "{degrees}");
        assert!((measured(&found, "r.y") + 1.0).abs() < 1e-9, "{degrees}: {}", measured(&found, "r.y"));
    }
}

fn triple(v: Vector3<f64>) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

/// A parallelogram drawn above its base, in any orientation, falls through the change point where all bars lie in line: it remains one and hangs.
#[test]
fn parallelograms_remain_such_on_the_way_to_where_they_hang() {
    let mut random = Random(11);
    for number in 0..120 {
        let angle = 0.3 + 1.3 * (random.next() + 1.0);
        let turn = match number % 4 {
            0 => Rotation3::identity(),
            1 => Rotation3::new(Vector3::ith(number / 4 % 3, std::f64::consts::FRAC_PI_2)),
            _ => random.rotation(),
        };
        let (crank, base) = (0.2, 0.5 + 0.2 * random.next());
        let way = Vector3::new(angle.cos(), 0.0, angle.sin()) * crank;
        let across = triple(turn * Vector3::y());
        let place = |v: Vector3<f64>| triple(turn * v);
        let body = |name: &str, mass: f64, centre: Vector3<f64>| {
            format!(
                "[[body]]\nname = \"{name}\"\nmass = {mass:?}\ninertia = [0.01, 0.01, 0.01]\nposition = {}\n",
                place(centre)
            )
        };
        let pin = |name: &str, i: &str, j: &str, at: Vector3<f64>| {
            let marker = |body: &str| {
                format!(
                    "{{ body = \"{body}\", position = {}, orientation = {{ z_axis = {across} }}, frame = \"global\" }}",
                    place(at)
                )
            };
            format!("[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\ni = {}\nj = {}\n", marker(i), marker(j))
        };
        let right = Vector3::x() * base;
        let text = format!(
            "gravity = {}\n{}{}{}{}{}{}{}[[measure]]\nname = \"energy\"\ntype = \"potential_energy\"\n",
            triple(turn * Vector3::new(0.0, 0.0, -9.81)),
            body("left", 0.5, 0.5 * way),
            body("right", 0.5, right + 0.5 * way),
            body("top", 1.0, way + 0.5 * right),
            pin("A", "left", "ground", Vector3::zeros()),
            pin("B", "top", "left", way),
            pin("C", "top", "right", right + way),
            pin("D", "right", "ground", right),
        );
        let found = statics(&text).unwrap_or_else(|error| panic!("{number}: {error}"));
        let hanging = -9.81 * crank * (2.0 * 0.5 * 0.5 + 1.0);
        assert!(
            (measured(&found, "energy") - hanging).abs() < 1e-8,
            "{number}: {} for {hanging}",
            measured(&found, "energy")
        );
        assert!(found.equilibrium.stable);
        let top = found.equilibrium.state.poses[2].a;
        assert!((top - Matrix3::identity()).amax() < 1e-8, "{number}: the top has turned: {top}");
    }
}
