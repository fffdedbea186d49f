//! Bodies of the run on the page: their poses come with the curves, as columns that are not listed.

use super::AppState;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fourbar::coupled::CoupledModel;
use fourbar::coupling::application::Recorder as Record;
use fourbar::results::Animation;
use fourbar::run::{Frame, Observer as _};
use fourbar::scene::{Recorder, Stage, driven_glb, is_hidden};
use fourbar::{Document, Error};
use serde_json::json;

/// Communication points that the page keeps; of a longer run every second, fourth, .. one.
const POINTS: usize = 10_000;
/// Numbers of poses that it keeps at most, some 40 MB of text for a page that comes late; with more bodies it keeps fewer points.
const NUMBERS: usize = 4_000_000;
const FEWEST: usize = 1_000;

/// Whether the page shows bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Filmed {
    /// Of how many numbers their poses are; 0 if there are none.
    numbers: usize,
    /// Length that stands for their size \[m\].
    pub(super) length: Option<f64>,
}

impl Filmed {
    /// A model without bodies, or one whose shapes have a fault, goes without.
    pub(super) fn new(model: &CoupledModel, wanted: bool) -> Self {
        let stage = wanted.then(|| Stage::new(&Document::Coupled(Box::new(model.clone()))).ok().flatten()).flatten();
        let drawn = stage.and_then(|stage| Some((stage.hidden(), stage.still().ok()?.scene.length)));
        Self { numbers: drawn.map_or(0, |(numbers, _)| numbers), length: drawn.map(|(_, length)| length) }
    }

    pub(super) fn points(self) -> usize {
        (NUMBERS / self.numbers.max(1)).clamp(FEWEST, POINTS)
    }

    fn stage(self, model: CoupledModel) -> Result<Option<Stage>, Error> {
        if self.numbers == 0 { Ok(None) } else { Stage::new(&Document::Coupled(Box::new(model))) }
    }

    /// The model, with the poses among its outputs if they are shown.
    pub(super) fn with_poses(self, model: CoupledModel) -> Result<CoupledModel, Error> {
        Ok(match self.stage(model.clone())?.map(|stage| stage.document) {
            Some(Document::Coupled(staged)) => *staged,
            _ => model,
        })
    }
}

/// The bodies for the page as glTF, which it moves by the poses.
pub(super) fn scene(app: &AppState) -> Result<Option<Response>, Error> {
    let Some(stage) = app.filmed.stage(app.values.model())? else { return Ok(None) };
    let write = |source| Error::Write { time: 0.0, source };
    let bytes = driven_glb(&stage.driven()?).map_err(write)?;
    Ok(Some(([(header::CONTENT_TYPE, "model/gltf-binary")], bytes).into_response()))
}

/// What the hidden columns are, in their order.
pub(super) fn widths(app: &AppState) -> serde_json::Value {
    match app.filmed.stage(app.values.model()) {
        Ok(Some(stage)) => json!(stage.widths()),
        _ => json!([]),
    }
}

/// The bodies of a run that was recorded, for its report.
pub(super) fn animation(app: &AppState, record: &Record) -> Result<Option<Animation>, Error> {
    let Some(stage) = app.filmed.stage(app.values.model())? else { return Ok(None) };
    let hidden: Vec<usize> = (0..record.names().len()).filter(|&k| is_hidden(&record.names()[k])).collect();
    let write = |source| Error::Write { time: 0.0, source };
    let mut recorder = Recorder::for_page();
    for (time, values) in record.rows() {
        let numbers: Vec<f64> = hidden.iter().map(|&k| values[k]).collect();
        // A pose that is not finite cannot be drawn; it comes with a run that has failed.
        if numbers.iter().all(|number| number.is_finite()) {
            let frame: Frame = stage.frame(time, &numbers);
            recorder.frame(&frame).map_err(write)?;
        }
    }
    stage.film(recorder)?.animation().map(Some).map_err(write)
}
