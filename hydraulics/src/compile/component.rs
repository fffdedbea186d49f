//! Each kind of component: its numbers, ports, states and drivers.

use super::{Builder, Done, Reader, efficiency};
use crate::circuit::plan::Variable;
use crate::element::{Accumulator, Adjustment, Check, Element, Pump, Reducing, Relief, Spool};
use crate::fluid::Edge;
use crate::model::{self, Center, Component, Sense};
use fourbar_dae::Kind;
use fourbar_expression::Expression;
use fourbar_expression::model::ModelError;

impl<'a> Builder<'a> {
    /// Adds the component `index` of the model.
    pub(super) fn component(&mut self, index: usize, component: &'a Component) -> Done {
        match component {
            Component::Orifice(c) => self.orifice(index, c),
            Component::CheckValve(c) => self.check_valve(index, c),
            Component::ReliefValve(c) => self.relief_valve(index, c),
            Component::ReducingValve(c) => self.reducing_valve(index, c),
            Component::CounterbalanceValve(c) => self.counterbalance_valve(index, c),
            Component::PilotOperatedCheckValve(c) => self.pilot_operated_check_valve(index, c),
            Component::FlowControlValve(c) => self.flow_control_valve(index, c),
            Component::SpoolValve(c) => self.spool_valve(index, c),
            Component::FlowSource(c) => self.flow_source(index, c),
            Component::FixedPump(c) => self.fixed_pump(index, c),
            Component::VariablePump(c) => self.variable_pump(index, c),
            Component::Accumulator(c) => self.accumulator(index, c),
            Component::Line(c) => self.line(index, c),
            Component::Pipe(c) => self.pipe(index, c),
            Component::TransmissionLine(c) => self.transmission_line(index, c),
            Component::Cylinder(c) => self.cylinder(index, c),
            Component::Motor(c) => self.motor(index, c),
            Component::Winch(c) => self.winch(index, c),
            Component::Filter(c) => self.filter(index, c),
            Component::Cooler(c) => self.cooler(index, c),
        }
    }

    pub(super) fn reader<'b>(&'b self, index: usize, name: &'b str) -> Reader<'b, 'a> {
        Reader { parameters: &self.parameters, section: "component", index, name }
    }

    /// The nodes of these names; `fields` say where they stand.
    pub(super) fn ports(&self, reader: &Reader, named: &[(&str, &'static str)]) -> Result<Vec<usize>, Box<ModelError>> {
        let find = |&(node, field): &(&str, &'static str)| {
            let unknown =
                || ModelError::unknown("node", node, self.node_index.keys().map(String::as_str), &reader.at(field));
            self.node_index.get(node).copied().ok_or_else(unknown)
        };
        let end = |field: &str| named.iter().find(|(_, known)| *known == field).map(|(node, _)| *node);
        if let (Some(from), Some(to)) = (end("from"), end("to"))
            && from == to
        {
            let problem = format!("it leads from node \"{from}\" to the same node, so that it does nothing");
            return Err(ModelError::new(reader.at("to"), problem, "give it two nodes"));
        }
        named.iter().map(find).collect()
    }

    /// As [`Builder::signal`], as a variable of a component.
    pub(super) fn driver(&mut self, index: usize, name: &str, e: &'a Expression, field: &str) -> Variable {
        let place = self.reader(index, name).at(field);
        Variable::Signal(self.signal(e, place))
    }

    pub(super) fn edge(
        &self,
        reader: &Reader,
        area: &Expression,
        discharge: &Expression,
        laminar: &Expression,
    ) -> Result<Edge, Box<ModelError>> {
        let discharge = reader.positive(discharge, "discharge")?;
        Ok(Edge {
            area: reader.positive(area, "area")?,
            gain: discharge * (2.0 / self.fluid.density).sqrt(),
            laminar: reader.positive(laminar, "laminar_below")?,
        })
    }

    fn orifice(&mut self, index: usize, c: &'a model::Orifice) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let edge = self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?;
        let opening = self.driver(index, &c.name, &c.opening, "opening");
        self.part(c.name.clone(), Element::Orifice(edge), ports, 0, &[opening]);
        Ok(())
    }

    fn check_valve(&mut self, index: usize, c: &'a model::CheckValve) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let valve = Check {
            edge: self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?,
            cracking: reader.not_negative(&c.cracking, "cracking")?,
            band: reader.positive(&c.band, "band")?,
            leak: reader.share(&c.leak, "leak")?,
        };
        self.part(c.name.clone(), Element::Check(valve), ports, 0, &[]);
        Ok(())
    }

    fn relief_valve(&mut self, index: usize, c: &'a model::ReliefValve) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let valve = Relief {
            pressure: reader.positive(&c.pressure, "pressure")?,
            slope: reader.positive(&c.slope, "slope")?,
            band: reader.positive(&c.band, "band")?,
            difference: c.sense == Sense::Difference,
        };
        self.part(c.name.clone(), Element::Relief(valve), ports, 0, &[]);
        Ok(())
    }

    fn reducing_valve(&mut self, index: usize, c: &'a model::ReducingValve) -> Done {
        let reader = self.reader(index, &c.name);
        let mut named = vec![(c.from.as_str(), "from"), (c.to.as_str(), "to")];
        named.extend(c.drain.as_deref().map(|drain| (drain, "drain")));
        let ports = self.ports(&reader, &named)?;
        let valve = Reducing {
            edge: self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?,
            pressure: reader.positive(&c.pressure, "pressure")?,
            band: reader.positive(&c.band, "band")?,
            leak: reader.share(&c.leak, "leak")?,
            drains: c.drain.is_some(),
        };
        self.part(c.name.clone(), Element::Reducing(valve), ports, 0, &[]);
        Ok(())
    }

    fn spool_valve(&mut self, index: usize, c: &'a model::SpoolValve) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.supply, "supply"), (&c.tank, "tank"), (&c.a, "a"), (&c.b, "b")])?;
        let overlap = reader.number(&c.overlap, "overlap")?;
        let open = -reader.positive(&c.center_opening, "center_opening")?;
        let (supply_overlap, tank_overlap) = match c.center {
            Center::Closed | Center::Tandem => (overlap, overlap),
            Center::Open => (open, open),
            Center::Float => (overlap, open),
        };
        let frequency = reader.positive(&c.frequency, "frequency")?;
        let valve = Spool {
            edge: self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?,
            frequency,
            damping: reader.not_negative(&c.damping, "damping")?,
            limit: c.limit.as_ref().map(|limit| reader.positive(limit, "limit")).transpose()?,
            supply_overlap,
            tank_overlap,
            bypass: (c.center == Center::Tandem).then_some(-open),
            rounding: reader.positive(&c.null_leakage, "null_leakage")?,
        };
        self.unknown(format!("{}.spool", c.name), "1", Kind::STATE, 1.0, 0.0);
        self.unknown(format!("{}.spool_velocity", c.name), "1/s", Kind::STATE, frequency, 0.0);
        let command = self.driver(index, &c.name, &c.command, "command");
        self.part(c.name.clone(), Element::Spool(valve), ports, 2, &[command]);
        Ok(())
    }

    fn flow_source(&mut self, index: usize, c: &'a model::FlowSource) -> Done {
        let ports = self.ports(&self.reader(index, &c.name), &[(&c.from, "from"), (&c.to, "to")])?;
        let flow = self.driver(index, &c.name, &c.flow, "flow");
        self.part(c.name.clone(), Element::FlowSource, ports, 0, &[flow]);
        Ok(())
    }

    fn fixed_pump(&mut self, index: usize, c: &'a model::FixedPump) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let displacement = reader.positive(&c.displacement, "displacement")?;
        let leakage = reader.not_negative(&c.leakage, "leakage")?;
        let efficiency = efficiency::read(&reader, c.efficiency.as_ref())?;
        let speed = self.driver(index, &c.name, &c.speed, "speed");
        let pump = Pump { displacement, leakage, efficiency, adjustment: None };
        self.part(c.name.clone(), Element::Pump(pump), ports, 0, &[speed]);
        Ok(())
    }

    fn variable_pump(&mut self, index: usize, c: &'a model::VariablePump) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let band = reader.positive(&c.band, "band")?;
        let cutoff = c.cutoff.as_ref().map(|cutoff| reader.positive(cutoff, "cutoff")).transpose()?;
        let adjustment = Adjustment {
            time_constant: reader.positive(&c.time_constant, "time_constant")?,
            cutoff: cutoff.map(|cutoff| [cutoff, band]),
        };
        let displacement = reader.positive(&c.displacement, "displacement")?;
        let leakage = reader.not_negative(&c.leakage, "leakage")?;
        let efficiency = efficiency::read(&reader, c.efficiency.as_ref())?;
        self.unknown(format!("{}.setting", c.name), "1", Kind::STATE, 1.0, 0.0);
        let speed = self.driver(index, &c.name, &c.speed, "speed");
        let setting = self.driver(index, &c.name, &c.setting, "setting");
        let pump = Pump { displacement, leakage, efficiency, adjustment: Some(adjustment) };
        self.part(c.name.clone(), Element::Pump(pump), ports, 1, &[speed, setting]);
        Ok(())
    }

    fn accumulator(&mut self, index: usize, c: &'a model::Accumulator) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.node, "node")])?;
        let volume = reader.positive(&c.volume, "volume")?;
        let precharge = reader.positive(&c.precharge, "precharge")?;
        let exponent = reader.within(&c.exponent, "exponent", "at least 1", |n| n >= 1.0)?;
        let start = reader.within(&c.start, "start", "less than the volume of the gas", |v| v < volume)?;
        let seat = c.seat.as_ref().map(|seat| reader.positive(seat, "seat")).transpose()?;
        let store = Accumulator {
            inlet: self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?,
            volume,
            precharge,
            exponent,
            seat: seat.unwrap_or(100.0 * exponent * precharge / volume),
        };
        self.unknown(format!("{}.volume", c.name), "m^3", Kind::STATE, volume, start);
        self.part(c.name.clone(), Element::Accumulator(store), ports, 1, &[]);
        Ok(())
    }
}
