//! What works with what, tried: every feature of a model in every use of it. The table is docs/matrix.md, which `UPDATE_MATRIX=1` writes anew.

mod feature;
mod features;
mod joints;
mod kinds;
mod table;
mod texts;
mod uses;

use feature::Feature;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use uses::{Case, Fault, USES};

/// What a try gave.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Works,
    /// There is nothing to try.
    Nothing,
    Fails(Fault),
    /// A panic, with its message.
    Panics(String),
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").to_owned()
}

fn tried<T>(attempt: impl FnOnce() -> Result<T, Fault>) -> (Cell, Option<T>) {
    match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok(value)) => (Cell::Works, Some(value)),
        Ok(Err(fault)) => (Cell::Fails(fault), None),
        Err(payload) => (Cell::Panics(said(&*payload)), None),
    }
}

/// A cell that takes longer than this is reported.
const LONG: Duration = Duration::from_secs(2);

/// The cells of a row: the run, then all other uses.
fn row(feature: &Feature) -> Vec<Cell> {
    let timed = |heading: &str, begun: Instant| {
        if begun.elapsed() > LONG {
            println!("{}, {heading}: {:.1?}", feature.name, begun.elapsed());
        }
    };
    let begun = Instant::now();
    let (first, expected) = tried(|| uses::run(feature));
    timed("run", begun);
    let case = Case { feature, expected };
    let mut cells = vec![first];
    for own in USES {
        let begun = Instant::now();
        cells.push(if (own.concerns)(feature) { tried(|| (own.attempt)(&case)).0 } else { Cell::Nothing });
        timed(own.heading, begun);
    }
    cells
}

/// The rows of all features, on as many threads as there are cores.
fn rows(features: &[&Feature]) -> Vec<Vec<Cell>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![Vec::new(); features.len()]));
    let work = || {
        while let Some(feature) = features.get(next.fetch_add(1, Relaxed)) {
            let cells = row(feature);
            let index = features.iter().position(|own| own.name == feature.name).unwrap();
            done.lock().unwrap_or_else(PoisonError::into_inner)[index] = cells;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Says what fails, and returns what panics.
fn panics(features: &[&Feature], rows: &[Vec<Cell>]) -> Vec<String> {
    let mut panics = Vec::new();
    for (feature, cells) in features.iter().zip(rows) {
        for (heading, cell) in table::headings().zip(cells) {
            match cell {
                Cell::Panics(said) => panics.push(format!("{}, {heading}: {said}", feature.name)),
                Cell::Fails(fault) => println!("{} | {heading} | {fault}", feature.name),
                Cell::Works | Cell::Nothing => {}
            }
        }
    }
    panics
}

/// `MATRIX_ROW` tries the rows alone whose names hold it, and compares nothing.
#[test]
fn every_cell_is_what_the_table_says() {
    let groups = features::all();
    let only = std::env::var("MATRIX_ROW").ok();
    let all = groups.iter().flat_map(|(_, own)| own);
    let features: Vec<&Feature> =
        all.filter(|feature| only.as_ref().is_none_or(|only| feature.name.contains(only))).collect();
    let rows = rows(&features);
    let panics = panics(&features, &rows);
    assert!(panics.is_empty(), "panics:\n{}", panics.join("\n"));
    if only.is_some() {
        return;
    }
    let mut rows = features.into_iter().zip(&rows);
    let page = table::page(groups.iter().map(|(heading, own)| (*heading, rows.by_ref().take(own.len()).collect())));
    let path = crate::running::root("docs/matrix.md");
    if std::env::var_os("UPDATE_MATRIX").is_some() {
        std::fs::write(&path, page).unwrap();
        return;
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    for (own, kept) in page.lines().zip(present.lines()).filter(|(own, kept)| own != kept) {
        println!("now:  {own}\nkept: {kept}");
    }
    let remedy = "look at what has changed and run `UPDATE_MATRIX=1 cargo test -p fourbar --test all matrix`";
    assert!(page == present, "docs/matrix.md is not what the program does; {remedy}");
}
