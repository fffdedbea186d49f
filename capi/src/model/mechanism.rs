//! A compiled mechanism, and what is asked of it.

use std::borrow::Cow;
use std::ffi::c_char;
use std::sync::Arc;

use fourbar::multibody::expression::nearest_name;
use fourbar::multibody::mechanism::ConstraintSet;
use fourbar::simulation::CompiledModel;

use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, handle, view};

use super::joint::choose;

/// A model compiled: equations, start state, contacts, names. It never changes: any number of threads may use it, and any number of
/// simulations on as many threads share it. Functions of the host in it are then called from all of them.
#[allow(non_camel_case_types)]
pub struct fourbar_mechanism {
    pub(crate) compiled: Arc<CompiledModel>,
}

impl fourbar_mechanism {
    pub(super) fn new(compiled: Arc<CompiledModel>) -> Self {
        Self { compiled }
    }
}

/// Figures of a mechanism.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_mechanism_figures {
    /// sizeof(fourbar_mechanism_figures).
    pub struct_size: usize,
    /// Bodies, without the ground.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Motions in force.
    pub motions: usize,
    /// Forces, gravity apart.
    pub forces: usize,
    /// Inputs, those of actuators among them.
    pub inputs: usize,
    /// Measured numbers: a vector counts for its components.
    pub measures: usize,
    /// Contacts.
    pub contacts: usize,
    /// Degrees of freedom at the start, motions counted as constraints.
    pub degrees_of_freedom: usize,
    /// Independent constraint rows.
    pub constraint_rows: usize,
    /// Constraint rows that depend on others and were dropped.
    pub redundant_rows: usize,
    /// Bodies that assembly moved.
    pub moved_bodies: usize,
    /// Iterations of assembly.
    pub assembly_iterations: usize,
    /// Largest violation of a joint or motion as the model puts the bodies \[m, rad\].
    pub violation_before: f64,
    /// The same when assembled.
    pub violation_after: f64,
    /// 1 where the start is a singular position, from which no smooth simulation begins; else 0.
    pub singular_start: i32,
    /// Not used; 0.
    pub reserved: i32,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_mechanism_figures {
    const NAME: &'static str = "fourbar_mechanism_figures";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            bodies: 0,
            joints: 0,
            motions: 0,
            forces: 0,
            inputs: 0,
            measures: 0,
            contacts: 0,
            degrees_of_freedom: 0,
            constraint_rows: 0,
            redundant_rows: 0,
            moved_bodies: 0,
            assembly_iterations: 0,
            violation_before: 0.0,
            violation_after: 0.0,
            singular_start: 0,
            reserved: 0,
        }
    }
}

fn figures(compiled: &CompiledModel) -> fourbar_mechanism_figures {
    let mechanism = compiled.mechanism();
    let assembly = mechanism.assembly();
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    fourbar_mechanism_figures {
        bodies: mechanism.bodies().len(),
        joints: joints(compiled),
        motions: motions(compiled),
        forces: mechanism.force_count(),
        inputs: mechanism.inputs().len(),
        measures: compiled.columns().len(),
        contacts: compiled.contacts().map_or(0, |contacts| contacts.names().len()),
        degrees_of_freedom: mechanism.degrees_of_freedom(),
        constraint_rows: mechanism.row_count(),
        redundant_rows: mechanism.redundancies().len(),
        moved_bodies: assembly.moved.len(),
        assembly_iterations: assembly.iterations,
        violation_before: largest(&mut assembly.closures.iter().map(|closure| closure.before)),
        violation_after: largest(&mut assembly.closures.iter().map(|closure| closure.after)),
        singular_start: i32::from(assembly.singular_start),
        ..fourbar_mechanism_figures::defaults()
    }
}

/// Number of joints, which come before the motions.
fn joints(compiled: &CompiledModel) -> usize {
    compiled.mechanism().constraint_sets().iter().filter(|set| set.joint.is_some()).count()
}

/// Number of motions, which come before couplers, gears and racks.
fn motions(compiled: &CompiledModel) -> usize {
    compiled.mechanism().constraint_sets().iter().filter(|set| set.is_motion()).count()
}

/// The place of a joint, motion or coupler among the constraint sets.
pub(crate) fn set_of(compiled: &CompiledModel, part: i32, index: usize) -> Result<usize, Failure> {
    let joints = joints(compiled);
    let motions = motions(compiled);
    let kind = part_of(part)?;
    let (first, count) = match kind {
        fourbar_part::FOURBAR_PART_JOINT => (0, joints),
        fourbar_part::FOURBAR_PART_MOTION => (joints, motions),
        fourbar_part::FOURBAR_PART_COUPLER => {
            (joints + motions, compiled.mechanism().constraint_sets().iter().filter(|set| set.is_relation()).count())
        }
        _ => {
            let text = format!(
                "part is {part}; reactions are those of FOURBAR_PART_JOINT, FOURBAR_PART_MOTION or FOURBAR_PART_COUPLER"
            );
            return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
        }
    };
    check_index(index, count, plural(kind)).map(|()| first + index)
}

/// Refuses an index beyond the last of the `count` things called `what`.
pub(crate) fn check_index(index: usize, count: usize, what: &str) -> Result<(), Failure> {
    if index < count {
        return Ok(());
    }
    let text = format!("the index is {index}, counted from 0, but the number of {what} is {count}");
    Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
}

/// Figures of the mechanism; `size` is sizeof(fourbar_mechanism_figures).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `mechanism` is NULL or alive; `out` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_get_figures(
    mechanism: *const fourbar_mechanism,
    out: *mut fourbar_mechanism_figures,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(out, size, &figures(&view::reference(mechanism, "mechanism")?.compiled)) })
}

/// Parts of a mechanism that have names.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_part {
    /// Bodies, without the ground.
    FOURBAR_PART_BODY = 1,
    /// Joints.
    FOURBAR_PART_JOINT = 2,
    /// Motions in force.
    FOURBAR_PART_MOTION = 3,
    /// Inputs.
    FOURBAR_PART_INPUT = 4,
    /// Measured numbers.
    FOURBAR_PART_MEASURE = 5,
    /// Contacts.
    FOURBAR_PART_CONTACT = 6,
    /// Constraint rows that were dropped: the joint and what the row keeps.
    FOURBAR_PART_REDUNDANT_ROW = 7,
    /// Bodies that assembly moved.
    FOURBAR_PART_MOVED_BODY = 8,
    /// Couplers, then gears, then racks with pinions.
    FOURBAR_PART_COUPLER = 9,
}

fn part_of(value: i32) -> Result<fourbar_part, Failure> {
    use fourbar_part as P;
    let parts = [
        P::FOURBAR_PART_BODY,
        P::FOURBAR_PART_JOINT,
        P::FOURBAR_PART_MOTION,
        P::FOURBAR_PART_INPUT,
        P::FOURBAR_PART_MEASURE,
        P::FOURBAR_PART_CONTACT,
        P::FOURBAR_PART_REDUNDANT_ROW,
        P::FOURBAR_PART_MOVED_BODY,
        P::FOURBAR_PART_COUPLER,
    ];
    choose("part", "fourbar_part", value, &parts)
}

/// What the parts of a kind are called.
fn plural(part: fourbar_part) -> &'static str {
    match part {
        fourbar_part::FOURBAR_PART_BODY => "bodies",
        fourbar_part::FOURBAR_PART_JOINT => "joints",
        fourbar_part::FOURBAR_PART_MOTION => "motions in force",
        fourbar_part::FOURBAR_PART_INPUT => "inputs",
        fourbar_part::FOURBAR_PART_MEASURE => "measured numbers",
        fourbar_part::FOURBAR_PART_CONTACT => "contacts",
        fourbar_part::FOURBAR_PART_REDUNDANT_ROW => "redundant rows",
        fourbar_part::FOURBAR_PART_MOVED_BODY => "moved bodies",
        fourbar_part::FOURBAR_PART_COUPLER => "couplers, gears, racks, curves and constraints",
    }
}

fn names(compiled: &CompiledModel, part: fourbar_part) -> Vec<Cow<'_, str>> {
    use fourbar_part as P;
    let mechanism = compiled.mechanism();
    let sets = |wanted: fn(&ConstraintSet) -> bool| {
        let sets = mechanism.constraint_sets().iter().filter(move |set| wanted(set));
        sets.map(|set| Cow::from(&set.name)).collect()
    };
    match part {
        P::FOURBAR_PART_BODY => mechanism.bodies().iter().map(|body| Cow::from(&body.name)).collect(),
        P::FOURBAR_PART_JOINT => sets(|set| set.joint.is_some()),
        P::FOURBAR_PART_MOTION => sets(ConstraintSet::is_motion),
        P::FOURBAR_PART_INPUT => mechanism.inputs().iter().map(|input| Cow::from(&input.name)).collect(),
        P::FOURBAR_PART_MEASURE => compiled.columns().iter().map(|column| Cow::from(&column.name)).collect(),
        P::FOURBAR_PART_CONTACT => {
            compiled.contacts().map_or(Vec::new(), |contacts| contacts.names().iter().map(Cow::from).collect())
        }
        P::FOURBAR_PART_REDUNDANT_ROW => {
            mechanism.redundancies().iter().map(|row| Cow::from(format!("{} ({})", row.joint, row.row))).collect()
        }
        P::FOURBAR_PART_COUPLER => sets(ConstraintSet::is_relation),
        P::FOURBAR_PART_MOVED_BODY => mechanism.assembly().moved.iter().map(|moved| Cow::from(&moved.body)).collect(),
    }
}

/// The place of a name.
pub(crate) fn place(compiled: &CompiledModel, part: fourbar_part, what: &str, name: &str) -> Result<usize, Failure> {
    let known = names(compiled, part);
    known.iter().position(|known| *known == name).ok_or_else(|| {
        let near = nearest_name(name, known.iter().map(|known| &**known));
        let remedy = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
        Failure::new(fourbar_status::FOURBAR_NO_SUCH_NAME, format!("the mechanism has no {what} \"{name}\"{remedy}"))
    })
}

/// The name of a part of the mechanism: `part` is a value of `fourbar_part`, `index` counts from 0. The text with its NUL goes to `buffer` of `size`
/// bytes, the bytes that it needs to `needed` (may be NULL); with `size` 0, `buffer` may be NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for an unknown part or an index beyond the last; `FOURBAR_LENGTH` for a buffer that is too short.
///
/// # Safety
/// `mechanism` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_name(
    mechanism: *const fourbar_mechanism,
    part: i32,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let part = part_of(part)?;
        let names = names(&view::reference(mechanism, "mechanism")?.compiled, part);
        check_index(index, names.len(), plural(part))?;
        view::copy_text(&names[index], buffer, size, needed)
    })
}

/// The unit of an input or a measured number, empty for a bare number; buffers as for `fourbar_mechanism_name`.
///
/// Errors: as `fourbar_mechanism_name`; `FOURBAR_UNSUPPORTED` for parts without a unit.
///
/// # Safety
/// As `fourbar_mechanism_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_unit(
    mechanism: *const fourbar_mechanism,
    part: i32,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let compiled = &view::reference(mechanism, "mechanism")?.compiled;
        let part = part_of(part)?;
        check_index(index, names(compiled, part).len(), plural(part))?;
        let unit = match part {
            fourbar_part::FOURBAR_PART_INPUT => &compiled.mechanism().inputs()[index].unit,
            fourbar_part::FOURBAR_PART_MEASURE => &compiled.columns()[index].unit,
            _ => {
                let text = "only inputs and measures have units";
                return Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text));
            }
        };
        view::copy_text(unit, buffer, size, needed)
    })
}

/// The index of the part of that name, which the functions of simulations take.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown part, `FOURBAR_NO_SUCH_NAME` with the nearest name.
///
/// # Safety
/// `mechanism` is NULL or alive; `name` is NULL or ends with a NUL; `index` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_find(
    mechanism: *const fourbar_mechanism,
    part: i32,
    name: *const c_char,
    index: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let compiled = &view::reference(mechanism, "mechanism")?.compiled;
        let place = place(compiled, part_of(part)?, "part", view::text(name, "name")?)?;
        view::write(index, place, "index")
    })
}

/// Frees a mechanism; simulations of it live on. NULL is allowed.
///
/// # Safety
/// `mechanism` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_free(mechanism: *mut fourbar_mechanism) {
    // SAFETY: by contract.
    unsafe { handle::free(mechanism) }
}
