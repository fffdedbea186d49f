//! Equations taken over from the host: checked, copied, with what follows from them.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use fourbar::dae::{EvalError, Kind, Unknown};
use fourbar::linalg::checkpoint::Fingerprint;
use fourbar::multibody::formulation::kinds;

use super::equations::{KINDS, fourbar_equations};
use super::pattern::Pattern;
use crate::abi::callback::{self, User};
use crate::abi::error::Failure;
use crate::abi::memory;
use crate::abi::status::fourbar_status as Status;
use crate::abi::view;
use crate::equations::open::Taken;
use crate::model::failure;

type Residual = unsafe extern "C" fn(*mut c_void, f64, *const f64, *const f64, *mut f64) -> i32;
pub(super) type Rhs = unsafe extern "C" fn(*mut c_void, f64, *const f64, *mut f64) -> i32;
type Jacobian = unsafe extern "C" fn(*mut c_void, f64, *const f64, *const f64, f64, *mut f64) -> i32;
type Event =
    unsafe extern "C" fn(*mut c_void, f64, *mut f64, *mut f64, *const usize, *const i32, usize, *mut i32) -> i32;

/// Most root functions: their directions, where none are given, take memory before anything else could be wrong with the number.
const MOST_ROOTS: usize = 1 << 20;

/// Numbers for each unknown that an integration needs besides its matrix.
const PER_UNKNOWN: usize = 32;

/// In which form the equations are given.
pub(super) enum Form {
    Residual(Residual),
    Rhs(Rhs),
    /// Those of a compiled mechanism.
    Mechanism(Taken),
}

/// What never changes about a problem.
pub(super) struct Table {
    pub(super) user: User,
    pub(super) form: Form,
    pub(super) jacobian: Option<Jacobian>,
    /// That of the host; the full one where it gives none, once a method asks for it.
    pattern: OnceLock<Arc<Pattern>>,
    /// Whether it is that of the host.
    patterned: bool,
    pub(super) unknowns: Vec<Unknown>,
    pub(super) names: Vec<String>,
    pub(super) roots: Option<Residual>,
    /// One for each root function.
    pub(super) directions: Vec<i32>,
    pub(super) event: Option<Event>,
}

/// What a returned number means.
pub(super) fn judge(returned: i32, element: &str, time: f64) -> Result<(), EvalError> {
    let element = || element.to_owned();
    match returned {
        0 => {
            callback::forget();
            Ok(())
        }
        1.. => Err(EvalError::Recoverable { element: element(), time, reason: callback::reason(returned) }),
        _ => Err(EvalError::Fatal { element: element(), time, reason: callback::reason(returned) }),
    }
}

/// What a function of the host wrote must be numbers, or it is to blame by the name of the first place that has none; a shorter step may
/// avoid that.
pub(super) fn finite(
    values: &[f64],
    element: &str,
    time: f64,
    place: impl FnOnce(usize) -> String,
) -> Result<(), EvalError> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(k) => {
            let reason = format!("it gives {} for {}", values[k], place(k));
            Err(EvalError::Recoverable { element: element.to_owned(), time, reason })
        }
    }
}

fn invalid(text: String) -> Failure {
    Failure::new(Status::FOURBAR_INVALID, text)
}

impl Table {
    /// # Safety
    /// The arrays are NULL or as long as the struct says, the functions are as its documentation says.
    pub(super) unsafe fn new(equations: &fourbar_equations) -> Result<Self, Failure> {
        let form = match (equations.residual, equations.rhs) {
            (Some(residual), None) => Form::Residual(residual),
            (None, Some(rhs)) => Form::Rhs(rhs),
            (None, None) => return Err(Failure::null("residual' or 'rhs")),
            _ => return Err(invalid("'residual' and 'rhs' are both given; give one of them".into())),
        };
        let n = equations.dimension;
        if n == 0 {
            return Err(invalid("dimension is 0; there must be an unknown".into()));
        }
        if !memory::holds(n.checked_mul(PER_UNKNOWN)) {
            return Err(Failure::new(Status::FOURBAR_LENGTH, format!("{n} unknowns do not fit into memory")));
        }
        // SAFETY: by contract.
        unsafe {
            let own = Pattern::given(equations)?;
            let directions = directions(equations)?;
            let table = Self {
                user: User(equations.user),
                form,
                jacobian: equations.jacobian,
                patterned: own.is_some(),
                pattern: own.map_or_else(OnceLock::new, |own| Arc::new(own).into()),
                unknowns: unknowns(equations)?,
                names: names(equations)?,
                roots: equations.roots,
                directions,
                event: equations.event,
            };
            if !table.is_explicit() {
                // Every method needs it: whether there can be one is known at once.
                table.pattern()?;
            }
            Ok(table)
        }
    }

    /// The equations of a mechanism.
    pub(super) fn of_mechanism(equations: Taken) -> Result<Self, Failure> {
        let form = failure::run(|| Ok(equations.form()?))?;
        let unknowns = form.unknowns().to_vec();
        Ok(Self {
            user: User(std::ptr::null_mut()),
            names: (0..unknowns.len()).map(|i| form.unknown_name(i)).collect(),
            unknowns,
            form: Form::Mechanism(equations),
            jacobian: None,
            pattern: OnceLock::new(),
            patterned: false,
            roots: None,
            directions: Vec::new(),
            event: None,
        })
    }

    /// The mechanism whose equations these are.
    pub(super) fn mechanism(&self) -> Option<&Taken> {
        match &self.form {
            Form::Mechanism(equations) => Some(equations),
            _ => None,
        }
    }

    /// The pattern of the matrix.
    pub(super) fn pattern(&self) -> Result<&Arc<Pattern>, Failure> {
        if let Some(own) = self.pattern.get() {
            return Ok(own);
        }
        let full = Pattern::full(self.unknowns.len())?;
        Ok(self.pattern.get_or_init(|| Arc::new(full)))
    }

    /// Tells equations apart, also from one process to another, as far as they are data.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let own = self.pattern.get().filter(|_| self.patterned);
        let sum = own.map_or_else(Fingerprint::default, |own| own.fingerprint(Fingerprint::default()));
        let sum = match self.mechanism() {
            Some(equations) => equations.fingerprint(sum),
            None => sum,
        };
        sum.data(&self.unknowns).data(&self.names).data(&self.directions).data(&self.is_explicit())
    }

    pub(super) fn is_explicit(&self) -> bool {
        match &self.form {
            Form::Residual(_) => false,
            Form::Rhs(_) => true,
            Form::Mechanism(equations) => equations.is_explicit(),
        }
    }

    pub(super) fn name(&self, i: usize) -> String {
        self.names.get(i).cloned().unwrap_or_else(|| format!("unknown {i}"))
    }
}

/// # Safety
/// As [`Table::new`].
unsafe fn unknowns(equations: &fourbar_equations) -> Result<Vec<Unknown>, Failure> {
    let (n, index) = (equations.dimension, equations.index);
    if !(0..=3).contains(&index) {
        return Err(invalid(format!("index is {index}; it must be 0, 1, 2 or 3")));
    }
    // SAFETY: by contract.
    let (kinds, tested, powers, typical) = unsafe {
        (
            optional(equations.kinds, n, "kinds")?,
            optional(equations.error_tested, n, "error_tested")?,
            optional(equations.scale_powers, n, "scale_powers")?,
            optional(equations.typical, n, "typical")?,
        )
    };
    let explicit = equations.residual.is_none();
    (0..n)
        .map(|i| {
            let kind = kinds.map_or(Ok(Kind::STATE), |kinds| kind_of(kinds[i], i))?;
            let mut unknown = if explicit { explicit_unknown(kind) } else { treated(kind, index) };
            if let Some(tested) = tested {
                unknown.error_tested = match tested[i] {
                    0 => false,
                    1 => true,
                    other => return Err(invalid(format!("error_tested[{i}] is {other}; it must be 0 or 1"))),
                };
            }
            if let Some(powers) = powers {
                unknown.scale_power = u8::try_from(powers[i])
                    .ok()
                    .filter(|p| *p <= 3)
                    .ok_or_else(|| invalid(format!("scale_powers[{i}] is {}; it must be 0, 1, 2 or 3", powers[i])))?;
            }
            if let Some(typical) = typical {
                unknown.typical = typical[i];
                if !(typical[i] > 0.0 && typical[i].is_finite()) {
                    return Err(invalid(format!("typical[{i}] is {}; it must be positive and finite", typical[i])));
                }
            }
            Ok(unknown)
        })
        .collect()
}

/// # Safety
/// `pointer` is NULL or has `n` values.
unsafe fn optional<'a, T>(pointer: *const T, n: usize, name: &str) -> Result<Option<&'a [T]>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: by contract.
    unsafe { view::slice(pointer, n, name) }.map(Some)
}

fn kind_of(value: i32, i: usize) -> Result<Kind, Failure> {
    let known = KINDS.iter().find(|(number, _)| *number as i32 == value);
    known.map(|(_, kind)| *kind).ok_or_else(|| invalid(format!("kinds[{i}] is {value}, which is no fourbar_kind")))
}

fn explicit_unknown(kind: Kind) -> Unknown {
    Unknown { kind, error_tested: true, scale_power: 0, typical: 1.0 }
}

/// Error test and scaling by h as in a mechanism of that index.
fn treated(kind: Kind, index: i32) -> Unknown {
    let (rate_power, multiplier_power) = match index {
        3 => (1, 2),
        2 => (0, 1),
        _ => (0, 0),
    };
    let (error_tested, scale_power) = match kind {
        kinds::VELOCITY | kinds::ANGULAR_VELOCITY | kinds::MOMENTUM => (index < 3, rate_power),
        kinds::MULTIPLIER | kinds::STABILIZER => (false, multiplier_power),
        Kind::ALGEBRAIC => (false, 0),
        _ => (true, 0),
    };
    Unknown { kind, error_tested, scale_power, typical: 1.0 }
}

/// # Safety
/// As [`Table::new`].
unsafe fn names(equations: &fourbar_equations) -> Result<Vec<String>, Failure> {
    // SAFETY: by contract; each name ends with a NUL.
    unsafe {
        let names = optional(equations.names, equations.dimension, "names")?.unwrap_or_default();
        view::texts(names, "names")
    }
}

/// # Safety
/// As [`Table::new`].
unsafe fn directions(equations: &fourbar_equations) -> Result<Vec<i32>, Failure> {
    let count = equations.root_count as usize;
    if count > 0 && equations.roots.is_none() {
        return Err(Failure::null("roots"));
    }
    let never_called = [("roots", equations.roots.is_some()), ("event", equations.event.is_some())];
    if let Some((name, _)) = never_called.iter().find(|(_, given)| *given && count == 0) {
        let text = format!(
            "'{name}' is given, but root_count is 0: set it to the number of root functions, or leave '{name}' NULL"
        );
        return Err(invalid(text));
    }
    if count > MOST_ROOTS {
        let text = format!("root_count is {count}; more than {MOST_ROOTS} root functions are not taken");
        return Err(Failure::new(Status::FOURBAR_LENGTH, text));
    }
    // SAFETY: by contract.
    let given = unsafe { optional(equations.root_directions, count, "root_directions") }?;
    let directions = given.map_or_else(|| vec![0; count], <[i32]>::to_vec);
    match directions.iter().position(|direction| !(-1..=1).contains(direction)) {
        Some(i) => Err(invalid(format!("root_directions[{i}] is {}; it must be -1, 0 or 1", directions[i]))),
        None => Ok(directions),
    }
}
