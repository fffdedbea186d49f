//! The progress bar: simulated time, step size and order, on a terminal only.

use crate::text::number;
use fourbar::run::{Observer, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Time between two drawings.
const PAUSE: Duration = Duration::from_millis(100);
/// Parts into which the simulated time is divided for the bar.
const PARTS: u64 = 1000;

/// Draws a bar on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    end: f64,
    drawn: Instant,
}

impl Progress {
    /// A bar that runs to `end` \[s\]; it stays invisible if `quiet` or if standard error is no terminal.
    pub(crate) fn new(end: f64, quiet: bool) -> Self {
        let visible = !quiet && io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(PARTS), target).with_style(style);
        Self { bar, end, drawn: Instant::now() }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        if self.bar.is_hidden() || self.drawn.elapsed() < PAUSE {
            return Ok(());
        }
        self.drawn = Instant::now();
        let (time, end, size) = (number(step.time, 4), number(self.end, 4), number(step.size, 3));
        self.bar.set_message(format!("t = {time} of {end} s, step {size} s, order {}", step.order));
        self.bar.set_position((step.time / self.end * PARTS as f64) as u64);
        Ok(())
    }
}
