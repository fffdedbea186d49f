//! Expressions bound to measures, and which measures they may use.

use super::super::scope::Scope;
use super::Measures;
use crate::error::{Location, ModelError};
use crate::expression::{Binding, Expression, Problem, Program};
use crate::measure::Source;

/// Refuses a vector where a number is wanted.
pub(in crate::compile) fn component_of(name: &str, location: &Location) -> Box<ModelError> {
    let remedy = format!("write one of its components: `{name}.x`, `{name}.y` or `{name}.z`");
    ModelError::new(location.clone(), format!("`{name}` is a vector"), remedy)
}

impl Measures {
    /// Binds a name of an expression: time, a parameter, a measured scalar, or an input.
    fn binding(&self, scope: &Scope<'_>, name: &str) -> Option<Binding> {
        if name == "time" {
            return Some(Binding::Slot(0));
        }
        let parameter = scope.parameters.binding(name);
        let measure = || self.index.get(name).map(|&m| Binding::Slot(m + 1));
        // Inputs follow the measures.
        let input = || self.inputs.get(name).map(|&k| Binding::Slot(self.scalars.len() + 1 + k));
        parameter.or_else(measure).or_else(input)
    }

    pub(in crate::compile) fn bind(
        &self,
        scope: &Scope<'_>,
        expression: &Expression,
        location: &Location,
    ) -> Result<Program, Box<ModelError>> {
        expression.bind(&mut |name| self.binding(scope, name)).map_err(|error| {
            let names = self.index.keys().chain(self.inputs.keys()).map(String::as_str);
            let known = names.chain(scope.parameters.names()).chain(["time"]);
            let error = error.suggest(known);
            let vector = |name: &String| self.index.contains_key(&format!("{name}.x"));
            if let Problem::UnknownName { name, .. } = &error.problem
                && vector(name)
            {
                return component_of(name, location);
            }
            ModelError::of_expression(
                location.clone(),
                &error,
                "expressions may use `time`, parameters, inputs and measures (a vector by its components, `name.x`)",
            )
        })
    }

    /// Binds an expression of a force, and notes which measures it uses.
    pub(in crate::compile) fn bind_force(
        &mut self,
        scope: &Scope<'_>,
        expression: &Expression,
        location: &Location,
    ) -> Result<Program, Box<ModelError>> {
        let program = self.bind(scope, expression, location)?;
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.resize(self.scalars.len(), false);
        let kinematic = self.refuse_accelerations(&program, &mut wanted, "a force or state", location);
        self.wanted = wanted;
        kinematic.map(|()| program)
    }

    /// Binds an expression of measures that do not depend on what acts: neither accelerations nor reactions.
    pub(in crate::compile) fn bind_kinematic(
        &self,
        scope: &Scope<'_>,
        expression: &Expression,
        location: &Location,
    ) -> Result<Program, Box<ModelError>> {
        let program = self.bind(scope, expression, location)?;
        let mut seen = vec![false; self.scalars.len()];
        self.refuse_accelerations(&program, &mut seen, "`active`", location).map(|()| program)
    }

    /// Marks in `seen` the scalars that a program uses, itself or by others, and refuses those that follow forces at once.
    fn refuse_accelerations(
        &self,
        program: &Program,
        seen: &mut [bool],
        what: &str,
        location: &Location,
    ) -> Result<(), Box<ModelError>> {
        let count = self.scalars.len();
        let mut pending: Vec<usize> = measured(program, count).collect();
        while let Some(m) = pending.pop() {
            // Each is followed once, however many others use it.
            if std::mem::replace(&mut seen[m], true) {
                continue;
            }
            match &self.scalars[m].source {
                Source::Kinematic(_) | Source::State(_) => {}
                Source::Expression(inner) => pending.extend(measured(inner, count)),
                Source::Acceleration { .. }
                | Source::Reaction(_)
                | Source::Energy(_)
                | Source::Body { .. }
                | Source::Load(_)
                | Source::Quaternion { .. }
                | Source::Switch(_) => {
                    return Err(ModelError::new(
                        location.clone(),
                        format!("the measure \"{}\" cannot drive {what}", self.scalars[m].info.name),
                        "forces, states and `active` may depend on positions, velocities, angles, distances and their rates, not on accelerations, reactions or energies",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Measured scalars that a program uses, of `count` there are.
fn measured(program: &Program, count: usize) -> impl Iterator<Item = usize> + '_ {
    program.slots().iter().filter_map(|s| s.checked_sub(1)).filter(move |&m| m < count)
}
