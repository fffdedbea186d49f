//! Kinematics of a mechanism whose motions leave it no freedom.

use fourbar::multibody::analysis::Kinematics;

use super::failure;
use super::mechanism::fourbar_mechanism;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// The measures at each of the `count` times \[s\], in any order, of a mechanism whose motions leave no degree of freedom: positions, velocities, accelerations
/// and the reactions that follow from them, without integration. `values` receives all measures at the first time, then at the second, ...;
/// `length` is `count` times their number.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_UNSUPPORTED` for a mechanism with degrees of freedom or with contacts; `FOURBAR_NUMERICAL`
/// where the joints cannot follow the motions; `FOURBAR_CALLBACK`.
///
/// # Safety
/// `mechanism` is NULL or alive; `times` is NULL or has `count` values, `values` is NULL or has `length`; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_kinematics(
    mechanism: *const fourbar_mechanism,
    times: *const f64,
    count: usize,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let compiled = &view::reference(mechanism, "mechanism")?.compiled;
        let unsupported = |text: String| Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text);
        if compiled.contacts().is_some() {
            return Err(unsupported("kinematics are those of a mechanism without contacts".to_owned()));
        }
        let (times, each) = (view::slice(times, count, "times")?, compiled.columns().len());
        if length != count.saturating_mul(each) {
            let text = format!("'values' has length {length}, but must have length {count} times {each}");
            return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
        }
        if let Some(time) = times.iter().find(|time| !time.is_finite()) {
            return Err(Failure::new(
                fourbar_status::FOURBAR_NOT_FINITE,
                format!("'times' holds {time}; give finite times"),
            ));
        }
        let values = view::slice_mut(values, length, "values")?;
        let mut kinematics = failure::run(|| Ok(Kinematics::new(compiled.mechanism())?))?;
        for (time, values) in times.iter().zip(values.chunks_exact_mut(each.max(1))) {
            failure::run(|| {
                kinematics.go_to(*time)?;
                Ok(kinematics.measures(values)?)
            })?;
        }
        Ok(())
    })
}
