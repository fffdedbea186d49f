//! Which curves of a run under way share a plot: as in its report, told anew as the run grows.

use fourbar::coupling::application::{SessionState, Update};
use fourbar::results::{Column, CurveGroup, curve_groups};
use fourbar::scene::is_hidden;

/// The groups of the curves that have come so far.
#[derive(Default)]
pub(super) struct Grouping {
    run: u64,
    /// What is listed, and the place of each among all columns.
    listed: Vec<Column>,
    places: Vec<usize>,
    /// Largest size of each since the run began.
    magnitudes: Vec<f64>,
    /// Points that the page has, and the times of the first and the last \[s\].
    points: usize,
    first: f64,
    last: f64,
    /// In which run the groups were formed, and how long it was then \[s\].
    formed: (u64, f64),
    groups: Vec<CurveGroup>,
    /// Size of what is shown in motion \[m\], if anything is.
    length: Option<f64>,
}

impl Grouping {
    pub(super) fn new(length: Option<f64>) -> Self {
        Self { length, ..Self::default() }
    }

    /// Takes news; whether the groups are others than before.
    ///
    /// They are formed once more whenever the run is twice as long as the last time, and where it rests: plots that change all the time cannot be
    /// read. A run of the same columns begins with the groups of the one before.
    pub(super) fn take(&mut self, update: &Update) -> bool {
        if update.status.run != self.run {
            self.run = update.status.run;
            self.magnitudes.fill(0.0);
        }
        if update.replace {
            self.points = 0;
        }
        // Before its first point a run tells no names.
        let is_other = !update.names.is_empty() && self.list(update);
        self.add(update);
        let (span, (run, formed)) = (self.last - self.first, self.formed);
        let is_due = span >= if run == self.run { 2.0 * formed } else { formed };
        let rests = update.status.state != SessionState::Running;
        if !is_other && (self.points == 0 || !(rests || is_due)) {
            return false;
        }
        self.formed = (self.run, span);
        self.form() || is_other
    }

    /// The groups as places among all columns.
    pub(super) fn told(&self) -> &[CurveGroup] {
        &self.groups
    }

    /// Takes names and units of columns; whether they are others.
    fn list(&mut self, update: &Update) -> bool {
        let columns = update.names.iter().zip(&update.units).enumerate().filter(|(_, (name, _))| !is_hidden(name));
        let (places, listed): (Vec<usize>, Vec<Column>) =
            columns.map(|(k, (name, unit))| (k, Column { name: name.clone(), unit: unit.clone() })).unzip();
        if listed == self.listed && places == self.places {
            return false;
        }
        self.magnitudes = vec![0.0; listed.len()];
        (self.listed, self.places) = (listed, places);
        true
    }

    fn add(&mut self, update: &Update) {
        let width = update.present.len().max(1);
        for row in update.values.chunks(width).chain([update.present.as_slice()]) {
            for (most, &place) in self.magnitudes.iter_mut().zip(&self.places) {
                let size = row.get(place).map_or(0.0, |value| value.abs());
                if size.is_finite() && size > *most {
                    *most = size;
                }
            }
        }
        if let Some(&time) = update.times.first().filter(|_| self.points == 0) {
            self.first = time;
        }
        self.points += update.times.len();
        self.last = update.now.max(self.first);
    }

    /// Forms the groups; whether they are others.
    fn form(&mut self) -> bool {
        let step = (self.points > 1).then(|| (self.last - self.first) / (self.points - 1) as f64);
        let mut groups = curve_groups(&self.listed, &self.magnitudes, step, self.length);
        groups.iter_mut().flat_map(|group| &mut group.columns).for_each(|column| *column = self.places[*column]);
        let is_other = groups != self.groups;
        self.groups = groups;
        is_other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbar::coupling::application::{Session, Settings};
    use fourbar::coupling::partner::Ode;
    use fourbar::coupling::{Algorithm, Options, Partner, Variable};
    use std::time::Duration;

    /// A run of 64 s of what falls, with a small swing and nothing beside it.
    fn session() -> Session {
        let partner = || {
            Ode::new([0.0], |_, _, _, dx| dx[0] = 1.0)
                .output(Variable::output("way", "m"), |_, x, _| 1.0 + x[0])
                .output(Variable::output("swing", "m"), |_, _, _| 0.5)
                .output(Variable::output("none", "m"), |_, _, _| 1e-193)
        };
        let settings = Settings { options: Options::new(64.0, 1.0, Algorithm::JacobiDelayed), connections: vec![] };
        Session::open(move || Ok(vec![Partner::new("one", partner())]), settings).unwrap()
    }

    fn columns(grouping: &Grouping) -> Vec<Vec<usize>> {
        grouping.told().iter().map(|group| group.columns.clone()).collect()
    }

    #[test]
    fn groups_follow_a_run_seldom_and_are_those_of_the_report_in_the_end() {
        let session = session();
        let (mut watch, mut grouping, mut told) = (session.subscribe(), Grouping::default(), Vec::new());
        for step in 1..=64 {
            session.step().unwrap();
            assert!(session.wait(Duration::from_secs(60), |status| status.time == f64::from(step)));
            let mut news = watch.look();
            // As seen while it runs on.
            news.status.state = SessionState::Running;
            if grouping.take(&news) {
                told.push((step, columns(&grouping)));
            }
        }
        // The way has eight times the swing at 3 s, and is looked at when the run has doubled.
        let last = vec![vec![0, 2], vec![1]];
        assert_eq!(told.iter().map(|(_, groups)| groups.clone()).next(), Some(vec![vec![0, 1, 2]]));
        assert!(told.len() <= 8, "{told:?}");
        assert_eq!(told.last().map(|(_, groups)| groups), Some(&last));
        // Another run begins as the last one ended, until it is as long.
        assert!(session.wait(Duration::from_secs(60), |status| status.state == SessionState::Finished));
        grouping.take(&watch.look());
        session.step().unwrap();
        assert!(session.wait(Duration::from_secs(60), |status| status.run == 2 && status.time == 1.0));
        let mut news = watch.look();
        news.status.state = SessionState::Running;
        assert!(!grouping.take(&news));
        assert_eq!(columns(&grouping), last);
        // Where it rests it is grouped as it is.
        news.status.state = SessionState::Paused;
        (news.replace, news.names, news.times) = (false, Vec::new(), Vec::new());
        assert!(grouping.take(&news));
        assert_eq!(columns(&grouping), [[0, 1, 2]]);
    }
}
