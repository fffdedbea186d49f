//! The source's figures 2 to 4 as CSV on standard output: a four-bar driven onto a wall by time stepping.
//!
//! Columns: time, velocity of point a (figure 2), position and velocity error of the joints with and without projection (figures 3
//! and 4), x of point a by time stepping and event-driven. `cargo run --release --example source_figures > figures.csv`

#[path = "../tests/support/mod.rs"]
mod support;

use fourbar_contact::event::{EventDriven, Reached};
use fourbar_contact::projection::Projection;
use fourbar_contact::stepping::{TimeStepper, TimeStepping};
use fourbar_multibody::State;
use fourbar_multibody::space::V3;
use support::{Planes, four_bar, wall, x_a};

const STEP: f64 = 1e-3;
const END: f64 = 0.4;

/// Horizontal velocity of point a.
fn v_a(state: &State) -> f64 {
    let pose = &state.poses[0];
    (pose.v + pose.w.cross(&(pose.a * V3::new(0.1, 0.0, 0.0)))).x
}

fn stepper(projection: Projection) -> Result<TimeStepper<Planes>, fourbar_contact::Error> {
    let mechanism = four_bar(0.0);
    let options = TimeStepping { step: STEP, projection, ..TimeStepping::default() };
    options.start(&mechanism, wall(0.8), mechanism.start())
}

fn main() -> Result<(), fourbar_contact::Error> {
    let mut corrected = stepper(Projection { iterations: 2, ..Projection::default() })?;
    let mut plain = stepper(Projection::off())?;
    let mechanism = four_bar(0.0);
    let mut exact = EventDriven::default().start(&mechanism, wall(0.8), mechanism.start(), 0.0)?;
    println!("time,v_a,position_error,position_error_plain,velocity_error,velocity_error_plain,x_a,x_a_events");
    for k in 1..=(END / STEP).round() as u32 {
        let (with, without) = (*corrected.step()?, *plain.step()?);
        exact.set_end(f64::from(k) * STEP)?;
        while exact.step()? != Reached::EndTime {}
        println!(
            "{},{},{:e},{:e},{:e},{:e},{},{}",
            with.time,
            v_a(corrected.state()),
            with.violation[1],
            without.violation[1],
            with.rate_violation[1],
            without.rate_violation[1],
            x_a(corrected.state()),
            x_a(exact.state()),
        );
    }
    Ok(())
}
