//! What errors of integrators are called in C.

use fourbar::dae::EvalError;
use fourbar::dae::integrator::{Cause, Error};

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        // All that is evaluated here are functions of the host.
        let status = if is_of_evaluation(&error) { Status::FOURBAR_CALLBACK } else { status_of(&error) };
        Self::new(status, without_command_line(&error.to_string()))
    }
}

/// The text without the options of the command line, which a host does not have: "(--end)", "(.., --max-steps)".
pub(crate) fn without_command_line(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = [" (--", ", --"].iter().filter_map(|option| rest.find(option)).min() {
        let (before, option) = rest.split_at(at);
        let bracket = option.starts_with(" (");
        let end = option[4..].find(|c: char| !(c.is_ascii_lowercase() || c == '-')).map_or(option.len(), |end| 4 + end);
        let after = &option[end..];
        kept.push_str(before);
        match after.strip_prefix(')') {
            Some(after) if bracket => rest = after,
            // Others stand in the bracket.
            _ if bracket => {
                kept.push_str(" (");
                rest = after.trim_start_matches([',', ' ']);
            }
            _ => rest = after,
        }
    }
    kept + rest
}

pub(crate) fn status_of(error: &Error) -> Status {
    match error {
        Error::Length { .. } => Status::FOURBAR_LENGTH,
        Error::NotFinite { .. } => Status::FOURBAR_NOT_FINITE,
        Error::ForeignSnapshot { .. } => Status::FOURBAR_STATE,
        Error::Evaluation(_)
        | Error::SmallestStep { .. }
        | Error::FixedStep { .. }
        | Error::Start { .. }
        | Error::StepLimit { .. }
        | Error::Stiff { .. } => Status::FOURBAR_NUMERICAL,
        _ => Status::FOURBAR_INVALID,
    }
}

/// Whether somebody said that the equations cannot be evaluated.
pub(crate) fn is_of_evaluation(error: &Error) -> bool {
    matches!(error, Error::Evaluation(_)) || matches!(cause_of(error), Some(Cause::Evaluation(_)))
}

/// Whether the equations gave what is no finite number.
pub(crate) fn is_not_finite(error: &Error) -> bool {
    matches!(cause_of(error), Some(Cause::NotFinite { .. }))
}

fn cause_of(error: &Error) -> Option<&Cause> {
    match error {
        Error::SmallestStep { cause, .. } | Error::FixedStep { cause, .. } | Error::Start { cause, .. } => Some(cause),
        _ => None,
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Self::new(Status::FOURBAR_CALLBACK, error)
    }
}

#[cfg(test)]
mod tests {
    use super::without_command_line;

    #[test]
    fn options_of_the_command_line_are_left_out() {
        for (given, kept) in [
            ("give the run one (--end)", "give the run one"),
            ("raise it (max_steps, --max-steps) or wait", "raise it (max_steps) or wait"),
            ("give one (--step, or in the file); t - -1", "give one (or in the file); t - -1"),
            ("a -- b, --c (--d)", "a -- b"),
            ("nothing (of it)", "nothing (of it)"),
        ] {
            assert_eq!(without_command_line(given), kept);
        }
    }
}
