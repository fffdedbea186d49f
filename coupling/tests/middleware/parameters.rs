//! Parameters of running partners: told, set between steps, refused by name, saved and brought back.

use fourbar_coupling::management::{Fallback, Level};
use fourbar_coupling::partner::Coupled;
use fourbar_coupling::{
    Algorithm, Capabilities, Checkpoint, Connection, Description, Error, Failure, FaultPolicy, Master, Options, Order,
    Parameter, ParameterRefusal, Partner, Signal, Simulator, Snapshot, Variable,
};

/// y' = rate, with a fixed parameter beside; negative rates beyond -5 it cannot take.
pub(crate) struct Ramp {
    y: f64,
    rate: f64,
    /// Fails once when it is to step from this time on.
    pub(crate) fails_at: f64,
}

impl Ramp {
    pub(crate) fn new() -> Self {
        Self { y: 0.0, rate: 1.0, fails_at: f64::INFINITY }
    }
}

impl Simulator for Ramp {
    fn describe(&self) -> Description {
        let variables = vec![Variable::input("u", "m"), Variable::output("y", "m")];
        Description { variables, solver_step: None, capabilities: Capabilities::PLAIN.rollback(true).written(true) }
    }
    fn set_inputs(&mut self, _: &[Signal]) -> Result<(), Failure> {
        Ok(())
    }
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        if t >= self.fails_at {
            self.fails_at = f64::INFINITY;
            self.y = f64::NAN;
            return Err(Failure::new("a stone"));
        }
        self.y += self.rate * h;
        Ok(t + h)
    }
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        values[0] = self.y;
        Ok(())
    }
    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        *snapshot.content_mut() = [self.y, self.rate];
        Ok(())
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        [self.y, self.rate] = *snapshot.content::<[f64; 2]>()?;
        Ok(())
    }
    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        snapshot.content::<[f64; 2]>()?.iter().for_each(|number| to.extend(number.to_le_bytes()));
        Ok(())
    }
    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let number = |k: usize| f64::from_le_bytes(bytes[8 * k..8 * k + 8].try_into().unwrap());
        *snapshot.content_mut() = [number(0), number(1)];
        Ok(())
    }
    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        let rate = Parameter::tunable("rate", self.rate).unit("m/s").within(-10.0, 10.0);
        Ok(vec![rate, Parameter::fixed("length", 3.0)])
    }
    fn set_parameters(&mut self, values: &[(String, f64)]) -> Result<(), Failure> {
        for (name, value) in values {
            assert_eq!(name, "rate", "the middleware looks before");
            if *value < -5.0 {
                return Err(Failure::new("it does not run backwards so fast"));
            }
            self.rate = *value;
        }
        Ok(())
    }
}

pub(crate) fn options() -> Options {
    Options::new(10.0, 0.5, Algorithm::Jacobi { order: Order::Linear })
}

fn master() -> Master {
    Master::new(vec![Partner::new("a.b", Ramp::new())], &[], &options()).unwrap()
}

fn steps(master: &mut Master, count: usize) {
    (0..count).for_each(|_| {
        master.step(&mut ()).unwrap();
    });
}

#[test]
fn a_tunable_parameter_is_told_and_set_between_steps() {
    let mut master = master();
    let told = master.parameters();
    let rate = Parameter::tunable("a.b.rate", 1.0).unit("m/s").within(-10.0, 10.0);
    assert_eq!(told, [rate, Parameter::fixed("a.b.length", 3.0)]);
    master.set_parameter("a.b.rate", 2.0).unwrap();
    steps(&mut master, 2);
    master.set_parameter("a.b.rate", -4.0).unwrap();
    assert_eq!(master.parameters()[0].value, -4.0);
    // What was sampled stays.
    assert_eq!(master.output("a.b.y").unwrap(), 2.0);
    steps(&mut master, 1);
    assert_eq!(master.output("a.b.y").unwrap(), 0.0);
}

#[test]
fn refusals_name_parameter_value_time_and_remedy_and_change_nothing() {
    let mut master = master();
    steps(&mut master, 1);
    let cases: [(&str, f64, &[&str]); 6] = [
        ("a.b.length", 4.0, &["\"a.b.length\"", "4", "t = 0.5 s", "fixed", "before"]),
        ("a.b.rat", 4.0, &["\"a.b.rat\"", "did you mean \"rate\"?"]),
        ("a.b.rate", f64::NAN, &["NaN", "finite"]),
        ("a.b.rate", 10.5, &["10.5", "between -10 and 10"]),
        ("a.b.rate", -7.0, &["-7", "backwards", "goes on with the value"]),
        ("a.c.rate", 1.0, &["\"a\"", "parameter \"a.c.rate\""]),
    ];
    for (name, value, words) in cases {
        let error = master.set_parameter(name, value).unwrap_err();
        let text = error.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert_eq!(matches!(error, Error::Parameter { .. }), !name.starts_with("a.c"), "{text}");
        assert_eq!(master.parameters()[0].value, 1.0);
    }
    steps(&mut master, 1);
    assert_eq!(master.output("a.b.y").unwrap(), 1.0);
}

#[test]
fn of_several_at_once_all_are_taken_or_none() {
    let partners = vec![Partner::new("a", Ramp::new()), Partner::new("b", Ramp::new()).on_thread()];
    let mut master = Master::new(partners, &[], &options()).unwrap();
    let values = |master: &mut Master| [master.parameters()[0].value, master.parameters()[2].value];
    let error = master.set_parameters(&[("a.rate", 3.0), ("b.rate", -6.0)]).unwrap_err();
    assert!(matches!(error, Error::Parameter { reason: ParameterRefusal::NotTaken(_), .. }), "{error}");
    assert_eq!(values(&mut master), [1.0, 1.0]);
    master.set_parameters(&[("a.rate", 3.0), ("b.rate", 4.0), ("a.rate", 5.0)]).unwrap();
    assert_eq!(values(&mut master), [5.0, 4.0]);
    steps(&mut master, 1);
    assert_eq!(["a.y", "b.y"].map(|name| master.output(name).unwrap()), [2.5, 2.0]);
}

#[test]
fn a_rollback_goes_on_with_the_values_set_since_and_a_checkpoint_with_those_it_was_saved_with() {
    let retry = Level::Retry { attempts: 1, then: Fallback::Stop };
    let faults = FaultPolicy { communication: retry, ..FaultPolicy::default() };
    let ramp = Ramp { fails_at: 1.0, ..Ramp::new() };
    let mut master = Master::new(vec![Partner::new("ramp", ramp)], &[], &Options { faults, ..options() }).unwrap();
    steps(&mut master, 2);
    // The state from which the failing step is repeated was saved before this.
    master.set_parameter("ramp.rate", 4.0).unwrap();
    steps(&mut master, 1);
    assert_eq!((master.output("ramp.y").unwrap(), master.statistics().faults), (3.0, 1));
    let mut point = Checkpoint::default();
    master.save(&mut point).unwrap();
    master.set_parameter("ramp.rate", -1.0).unwrap();
    steps(&mut master, 1);
    assert_eq!(master.output("ramp.y").unwrap(), 2.5);
    master.restore(&mut point).unwrap();
    assert_eq!(master.parameters()[0].value, 4.0);
    steps(&mut master, 1);
    assert_eq!(master.output("ramp.y").unwrap(), 5.0);
    let bytes = master.checkpoint_to_bytes(&mut point).unwrap();
    let mut other = Master::new(
        vec![Partner::new("ramp", Ramp::new())],
        &[],
        &Options { faults: FaultPolicy { communication: retry, ..FaultPolicy::default() }, ..options() },
    )
    .unwrap();
    let mut read = other.checkpoint_from_bytes(&bytes).unwrap();
    other.restore(&mut read).unwrap();
    steps(&mut other, 1);
    assert_eq!((other.output("ramp.y").unwrap(), other.parameters()[0].value), (5.0, 4.0));
}

#[test]
fn nested_runs_pass_them_down() {
    let inner = || Coupled::new(Master::new(vec![Partner::new("x", Ramp::new())], &[], &options()).unwrap());
    let outer = Coupled::new(Master::new(vec![Partner::new("in", inner())], &[], &options()).unwrap());
    let partners = vec![Partner::new("ramp", Ramp::new()), Partner::new("out", outer).on_thread()];
    let mut master = Master::new(partners, &[Connection::new("ramp.y", "out.in.x.u")], &options()).unwrap();
    let names: Vec<String> = master.parameters().into_iter().map(|own| own.name).collect();
    assert_eq!(names, ["ramp.rate", "ramp.length", "out.in.x.rate", "out.in.x.length"]);
    steps(&mut master, 1);
    let mut point = Checkpoint::default();
    master.save(&mut point).unwrap();
    master.set_parameter("out.in.x.rate", 3.0).unwrap();
    steps(&mut master, 1);
    assert_eq!(master.output("out.in.x.y").unwrap(), 2.0);
    master.restore(&mut point).unwrap();
    steps(&mut master, 1);
    assert_eq!(master.output("out.in.x.y").unwrap(), 1.0);
    let text = master.set_parameter("out.in.x.rate", -6.0).unwrap_err().to_string();
    assert!(text.contains("backwards") && text.contains("out.in.x.rate"), "{text}");
}
