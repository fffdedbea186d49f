//! Films of tables that were written before: by a run with its poses, or by kinematics with all columns.

use super::{Film, Recorder, Stage, is_hidden};
use crate::Error;
use crate::run::{Frame, Observer as _};
use fourbar_multibody::space::{M3, Pose, V3};
use nalgebra::{Quaternion, UnitQuaternion};

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
        "the table has {found} columns of poses and forces, the model asks for {wanted}; give the model file from which it was written"
    )]
    Other {
        /// In the table.
        found: usize,
        /// Of the model.
        wanted: usize,
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
        let carried: Vec<usize> = (0..columns.len()).filter(|&k| is_hidden(&columns[k])).collect();
        if !carried.is_empty() {
            let wanted = self.hidden();
            let found = carried.len();
            return if found == wanted { Ok((carried, true)) } else { Err(NoFilm::Other { found, wanted }) };
        }
        let mut places = Vec::new();
        for body in self.body_names() {
            let of = ENDINGS.map(|ending| columns.iter().position(|column| *column == format!("{body}{ending}")));
            let of: Option<Vec<usize>> = of.into_iter().collect();
            places.extend(of.ok_or(NoFilm::Missing { body })?);
        }
        Ok((places, false))
    }
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
