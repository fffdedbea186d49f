//! Variants of a model: parameters with other values than its file gives, simulators on other computers.

use crate::exit::Failure;
use clap::Args;
use fourbar::file::ModelFile;
use fourbar::multibody::expression::Expression;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct Variant {
    /// Gives a parameter of the model another value, a number or an expression of other parameters; of a coupled model SIMULATOR.NAME is a
    /// parameter of a simulator. May be given for several
    #[arg(long = "set", global = true, value_name = "NAME=VALUE", value_parser = assignment, allow_hyphen_values = true)]
    set: Vec<(String, Value)>,

    /// Has a simulator of a coupled model run on another computer, where `fourbar host` serves the same model. May be given for several
    #[arg(long = "host", global = true, value_name = "SIMULATOR=HOST:PORT", value_parser = host)]
    hosts: Vec<(String, String)>,
}

fn host(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((simulator, address)) if !simulator.is_empty() && address.contains(':') => {
            Ok((simulator.trim().to_owned(), address.trim().to_owned()))
        }
        _ => Err("write it as SIMULATOR=HOST:PORT".to_owned()),
    }
}

/// What a parameter becomes: an expression, or a text that is none, for an FMU, and why.
#[derive(Debug, Clone)]
enum Value {
    Number(Expression),
    Text(String, String),
}

fn assignment(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    let value = match Expression::parse(value.trim()) {
        Ok(value) => Value::Number(value),
        Err(error) => Value::Text(value.trim().to_owned(), error.to_string()),
    };
    match name.trim() {
        "" => Err("write the name of a parameter before the =".to_owned()),
        name => Ok((name.to_owned(), value)),
    }
}

impl Variant {
    /// The model in the file at `path` with these parameters.
    pub(crate) fn load(&self, path: &Path) -> Result<ModelFile, Failure> {
        let mut file = ModelFile::load(path).map_err(Failure::Model)?;
        for (k, (name, value)) in self.set.iter().enumerate() {
            if self.set[..k].iter().any(|(other, _)| other == name) {
                return Err(Failure::Usage(format!("--set {name} is given twice; leave one out")));
            }
            let refused = |words: String| Failure::Usage(format!("--set {name}: {words}"));
            match value {
                Value::Number(value) => {
                    let set = file.set_parameter(name, value.clone());
                    set.map_err(|error| refused(format!("{}; {}", error.problem, error.remedy)))?;
                }
                Value::Text(text, _) if file.set_text(name, text) => {}
                Value::Text(_, problem) => return Err(refused(problem.clone())),
            }
        }
        for (simulator, address) in &self.hosts {
            let set = file.set_host(simulator, address);
            set.map_err(|error| Failure::Usage(format!("--host {simulator}: {}; {}", error.problem, error.remedy)))?;
        }
        Ok(file)
    }

    /// The parameters with their values, for reports.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let shown = |value: &Value| match value {
            Value::Number(value) => value.to_string(),
            Value::Text(text, _) => text.clone(),
        };
        self.set.iter().map(move |(name, value)| (format!("parameter {name}"), shown(value)))
    }
}
