//! Parameters and splines: named constants and curves over which the expressions of a model are evaluated.

use super::check::unique;
use super::error::ModelError;
use super::location::Location;
use super::spline::Spline as Points;
use crate::binding::Binding;
use crate::definitions::definition_order;
use crate::expression::Expression;
use crate::parser::is_free_name;
use crate::program::Stack;
use crate::spline::{Spline, SplineError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The parameters of a model as numbers, and what its expressions of parameters are worth.
///
/// ```
/// use fourbar_expression::Expression;
/// use fourbar_expression::model::{Location, Parameters};
///
/// let model = [("length", "0.3"), ("half", "length/2")];
/// let model = model.map(|(name, text)| (name.to_owned(), Expression::parse(text).unwrap())).into();
/// let parameters = Parameters::new(&model)?;
/// let place = Location { section: "body", index: 0, name: "rod".into(), field: "mass".into() };
/// assert_eq!(parameters.number(&Expression::parse("4*half").unwrap(), &place)?, 0.6);
/// # Ok::<(), Box<fourbar_expression::model::ModelError>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Parameters<'a> {
    values: BTreeMap<&'a str, f64>,
    splines: BTreeMap<&'a str, Arc<Spline>>,
}

impl<'a> Parameters<'a> {
    /// Evaluates the parameters, which may refer to each other in any order.
    ///
    /// # Errors
    /// A name that no expression could use, a circle, or a value that is not finite.
    pub fn new(model: &'a BTreeMap<String, Expression>) -> Result<Self, Box<ModelError>> {
        Self::with_splines(model, &[])
    }

    /// As [`Parameters::new`], and splines that expressions name.
    ///
    /// # Errors
    /// As [`Parameters::new`]; a spline whose points are no curve, or with a name that is taken or that no expression could use.
    pub fn with_splines(
        model: &'a BTreeMap<String, Expression>,
        splines: &'a [Points],
    ) -> Result<Self, Box<ModelError>> {
        for (index, name) in model.keys().enumerate() {
            if !is_free_name(name) {
                return Err(ModelError::new(
                    Location::new("parameters", index, name, ""),
                    format!("`{name}` cannot name a parameter"),
                    "use letters, digits and _, beginning with a letter, and not the name of a function, `time` or `pi`",
                ));
            }
        }
        Self::with_names(model, splines)
    }

    /// As [`Parameters::new`] of names that others have given, as those of variables of an FMU (`gain[2]`, `Gain (1)`, `pi`): those that no expression
    /// could use have values as well.
    ///
    /// # Errors
    /// As [`Parameters::new`], but for such a name.
    pub fn of_any_names(
        model: &'a BTreeMap<String, Expression>,
        splines: &'a [Points],
    ) -> Result<Self, Box<ModelError>> {
        Self::with_names(model, splines)
    }

    fn with_names(model: &'a BTreeMap<String, Expression>, splines: &'a [Points]) -> Result<Self, Box<ModelError>> {
        let definitions: Vec<(&str, &Expression)> = model.iter().map(|(n, e)| (n.as_str(), e)).collect();
        let order = definition_order(&definitions).map_err(|cycle| {
            let name = cycle.cycle.first().cloned().unwrap_or_default();
            let index = definitions.iter().position(|(n, _)| *n == name).unwrap_or(0);
            ModelError::new(
                Location::new("parameters", index, &name, ""),
                format!("cyclic expression: {}", cycle.cycle.join(" -> ")),
                "define one of these without the others",
            )
        })?;
        let mut parameters = Self { values: BTreeMap::new(), splines: read_splines(model, splines)? };
        for index in order {
            let (name, expression) = definitions[index];
            let value = parameters.number(expression, &Location::new("parameters", index, name, ""))?;
            parameters.values.insert(name, value);
        }
        Ok(parameters)
    }

    /// Value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }

    /// What a name means in an expression: a parameter, or a spline.
    #[must_use]
    pub fn binding(&self, name: &str) -> Option<Binding> {
        let spline = || self.splines.get(name).map(|spline| Binding::Spline(Arc::clone(spline)));
        let constant = self.get(name).filter(|_| is_free_name(name)).map(Binding::Constant);
        constant.or_else(spline)
    }

    /// The names of parameters and splines.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.values.keys().chain(self.splines.keys()).copied()
    }

    /// Value of an expression of parameters.
    ///
    /// # Errors
    /// An unknown name, or a value that is not finite; `location` says where the expression stands.
    pub fn number(&self, expression: &Expression, location: &Location) -> Result<f64, Box<ModelError>> {
        let program = expression.bind(&mut |name| self.binding(name)).map_err(|error| {
            ModelError::of_expression(
                location.clone(),
                &error.suggest(self.names()),
                "only parameters, numbers, `pi` and functions may stand here",
            )
        })?;
        let value = program.evaluate::<f64>(&[], &mut Stack::new(program.depth()));
        if value.is_finite() {
            Ok(value)
        } else {
            Err(ModelError::new(
                location.clone(),
                format!("`{expression}` has the value {value}"),
                "write an expression with a finite value",
            ))
        }
    }

    /// As [`Parameters::number`], and checked to satisfy `holds`; `allowed` says in words what does.
    ///
    /// # Errors
    /// As [`Parameters::number`]; a value that is not `allowed`.
    pub fn checked(
        &self,
        expression: &Expression,
        location: &Location,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<f64, Box<ModelError>> {
        let value = self.number(expression, location)?;
        if holds(value) {
            Ok(value)
        } else {
            Err(ModelError::new(location.clone(), format!("the value is {value}"), format!("it must be {allowed}")))
        }
    }
}

/// The splines by their names.
fn read_splines<'a>(
    parameters: &BTreeMap<String, Expression>,
    splines: &'a [Points],
) -> Result<BTreeMap<&'a str, Arc<Spline>>, Box<ModelError>> {
    unique("spline", splines.iter().map(|spline| spline.name.as_str()))?;
    let mut read = BTreeMap::new();
    for (index, spline) in splines.iter().enumerate() {
        let name = spline.name.as_str();
        let place = |field: &str| Location::new("spline", index, name, field);
        if !is_free_name(name) {
            return Err(ModelError::new(
                place("name"),
                format!("`{name}` cannot name a spline"),
                "use letters, digits and _, beginning with a letter, and not the name of a function, `time` or `pi`",
            ));
        }
        if parameters.contains_key(name) {
            return Err(ModelError::new(
                place("name"),
                "a parameter has this name",
                "choose another name for one of them",
            ));
        }
        if let Some(file) = &spline.file {
            let remedy = "give x and y, or read the model from a file, whose folder then says where the curve lies";
            return Err(ModelError::new(place("file"), format!("the file {file:?} was not read"), remedy));
        }
        let curve = spline.interpolated().map_err(|error| {
            let text = error.to_string();
            let (problem, remedy) = text.rsplit_once("; ").unwrap_or((&text, "correct the points"));
            let from = spline.source.as_ref().map_or_else(String::new, |file| format!(" in {}", file.display()));
            let field = if from.is_empty() { place_of(spline, &error) } else { String::new() };
            ModelError::new(place(&field), format!("{problem}{from}"), remedy)
        })?;
        read.insert(name, Arc::new(curve));
    }
    Ok(read)
}

/// The field of a spline that an error is about.
fn place_of(spline: &Points, error: &SplineError) -> String {
    match error {
        SplineError::TooFew { axis, .. } => (*axis).to_owned(),
        SplineError::NotFinite { axis: "y", index, .. } if !spline.z.is_empty() => format!("y.{index}"),
        SplineError::NotFinite { axis, index, .. } | SplineError::NotIncreasing { axis, index, .. } => {
            format!("{axis}.{index}")
        }
        SplineError::Length { .. } => "y".to_owned(),
        SplineError::Overflow { index, .. } => format!("x.{index}"),
    }
}
