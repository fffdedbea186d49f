//! Values that a model may leave out.

use fourbar_expression::Expression;

/// The standard atmosphere, which a tank has unless told otherwise \[Pa\].
pub(crate) const ATMOSPHERE: f64 = 101_325.0;

pub(super) fn zero() -> Expression {
    0.0.into()
}

pub(super) fn one() -> Expression {
    1.0.into()
}

pub(super) fn one_text() -> String {
    "1".to_owned()
}

pub(super) fn atmosphere() -> Expression {
    ATMOSPHERE.into()
}

pub(super) fn diatomic() -> Expression {
    1.4.into()
}

pub(super) fn vapor_pressure() -> Expression {
    3e3.into()
}

pub(super) fn vapor_band() -> Expression {
    1e4.into()
}

pub(super) fn vapor_modulus() -> Expression {
    1e3.into()
}

/// Discharge coefficient of a sharp edge.
pub(super) fn sharp_edge() -> Expression {
    0.62.into()
}

/// Pressure difference below which the flow turns laminar \[Pa\].
pub(super) fn laminar() -> Expression {
    1e5.into()
}
