//! Complementarity problems and friction.

use std::ffi::CStr;
use std::ptr;

use fourbar_capi::contact::global::*;
use fourbar_capi::contact::options::*;
use fourbar_capi::contact::polyhedral::*;
use fourbar_capi::contact::problem::*;
use fourbar_capi::contact::result::*;
use fourbar_capi::contact::solver::*;

use super::{Bytes, Handles, ROOM, check, ignore};

const JSON: [&CStr; 4] = [
    c"{\"m\": [[2.0, 1.0], [1.0, 2.0]], \"q\": [-5.0, -6.0]}",
    c"{\"m\": [[1.0]], \"q\": [1.0, 2.0]}",
    c"{",
    c"[1, 2]",
];

pub struct World {
    problems: Handles<fourbar_contact_problem>,
    solvers: Handles<fourbar_contact_solver>,
}

impl World {
    pub fn new() -> Self {
        Self {
            problems: Handles::new(fourbar_contact_problem_free),
            solvers: Handles::new(fourbar_contact_solver_free),
        }
    }

    pub fn call(&mut self, bytes: &mut Bytes) {
        match bytes.below(12) {
            0..=3 => self.pose(bytes),
            4 => self.solver(bytes),
            5..=7 => self.solve(bytes),
            8..=10 => self.read(bytes),
            _ if bytes.byte().is_multiple_of(2) => self.problems.drop_any(bytes),
            _ => self.solvers.drop_any(bytes),
        }
    }

    fn pose(&mut self, bytes: &mut Bytes) {
        let mut out = ptr::null_mut();
        let n = bytes.below(6);
        let (mut m, q) = (bytes.numbers(n * n), bytes.numbers(n.max(6)));
        // Mostly with a diagonal that makes a solution likely.
        if !bytes.rarely() {
            (0..n).for_each(|i| m[i * n + i] = 6.0);
        }
        // SAFETY: arrays have room for what is said; n is at most 6.
        let status = check(unsafe {
            match bytes.below(6) {
                0..=1 => fourbar_lcp_new(n, bytes.pointer(&m), bytes.pointer(&q), &mut out),
                2 => {
                    let f = bytes.below(3);
                    let (b, c) = (bytes.numbers(f * n), bytes.numbers(n * f));
                    let a = bytes.numbers(f * f);
                    let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_ptr());
                    fourbar_mixed_lcp_new(f, n, a, b, c, bytes.pointer(&m), q.as_ptr(), bytes.pointer(&q), &mut out)
                }
                3 => {
                    let rows = [3, if bytes.rarely() { 2 } else { 3 }];
                    let mu = bytes.numbers(2).map(f64::abs);
                    let mut w = [0.0; ROOM];
                    (0..6).for_each(|i| w[i * 6 + i] = 1.0 + bytes.number().abs().min(10.0));
                    let (rows, mu) = (rows.as_ptr(), bytes.pointer(&mu));
                    fourbar_friction_new(
                        2,
                        rows,
                        mu,
                        ptr::null(),
                        ptr::null(),
                        6,
                        bytes.pointer(&w),
                        q.as_ptr(),
                        &mut out,
                    )
                }
                4 => global(bytes, &mut out),
                _ => fourbar_contact_problem_from_json(bytes.choice(5), bytes.text(&JSON), &mut out),
            }
        });
        self.problems.keep(out, status);
    }

    fn solver(&mut self, bytes: &mut Bytes) {
        let mut out = ptr::null_mut();
        // SAFETY: the struct has its size.
        let status = check(unsafe {
            let mut options = std::mem::zeroed::<fourbar_contact_options>();
            check(fourbar_contact_options_init(&mut options, size_of::<fourbar_contact_options>()));
            options.method = bytes.choice(10);
            if bytes.rarely() {
                options.tolerance = bytes.number();
                options.relaxation = bytes.number();
            }
            options.max_iterations = bytes.below(50) as u32;
            let given = if bytes.rarely() { ptr::null() } else { ptr::from_ref(&options) };
            fourbar_contact_solver_new(given, &mut out)
        });
        self.solvers.keep(out, status);
    }

    fn solve(&mut self, bytes: &mut Bytes) {
        let start = bytes.numbers(6);
        let (solver, problem) = (self.solvers.any(bytes), self.problems.any(bytes));
        let from = if bytes.rarely() { start.as_ptr() } else { ptr::null() };
        // SAFETY: as above.
        check(unsafe {
            fourbar_contact_solver_solve(solver, problem, from, if from.is_null() { 0 } else { bytes.below(7) })
        });
    }

    fn read(&mut self, bytes: &mut Bytes) {
        let (solver, problem) = (self.solvers.any(bytes), self.problems.any(bytes));
        let (mut z, mut w, mut u) = ([0.0; ROOM], [0.0; ROOM], [0.0; ROOM]);
        let (mut kind, mut free, mut rows, mut iterations, mut residual) = (0, 0, 0, 0, 0.0);
        let mut text = [0; 512];
        // SAFETY: as above.
        unsafe {
            let _ = fourbar_contact_problem_size(problem, &mut kind, &mut free, &mut rows);
            let (length, directions) = (bytes.length(rows), bytes.below(9) as u32);
            match bytes.below(8) {
                0 => {
                    let mut result = std::mem::zeroed::<fourbar_contact_result>();
                    check(fourbar_contact_solver_result(solver, &mut result, size_of_val(&result)));
                }
                1..=2 => {
                    let (z, w) = (bytes.pointer_mut(&mut z), bytes.pointer_mut(&mut w));
                    check(fourbar_contact_solver_get(solver, z, w, length, u.as_mut_ptr(), bytes.length(free)));
                }
                3 => {
                    check(fourbar_contact_solver_get_bilateral(solver, z.as_mut_ptr(), bytes.below(4)));
                }
                4 => {
                    check(fourbar_contact_solver_get_certificate(solver, z.as_mut_ptr(), length));
                }
                5 => {
                    let (method, status) = (&mut kind, bytes.out(&mut iterations));
                    let mut ended = 0;
                    ignore(check(fourbar_contact_solver_attempt(
                        solver,
                        length,
                        method,
                        &mut ended,
                        status,
                        &mut residual,
                    )));
                }
                6 => {
                    let mut needed = 0;
                    let size = bytes.below(256);
                    ignore(check(fourbar_contact_problem_to_json(
                        problem,
                        text.as_mut_ptr(),
                        size,
                        bytes.out(&mut needed),
                    )));
                }
                _ => {
                    let mut out = ptr::null_mut();
                    let status = check(fourbar_friction_polyhedral(problem, directions, &mut out));
                    self.problems.keep(out, status);
                }
            }
        }
    }
}

/// One free body on the ground, with three rows of contact.
unsafe fn global(
    bytes: &mut Bytes,
    out: *mut *mut fourbar_contact_problem,
) -> fourbar_capi::abi::status::fourbar_status {
    // SAFETY: plain numbers; the arrays have one entry each.
    unsafe {
        let mut body = std::mem::zeroed::<fourbar_free_body>();
        body.inverse_mass = bytes.number();
        (0..3).for_each(|i| body.inverse_inertia[4 * i] = 1.0);
        body.velocity.fill_with(|| bytes.number());
        let mut contact = std::mem::zeroed::<fourbar_global_contact>();
        contact.bodies = [0, if bytes.rarely() { 3 } else { 1 }];
        contact.mu = bytes.number();
        contact.count = if bytes.rarely() { 2 } else { 3 };
        (0..3).for_each(|i| contact.rows[i][i] = 1.0);
        fourbar_global_friction_new(&body, 1, &contact, 1, ptr::null(), 0, out)
    }
}
