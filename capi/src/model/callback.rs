//! Functions of the host as forces and motions.

use fourbar::multibody::host::{ForceFunction, MotionFunction, Refusal};

use super::failure::note_refusal;
use super::force::{CForce, CPartials};
use super::joint::CMotion;
use crate::abi::callback::{User, forget, reason};
use crate::abi::environment::of_host;

/// Which function of an element, and the array that it writes.
type Function = (&'static str, &'static str);
const VALUE: Function = ("it", "value");
const PARTIALS: Function = ("the function of its partial derivatives", "partials");

/// A force of the host.
#[derive(Debug)]
pub(super) struct HostForce {
    pub(super) element: String,
    pub(super) value: CForce,
    pub(super) partials: Option<CPartials>,
    pub(super) user: User,
}

/// A motion of the host.
#[derive(Debug)]
pub(super) struct HostMotion {
    pub(super) element: String,
    pub(super) value: CMotion,
    pub(super) user: User,
}

/// What a function of the host returned and wrote.
fn judge(element: &str, time: f64, function: Function, returned: i32, written: &[f64]) -> Result<(), Refusal> {
    let (function, array) = function;
    let refusal = match returned {
        0 => match written.iter().position(|value| !value.is_finite()) {
            None => {
                forget();
                return Ok(());
            }
            Some(k) => Refusal::Recoverable(format!("{function} gives {} for {array}[{k}]", written[k])),
        },
        returned if returned > 0 => Refusal::Recoverable(reason(returned)),
        returned => Refusal::Fatal(reason(returned)),
    };
    let (Refusal::Recoverable(why) | Refusal::Fatal(why)) = &refusal;
    note_refusal(element, time, why);
    Err(refusal)
}

impl ForceFunction for HostForce {
    fn value(&self, time: f64, arguments: &[f64], value: &mut [f64]) -> Result<(), Refusal> {
        // What it forgets to write is no number. There is room for six, so that a function of a vector given for a line is told, and does
        // no harm.
        let mut written = [f64::NAN; 6];
        // SAFETY: as documented, the function reads `count` arguments and writes one value, three or six.
        let returned = of_host(|| unsafe {
            (self.value)(self.user.0, time, arguments.as_ptr(), arguments.len(), written.as_mut_ptr())
        });
        let (own, beyond) = written.split_at(value.len().min(6));
        if returned == 0 && beyond.iter().any(|value| !value.is_nan()) {
            let why = format!("its function writes more values than such a force has: {}", own.len());
            note_refusal(&self.element, time, &why);
            return Err(Refusal::Fatal(why));
        }
        value.copy_from_slice(own);
        judge(&self.element, time, VALUE, returned, value)
    }

    fn partials(&self, time: f64, arguments: &[f64], partials: &mut [f64]) -> Result<bool, Refusal> {
        let Some(function) = self.partials else { return Ok(false) };
        partials.fill(f64::NAN);
        // SAFETY: as documented, the function reads `count` arguments and writes `count` times as many values as the force has components.
        let returned = of_host(|| unsafe {
            function(self.user.0, time, arguments.as_ptr(), arguments.len(), partials.as_mut_ptr())
        });
        judge(&self.element, time, PARTIALS, returned, partials).map(|()| true)
    }
}

impl MotionFunction for HostMotion {
    fn value(&self, time: f64) -> Result<[f64; 3], Refusal> {
        let mut value = [f64::NAN; 3];
        // SAFETY: as documented, the function writes three values.
        let returned = of_host(|| unsafe { (self.value)(self.user.0, time, value.as_mut_ptr()) });
        judge(&self.element, time, VALUE, returned, &value).map(|()| value)
    }
}
