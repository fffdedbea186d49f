//! Places of faults of contacts.

use super::Fault;
use crate::mechanism::MechanismModel;
use fourbar_contact::Error as ContactError;
use fourbar_multibody::Location;

/// A contact whose gap cannot be evaluated, or a setting that the solvers refuse.
pub(super) fn of_contact(error: &ContactError, mechanism: &MechanismModel) -> Option<Fault> {
    match error {
        ContactError::Gap { pair, time, reason } => {
            let problem = format!("contact \"{pair}\" cannot be evaluated at t = {time} s");
            Some((of_pair(pair, mechanism)?, problem, reason.clone()))
        }
        ContactError::Penetrating { contact, .. } => {
            let text = error.to_string();
            let (problem, remedy) = text.split_once(": move ")?;
            Some((of_pair(contact, mechanism)?, problem.to_owned(), format!("move {remedy}")))
        }
        _ => None,
    }
}

/// Where the contact stands that a message calls by its name, or by that and what of it touches: `stack: top on low`.
fn of_pair(called: &str, mechanism: &MechanismModel) -> Option<Location> {
    let names = || mechanism.contacts.contacts.iter().map(|contact| contact.name.as_str());
    let part = |name: &str| called.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(": "));
    let (index, name) = names().enumerate().filter(|(_, name)| part(name)).max_by_key(|(_, name)| name.len())?;
    Some(Location { section: "contact", index, name: name.to_owned(), field: String::new() })
}
