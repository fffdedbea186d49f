//! `fourbar linear`: what a linear system, or a mechanism near a state, is and answers, as tables on standard output.

mod mechanism;
mod output;
mod page;
mod sampling;

use crate::columns::table_csv;
use crate::draw;
use crate::exit::{Exit, Failure};
use crate::numbers::{finite, positive};
use crate::signals;
use crate::variant::Variant;
use clap::{Args, Subcommand, ValueEnum};
use fourbar::Error;
use fourbar::analysis::{At, Modes, OperatingPoint};
use fourbar::file::ModelFile;
use fourbar::linalg::text::{Brief, printable};
use fourbar::linear::{Language, LinearAnalysis, Table, firmware};
use mechanism::Motion;
use output::{matrices_csv, matrices_json};
use sampling::Sampling;
use std::io::{self, Write as _};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct LinearArguments {
    /// Model file of a linear system, or of a mechanism, which is linearized
    model: PathBuf,

    #[command(flatten)]
    variant: Variant,

    /// Where a mechanism is linearized: `start`, `equilibrium` (the static one below the start) or a time [s], to which it is run. Without it: the
    /// start if the mechanism moves or rests there, else the equilibrium
    #[arg(long, global = true, value_name = "WHERE", value_parser = at, default_value = "auto", hide_default_value = true, allow_hyphen_values = true)]
    at: At,

    /// Without it: the modes of a mechanism, the poles of a linear system
    #[command(subcommand)]
    what: Option<Analysis>,

    /// Write a page to this file, which opens offline: modes that move, poles, responses, Bode plots, the root locus; not of sampled and firmware
    #[arg(long, visible_alias = "report", global = true, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// Leave the bodies in motion out of the page
    #[arg(long, global = true, requires = "html")]
    no_3d: bool,

    /// Of a mechanism, with modes, matrices or locus: write the bodies to this file as glTF, with an animation for each mode
    #[arg(long, global = true, value_name = "FILE.glb")]
    gltf: Option<PathBuf>,

    /// Print one JSON object instead of comma-separated values
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Analysis {
    /// Poles with natural frequency and damping ratio
    Poles,
    /// Of a mechanism: frequency, damping and shape of each mode, the stiffness ratio and the integrator that it suggests
    Modes,
    /// Of a mechanism: M, C, K of its independent coordinates, and A, B, C, D
    Matrices,
    /// Root locus: the poles over the values of a parameter
    Locus(Locus),
    /// Outputs after a step of each input from 0 to 1
    Step(Times),
    /// Outputs after an impulse of each input
    Impulse(Times),
    /// Outputs that the start state leaves without input
    Initial(Times),
    /// Gain and phase over frequency
    Frequency(Frequencies),
    /// Matrices A_d, B_d, C_d, D_d of x(k+1) = A_d x(k) + B_d u(k), y(k) = C_d x(k) + D_d u(k)
    Sampled(Sampling),
    /// The sampled system as source text for firmware: fixed sizes, no allocation, no standard library
    Firmware {
        /// Language of the text
        #[arg(long, value_enum, default_value_t = LanguageName::C)]
        language: LanguageName,

        #[command(flatten)]
        sampling: Sampling,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum LanguageName {
    /// C99
    C,
    /// Rust
    Rust,
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::C => Self::C,
            LanguageName::Rust => Self::Rust,
        }
    }
}

#[derive(Debug, Args)]
struct Locus {
    /// Parameter of the model
    #[arg(long, value_name = "NAME")]
    parameter: String,

    /// Its first value
    #[arg(long, value_name = "NUMBER", value_parser = finite, allow_hyphen_values = true)]
    from: f64,

    /// Its last value
    #[arg(long, value_name = "NUMBER", value_parser = finite, allow_hyphen_values = true)]
    to: f64,

    /// Number of values, equally spaced
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    points: u32,
}

fn at(text: &str) -> Result<At, String> {
    Ok(match text {
        "auto" => At::Auto,
        "start" => At::Start,
        "equilibrium" => At::Equilibrium,
        time => match time.parse() {
            Ok(time) if time >= 0.0 && f64::is_finite(time) => At::Time(time),
            _ => return Err("write `start`, `equilibrium` or a time of 0 s or more".to_owned()),
        },
    })
}

#[derive(Debug, Args)]
struct Times {
    /// Time between samples [s]; the output step of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    step: Option<f64>,

    /// Last time [s]; that of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    end: Option<f64>,
}

#[derive(Debug, Args)]
struct Frequencies {
    /// Smallest frequency [Hz]
    #[arg(long, value_name = "HERTZ", value_parser = positive, allow_hyphen_values = true)]
    from: f64,

    /// Largest frequency [Hz]
    #[arg(long, value_name = "HERTZ", value_parser = positive, allow_hyphen_values = true)]
    to: f64,

    /// Number of frequencies, their logarithms equally spaced
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    points: u32,
}

pub(crate) fn linear(arguments: &LinearArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = arguments.variant.load(&arguments.model)?;
    arguments.check_page(&file)?;
    let refused = |error: Error| Failure::Model(file.explain_start(error));
    let name = file.document().name();
    let text = match (arguments.what(&file), file.document().mechanism()) {
        (what @ (Analysis::Modes | Analysis::Matrices), Some(model)) => {
            let mut point = OperatingPoint::new(model, arguments.at).map_err(refused)?;
            say!("{}", mechanism::told(&point));
            let answer = if matches!(what, Analysis::Modes) { mechanism::modes } else { mechanism::matrices };
            let text = answer(name, &mut point, arguments.json).map_err(refused)?;
            arguments.show(&file, &mut point, None)?;
            text
        }
        (Analysis::Locus(locus), Some(model)) if arguments.html.is_some() || arguments.gltf.is_some() => {
            let (table, motion) = locus.table(&file, arguments.at)?;
            let mut point = OperatingPoint::new(model, arguments.at).map_err(refused)?;
            arguments.show(&file, &mut point, Some((&locus.parameter, &table)))?;
            if arguments.json { motion_json(name, &table, motion) } else { table_csv(&table) }
        }
        _ => {
            let (analysis, place) = analysis_of(&file, arguments.at)?;
            place.iter().flat_map(|place| &place.lines).for_each(|line| say!("{line}"));
            arguments.answer(name, &analysis, (&file, place.as_ref()))?
        }
    };
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::Done)
}

/// Where a mechanism was linearized, and whether its motion there is steady.
struct Place {
    told: String,
    /// The same and the warnings, as standard error has them.
    lines: Vec<String>,
    motion: Motion,
}

/// A table as JSON, with the motion at which a mechanism was linearized.
fn motion_json(name: &str, table: &Table, motion: Option<Motion>) -> String {
    let mut object = serde_json::json!({ "model": name, "columns": table.columns, "rows": table.rows });
    motion.iter().for_each(|motion| motion.add_to(&mut object));
    format!("{object}\n")
}

/// The linear system in `file`, or its mechanism linearized at `at`, and what is told of that.
fn analysis_of(file: &ModelFile, at: At) -> Result<(LinearAnalysis, Option<Place>), Failure> {
    let refused = |error: Error| Failure::Model(file.explain_start(error));
    let document = file.document();
    match (document.linear(), document.mechanism()) {
        (Some(_), _) if at != At::Auto => {
            let text = format!("{} is a linear system: --at goes with a mechanism", file.name());
            Err(Failure::Usage(text))
        }
        (Some(model), _) => Ok((LinearAnalysis::new(model).map_err(refused)?, None)),
        (None, Some(model)) => {
            let mut point = OperatingPoint::new(model, at).map_err(refused)?;
            let told = mechanism::told(&point);
            let linearization = point.linearize().map_err(refused)?;
            let warnings = point.warnings(&linearization).map_err(refused)?;
            let warned = warnings.iter().map(|warning| format!("fourbar: {}", printable(warning)));
            let lines = std::iter::once(told.clone()).chain(warned).collect();
            let motion = Motion::of(&linearization);
            Ok((point.analysis_of(linearization).map_err(refused)?, Some(Place { told, lines, motion })))
        }
        (None, None) => {
            let (name, kind) = (file.name(), document.kind());
            let text = format!(
                "{name} is a model of the kind \"{kind}\"; `fourbar linear` takes a linear system or a mechanism"
            );
            Err(Failure::Usage(text))
        }
    }
}

impl Locus {
    /// A row for each pole at each value.
    fn table(&self, file: &ModelFile, at: At) -> Result<(Table, Option<Motion>), Failure> {
        let mut motion: Option<Motion> = None;
        let mut table = Table { columns: vec![self.parameter.clone()], rows: Vec::new() };
        let mut variant = file.clone();
        for k in 0..self.points {
            let part = f64::from(k) / f64::from(self.points - 1);
            let value = self.from * (1.0 - part) + self.to * part;
            let set = variant.set_parameter(&self.parameter, value.into());
            set.map_err(|error| Failure::Usage(format!("--parameter: {}; {}", error.problem, error.remedy)))?;
            let (analysis, place) = analysis_of(&variant, at)?;
            motion = place.map(|place| place.motion.or(motion)).or(motion);
            let poles = analysis.poles().map_err(|error| Failure::Model(variant.explain_start(error)))?;
            if k == 0 {
                table.columns.extend(poles.columns);
            }
            table.rows.extend(poles.rows.into_iter().map(|row| std::iter::once(value).chain(row).collect::<Vec<_>>()));
        }
        Ok((table, motion))
    }
}

impl LinearArguments {
    /// What is asked for.
    fn what(&self, file: &ModelFile) -> &Analysis {
        let usual = if file.document().mechanism().is_some() { &Analysis::Modes } else { &Analysis::Poles };
        self.what.as_ref().unwrap_or(usual)
    }

    /// Refuses a page or a scene of what has none, and one in place of a file that is read.
    fn check_page(&self, file: &ModelFile) -> Result<(), Failure> {
        let has_bodies = matches!(self.what(file), Analysis::Modes | Analysis::Matrices | Analysis::Locus(_))
            && file.document().mechanism().is_some();
        if self.gltf.is_some() && !has_bodies {
            let text = "--gltf goes with modes, matrices and locus of a mechanism; leave it out";
            return Err(Failure::Usage(text.to_owned()));
        }
        if self.html.is_some() && matches!(self.what(file), Analysis::Sampled(_) | Analysis::Firmware { .. }) {
            let text =
                "--html: sampled matrices and firmware have no page; leave it out, and write standard output to a file";
            return Err(Failure::Usage(text.to_owned()));
        }
        crate::page::check(self.html.as_deref(), &self.model, file)?;
        self.gltf.as_deref().map_or(Ok(()), |path| draw::check(path, &self.model, file))
    }

    /// Writes page and scene, if they are asked for.
    fn show(&self, file: &ModelFile, point: &mut OperatingPoint, locus: Option<(&str, &Table)>) -> Result<(), Failure> {
        if self.html.is_none() && self.gltf.is_none() {
            return Ok(());
        }
        let refused = |error| Failure::Model(file.explain_start(error));
        let linearization = point.linearize().map_err(refused)?;
        let modes = Modes::new(point, &linearization).map_err(refused)?;
        let film = match self.gltf.is_some() || !self.no_3d {
            true => Some(draw::stage(file)?.modes(&point.frame().map_err(refused)?, &modes).map_err(refused)?),
            false => None,
        };
        if let Some(path) = &self.html {
            let mut made = page::of(file, point, (&linearization, &modes), locus).map_err(refused)?;
            made.settings.extend(self.variant.settings());
            if let Some(film) = film.as_ref().filter(|_| !self.no_3d) {
                let animation = film.animation().map_err(Failure::Output)?;
                let (shown, all) = (animation.modes.len(), modes.modes.len());
                if shown < all {
                    made.warnings
                        .push(format!("the {shown} slowest of {all} modes move in 3-D; --gltf writes all of them"));
                }
                made.animation = Some(animation);
            }
            crate::page::write(&made, path)?;
        }
        if let (Some(path), Some(film)) = (&self.gltf, &film) {
            draw::write(path, &film.glb().map_err(Failure::write(path))?)?;
        }
        Ok(())
    }

    /// What a linear system answers; `place` says where a mechanism was linearized.
    fn answer(
        &self,
        name: &str,
        analysis: &LinearAnalysis,
        (file, place): (&ModelFile, Option<&Place>),
    ) -> Result<String, Failure> {
        let mut motion = place.map(|place| place.motion);
        let refused = |error: Error| Failure::Model(file.explain_start(error));
        let without_inputs = analysis.inputs().is_empty();
        let table = match self.what(file) {
            Analysis::Step(_) | Analysis::Impulse(_) | Analysis::Frequency(_) if without_inputs => {
                let text = format!("{} has no [[input]]; add one, and let a force use it", file.name());
                return Err(Failure::Usage(text));
            }
            Analysis::Initial(_) if file.document().mechanism().is_some() => {
                let text =
                    "a mechanism has no start state beside the one at which it is linearized; take `fourbar run`"
                        .to_owned();
                return Err(Failure::Usage(text));
            }
            Analysis::Sampled(sampling) => {
                let sampled = sampling.of(analysis)?.map_err(refused)?;
                return Ok(match self.json {
                    true => matrices_json(name, analysis, &sampled),
                    false => matrices_csv(&sampled),
                });
            }
            Analysis::Firmware { language, sampling } => {
                let sampled = sampling.of(analysis)?.map_err(refused)?;
                return Ok(firmware(analysis, &sampled, (*language).into()));
            }
            Analysis::Modes | Analysis::Matrices => {
                let name = file.name();
                let text =
                    format!("{name} is a linear system: modes and matrices go with a mechanism; take poles or sampled");
                return Err(Failure::Usage(text));
            }
            Analysis::Locus(locus) => locus.table(file, self.at).map(|(table, of)| {
                motion = of;
                table
            }),
            Analysis::Poles => analysis.poles().map_err(refused),
            Analysis::Step(times) => {
                let [step, end] = times.of(analysis)?;
                analysis.step_response(step, end).map_err(refused)
            }
            Analysis::Impulse(times) => {
                let [step, end] = times.of(analysis)?;
                analysis.impulse_response(step, end).map_err(refused)
            }
            Analysis::Initial(times) => {
                let [step, end] = times.of(analysis)?;
                analysis.initial_response(step, end).map_err(refused)
            }
            Analysis::Frequency(grid) => grid.of(analysis)?.map_err(refused),
        }?;
        if let Some(path) = &self.html {
            let mut made =
                page::of_system(file, place.map(|place| place.told.as_str()), analysis, (self.what(file), &table))
                    .map_err(refused)?;
            made.settings.extend(self.variant.settings());
            crate::page::write(&made, path)?;
        }
        Ok(if self.json { motion_json(name, &table, motion) } else { table_csv(&table) })
    }
}

impl Frequencies {
    fn of(&self, analysis: &LinearAnalysis) -> Result<Result<Table, Error>, Failure> {
        let Self { from, to, points } = *self;
        if from >= to {
            let text = format!("--from {from} --to {to}: write the smaller frequency first");
            return Err(Failure::Usage(text));
        }
        Ok(analysis.frequency_response(from, to, points as usize))
    }
}

impl Times {
    /// Step and end: of the command line, else of the model.
    fn of(&self, analysis: &LinearAnalysis) -> Result<[f64; 2], Failure> {
        let [step, end] = analysis.times();
        let given = |own: Option<f64>, model: Option<f64>, option: &str| {
            let text = || Failure::Usage(format!("the model gives no time for it; give {option}"));
            own.or(model).ok_or_else(text)
        };
        let end = given(self.end, end, "--end")?;
        let step = given(self.step, step, "--step")?;
        let most = LinearAnalysis::MOST_SAMPLES;
        if (self.step.is_some() || self.end.is_some()) && !(end / step <= most) {
            let text = format!(
                "--end {end} in steps of --step {step} are {:.1e} samples, at most {most:e} are given; end earlier, or take a longer step",
                end / step,
                end = Brief(end),
                step = Brief(step)
            );
            return Err(Failure::Usage(text));
        }
        Ok([step, end])
    }
}
