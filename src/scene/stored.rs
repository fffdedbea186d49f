//! Films of tables that were written before: by a run with its poses, or by kinematics with all columns. Columns are found by the names of the bodies.

use super::carried::{Owner, column};
use super::{Film, Recorder, Stage};
use crate::Error;
use crate::run::{Frame, Observer as _};
use fourbar_multibody::space::{M3, Pose, V3};
use nalgebra::{Quaternion, UnitQuaternion};
use std::collections::{BTreeMap, BTreeSet};

/// Endings of the columns of a body that `fourbar kinematics --all` writes: the origin of its frame and its quaternion, the scalar first.
const ENDINGS: [&str; 7] = [" x [m]", " y [m]", " z [m]", " qw", " qx", " qy", " qz"];

/// Why a table gives no film.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoFilm {
    /// Columns are missing.
    #[error(
        "the table does not say where the body \"{body}\" is; write it by `fourbar run --poses --out FILE.csv`, or by `fourbar kinematics --all`"
    )]
    Missing {
        /// The first body without a place.
        body: String,
    },
    /// Poses of other bodies.
    #[error(
        "the table is that of another model ({}); give the model file from which it was written",
        differences(.table, .model)
    )]
    Other {
        /// What the table has and the model has not.
        table: Vec<String>,
        /// What the model has and the table has not.
        model: Vec<String>,
    },
    /// No row without a gap.
    #[error("no row of the table has finite places of all bodies; see why the run failed")]
    Empty,
    /// A shape has a fault.
    #[error(transparent)]
    Scene(#[from] Error),
}

impl Stage {
    /// The film of a table: headings with their units in brackets, and rows that begin with the time \[s\]. Rows with poses that are not finite are left out.
    ///
    /// # Errors
    /// [`NoFilm`].
    pub fn film_of_table(&self, columns: &[String], rows: &[Vec<f64>]) -> Result<Film, NoFilm> {
        let (places, is_carried) = self.places(columns)?;
        let mut recorder = Recorder::for_page();
        let mut is_empty = true;
        for row in rows {
            let numbers: Vec<f64> = places.iter().map(|&k| row[k]).collect();
            if numbers.iter().all(|number| number.is_finite()) {
                let frame = if is_carried { self.frame(row[0], &numbers) } else { bodies(self, row[0], &numbers) };
                // A recorder takes what it is given.
                let _ = recorder.frame(&frame);
                is_empty = false;
            }
        }
        if is_empty { Err(NoFilm::Empty) } else { Ok(self.film(recorder)?) }
    }

    /// The columns that say where the bodies are, and whether they are those of a run with its poses.
    fn places(&self, columns: &[String]) -> Result<(Vec<usize>, bool), NoFilm> {
        let carried: Vec<_> = columns.iter().enumerate().filter_map(|(k, name)| Some((k, column(name)?))).collect();
        if !carried.is_empty() {
            return Ok((self.carried_places(&carried)?, true));
        }
        let names = self.body_names();
        let of = |body: &str| {
            let place = |ending: &str| columns.iter().position(|column| *column == format!("{body}{ending}"));
            ENDINGS.map(place).into_iter().collect::<Option<Vec<usize>>>()
        };
        let told: BTreeSet<&str> =
            columns.iter().filter_map(|column| column.strip_suffix(" qw")).filter(|body| of(body).is_some()).collect();
        let missing: Vec<&String> = names.iter().filter(|body| !told.contains(body.as_str())).collect();
        let strange = told.iter().filter(|body| names.iter().all(|name| name != *body));
        let quoted = |body: &str| Owner::Body(body.to_owned()).to_string();
        let strange: Vec<String> = strange.map(|body| quoted(body)).collect();
        match missing.first() {
            Some(body) if told.is_empty() => Err(NoFilm::Missing { body: (*body).clone() }),
            None if strange.is_empty() => Ok((names.iter().filter_map(|body| of(body)).flatten().collect(), false)),
            _ => Err(NoFilm::Other { table: strange, model: missing.iter().map(|body| quoted(body)).collect() }),
        }
    }

    /// The hidden columns in the order of [`Stage::frame`]; those of a mechanism have whatever simulator it was in before their names.
    fn carried_places(&self, carried: &[(usize, (&str, &str, Owner))]) -> Result<Vec<usize>, NoFilm> {
        let wanted = self.hidden_columns();
        let is_alone = wanted.iter().all(|(simulator, _)| simulator.is_empty());
        let key = |before: &str, tail: &str| format!("{}{tail}", if is_alone { "" } else { before });
        let found: BTreeMap<String, usize> =
            carried.iter().map(|(k, (before, tail, _))| (key(before, tail), *k)).collect();
        let wanted: Vec<(String, Owner)> = wanted
            .iter()
            .filter_map(|(simulator, tail)| {
                let heading = super::carried::heading(simulator, tail);
                let (before, tail, owner) = column(&heading)?;
                Some((key(before, tail), owner))
            })
            .collect();
        let places: Option<Vec<usize>> = wanted.iter().map(|(name, _)| found.get(name).copied()).collect();
        match places {
            Some(places) if places.len() == carried.len() => Ok(places),
            _ => {
                let names = |own: BTreeSet<&Owner>| own.into_iter().map(Owner::to_string).collect();
                let asked: BTreeSet<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
                let strange =
                    carried.iter().filter(|(_, (before, tail, _))| !asked.contains(key(before, tail).as_str()));
                let missing = wanted.iter().filter(|(name, _)| !found.contains_key(name));
                Err(NoFilm::Other {
                    table: names(strange.map(|(_, (_, _, owner))| owner).collect()),
                    model: names(missing.map(|(_, owner)| owner).collect()),
                })
            }
        }
    }
}

/// Names that a message lists of each side at most: enough to know a model by.
const LISTED: usize = 5;

/// What the one has and the other has not, in words.
fn differences(table: &[String], model: &[String]) -> String {
    let side = |names: &[String], other: &str| {
        let more = names.len().saturating_sub(LISTED);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let listed = names.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
        (!names.is_empty()).then(|| format!("in the {other} alone {listed}{tail}"))
    };
    let told = [side(table, "table"), side(model, "model")];
    let told: Vec<String> = told.into_iter().flatten().collect();
    // Columns that are there twice.
    if told.is_empty() { "it has columns of one name twice".to_owned() } else { told.join(", ") }
}

/// A frame of bodies alone.
fn bodies(stage: &Stage, time: f64, numbers: &[f64]) -> Frame {
    let pose = |(n, center): (&[f64], V3)| {
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(n[3], n[4], n[5], n[6]));
        let a: M3 = turn.to_rotation_matrix().into_inner();
        Pose { x: V3::new(n[0], n[1], n[2]) + a * center, a, v: V3::zeros(), w: V3::zeros() }
    };
    let poses = numbers.chunks_exact(7).zip(stage.centers()).map(pose).chain([Pose::ground()]);
    Frame { time, poses: poses.collect(), ..Frame::default() }
}
