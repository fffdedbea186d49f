//! Numbers on the command line.

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "write a number, as in 0.5 or 1e-3".to_owned())
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| {
        if value > 0.0 && value.is_finite() { Ok(value) } else { Err("write a finite number above 0".to_owned()) }
    })
}

pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| {
        if (1e-14..=0.1).contains(&value) { Ok(value) } else { Err("write a number from 1e-14 to 0.1".to_owned()) }
    })
}
