//! What has the name that an expression reads in vain, or the place of a section that stands elsewhere; remedies of messages.

use super::explain::ENTRY_SECTIONS;
use super::issue::Segment;
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

/// The remedy for a section of the included model that stands in an `[[include]]` itself.
pub(super) fn included_section(path: &[Segment], field: &str) -> Option<String> {
    let [Segment::Key(section), Segment::Index(_), ..] = path else { return None };
    (section == "include" && ENTRY_SECTIONS.contains(&field))
        .then(|| format!("write it in the included model: head it with [[include.model.{field}]], or name the `file`"))
}

/// What a message says is wrong, and what to do: what stands behind its last semicolon, if there is one.
pub(super) fn message_remedy(message: &str) -> (&str, &str) {
    match message.rsplit_once("; ") {
        Some(parts) => parts,
        None if message.starts_with("cannot read") => {
            (message, "paths begin at the folder of the model file; look at the file that is named")
        }
        None => (message, "docs/model-format.md says what may stand here"),
    }
}

/// What an error of a compiled model or of its run says is wrong, and what helps: what stands behind its first sentence, or behind its last semicolon if
/// that comes earlier. Those within parentheses part nothing.
pub(super) fn problem_and_remedy(text: &str) -> (&str, &str) {
    let (mut depth, mut semicolon, mut sentence) = (0_usize, None, None);
    for (at, c) in text.char_indices() {
        let next = &text[at + c.len_utf8()..];
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ';' if depth == 0 && next.starts_with(' ') => semicolon = Some(at),
            '.' if depth == 0 && sentence.is_none() => {
                let mut following = next.chars();
                let begins = following.next() == Some(' ') && following.next().is_some_and(char::is_uppercase);
                sentence = begins.then_some(at);
            }
            _ => {}
        }
    }
    match semicolon.into_iter().chain(sentence).min() {
        Some(at) => (&text[..at], &text[at + 2..]),
        None => (text, "docs/errors.md says what helps"),
    }
}

#[cfg(test)]
mod tests {
    use super::problem_and_remedy;

    #[test]
    fn errors_part_where_their_remedy_begins() {
        let parts = |text, problem, remedy| assert_eq!(problem_and_remedy(text), (problem, remedy));
        parts(
            "at t = 0.2 a step is too long: xi (7.1). Look for a jump there",
            "at t = 0.2 a step is too long: xi (7.1)",
            "Look for a jump there",
        );
        parts(
            "no convergence. Look for a jump; an index fails too",
            "no convergence",
            "Look for a jump; an index fails too",
        );
        parts("singular (no pivot; row 3; x). Look for valves", "singular (no pivot; row 3; x)", "Look for valves");
        parts("open by 1 m; check lengths", "open by 1 m", "check lengths");
        parts("two things; one more; draw nearer. Then run", "two things; one more", "draw nearer. Then run");
        assert_eq!(problem_and_remedy("it broke").0, "it broke");
    }
}
