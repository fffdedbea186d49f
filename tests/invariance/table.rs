//! The shares of what came, by change and analysis.

use super::compare::Verdict;
use std::collections::BTreeMap;
use std::fmt;

/// Verdicts of one cell.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) compared: usize,
    equal: usize,
    loose: usize,
    values: usize,
    steps: usize,
    endings: usize,
    warnings: usize,
    /// Largest difference of what is equal, and of what differs, in tolerances.
    worst_equal: f64,
    worst: f64,
}

impl Tally {
    pub(super) fn add(&mut self, verdict: &Verdict) {
        self.compared += 1;
        match verdict {
            Verdict::Equal(worst) => {
                self.equal += 1;
                self.worst_equal = self.worst_equal.max(*worst);
            }
            Verdict::Loose(..) => self.loose += 1,
            Verdict::Values(worst, _) => {
                self.values += 1;
                self.worst = self.worst.max(*worst);
            }
            Verdict::Steps(_) => self.steps += 1,
            Verdict::Ending(_) => self.endings += 1,
            Verdict::Warnings(_) => self.warnings += 1,
        }
    }
}

/// Tallies by change and analysis, and what was left out.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) tallies: BTreeMap<(super::Change, usize), Tally>,
    /// Reasons for which machines were left out, with their count.
    pub(super) left_out: BTreeMap<String, usize>,
}

impl Table {
    fn total(&self, wanted: impl Fn(&(super::Change, usize)) -> bool) -> Tally {
        let mut sum = Tally::default();
        for tally in self.tallies.iter().filter(|(key, _)| wanted(key)).map(|(_, tally)| tally) {
            sum.compared += tally.compared;
            sum.equal += tally.equal;
            sum.loose += tally.loose;
            sum.values += tally.values;
            sum.steps += tally.steps;
            sum.endings += tally.endings;
            sum.warnings += tally.warnings;
            sum.worst = sum.worst.max(tally.worst);
            sum.worst_equal = sum.worst_equal.max(tally.worst_equal);
        }
        sum
    }
}

const HEADING: &str = "| change | analysis | compared | equal | worst of these | own errors larger | values | worst | steps | endings | warnings |\n|---|---|---|---|---|---|---|---|---|---|---|";

fn line(f: &mut fmt::Formatter<'_>, change: &str, analysis: &str, tally: &Tally) -> fmt::Result {
    let Tally { compared, equal, loose, values, steps, endings, warnings, worst_equal, worst } = tally;
    writeln!(
        f,
        "| {change} | {analysis} | {compared} | {equal} | {worst_equal:.1e} | {loose} | {values} | {worst:.1e} | {steps} | {endings} | {warnings} |"
    )
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        for ((change, analysis), tally) in &self.tallies {
            line(f, &change.label(), super::ANALYSES[*analysis].0, tally)?;
        }
        for change in super::Change::ALL {
            line(f, &change.label(), "all", &self.total(|key| key.0 == change))?;
        }
        for (analysis, (name, _)) in super::ANALYSES.iter().enumerate() {
            line(f, "all", name, &self.total(|key| key.1 == analysis))?;
        }
        line(f, "all", "all", &self.total(|_| true))?;
        for (reason, count) in &self.left_out {
            writeln!(f, "left out {count} times: {reason}")?;
        }
        Ok(())
    }
}
