//! Bodies of a run in motion, for its report.

use std::sync::atomic::AtomicBool;

use fourbar::Document;
use fourbar::multibody::host::HostFunctions;
use fourbar::results::{Animation, Table};
use fourbar::run::{Outcome, Run};
#[cfg(feature = "scene")]
use fourbar::scene::{Curtain, Recorder, Stage, is_hidden};

use super::options::fourbar_run_options;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;

/// What a run keeps of its bodies.
#[cfg(feature = "scene")]
pub(super) struct Bodies {
    stage: Stage,
    recorder: Recorder,
}

/// There are none in a build without scenes.
#[cfg(not(feature = "scene"))]
pub(super) enum Bodies {}

impl fourbar_run_options {
    /// What the run of `document` shall keep of its bodies: nothing, if it is not asked for them or has none.
    pub(super) fn kept(&self, document: &Document, functions: &HostFunctions) -> Result<Option<Bodies>, Failure> {
        match self.bodies {
            0 => Ok(None),
            1 => Bodies::of(document, functions),
            other => {
                let text = format!("bodies is {other}; give 1 for a report with the bodies in motion, or 0");
                Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
            }
        }
    }
}

#[cfg(not(feature = "scene"))]
impl Bodies {
    fn of(_: &Document, _: &HostFunctions) -> Result<Option<Self>, Failure> {
        let text = "bodies is 1, and this library was built without scenes; build it with `--features scene`";
        Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text))
    }

    pub(super) fn is_hidden(_: &str) -> bool {
        false
    }

    pub(super) fn document(&self) -> &Document {
        match *self {}
    }

    pub(super) fn execute(&mut self, _: &Run, _: &mut Table, _: &AtomicBool) -> Result<Outcome, fourbar::Error> {
        match *self {}
    }

    pub(super) fn animation(&self) -> Result<Animation, fourbar::Error> {
        match *self {}
    }
}

#[cfg(feature = "scene")]
impl Bodies {
    /// A model whose pictures cannot be made is run without: what is wrong with it for the run the run tells.
    fn of(document: &Document, functions: &HostFunctions) -> Result<Option<Self>, Failure> {
        let stage = Stage::with_functions(document, functions).ok().flatten();
        Ok(stage.map(|stage| Self { stage, recorder: Recorder::for_page() }))
    }

    /// Whether a column carries poses.
    pub(super) fn is_hidden(name: &str) -> bool {
        is_hidden(name)
    }

    /// The model to run, with what is kept among its outputs.
    pub(super) fn document(&self) -> &Document {
        &self.stage.document
    }

    /// Runs; `table` and the summary tell no more than without.
    pub(super) fn execute(
        &mut self,
        run: &Run,
        table: &mut Table,
        stop: &AtomicBool,
    ) -> Result<Outcome, fourbar::Error> {
        self.recorder = Recorder::for_page();
        let mut curtain = Curtain::new(&self.stage, vec![table], &mut self.recorder);
        let mut outcome = run.execute(&mut [&mut curtain], stop)?;
        outcome.summary.last.retain(|(column, _)| !is_hidden(&column.name));
        Ok(outcome)
    }

    pub(super) fn animation(&self) -> Result<Animation, fourbar::Error> {
        let film = self.stage.film(self.recorder.clone())?;
        film.animation().map_err(|source| fourbar::Error::Write { time: 0.0, source })
    }
}
