//! Each kind of component: its numbers, ports, states and drivers.

use super::{Builder, Reader};
use crate::circuit::plan::{Line, Place, Variable};
use crate::element::{Accumulator, Adjustment, Check, Element, Pump, Reducing, Relief, RigidLine, Spool, WaveLine};
use crate::fluid::Edge;
use crate::model::{self, Center, Component, Sense};
use fourbar_linalg::text::Brief;
use fourbar_multibody::ModelError;
use fourbar_multibody::dae::Kind;
use fourbar_multibody::expression::Expression;
use std::f64::consts::PI;

type Done = Result<(), Box<ModelError>>;

/// A magnitude for flows [m^3/s].
const FLOW: f64 = 1e-4;
/// Waves that travel for less than this are none that a run of seconds could follow \[s\].
const SHORTEST_TRAVEL: f64 = 1e-8;

impl<'a> Builder<'a> {
    /// Adds the component `index` of the model.
    pub(super) fn component(&mut self, index: usize, component: &'a Component) -> Done {
        match component {
            Component::Orifice(c) => self.orifice(index, c),
            Component::CheckValve(c) => self.check_valve(index, c),
            Component::ReliefValve(c) => self.relief_valve(index, c),
            Component::ReducingValve(c) => self.reducing_valve(index, c),
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
        named.iter().map(find).collect()
    }

    /// As [`Builder::signal`], as a variable of a component.
    pub(super) fn driver(&mut self, index: usize, name: &str, e: &'a Expression, field: &str) -> Variable {
        let place = self.reader(index, name).at(field);
        Variable::Signal(self.signal(e, place))
    }

    fn edge(
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
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let valve = Reducing {
            edge: self.edge(&reader, &c.area, &c.discharge, &c.laminar_below)?,
            pressure: reader.positive(&c.pressure, "pressure")?,
            band: reader.positive(&c.band, "band")?,
            leak: reader.share(&c.leak, "leak")?,
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
        self.unknown(format!("{}.spool", c.name), "1", Kind::State, 1.0, 0.0);
        self.unknown(format!("{}.spool_velocity", c.name), "1/s", Kind::State, frequency, 0.0);
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
        let speed = self.driver(index, &c.name, &c.speed, "speed");
        let pump = Pump { displacement, leakage, adjustment: None };
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
        self.unknown(format!("{}.setting", c.name), "1", Kind::State, 1.0, 0.0);
        let speed = self.driver(index, &c.name, &c.speed, "speed");
        let setting = self.driver(index, &c.name, &c.setting, "setting");
        let pump = Pump { displacement, leakage, adjustment: Some(adjustment) };
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
        self.unknown(format!("{}.volume", c.name), "m^3", Kind::State, volume, start);
        self.part(c.name.clone(), Element::Accumulator(store), ports, 1, &[]);
        Ok(())
    }

    fn line(&mut self, index: usize, c: &'a model::Line) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let line = RigidLine {
            inertance: reader.positive(&c.inertance, "inertance")?,
            resistance: reader.not_negative(&c.resistance, "resistance")?,
            turbulent: reader.not_negative(&c.turbulent, "turbulent")?,
            volume: 0.0,
        };
        self.add_line(c.name.clone(), line, ports);
        Ok(())
    }

    fn add_line(&mut self, name: String, line: RigidLine, ports: Vec<usize>) {
        self.unknown(format!("{name}.flow"), "m^3/s", Kind::State, FLOW, 0.0);
        for &node in ports.iter().filter(|_| line.volume > 0.0) {
            self.nodes[node].stores = true;
        }
        self.part(name, Element::Line(line), ports, 1, &[]);
    }

    fn transmission_line(&mut self, index: usize, c: &'a model::TransmissionLine) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let length = reader.positive(&c.length, "length")?;
        let diameter = reader.positive(&c.diameter, "diameter")?;
        let pressure = reader.positive(&c.pressure, "pressure")?;
        let given = c.speed_of_sound.as_ref().map(|speed| reader.positive(speed, "speed_of_sound")).transpose()?;
        let speed = given.unwrap_or_else(|| (self.fluid.bulk_modulus(pressure) / self.fluid.density).sqrt());
        let area = PI * diameter * diameter / 4.0;
        let impedance = self.fluid.density * speed / area;
        let resistance = 128.0 * self.fluid.viscosity * length / (PI * diameter.powi(4));
        if resistance >= impedance {
            let (resistance, impedance) = (Brief(resistance), Brief(impedance));
            let problem = format!("its resistance {resistance} Pa s/m^3 exceeds its impedance {impedance} Pa s/m^3");
            let remedy = "waves die out in such a line: use a `pipe`, or several transmission lines in a row";
            return Err(ModelError::new(reader.at("length"), problem, remedy));
        }
        let travel = length / speed;
        if !(travel >= SHORTEST_TRAVEL) {
            let travel = Brief(travel);
            let problem =
                format!("waves travel through it in {travel} s, and no step of a run can be longer than half of it");
            let (inertance, resistance) = (Brief(self.fluid.density * length / area), Brief(resistance));
            let remedy = format!(
                "use a `line`, which allows any step, with inertance = {inertance:.5} and resistance = {resistance:.5}"
            );
            return Err(ModelError::new(reader.at("length"), problem, remedy));
        }
        let first = 2 * self.lines.len();
        self.lines.push(Line { part: self.parts.len(), travel, impedance, resistance });
        let drivers = [Variable::Wave(first), Variable::Wave(first + 1), Variable::Steady];
        let line = WaveLine { impedance, resistance };
        self.part(c.name.clone(), Element::WaveLine(line), ports, 0, &drivers);
        Ok(())
    }

    fn pipe(&mut self, index: usize, c: &'a model::Pipe) -> Done {
        let reader = self.reader(index, &c.name);
        let ends = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let length = reader.positive(&c.length, "length")?;
        let diameter = reader.positive(&c.diameter, "diameter")?;
        if !(1..=1000).contains(&c.segments) {
            let problem = format!("the value is {}", c.segments);
            return Err(ModelError::new(reader.at("segments"), problem, "it must be from 1 to 1000"));
        }
        let (part, area) = (length / c.segments as f64, PI * diameter * diameter / 4.0);
        let line = RigidLine {
            inertance: self.fluid.density * part / area,
            resistance: 128.0 * self.fluid.viscosity * part / (PI * diameter.powi(4)),
            turbulent: 0.0,
            volume: 0.5 * area * part,
        };
        // Inner nodes start as the first end that has a start of its own.
        let known = |&end: &usize| match self.nodes[end].place {
            Place::Unknown(i) => Some(self.start[i]).filter(|p| p.is_finite()),
            Place::Held(_) => None,
        };
        let start = ends.iter().find_map(known);
        let mut before = ends[0];
        for k in 1..=c.segments {
            let next = if k == c.segments {
                ends[1]
            } else {
                let name = format!("{}.n{k}", c.name);
                let pressure = self.pressure(&name, start);
                self.add_node(name, Place::Unknown(pressure), 0.0)
            };
            self.add_line(format!("{}.s{k}", c.name), line.clone(), vec![before, next]);
            before = next;
        }
        Ok(())
    }
}
