//! The host's own equations.

use std::ffi::c_void;
use std::ptr;

use fourbar_capi::problem::equations::*;
use fourbar_capi::problem::integration::*;
use fourbar_capi::problem::options::*;
use fourbar_capi::problem::sampling::*;
use fourbar_capi::problem::saving::*;
use fourbar_capi::problem::statistics::*;
use fourbar_capi::problem::system::*;

use super::{Bytes, Handles, ROOM, check, ignore};

pub struct World {
    problems: Handles<fourbar_problem>,
    integrations: Handles<fourbar_integration>,
    states: Handles<fourbar_integration_state>,
}

/// Two unknowns: x' = v, v' = -x, or badly so.
unsafe extern "C" fn rhs(user: *mut c_void, t: f64, y: *const f64, yp: *mut f64) -> i32 {
    // SAFETY: two values each.
    unsafe { (*yp, *yp.add(1)) = (*y.add(1), -*y) };
    misbehave(user as usize, t, yp)
}

unsafe extern "C" fn residual(user: *mut c_void, t: f64, y: *const f64, yp: *const f64, r: *mut f64) -> i32 {
    // SAFETY: two values each.
    unsafe { (*r, *r.add(1)) = (*yp - *y.add(1), *yp.add(1) + *y) };
    misbehave(user as usize, t, r)
}

unsafe extern "C" fn jacobian(
    user: *mut c_void,
    t: f64,
    _: *const f64,
    yp: *const f64,
    c: f64,
    values: *mut f64,
) -> i32 {
    let explicit = yp.is_null();
    let sign = if explicit { 1.0 } else { -1.0 };
    for (i, value) in [c, -sign, sign, c].into_iter().enumerate() {
        // SAFETY: four values.
        unsafe { *values.add(i) = value };
    }
    misbehave(user as usize, t, values)
}

unsafe extern "C" fn level(user: *mut c_void, t: f64, y: *const f64, _: *const f64, roots: *mut f64) -> i32 {
    // SAFETY: one value.
    unsafe { *roots = *y };
    misbehave(user as usize, t, roots)
}

unsafe extern "C" fn event(
    user: *mut c_void,
    _: f64,
    y: *mut f64,
    _: *mut f64,
    _: *const usize,
    _: *const i32,
    _: usize,
    action: *mut i32,
) -> i32 {
    let behaviour = user as usize;
    // SAFETY: valid.
    unsafe {
        *action = behaviour as i32;
        *y *= 0.5;
    }
    i32::from(behaviour == 6)
}

fn misbehave(behaviour: usize, t: f64, value: *mut f64) -> i32 {
    match behaviour {
        // SAFETY: at least one value.
        4 if t > 0.1 => unsafe { *value = f64::NAN },
        5 if t > 0.1 => return 1,
        6 if t > 0.1 => return -1,
        _ => {}
    }
    0
}

impl World {
    pub fn new() -> Self {
        Self {
            problems: Handles::new(fourbar_problem_free),
            integrations: Handles::new(fourbar_integration_free),
            states: Handles::new(fourbar_integration_state_free),
        }
    }

    pub fn call(&mut self, bytes: &mut Bytes) {
        match bytes.below(16) {
            0..=1 => self.pose(bytes),
            2..=4 => self.begin(bytes),
            5..=10 => self.step(bytes),
            11..=14 => self.read(bytes),
            _ => match bytes.below(3) {
                0 => self.problems.drop_any(bytes),
                1 => self.integrations.drop_any(bytes),
                _ => self.states.drop_any(bytes),
            },
        }
    }

    fn pose(&mut self, bytes: &mut Bytes) {
        let kinds = [bytes.choice(8), bytes.choice(8)];
        let offsets = [0usize, bytes.below(4), 4];
        let rows = [0, 1, 0, bytes.below(3)];
        let typical = bytes.numbers(2);
        let directions = [bytes.choice(1)];
        let mut out = ptr::null_mut();
        // SAFETY: arrays have the lengths said, the struct its size.
        let status = check(unsafe {
            let mut e = std::mem::zeroed::<fourbar_equations>();
            check(fourbar_equations_init(&mut e, size_of::<fourbar_equations>()));
            e.dimension = 2;
            e.user = bytes.below(7) as *mut c_void;
            if bytes.byte().is_multiple_of(2) {
                e.rhs = Some(rhs);
            } else {
                e.residual = Some(residual);
            }
            if bytes.byte().is_multiple_of(2) {
                e.jacobian = Some(jacobian);
            }
            if bytes.rarely() {
                (e.pattern_offsets, e.pattern_rows, e.pattern_length) = (offsets.as_ptr(), rows.as_ptr(), 4);
                e.jacobian = None;
            }
            if bytes.rarely() {
                (e.kinds, e.index) = (kinds.as_ptr(), bytes.choice(3));
            }
            if bytes.rarely() {
                e.typical = typical.as_ptr();
            }
            if bytes.byte().is_multiple_of(4) {
                e.roots = Some(level);
                (e.root_count, e.root_directions) = (1, directions.as_ptr());
                if bytes.byte().is_multiple_of(2) {
                    e.event = Some(event);
                }
            }
            fourbar_problem_new(&e, &mut out)
        });
        self.problems.keep(out, status);
    }

    fn begin(&mut self, bytes: &mut Bytes) {
        let problem = self.problems.any(bytes);
        let mut y = bytes.numbers(2);
        let mut yp = [y[1], -y[0]];
        // SAFETY: as above.
        unsafe {
            if bytes.rarely() {
                let mut iterations = 0;
                let (y, yp) = (bytes.pointer_mut(&mut y), bytes.pointer_mut(&mut yp));
                check(fourbar_problem_consistent_start(problem, bytes.number(), y, yp, 2, bytes.out(&mut iterations)));
                return;
            }
            let mut options = std::mem::zeroed::<fourbar_integration_options>();
            check(fourbar_integration_options_init(&mut options, size_of::<fourbar_integration_options>()));
            options.integrator = 1 + bytes.choice(6);
            if bytes.rarely() {
                options.relative = bytes.number().abs() * 1e-3;
                options.order_max = bytes.below(14) as u32;
                options.fixed_step = bytes.step();
                options.first_step = bytes.step();
                options.largest_step = bytes.step();
            }
            options.max_steps = 100;
            let mut out = ptr::null_mut();
            let (y, yp) = (bytes.pointer(&y), bytes.pointer(&yp));
            let status = check(fourbar_integration_new(problem, &options, 0.0, y, yp, 2, &mut out));
            self.integrations.keep(out, status);
        }
    }

    fn step(&mut self, bytes: &mut Bytes) {
        let integration = self.integrations.any(bytes);
        let (mut stop, mut time, mut done) = (0, 0.0, 0);
        let y = bytes.numbers(2);
        let mut values = [0.0; ROOM];
        // SAFETY: as above.
        check(unsafe {
            let _ = fourbar_integration_time(integration, &mut time, ptr::null_mut());
            let ahead = time + bytes.step();
            let times = [ahead, ahead + bytes.step(), ahead + 1.0];
            match bytes.below(8) {
                0..=2 => fourbar_integration_step(integration, bytes.out(&mut stop)),
                3..=4 => fourbar_integration_run(integration, ahead, bytes.out(&mut stop)),
                5 => {
                    let (to, length) = (bytes.pointer_mut(&mut values), bytes.length(4));
                    let at = times.as_ptr();
                    fourbar_integration_sample(integration, at, 2, to, length, bytes.out(&mut done), &mut stop)
                }
                6 => {
                    check(fourbar_integration_set_stop_times(integration, times.as_ptr(), bytes.below(4)));
                    fourbar_integration_set_end(integration, bytes.number())
                }
                _ => fourbar_integration_restart(
                    integration,
                    bytes.number(),
                    bytes.pointer(&y),
                    ptr::null(),
                    bytes.length(2),
                ),
            }
        });
    }

    fn read(&mut self, bytes: &mut Bytes) {
        let (integration, state) = (self.integrations.any(bytes), self.states.any(bytes));
        let (mut y, mut yp) = ([0.0; ROOM], [0.0; ROOM]);
        let (mut indices, mut directions, mut count) = ([0; 4], [0; 4], 0);
        // SAFETY: as above.
        unsafe {
            let mut statistics = std::mem::zeroed::<fourbar_solver_statistics>();
            let length = bytes.length(2);
            match bytes.below(7) {
                0 => {
                    let mut out = ptr::null_mut();
                    let status = check(fourbar_integration_save(integration, &mut out));
                    self.states.keep(out, status);
                }
                1 => {
                    check(fourbar_integration_save_into(integration, state));
                }
                2 => {
                    check(fourbar_integration_restore(integration, state));
                }
                3 => ignore(check(fourbar_integration_get_state(
                    integration,
                    bytes.pointer_mut(&mut y),
                    yp.as_mut_ptr(),
                    length,
                ))),
                4 => {
                    let t = bytes.step();
                    ignore(check(fourbar_integration_interpolate(
                        integration,
                        t,
                        y.as_mut_ptr(),
                        yp.as_mut_ptr(),
                        length,
                    )));
                }
                5 => ignore(check(fourbar_integration_get_statistics(
                    integration,
                    &mut statistics,
                    size_of_val(&statistics),
                ))),
                _ => {
                    let (indices, directions) = (indices.as_mut_ptr(), directions.as_mut_ptr());
                    check(fourbar_integration_events(integration, indices, directions, 4, bytes.out(&mut count)));
                }
            }
        }
    }
}
