//! What has the name that an expression reads in vain: something that it cannot read from where it stands.

use crate::Error;
use crate::mechanism::MechanismModel;
use fourbar_multibody::ModelError;

/// The remedy for a name that nothing has where it stands, as far as `model` knows it elsewhere: as a measure of contacts, or as a parameter of the file
/// that includes.
pub(super) fn known_elsewhere(error: &Error, model: Option<&MechanismModel>) -> Option<String> {
    let Error::Multibody(fourbar_multibody::Error::Model(error)) = error else { return None };
    let ModelError { location, unknown: Some(name), .. } = &**error else { return None };
    let model = model?;
    let base = name.rsplit_once('.').map_or(name.as_str(), |(base, _)| base);
    if model.measures.iter().any(|measure| measure.name == *name || measure.name == base) {
        return Some(format!(
            "`{name}` is a measure of contacts, which expressions cannot read; write the law over distances and velocities"
        ));
    }
    let include = model
        .includes
        .iter()
        .find(|include| location.name.strip_prefix(include.name.as_str()).is_some_and(|rest| rest.starts_with('.')))?;
    let own = name.strip_prefix(&format!("{}.", include.name)).unwrap_or(name);
    model.model.parameters.contains_key(own).then(|| {
        format!(
            "`{own}` is a parameter of the including file, which the included model does not see; give the model a parameter `{own}` and \
             include \"{}\" `parameters = {{ {own} = \"{own}\" }}`",
            include.name
        )
    })
}
