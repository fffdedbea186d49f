//! The settings as the page shows and sends them: text in fields, read and refused field by field.

use fourbar::coupling::application::{Refusal, Settings};
use fourbar::coupling::management::{Catalogue, Pacing};
use fourbar::coupling::{Acceleration, Adaptive, Algorithm, Connection, Order};
use serde::{Deserialize, Serialize};

/// The fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// Communication step \[s\].
    step: String,
    /// End time \[s\]; empty for an endless run.
    end: String,
    algorithm: String,
    order: String,
    acceleration: String,
    tolerance: String,
    max_sweeps: String,
    /// Tolerance of an adaptive communication step; empty for a fixed one.
    adaptive: String,
    /// Empty for as fast as possible.
    real_time_factor: String,
    connections: Vec<FormConnection>,
}

/// A row of the table of connections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormConnection {
    from: String,
    to: String,
    gain: String,
    offset: String,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct FieldError {
    pub(super) field: String,
    pub(super) message: String,
}

impl From<Refusal> for FieldError {
    fn from(refusal: Refusal) -> Self {
        Self { field: refusal.field.to_string(), message: refusal.message }
    }
}

const ALGORITHMS: [&str; 4] = ["jacobi_delayed", "jacobi", "gauss_seidel", "iterated"];
const ACCELERATIONS: [(&str, Acceleration); 3] =
    [("fixed_point", Acceleration::FixedPoint), ("aitken", Acceleration::Aitken), ("broyden", Acceleration::Broyden)];
const ORDERS: [Order; 3] = [Order::Hold, Order::Linear, Order::Quadratic];

impl Form {
    /// The fields of these settings.
    pub(super) fn of(settings: &Settings) -> Self {
        let options = &settings.options;
        let number =
            |value: f64| if value == 0.0 || value.abs() >= 1e-3 { format!("{value}") } else { format!("{value:e}") };
        let (algorithm, order) = match &options.algorithm {
            Algorithm::Jacobi { order } => (1, *order),
            Algorithm::GaussSeidel { order, .. } => (2, *order),
            Algorithm::Iterated { order, .. } => (3, *order),
            _ => (0, Order::Hold),
        };
        let (acceleration, tolerance, max_sweeps) = match &options.algorithm {
            Algorithm::Iterated { acceleration, tolerance, max_sweeps, .. } => (*acceleration, *tolerance, *max_sweeps),
            _ => (Acceleration::default(), 1e-8, 20),
        };
        let acceleration = ACCELERATIONS.iter().find(|(_, known)| *known == acceleration).map_or("", |(name, _)| name);
        let row = |connection: &Connection| FormConnection {
            from: connection.from.clone(),
            to: connection.to.clone(),
            gain: number(connection.gain),
            offset: number(connection.offset),
        };
        Self {
            step: number(options.step),
            end: if options.end.is_finite() { number(options.end) } else { String::new() },
            algorithm: ALGORITHMS[algorithm].to_owned(),
            order: (order as usize).to_string(),
            acceleration: acceleration.to_owned(),
            tolerance: number(tolerance),
            max_sweeps: max_sweeps.to_string(),
            adaptive: options.adaptive.as_ref().map(|adaptive| number(adaptive.tolerance)).unwrap_or_default(),
            real_time_factor: options.pacing.map(|pacing| number(pacing.real_time_factor)).unwrap_or_default(),
            connections: settings.connections.iter().map(row).collect(),
        }
    }

    /// The settings with these fields; what has no field stays as it is in `before`.
    ///
    /// # Errors
    /// Every field that cannot be read, or that cannot be what it says.
    pub(super) fn settings(&self, before: &Settings, catalogue: &Catalogue) -> Result<Settings, Vec<FieldError>> {
        let mut reader = Reader::default();
        let mut settings = before.clone();
        let options = &mut settings.options;
        options.step = reader.number("step", &self.step);
        options.end = if self.end.trim().is_empty() { f64::INFINITY } else { reader.number("end", &self.end) };
        options.algorithm = self.algorithm(&options.algorithm, &mut reader);
        options.adaptive = (!self.adaptive.trim().is_empty()).then(|| {
            let tolerance = reader.number("adaptive", &self.adaptive);
            match options.adaptive.clone() {
                Some(adaptive) => {
                    let (first, shortest) = (adaptive.first.min(options.step), adaptive.shortest.min(options.step));
                    Adaptive { tolerance, first, shortest, ..adaptive }
                }
                None => {
                    Adaptive { tolerance, first: 0.01 * options.step, shortest: 1e-3 * options.step, rollback: true }
                }
            }
        });
        let factor = (!self.real_time_factor.trim().is_empty())
            .then(|| reader.number("real_time_factor", &self.real_time_factor));
        options.pacing = factor.map(|real_time_factor| Pacing { real_time_factor });
        let rows = self.connections.iter().enumerate();
        settings.connections =
            rows.map(|(index, row)| row.connection(index, &before.connections, &mut reader)).collect();
        let mut errors = reader.errors;
        // What could not be read needs no second word.
        let unread: Vec<String> = errors.iter().map(|error: &FieldError| error.field.clone()).collect();
        let refused = settings.check(catalogue).into_iter().map(FieldError::from);
        errors.extend(refused.filter(|error| !unread.contains(&error.field)));
        if errors.is_empty() { Ok(settings) } else { Err(errors) }
    }

    fn algorithm(&self, before: &Algorithm, reader: &mut Reader) -> Algorithm {
        let sequence = match before {
            Algorithm::GaussSeidel { sequence, .. } | Algorithm::Iterated { sequence, .. } => sequence.clone(),
            _ => Vec::new(),
        };
        let order = ORDERS.iter().find(|order| (**order as usize).to_string() == self.order).copied();
        let order = order.unwrap_or_else(|| {
            reader.refuse("order", "choose 0, 1 or 2");
            Order::Hold
        });
        match self.algorithm.as_str() {
            "jacobi_delayed" => Algorithm::JacobiDelayed,
            "jacobi" => Algorithm::Jacobi { order },
            "gauss_seidel" => Algorithm::GaussSeidel { order, sequence },
            "iterated" => {
                let known = ACCELERATIONS.iter().find(|(name, _)| *name == self.acceleration);
                let acceleration = known.map_or_else(
                    || {
                        reader.refuse("acceleration", "choose fixed_point, aitken or broyden");
                        Acceleration::default()
                    },
                    |(_, acceleration)| *acceleration,
                );
                let tolerance = reader.number("tolerance", &self.tolerance);
                let max_sweeps = self.max_sweeps.trim().parse().unwrap_or_else(|_| {
                    reader.refuse("max_sweeps", "write a whole number, as in 20");
                    0
                });
                Algorithm::Iterated { order, sequence, acceleration, tolerance, max_sweeps }
            }
            _ => {
                reader.refuse("algorithm", "choose jacobi_delayed, jacobi, gauss_seidel or iterated");
                before.clone()
            }
        }
    }
}

impl FormConnection {
    /// The connection; its size and whether it is converted, which have no fields, are those of the same connection `before`.
    fn connection(&self, index: usize, before: &[Connection], reader: &mut Reader) -> Connection {
        let mut number = |part: &str, text: &str| reader.number(&format!("connections.{index}.{part}"), text);
        let (gain, offset) = (number("gain", &self.gain), number("offset", &self.offset));
        let same = before.iter().find(|known| known.from == self.from && known.to == self.to);
        let nominal = same.and_then(|known| known.nominal);
        let is_converted = same.is_some_and(|known| known.is_converted);
        Connection { nominal, is_converted, ..Connection::new(&self.from, &self.to).gain(gain).offset(offset) }
    }
}

/// Reads numbers, and remembers which were none.
#[derive(Default)]
struct Reader {
    errors: Vec<FieldError>,
}

impl Reader {
    fn number(&mut self, field: &str, text: &str) -> f64 {
        text.trim().parse().unwrap_or_else(|_| {
            self.refuse(field, "write a number, as in 0.5 or 1e-3");
            f64::NAN
        })
    }

    fn refuse(&mut self, field: &str, message: &str) {
        self.errors.push(FieldError { field: field.to_owned(), message: message.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbar::coupling::Options;

    fn settings(algorithm: Algorithm) -> Settings {
        Settings { options: Options::new(2.0, 5e-4, algorithm), connections: Vec::new() }
    }

    #[test]
    fn settings_come_back_as_they_were_shown() {
        let catalogue = Catalogue::default();
        let sequence = vec!["b".to_owned(), "a".to_owned()];
        let algorithms = [
            Algorithm::JacobiDelayed,
            Algorithm::Jacobi { order: Order::Quadratic },
            Algorithm::GaussSeidel { order: Order::Linear, sequence },
            Algorithm::iterated(Order::Linear),
        ];
        for algorithm in algorithms {
            let mut before = settings(algorithm);
            before.options.pacing = Some(Pacing { real_time_factor: 0.5 });
            assert_eq!(Form::of(&before).settings(&before, &catalogue), Ok(before));
        }
        let endless =
            Settings { options: Options::new(f64::INFINITY, 1.0, Algorithm::JacobiDelayed), connections: vec![] };
        assert_eq!(Form::of(&endless).end, "");
        assert_eq!(Form::of(&endless).settings(&endless, &catalogue), Ok(endless));
    }

    #[test]
    fn what_cannot_be_read_is_said_at_its_field_and_once() {
        let before = settings(Algorithm::iterated(Order::Linear));
        let mut form = Form::of(&before);
        form.step = "half".to_owned();
        form.end = "-1".to_owned();
        form.max_sweeps = "2.5".to_owned();
        let row = FormConnection { from: "a.x".into(), to: "b.y".into(), gain: "x".into(), offset: "0".into() };
        form.connections.push(row);
        let errors = form.settings(&before, &Catalogue::default()).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        let expected = ["step", "max_sweeps", "connections.0.gain", "end", "connections.0.from"];
        assert_eq!(fields, expected);
    }
}
