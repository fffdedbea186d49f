//! What an integration has reached: time, state, events, dense output.

use super::integration::{fourbar_integration, with};
use super::stepper::Stepper;
use super::stop::fourbar_stop;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// The present time \[s\], that of the last accepted step or of the event within it, and the order of that step; each may be NULL where it is
/// not asked for.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_time(
    integration: *const fourbar_integration,
    time: *mut f64,
    order: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            if !time.is_null() {
                time.write(stepper.integrator().time());
            }
            if !order.is_null() {
                order.write(stepper.integrator().order());
            }
            Ok(())
        })
    }
}

/// y and y' at the present time, `length` = n values each; either may be NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `y` and `yp` are NULL or have `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_get_state(
    integration: *const fourbar_integration,
    y: *mut f64,
    yp: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            if !y.is_null() {
                view::copy(stepper.integrator().state(), y, length, "y")?;
            }
            if !yp.is_null() {
                view::copy(stepper.integrator().derivative(), yp, length, "yp")?;
            }
            Ok(())
        })
    }
}

/// y and y' at a time within the last step, from the method's own polynomial; `length` = n values each.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_INVALID` when the time lies outside the last step.
///
/// # Safety
/// `y` and `yp` are NULL or have `length` values; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_interpolate(
    integration: *const fourbar_integration,
    t: f64,
    y: *mut f64,
    yp: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            let (y, yp) = (view::slice_mut(y, length, "y")?, view::slice_mut(yp, length, "yp")?);
            Ok(stepper.integrator().interpolate(t, y, yp)?)
        })
    }
}

/// Steps on and writes y at the `count` given times \[s\], ascending and not before the present one, to `values`, n values each: by dense output, no
/// step lands on them but on the last. `done` receives how many were written; it is less than `count` where an event came first that makes
/// `fourbar_integration_run` come back too. `stop` receives a value of `fourbar_stop`.
///
/// Errors: as `fourbar_integration_run`; `FOURBAR_INVALID` when the times do not ascend; `FOURBAR_LENGTH` when `values` has another length than `count` n.
///
/// # Safety
/// `times` is NULL or has `count` values, `values` is NULL or has `length`; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_sample(
    integration: *mut fourbar_integration,
    times: *const f64,
    count: usize,
    values: *mut f64,
    length: usize,
    done: *mut usize,
    stop: *mut i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            view::reference(done, "done")?;
            view::reference(stop, "stop")?;
            let times = view::slice(times, count, "times")?;
            let n = stepper.integrator().state().len();
            if count.checked_mul(n) != Some(length) {
                let text = format!("'values' has length {length}, but {count} times of {n} unknowns are asked for");
                return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
            }
            let values = view::slice_mut(values, length, "values")?;
            let (written, reached) = sample(stepper, times, values)?;
            done.write(written);
            stop.write(reached as i32);
            Ok(())
        })
    }
}

fn sample(stepper: &mut Stepper, times: &[f64], values: &mut [f64]) -> Result<(usize, fourbar_stop), Failure> {
    use fourbar_stop as S;
    let now = stepper.integrator().time();
    let invalid = |text: String| Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
    if let Some(pair) = times.windows(2).find(|pair| !(pair[0] < pair[1])) {
        return invalid(format!("times must ascend: {} follows {}", pair[1], pair[0]));
    }
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Ok((0, S::FOURBAR_STOP_END));
    };
    if !(first >= now && last.is_finite()) {
        return invalid(format!("times from {first} to {last} s are asked for; the present time is {now} s"));
    }
    stepper.integrator_mut().set_end_time(last)?;
    let n = stepper.integrator().state().len();
    let (mut written, mut slope) = (0, vec![0.0; n]);
    let mut write_up_to = |stepper: &Stepper| -> Result<usize, Failure> {
        let integrator = stepper.integrator();
        let time = integrator.time();
        while written < times.len() && times[written] <= time {
            let y = &mut values[written * n..(written + 1) * n];
            if times[written] == time {
                y.copy_from_slice(integrator.state());
            } else {
                integrator.interpolate(times[written], y, &mut slope)?;
            }
            written += 1;
        }
        Ok(written)
    };
    write_up_to(stepper)?;
    loop {
        let reached = stepper.step_recorded(&mut |stepper| write_up_to(stepper).map(|_| ()))?;
        let written = write_up_to(stepper)?;
        match reached {
            S::FOURBAR_STOP_STEP | S::FOURBAR_STOP_TIME => {}
            S::FOURBAR_STOP_EVENT if stepper.has_event_function() => {}
            stop => return Ok((written, stop)),
        }
    }
}

/// The events at the present time: which root functions (from 0) and in which direction they changed their signs (1 rising, -1 falling). `count`
/// receives their number; with `indices` and `directions` NULL nothing else is written, otherwise `capacity` must be at least that number.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `indices` and `directions` are NULL or have `capacity` values; `count` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_events(
    integration: *const fourbar_integration,
    indices: *mut usize,
    directions: *mut i32,
    capacity: usize,
    count: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            let found = stepper.indices.len();
            let fits = |null: bool| null || capacity >= found;
            if !fits(indices.is_null() && directions.is_null()) {
                let text = format!("there are {found} events, but room for {capacity}");
                return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
            }
            if !indices.is_null() {
                view::slice_mut(indices, found, "indices")?.copy_from_slice(&stepper.indices);
            }
            if !directions.is_null() {
                view::slice_mut(directions, found, "directions")?.copy_from_slice(&stepper.directions);
            }
            view::write(count, found, "count")
        })
    }
}
