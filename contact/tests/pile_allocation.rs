//! Steps of a pile that came to rest allocate nothing, finding its contacts included.

use crate::counting;
use crate::pile_scenes as scenes;
use counting::obtained;
use fourbar_contact::stepping::TimeStepping;

#[test]
fn steps_allocate_nothing_after_the_landing() {
    let bricks = scenes::layers(4, 3, 0.21, 0.05);
    let (mechanism, contacts) = scenes::compile(&bricks, 0.5);
    let options = TimeStepping { step: 5e-3, ..TimeStepping::default() };
    let mut stepper = options.start(&mechanism, contacts, mechanism.start()).expect("a start");
    while stepper.time() < 0.6 {
        stepper.step().expect("a step");
    }
    let before = obtained();
    for _ in 0..100 {
        let record = stepper.step().expect("a step");
        assert!(record.active > 36, "{} contacts carry", record.active);
    }
    assert_eq!(obtained() - before, 0);
}
