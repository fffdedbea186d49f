//! Filters and coolers.

use super::{Builder, Done};
use crate::element::{Check, Cooler, Element, Filter};
use crate::fluid::Edge;
use crate::model;
use fourbar_expression::model::ModelError;

impl<'a> Builder<'a> {
    pub(super) fn filter(&mut self, index: usize, c: &'a model::Filter) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let bypass = c.bypass.as_ref().map(|bypass| -> Result<_, Box<ModelError>> {
            let discharge = reader.positive(&bypass.discharge, "bypass.discharge")?;
            let edge = Edge {
                area: reader.positive(&bypass.area, "bypass.area")?,
                gain: discharge * (2.0 / self.fluid.density).sqrt(),
                laminar: reader.positive(&bypass.laminar_below, "bypass.laminar_below")?,
            };
            let cracking = reader.not_negative(&bypass.cracking, "bypass.cracking")?;
            Ok(Check { edge, cracking, band: reader.positive(&bypass.band, "bypass.band")?, leak: 0.0 })
        });
        let (flow, drop) = (reader.positive(&c.flow, "flow")?, reader.positive(&c.drop, "drop")?);
        let filter = Filter { conductance: flow / drop, bypass: bypass.transpose()? };
        let clogging = self.driver(index, &c.name, &c.clogging, "clogging");
        self.part(c.name.clone(), Element::Filter(filter), ports, 0, &[clogging]);
        Ok(())
    }

    pub(super) fn cooler(&mut self, index: usize, c: &'a model::Cooler) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let (flow, drop) = (reader.positive(&c.flow, "flow")?, reader.positive(&c.drop, "drop")?);
        let laminar = reader.positive(&c.laminar_below, "laminar_below")?;
        let effectiveness = reader.share(&c.effectiveness, "effectiveness")?;
        let capacity = reader.positive(&c.heat_capacity, "heat_capacity")?;
        let cooler = Cooler {
            edge: Edge { area: flow, gain: drop.hypot(laminar).sqrt() / drop, laminar },
            capacity: effectiveness * self.fluid.density * capacity,
        };
        let oil = self.driver(index, &c.name, &c.oil_temperature, "oil_temperature");
        let coolant = self.driver(index, &c.name, &c.coolant_temperature, "coolant_temperature");
        self.part(c.name.clone(), Element::Cooler(cooler), ports, 0, &[oil, coolant]);
        Ok(())
    }
}
