//! Numbers of one element of a model, checked.

use fourbar_expression::Expression;
use fourbar_expression::model::{Location, ModelError, Parameters};

/// Reads the fields of one element.
#[derive(Clone, Copy)]
pub(super) struct Reader<'b, 'a> {
    pub(super) parameters: &'b Parameters<'a>,
    pub(super) section: &'static str,
    pub(super) index: usize,
    pub(super) name: &'b str,
}

type Read = Result<f64, Box<ModelError>>;

impl Reader<'_, '_> {
    pub(super) fn at(&self, field: &str) -> Location {
        Location { section: self.section, index: self.index, name: self.name.to_owned(), field: field.to_owned() }
    }

    pub(super) fn number(&self, e: &Expression, field: &str) -> Read {
        self.parameters.number(e, &self.at(field))
    }

    pub(super) fn within(&self, e: &Expression, field: &str, allowed: &str, holds: impl Fn(f64) -> bool) -> Read {
        self.parameters.checked(e, &self.at(field), allowed, holds)
    }

    pub(super) fn positive(&self, e: &Expression, field: &str) -> Read {
        self.within(e, field, "positive", |v| v > 0.0)
    }

    pub(super) fn not_negative(&self, e: &Expression, field: &str) -> Read {
        self.within(e, field, "at least 0", |v| v >= 0.0)
    }

    /// A share, from 0 to 1.
    pub(super) fn share(&self, e: &Expression, field: &str) -> Read {
        self.within(e, field, "from 0 to 1", |v| (0.0..=1.0).contains(&v))
    }
}
