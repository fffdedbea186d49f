//! `fourbar draw`: a still picture of a mechanism.

use crate::exit::{Exit, Failure};
use crate::files::{PICTURES, SCENES, ends_in, spare};
use crate::numbers::{not_negative, positive};
use crate::signals;
use crate::sinks::whole;
use crate::variant::Variant;
use clap::Args;
use clap::builder::PossibleValuesParser;
use fourbar::coupling::application::OutputFile;
use fourbar::file::ModelFile;
use fourbar::linalg::text::Brief;
use fourbar::run::{Frame, Observer as _, Overrides, Run};
use fourbar::scene::{Curtain, Film, Group, Picture, Recorder, Stage, View, glb, svg};
use fourbar::{Document, Error};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Most ghosts: a hundred positions on the 600 pixels of a picture are a few pixels apart, and the file grows with each.
const GHOSTS: i64 = 100;

/// What is drawn as arrows: the model has to be begun for it.
const ARROWS: [Group; 3] = [Group::Forces, Group::Reactions, Group::Contacts];

/// The picture shows the start, unless a time or ghosts are asked for: then the model is run.
#[derive(Debug, Args)]
pub(crate) struct DrawArguments {
    /// Model file of a mechanism, or of a coupled model with one
    model: PathBuf,

    #[command(flatten)]
    variant: Variant,

    /// Write the picture to this file
    #[arg(long, short, alias = "output", value_name = "FILE.svg")]
    out: PathBuf,

    /// Time [s] of the picture, that of the output nearest to it; the start if absent
    #[arg(long, value_name = "SECONDS", value_parser = not_negative, allow_hyphen_values = true)]
    time: Option<f64>,

    /// End of the run [s], which further positions are spread over; that of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    end: Option<f64>,

    /// Draw so many further positions of the run, pale; at most 100
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=GHOSTS))]
    ghosts: u8,

    /// Where it is seen from: `auto` along the normal of a planar mechanism, else `aside`; `x` from where x leads to
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = PossibleValuesParser::new(View::NAMES.map(|(name, _)| name)), allow_hyphen_values = true)]
    view: String,

    /// What is drawn besides bodies, ground, joints and springs; may be given several times or with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PossibleValuesParser::new(Group::NAMES.map(|(name, _)| name)))]
    show: Vec<String>,
}

pub(crate) fn draw(arguments: &DrawArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = arguments.variant.load(&arguments.model)?;
    ends_in("--out", &arguments.out, PICTURES)?;
    spare("--out", &arguments.out, &arguments.model, &file)?;
    let refused = |error: Error| Failure::Model(file.explain_start(error));
    let stage = stage(&file)?;
    let shown = |name: &str| Group::NAMES.iter().find(|(own, _)| *own == name).map(|(_, group)| *group);
    let shown: Vec<Group> = arguments.show.iter().filter_map(|name| shown(name)).collect();
    let arrows: Vec<Group> = ARROWS.into_iter().filter(|group| shown.contains(group)).collect();
    let film = match arguments.time.is_some() || arguments.ghosts > 0 {
        true => filmed(&stage, arguments.end, false).map_err(refused)?,
        false if !arrows.is_empty() => filmed(&stage, arguments.end, true).map_err(refused)?,
        false => stage.still().map_err(refused)?,
    };
    in_run(arguments.time, &film)?;
    let mut picture = Picture {
        time: arguments.time.unwrap_or(0.0),
        view: View::from_name(&arguments.view).unwrap_or_default(),
        ghosts: usize::from(arguments.ghosts),
        ..Picture::default()
    };
    for group in arrows.into_iter().filter(|group| !film.shows(*group, picture.time)) {
        let (name, time) = (group.name(), Brief(picture.time));
        let why = match file.document() {
            Document::Coupled(_) => "coupled models have arrows of forces alone, and none of mechanisms with contacts",
            _ => "there are none then, or all are zero; give another --time",
        };
        say!("fourbar: --show {name} draws nothing at t = {time} s: {why}");
    }
    picture.groups.extend(shown);
    let text = svg(&film, &picture);
    write(&arguments.out, text.as_bytes())?;
    Ok(Exit::Done)
}

/// Refuses a time after the last frame; end times that step sizes miss by round-off are within.
fn in_run(time: Option<f64>, film: &Film) -> Result<(), Failure> {
    let end = film.frames.last().map_or(0.0, |frame| frame.time);
    match time {
        Some(time) if time > end * (1.0 + 1e-9) => {
            let (time, end) = (Brief(time), Brief(end));
            let text = format!("--time {time}: the run ends at {end} s; give an earlier time, or a later --end");
            Err(Failure::Usage(text))
        }
        _ => Ok(()),
    }
}

/// What of a model can be drawn; none for one without bodies.
pub(crate) fn stage_if_any(file: &ModelFile) -> Result<Option<Stage>, Failure> {
    Stage::new(file.document()).map_err(|error| Failure::Model(file.explain_start(error)))
}

/// What of a model can be drawn.
pub(crate) fn stage(file: &ModelFile) -> Result<Stage, Failure> {
    stage_if_any(file)?.ok_or_else(|| {
        let kind = file.document().kind();
        Failure::Usage(format!(
            "{} is a model of the kind \"{kind}\" without bodies: there is nothing to draw; give a mechanism, or a coupled model with one",
            file.name()
        ))
    })
}

/// The film of a run, or of no more than its start.
fn filmed(stage: &Stage, end: Option<f64>, only_start: bool) -> Result<Film, Error> {
    let prepared = |end| Run::new(&stage.document, &Overrides { end, ..Overrides::default() });
    let run = match prepared(end) {
        // A start needs no end; a run that is stopped there comes to none.
        Err(Error::NoEnd) if only_start => prepared(Some(1.0)),
        run => run,
    }?;
    let mut recorder = stage.recorder();
    let stop = AtomicBool::new(only_start);
    let outcome = run.execute(&mut [&mut Curtain::new(stage, Vec::new(), &mut recorder)], &stop)?;
    match outcome.failure {
        Some(error) => Err(error),
        None => stage.film(recorder),
    }
}

/// Refuses a `--gltf` of another name, or in place of a file that is read.
pub(crate) fn check(path: &Path, model: &Path, file: &ModelFile) -> Result<(), Failure> {
    ends_in("--gltf", path, SCENES)?;
    spare("--gltf", path, model, file)
}

/// Writes a picture or a scene.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let out = OutputFile::create(path).map_err(Failure::write(path))?;
    whole(out, |sink| sink.write_all(bytes)).map_err(Failure::write(path))
}

/// `--gltf FILE` of an analysis, and the bodies of its page: frames are kept only where they are asked for.
pub(crate) struct Filming<'a> {
    to: Option<&'a Path>,
    stage: Option<Stage>,
    recorder: Recorder,
}

impl<'a> Filming<'a> {
    /// Refuses a file in place of one that the analysis reads. Frames are kept for the file at `to`, and where `shown` for a page.
    pub(crate) fn new(to: Option<&'a Path>, shown: bool, model: &Path, file: &ModelFile) -> Result<Self, Failure> {
        if let Some(path) = to {
            check(path, model, file)?;
        }
        let stage = (to.is_some() || shown).then(|| stage(file)).transpose()?;
        let recorder = if to.is_some() { Recorder::default() } else { Recorder::for_page() };
        Ok(Self { to, stage, recorder })
    }

    /// Keeps a frame.
    pub(crate) fn take(&mut self, frame: impl FnOnce() -> Result<Frame, Error>) -> Result<(), Error> {
        if self.stage.is_some() {
            // A recorder takes what it is given.
            let _ = self.recorder.frame(&frame()?);
        }
        Ok(())
    }

    /// The film so far, if frames were asked for.
    pub(crate) fn film(&mut self) -> Result<Option<Film>, Failure> {
        let recorder = std::mem::take(&mut self.recorder);
        self.stage.as_ref().map(|stage| stage.film(recorder)).transpose().map_err(Failure::Model)
    }

    /// Writes the file.
    pub(crate) fn write(&self, film: Option<&Film>) -> Result<(), Failure> {
        let (Some(path), Some(film)) = (self.to, film) else { return Ok(()) };
        write(path, &glb(film).map_err(Failure::write(path))?)
    }
}
