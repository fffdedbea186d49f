//! What of a model can be filmed: a mechanism, or those among coupled simulators.

use super::carried::{Carried, is_hidden};
use super::{Film, Recorder, Scene};
use crate::mechanism::MechanismModel;
use crate::results::Column;
use crate::run::{Frame, Observer, Step};
use crate::{Document, Error};
use fourbar_multibody::Mechanism;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::space::Pose;
use std::io;

/// What of a model can be filmed: the mechanism, or those of its simulators.
#[derive(Debug)]
pub struct Stage {
    /// The model to run.
    pub document: Document,
    mechanisms: Vec<Actor>,
}

/// Whom a mechanism runs with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Among {
    /// By itself, as a model.
    Nobody,
    /// As a simulator, or as the only one.
    Simulators { is_alone: bool },
}

/// A mechanism of a model.
#[derive(Debug)]
struct Actor {
    /// Name of the simulator; empty for a model that is a mechanism.
    simulator: String,
    model: MechanismModel,
    mechanism: Mechanism,
    carried: Carried,
}

impl Stage {
    /// The stage of a model; none if there is no mechanism in it.
    ///
    /// # Errors
    /// What is wrong with a mechanism.
    pub fn new(document: &Document) -> Result<Option<Self>, Error> {
        Self::with_functions(document, &HostFunctions::default())
    }

    /// The same of a mechanism whose forces and motions of these names are functions of the host, as [`Run::with_functions`](crate::run::Run::with_functions)
    /// takes them.
    ///
    /// # Errors
    /// As [`Stage::new`].
    pub fn with_functions(document: &Document, functions: &HostFunctions) -> Result<Option<Self>, Error> {
        let mut document = document.clone();
        let mechanisms = match &mut document {
            Document::Mechanism(model) => vec![Actor::new("", model, functions, Among::Nobody)?],
            Document::Coupled(model) => {
                let is_alone = model.is_alone();
                let found = model.mechanisms()?.into_iter().map(|(name, model)| {
                    let fault = |source| Error::Simulator { name: name.clone(), source: Box::new(source) };
                    Actor::new(&name, &model, &HostFunctions::default(), Among::Simulators { is_alone }).map_err(fault)
                });
                let found = found.collect::<Result<Vec<_>, _>>()?;
                found.iter().for_each(|actor| actor.carried.add_to(model, &actor.simulator, &actor.mechanism));
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

    /// The frame of `numbers`, which are those of the hidden columns in their order.
    #[must_use]
    pub fn frame(&self, time: f64, numbers: &[f64]) -> Frame {
        let ground = self.mechanisms.iter().map(|actor| actor.mechanism.bodies().len()).sum();
        let mut frame = Frame { time, ..Frame::default() };
        self.mechanisms.iter().fold(numbers, |rest, actor| actor.carried.read(rest, &mut frame, ground));
        frame.poses.push(Pose::ground());
        frame
    }

    /// All that is to be seen at the start, standing still.
    ///
    /// # Errors
    /// What is wrong with a shape.
    pub fn still(&self) -> Result<Film, Error> {
        self.film(Recorder::default())
    }

    /// The start for [`driven_glb`](super::driven_glb): force elements and reactions too, wherever they point.
    ///
    /// # Errors
    /// What is wrong with a shape.
    pub fn driven(&self) -> Result<Film, Error> {
        let mut film = self.still()?;
        let ground = film.scene.bodies.len() - 1;
        let (mut first, mut sets) = (0, 0);
        for actor in &self.mechanisms {
            actor.carried.begin(&mut film.frames[0], first, ground);
            film.carried.extend(actor.carried.reactions().iter().map(|set| sets + set));
            first += actor.mechanism.bodies().len();
            sets += actor.mechanism.constraint_sets().len();
        }
        Ok(film)
    }

    /// The model with the hidden columns in the results of its run: of a mechanism too, whose frames need none.
    #[must_use]
    pub fn with_poses(&self) -> Document {
        let mut document = self.document.clone();
        if let (Document::Mechanism(model), [actor]) = (&mut document, &self.mechanisms[..]) {
            actor.carried.add_to_mechanism(model, &actor.mechanism);
        }
        document
    }

    /// The hidden columns in their order: the simulator, empty for a model that is a mechanism, and the name without what begins all of them.
    #[cfg(feature = "report")]
    pub(super) fn hidden_columns(&self) -> Vec<(&str, String)> {
        let of = |actor: &'_ Actor| actor.carried.tails(&actor.mechanism);
        self.mechanisms.iter().flat_map(|actor| of(actor).into_iter().map(|tail| (&*actor.simulator, tail))).collect()
    }

    /// Names of the bodies of all mechanisms, in the order of the scene.
    #[cfg(feature = "report")]
    pub(super) fn body_names(&self) -> Vec<String> {
        self.mechanisms.iter().flat_map(|actor| actor.mechanism.bodies()).map(|body| body.name.clone()).collect()
    }

    /// Their centres of mass in their frames.
    #[cfg(feature = "report")]
    pub(super) fn centers(&self) -> Vec<fourbar_multibody::space::V3> {
        self.mechanisms.iter().flat_map(|actor| actor.mechanism.bodies()).map(|body| body.center_of_mass()).collect()
    }

    /// Of each mechanism how many bodies, force elements and reactions there are, in the order of the hidden columns: seven of a body, three of an element, six of
    /// a reaction.
    #[must_use]
    pub fn widths(&self) -> Vec<[usize; 3]> {
        self.mechanisms.iter().map(|actor| actor.carried.widths()).collect()
    }

    /// Number of hidden columns.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.widths().iter().map(|[bodies, forces, reactions]| 7 * bodies + 3 * forces + 6 * reactions).sum()
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
        let counts = self.mechanisms.iter().map(|actor| actor.carried.counts());
        let scene = Scene::joined(scenes.into_iter().zip(counts).collect(), self.document.name());
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
    fn new(simulator: &str, model: &MechanismModel, functions: &HostFunctions, among: Among) -> Result<Self, Error> {
        let whole = model.expand().map_err(fourbar_multibody::Error::Model)?;
        let mechanism = Mechanism::compile_with(&whole.model, functions)?;
        // In a loop with others a mechanism with contacts has no outputs for what follows from these.
        let has_forces = !whole.has_contacts() || among == (Among::Simulators { is_alone: true });
        let carried = Carried::new(&mechanism, has_forces, has_forces && among != Among::Nobody);
        Ok(Self { simulator: simulator.to_owned(), model: whole, mechanism, carried })
    }
}

/// Passes everything on to another observer, but for the hidden columns; these become frames for a recorder.
pub struct Curtain<'a> {
    behind: Vec<&'a mut dyn Observer>,
    recorder: &'a mut Recorder,
    stage: &'a Stage,
    shown: Vec<usize>,
    hidden: Vec<usize>,
    values: Vec<f64>,
    /// Who sees the hidden columns too.
    before: Option<&'a mut dyn Observer>,
}

impl<'a> Curtain<'a> {
    /// Before `behind`, for the film of `stage`.
    pub fn new(stage: &'a Stage, behind: Vec<&'a mut dyn Observer>, recorder: &'a mut Recorder) -> Self {
        Self { behind, recorder, stage, shown: Vec::new(), hidden: Vec::new(), values: Vec::new(), before: None }
    }

    /// Lets an observer see the hidden columns too.
    #[must_use]
    pub fn before(self, observer: &'a mut dyn Observer) -> Self {
        Self { before: Some(observer), ..self }
    }

    /// The frame that the hidden columns of a row say; none for a mechanism, which has none.
    fn frame_of(&self, time: f64, row: &[f64]) -> Option<Frame> {
        let numbers: Vec<f64> = self.hidden.iter().map(|&k| row[k]).collect();
        let is_coupled = matches!(self.stage.document, Document::Coupled(_));
        (is_coupled && !numbers.is_empty()).then(|| self.stage.frame(time, &numbers))
    }
}

impl Observer for Curtain<'_> {
    fn begin(&mut self, columns: &[Column]) -> io::Result<()> {
        (self.hidden, self.shown) = (0..columns.len()).partition(|&k| is_hidden(&columns[k].name));
        self.before.as_mut().map_or(Ok(()), |before| before.begin(columns))?;
        let shown: Vec<Column> = self.shown.iter().map(|&k| columns[k].clone()).collect();
        self.behind.iter_mut().try_for_each(|observer| observer.begin(&shown))
    }

    fn output(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.before.as_mut().map_or(Ok(()), |before| before.output(time, values))?;
        if let Some(frame) = self.frame_of(time, values) {
            self.recorder.frame(&frame)?;
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
        self.before.as_mut().map_or(Ok(()), |before| before.step(step))?;
        self.behind.iter_mut().try_for_each(|observer| observer.step(step))
    }
}
