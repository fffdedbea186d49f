//! A linear system of a model file as a simulator: inputs of the type `external` come from its partners, the others are its own.
//!
//! The state is carried without error of integration, as in a run of the system alone: inputs from outside are polynomials of the time, its own
//! are stepped exactly between their jumps where they are sums of exponentials, and interpolated within the tolerance elsewhere.

use crate::Error;
use crate::linear::{Equations, Input, LinearModel, LinearSystem, Shown, Side, Stepping, Tap, numerical};
use crate::run::schedule::{Instant, Interval};
use crate::run::{Estimates, Exact, ExactPoint, Grid, Inputs, Rows};
#[cfg(feature = "fmi")]
use fourbar_coupling::Causality;
use fourbar_coupling::function::end_of_step;
use fourbar_coupling::partner::Passing;
use fourbar_coupling::{Capabilities, Description, Failure, Signal, Simulator, Snapshot, Variability, Variable};
#[cfg(feature = "fmi")]
use fourbar_linalg::checkpoint::CheckpointError;
use fourbar_linalg::checkpoint::{Source, Stored};
use fourbar_multibody::expression::{Changes, ExponentialSum, Stack};
use fourbar_multibody::{Location, ModelError};

/// Part of a communication step within which two jumps are one.
const SAME: f64 = 1e-9;

/// A linear system between two communication points.
pub(crate) struct LinearPartner {
    system: LinearSystem,
    exact: Exact,
    /// All inputs; those from outside as polynomials about the present time.
    inputs: Inputs,
    variables: Vec<Variable>,
    /// Position among all inputs of each one from outside.
    external: Vec<usize>,
    /// Those inputs about the present time.
    given: Vec<Signal>,
    /// Longest solver step \[s\].
    longest: f64,
    /// Times at which steps end that the model gives.
    stop_times: Vec<f64>,
    time: f64,
    /// The jump that is one with the present time, or this itself: from there on inputs have their values \[s\].
    onwards: f64,
    /// All inputs at the present time.
    u: Vec<f64>,
    rows: Rows,
    /// What interpolated inputs leave of the outputs, and from where on that is told.
    estimates: Estimates,
    warning_level: f64,
    shown: Shown,
    passing: Passing,
    /// Whether inputs of its own change between their jumps and kinks other than along straight lines.
    swings: bool,
}

/// Time and state of the system.
#[derive(Clone, Default)]
struct Saved {
    time: f64,
    onwards: f64,
    point: ExactPoint,
    estimates: Estimates,
}

fourbar_linalg::stored!(struct Saved { time, onwards, point, estimates });

/// A point to go back to, which can become bytes.
#[derive(Clone)]
pub(crate) struct LinearPoint {
    saved: Saved,
    given: Vec<[f64; 3]>,
}

#[cfg(feature = "fmi")]
impl Stored for LinearPoint {
    fn store(&self, to: &mut Vec<u8>) {
        self.saved.store(to);
        self.given.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.saved.load(from)?;
        self.given.load(from)
    }
}

impl LinearPartner {
    /// One that can return to a saved state.
    pub(super) fn new(model: &LinearModel) -> Result<Self, Error> {
        let own = Self::alone(model)?;
        let Equations::Dense(_) = &own.system.equations else {
            let place = Location { section: "diffusion", index: 0, name: String::new(), field: String::new() };
            let remedy = "write it as [state_space] or as [[block]] entries";
            return Err(ModelError::new(place, "a sparse system cannot be coupled", remedy).into());
        };
        Ok(own)
    }

    /// One that is stepped by itself; sparse systems have no saved states.
    pub(crate) fn alone(model: &LinearModel) -> Result<Self, Error> {
        let system = LinearSystem::compile(model)?;
        let stepping = Stepping::new(model, &crate::linear::LinearSettings::default())?;
        let inputs = model.inputs.iter().enumerate();
        let external: Vec<usize> =
            inputs.filter(|(_, input)| matches!(input, Input::External(_))).map(|(index, _)| index).collect();
        let variables = variables(model, &system, &external);
        let adapt_to = stepping.step.is_none().then(|| stepping.input_tolerance());
        // Steps are those of a host, which are not known: a thousand to the end stand for them.
        let step = stepping.step.or(stepping.output_step).or(stepping.end.map(|end| end / 1000.0)).unwrap_or(1.0);
        let exact = Exact::new(&system.equations, &system.initial, Grid { step, steps: 1000 }, adapt_to, &stepping);
        let exact = exact.map_err(|error| {
            let place = Location { section: "simulation", index: 0, name: String::new(), field: "step".to_owned() };
            numerical(place, &error)
        })?;
        let names = model.inputs.iter().map(|input| input.name().to_owned()).collect();
        let rows = exact.rows();
        Ok(Self {
            exact,
            inputs: Inputs::new(system.signals.clone(), names),
            given: external.iter().map(|&i| Signal::held(held(&system, i))).collect(),
            variables,
            external,
            warning_level: stepping.warning_level(),
            longest: stepping.step.unwrap_or(f64::INFINITY),
            stop_times: stepping.stop_times,
            time: 0.0,
            onwards: 0.0,
            u: vec![0.0; system.signals.len()],
            rows: Rows::new(rows),
            estimates: Estimates::new(rows),
            shown: Shown::new(&system),
            passing: Passing::default(),
            swings: model.inputs.iter().any(|input| matches!(input, Input::Expression(_) | Input::Sine(_))),
            system,
        })
    }

    /// Begins at another time \[s\] than 0.
    pub(crate) fn begin_at(&mut self, start: f64) {
        (self.time, self.onwards) = (start, start);
    }

    /// Everything on which the further steps depend, inputs from outside too: of systems that are not sparse.
    pub(crate) fn point(&mut self) -> LinearPoint {
        let mut saved = Saved::default();
        self.save_to(&mut saved);
        LinearPoint { saved, given: self.given.iter().map(|own| [own.value, own.first, own.second]).collect() }
    }

    /// The state of the system.
    #[cfg(feature = "fmi")]
    pub(crate) fn state(&mut self) -> Vec<f64> {
        self.point().saved.point.state().to_vec()
    }

    /// One of `model`, with other numbers than this one, in the state of this one.
    pub(crate) fn retuned(&mut self, model: &LinearModel) -> Result<Self, Error> {
        let mut own = Self::alone(model)?;
        let [now, then] = [self.system.states(), own.system.states()];
        if now != then {
            let place = Location { section: "parameters", index: 0, name: String::new(), field: String::new() };
            let problem = format!("the running system has {now} states, and {then} with these numbers");
            return Err(ModelError::new(place, problem, "set them before the run is set up").into());
        }
        own.go_to(&self.point());
        Ok(own)
    }

    /// Back to a point of this model.
    pub(crate) fn go_to(&mut self, LinearPoint { saved, given }: &LinearPoint) {
        self.return_to(saved);
        self.given = given.iter().map(|&[value, first, second]| Signal { value, first, second }).collect();
    }

    fn save_to(&mut self, saved: &mut Saved) {
        (saved.time, saved.onwards) = (self.time, self.onwards);
        self.exact.save(&mut saved.point);
        saved.estimates.clone_from(&self.estimates);
    }

    fn return_to(&mut self, saved: &Saved) {
        (self.time, self.onwards) = (saved.time, saved.onwards);
        self.exact.restore(&saved.point);
        self.estimates.clone_from(&saved.estimates);
    }

    fn can_restore(&self) -> bool {
        matches!(self.system.equations, Equations::Dense(_))
    }

    /// Fills the columns with the outputs at a time to which the state was stepped; the inputs from outside were set `moved` seconds before.
    fn look(&mut self, at: &Instant, moved: f64) {
        let (time, (onwards, side)) = (at.time, at.onwards());
        self.inputs.sample(onwards, side, &mut self.u);
        for (&i, given) in self.external.iter().zip(&self.given) {
            self.u[i] = given.at(moved);
        }
        self.exact.outputs(&self.u, &mut self.rows);
        self.shown.fill(&self.system, time, &self.rows.values, &self.u);
    }

    /// The present time.
    fn now(&self) -> Instant {
        instant(self.time, self.onwards)
    }

    /// The end of a solver step from `from` on, in a communication step from `begin` to `end`.
    fn next_end(&mut self, from: f64, apart: f64, [begin, end]: [f64; 2]) -> Instant {
        self.inputs.settle(from, apart, end);
        let breaks = self.inputs.next_breaks(apart);
        let own = breaks.map_or(f64::INFINITY, |(first, _)| first);
        let given = self.stop_times.get(self.stop_times.partition_point(|time| *time <= from + apart));
        let solver = if self.longest.is_finite() {
            // Equal ones, so that they share their matrices.
            let count = ((end - begin) / self.longest - SAME).ceil().max(1.0);
            let passed = ((from - begin) / (end - begin) * count + SAME).floor();
            begin + (passed + 1.0) / count * (end - begin)
        } else {
            end
        };
        let watched =
            self.passing.next_time().filter(|time| self.swings && *time > from + apart).unwrap_or(f64::INFINITY);
        let next = own.min(given.copied().unwrap_or(f64::INFINITY)).min(solver).min(watched);
        let time = if next < end - apart { next } else { end };
        match breaks.filter(|(first, _)| *first <= time + apart) {
            Some((first, last)) => Instant { stop: Some((time.min(first), time.max(last))), ..instant(time, time) },
            None => instant(time, time),
        }
    }
}

/// A time at which a solver step ends, where any may be a jump; `other` is one with it.
fn instant(time: f64, other: f64) -> Instant {
    Instant { time, rest: 0.0, stop: Some((time.min(other), time.max(other))) }
}

/// c_0 + c_1 t + c_2 t^2.
fn polynomial(signal: &Signal) -> ExponentialSum {
    ExponentialSum::polynomial(&[signal.value, signal.first, 0.5 * signal.second])
}

/// Start value of an input from outside.
fn held(system: &LinearSystem, i: usize) -> f64 {
    system.signals[i].value(0.0, Side::At, &mut Stack::new(1))
}

/// Inputs from outside, and outputs.
#[cfg(feature = "fmi")]
pub(crate) fn linear_variables(model: &LinearModel, system: &LinearSystem) -> (Vec<Variable>, Vec<Variable>) {
    let named = model.inputs.iter().enumerate();
    let external: Vec<usize> =
        named.filter(|(_, input)| matches!(input, Input::External(_))).map(|(index, _)| index).collect();
    let all = variables(model, system, &external);
    all.into_iter().partition(|variable| variable.causality == Causality::Input)
}

/// How a column changes if external inputs change as `inputs` says.
fn changes(system: &LinearSystem, column: usize, inputs: Changes) -> Changes {
    match (&system.taps[column], &system.equations) {
        (Tap::Input(j), _) => system.signals[*j].changes(inputs),
        (Tap::Row(row), Equations::Dense(equations)) if equations.c().row(*row).iter().all(|c| *c == 0.0) => {
            let fed = system.signals.iter().enumerate().filter(|(j, _)| equations.d()[(*row, *j)] != 0.0);
            fed.map(|(_, signal)| signal.changes(inputs)).max().unwrap_or(Changes::Never)
        }
        (Tap::Row(_), _) => Changes::Continuously,
        // Slot 0 is the time.
        (Tap::Formula(program), _) => program.changes(|slot| match slot.checked_sub(1) {
            Some(column) => changes(system, column, inputs),
            None => Changes::Continuously,
        }),
    }
}

/// Inputs from outside, and the outputs with their feedthrough from these.
fn variables(model: &LinearModel, system: &LinearSystem, external: &[usize]) -> Vec<Variable> {
    let feeds = |row: usize, input: usize| match &system.equations {
        Equations::Dense(equations) => equations.d()[(row, input)] != 0.0,
        Equations::Sparse(_) => false,
    };
    let mut depends = vec![vec![false; external.len()]; system.taps.len()];
    for &column in &system.order {
        for (k, &input) in external.iter().enumerate() {
            depends[column][k] = match &system.taps[column] {
                Tap::Row(row) => feeds(*row, input),
                Tap::Input(j) => *j == input,
                // Slot 0 is the time.
                Tap::Formula(program) => program.slots().iter().any(|&slot| slot > 0 && depends[slot - 1][k]),
            };
        }
    }
    let inputs = external.iter().map(|&i| match &model.inputs[i] {
        Input::External(input) => Variable::input(&input.name, &input.unit).start(held(system, i)),
        other => Variable::input(other.name(), ""),
    });
    let outputs = system.columns.iter().zip(&depends).map(|(column, depends)| {
        let used = external.iter().zip(depends).filter(|(_, depends)| **depends);
        let names: Vec<&str> = used.map(|(&i, _)| model.inputs[i].name()).collect();
        Variable::output(&column.name, &column.unit).depends_on(&names)
    });
    let outputs = outputs.enumerate().map(|(column, variable)| {
        variable.changing(Variability::where_inputs(|inputs| changes(system, column, inputs)))
    });
    inputs.chain(outputs).collect()
}

impl Simulator for LinearPartner {
    fn describe(&self) -> Description {
        let solver_step = self.longest.is_finite().then_some(self.longest);
        let capabilities = Capabilities::FULL.rollback(self.can_restore()).written(self.can_restore());
        let capabilities = capabilities.stateless(self.system.states() == 0);
        Description { variables: self.variables.clone(), solver_step, capabilities }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.given.copy_from_slice(inputs);
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let (end, apart) = (end_of_step(t, h), SAME * h);
        self.inputs.begin();
        for (&i, given) in self.external.iter().zip(&self.given) {
            self.inputs.give(i, polynomial(given), self.time);
        }
        let mut from = instant(t, if (self.onwards - t).abs() <= apart { self.onwards } else { t });
        let watched = !self.passing.is_idle();
        if watched {
            self.look(&from, 0.0);
            self.passing.begin(t, end, self.shown.columns());
        }
        while from.time < end {
            let to = self.next_end(from.time, apart, [t, end]);
            let length = if from.time == t && to.time == end { h } else { to.time - from.time };
            let interval = Interval { from, to, length, whole: false, last: to.time == end };
            let advanced = self.exact.advance(&interval, &mut self.inputs);
            self.inputs.check().map_err(|error| Failure::new(error.to_string()))?;
            advanced.map_err(|error| Failure::new(error.to_string()))?;
            from = to;
            if watched && from.time < end {
                self.look(&from, from.time - t);
                self.passing.note(from.time, self.shown.columns());
            }
        }
        if watched {
            self.look(&from, end - t);
            self.passing.finish(self.shown.columns());
        }
        self.onwards = from.onwards().0;
        let moved = end - self.time;
        for given in &mut self.given {
            *given = Signal { value: given.at(moved), first: given.first + moved * given.second, second: given.second };
        }
        self.time = end;
        Ok(end)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.look(&self.now(), 0.0);
        self.estimates.add(&self.rows);
        values.copy_from_slice(self.shown.columns());
        Ok(())
    }

    fn watch_outputs(&mut self, connected: &[usize]) {
        self.passing.watch(connected, &self.variables, |k| k);
    }

    fn warnings(&self) -> Vec<String> {
        let names = self.inputs.names(|i| self.exact.interpolates(i));
        let remedy = match self.longest.is_finite() {
            true => "leave out `step` of the system, or take a smaller one",
            false => "take a smaller communication step, or give jumps of the inputs as `stop_times`",
        };
        let output = |row: usize| self.system.column_of(row);
        let interpolation = self.estimates.warning(&names, self.warning_level, output, remedy);
        interpolation.into_iter().chain(self.passing.warnings()).collect()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        if !self.can_restore() {
            return Err(Failure::Unsupported("saving the state of a sparse system"));
        }
        self.save_to(snapshot.content_mut());
        Ok(())
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        snapshot.content::<Saved>()?.store(to);
        Ok(())
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Saved = snapshot.content_mut();
        // Of the same dimensions.
        self.save_to(saved);
        let mut from = Source::new(bytes);
        let read = saved.load(&mut from).and_then(|()| from.finish());
        read.map_err(|error| Failure::new(error.to_string()))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let saved: &Saved = snapshot.content()?;
        self.return_to(saved);
        Ok(())
    }
}
