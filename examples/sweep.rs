//! A sweep from Rust: `cargo run --release --example sweep --features sweep -- PLAN.toml TABLE.csv JOBS`. Killed and started again it goes on.

use fourbar::sweep::{Options, PlanFile, Sweep, journal_beside};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let plan = arguments.next().unwrap_or_else(|| "examples/sweeps/four-bar.toml".to_owned());
    let table = PathBuf::from(arguments.next().unwrap_or_else(|| "four-bars.csv".to_owned()));
    let jobs = arguments.next().map_or(Ok(0), |jobs| jobs.parse())?;

    let sweep = Sweep::new(PlanFile::load(plan)?)?;
    let options = Options { jobs, journal: Some(journal_beside(&table)), ..Options::default() };
    let (begun, mut before) = (Instant::now(), None);
    let results = sweep.execute(&options, &Arc::default(), |progress| {
        before.get_or_insert(progress.done);
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    let taken = before.unwrap_or(0);
    println!("{} runs in {seconds:.2} s, {taken} from the journal, {} failed", results.rows.len(), results.failed());
    results.write(&table)?;
    Ok(())
}
