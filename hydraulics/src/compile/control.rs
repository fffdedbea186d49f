//! Valves with a pilot or a pressure compensator.

use super::{Builder, Done};
use crate::element::{Counterbalance, Element, FlowControl, PilotCheck};
use crate::model::{self, Sense};

impl<'a> Builder<'a> {
    pub(super) fn counterbalance_valve(&mut self, index: usize, c: &'a model::CounterbalanceValve) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to"), (&c.pilot, "pilot")])?;
        let valve = Counterbalance {
            edge: self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?,
            pressure: reader.positive(&c.pressure, "pressure")?,
            ratio: reader.not_negative(&c.ratio, "ratio")?,
            band: reader.positive(&c.band, "band")?,
            difference: c.sense == Sense::Difference,
            cracking: reader.not_negative(&c.cracking, "cracking")?,
            leak: reader.share(&c.leak, "leak")?,
        };
        self.part(c.name.clone(), Element::Counterbalance(valve), ports, 0, &[]);
        Ok(())
    }

    pub(super) fn pilot_operated_check_valve(&mut self, index: usize, c: &'a model::PilotOperatedCheckValve) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to"), (&c.pilot, "pilot")])?;
        let valve = PilotCheck {
            edge: self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?,
            ratio: reader.not_negative(&c.ratio, "ratio")?,
            cracking: reader.not_negative(&c.cracking, "cracking")?,
            band: reader.positive(&c.band, "band")?,
            leak: reader.share(&c.leak, "leak")?,
        };
        self.part(c.name.clone(), Element::PilotCheck(valve), ports, 0, &[]);
        Ok(())
    }

    pub(super) fn flow_control_valve(&mut self, index: usize, c: &'a model::FlowControlValve) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let valve = FlowControl {
            compensation: reader.positive(&c.compensation, "compensation")?,
            laminar: reader.positive(&c.laminar_below, "laminar_below")?,
        };
        let flow = self.driver(index, &c.name, &c.flow, "flow");
        self.part(c.name.clone(), Element::FlowControl(valve), ports, 0, &[flow]);
        Ok(())
    }
}
