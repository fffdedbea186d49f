//! Co-simulation with partners of the host.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use fourbar_capi::coupling::building::*;
use fourbar_capi::coupling::faults::*;
use fourbar_capi::coupling::options::*;
use fourbar_capi::coupling::parameters::*;
use fourbar_capi::coupling::partner::*;
use fourbar_capi::coupling::running::*;
use fourbar_capi::coupling::values::*;

use super::{Bytes, Handles, ROOM, check};

const PARTNERS: [&CStr; 4] = [c"one", c"two", c"three", c"a.b"];
const ENDS: [&CStr; 8] = [c"one.x", c"one.F", c"two.x", c"two.F", c"three.x", c"one", c"one.nothing", c"one.x.y"];

/// The structs of fourbar_partner.h, as that header lays them out.
#[repr(C)]
struct Variable {
    struct_size: usize,
    name: *const c_char,
    unit: *const c_char,
    start: f64,
    nominal: f64,
    feedthrough: *const u32,
    feedthrough_count: u32,
    causality: i32,
}

#[repr(C)]
struct Description {
    struct_size: usize,
    version: u32,
    capabilities: u32,
    input_order: u32,
    variable_count: u32,
    variables: *const Variable,
    solver_step: f64,
}

#[repr(C)]
struct Data {
    struct_size: usize,
    time: f64,
    step: f64,
    inputs: *const f64,
    input_rates: *const f64,
    input_curvatures: *const f64,
    reached: f64,
    outputs: *mut f64,
    output_rates: *mut f64,
}

unsafe extern "C" fn exchange(instance: *mut c_void, data: *mut fourbar_partner_data, _: *mut c_char, _: usize) -> i32 {
    let behaviour = instance as usize;
    // SAFETY: one input and one output.
    unsafe {
        let data = &mut *data.cast::<Data>();
        let late = data.time > 0.03;
        *data.outputs = if behaviour == 2 && late { f64::NAN } else { 0.5 * *data.inputs };
        data.reached = data.time + data.step * if behaviour == 3 && late { 0.5 } else { 1.0 };
        i32::from(behaviour == 4 && late)
    }
}

unsafe extern "C" fn state(_: *mut c_void, _: i32, _: *mut c_void, size: *mut usize, _: *mut c_char, _: usize) -> i32 {
    // SAFETY: valid.
    unsafe { *size = 0 };
    0
}

pub struct World {
    couplings: Handles<fourbar_coupling>,
}

impl World {
    pub fn new() -> Self {
        Self { couplings: Handles::new(fourbar_coupling_free) }
    }

    pub fn call(&mut self, bytes: &mut Bytes) {
        match bytes.below(20) {
            0..=1 => self.make(bytes),
            2..=5 => self.add(bytes),
            6..=8 => self.connect(bytes),
            9..=13 => self.run(bytes),
            14..=18 => self.read(bytes),
            _ => self.couplings.drop_any(bytes),
        }
    }

    fn make(&mut self, bytes: &mut Bytes) {
        let mut out = ptr::null_mut();
        // SAFETY: the struct has its size.
        let status = check(unsafe {
            let mut options = std::mem::zeroed::<fourbar_coupling_options>();
            check(fourbar_coupling_options_init(&mut options, size_of::<fourbar_coupling_options>()));
            options.algorithm = 1 + bytes.choice(3);
            options.order = bytes.below(4) as u32;
            let step = bytes.number();
            // Steps that are right, but too many, are not what is looked for.
            options.step = if bytes.rarely() && !(step > 0.0 && step < 1e-3) { step } else { 0.01 };
            options.end = if bytes.rarely() { bytes.number() } else { 0.1 };
            options.acceleration = bytes.choice(2);
            options.max_sweeps = bytes.below(8) as u32;
            options.solve_loops = bytes.choice(1);
            fourbar_coupling_new(&options, &mut out)
        });
        self.couplings.keep(out, status);
    }

    fn add(&mut self, bytes: &mut Bytes) {
        let variable = |name: &'static CStr, causality| Variable {
            struct_size: size_of::<Variable>(),
            name: name.as_ptr(),
            unit: c"N".as_ptr(),
            start: 1.0,
            nominal: 1.0,
            feedthrough: &0,
            feedthrough_count: if causality == 2 { 1 } else { 0 },
            causality,
        };
        let variables = [variable(c"x", 1), variable(c"F", 2)];
        let description = Description {
            struct_size: size_of::<Description>(),
            version: 1 + u32::from(bytes.rarely()),
            capabilities: 1,
            input_order: bytes.below(3) as u32,
            variable_count: 2,
            variables: variables.as_ptr(),
            solver_step: 0.0,
        };
        let coupling = self.couplings.any(bytes);
        // SAFETY: the tables are as the header says, and copied.
        check(unsafe {
            let mut table = std::mem::zeroed::<fourbar_partner_functions>();
            check(fourbar_partner_functions_init(&mut table, size_of::<fourbar_partner_functions>()));
            table.description = ptr::from_ref(&description).cast();
            table.user = (1 + bytes.below(4)) as *mut c_void;
            table.exchange = if bytes.rarely() { None } else { Some(exchange) };
            table.state = if bytes.rarely() { None } else { Some(state) };
            fourbar_coupling_add_functions(coupling, bytes.text(&PARTNERS), &table, ptr::null())
        });
    }

    fn connect(&mut self, bytes: &mut Bytes) {
        let coupling = self.couplings.any(bytes);
        // SAFETY: texts end with a NUL.
        check(unsafe {
            if bytes.rarely() {
                let (class, level) = (bytes.choice(8), bytes.choice(7));
                check(fourbar_coupling_set_fault_level(coupling, class, level, bytes.below(4) as u32));
            }
            fourbar_coupling_connect(coupling, bytes.text(&ENDS), bytes.text(&ENDS), bytes.number(), bytes.number())
        });
    }

    fn run(&mut self, bytes: &mut Bytes) {
        let coupling = self.couplings.any(bytes);
        let mut state = 0;
        // SAFETY: as above.
        check(unsafe {
            match bytes.below(4) {
                0 => fourbar_coupling_start(coupling),
                1..=2 => fourbar_coupling_step(coupling, bytes.out(&mut state)),
                _ => fourbar_coupling_run_to(coupling, bytes.step(), bytes.out(&mut state)),
            }
        });
    }

    fn read(&mut self, bytes: &mut Bytes) {
        let coupling = self.couplings.any(bytes);
        let (mut number, mut inputs, mut outputs, mut needed, mut flag) = (0.0, 0, 0, 0, 0);
        let (mut text, mut values) = ([0; 64], [0.0; ROOM]);
        let (size, at) = (bytes.below(65), bytes.below(4));
        let buffer = text.as_mut_ptr();
        // SAFETY: as above.
        check(unsafe {
            match bytes.below(12) {
                0 => fourbar_coupling_get_output(coupling, bytes.text(&ENDS), bytes.out(&mut number)),
                1 => fourbar_coupling_set_input(coupling, bytes.text(&ENDS), bytes.number()),
                2 => fourbar_coupling_counts(coupling, bytes.out(&mut outputs), bytes.out(&mut inputs)),
                3 => fourbar_coupling_output_name(coupling, at, buffer, size, bytes.out(&mut needed)),
                4 => fourbar_coupling_input_name(coupling, at, buffer, size, bytes.out(&mut needed)),
                5 => fourbar_coupling_unit(coupling, bytes.text(&ENDS), buffer, size, bytes.out(&mut needed)),
                6 => fourbar_coupling_get_outputs(coupling, bytes.pointer_mut(&mut values), at),
                7 => fourbar_coupling_time(coupling, bytes.out(&mut number), bytes.out(&mut flag)),
                10 => fourbar_coupling_set_parameter(coupling, bytes.text(&ENDS), bytes.number()),
                11 => fourbar_coupling_parameter_name(coupling, at, buffer, size, bytes.out(&mut needed)),
                8 => {
                    let (level, time) = (bytes.out(&mut flag), bytes.out(&mut number));
                    let mut handling = 0;
                    fourbar_coupling_fault(
                        coupling,
                        at,
                        level,
                        &mut handling,
                        time,
                        buffer,
                        size,
                        bytes.out(&mut needed),
                    )
                }
                _ => {
                    let mut statistics = std::mem::zeroed::<fourbar_coupling_statistics>();
                    fourbar_coupling_get_statistics(coupling, &mut statistics, size_of_val(&statistics))
                }
            }
        });
    }
}
