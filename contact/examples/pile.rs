//! A pile: boxes of 0.2 m dropped in layers of 10 x 10 from 0.1 m apart, friction 0.5, steps of 5 ms.
//!
//! Arguments: layers (default 2) and steps (default 400). Prints every fiftieth step: time, contacts, smallest gap, residual, kinetic
//! energy, and the wall-clock time of a step. `cargo run --release --example pile -- 10 800`

use fourbar_contact::model::{BoxShape, Contact, ContactKind, ContactModel, Geometry, HalfSpaceShape, Shape, Shapes};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::TimeStepping;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Body, Model, Orientation, vector, zero};
use std::sync::Arc;
use std::time::Instant;

const SIZE: f64 = 0.2;
const MASS: f64 = 8.0;

fn model(layers: usize) -> (Model, ContactModel) {
    let (mut bodies, mut shapes) = (Vec::new(), Vec::new());
    let inertia = MASS * SIZE * SIZE / 6.0;
    for k in 0..100 * layers {
        let (x, y, z) = (k % 10, k / 10 % 10, k / 100);
        let place = |i: usize| i as f64 * 1.1 * SIZE;
        let name = format!("box {k}");
        bodies.push(Body {
            name: name.clone(),
            mass: MASS.into(),
            inertia: vec![inertia.into(); 3],
            center_of_mass: zero(),
            position: vector([place(x), place(y), 0.5 * SIZE + 0.1 + z as f64 * (SIZE + 0.1)]),
            orientation: Orientation::default(),
            velocity: zero(),
            angular_velocity: zero(),
            exact: vec![],
            solids: Vec::new(),
        });
        let geometry = Geometry::Box(BoxShape { size: vector([SIZE; 3]) });
        shapes.push(Shape {
            name: format!("shape {k}"),
            on: name.as_str().into(),
            group: Some("all".into()),
            geometry,
        });
    }
    let floor = Geometry::HalfSpace(HalfSpaceShape {});
    shapes.push(Shape { name: "floor".into(), on: "ground".into(), group: Some("all".into()), geometry: floor });
    let all = ContactKind::Shapes(Shapes { i: "all".into(), j: None, joined: false });
    let contacts = ContactModel { shapes, contacts: vec![Contact::new("pile", all).with_friction(0.5)] };
    (Model { gravity: vector([0.0, 0.0, -9.81]), bodies, ..Model::default() }, contacts)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |k: usize, default| std::env::args().nth(k).map_or(Ok(default), |text| text.parse());
    let (layers, steps) = (number(1, 2)?, number(2, 400)?);
    let (model, contacts) = model(layers);
    let mechanism = Arc::new(Mechanism::compile(&model)?);
    let contacts = ContactSet::compile(&model, &contacts, &mechanism)?;
    let mut stepper =
        TimeStepping { step: 5e-3, ..TimeStepping::default() }.start(&mechanism, contacts, mechanism.start())?;
    println!("time [s], contacts, smallest gap [m], residual [m/s], kinetic energy [J], wall clock of a step [ms]");
    let mut clock = Instant::now();
    for k in 1..=steps {
        let record = *stepper.step()?;
        if k % 50 == 0 {
            let wall = clock.elapsed().as_secs_f64() * 1e3 / 50.0;
            let r = record;
            println!("{:.3}, {}, {:.3e}, {:.1e}, {:.3e}, {wall:.2}", r.time, r.contacts, r.gap, r.residual, r.kinetic);
            clock = Instant::now();
        }
    }
    Ok(())
}
