//! Checks of the numbers from which an integration starts.

use super::error::Error;
use crate::dae::Dae;

pub(super) fn check_start(dae: &impl Dae, time: f64, y: &[f64], yp: &[f64]) -> Result<(), Error> {
    if !time.is_finite() {
        return Err(Error::NotFinite { what: "time", name: "the start".into(), value: time });
    }
    check_values(dae, "start value", y)?;
    check_values(dae, "start derivative", yp)
}

pub(super) fn check_values(dae: &impl Dae, what: &'static str, values: &[f64]) -> Result<(), Error> {
    let n = dae.dimension();
    if values.len() != n {
        return Err(Error::Length { what, given: values.len(), needed: n });
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(Error::NotFinite { what, name: dae.unknown_name(i), value: values[i] }),
        None => Ok(()),
    }
}
