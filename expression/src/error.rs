//! What can be wrong with an expression, where, and what to write instead.
use thiserror::Error;

use super::function;
use fourbar_linalg::unit::UnknownUnit;

/// An expression that cannot be used: the text, the place in it and the problem.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{problem}{}", place(.text, *.offset))]
pub struct ExpressionError {
    /// The text of the expression; empty where it is too long to be kept.
    pub text: String,
    /// Where the problem begins, in bytes from the start of `text`; a character boundary.
    pub offset: usize,
    /// What is wrong and what to do.
    pub problem: Problem,
}

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing but white space.
    #[error("the expression is empty; write a number or a formula")]
    Empty,
    /// The text is longer than any formula a person writes.
    #[error("the expression has {length} bytes, the limit is {limit}; split it into measures")]
    TooLong {
        /// Length of the text in bytes.
        length: usize,
        /// The largest length in bytes.
        limit: usize,
    },
    /// Parentheses, signs, exponents or calls are nested too deeply.
    #[error("more than {limit} levels of nesting; split the expression into measures")]
    TooDeep {
        /// The largest number of levels.
        limit: usize,
    },
    /// A character that no expression contains.
    #[error("the character `{found}` has no meaning here; {remedy}")]
    Character {
        /// The character.
        found: char,
        /// What may have been meant.
        remedy: &'static str,
    },
    /// A number with a malformed exponent or two decimal points.
    #[error("`{found}` is not a number; write for example 0.001 or 1e-3")]
    Number {
        /// The text of the number.
        found: String,
    },
    /// A number too large for double precision.
    #[error("the number `{found}` is too large; the largest is about 1.8e308")]
    Overflow {
        /// The text of the number.
        found: String,
    },
    /// A name with an empty part between its dots.
    #[error("`{found}` is not a name; a single dot separates two parts, as in `crank.angle`")]
    Name {
        /// The text of the name.
        found: String,
    },
    /// Something else stands where the grammar wants a certain token.
    #[error("found {found} where {expected} is expected")]
    Unexpected {
        /// The token that is there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// `a < b < c`.
    #[error("comparisons do not chain; write `a < b and b < c`")]
    Chained,
    /// `deg` somewhere else than behind a number.
    #[error("`deg` stands only behind a number, as in `30 deg`; elsewhere multiply by pi/180")]
    MisplacedDegree,
    /// What stands in brackets behind a number is no unit.
    #[error("{0}")]
    Unit(UnknownUnit),
    /// A unit within a longer expression that may go on.
    #[error(
        "what stands behind the unit `{unit}` may belong to it; write the whole unit in brackets, as in `30 [m/s]`, or the number in parentheses, as in \
         `(30 m)/s`"
    )]
    UnitGoesOn {
        /// The unit as far as it is one name.
        unit: String,
    },
    /// A number whose unit measures something else.
    #[error("a number in {unit} stands where one in {expected} is wanted")]
    Dimension {
        /// The unit as written.
        unit: String,
        /// A unit of what is wanted.
        expected: String,
    },
    /// A function that does not exist.
    #[error("unknown function `{name}`{}", did_you_mean(.nearest, &functions()))]
    UnknownFunction {
        /// The name as written.
        name: String,
        /// The function with the nearest name, if one is near.
        nearest: Option<String>,
    },
    /// The name of a function without its parentheses.
    #[error("`{name}` is a function; write {signature}")]
    BareFunction {
        /// The function.
        name: String,
        /// The function with its arguments.
        signature: &'static str,
    },
    /// A function with too few or too many arguments.
    #[error("`{name}` takes {expected}, found {found}; write {signature}")]
    Arguments {
        /// The function.
        name: String,
        /// How many arguments were given.
        found: usize,
        /// How many it takes, in words.
        expected: String,
        /// The function with its arguments.
        signature: &'static str,
    },
    /// A step function whose interval is empty or runs backwards.
    #[error("the step begins at {x0} and ends at {x1}; it must begin before it ends")]
    StepInterval {
        /// Where the step begins.
        x0: f64,
        /// Where the step ends.
        x1: f64,
    },
    /// A sweep whose interval is empty or runs backwards.
    #[error("the sweep begins at {x0} and ends at {x1}; it must begin before it ends")]
    SweepInterval {
        /// Where the sweep begins.
        x0: f64,
        /// Where its frequency stops rising.
        x1: f64,
    },
    /// A sweep that has no time to become active.
    #[error("the amplitude of the sweep rises over {dx}; write a length above 0 as the last argument")]
    SweepRise {
        /// The length.
        dx: f64,
    },
    /// Something else than a spline where its name is wanted.
    #[error("found {found} where the name of a spline is expected; write {signature}, `order` 0, 1 or 2")]
    SplineExpected {
        /// What is there.
        found: String,
        /// The function with its arguments.
        signature: &'static str,
    },
    /// A spline that the model does not define.
    #[error("unknown spline `{name}`{}", did_you_mean(.nearest, "define it by a [[spline]]"))]
    UnknownSpline {
        /// The name as written.
        name: String,
        /// The defined name that is nearest, if one is near.
        nearest: Option<String>,
    },
    /// A number where a spline is wanted.
    #[error("`{name}` is no spline but a number; define a [[spline]] and write its name there")]
    NotASpline {
        /// The name as written.
        name: String,
    },
    /// A spline where a number is wanted.
    #[error("`{name}` is a spline; write akispl(x, {name}) or cubspl(x, {name})")]
    BareSpline {
        /// The name as written.
        name: String,
    },
    /// A family of curves without z, or a single curve with one.
    #[error("{}", family_form(.name, *.family))]
    SplineFamily {
        /// The spline.
        name: String,
        /// Whether it is a family.
        family: bool,
    },
    /// A name that the model does not define.
    #[error("unknown name `{name}`{}", did_you_mean(.nearest, "correct it or define it"))]
    UnknownName {
        /// The name as written.
        name: String,
        /// The defined name that is nearest, if one is near.
        nearest: Option<String>,
    },
    /// A name that stands for NaN or an infinite value.
    #[error("`{name}` is {value}; give it a finite value")]
    NotFinite {
        /// The name as written.
        name: String,
        /// Its value.
        value: f64,
    },
}

impl ExpressionError {
    pub(super) fn new(text: &str, offset: usize, problem: Problem) -> Self {
        Self { text: text.to_owned(), offset, problem }
    }

    /// The error with a suggestion: for an unknown name, the nearest of the `known` names.
    #[must_use]
    pub fn suggest<'a>(mut self, known: impl IntoIterator<Item = &'a str>) -> Self {
        if let Problem::UnknownName { name, nearest } | Problem::UnknownSpline { name, nearest } = &mut self.problem {
            *nearest = nearest_name(name, known);
        }
        self
    }

    /// Two lines for a terminal: the line of the text that holds the problem, and a caret under it.
    ///
    /// Long lines are shortened to the surroundings of the problem.
    #[must_use]
    pub fn caret(&self) -> String {
        let (line, column) = excerpt(&self.text, self.offset);
        format!("{line}\n{:column$}^", "")
    }
}

/// The line that holds `offset`, cut to at most 40 characters on either side and with control characters
/// as blanks; and the column of `offset` in it, in characters.
fn place(text: &str, offset: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!(" (at byte {offset} of `{}`)", excerpt(text, offset).0)
}

fn excerpt(text: &str, offset: usize) -> (String, usize) {
    /// Bytes shown on each side of the place.
    const SIDE: usize = 40;
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let (before, after) = text.split_at(offset);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    let length = before.chars().count();
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let mut line = String::new();
    if length > SIDE {
        line.push_str("...");
    }
    line.extend(before.chars().skip(length.saturating_sub(SIDE)).map(printable));
    let column = line.chars().count();
    line.extend(after.chars().take(SIDE).map(printable));
    if after.chars().nth(SIDE).is_some() {
        line.push_str("...");
    }
    (line, column)
}

fn did_you_mean(nearest: &Option<String>, otherwise: &str) -> String {
    match nearest {
        Some(name) => format!("; did you mean `{name}`?"),
        None => format!("; {otherwise}"),
    }
}

fn family_form(name: &str, family: bool) -> String {
    match family {
        true => format!("`{name}` is a family of curves over x and z; write akispl(x, z, {name})"),
        false => format!("`{name}` is a single curve, without z; write akispl(x, {name}) or z = 0"),
    }
}

fn functions() -> String {
    let names: Vec<&str> = function::names().collect();
    format!("the functions are {}", names.join(", "))
}

/// The candidate with the smallest edit distance to `name`, upper and lower case alike, if no more than a
/// third of its letters (at least one) differ.
pub fn nearest_name<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    /// Comparing takes the product of the lengths: longer names are no misspellings.
    const LONGEST: usize = 128;
    if name.len() > LONGEST {
        return None;
    }
    let wanted = name.to_lowercase();
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| {
            let distance = strsim::osa_distance(&wanted, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.to_owned())
}
