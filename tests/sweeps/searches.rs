//! Searches: least squares and the simplex, their ends and their journals.

use super::{Folder, never, pendulum, whole, written};
use fourbar::sweep::{Options, SearchEnd};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A search of `length` so that the pendulum, of length 0.7 at the target, falls as deep.
fn search(method: &str, range: &str, more: &str) -> String {
    format!(
        "model = \"pendulum.toml\"\n[[parameter]]\nname = \"length\"\n{range}\n\
         [[output]]\ncolumn = \"angle\"\nname = \"depth\"\n{more}\n[optimize]\nmethod = \"{method}\"\n"
    )
}

#[test]
fn least_squares_finds_the_parameter_that_made_the_target() {
    let one = "model = \"pendulum.toml\"\nmembers = { choose = \"list\" }\noutput = [{ column = \"angle\" }]\n\
               parameter = [{ name = \"length\", values = [0.7] }]\n";
    let target = whole(&pendulum(one)).rows[0].result.as_ref().unwrap()[0];
    let plan = search("least_squares", "from = 0.3\nto = 2.0\nstart = 1.5", &format!("target = {target:e}"));
    let found = pendulum(&plan).search(&Options::default(), &never(), |_| {}).unwrap().unwrap();
    assert!(matches!(found.end, SearchEnd::Converged(_)), "{}", found.end);
    let best = &found.results.rows[found.best.unwrap()];
    // The runs resolve the angle to about 1e-9; the search ends at changes of 1e-6.
    assert!((best.values[0] - 0.7).abs() < 1e-5, "{best:?}");
    assert!(found.at_bounds.is_empty());
}

#[test]
fn a_simplex_finds_a_minimum_at_a_bound_and_says_so_and_goes_on_after_a_stop() {
    // The shorter, the deeper: the least angle lies at the least length.
    let plan = search("nelder_mead", "from = 0.3\nto = 2.0", "") + "minimize = \"depth\"\n";
    let (sweep, folder) = (pendulum(&plan), Folder::new("search"));
    let found = sweep.search(&Options::default(), &never(), |_| {}).unwrap().unwrap();
    assert!(matches!(found.end, SearchEnd::Converged(_)), "{}", found.end);
    let best = &found.results.rows[found.best.unwrap()];
    assert_eq!(best.values, [0.3]);
    assert_eq!(found.at_bounds, ["length"]);
    assert!(found.to_string().ends_with(", at an end of the range of length"), "{found}");
    assert!(found.doubt().unwrap().contains("a wider range"));

    let options = Options { journal: Some(folder.at("journal")), ..Options::default() };
    let stop = never();
    let stopping = Arc::clone(&stop);
    let stopped = sweep
        .search(&options, &stop, |progress| {
            stopping.fetch_or(progress.done >= 5, Ordering::SeqCst);
        })
        .unwrap()
        .unwrap();
    assert_eq!((stopped.end, stopped.results.complete, stopped.results.rows.len()), (SearchEnd::Stopped, false, 5));
    let resumed = sweep.search(&options, &never(), |_| {}).unwrap().unwrap();
    assert_eq!((written(&resumed.results), resumed.end), (written(&found.results), found.end));

    let few = pendulum(&(plan + "max_runs = 4\n"));
    let found = few.search(&Options::default(), &never(), |_| {}).unwrap().unwrap();
    assert_eq!((found.end, found.results.rows.len()), (SearchEnd::RunLimit, 4));
}
