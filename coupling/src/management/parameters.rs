//! Parameters and texts of the partners, between two communication steps.

use super::master::Master;
use super::network::Network;
use super::observer::RunState;
use crate::Error;
use crate::function::interface::Interface;
use crate::function::{Causality, Parameter, ParameterRefusal, Text, Variable};
use fourbar_linalg::text::nearest;

/// A value that is known to be possible: of a parameter by its name, or of the k-th input.
struct Checked {
    partner: usize,
    input: Option<usize>,
    name: String,
    value: f64,
    before: f64,
}

impl Master {
    /// The parameters of all partners as they stand, as "partner.parameter", partner by partner. One that a connection feeds is not tunable by
    /// hand. A partner that cannot be asked, on a thread that is late say, is left out.
    pub fn parameters(&mut self) -> Vec<Parameter> {
        let mut all = Vec::new();
        for i in 0..self.network.interfaces.len() {
            let told = self.network.parameters(i).unwrap_or_default();
            let partner = self.network.interfaces[i].name();
            all.extend(told.into_iter().map(|own| Parameter { name: format!("{partner}.{}", own.name), ..own }));
        }
        all
    }

    /// Gives the parameter "partner.parameter" another value \[its unit\]: it holds from the next communication step on. What was sampled last
    /// stays. Checkpoints have the values with which they were saved.
    ///
    /// # Errors
    /// [`Error::UnknownPartner`], [`Error::End`]; [`Error::Parameter`] with the reason where the value is refused. Nothing has changed then.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), Error> {
        self.set_parameters(&[(name, value)])
    }

    /// As [`Master::set_parameter`] of several at once: each partner takes its own together, and where one refuses, none has changed.
    ///
    /// # Errors
    /// As [`Master::set_parameter`], and as a run that has failed.
    pub fn set_parameters(&mut self, values: &[(&str, f64)]) -> Result<(), Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let checked = values.iter().map(|&(name, value)| self.network.check_parameter(name, value));
        let checked = checked.collect::<Result<Vec<_>, _>>()?;
        let mut done = Vec::new();
        for i in 0..self.network.interfaces.len() {
            if let Err(error) = self.network.tune(i, &checked, |own| own.value) {
                for j in done {
                    // With these values it ran before.
                    let _ = self.network.tune(j, &checked, |own| own.before);
                }
                return Err(error);
            }
            done.push(i);
        }
        for own in &checked {
            self.take_tuned(own);
        }
        Ok(())
    }

    /// An input or output, "partner.variable", as its partner describes it; its unit is known by value too.
    ///
    /// # Errors
    /// As [`Master::output`].
    pub fn variable(&self, name: &str) -> Result<&Variable, Error> {
        self.network.variable(name)
    }

    /// The texts of all partners as they stand, as "partner.text", partner by partner. They pass through no connection and are in no table. A partner
    /// that cannot be asked is left out.
    pub fn texts(&mut self) -> Vec<Text> {
        let base = self.network.clock.base;
        let told = self.network.interfaces.iter_mut().flat_map(|interface| {
            let told = interface.texts(&base).unwrap_or_default();
            let partner = interface.name().to_owned();
            told.into_iter().map(move |own| Text { name: format!("{partner}.{}", own.name), ..own })
        });
        told.collect()
    }

    /// Takes over one that is an input as well.
    fn take_tuned(&mut self, own: &Checked) {
        let Some(k) = own.input else { return };
        self.network.put_input((own.partner, k), own.value);
        self.note_input(own.partner);
    }

    /// An input of a partner was set: before the start it belongs to what is exchanged first.
    pub(super) fn note_input(&mut self, partner: usize) {
        if self.state == RunState::Initialised {
            self.preset.push(partner);
        }
    }
}

impl Network {
    /// The parameters of partner i, of which none is tunable that a connection feeds.
    fn parameters(&mut self, i: usize) -> Result<Vec<Parameter>, Error> {
        let mut told = self.interfaces[i].parameters(&self.clock.base).map_err(Error::Stopped)?;
        for own in &mut told {
            let input = self.interfaces[i].names(Causality::Input).position(|input| input == own.name);
            own.is_tunable &= input.is_none_or(|k| self.source_of((i, k)).is_none());
        }
        Ok(told)
    }

    /// Whether the parameter of this name may become `value`.
    fn check_parameter(&mut self, name: &str, value: f64) -> Result<Checked, Error> {
        let time = self.clock.time();
        let refuse = |reason| Error::Parameter { name: name.to_owned(), value, time, reason };
        let known = |partner: &str| self.interfaces.iter().position(|interface| interface.name() == partner);
        let mut splits = name.match_indices('.').map(|(dot, _)| (&name[..dot], &name[dot + 1..]));
        let Some((i, own)) = splits.find_map(|(partner, own)| Some((known(partner)?, own))) else {
            let (partner, _) = name.split_once('.').ok_or_else(|| Error::End(name.to_owned()))?;
            let nearest = nearest(partner, self.interfaces.iter().map(Interface::name));
            return Err(Error::UnknownPartner {
                place: format!("parameter \"{name}\""),
                name: partner.to_owned(),
                nearest,
            });
        };
        let told = match self.interfaces[i].parameters(&self.clock.base) {
            Ok(told) => told,
            Err(fault) => return Err(refuse(ParameterRefusal::NotTaken(fault))),
        };
        let Some(parameter) = told.iter().find(|known| known.name == own) else {
            let nearest = nearest(own, told.iter().map(|known| known.name.as_str()));
            return Err(refuse(ParameterRefusal::Unknown { nearest }));
        };
        let input = self.interfaces[i].names(Causality::Input).position(|input| input == own);
        if let Some(source_name) = input.and_then(|k| self.source_of((i, k))) {
            return Err(refuse(ParameterRefusal::Fed { source_name }));
        }
        let &Parameter { lowest, highest, value: before, .. } = parameter;
        if !parameter.is_tunable {
            return Err(refuse(ParameterRefusal::Fixed));
        }
        if !value.is_finite() {
            return Err(refuse(ParameterRefusal::NotFinite));
        }
        if value < lowest || value > highest {
            return Err(refuse(ParameterRefusal::OutOfRange { lowest, highest }));
        }
        Ok(Checked { partner: i, input, name: own.to_owned(), value, before })
    }

    /// The output that feeds an input, by name.
    pub(super) fn source_of(&self, end: (usize, usize)) -> Option<String> {
        let relation = self.interaction.relations().iter().find(|relation| relation.target == end)?;
        let (source, output) = relation.source;
        let interface = &self.interfaces[source];
        Some(format!("{}.{}", interface.name(), interface.variable(Causality::Output, output)))
    }

    /// Has partner i take those of `all` that are its parameters alone.
    fn tune(&mut self, i: usize, all: &[Checked], value: impl Fn(&Checked) -> f64) -> Result<(), Error> {
        let of_it = all.iter().filter(|own| own.partner == i && own.input.is_none());
        let mut values: Vec<(String, f64)> = Vec::new();
        for own in of_it.clone() {
            // Of two values for one the last counts.
            values.retain(|(name, _)| *name != own.name);
            values.push((own.name.clone(), value(own)));
        }
        let Some(first) = of_it.clone().next() else { return Ok(()) };
        let (name, value) = (format!("{}.{}", self.interfaces[i].name(), first.name), first.value);
        let taken = self.interfaces[i].tune(values, &self.clock.base);
        taken.map_err(|fault| {
            let reason = ParameterRefusal::NotTaken(fault);
            Error::Parameter { name, value, time: self.clock.time(), reason }
        })
    }
}
