//! Mechanisms among coupled simulators: their poses travel as further outputs, which those who read the results do not see.

use super::{Film, Recorder, Scene};
use crate::coupled::{CoupledModel, SimulatorKind};
use crate::mechanism::MechanismModel;
use crate::results::Column;
use crate::run::{Frame, Observer, Step};
use crate::{Document, Error};
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Measure, MeasureKind, PairMeasure, VectorMeasure};
use fourbar_multibody::space::{M3, Pose, V3};
use nalgebra::{Quaternion, UnitQuaternion};
use std::io;

/// Begins the names of measures that stand for poses. A model that has one of these names already is refused.
const MARK: &str = "fourbar_scene_pose";

/// What of a model can be filmed: the mechanism, or those of its simulators.
#[derive(Debug)]
pub struct Stage {
    /// The model to run.
    pub document: Document,
    mechanisms: Vec<Actor>,
}

/// A mechanism of a model.
#[derive(Debug)]
struct Actor {
    /// Name of the simulator; empty for a model that is a mechanism.
    simulator: String,
    model: MechanismModel,
    mechanism: Mechanism,
}

impl Stage {
    /// The stage of a model; none if there is no mechanism in it.
    ///
    /// # Errors
    /// What is wrong with a mechanism.
    pub fn new(document: &Document) -> Result<Option<Self>, Error> {
        let mut document = document.clone();
        let mechanisms = match &mut document {
            Document::Mechanism(model) => vec![Actor::new("", model)?],
            Document::Coupled(model) => {
                let found = model.mechanisms()?.into_iter().map(|(name, model)| {
                    let fault = |source| Error::Simulator { name: name.clone(), source: Box::new(source) };
                    Actor::new(&name, &model).map_err(fault)
                });
                let found = found.collect::<Result<Vec<_>, _>>()?;
                found.iter().for_each(|actor| show_poses(model, actor));
                found
            }
            _ => Vec::new(),
        };
        Ok((!mechanisms.is_empty()).then_some(Self { document, mechanisms }))
    }

    /// What is to watch the run of [`Stage::document`].
    #[must_use]
    pub fn recorder(&self) -> Recorder {
        Recorder::default()
    }

    /// All that is to be seen at the start, standing still.
    ///
    /// # Errors
    /// What is wrong with a shape.
    pub fn still(&self) -> Result<Film, Error> {
        self.film(Recorder::default())
    }

    /// The film of a run that `recorder` watched.
    ///
    /// # Errors
    /// What is wrong with a shape.
    pub fn film(&self, recorder: Recorder) -> Result<Film, Error> {
        let mut scenes = Vec::with_capacity(self.mechanisms.len());
        for actor in &self.mechanisms {
            let scene = Scene::new(&actor.model, &actor.mechanism);
            scenes.push(scene.map_err(|source| match actor.simulator.as_str() {
                "" => source,
                name => Error::Simulator { name: name.to_owned(), source: Box::new(source) },
            })?);
        }
        let scene = Scene::joined(scenes, self.document.name());
        let stride = recorder.stride();
        let mut frames = recorder.into_frames();
        if frames.is_empty() {
            let poses = self.mechanisms.iter().flat_map(|actor| actor.mechanism.start().poses.iter().copied());
            frames.push(Frame { poses: poses.chain([Pose::ground()]).collect(), ..Frame::default() });
        }
        let contacts = match &self.mechanisms[..] {
            [one] => one.model.contacts.contacts.iter().map(|contact| contact.name.clone()).collect(),
            _ => Vec::new(),
        };
        let mut film = Film::new(scene, frames, &contacts);
        film.stride = stride;
        Ok(film)
    }
}

impl Actor {
    fn new(simulator: &str, model: &MechanismModel) -> Result<Self, Error> {
        let whole = model.expand().map_err(fourbar_multibody::Error::Model)?;
        let mechanism = Mechanism::compile(&whole.model)?;
        Ok(Self { simulator: simulator.to_owned(), model: whole, mechanism })
    }
}

/// Adds the poses of an actor to the outputs of its simulator.
fn show_poses(model: &mut CoupledModel, actor: &Actor) {
    let Some(simulator) = model.simulators.iter_mut().find(|simulator| simulator.name == actor.simulator) else {
        return;
    };
    let SimulatorKind::Mechanism(mechanism) = &mut simulator.kind else { return };
    let mut names = Vec::new();
    for (index, body) in actor.mechanism.bodies().iter().enumerate() {
        let i = body.name.as_str();
        let position = VectorMeasure { i: i.into(), j: None, frame: None, seen_from: None, component: None };
        let kinds = [MeasureKind::Position(position), MeasureKind::Quaternion(PairMeasure { i: i.into(), j: None })];
        for (kind, part) in kinds.into_iter().zip(["r", "q"]) {
            let name = format!("{MARK}{index}{part}");
            let parts: &[&str] = if part == "r" { &["x", "y", "z"] } else { &["e0", "e1", "e2", "e3"] };
            names.extend(parts.iter().map(|part| format!("{}.{name}.{part}", actor.simulator)));
            mechanism.model.measures.push(Measure { name, kind });
        }
    }
    if let Some(record) = &mut model.simulation.record {
        record.extend(names);
    }
}

/// Whether a column is one of those that carry poses.
#[must_use]
pub fn is_hidden(column: &Column) -> bool {
    column.name.contains(MARK)
}

/// Passes everything on to another observer, but for the columns that carry poses; these become frames for a recorder.
pub struct Curtain<'a> {
    behind: Vec<&'a mut dyn Observer>,
    recorder: &'a mut Recorder,
    centers: Vec<V3>,
    shown: Vec<usize>,
    hidden: Vec<usize>,
    values: Vec<f64>,
}

impl<'a> Curtain<'a> {
    /// Before `behind`, for the film of `stage`.
    pub fn new(stage: &Stage, behind: Vec<&'a mut dyn Observer>, recorder: &'a mut Recorder) -> Self {
        let bodies = stage.mechanisms.iter().flat_map(|actor| actor.mechanism.bodies());
        let centers = bodies.map(|body| body.center_of_mass()).collect();
        Self { behind, recorder, centers, shown: Vec::new(), hidden: Vec::new(), values: Vec::new() }
    }

    /// The poses that the hidden columns of a row say; none for a mechanism, which has none.
    fn poses(&self, row: &[f64]) -> Option<Vec<Pose>> {
        let numbers: Vec<f64> = self.hidden.iter().map(|&k| row[k]).collect();
        let of_body = |(center, n): (&V3, &[f64])| {
            let a: M3 = UnitQuaternion::from_quaternion(Quaternion::new(n[3], n[4], n[5], n[6]))
                .to_rotation_matrix()
                .into_inner();
            Pose { x: V3::new(n[0], n[1], n[2]) + a * center, a, v: V3::zeros(), w: V3::zeros() }
        };
        let bodies = self.centers.iter().zip(numbers.chunks_exact(7)).map(of_body);
        (!numbers.is_empty()).then(|| bodies.chain([Pose::ground()]).collect())
    }
}

impl Observer for Curtain<'_> {
    fn begin(&mut self, columns: &[Column]) -> io::Result<()> {
        (self.hidden, self.shown) = (0..columns.len()).partition(|&k| is_hidden(&columns[k]));
        let shown: Vec<Column> = self.shown.iter().map(|&k| columns[k].clone()).collect();
        self.behind.iter_mut().try_for_each(|observer| observer.begin(&shown))
    }

    fn output(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        if let Some(poses) = self.poses(values) {
            self.recorder.frame(&Frame { time, poses, ..Frame::default() })?;
        }
        self.values.clear();
        self.values.extend(self.shown.iter().map(|&k| values[k]));
        let values = &self.values;
        self.behind.iter_mut().try_for_each(|observer| observer.output(time, values))
    }

    fn wants_frames(&self) -> bool {
        true
    }

    fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        self.recorder.frame(frame)
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        self.behind.iter_mut().try_for_each(|observer| observer.step(step))
    }
}
