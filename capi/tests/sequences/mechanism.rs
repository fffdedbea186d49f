//! Models, mechanisms and simulations.

use std::ffi::{CStr, c_void};
use std::ptr;

use fourbar_capi::model::compile::*;
use fourbar_capi::model::contact::*;
use fourbar_capi::model::element::*;
use fourbar_capi::model::force::*;
use fourbar_capi::model::joint::*;
use fourbar_capi::model::kinematics::*;
use fourbar_capi::model::measure::*;
use fourbar_capi::model::mechanism::*;
use fourbar_capi::model::model::*;
use fourbar_capi::simulation::analysis::*;
use fourbar_capi::simulation::event::*;
use fourbar_capi::simulation::input::*;
use fourbar_capi::simulation::options::*;
use fourbar_capi::simulation::reading::*;
use fourbar_capi::simulation::saving::*;
use fourbar_capi::simulation::simulation::*;
use fourbar_capi::simulation::statistics::*;

use super::{Bytes, Handles, ROOM, check, ignore};

const TEXTS: [&CStr; 5] = [
    c"[[body]]\nname = \"rod\"\nmass = 1\ninertia = [1e-3, 0.2, 0.2]\ncenter_of_mass = [0.7, 0, 0]\n[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\ni = \"rod\"\nj = \"ground\"\n[[measure]]\nname = \"angle\"\ntype = \"angle\"\ni = \"rod\"\n",
    c"gravity = [0, 0, -10]\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [0, 0, 1]\n[[contact]]\nname = \"floor\"\ntype = \"sphere_plane\"\ni = \"ball\"\nradius = 0.1\nrestitution = 0.5\nfriction = 0.3\n",
    c"[[body]]\nname = \"mass\"\nmass = -1\n",
    c"not TOML [",
    c"[[motion]]\nname = \"drive\"\njoint = \"pivot\"\ndisplacement = \"time\"\n",
];

const NAMES: [&CStr; 8] = [c"rod", c"ball", c"pivot", c"ground", c"angle", c"u", c"rood", c"\xff"];

const EXPRESSIONS: [&CStr; 5] = [c"sin(time)", c"u", c"1/0", c"angle", c"(("];

pub struct World {
    models: Handles<fourbar_model>,
    mechanisms: Handles<fourbar_mechanism>,
    simulations: Handles<fourbar_simulation>,
    states: Handles<fourbar_simulation_state>,
    systems: Handles<fourbar_capi::lti::system::fourbar_system>,
}

unsafe extern "C" fn motion(user: *mut c_void, time: f64, value: *mut f64) -> i32 {
    let behaviour = user as usize;
    // SAFETY: three values.
    let value = unsafe { std::slice::from_raw_parts_mut(value, 3) };
    value.copy_from_slice(&[time.sin(), time.cos(), -time.sin()]);
    if behaviour == 1 {
        value[1] = f64::NAN;
    }
    if behaviour == 2 && time > 0.05 { -1 } else { 0 }
}

unsafe extern "C" fn force(user: *mut c_void, _: f64, arguments: *const f64, count: usize, value: *mut f64) -> i32 {
    let behaviour = user as usize;
    // SAFETY: at least one value, `count` arguments.
    unsafe {
        let sum: f64 = (0..count).map(|i| *arguments.add(i)).sum();
        *value = if behaviour == 1 { f64::NAN } else { -sum };
    }
    if behaviour == 2 { 1 } else { 0 }
}

impl World {
    pub fn new() -> Self {
        Self {
            models: Handles::new(fourbar_model_free),
            mechanisms: Handles::new(fourbar_mechanism_free),
            simulations: Handles::new(fourbar_simulation_free),
            states: Handles::new(fourbar_simulation_state_free),
            systems: Handles::new(fourbar_capi::lti::system::fourbar_system_free),
        }
    }

    pub fn call(&mut self, bytes: &mut Bytes) {
        match bytes.below(24) {
            0..=2 => self.make(bytes),
            3..=6 => self.build(bytes),
            7..=9 => self.begin(bytes),
            10..=15 => self.advance(bytes),
            16..=19 => self.read(bytes),
            20..=21 => self.save(bytes),
            22 => self.look(bytes),
            _ => match bytes.below(5) {
                0 => self.models.drop_any(bytes),
                1 => self.mechanisms.drop_any(bytes),
                2 => self.simulations.drop_any(bytes),
                3 => self.states.drop_any(bytes),
                _ => self.systems.drop_any(bytes),
            },
        }
    }

    fn make(&mut self, bytes: &mut Bytes) {
        let mut out = ptr::null_mut();
        let text = TEXTS[bytes.below(TEXTS.len())];
        let length = if bytes.rarely() { bytes.below(text.count_bytes()) } else { text.count_bytes() };
        // SAFETY: the text has that length.
        let status = check(unsafe {
            if bytes.rarely() {
                fourbar_model_new(&mut out)
            } else {
                fourbar_model_from_toml(text.as_ptr(), length, bytes.text(&NAMES), &mut out)
            }
        });
        self.models.keep(out, status);
    }

    fn build(&mut self, bytes: &mut Bytes) {
        let model = self.models.any(bytes);
        let values = bytes.numbers(7);
        let [first, second, third] = [(); 3].map(|()| bytes.text(&NAMES));
        let names = [first, second];
        let user = bytes.below(3) as *mut c_void;
        // SAFETY: texts end with a NUL, arrays have room, structs their sizes.
        check(unsafe {
            match bytes.below(13) {
                0 => {
                    let mut body = std::mem::zeroed::<fourbar_body>();
                    check(fourbar_body_init(&mut body, size_of::<fourbar_body>()));
                    (body.name, body.mass) = (first, bytes.number());
                    body.inertia.copy_from_slice(&values[..6]);
                    body.exact = bytes.below(40) as u32;
                    fourbar_model_add_body(model, &body)
                }
                1 => fourbar_model_add_marker(model, first, second, bytes.pointer(&values), bytes.pointer(&values), 1),
                2 => fourbar_model_add_joint(model, first, bytes.choice(13), second, third, bytes.number()),
                3 => {
                    let mut given = std::mem::zeroed::<fourbar_force>();
                    check(fourbar_force_init(&mut given, size_of::<fourbar_force>()));
                    (given.name, given.kind, given.i, given.j) = (first, bytes.choice(6), second, third);
                    let count = if bytes.rarely() { 3 } else { 1 };
                    given.value[..count].fill_with(|| bytes.text(&EXPRESSIONS));
                    (given.stiffness, given.damping) = (bytes.number(), bytes.number());
                    fourbar_model_add_force(model, &given)
                }
                11 => {
                    let mut given = std::mem::zeroed::<fourbar_pair>();
                    check(fourbar_pair_init(&mut given, size_of::<fourbar_pair>()));
                    (given.name, given.kind, given.i, given.j) = (first, bytes.choice(7), second, third);
                    (given.restitution, given.friction, given.offset) =
                        (bytes.number(), bytes.number(), bytes.number());
                    (given.radius_i, given.radius_j, given.length) = (bytes.number(), bytes.number(), bytes.number());
                    (given.lower, given.upper) = (bytes.number(), bytes.number());
                    given.size.copy_from_slice(&values[..3]);
                    fourbar_model_add_pair(model, &given)
                }
                4 => {
                    let mut given = std::mem::zeroed::<fourbar_motion>();
                    check(fourbar_motion_init(&mut given, size_of::<fourbar_motion>()));
                    (given.name, given.joint) = (first, second);
                    (given.direction, given.law) = (bytes.choice(2), bytes.choice(3));
                    given.expression = bytes.text(&EXPRESSIONS);
                    fourbar_model_add_motion(model, &given)
                }
                5 => {
                    let mut given = std::mem::zeroed::<fourbar_measure>();
                    check(fourbar_measure_init(&mut given, size_of::<fourbar_measure>()));
                    (given.name, given.kind, given.component) = (first, bytes.choice(21), bytes.choice(4));
                    (given.i, given.j, given.owner) = (second, third, bytes.text(&NAMES));
                    given.expression = bytes.text(&EXPRESSIONS);
                    fourbar_model_add_measure(model, &given)
                }
                6 => fourbar_model_add_input(model, first, second, bytes.number()),
                7 => fourbar_model_add_actuator(
                    model,
                    first,
                    second,
                    third,
                    bytes.choice(1),
                    bytes.number(),
                    ptr::null(),
                ),
                8 => fourbar_model_set_gravity(model, bytes.pointer(&values)),
                9 => fourbar_model_set_parameter(model, first, bytes.number()),
                10 => fourbar_model_set_force_function(
                    model,
                    first,
                    names.as_ptr(),
                    bytes.below(3),
                    Some(force),
                    None,
                    user,
                ),
                _ => fourbar_model_set_motion_function(model, first, Some(motion), user),
            }
        });
    }

    fn begin(&mut self, bytes: &mut Bytes) {
        // SAFETY: handles are NULL or alive, the struct has its size.
        unsafe {
            if bytes.byte().is_multiple_of(2) {
                let mut out = ptr::null_mut();
                let status = check(fourbar_model_compile(self.models.any(bytes), &mut out));
                self.mechanisms.keep(out, status);
                return;
            }
            let mut options = std::mem::zeroed::<fourbar_simulation_options>();
            check(fourbar_simulation_options_init(&mut options, size_of::<fourbar_simulation_options>()));
            if bytes.rarely() {
                options.integrator = bytes.choice(6);
                options.formulation = bytes.choice(2);
                options.following = bytes.choice(4);
                options.tolerance = bytes.number().abs() * 1e-4;
                options.fixed_step = bytes.step();
            }
            // Whatever the model is, a sequence ends.
            options.max_steps = 200;
            let mut out = ptr::null_mut();
            let status = check(fourbar_simulation_new(self.mechanisms.any(bytes), &options, &mut out));
            self.simulations.keep(out, status);
        }
    }

    fn advance(&mut self, bytes: &mut Bytes) {
        let simulation = self.simulations.any(bytes);
        let mut progress = 0;
        let mut values = bytes.numbers(6);
        let mut time = 0.0;
        // SAFETY: handles are NULL or alive, arrays have room.
        check(unsafe {
            let _ = fourbar_simulation_time(simulation, &mut time, ptr::null_mut());
            match bytes.below(8) {
                0..=2 => fourbar_simulation_step(simulation, bytes.step()),
                3 => fourbar_simulation_step_to(simulation, time + bytes.step()),
                4..=5 => fourbar_simulation_advance(simulation, time + bytes.step(), bytes.out(&mut progress)),
                6 => fourbar_simulation_set_input(simulation, bytes.text(&NAMES), bytes.number(), bytes.number()),
                _ => fourbar_simulation_set_inputs(simulation, bytes.pointer_mut(&mut values), bytes.below(7)),
            }
        });
    }

    fn read(&mut self, bytes: &mut Bytes) {
        let simulation = self.simulations.any(bytes);
        let mut values = [0.0; ROOM];
        let (mut length, mut number, mut flag) = (0, 0.0, 0);
        let mut text = [0; 64];
        let at = bytes.below(3);
        // SAFETY: as above; structs of their sizes.
        check(unsafe {
            let mut body = std::mem::zeroed::<fourbar_body_state>();
            let mut event = std::mem::zeroed::<fourbar_contact_event>();
            let mut statistics = std::mem::zeroed::<fourbar_simulation_statistics>();
            match bytes.below(12) {
                0 => fourbar_simulation_measures(simulation, bytes.pointer_mut(&mut values), bytes.below(4)),
                1 => fourbar_simulation_measure(simulation, bytes.text(&NAMES), bytes.out(&mut number)),
                2 => fourbar_simulation_body(simulation, at, &mut body, size_of_val(&body)),
                3 => fourbar_simulation_reaction(simulation, bytes.choice(8), at, values.as_mut_ptr()),
                4 => fourbar_simulation_event_count(simulation, bytes.out(&mut length)),
                5 => fourbar_simulation_event(simulation, at, &mut event, size_of_val(&event)),
                6 => fourbar_simulation_event_text(simulation, at, text.as_mut_ptr(), bytes.below(65), &mut length),
                7 => fourbar_simulation_get_statistics(simulation, &mut statistics, size_of_val(&statistics)),
                8 => fourbar_simulation_clear_events(simulation),
                9 => fourbar_simulation_inputs(simulation, bytes.pointer_mut(&mut values), bytes.below(7)),
                10 => fourbar_simulation_find_equilibrium(simulation, bytes.out(&mut number), bytes.out(&mut flag)),
                _ => {
                    let mut out = ptr::null_mut();
                    let status = fourbar_simulation_linearize(simulation, ptr::null_mut(), 0, &mut length, &mut out);
                    self.systems.keep(out, status);
                    status
                }
            }
        });
    }

    fn save(&mut self, bytes: &mut Bytes) {
        let simulation = self.simulations.any(bytes);
        let mut values = bytes.numbers(26);
        let mut length = 0;
        // SAFETY: as above.
        unsafe {
            let _ = fourbar_simulation_state_length(simulation, &mut length);
            let length = bytes.length(length);
            match bytes.below(6) {
                0 => {
                    let mut out = ptr::null_mut();
                    let status = check(fourbar_simulation_save(simulation, &mut out));
                    self.states.keep(out, status);
                }
                1 => {
                    check(fourbar_simulation_restore(simulation, self.states.any(bytes)));
                }
                2 => {
                    check(fourbar_simulation_get_state(simulation, bytes.pointer_mut(&mut values), length));
                }
                3 | 4 => self.through_bytes(bytes),
                _ => ignore(check(fourbar_simulation_set_state(
                    simulation,
                    bytes.number(),
                    bytes.pointer(&values),
                    length,
                ))),
            }
        }
    }

    /// A checkpoint written, perhaps damaged, and read by any simulation.
    fn through_bytes(&mut self, bytes: &mut Bytes) {
        let (simulation, reader) = (self.simulations.any(bytes), self.simulations.any(bytes));
        let mut point = vec![0_u8; 1 << 16];
        let (mut length, mut out) = (0, ptr::null_mut());
        // SAFETY: handles are NULL or alive, the buffer has its length.
        unsafe {
            let saved = self.states.any(bytes);
            check(fourbar_simulation_state_to_bytes(simulation, saved, point.as_mut_ptr(), point.len(), &mut length));
            point.truncate(length);
            if bytes.rarely() && !point.is_empty() {
                let at = bytes.below(point.len());
                point[at] ^= bytes.byte();
            }
            let status = fourbar_simulation_state_from_bytes(reader, point.as_ptr(), point.len(), &mut out);
            self.states.keep(out, check(status));
        }
    }

    fn look(&mut self, bytes: &mut Bytes) {
        let mechanism = self.mechanisms.any(bytes);
        let mut text = [0; 64];
        let mut needed = 0;
        let times = bytes.numbers(3);
        let mut values = [0.0; ROOM];
        // SAFETY: as above.
        check(unsafe {
            let mut figures = std::mem::zeroed::<fourbar_mechanism_figures>();
            let (part, at, size) = (bytes.choice(8), bytes.below(3), bytes.below(65));
            match bytes.below(5) {
                0 => fourbar_mechanism_get_figures(mechanism, &mut figures, size_of_val(&figures)),
                1 => fourbar_mechanism_name(mechanism, part, at, text.as_mut_ptr(), size, bytes.out(&mut needed)),
                2 => fourbar_mechanism_unit(mechanism, part, at, text.as_mut_ptr(), size, bytes.out(&mut needed)),
                3 => fourbar_mechanism_find(mechanism, part, bytes.text(&NAMES), bytes.out(&mut needed)),
                _ => fourbar_mechanism_kinematics(
                    mechanism,
                    times.as_ptr(),
                    3,
                    bytes.pointer_mut(&mut values),
                    bytes.below(7),
                ),
            }
        });
    }
}
