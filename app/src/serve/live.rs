//! What a page is told while it is open: a stream of server-sent events, one for each refresh that has something new.

use super::Desk;
use axum::response::sse::{Event, KeepAlive, Sse};
use fourbar::coupling::application::{Status, Subscription, Update};
use futures_core::Stream;
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior};

/// Time between two looks at the board.
const REFRESH: Duration = Duration::from_millis(50);

/// The stream of one page.
pub(super) struct Feed {
    desk: Arc<Desk>,
    subscription: Subscription,
    ticks: Interval,
    /// What the page knows.
    told: Option<(Status, u64)>,
}

/// An update as the page gets it.
#[derive(Serialize)]
struct Message<'a> {
    #[serde(flatten)]
    update: &'a Update,
    /// Counts changes of the settings.
    revision: u64,
}

pub(super) fn events(desk: Arc<Desk>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut ticks = tokio::time::interval(REFRESH);
    // A page that was busy needs the present, not the past.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let subscription = desk.session.subscribe();
    Sse::new(Feed { desk, subscription, ticks, told: None }).keep_alive(KeepAlive::default())
}

impl Feed {
    /// The news, if there are any.
    fn news(&mut self) -> Option<Event> {
        let mut update = self.subscription.look();
        let revision = self.desk.revision.load(Ordering::Acquire);
        let known = self.told.as_ref().is_some_and(|(status, told)| *status == update.status && *told == revision);
        if known && update.times.is_empty() && update.incidents.is_empty() {
            return None;
        }
        self.told = Some((update.status.clone(), revision));
        update.values.iter_mut().for_each(|value| *value = shown(*value));
        update.present.iter_mut().for_each(|value| *value = shown(*value));
        let message = Message { update: &update, revision };
        // Everything in it has a form in JSON.
        serde_json::to_string(&message).ok().map(|text| Event::default().data(text))
    }
}

/// Eight digits: more than any screen resolves.
fn shown(value: f64) -> f64 {
    format!("{value:.7e}").parse().unwrap_or(value)
}

impl Stream for Feed {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            ready!(self.ticks.poll_tick(context));
            if self.desk.closing.load(Ordering::Acquire) {
                return Poll::Ready(None);
            }
            if let Some(event) = self.news() {
                return Poll::Ready(Some(Ok(event)));
            }
        }
    }
}
