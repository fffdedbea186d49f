//! What the partners exchange, apart from the partners: for whoever edits connections (R10, R15).

use super::connection::{Connection, ConnectionPart, Described, Directory, relation};
use super::partner::Partner;
use crate::Error;
use crate::function::{Causality, Description, Variable};
use std::collections::HashMap;

/// Names and descriptions of partners.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    name: String,
    description: Description,
}

impl Described for Entry {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &Description {
        &self.description
    }
}

/// What is wrong with one of several connections.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectionFault {
    /// Which connection.
    pub index: usize,
    /// What of it.
    pub part: ConnectionPart,
    /// Why it is refused.
    pub error: Error,
}

impl Catalogue {
    /// Asks the partners.
    #[must_use]
    pub fn of(partners: &[Partner]) -> Self {
        let entry = |partner: &Partner| Entry { name: partner.name.clone(), description: partner.simulator.describe() };
        Self { entries: partners.iter().map(entry).collect() }
    }

    /// Names and descriptions, in the order of the partners.
    pub fn partners(&self) -> impl Iterator<Item = (&str, &Description)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), &entry.description))
    }

    /// The variables of one causality with their names in connections, "partner.variable".
    pub fn variables(&self, causality: Causality) -> impl Iterator<Item = (String, &Variable)> {
        let of = move |entry: &'_ Entry| -> Vec<(String, usize)> {
            let named = entry.description.variables.iter().enumerate();
            let of_it = named.filter(|(_, variable)| variable.causality == causality);
            of_it.map(|(i, variable)| (format!("{}.{}", entry.name, variable.name), i)).collect()
        };
        self.entries
            .iter()
            .flat_map(move |entry| of(entry).into_iter().map(|(name, i)| (name, &entry.description.variables[i])))
    }

    /// Everything that is wrong with these connections, at most one fault each.
    #[must_use]
    pub fn check(&self, connections: &[Connection]) -> Vec<ConnectionFault> {
        let directory = Directory::new(&self.entries);
        let mut sources: HashMap<_, &str> = HashMap::with_capacity(connections.len());
        let mut faults = Vec::new();
        for (index, connection) in connections.iter().enumerate() {
            match relation(&directory, connection) {
                Err((part, error)) => faults.push(ConnectionFault { index, part, error }),
                Ok(relation) => {
                    if let Some(other) = sources.get(&relation.target) {
                        let sources = [(*other).to_owned(), connection.from.clone()];
                        let error = Error::TwoSources { target: connection.to.clone(), sources };
                        faults.push(ConnectionFault { index, part: ConnectionPart::To, error });
                    }
                    sources.entry(relation.target).or_insert(&connection.from);
                }
            }
        }
        faults
    }
}
