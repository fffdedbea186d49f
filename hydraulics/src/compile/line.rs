//! Lines, pipes and transmission lines.

use super::{Builder, Done};
use crate::circuit::plan::{Line, Place, Variable};
use crate::element::{Element, PipeCell, RigidLine, WaveLine};
use crate::fluid::Fluid;
use crate::model;
use fourbar_dae::Kind;
use fourbar_expression::model::ModelError;
use fourbar_linalg::text::Brief;
use std::f64::consts::PI;

/// A magnitude for flows [m^3/s].
const FLOW: f64 = 1e-4;
/// Waves that travel for less than this are none that a run of seconds could follow \[s\].
const SHORTEST_TRAVEL: f64 = 1e-8;

/// Resistance of laminar flow (Hagen, Poiseuille) [Pa s/m^3].
fn laminar(fluid: &Fluid, length: f64, diameter: f64) -> f64 {
    128.0 * fluid.viscosity * length / (PI * diameter.powi(4))
}

impl<'a> Builder<'a> {
    pub(super) fn line(&mut self, index: usize, c: &'a model::Line) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let line = RigidLine {
            inertance: reader.positive(&c.inertance, "inertance")?,
            resistance: reader.not_negative(&c.resistance, "resistance")?,
            turbulent: reader.not_negative(&c.turbulent, "turbulent")?,
        };
        self.unknown(format!("{}.flow", c.name), "m^3/s", Kind::STATE, FLOW, 0.0);
        self.part(c.name.clone(), Element::Line(line), ports, 1, &[]);
        Ok(())
    }

    pub(super) fn transmission_line(&mut self, index: usize, c: &'a model::TransmissionLine) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let length = reader.positive(&c.length, "length")?;
        let diameter = reader.positive(&c.diameter, "diameter")?;
        let pressure = reader.positive(&c.pressure, "pressure")?;
        let given = c.speed_of_sound.as_ref().map(|speed| reader.positive(speed, "speed_of_sound")).transpose()?;
        let speed = given.unwrap_or_else(|| (self.fluid.bulk_modulus(pressure) / self.fluid.density).sqrt());
        let area = PI * diameter * diameter / 4.0;
        let impedance = self.fluid.density * speed / area;
        let resistance = laminar(&self.fluid, length, diameter);
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

    pub(super) fn pipe(&mut self, index: usize, c: &'a model::Pipe) -> Done {
        let reader = self.reader(index, &c.name);
        let ends = self.ports(&reader, &[(&c.from, "from"), (&c.to, "to")])?;
        let length = reader.positive(&c.length, "length")?;
        let diameter = reader.positive(&c.diameter, "diameter")?;
        if !(1..=1000).contains(&c.segments) {
            let problem = format!("the value is {}", c.segments);
            return Err(ModelError::new(reader.at("segments"), problem, "it must be from 1 to 1000"));
        }
        let (part, area) = (length / c.segments as f64, PI * diameter * diameter / 4.0);
        let cell = PipeCell {
            fluid: self.fluid,
            area,
            inertance: self.fluid.density * part / area,
            resistance: laminar(&self.fluid, part, diameter),
            open: [true, true],
        };
        self.cells(&c.name, &cell, area * part, [ends[0], ends[1]], c.segments);
        Ok(())
    }

    /// A row of `count` cells of this volume between two nodes.
    fn cells(&mut self, pipe: &str, cell: &PipeCell, volume: f64, ends: [usize; 2], count: usize) {
        // Cells start as the first end that has a start of its own.
        let known = |&end: &usize| match self.nodes[end].place {
            Place::Unknown(i) => Some(self.start[i]).filter(|p| p.is_finite()),
            Place::Held(_) => None,
        };
        let start = ends.iter().find_map(known);
        let own: Vec<usize> = (1..=count)
            .map(|k| {
                let name = format!("{pipe}.n{k}");
                let pressure = self.pressure(&name, start);
                self.add_node(name, Place::Unknown(pressure), volume)
            })
            .collect();
        let row: Vec<usize> = [ends[0]].into_iter().chain(own).chain([ends[1]]).collect();
        for k in 0..count {
            let name = format!("{pipe}.s{}", k + 1);
            let flow = self.unknown(format!("{name}.flow"), "m^3/s", Kind::STATE, FLOW, 0.0);
            let open = [k == 0, k + 1 == count];
            // At an open end there is no neighbour, and its own flow stands in the place of that.
            let beside = [if open[0] { flow } else { flow - 1 }, if open[1] { flow } else { flow + 1 }];
            let ports = vec![row[k + 1], row[k], row[k + 2]];
            self.part(
                name,
                Element::PipeCell(PipeCell { open, ..cell.clone() }),
                ports,
                1,
                &beside.map(Variable::Unknown),
            );
        }
    }
}
