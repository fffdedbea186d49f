//! Blocks on floors: pushed, tipped, sliding, rocking, stacked, thrown.

use super::*;

/// Forces in x on the block, over time.
fn pushed(model: &mut Model, at: [f64; 3], x: &str) {
    let i = Place {
        body: "block".into(),
        position: vector(at),
        orientation: Orientation::default(),
        frame: Default::default(),
    };
    let value = [text(x), text("0"), text("0")];
    model.forces.push(Force::Force(VectorForce {
        name: "push".into(),
        i: i.into(),
        reaction: None,
        frame: None,
        value,
    }));
}

#[test]
fn a_push_that_grows_breaks_a_block_away() {
    let size = [0.3, 0.1, 0.2];
    let (rate, mu) = (10.0, 0.3);
    let mut model = falling(vec![block(size, [0.0, 0.05, 0.0], 0.0)]);
    pushed(&mut model, [0.0; 3], &format!("{rate}*time"));
    let breaks = mu * G / rate;
    let mut run = run(&model, vec![block_on(floor(0.0), size).with_friction(mu)], breaks + 0.5);
    let slipped = times(&run, |k| *k == EventKind::Slipped(0));
    assert_eq!(slipped.len(), 4);
    slipped.iter().for_each(|t| assert_abs_diff_eq!(*t, breaks, epsilon = 1e-8));
    // a = k (t - t_0)/m from then on.
    assert_abs_diff_eq!(run.state().poses[0].v.x, 0.5 * rate * 0.25, epsilon = 1e-8);
    assert_abs_diff_eq!(run.state().poses[0].x.x, rate * 0.125 / 6.0, epsilon = 1e-8);
    assert!(!run.unique_forces());
}

#[test]
fn a_push_above_the_middle_tips_a_block() {
    // Half sides a, b; pushed at the height h above the floor with k t: tips where k t h = m g a.
    let (a, b) = (0.05, 0.15);
    let size = [2.0 * a, 2.0 * b, 0.2];
    let mut model = falling(vec![block(size, [0.0, b, 0.0], 0.0)]);
    pushed(&mut model, [0.0, 0.05, 0.0], "10*time");
    let mut run = start(&model, vec![block_on(floor(0.0), size).with_friction(0.8)], EventDriven::default(), 0.4);
    run.run().unwrap();
    let opened = times(&run, |k| *k == EventKind::Opened);
    assert_eq!(opened.len(), 2);
    opened.iter().for_each(|t| assert_abs_diff_eq!(*t, G * a / (0.2 * 10.0), epsilon = 1e-8));
    assert_eq!(run.closed().len(), 2);
    assert!(run.state().poses[0].w.z < -0.1);
}

#[test]
fn a_block_on_an_incline_stays_slides_or_tips() {
    let start = |a: f64, b: f64, angle: f64, mu: f64| {
        let size = [2.0 * a, 2.0 * b, 0.2];
        let (s, c) = angle.sin_cos();
        let model = falling(vec![block(size, [-s * b, c * b, 0.0], angle)]);
        run(&model, vec![block_on(floor(angle), size).with_friction(mu)], 0.2)
    };
    let mut stays = start(0.1, 0.1, 0.5, 0.6);
    assert!(stays.state().poses[0].v.norm() <= 1e-10);
    let sum: f64 = stays.forces().unwrap().iter().map(|f| f[0]).sum();
    assert_abs_diff_eq!(sum, G * 0.5_f64.cos(), epsilon = 1e-10);
    let mut slides = start(0.1, 0.02, 0.5, 0.3);
    let a = G * (0.5_f64.sin() - 0.3 * 0.5_f64.cos());
    assert_abs_diff_eq!(slides.state().poses[0].v.norm(), 0.2 * a, epsilon = 1e-9);
    // tan(0.5) = 0.546 > a/b = 0.5.
    let mut tips = start(0.1, 0.2, 0.5, 0.8);
    assert!(tips.state().poses[0].w.z > 1e-3);
    assert_eq!(tips.closed().len(), 2);
}

#[test]
fn a_sliding_block_leans_on_its_leading_edge() {
    // N_f, N_r = (N/2)(1 +- mu b/a), shared by two corners each.
    let (a, b, mu) = (0.1, 0.05, 0.5);
    let size = [2.0 * a, 2.0 * b, 0.2];
    let model = falling(vec![moving(block(size, [0.0, b, 0.0], 0.0), [2.0, 0.0, 0.0], [0.0; 3])]);
    let mut slides = start(&model, vec![block_on(floor(0.0), size).with_friction(mu)], EventDriven::default(), 1.0);
    slides.step().unwrap();
    let mut forces: Vec<f64> = slides.forces().unwrap().iter().map(|f| f[0]).collect();
    forces.sort_by(f64::total_cmp);
    for (force, sign) in forces.iter().zip([-1.0, -1.0, 1.0, 1.0]) {
        assert_abs_diff_eq!(*force, 0.25 * G * (1.0 + sign * mu * b / a), epsilon = 1e-10);
    }
    slides.run().unwrap();
    let stopped = times(&slides, |k| matches!(k, EventKind::Stuck(_)));
    assert_abs_diff_eq!(stopped[0], 2.0 / (mu * G), epsilon = 1e-8);
    assert_abs_diff_eq!(slides.state().poses[0].x.x, 2.0 / (mu * G), epsilon = 1e-8);
    // mu b/a = 1.6: it tips.
    let size = [0.1, 0.2, 0.2];
    let model = falling(vec![moving(block(size, [0.0, 0.1, 0.0], 0.0), [2.0, 0.0, 0.0], [0.0; 3])]);
    let tips = run(&model, vec![block_on(floor(0.0), size).with_friction(0.8)], 0.02);
    assert_eq!((tips.closed().len(), times(&tips, |k| matches!(k, EventKind::Impact(_))).len()), (2, 0));
}

#[test]
fn a_box_on_four_corners_shares_its_weight_with_least_norm() {
    // Centre of mass off the middle: N = (m g/4)(1 +- x/a +- y/b) is the one of least norm.
    let (a, b) = (0.15, 0.1);
    for (x, y, mu) in [(0.0, 0.0, 0.0), (0.03, -0.02, 0.0), (0.0, 0.0, 0.7), (0.06, 0.03, 0.4)] {
        let size = [2.0 * a, 0.1, 2.0 * b];
        let model = falling(vec![block(size, [x, 0.05, y], 0.0)]);
        let middle = Place {
            body: "block".into(),
            position: vector([-x, 0.0, -y]),
            orientation: Orientation::default(),
            frame: Default::default(),
        };
        let kind = BoxPlane { i: middle.into(), size: vector(size), j: floor(0.0), offset: 0.0.into() };
        let mut run = run(&model, vec![Contact::new("block", ContactKind::BoxPlane(kind)).with_friction(mu)], 0.5);
        assert!(!run.unique_forces());
        let mut expected: Vec<f64> = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .map(|(i, j)| 0.25 * G * (1.0 + i * x / a + j * y / b))
            .to_vec();
        let mut found: Vec<f64> = run.forces().unwrap().iter().map(|f| f[0]).collect();
        expected.sort_by(f64::total_cmp);
        found.sort_by(f64::total_cmp);
        assert_abs_diff_eq!(found.as_slice(), expected.as_slice(), epsilon = 1e-10);
        let pose = run.state().poses[0];
        assert!(pose.v.norm() <= 1e-12 && pose.w.norm() <= 1e-12, "{pose:?}");
    }
}

#[test]
fn a_block_rocks_from_edge_to_edge() {
    let (b, h) = (0.1_f64, 0.3_f64);
    let expected = &reference()["rocking_b0.1_h0.3"];
    let alpha = (b / h).atan();
    let (radius, tilt) = (b.hypot(h), 0.5 * alpha);
    let size = [2.0 * b, 2.0 * h, 0.2];
    // It leans on the edge at the origin, its middle at the angle alpha - tilt from the vertical.
    let lean = alpha - tilt;
    let model = falling(vec![block(size, [-radius * lean.sin(), radius * lean.cos(), 0.0], -tilt)]);
    let mut run = start(&model, vec![block_on(floor(0.0), size).with_friction(5.0)], EventDriven::default(), 0.4);
    while impacts(&run).is_empty() {
        run.step().unwrap();
    }
    assert_abs_diff_eq!(impacts(&run)[0], expected["quarter_period_exact"].as_f64().unwrap(), epsilon = 1e-8);
    let before = (1.5 * G / radius * (lean.cos() - alpha.cos())).sqrt();
    let after = run.state().poses[0].w.z;
    assert_abs_diff_eq!(after, before * expected["omega_ratio"].as_f64().unwrap(), epsilon = 1e-8);
    run.run().unwrap();
    assert_eq!(run.closed().len(), 2);
}

#[test]
fn a_stack_carries_the_weight_above() {
    let ball = |k: usize| body(&format!("b{k}"), 1.0 + k as f64, [0.004; 3], [0.0, 0.1 + 0.2 * k as f64, 0.0], 0.0);
    let touch = |k: usize| {
        let [i, j] = [k, k + 1].map(|k| MarkerRef::from(format!("b{k}").as_str()));
        let kind = ContactKind::SphereSphere(SphereSphere { i, j, radius_i: 0.1.into(), radius_j: 0.1.into() });
        Contact::new(&format!("c{k}"), kind)
    };
    let model = falling((0..4).map(ball).collect());
    let floor = SpherePlane { i: "b0".into(), radius: 0.1.into(), j: floor(0.0), offset: 0.0.into() };
    let mut contacts = vec![Contact::new("floor", ContactKind::SpherePlane(floor))];
    contacts.extend((0..3).map(touch));
    let mut run = run(&model, contacts, 0.5);
    for (force, mass) in run.forces().unwrap().iter().zip([10.0, 9.0, 7.0, 4.0]) {
        assert_abs_diff_eq!(force[0], mass * G, epsilon = 1e-10);
    }
}

#[test]
fn boxes_in_a_stack_rest_on_one_another() {
    let size = [0.2, 0.1, 0.2];
    let bodies: Vec<Body> = (0..3)
        .map(|k| Body { name: format!("b{k}"), ..block(size, [0.01 * k as f64, 0.05 + 0.1 * k as f64, 0.0], 0.0) })
        .collect();
    let model = falling(bodies);
    let shape =
        |name: &str, on: MarkerRef, geometry| Shape { name: name.into(), on, group: Some("all".into()), geometry };
    let cube = |k: usize| {
        let name = format!("b{k}");
        shape(&name, name.as_str().into(), Geometry::Box(BoxShape { size: vector(size) }))
    };
    let mut shapes: Vec<Shape> = (0..3).map(cube).collect();
    shapes.push(shape("floor", floor(0.0), Geometry::HalfSpace(HalfSpaceShape {})));
    let touch = Contact::new("touch", ContactKind::Shapes(Shapes { i: "all".into(), j: None, joined: false }));
    let contacts = ContactModel { shapes, contacts: vec![touch.with_friction(0.5)] };
    let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
    let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
    let options = EventDriven { reach: 0.01, ..EventDriven::default() };
    let mut run = options.start(&mechanism, set, mechanism.start(), 0.5).unwrap();
    run.run().unwrap();
    for (k, pose) in run.state().poses.iter().enumerate() {
        assert_abs_diff_eq!(pose.x.y, 0.05 + 0.1 * k as f64, epsilon = 1e-12);
        assert!(pose.v.norm() <= 1e-12 && pose.w.norm() <= 1e-12, "{pose:?}");
    }
    let total: f64 = run.forces().unwrap().iter().map(|f| f[0]).sum();
    assert_abs_diff_eq!(total, 6.0 * G, epsilon = 1e-9);
}

#[test]
fn a_thrown_box_tumbles_until_it_rests_on_a_face() {
    let size = [0.3, 0.2, 0.1];
    for throw in [0.0, 1.0, 2.0, 4.0, 5.0, 6.0] {
        let turn = Orientation::turn([0.3 + throw, 0.2, 1.0], 0.7 + 0.3 * throw);
        let thrown = Body { orientation: turn, ..block(size, [0.0, 0.5, 0.0], 0.0) };
        let model = falling(vec![moving(thrown, [0.5, 0.0, 0.1 * throw], [1.0, 0.5, 2.0 - throw])]);
        let floor = block_on(floor(0.0), size).with_friction(0.3).with_restitution(0.4);
        let options = EventDriven { tolerance: 1e-9, ..EventDriven::default() };
        let mut run = start(&model, vec![floor], options, 4.0);
        run.run().unwrap();
        assert_eq!(run.closed().len(), 4, "throw {throw}");
        let pose = run.state().poses[0];
        assert!(pose.v.norm() <= 1e-12 && pose.w.norm() <= 1e-12, "throw {throw}: {pose:?}");
        assert!(size.iter().any(|s| (pose.x.y - 0.5 * s).abs() <= 1e-12), "throw {throw}: {pose:?}");
    }
}
