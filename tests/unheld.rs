//! Bodies that nothing holds are named before they fall for ever, by whoever reads the model and by its run.

use fourbar::file::ModelFile;
use fourbar::mechanism::MechanismModel;
use fourbar::run::{Overrides, Run};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

const CONVEYOR: &str = r#"
gravity = [0, 0, -9.81]
[simulation]
end = 0.02
output_step = 0.01
[contacts]
method = "gap_lcp"
[[body]]
name = "box"
solids = [{ type = "box", size = [0.4, 0.3, 0.1], density = 200 }]
position = [0, 0, 0.05]
[[copies]]
of = "box"
count = [3, 1, 1]
spacing = [0.8, 0, 0]
[[contact]]
name = "on_floor"
type = "box_plane"
i = "box"
size = [0.4, 0.3, 0.1]
j = "ground"
"#;

fn read(text: String) -> ModelFile {
    ModelFile::parse("model", text).expect("a model")
}

fn advice(file: &ModelFile) -> Vec<String> {
    let mechanism: &MechanismModel = file.document().mechanism().expect("a mechanism");
    mechanism.expand().expect("copies").advice()
}

#[test]
fn copies_without_the_contact_of_their_body_are_named() {
    let file = read(CONVEYOR.to_owned());
    let told = advice(&file);
    assert!(matches!(&told[..], [one] if one.starts_with("nothing holds bodies \"box 2\", \"box 3\":")), "{told:?}");
    let run = Run::new(file.document(), &Overrides::default()).expect("a run");
    let outcome = run.execute(&mut [], &AtomicBool::new(false)).expect("outputs");
    assert!(outcome.summary.warnings.contains(&told[0]), "{:?}", outcome.summary.warnings);
    // A contact of shapes takes the copies along, as it names a group; without gravity nothing falls.
    let grouped = CONVEYOR.replace(
        "type = \"box_plane\"\ni = \"box\"\nsize = [0.4, 0.3, 0.1]\nj = \"ground\"",
        "type = \"shapes\"\ni = \"all\"",
    ) + "[[shape]]\nname = \"floor\"\ntype = \"half_space\"\ngroup = \"all\"\non = \"ground\"\n[[shape]]\nname = \"cube\"\ntype = \"box\"\nsize = [0.4, 0.3, 0.1]\ngroup = \"all\"\non = \"box\"\n";
    for text in [grouped, CONVEYOR.replace("-9.81", "0")] {
        let told = advice(&read(text));
        assert!(told.is_empty(), "{told:?}");
    }
}

/// Elements that hold a body, each by another kind of reference: body, marker by name, marker in place, joint, group of shapes.
const HOLDS: usize = 9;

/// What element `kind` says of body `b`.
fn element(kind: usize, b: usize) -> String {
    match kind {
        0 => format!(
            "[[joint]]\nname = \"e{b}\"\ntype = \"spherical\"\ni = \"m{b}\"\nj = {{ body = \"ground\", position = [{b}, 0, 0] }}\n"
        ),
        1 => format!(
            "[[joint]]\nname = \"e{b}\"\ntype = \"revolute\"\ni = \"b{b}\"\nj = {{ body = \"ground\", position = [{b}, 0, 0] }}\n"
        ),
        2 => format!(
            "[[force]]\nname = \"e{b}\"\ntype = \"spring_damper\"\ni = {{ body = \"b{b}\", position = [0, 0, 0.1] }}\nj = {{ body = \"ground\", position = [{b}, 0, 3] }}\nstiffness = 5\n"
        ),
        3 => format!("[[force]]\nname = \"e{b}\"\ntype = \"force\"\ni = \"m{b}\"\nvalue = [0, 0, 1]\n"),
        4 => format!(
            "[[contact]]\nname = \"e{b}\"\ntype = \"point_plane\"\ni = \"m{b}\"\nj = {{ body = \"ground\", position = [0, 0, -9] }}\n"
        ),
        5 => format!(
            "[[contact]]\nname = \"e{b}\"\ntype = \"rope\"\ni = \"b{b}\"\nj = {{ body = \"ground\", position = [{b}, 0, 9] }}\nlength = 99\n"
        ),
        6 => format!("[[shape]]\nname = \"e{b}\"\ngroup = \"all\"\ntype = \"sphere\"\nradius = 0.1\non = \"m{b}\"\n"),
        7 => format!(
            "[[shape]]\nname = \"e{b}\"\ngroup = \"all\"\ntype = \"sphere\"\nradius = 0.1\non = {{ body = \"b{b}\", position = [0, 0, 0.2] }}\n"
        ),
        _ => format!(
            "[[force]]\nname = \"e{b}\"\ntype = \"axial_torque\"\ni = \"b{b}\"\nj = {{ body = \"ground\", position = [{b}, 0, 0] }}\nvalue = 1\n"
        ),
    }
}

/// What acts on nothing: a shape in no contact, a measure, a marker.
fn idle(b: usize) -> String {
    format!(
        "[[marker]]\nname = \"m{b}\"\nbody = \"b{b}\"\nposition = [0, 0, 0]\n[[shape]]\nname = \"idle{b}\"\ngroup = \"none\"\ntype = \"sphere\"\nradius = 0.1\non = \"b{b}\"\n\
         [[measure]]\nname = \"z{b}\"\ntype = \"position\"\ni = \"m{b}\"\ncomponent = \"z\"\n"
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn those_are_named_on_which_nothing_acts(held in prop::collection::vec(prop::option::weighted(0.7, 0..HOLDS), 1..12)) {
        let mut text = String::from("gravity = [0, 0, -9.81]\n[[shape]]\nname = \"floor\"\ngroup = \"all\"\ntype = \"half_space\"\non = \"ground\"\n[[contact]]\nname = \"c\"\ntype = \"shapes\"\ni = \"all\"\n");
        for (b, kind) in held.iter().enumerate() {
            text += &format!("[[body]]\nname = \"b{b}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [{b}, 0, 0]\n");
            text += &idle(b);
            text += &kind.map(|kind| element(kind, b)).unwrap_or_default();
        }
        let told = advice(&read(text));
        let free: Vec<usize> = (0..held.len()).filter(|&b| held[b].is_none()).collect();
        // All of them free are drawn so.
        prop_assert_eq!(told.len(), usize::from(!free.is_empty() && free.len() < held.len()));
        for told in told {
            for b in 0..held.len() {
                let named = told.contains(&format!("\"b{b}\""));
                let expected = free.iter().take(8).any(|&free| free == b);
                prop_assert_eq!(named, expected, "b{} of {:?} in {}", b, &held, told);
            }
            prop_assert_eq!(told.contains(" more: "), free.len() > 8);
        }
    }
}
