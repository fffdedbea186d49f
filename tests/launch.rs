//! What the demonstrations of docs/launch promise. `.ci/book commands` runs their commands and compares what they print.

use crate::running::{assert_near, measure, run};
use fourbar::mechanism::ContactMethod;
use fourbar::results::{Details, Summary, Table};
use fourbar::run::Overrides;

fn events_energy(summary: &Summary) -> (f64, u64) {
    let details = summary.contact().unwrap();
    (details.energy.impacts.unwrap(), details.statistics.events.unwrap().painleve_shocks)
}

#[test]
fn the_grip_does_not_creep() {
    for (contacts, step) in [(None, None), (Some(ContactMethod::MoreauJean), Some(5e-3))] {
        let (summary, _) = run("grip.toml", &Overrides { contacts, step, ..Overrides::default() });
        // The page promises 1e-13 m after 10 s.
        assert_near(measure(&summary, "height"), 0.0, 1e-13);
        assert_near(measure(&summary, "normal_force"), 40.0, 1e-6);
    }
}

#[test]
fn painleves_rod_jams_with_the_energy_of_the_closed_form() {
    let (summary, _) = run("painleve.toml", &Overrides::default());
    let (energy, shocks) = events_energy(&summary);
    // Angular momentum about the lower end is kept: 3/4 sin^2 a of v^2/2 is left, tan a = 2.
    assert_near(energy, -0.5 * (1.0 - 0.75 * 0.8), 1e-9);
    assert_eq!(shocks, 1);
}

#[test]
fn the_loop_stays_closed_for_thirty_seconds() {
    let (summary, _) = run("five-bar.toml", &Overrides::default());
    let Details::Mechanism(details) = &summary.details else { panic!("a mechanism without contacts") };
    // What the page promises, for its tolerance of 1e-8.
    assert!(details.violation.position < 1e-9, "{:?}", details.violation);
}

/// When a column falls below a value, between outputs \[s\].
fn falls(table: &Table, name: &str, below: f64) -> f64 {
    let column = table.columns().iter().position(|column| column.name == name).unwrap();
    let values: Vec<f64> = table.series(column).collect();
    let k = values.iter().position(|value| *value < below).unwrap();
    let (times, part) = (table.times(), (values[k - 1] - below) / (values[k - 1] - values[k]));
    times[k - 1] + part * (times[k] - times[k - 1])
}

#[test]
fn the_wave_of_the_dominos_has_its_speed() {
    let (_, table) = run("dominos.toml", &Overrides { end: Some(1.0), ..Overrides::default() });
    let [tenth, twentieth] = ["tenth", "twentieth"].map(|name| falls(&table, name, 0.9 * 0.024));
    // Ten times 24 mm; the page has 0.686 m/s at 2.5 ms and 0.687 m/s at 1 ms.
    assert_near(0.24 / (twentieth - tenth), 0.687, 2e-3);
}
