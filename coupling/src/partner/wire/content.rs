//! What stands in a frame: numbers, texts, descriptions.

use super::garbled;
use fourbar_linalg::unit::Unit;

use crate::function::{Capabilities, Causality, Description, Parameter, Text, Variability, Variable};

pub(in crate::partner) fn put_u64(to: &mut Vec<u8>, value: u64) {
    to.extend(value.to_le_bytes());
}

pub(in crate::partner) fn put_f64(to: &mut Vec<u8>, value: f64) {
    to.extend(value.to_le_bytes());
}

pub(in crate::partner) fn put_values(to: &mut Vec<u8>, values: &[f64]) {
    values.iter().for_each(|&value| put_f64(to, value));
}

pub(in crate::partner) fn put_text(to: &mut Vec<u8>, text: &str) {
    put_u64(to, text.len() as u64);
    to.extend(text.as_bytes());
}

/// Numbers by name.
pub(in crate::partner) fn put_named(to: &mut Vec<u8>, numbers: &[(String, f64)]) {
    put_u64(to, numbers.len() as u64);
    for (name, value) in numbers {
        put_text(to, name);
        put_f64(to, *value);
    }
}

pub(in crate::partner) fn put_description(to: &mut Vec<u8>, description: &Description) {
    let capabilities = description.capabilities;
    put_f64(to, description.solver_step.unwrap_or(0.0));
    put_u64(to, u64::from(capabilities.rollback));
    put_u64(to, u64::from(capabilities.output_derivatives));
    put_u64(to, capabilities.input_order as u64);
    put_u64(to, u64::from(capabilities.fixed_step));
    put_u64(to, u64::from(capabilities.written));
    put_u64(to, u64::from(capabilities.event_times));
    put_u64(to, u64::from(capabilities.stateless));
    put_u64(to, description.variables.len() as u64);
    for variable in &description.variables {
        put_text(to, &variable.name);
        put_text(to, &variable.unit);
        put_measure(to, variable.measure);
        put_u64(to, u64::from(variable.causality == Causality::Output));
        put_f64(to, variable.start);
        put_f64(to, variable.nominal);
        put_u64(to, variable.feedthrough.len() as u64);
        variable.feedthrough.iter().for_each(|input| put_text(to, input));
        put_u64(to, variable.variability as u64);
    }
}

pub(in crate::partner) fn put_parameters(to: &mut Vec<u8>, parameters: &[Parameter]) {
    put_u64(to, parameters.len() as u64);
    for Parameter { name, unit, value, lowest, highest, is_tunable } in parameters {
        put_text(to, name);
        put_text(to, unit);
        put_values(to, &[*value, *lowest, *highest]);
        put_u64(to, u64::from(*is_tunable));
    }
}

pub(in crate::partner) fn put_texts(to: &mut Vec<u8>, texts: &[Text]) {
    put_u64(to, texts.len() as u64);
    for Text { name, value, is_output } in texts {
        put_text(to, name);
        put_text(to, value);
        put_u64(to, u64::from(*is_output));
    }
}

/// A unit as a value, if it is known by one.
fn put_measure(to: &mut Vec<u8>, unit: Option<Unit>) {
    put_u64(to, u64::from(unit.is_some()));
    if let Some(Unit { dimension, factor, offset }) = unit {
        dimension.iter().for_each(|power| put_f64(to, f64::from(*power)));
        put_f64(to, factor);
        put_f64(to, offset);
    }
}

/// What is left of the content of a frame.
pub(in crate::partner) struct Content<'a>(pub(in crate::partner) &'a [u8]);

impl Content<'_> {
    pub(super) fn take(&mut self, length: usize) -> std::io::Result<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(|| garbled("a frame that is too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(in crate::partner) fn u64(&mut self) -> std::io::Result<u64> {
        let bytes = self.take(8)?;
        // Eight bytes by the line above.
        Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| garbled("a frame that is too short"))?))
    }

    pub(in crate::partner) fn f64(&mut self) -> std::io::Result<f64> {
        self.u64().map(f64::from_bits)
    }

    pub(in crate::partner) fn values(&mut self, values: &mut [f64]) -> std::io::Result<()> {
        values.iter_mut().try_for_each(|value| {
            *value = self.f64()?;
            Ok(())
        })
    }

    pub(in crate::partner) fn text(&mut self) -> std::io::Result<String> {
        let length = self.u64()?;
        let length = usize::try_from(length).map_err(|_| garbled("a text that is too long"))?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| garbled("a text that is no UTF-8"))
    }

    pub(in crate::partner) fn many<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> std::io::Result<T>,
    ) -> std::io::Result<Vec<T>> {
        let count = self.u64()?;
        // Each takes at least a byte.
        if count > self.0.len() as u64 {
            return Err(garbled("a frame that is too short"));
        }
        (0..count).map(|_| read(self)).collect()
    }

    pub(in crate::partner) fn named(&mut self) -> std::io::Result<Vec<(String, f64)>> {
        self.many(|content| Ok((content.text()?, content.f64()?)))
    }

    pub(in crate::partner) fn parameters(&mut self) -> std::io::Result<Vec<Parameter>> {
        self.many(|content| {
            let (name, unit) = (content.text()?, content.text()?);
            let (value, lowest, highest) = (content.f64()?, content.f64()?, content.f64()?);
            Ok(Parameter { name, unit, value, lowest, highest, is_tunable: content.u64()? != 0 })
        })
    }

    pub(in crate::partner) fn texts(&mut self) -> std::io::Result<Vec<Text>> {
        let text = |content: &mut Self| {
            Ok(Text { name: content.text()?, value: content.text()?, is_output: content.u64()? != 0 })
        };
        self.many(text)
    }

    fn measure(&mut self) -> std::io::Result<Option<Unit>> {
        if self.u64()? == 0 {
            return Ok(None);
        }
        let mut dimension = [0; 8];
        for power in &mut dimension {
            // Powers beyond the range of integers are their ends.
            *power = self.f64()? as i32;
        }
        let (factor, offset) = (self.f64()?, self.f64()?);
        if !(factor.is_normal() && offset.is_finite()) {
            return Err(garbled("a unit that converts nothing"));
        }
        Ok(Some(Unit { dimension, factor, offset }))
    }

    pub(in crate::partner) fn description(&mut self) -> std::io::Result<Description> {
        let solver_step = Some(self.f64()?).filter(|&step| step != 0.0);
        let capabilities = Capabilities::PLAIN
            .rollback(self.u64()? != 0)
            .output_derivatives(self.u64()? != 0)
            .input_order(self.u64()?.min(2) as usize)
            .fixed_step(self.u64()? != 0)
            .written(self.u64()? != 0)
            .event_times(self.u64()? != 0)
            .stateless(self.u64()? != 0);
        let variables = self.many(|content| {
            let (name, unit, measure) = (content.text()?, content.text()?, content.measure()?);
            let is_output = content.u64()? != 0;
            let variable = if is_output { Variable::output(name, unit) } else { Variable::input(name, unit) };
            let variable = Variable { measure, ..variable };
            let mut variable = variable.start(content.f64()?).nominal(content.f64()?);
            variable.feedthrough = content.many(Self::text)?;
            variable.variability = match content.u64()? {
                0 => Variability::Continuous,
                1 => Variability::Discrete,
                2 => Variability::Inherited,
                _ => return Err(garbled("a variability that does not exist")),
            };
            Ok(variable)
        })?;
        Ok(Description { variables, solver_step, capabilities })
    }
}
