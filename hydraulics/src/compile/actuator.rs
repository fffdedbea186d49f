//! Cylinders and motors: the rod or shaft is moved from outside, or carries its own inertia.

use super::{Builder, Done, Reader, efficiency};
use crate::circuit::plan::Variable;
use crate::element::{Cylinder, Drive, Element, Friction, Motor, Stops, Winch};
use crate::model;
use fourbar_dae::Kind;
use fourbar_expression::model::ModelError;

/// Kinds of unknowns, named as those of mechanisms.
const POSITION: Kind = Kind::differential("positions");
const VELOCITY: Kind = Kind::differential("velocities");
const ANGULAR_VELOCITY: Kind = Kind::differential("angular velocities");

impl<'a> Builder<'a> {
    pub(super) fn cylinder(&mut self, index: usize, c: &'a model::Cylinder) -> Done {
        let reader = self.reader(index, &c.name);
        let (b, [area_b, dead_b]) = rod_side(&reader, c)?;
        let ports = self.ports(&reader, &[(&c.a, "a"), (b, "b")])?;
        let stroke = reader.positive(&c.stroke, "stroke")?;
        // Stops give way: a rod at rest against one is beyond its stroke.
        let within = |x: f64| c.stops.is_some() || (0.0..=stroke).contains(&x);
        let position = reader.within(&c.position, "position", "from 0 to the `stroke`", within)?;
        let start = [position, reader.number(&c.velocity, "velocity")?];
        let mass = c.load.as_ref().map(|load| reader.positive(&load.mass, "load.mass")).transpose()?;
        let cylinder = Cylinder {
            area: [reader.positive(&c.area_a, "area_a")?, area_b],
            dead: [reader.positive(&c.dead_a, "dead_a")?, dead_b],
            stroke,
            leakage: reader.not_negative(&c.leakage, "leakage")?,
            friction: read_friction(&reader, &c.friction)?,
            stops: c.stops.as_ref().map(|stops| read_stops(&reader, stops)).transpose()?,
            drive: mass.map_or(Drive::External, Drive::Inertia),
        };
        for &node in &ports {
            self.nodes[node].stores = true;
        }
        let variables = [("position", "m", POSITION), ("velocity", "m/s", VELOCITY)];
        let mut drivers = vec![];
        for ((what, unit, kind), value) in variables.into_iter().zip(start) {
            let name = format!("{}.{what}", c.name);
            if c.load.is_some() {
                self.unknown(name, unit, kind, 1.0, value);
            } else {
                drivers.push(self.input(name, unit, value));
            }
        }
        if let Some(load) = &c.load {
            drivers.push(self.driver(index, &c.name, &load.force, "load.force"));
        }
        let states = if c.load.is_some() { 2 } else { 0 };
        self.part(c.name.clone(), Element::Cylinder(cylinder), ports, states, &drivers);
        Ok(())
    }

    pub(super) fn motor(&mut self, index: usize, c: &'a model::Motor) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.a, "a"), (&c.b, "b")])?;
        let start = reader.number(&c.speed, "speed")?;
        let inertia = c.shaft.as_ref().map(|shaft| reader.positive(&shaft.inertia, "shaft.inertia")).transpose()?;
        let motor = Motor {
            displacement: reader.positive(&c.displacement, "displacement")?,
            leakage: reader.not_negative(&c.leakage, "leakage")?,
            friction: read_friction(&reader, &c.friction)?,
            efficiency: efficiency::read(&reader, c.efficiency.as_ref())?,
            drive: inertia.map_or(Drive::External, Drive::Inertia),
        };
        let name = format!("{}.speed", c.name);
        let (states, driver) = match &c.shaft {
            Some(shaft) => {
                self.unknown(name, "rad/s", ANGULAR_VELOCITY, 1.0, start);
                (1, self.driver(index, &c.name, &shaft.torque, "shaft.torque"))
            }
            None => (0, self.input(name, "rad/s", start)),
        };
        self.part(c.name.clone(), Element::Motor(motor), ports, states, &[driver]);
        Ok(())
    }

    pub(super) fn winch(&mut self, index: usize, c: &'a model::Winch) -> Done {
        let reader = self.reader(index, &c.name);
        let ports = self.ports(&reader, &[(&c.a, "a"), (&c.b, "b")])?;
        let [length, velocity] = [reader.number(&c.length, "length")?, reader.number(&c.velocity, "velocity")?];
        let inertia = c.drum.as_ref().map(|drum| reader.positive(&drum.inertia, "drum.inertia")).transpose()?;
        let motor = Motor {
            displacement: reader.positive(&c.displacement, "displacement")?,
            leakage: reader.not_negative(&c.leakage, "leakage")?,
            friction: read_friction(&reader, &c.friction)?,
            efficiency: efficiency::read(&reader, c.efficiency.as_ref())?,
            drive: inertia.map_or(Drive::External, Drive::Inertia),
        };
        let radius = reader.positive(&c.radius, "radius")?;
        let winch = Winch { motor, turns: reader.positive(&c.gear, "gear")? / radius, radius };
        let rate = format!("{}.velocity", c.name);
        let (states, driver) = match &c.drum {
            Some(drum) => {
                self.unknown(format!("{}.length", c.name), "m", POSITION, 1.0, length);
                self.unknown(rate, "m/s", VELOCITY, 1.0, velocity);
                (2, self.driver(index, &c.name, &drum.tension, "drum.tension"))
            }
            None => (0, self.input(rate, "m/s", velocity)),
        };
        self.part(c.name.clone(), Element::Winch(winch), ports, states, &[driver]);
        Ok(())
    }

    fn input(&mut self, name: String, unit: &str, start: f64) -> Variable {
        self.inputs.push(crate::Variable { name, unit: unit.to_owned(), start });
        Variable::Input(self.inputs.len() - 1)
    }
}

/// Node, area and dead volume at B. A single-acting cylinder has a chamber of nothing there, which stands at the node of the other.
fn rod_side<'a>(reader: &Reader, c: &'a model::Cylinder) -> Result<(&'a str, [f64; 2]), Box<ModelError>> {
    let fields = [("area_b", &c.area_b), ("dead_b", &c.dead_b)];
    let Some(b) = &c.b else {
        let refuse = |field: &str| {
            let problem = format!("a cylinder without `b` has no chamber there, and no `{field}`");
            Err(ModelError::new(reader.at(field), problem, "name the node of that chamber as `b`, or leave this out"))
        };
        if let Some((field, _)) = fields.iter().find(|(_, value)| value.is_some()) {
            return refuse(field);
        }
        return if reader.not_negative(&c.leakage, "leakage")? > 0.0 {
            refuse("leakage")
        } else {
            Ok((c.a.as_str(), [0.0; 2]))
        };
    };
    let [area, dead] = fields.map(|(field, value)| match value {
        Some(value) => reader.positive(value, field),
        None => {
            let problem = format!("the chamber at node \"{b}\" has no `{field}`");
            let remedy = "give it, or leave out `b` if the cylinder is single-acting";
            Err(ModelError::new(reader.at("b"), problem, remedy))
        }
    });
    Ok((b.as_str(), [area?, dead?]))
}

fn read_friction(reader: &Reader, friction: &model::Friction) -> Result<Friction, Box<ModelError>> {
    let coulomb = reader.not_negative(&friction.coulomb, "friction.coulomb")?;
    let breakaway = friction.breakaway.as_ref();
    let breakaway = breakaway.map(|force| reader.not_negative(force, "friction.breakaway")).transpose()?;
    Ok(Friction {
        coulomb,
        breakaway: breakaway.unwrap_or(coulomb),
        stribeck: reader.positive(&friction.stribeck, "friction.stribeck")?,
        rounding: reader.positive(&friction.rounding, "friction.rounding")?,
        viscous: reader.not_negative(&friction.viscous, "friction.viscous")?,
    })
}

fn read_stops(reader: &Reader, stops: &model::Stops) -> Result<Stops, Box<ModelError>> {
    Ok(Stops {
        stiffness: reader.positive(&stops.stiffness, "stops.stiffness")?,
        damping: reader.not_negative(&stops.damping, "stops.damping")?,
    })
}
