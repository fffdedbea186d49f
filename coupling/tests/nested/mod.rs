//! A run as a partner of another one: the numbers of one run over all partners, and faults under their names.

mod equal;
mod faults;
mod saved;

use crate::press::machine::Machine;
use fourbar_coupling::partner::{Coupled, Ode};
use fourbar_coupling::{Algorithm, Connection, Master, Options, Order, Partner, Variable};

/// Communication step \[s\].
pub(crate) const H: f64 = 1e-3;

pub(crate) fn options(algorithm: Algorithm) -> Options {
    Options::new(f64::INFINITY, H, algorithm)
}

pub(crate) fn jacobi() -> Algorithm {
    Algorithm::Jacobi { order: Order::Quadratic }
}

/// The press with a hose in the way of the first force, which follows at once, and a gauge that follows the hose.
pub(crate) struct Parts {
    pub(crate) mech: Partner,
    pub(crate) hyd: Partner,
    pub(crate) hose: Partner,
    pub(crate) gauge: Partner,
}

pub(crate) fn parts() -> Parts {
    let (partners, _) = Machine::Press.partners();
    let [mech, hyd] = partners.try_into().ok().unwrap();
    let hose = Ode::new([], |_, _, _, _| {})
        .input(Variable::input("in", "kN"))
        .output(Variable::output("out", "N").depends_on(&["in"]), |_, _, u| 990.0 * u[0]);
    let gauge = Ode::new([0.0], |_, x, u, dx| dx[0] = 50.0 * (u[0] - x[0]))
        .input(Variable::input("force", "N"))
        .output(Variable::output("shown", "N"), |_, x, _| x[0]);
    Parts { mech, hyd, hose: Partner::new("hose", hose), gauge: Partner::new("gauge", gauge) }
}

/// Its connections, where partners stand inside of others as `place` says.
pub(crate) fn connections(place: impl Fn(&str) -> String) -> Vec<Connection> {
    let ends = [
        ("mech.x1", "hyd.x1"),
        ("mech.v1", "hyd.v1"),
        ("mech.x2", "hyd.x2"),
        ("mech.v2", "hyd.v2"),
        ("hyd.F1", "hose.in"),
        ("hose.out", "mech.F1"),
        ("hyd.F2", "mech.F2"),
        ("hose.out", "gauge.force"),
    ];
    ends.map(|(from, to)| Connection::new(place(from), place(to))).into()
}

/// Those of them that stay among partners with this prefix, without it.
fn inside(all: &[Connection], prefix: &str) -> Vec<Connection> {
    let own = |end: &str| end.strip_prefix(prefix).map(str::to_owned);
    let both = |c: &Connection| Some(Connection::new(own(&c.from)?, own(&c.to)?));
    all.iter().filter_map(both).collect()
}

/// Those that do not.
fn outside(all: &[Connection], prefix: &str) -> Vec<Connection> {
    let within = |c: &&Connection| c.from.starts_with(prefix) && c.to.starts_with(prefix);
    all.iter().filter(|c| !within(c)).cloned().collect()
}

/// A run of some partners as the partner `name`.
pub(crate) fn nest(name: &str, partners: Vec<Partner>, connections: &[Connection], options: &Options) -> Partner {
    Partner::new(name, Coupled::new(Master::new(partners, connections, options).unwrap()))
}

pub(crate) fn flat(options: &Options) -> Master {
    let Parts { mech, hyd, hose, gauge } = parts();
    Master::new(vec![mech, hose, gauge, hyd], &connections(str::to_owned), options).unwrap()
}

/// Mechanics, hose and gauge inside "in", the hydraulics outside.
pub(crate) fn nested(inner: &Options, outer: &Options) -> Master {
    let Parts { mech, hyd, hose, gauge } = parts();
    let all = connections(|end| if end.starts_with("hyd") { end.to_owned() } else { format!("in.{end}") });
    let within = nest("in", vec![mech, hose, gauge], &inside(&all, "in."), inner);
    Master::new(vec![within, hyd], &outside(&all, "in."), outer).unwrap()
}

/// Hydraulics and hose inside "in", each on a thread, and all that with the gauge inside "all", the mechanics outside.
pub(crate) fn nested_twice(options: &Options) -> Master {
    let Parts { mech, hyd, hose, gauge } = parts();
    let place = |end: &str| match end.split('.').next() {
        Some("mech") => end.to_owned(),
        Some("gauge") => format!("all.{end}"),
        _ => format!("all.in.{end}"),
    };
    let all = connections(place);
    let (own, rest) = (inside(&all, "all."), outside(&all, "all."));
    let first = nest("in", vec![hose.on_thread(), hyd.on_thread()], &inside(&own, "in."), options);
    let second = nest("all", vec![first, gauge], &outside(&own, "in."), options);
    Master::new(vec![mech, second], &rest, options).unwrap()
}

/// The values of all outputs, by the names of their partners, sorted.
pub(crate) fn values(master: &Master) -> Vec<(String, u64)> {
    let tail = |name: &str| name.rsplit('.').take(2).map(str::to_owned).collect::<Vec<_>>();
    let bits = |name: &String| master.output(name).unwrap().to_bits();
    let mut all: Vec<_> = master.output_names().iter().map(|name| (tail(name).join(" of "), bits(name))).collect();
    all.sort();
    all
}
