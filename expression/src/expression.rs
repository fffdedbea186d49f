//! The text of an expression with what its parser made of it.
use super::code::Op;
use super::error::ExpressionError;
use super::parser::{self, SplineUse};
use super::quantity::{self, Quantities};
use fourbar_linalg::unit::Dimension;
use std::fmt;

/// A formula of a model file: a number, or a text such as `"10 * sin(2*pi*time)"`.
///
/// Two expressions are equal if they compute the same operations on the same names, however they are spaced.
#[derive(Debug, Clone)]
pub struct Expression {
    pub(crate) source: Box<str>,
    pub(crate) code: Vec<Op>,
    /// Where each operation is written in `source`, in bytes.
    pub(crate) places: Vec<usize>,
    pub(crate) variables: Vec<String>,
    /// Where each variable is first used in `source`, in bytes.
    pub(crate) first_uses: Box<[usize]>,
    /// The splines it uses, one for each call.
    pub(crate) splines: Box<[SplineUse]>,
    pub(crate) conversion: Option<Box<Conversion>>,
    /// The units that it names; none for most.
    pub(crate) quantities: Option<Box<Quantities>>,
}

/// Factors between the units in which an expression is written and those in which it is evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conversion {
    /// Of the value: units of the caller in one unit of the text.
    pub(crate) value: f64,
    /// Of each variable.
    pub(crate) variables: Vec<f64>,
}

impl Expression {
    /// Parses the text of an expression.
    ///
    /// # Errors
    /// The first problem in the text, with its place.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        Self::parse_in(text, &|_| 1.0)
    }

    /// The same, numbers with units being wanted in units that have the factor `scale` to those of SI.
    fn parse_in(text: &str, scale: quantity::Scale<'_>) -> Result<Self, ExpressionError> {
        let parsed = parser::parse(text, scale)?;
        let quantities = Some(parsed.quantities).filter(|quantities| !quantities.named.is_empty());
        Ok(Self {
            source: text.into(),
            code: parsed.code,
            places: parsed.places,
            variables: parsed.variables,
            first_uses: parsed.first_uses.into(),
            splines: parsed.splines.into(),
            conversion: None,
            quantities: quantities.map(Box::new),
        })
    }

    /// The expression of a number.
    ///
    /// A value that is not finite is kept, and every evaluation shows it; model files cannot contain one.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self {
            source: format!("{value:?}").into(),
            code: vec![Op::Constant(value)],
            places: vec![0],
            variables: Vec::new(),
            first_uses: Box::default(),
            splines: Box::default(),
            conversion: None,
            quantities: None,
        }
    }

    /// The expression of a whole number: its text has all digits, its value those of a double.
    #[must_use]
    pub fn whole(value: i128) -> Self {
        let number = Self::constant(value as f64);
        if value as f64 as i128 == value { number } else { Self { source: value.to_string().into(), ..number } }
    }

    /// The whole number that the text is, with all its digits; none for any other text.
    #[must_use]
    pub fn as_whole(&self) -> Option<i128> {
        if self.conversion.is_some() { None } else { self.source.trim().parse().ok() }
    }

    /// Gives the names that it uses, splines among them, other ones; its text stays as it is written.
    pub fn rename(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        let splines = self.splines.iter_mut().map(|used| &mut used.name);
        for name in self.variables.iter_mut().chain(splines) {
            if let Some(other) = new(name) {
                *name = other;
            }
        }
    }

    /// Makes an expression of one system of units one of another: its value is multiplied by `value`, and what a name stands for is divided by
    /// `of_name` before the text sees it. Numbers with units are wanted in units that have the factor `of_unit` to those of SI. The text stays as it is
    /// written.
    ///
    /// ```
    /// use fourbar_expression::{Binding, Expression, Stack};
    ///
    /// let mut force = Expression::parse("2*gap")?; // kN of mm
    /// force.convert(1e3, &|_| 1e-3, &|_| 1.0);
    /// let program = force.bind(&mut |_| Some(Binding::Slot(0)))?;
    /// assert_eq!(program.evaluate(&[0.5], &mut Stack::for_programs([&program])), 1e6); // N of m
    /// # Ok::<(), fourbar_expression::ExpressionError>(())
    /// ```
    pub fn convert(&mut self, value: f64, of_name: &dyn Fn(&str) -> f64, of_unit: &dyn Fn(&Dimension) -> f64) {
        self.rescale(of_unit);
        let factors: Vec<f64> = self.variables.iter().map(|name| of_name(name)).collect();
        if value == 1.0 && factors.iter().all(|factor| *factor == 1.0) {
            return;
        }
        if let (Some(number), None) = (self.value(), &self.conversion) {
            *self = Self::constant(number * value);
            return;
        }
        let before = self.conversion.take();
        let old = |k: usize| before.as_ref().map_or(1.0, |before| before.variables[k]);
        let variables = factors.iter().enumerate().map(|(k, factor)| factor * old(k)).collect();
        let value = value * before.as_ref().map_or(1.0, |before| before.value);
        self.conversion = Some(Box::new(Conversion { value, variables }));
    }

    /// Reads its numbers with units anew, in units that have these factors to those of SI.
    fn rescale(&mut self, of_unit: &dyn Fn(&Dimension) -> f64) {
        let Some(quantities) = &self.quantities else { return };
        if quantities.named.iter().all(|dimension| of_unit(dimension) == 1.0) {
            return;
        }
        // The text was read before.
        if let Ok(Self { code, places, .. }) = Self::parse_in(&self.source, of_unit) {
            (self.code, self.places) = (code, places);
        }
    }

    /// Whether it is one number with its unit, and nothing else.
    #[must_use]
    pub fn is_quantity(&self) -> bool {
        self.quantities.as_ref().is_some_and(|quantities| quantities.whole.is_some())
    }

    /// States what the value should measure, and how a unit of that is written: binding refuses one number whose unit measures something else.
    pub fn expect(&mut self, dimension: Dimension, unit: &str) {
        if let Some(quantities) = &mut self.quantities {
            quantities.wanted = Some((dimension, unit.to_owned()));
        }
    }

    /// The text of the expression.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names that the expression uses, `time` among them, in order of first use. `pi` is not a name.
    #[must_use]
    pub fn variables(&self) -> &[String] {
        &self.variables
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        (&self.code, &self.variables, &self.splines, &self.conversion)
            == (&other.code, &other.variables, &other.splines, &other.conversion)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl std::str::FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl From<f64> for Expression {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}
