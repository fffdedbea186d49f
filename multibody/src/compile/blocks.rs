//! Blocks written out as the states and measures that they stand for.

use super::check::{at, unique};
use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::model::{ExpressionMeasure, Measure, MeasureKind, Model, Pid, StateSpaceBlock, TransferFunction, UserState};
use fourbar_expression::model::Parameters;
use std::borrow::Cow;

type Refused = Box<ModelError>;

/// Where the entries of a block stand that was written out.
struct Origin {
    location: Location,
    measures: usize,
    states: usize,
}

/// A model without blocks that says the same, and where what was written out comes from.
pub(super) struct Written<'a> {
    pub(super) model: Cow<'a, Model>,
    origins: Vec<Origin>,
}

/// Writes out all blocks.
pub(super) fn write_out(model: &Model) -> Result<Written<'_>, Refused> {
    let none = model.transfer_functions.is_empty() && model.state_spaces.is_empty() && model.pids.is_empty();
    if none {
        return Ok(Written { model: Cow::Borrowed(model), origins: Vec::new() });
    }
    unique("transfer_function", model.transfer_functions.iter().map(|block| block.name.as_str()))?;
    unique("state_space", model.state_spaces.iter().map(|block| block.name.as_str()))?;
    unique("pid", model.pids.iter().map(|block| block.name.as_str()))?;
    let parameters = Parameters::with_splines(&model.parameters, &model.splines)?;
    let mut writer = Writer { parameters, whole: model.clone(), origins: Vec::new() };
    for (index, block) in model.transfer_functions.iter().enumerate() {
        writer.begin("transfer_function", index, &block.name)?;
        writer.transfer_function(block, &|field| at("transfer_function", index, &block.name, field))?;
    }
    for (index, block) in model.state_spaces.iter().enumerate() {
        writer.begin("state_space", index, &block.name)?;
        writer.state_space(block, &|field| at("state_space", index, &block.name, field))?;
    }
    for (index, block) in model.pids.iter().enumerate() {
        writer.begin("pid", index, &block.name)?;
        writer.pid(block, &|field| at("pid", index, &block.name, field))?;
    }
    let Writer { mut whole, origins, .. } = writer;
    (whole.transfer_functions, whole.state_spaces, whole.pids) = (Vec::new(), Vec::new(), Vec::new());
    Ok(Written { model: Cow::Owned(whole), origins })
}

impl Written<'_> {
    /// The error at the block, where it is one of what was written out.
    pub(super) fn locate(&self, mut error: Refused) -> Refused {
        let index = error.location.index;
        let origin = match error.location.section {
            "measure" => self.origins.iter().rev().find(|origin| origin.measures <= index),
            "state" => self.origins.iter().rev().find(|origin| origin.states <= index),
            _ => None,
        };
        if let Some(origin) = origin {
            let field = if error.location.field == "expression" { "input" } else { error.location.field.as_str() };
            error.location = Location { field: field.to_owned(), ..origin.location.clone() };
        }
        error
    }
}

struct Writer<'a> {
    parameters: Parameters<'a>,
    whole: Model,
    origins: Vec<Origin>,
}

impl Writer<'_> {
    fn begin(&mut self, section: &'static str, index: usize, name: &str) -> Result<(), Refused> {
        let location = at(section, index, name, "name");
        let taken = self.whole.measures.iter().any(|measure| measure.name == name)
            || self.whole.states.iter().any(|state| state.name == name);
        if taken {
            let problem = "a measure, state or other block has this name";
            return Err(ModelError::new(location, problem, "choose another name for one of them"));
        }
        self.origins.push(Origin { location, measures: self.whole.measures.len(), states: self.whole.states.len() });
        Ok(())
    }

    fn measure(&mut self, name: String, unit: &str, expression: Expression) {
        let kind = MeasureKind::Expression(ExpressionMeasure { expression, unit: unit.to_owned() });
        self.whole.measures.push(Measure { name, kind });
    }

    fn state(&mut self, name: String, rate: Expression, start: f64) {
        let (start, size) = (Expression::constant(start), Expression::constant(1.0));
        self.whole.states.push(UserState { name, unit: String::new(), rate: Some(rate), zero: None, start, size });
    }

    fn numbers(&self, values: &[Expression], location: &Location) -> Result<Vec<f64>, Refused> {
        values.iter().map(|value| self.parameters.number(value, location)).collect()
    }

    /// Controllable canonical form in p = s/sigma, where sigma is the geometric mean of the poles or what stands for it: the states are of the size
    /// of the input then, and coefficients of 1e12 become such near 1 (Kailath, Linear Systems, 1980, section 2.1).
    fn transfer_function(&mut self, block: &TransferFunction, field: &dyn Fn(&str) -> Location) -> Result<(), Refused> {
        let name = &block.name;
        let denominator = self.numbers(&block.denominator, &field("denominator"))?;
        let mut numerator = self.numbers(&block.numerator, &field("numerator"))?;
        let Some(&leading) = denominator.first().filter(|leading| **leading != 0.0) else {
            let problem = "its first coefficient is 0, or there is none";
            return Err(ModelError::new(
                field("denominator"),
                problem,
                "begin with the highest power of s that occurs",
            ));
        };
        if numerator.len() > denominator.len() || numerator.is_empty() {
            let problem = format!("it has {} coefficients, the denominator {}", numerator.len(), denominator.len());
            let remedy =
                "give at least one and at most as many as the denominator has: no block differentiates its input";
            return Err(ModelError::new(field("numerator"), problem, remedy));
        }
        numerator.splice(0..0, vec![0.0; denominator.len() - numerator.len()]);
        let n = denominator.len() - 1;
        let through = numerator[0] / leading;
        // Of s^k, k = 0 .. n - 1.
        let a: Vec<f64> = (0..n).map(|k| denominator[n - k] / leading).collect();
        let b: Vec<f64> = (0..n).map(|k| numerator[n - k] / leading - through * a[k]).collect();
        let root = |k: usize| a[k].abs().powf(1.0 / (n - k) as f64);
        let first = (0..n).map(root).find(|root| *root > 0.0);
        let sigma = first.unwrap_or(1.0);
        let scaled = |values: &[f64], k: usize| values[k] * sigma.powi(k as i32 - n as i32);
        let x = |k: usize| format!("{name}.x{}", k + 1);
        self.measure(format!("{name}.u"), "", block.input.clone());
        for k in 0..n {
            let terms = match k + 1 < n {
                true => vec![(1.0, x(k + 1))],
                false => {
                    std::iter::once((1.0, format!("{name}.u"))).chain((0..n).map(|k| (-scaled(&a, k), x(k)))).collect()
                }
            };
            let rate =
                sum(&terms.into_iter().map(|(factor, of)| (sigma * factor, of)).collect::<Vec<_>>(), &field("name"))?;
            self.state(x(k), rate, 0.0);
        }
        let output = (0..n).map(|k| (scaled(&b, k), x(k))).chain([(through, format!("{name}.u"))]);
        let output = sum(&output.collect::<Vec<_>>(), &field("name"))?;
        self.measure(name.clone(), &block.unit, output);
        Ok(())
    }

    fn state_space(&mut self, block: &StateSpaceBlock, field: &dyn Fn(&str) -> Location) -> Result<(), Refused> {
        let name = &block.name;
        let (n, inputs, outputs) = (block.a.len(), block.inputs.len(), block.c.len());
        let a = self.matrix(&block.a, [n, n], &field("a"))?;
        let b = self.matrix(&block.b, [n, inputs], &field("b"))?;
        let c = self.matrix(&block.c, [outputs, n], &field("c"))?;
        let d = match block.d.is_empty() {
            true => vec![vec![0.0; inputs]; outputs],
            false => self.matrix(&block.d, [outputs, inputs], &field("d"))?,
        };
        let start = self.numbers(&block.start, &field("start"))?;
        if !start.is_empty() && start.len() != n {
            let problem = format!("it has {} entries, but there are {n} states", start.len());
            return Err(ModelError::new(field("start"), problem, "give one value for each row of `a`"));
        }
        let (x, u) = (|k: usize| format!("{name}.x{}", k + 1), |k: usize| format!("{name}.u{}", k + 1));
        for (k, input) in block.inputs.iter().enumerate() {
            self.measure(u(k), "", input.clone());
        }
        let row = |of_x: &[f64], of_u: &[f64]| {
            let states = of_x.iter().enumerate().map(|(k, factor)| (*factor, x(k)));
            let all: Vec<_> = states.chain(of_u.iter().enumerate().map(|(k, factor)| (*factor, u(k)))).collect();
            sum(&all, &field("name"))
        };
        for k in 0..n {
            self.state(x(k), row(&a[k], &b[k])?, start.get(k).copied().unwrap_or(0.0));
        }
        for k in 0..outputs {
            let output = if outputs == 1 { name.clone() } else { format!("{name}.y{}", k + 1) };
            self.measure(output, &block.unit, row(&c[k], &d[k])?);
        }
        Ok(())
    }

    fn matrix(
        &self,
        rows: &[Vec<Expression>],
        [height, width]: [usize; 2],
        location: &Location,
    ) -> Result<Vec<Vec<f64>>, Refused> {
        if rows.len() != height || rows.iter().any(|row| row.len() != width) {
            let lengths: Vec<String> = rows.iter().map(|row| row.len().to_string()).collect();
            let problem = format!("it has {} rows of [{}] entries", rows.len(), lengths.join(", "));
            return Err(ModelError::new(location.clone(), problem, format!("give {height} rows of {width} entries")));
        }
        rows.iter().map(|row| self.numbers(row, location)).collect()
    }

    /// The integral returns from a limit by what the output misses there, over the tracking time (Åström, Hägglund, PID Controllers, 1995, section
    /// 3.5: back-calculation).
    fn pid(&mut self, block: &Pid, field: &dyn Fn(&str) -> Location) -> Result<(), Refused> {
        let name = &block.name;
        let number = |own: &Self, value: &Expression, of: &str| own.parameters.number(value, &field(of));
        let positive = |own: &Self, value: &Option<Expression>, of: &str| match value {
            Some(value) => own.parameters.checked(value, &field(of), "above 0", |value| value > 0.0).map(Some),
            None => Ok(None),
        };
        let (kp, ki, kd) =
            (number(self, &block.kp, "kp")?, number(self, &block.ki, "ki")?, number(self, &block.kd, "kd")?);
        let filter = positive(self, &block.filter, "filter")?;
        let tracking = positive(self, &block.tracking, "tracking")?;
        let limit =
            |value: &Option<Expression>, of: &str| value.as_ref().map(|value| number(self, value, of)).transpose();
        let (lower, upper) = (limit(&block.lower, "lower")?, limit(&block.upper, "upper")?);
        let (start, start_input) =
            (number(self, &block.start, "start")?, number(self, &block.start_input, "start_input")?);
        if let (Some(low), Some(high)) = (lower, upper)
            && !(low < high)
        {
            let problem = format!("the lower limit {low} is not below the upper one, {high}");
            return Err(ModelError::new(field("lower"), problem, "give limits with a range between them"));
        }
        let limited = lower.is_some() || upper.is_some();
        let (u, raw) = (format!("{name}.u"), format!("{name}.raw"));
        self.measure(u.clone(), "", block.input.clone());
        let mut terms = vec![(kp, u.clone())];
        if kd != 0.0 {
            let Some(filter) = filter else {
                let remedy = "give the time constant of its filter [s], such as a tenth of kd/kp";
                return Err(ModelError::new(field("filter"), "the derivative has no filter", remedy));
            };
            let filtered = format!("{name}.filtered");
            self.state(
                filtered.clone(),
                sum(&[(1.0 / filter, u.clone()), (-1.0 / filter, filtered.clone())], &field("name"))?,
                start_input,
            );
            terms.extend([(kd / filter, u.clone()), (-kd / filter, filtered)]);
        }
        if ki != 0.0 {
            let integral = format!("{name}.integral");
            let mut rate = vec![(ki, u)];
            if limited {
                let time = tracking.unwrap_or((kp / ki).abs());
                if !(time > 0.0) {
                    let remedy = "give `tracking`, the time within which the integral returns from a limit [s]";
                    return Err(ModelError::new(field("tracking"), "without `kp` there is no default of it", remedy));
                }
                rate.extend([(1.0 / time, name.clone()), (-1.0 / time, raw.clone())]);
            }
            self.state(integral.clone(), sum(&rate, &field("name"))?, start);
            terms.push((1.0, integral));
        }
        self.measure(raw.clone(), &block.unit, sum(&terms, &field("name"))?);
        let above = lower.map_or_else(|| raw.clone(), |low| format!("max({raw}, {low:e})"));
        let within = upper.map_or_else(|| above.clone(), |high| format!("min({above}, {high:e})"));
        let output = parsed(&within, &field("name"))?;
        self.measure(name.clone(), &block.unit, output);
        Ok(())
    }
}

/// The sum of factors times names; terms of factor 0 are left out.
fn sum(terms: &[(f64, String)], location: &Location) -> Result<Expression, Refused> {
    let kept = terms.iter().filter(|(factor, _)| *factor != 0.0);
    let texts: Vec<String> = kept.map(|(factor, name)| format!("({factor:e})*{name}")).collect();
    if texts.is_empty() { Ok(Expression::constant(0.0)) } else { parsed(&texts.join(" + "), location) }
}

fn parsed(text: &str, location: &Location) -> Result<Expression, Refused> {
    let remedy = "use letters, digits, _ and ., beginning with a letter, for its name, and numbers that are finite";
    Expression::parse(text).map_err(|error| ModelError::new(location.clone(), error.to_string(), remedy))
}
