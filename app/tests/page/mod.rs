//! The live page: what its server gives and to whom, and the page itself in a headless Chromium.
#![cfg(feature = "serve")]

mod animation;
mod browser;
mod camera;
mod kinds;
mod live;
mod look;
mod report;
mod requests;
mod server;
#[cfg(unix)]
use crate::signals;
