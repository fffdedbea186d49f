//! Sweeps: the same table however it comes about, and what is refused.

mod journals;
mod kinds;
mod members;
mod searches;
mod shards;

use fourbar::file::ModelFile;
use fourbar::sweep::{Options, PlanFile, Results, Sweep};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A pendulum that starts level; `length` below 0 cannot be compiled.
const PENDULUM: &str = r#"
name = "pendulum"
gravity = [0, -9.81, 0]
simulation = { end = 0.2, output_step = 0.02, tolerance = 1e-9 }
parameters = { length = 1.0, mass = 1.0 }
[[body]]
name = "rod"
mass = "mass"
inertia = [1e-3, "mass*length/12", "mass*length/12"]
center_of_mass = ["length/2", 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
i = "rod"
j = "ground"
[[measure]]
name = "angle"
type = "angle"
i = "rod"
"#;

const GRID: &str = r#"
model = "pendulum.toml"
[[parameter]]
name = "length"
from = -0.25
to = 1.0
points = 6
[[parameter]]
name = "mass"
values = [1.0, 2.0, 4.0]
[members]
choose = "grid"
[[output]]
column = "angle"
[[output]]
name = "fallen"
column = "angle"
reduce = "first_crossing"
level = -0.1
[[output]]
statistic = "steps"
"#;

fn pendulum(plan: &str) -> Sweep {
    let plan = PlanFile::parse("plan.toml", plan).unwrap_or_else(|error| panic!("{error}"));
    Sweep::with_model(plan, ModelFile::parse("pendulum.toml", PENDULUM).unwrap()).unwrap()
}

fn never() -> Arc<AtomicBool> {
    Arc::default()
}

/// A folder that goes with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("fourbar-sweep-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Table and failures as bytes.
fn written(results: &Results) -> (Vec<u8>, Vec<u8>) {
    let (mut table, mut failures) = (Vec::new(), Vec::new());
    results.write_csv(&mut table).unwrap();
    results.write_failures(&mut failures).unwrap();
    (table, failures)
}

fn whole(sweep: &Sweep) -> Results {
    sweep.execute(&Options { jobs: 1, ..Options::default() }, &never(), |_| {}).unwrap()
}
