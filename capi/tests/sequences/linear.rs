//! Linear systems.

use std::ffi::c_void;
use std::ptr;

use fourbar_capi::lti::discretization::*;
use fourbar_capi::lti::g_matrices::*;
use fourbar_capi::lti::method::*;
use fourbar_capi::lti::simulation::*;
use fourbar_capi::lti::stepper::*;
use fourbar_capi::lti::stepper_state::*;
use fourbar_capi::lti::system::*;

use super::{Bytes, Handles, ROOM, check};

pub struct World {
    systems: Handles<fourbar_system>,
    discretizations: Handles<fourbar_discretization>,
    steppers: Handles<fourbar_stepper>,
    states: Handles<fourbar_stepper_state>,
}

/// An input that fails, or is NaN, now and then.
unsafe extern "C" fn input(user: *mut c_void, t: f64, u: *mut f64, m: usize) -> i32 {
    let behaviour = user as usize;
    for i in 0..m {
        // SAFETY: m values.
        unsafe { *u.add(i) = if behaviour == 1 { f64::NAN } else { t.sin() } };
    }
    i32::from(behaviour == 2)
}

impl World {
    pub fn new() -> Self {
        Self {
            systems: Handles::new(fourbar_system_free),
            discretizations: Handles::new(fourbar_discretization_free),
            steppers: Handles::new(fourbar_stepper_free),
            states: Handles::new(fourbar_stepper_state_free),
        }
    }

    pub fn call(&mut self, bytes: &mut Bytes) {
        match bytes.below(20) {
            0..=3 => self.make(bytes),
            4..=13 => self.step(bytes),
            14..=16 => self.save(bytes),
            17 => self.matrices(bytes),
            18 => self.discretize(bytes),
            _ => match bytes.below(4) {
                0 => self.systems.drop_any(bytes),
                1 => self.discretizations.drop_any(bytes),
                2 => self.steppers.drop_any(bytes),
                _ => self.states.drop_any(bytes),
            },
        }
    }

    fn make(&mut self, bytes: &mut Bytes) {
        if bytes.byte().is_multiple_of(2) {
            let [n, m, q] = [bytes.below(5), bytes.below(3), bytes.below(3)];
            let [a, b, c, d] = [n * n, n * m, q * n, q * m].map(|count| bytes.numbers(count));
            let mut out = ptr::null_mut();
            // SAFETY: the arrays have room for what is said.
            let status = check(unsafe {
                let [a, b, c, d] = [&a, &b, &c, &d].map(|values| bytes.pointer(values));
                fourbar_system_new(n, m, q, a, b, c, d, &mut out)
            });
            self.systems.keep(out, status);
            return;
        }
        let nodes = [0.0, 0.3, 1.0];
        let hold = hold(bytes, &nodes);
        let mut out = ptr::null_mut();
        let system = self.systems.any(bytes);
        let given = if bytes.rarely() { ptr::null() } else { ptr::from_ref(&hold) };
        // SAFETY: as above.
        let status = check(unsafe { fourbar_stepper_new(system, bytes.step(), given, &mut out) });
        self.steppers.keep(out, status);
    }

    fn step(&mut self, bytes: &mut Bytes) {
        let stepper = self.steppers.any(bytes);
        let (mut n, mut m, mut q, mut samples) = (0, 1, 1, 1);
        // What the lengths should be; wrong ones come from `length`.
        // SAFETY: the pointers are valid.
        unsafe {
            let _ = fourbar_stepper_samples(stepper, &mut samples);
            let system = self.systems.any(bytes);
            let _ = fourbar_system_dimensions(system, &mut n, &mut m, &mut q);
        }
        let (u, mut y) = (bytes.numbers(m * samples), [0.0; ROOM]);
        let (m, q, all) = (bytes.length(m), bytes.length(q), bytes.length(m * samples));
        let (u, y) = (bytes.pointer(&u), bytes.pointer_mut(&mut y));
        let mut count = 0;
        // SAFETY: the arrays have room for the lengths.
        check(unsafe {
            match bytes.below(14) {
                0..=3 => fourbar_stepper_step(stepper, u, all, y, q),
                4 => fourbar_stepper_start_step(stepper, u, all, y, q),
                5 => fourbar_stepper_set_input(stepper, u, m),
                6 => fourbar_stepper_set_history(stepper, u, all),
                7 => fourbar_stepper_set_state(stepper, u, bytes.length(n)),
                8 => fourbar_stepper_get_state(stepper, y, bytes.length(n)),
                9 => fourbar_stepper_output(stepper, u, m, y, q),
                10 => fourbar_stepper_local_error(stepper, y, bytes.length(n)),
                11 => fourbar_stepper_run(stepper, u, all, y, q, bytes.out(&mut count)),
                12 => fourbar_stepper_simulate(
                    stepper,
                    Some(input),
                    bytes.below(3) as *mut c_void,
                    y,
                    bytes.length(4 * q),
                ),
                _ => fourbar_stepper_reset(stepper),
            }
        });
    }

    fn save(&mut self, bytes: &mut Bytes) {
        let (stepper, state) = (self.steppers.any(bytes), self.states.any(bytes));
        let mut out = ptr::null_mut();
        // SAFETY: handles are NULL or alive.
        match bytes.below(4) {
            0 => {
                let status = check(unsafe { fourbar_stepper_save(stepper, &mut out) });
                self.states.keep(out, status);
            }
            1 => {
                check(unsafe { fourbar_stepper_save_into(stepper, state) });
            }
            2 => {
                check(unsafe { fourbar_stepper_restore(stepper, state) });
            }
            _ => {
                check(unsafe { fourbar_stepper_continue_from(stepper, self.steppers.any(bytes)) });
            }
        }
    }

    fn matrices(&mut self, bytes: &mut Bytes) {
        let (n, order) = (bytes.below(5), bytes.below(8));
        let a = bytes.numbers(n * n);
        let (mut e, mut g) = ([0.0; ROOM], [0.0; ROOM]);
        let length = bytes.length((order + 1) * n * n);
        // SAFETY: the arrays have room: n n is at most 16, the others at most ROOM.
        check(unsafe {
            let (a, e, g) = (bytes.pointer(&a), bytes.pointer_mut(&mut e), bytes.pointer_mut(&mut g));
            fourbar_g_matrices(n, a, bytes.step(), order, e, g, length)
        });
    }

    fn discretize(&mut self, bytes: &mut Bytes) {
        let (system, one) = (self.systems.any(bytes), self.discretizations.any(bytes));
        let nodes = [0.0, 0.3, 1.0];
        let hold = hold(bytes, &nodes);
        let mut values = bytes.numbers(4);
        let (mut out, mut count, mut step) = (ptr::null_mut(), 0, 0.0);
        let length = bytes.below(64);
        // SAFETY: the arrays have room for the lengths.
        unsafe {
            let to = bytes.pointer_mut(&mut values);
            match bytes.below(6) {
                0..=1 => {
                    let status = check(fourbar_discretization_new(system, bytes.step(), &hold, &mut out));
                    self.discretizations.keep(out, status);
                }
                2 => {
                    check(fourbar_discretization_samples(one, bytes.out(&mut count)));
                }
                3 => {
                    check(fourbar_discretization_offsets(one, to, length));
                }
                4 => {
                    check(fourbar_discretization_exponential(one, to, length));
                }
                _ => {
                    check(fourbar_discretization_input_matrix(one, bytes.below(4), to, length));
                    let (tolerance, largest) = (bytes.number(), bytes.number());
                    check(fourbar_system_suggest_step(
                        system,
                        &hold,
                        to,
                        bytes.below(4),
                        tolerance,
                        largest,
                        &mut step,
                    ));
                }
            }
        }
    }
}

fn hold(bytes: &mut Bytes, nodes: &[f64; 3]) -> fourbar_hold {
    let mut hold = fourbar_hold {
        struct_size: 0,
        method: 0,
        order: 0,
        nodes: ptr::null(),
        nodes_length: 0,
        precision: 0,
        reserved: 0,
    };
    // SAFETY: the struct has the size said.
    check(unsafe { fourbar_hold_init(&mut hold, size_of::<fourbar_hold>()) });
    hold.method = bytes.choice(7);
    hold.order = bytes.below(9) as u32;
    hold.precision = bytes.choice(2);
    hold.nodes = bytes.pointer(nodes);
    hold.nodes_length = bytes.below(4);
    if bytes.rarely() {
        hold.struct_size = bytes.below(33);
    }
    hold
}
