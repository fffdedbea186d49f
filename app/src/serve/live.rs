//! What a page is told while it is open: a stream of server-sent events, one for each refresh that has something new.

use super::AppState;
use super::grouping::Grouping;
use axum::response::sse::{Event, KeepAlive, Sse};
use fourbar::coupling::application::{Session, Status, Subscription, Update};
use fourbar::results::CurveGroup;
use futures_core::Stream;
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::time::{Interval, MissedTickBehavior};

/// Time between two looks at the shared state.
const REFRESH: Duration = Duration::from_millis(50);
/// Who looks earlier than this after the last look, on a tick of its own, gets what that gave.
const FRESH: Duration = Duration::from_millis(40);
/// Events kept for pages that are slower than others. Who has missed one begins anew.
const KEPT: usize = 20;

/// The news of the shared state, written once for all pages.
pub(super) struct Broadcast(Mutex<Shared>);

struct Shared {
    subscription: Subscription,
    /// When the shared state was looked at.
    looked: Option<Instant>,
    /// What the pages know.
    told: Option<(Status, u64)>,
    /// The last events, and the number of the first of them.
    events: VecDeque<Event>,
    first: u64,
    grouping: Grouping,
}

/// The stream of one page.
pub(super) struct Feed {
    app: Arc<AppState>,
    ticks: Interval,
    /// Number of the event that comes next; None before the first.
    place: Option<u64>,
}

/// An update as the page gets it.
#[derive(Serialize)]
struct Message<'a> {
    #[serde(flatten)]
    update: &'a Update,
    /// Counts changes of the settings.
    revision: u64,
    /// Which curves share a plot, if that has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<&'a [CurveGroup]>,
}

pub(super) fn events(app: Arc<AppState>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut ticks = tokio::time::interval(REFRESH);
    // A page that was busy needs the present, not the past.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    Sse::new(Feed { app, ticks, place: None }).keep_alive(KeepAlive::default())
}

impl Broadcast {
    /// `length` is that of [`Filmed`](super::film::Filmed).
    pub(super) fn new(session: &Session, length: Option<f64>) -> Self {
        let (subscription, events) = (session.subscribe(), VecDeque::with_capacity(KEPT));
        let grouping = Grouping::new(length);
        Self(Mutex::new(Shared { subscription, looked: None, told: None, events, first: 0, grouping }))
    }

    /// An event that a page has not had yet, if one was made.
    fn waiting(&self, place: &mut Option<u64>) -> Option<Event> {
        let (shared, next) = (self.lock(), (*place)?);
        let event = shared.events.get(next.checked_sub(shared.first)? as usize)?.clone();
        *place = Some(next + 1);
        Some(event)
    }

    /// The event at `place`, which goes on by one, or everything for a page that comes or has missed events; None if there is no news.
    fn next(&self, place: &mut Option<u64>, revision: u64) -> Option<Event> {
        let mut shared = self.lock();
        let Some(next) = place.filter(|place| *place >= shared.first) else {
            let (news, all) = shared.subscription.join();
            shared.take(news, revision);
            *place = Some(shared.first + shared.events.len() as u64);
            return event(all, revision, Some(shared.grouping.told()));
        };
        let behind = (next - shared.first) as usize;
        if behind == shared.events.len() && shared.looked.is_none_or(|looked| looked.elapsed() >= FRESH) {
            let news = shared.subscription.look();
            shared.take(news, revision);
        }
        drop(shared);
        self.waiting(place)
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // Nothing that panics holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Makes an event of news, if there are any.
    fn take(&mut self, news: Update, revision: u64) {
        self.looked = Some(Instant::now());
        let is_regrouped = self.grouping.take(&news);
        let known = self.told.as_ref().is_some_and(|(status, told)| *status == news.status && *told == revision);
        if known && !is_regrouped && news.times.is_empty() && news.incidents.is_empty() {
            return;
        }
        self.told = Some((news.status.clone(), revision));
        let groups = is_regrouped.then(|| self.grouping.told());
        let Some(event) = event(news, revision, groups) else { return };
        if self.events.len() == KEPT {
            self.events.pop_front();
            self.first += 1;
        }
        self.events.push_back(event);
    }
}

/// Everything in an update has a form in JSON.
fn event(mut update: Update, revision: u64, groups: Option<&[CurveGroup]>) -> Option<Event> {
    update.values.iter_mut().for_each(|value| *value = shown(*value));
    update.present.iter_mut().for_each(|value| *value = shown(*value));
    let message = Message { update: &update, revision, groups };
    serde_json::to_string(&message).ok().map(|text| Event::default().data(text))
}

/// Eight digits: more than any screen resolves.
fn shown(value: f64) -> f64 {
    format!("{value:.7e}").parse().unwrap_or(value)
}

impl Stream for Feed {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let app = Arc::clone(&self.app);
            if let Some(event) = app.broadcast.waiting(&mut self.place) {
                return Poll::Ready(Some(Ok(event)));
            }
            ready!(self.ticks.poll_tick(context));
            if self.app.closing.load(Ordering::Acquire) {
                return Poll::Ready(None);
            }
            let revision = app.revision.load(Ordering::Acquire);
            if let Some(event) = app.broadcast.next(&mut self.place, revision) {
                return Poll::Ready(Some(Ok(event)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbar::coupling::application::{SessionState, Settings};
    use fourbar::coupling::partner::Ode;
    use fourbar::coupling::{Algorithm, Options, Partner, Variable};

    /// A run of `steps` steps of 1 s of a tank, one after the other.
    fn session(steps: f64) -> Session {
        let tank =
            || Ode::new([0.0], |_, _, _, dx| dx[0] = 1.0).output(Variable::output("volume", "m^3"), |_, x, _| x[0]);
        let settings = Settings { options: Options::new(steps, 1.0, Algorithm::JacobiDelayed), connections: vec![] };
        Session::open(move || Ok(vec![Partner::new("tank", tank())]), settings).unwrap()
    }

    /// An event in the text that is sent.
    fn text(event: &Event) -> String {
        format!("{event:?}").replace('\\', "")
    }

    /// Events made so far.
    fn made_now(broadcast: &Broadcast) -> u64 {
        let shared = broadcast.lock();
        shared.first + shared.events.len() as u64
    }

    fn step(session: &Session, to: f64) {
        session.step().unwrap();
        assert!(session.wait(Duration::from_secs(60), |s| s.time == to && s.state != SessionState::Running));
        // Beyond the time in which what was seen last counts as fresh.
        std::thread::sleep(2 * FRESH);
    }

    #[test]
    fn pages_share_their_events_and_begin_with_all_there_is() {
        let session = session(100.0);
        let broadcast = Broadcast::new(&session, None);
        let (mut one, mut two, mut slow) = (None, None, None);
        assert!(broadcast.next(&mut one, 0).is_some() && broadcast.next(&mut slow, 0).is_some());
        step(&session, 1.0);
        let first = broadcast.next(&mut one, 0).unwrap();
        assert!(text(&first).contains("tank.volume"), "{first:?}");
        // One that comes later is told all, and what follows is the same event.
        step(&session, 2.0);
        let all = broadcast.next(&mut two, 0).unwrap();
        assert!(text(&all).contains("[0.0,1.0,2.0]"), "{all:?}");
        let second = broadcast.next(&mut one, 0).unwrap();
        assert!(text(&second).contains("\"times\":[2.0]"), "{second:?}");
        for time in 3..6 {
            step(&session, f64::from(time));
            let made = made_now(&broadcast);
            let (a, b) = (broadcast.next(&mut one, 0).unwrap(), broadcast.next(&mut two, 0).unwrap());
            assert_eq!(text(&a), text(&b));
            // Written once for both.
            assert_eq!(made_now(&broadcast), made + 1);
            assert!(broadcast.next(&mut one, 0).is_none() && broadcast.next(&mut two, 0).is_none());
        }
        // A slow one gets what the others got, in its order.
        assert_eq!(text(&broadcast.next(&mut slow, 0).unwrap()), text(&first));
        assert_eq!(text(&broadcast.waiting(&mut slow).unwrap()), text(&second));
        // One that has missed events begins anew.
        for time in 6..6 + KEPT {
            step(&session, time as f64);
            assert!(broadcast.next(&mut one, 0).is_some());
        }
        assert!(broadcast.waiting(&mut slow).is_none());
        let again = text(&broadcast.next(&mut slow, 0).unwrap());
        assert!(again.contains("[0.0,1.0,2.0,") && !again.contains("\"replace\":false"), "{again}");
    }
}
