//! Reference solutions: columns over time, read from JSON or CSV.
//!
//! JSON: `{"source": "..", "digits": 12, "columns": ["x", ..], "samples": [[t, x, ..], ..]}`. CSV: a header with the time first, as
//! `fourbar run --out` writes it, and a row for each time.

use super::error::AccuracyError;
use serde::{Deserialize, Serialize};

/// What kind of quantity a column is; follows from its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// An unknown of equations that are no mechanism, or of another unit than those below.
    State,
    /// m, rad.
    Position,
    /// m/s, rad/s.
    Velocity,
    /// m/s^2, rad/s^2.
    Acceleration,
    /// N, N m: reactions, or multipliers of the equations.
    Multiplier,
}

impl Quantity {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 5] = [Self::State, Self::Position, Self::Velocity, Self::Acceleration, Self::Multiplier];

    /// The quantity of this unit.
    #[must_use]
    pub fn of_unit(unit: &str) -> Self {
        match unit {
            "m" | "rad" => Self::Position,
            "m/s" | "rad/s" => Self::Velocity,
            "m/s²" | "rad/s²" | "m/s^2" | "rad/s^2" => Self::Acceleration,
            "N" | "N m" => Self::Multiplier,
            _ => Self::State,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
            Self::Multiplier => "multiplier",
        }
    }
}

/// A column that is compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// Name: that of the measure, or of the unknown.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// What kind of quantity it is.
    pub quantity: Quantity,
}

impl Column {
    /// A column of this unit.
    #[must_use]
    pub fn new(name: impl Into<String>, unit: &str) -> Self {
        Self { name: name.into(), unit: unit.to_owned(), quantity: Quantity::of_unit(unit) }
    }
}

/// A solution to compare with.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Where it comes from.
    pub source: String,
    /// Digits that hold; 0 if not known.
    pub digits: u32,
    /// Names of the columns.
    pub names: Vec<String>,
    /// Times \[s\], increasing.
    pub times: Vec<f64>,
    /// Values at each time, in the order of the names.
    pub values: Vec<Vec<f64>>,
}

/// A reference as JSON.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    source: String,
    #[serde(default)]
    digits: u32,
    columns: Vec<String>,
    samples: Vec<Vec<f64>>,
}

impl Reference {
    /// Reads JSON if the text begins with a brace, else CSV. `name` is that of the file, for messages.
    ///
    /// # Errors
    /// [`AccuracyError::Reference`].
    pub fn parse(name: &str, text: &str) -> Result<Self, AccuracyError> {
        let refused = |problem: String, remedy: &str| AccuracyError::Reference {
            name: name.to_owned(),
            problem,
            remedy: remedy.to_owned(),
        };
        let Written { source, digits, columns, samples } = if text.trim_start().starts_with('{') {
            let remedy = "write {\"source\": \"..\", \"digits\": 12, \"columns\": [\"x\"], \"samples\": [[0, 1.5]]}";
            serde_json::from_str(text).map_err(|error| refused(error.to_string(), remedy))?
        } else {
            table(text).map_err(|problem| refused(problem, "write a header, `time` first, and rows of numbers"))?
        };
        for (k, row) in samples.iter().enumerate() {
            if row.len() != columns.len() + 1 {
                let problem = format!("row {} has {} numbers for {} columns", k + 1, row.len(), columns.len());
                return Err(refused(problem, "write the time and one number for each column"));
            }
            if let Some(value) = row.iter().find(|value| !value.is_finite()) {
                return Err(refused(format!("row {} holds {value}", k + 1), "write finite numbers"));
            }
        }
        let times: Vec<f64> = samples.iter().map(|row| row[0]).collect();
        if !times.windows(2).all(|pair| pair[0] < pair[1]) || times.first().is_some_and(|first| *first < 0.0) {
            return Err(refused("its times do not increase from 0 s on".to_owned(), "sort its rows by time"));
        }
        if !times.last().is_some_and(|last| *last > 0.0) {
            return Err(refused("it has no row after t = 0".to_owned(), "add rows of later times"));
        }
        let values = samples.into_iter().map(|row| row[1..].to_vec()).collect();
        Ok(Self { source, digits, names: columns, times, values })
    }

    /// Its last time \[s\].
    #[must_use]
    pub fn end(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// The largest magnitude of column `k` over all its times.
    #[must_use]
    pub fn scale(&self, k: usize) -> f64 {
        self.values.iter().map(|row| row[k].abs()).fold(0.0, f64::max)
    }
}

fn table(text: &str) -> Result<Written, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let columns = header.iter().skip(1).map(without_unit).collect();
    let mut samples = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let number = |field: &str| field.parse::<f64>().map_err(|_| format!("{field:?} is no number"));
        samples.push(record.iter().map(number).collect::<Result<Vec<f64>, String>>()?);
    }
    Ok(Written { source: String::new(), digits: 0, columns, samples })
}

/// `x [m]` is the column `x`.
fn without_unit(field: &str) -> String {
    field.split_once(" [").map_or(field, |(name, _)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_and_json_tell_the_same() {
        let csv = Reference::parse("a.csv", "# made by hand\ntime [s], x [m], v\n0, 1, 2\n0.5, 3, 4e-1\n").unwrap();
        let json = Reference::parse("a.json", r#"{"columns": ["x", "v"], "samples": [[0, 1, 2], [0.5, 3, 0.4]]}"#);
        assert_eq!(csv, json.unwrap());
        assert_eq!((csv.end(), csv.scale(0)), (0.5, 3.0));
    }

    #[test]
    fn what_is_no_reference_is_refused_with_what_is_wrong() {
        for (text, part) in [
            ("time,x\n0,1\n", "no row after t = 0"),
            ("time,x\n1,1\n0.5,1\n", "do not increase"),
            ("time,x\n-1,1\n0.5,1\n", "do not increase"),
            ("time,x\n1,abc\n", "\"abc\" is no number"),
            ("time,x\n1,inf\n", "row 1 holds inf"),
            ("time,x\n1,1,2\n", "3 fields"),
            (r#"{"columns": ["x"], "samples": [[0, 1], [1]]}"#, "row 2 has 1 numbers for 1 columns"),
            (r#"{"columns": ["x"]}"#, "samples"),
            ("", "no row after t = 0"),
        ] {
            let error = Reference::parse("file", text).unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn quantities_follow_from_units() {
        for (unit, quantity) in [
            ("rad", Quantity::Position),
            ("m/s", Quantity::Velocity),
            ("rad/s²", Quantity::Acceleration),
            ("N m", Quantity::Multiplier),
            ("", Quantity::State),
        ] {
            assert_eq!(Quantity::of_unit(unit), quantity, "{unit}");
        }
    }
}
