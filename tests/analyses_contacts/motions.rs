//! Contacts beside motions.

use super::*;

/// A carriage driven against a wall: kinematics goes on through it, and tells.
#[test]
fn a_wall_that_motions_ignore_is_named() {
    let file = file(
        r#"
simulation = { end = 1, output_step = 0.1 }
body = [{ name = "carriage", mass = 1 }]
joint = [{ name = "guide", type = "prismatic", i = "carriage", j = "ground" }]
motion = [{ name = "drive", joint = "guide", displacement = "1 - 2*time" }]
contact = [{ name = "wall", type = "sphere_plane", i = "carriage", radius = 0.1, j = "ground" }]
"#,
    );
    let mut run = KinematicRun::new(file.document().mechanism().unwrap(), None, None, false).unwrap();
    (0..=10).for_each(|k| drop(run.row(0.1 * f64::from(k)).unwrap()));
    let told = run.warnings();
    assert!(told.len() == 1 && told[0].contains("wall") && told[0].contains("overlap"), "{told:?}");
}

/// A hoist takes a load from the floor: the floor carries less and less of it, then nothing.
#[test]
fn a_hoist_takes_a_load_from_the_floor() {
    let file = file(
        r#"
gravity = [0, 0, -10]
body = [{ name = "hook", mass = 1, position = [0, 0, 1] }, { name = "load", mass = 50, position = [0, 0, 0.1] }]
joint = [
    { name = "shaft", type = "prismatic", i = "hook", j = "ground" },
    { name = "guide", type = "prismatic", i = "load", j = "ground" },
]
motion = [{ name = "hoist", joint = "shaft", displacement = "1 + 0.02*time" }]
force = [{ name = "rope", type = "spring_damper", i = "load", j = "hook", stiffness = 5000, free_length = 0.9 }]
contact = [{ name = "floor", type = "sphere_plane", i = "load", radius = 0.1, j = "ground" }]
measure = [{ name = "z", type = "position", i = "load", component = "z" }]
"#,
    );
    let mut statics = QuasiStatics::new(file.document().mechanism().unwrap(), None, None).unwrap();
    for k in 0..=16 {
        let time = 0.5 * f64::from(k);
        let found = statics.at(time).unwrap();
        let floor = 500.0 - 100.0 * time;
        near(found.contacts.iter().map(|contact| contact.normal).sum(), floor.max(0.0), 1e-6);
        near(found.measures[0].1, 0.1 + (0.02 * time - 0.1).max(0.0), 1e-9);
    }
}
