//! Statics, linearization, kinematics.

use super::{Case, Fault, NEAR, near, value_of_run, wrong};
use crate::matrix::feature::Feature;
use fourbar::Document;
use fourbar::analysis::{At, KinematicRun, Modes, OperatingPoint, QuasiStatics};
use fourbar::file::ModelFile;
use fourbar::linear::LinearAnalysis;

fn mechanism(file: &ModelFile) -> Result<&fourbar::mechanism::MechanismModel, Fault> {
    file.document().mechanism().map_or_else(|| wrong("not a mechanism"), Ok)
}

pub(crate) fn statics(case: &Case) -> Result<(), Fault> {
    let file = case.file("")?;
    let statics = QuasiStatics::new(mechanism(&file)?, None, None).and_then(|mut statics| statics.at(0.0));
    let found = statics.map_err(|error| file.explain(error))?;
    let value = found.measures.iter().find(|(column, _)| column.name == case.feature.column);
    match value {
        Some((_, value)) if value.is_finite() => Ok(()),
        other => wrong(format!("{other:?}")),
    }
}

pub(crate) fn has_linear(feature: &Feature) -> bool {
    let file = ModelFile::parse("model.toml", feature.text(""));
    file.is_ok_and(|file| matches!(file.document(), Document::Mechanism(_) | Document::Linear(_)))
}

/// Poles and matrices.
pub(crate) fn linear(case: &Case) -> Result<(), Fault> {
    let file = case.file("")?;
    if let Some(model) = file.document().linear() {
        LinearAnalysis::new(model)?.poles()?;
        return Ok(());
    }
    let mut point = OperatingPoint::new(mechanism(&file)?, At::Auto).map_err(|error| file.explain(error))?;
    let linearization = point.linearize()?;
    Modes::new(&point, &linearization)?;
    let analysis = point.analysis_of(linearization)?;
    let finite = analysis.system().a().iter().all(|entry| entry.is_finite());
    if finite { Ok(()) } else { wrong("the matrices are not finite") }
}

/// Of the mechanism with motions that leave no degree of freedom, against the run of the same.
pub(crate) fn kinematics(case: &Case) -> Result<(), Fault> {
    let drive = case.feature.drive.as_deref().unwrap_or_default();
    let file = case.file(drive)?;
    let run = KinematicRun::new(mechanism(&file)?, None, None, true);
    let mut run = run.map_err(|error| file.explain(error))?;
    let mut row = run.row(0.0)?;
    for time in case.times() {
        row = run.row(time)?;
    }
    let column = run.columns().iter().position(|name| name.split(' ').next() == Some(case.feature.column));
    let Some(column) = column else { return wrong("there is no such column") };
    near(row[column], value_of_run(case.feature, drive)?, 10.0 * NEAR)
}
