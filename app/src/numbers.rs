//! Numbers on the command line.

use fourbar::linalg::text::Brief;
use fourbar::run::{Allowed, RunSetting};

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "write a number, as in 0.5 or 1e-3".to_owned())
}

pub(crate) fn finite(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| if value.is_finite() { Ok(value) } else { Err("write a finite number".to_owned()) })
}

pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    let allowed = |value: &f64| *value >= 0.0 && value.is_finite();
    number(text)
        .and_then(|value| Some(value).filter(allowed).ok_or_else(|| "write a finite number from 0 on".to_owned()))
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| {
        if value > 0.0 && value.is_finite() { Ok(value) } else { Err("write a finite number above 0".to_owned()) }
    })
}

/// Reads the numbers that a setting takes.
pub(crate) fn within(name: &'static str) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let range = match RunSetting::find(name).map(RunSetting::allowed) {
            Some(Allowed::Number(range)) => range,
            _ => f64::MIN..=f64::MAX,
        };
        let refused = || format!("write a number from {:.3} to {:.3}", Brief(*range.start()), Brief(*range.end()));
        number(text).and_then(|value| if range.contains(&value) { Ok(value) } else { Err(refused()) })
    }
}

/// Reads the whole numbers that a setting takes.
pub(crate) fn whole<T: TryFrom<u64>>(name: &'static str) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let range = match RunSetting::find(name).map(RunSetting::allowed) {
            Some(Allowed::Integer(range)) => range,
            _ => 0..=u64::MAX,
        };
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.and_then(|value| T::try_from(value).ok()).ok_or_else(|| match *range.end() {
            u64::MAX => format!("write a whole number from {} on", range.start()),
            end => format!("write a whole number from {} to {end}", range.start()),
        })
    }
}
