//! The members of a plan: the values of the parameters of each run. They follow from the plan and its seed alone, whatever the number of
//! threads, so that any member can be made again by itself.

use super::plan::{Choice, Members, Parameter, Plan, Scale};
use super::plan_file::PlanFile;
use crate::Error;

/// Results are kept in memory until the table is written: 10 million rows of ten numbers take 800 MB.
pub const MOST_MEMBERS: u64 = 10_000_000;

/// The values of all members.
#[derive(Debug, Clone)]
pub struct MemberValues {
    number: usize,
    parameters: Vec<Column>,
}

/// The values of one parameter.
#[derive(Debug, Clone)]
enum Column {
    /// Member k has the value `(k / stride) % values.len()`.
    Cycled { values: Vec<f64>, stride: usize },
    /// Uniform within the range, from the numbers of this stream.
    Drawn { parameter: Parameter, stream: u64 },
    /// One in each of equal parts, in the order of `parts`.
    Parted { parameter: Parameter, stream: u64, parts: Vec<u32> },
}

impl MemberValues {
    pub(super) fn new(file: &PlanFile, members: &Members) -> Result<Self, Error> {
        let plan = &file.plan;
        if let Some(path) = &members.table {
            return Self::of_table(file, path);
        }
        let number = number_of_members(plan, members) as usize;
        let mut stride = number;
        let column = |(index, parameter): (usize, &Parameter)| {
            let stream = mixed(members.seed.unwrap_or(0) ^ mixed(index as u64 + 1));
            let parameter = parameter.clone();
            match members.choose {
                Choice::Grid => {
                    let values = grid_values(&parameter);
                    stride /= values.len().max(1);
                    Column::Cycled { values, stride }
                }
                Choice::List => Column::Cycled { values: parameter.values.unwrap_or_default(), stride: 1 },
                Choice::Random => Column::Drawn { parameter, stream },
                Choice::LatinHypercube => Column::Parted { parts: shuffled(number, stream), parameter, stream },
            }
        };
        let parameters = plan.parameters.iter().enumerate().map(column).collect();
        Ok(Self { number, parameters })
    }

    /// The rows of a CSV file.
    fn of_table(file: &PlanFile, path: &std::path::Path) -> Result<Self, Error> {
        let place = file.beside(path);
        let shown = place.display();
        let fault = |problem: String, remedy: &str| file.fault("members", 0, "table", problem, remedy.to_owned());
        let mut reader = csv::Reader::from_path(&place).map_err(|error| {
            fault(format!("{shown}: {error}"), "name a CSV file, by a path from the folder of the plan")
        })?;
        let heads: Vec<String> = reader
            .headers()
            .map_err(|error| fault(format!("{shown}: {error}"), "write a header with the names of the parameters"))?
            .iter()
            .map(|head| head.trim().to_owned())
            .collect();
        let names = || file.plan.parameters.iter().map(|parameter| &parameter.name);
        let place_of = |name: &String| {
            let mut places = heads.iter().enumerate().filter(|(_, head)| *head == name);
            match (places.next(), places.next()) {
                (Some((place, _)), None) => Ok(place),
                (Some(_), Some(_)) => {
                    Err(fault(format!("{shown} has two columns \"{name}\""), "take one out of the table"))
                }
                (None, _) => {
                    let problem = format!("{shown} has no column \"{name}\"; it has {}", heads.join(", "));
                    Err(fault(problem, "write a column for each [[parameter]], with its name at the top"))
                }
            }
        };
        let places = names().map(place_of).collect::<Result<Vec<_>, _>>()?;
        if let Some(head) = heads.iter().find(|head| names().all(|name| name != *head)) {
            let problem = format!("{shown}: no [[parameter]] reads the column \"{head}\"");
            return Err(fault(problem, "add a [[parameter]] with this `name`, or take the column out of the table"));
        }
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); places.len()];
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(|error| fault(format!("{shown}: {error}"), "correct the row"))?;
            for ((values, column), parameter) in columns.iter_mut().zip(&places).zip(&file.plan.parameters) {
                let text = record.get(*column).unwrap_or_default().trim();
                let value = text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
                    let problem = format!("{shown}: row {}: `{}` is \"{text}\"", row + 1, parameter.name);
                    fault(problem, "write a finite number")
                })?;
                values.push(value);
            }
        }
        let number = columns.first().map_or(0, Vec::len);
        if number == 0 || number as u64 > MOST_MEMBERS {
            return Err(fault(format!("{shown} has {number} rows"), "write one row for each member, at least 1"));
        }
        let parameters = columns.into_iter().map(|values| Column::Cycled { values, stride: 1 }).collect();
        Ok(Self { number, parameters })
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.number
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.number == 0
    }

    /// The values of member `member`, in the order of the parameters.
    #[must_use]
    pub fn values(&self, member: usize) -> Vec<f64> {
        let value = |column: &Column| match column {
            Column::Cycled { values, stride } => values[(member / (*stride).max(1)) % values.len()],
            Column::Drawn { parameter, stream } => between(parameter, uniform(*stream, member as u64)),
            Column::Parted { parameter, stream, parts } => {
                let within = uniform(*stream, member as u64);
                between(parameter, (f64::from(parts[member]) + within) / self.number as f64)
            }
        };
        self.parameters.iter().map(value).collect()
    }
}

/// How many members the choice makes; of a table 0, which is read later.
pub(super) fn number_of_members(plan: &Plan, members: &Members) -> u64 {
    let values = |parameter: &Parameter| match &parameter.values {
        Some(values) => values.len() as u64,
        None => parameter.points.unwrap_or(0),
    };
    match members.choose {
        Choice::Random | Choice::LatinHypercube => members.number.unwrap_or(0),
        Choice::Grid => plan.parameters.iter().map(values).fold(1, u64::saturating_mul),
        Choice::List if members.table.is_some() => 0,
        Choice::List => plan.parameters.first().map_or(0, values),
    }
}

fn grid_values(parameter: &Parameter) -> Vec<f64> {
    if let Some(values) = &parameter.values {
        return values.clone();
    }
    let points = parameter.points.unwrap_or(0);
    (0..points).map(|k| between(parameter, k as f64 / (points - 1).max(1) as f64)).collect()
}

/// The value of the range at `part`, 0 to 1; its ends exactly.
pub(super) fn between(parameter: &Parameter, part: f64) -> f64 {
    let (from, to) = (parameter.from.unwrap_or(0.0), parameter.to.unwrap_or(0.0));
    let value = match parameter.scale.unwrap_or_default() {
        Scale::Linear => from + part * (to - from),
        Scale::Logarithmic => from * (to / from).powf(part),
    };
    if part >= 1.0 { to } else { value.clamp(from, to) }
}

/// SplitMix64 of Steele, Lea and Flood (Fast splittable pseudorandom number generators, OOPSLA 2014): the finisher of its state.
fn mixed(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Number `k` of a stream: the k-th state of SplitMix64, which is had without those before.
fn random(stream: u64, k: u64) -> u64 {
    mixed(stream.wrapping_add(k.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Uniform in [0, 1), with 53 bits.
fn uniform(stream: u64, k: u64) -> f64 {
    (random(stream, k) >> 11) as f64 / (1u64 << 53) as f64
}

/// 0 to `number` in an order of chance (Fisher and Yates; Knuth, The Art of Computer Programming, algorithm P).
fn shuffled(number: usize, stream: u64) -> Vec<u32> {
    // Other numbers than those that place a member within its part.
    let stream = mixed(!stream);
    let mut order: Vec<u32> = (0..number as u32).collect();
    for k in (1..number).rev() {
        // The product of 64 bits keeps each of the k + 1 places as likely as another, to 1e-12 for the most members.
        let other = ((u128::from(random(stream, k as u64)) * (k as u128 + 1)) >> 64) as usize;
        order.swap(k, other);
    }
    order
}
