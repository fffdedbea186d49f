//! Tables of efficiencies.

use super::Reader;
use crate::element::EfficiencyMap;
use crate::model::Efficiency;
use fourbar_expression::Expression;
use fourbar_expression::model::ModelError;

type Read<T> = Result<T, Box<ModelError>>;

/// The table of a pump or motor, if it has one.
pub(super) fn read(reader: &Reader, map: Option<&Efficiency>) -> Read<Option<EfficiencyMap>> {
    let Some(map) = map else { return Ok(None) };
    let speed = axis(reader, &map.speed, "efficiency.speed")?;
    let pressure = axis(reader, &map.pressure, "efficiency.pressure")?;
    let size = [speed.len(), pressure.len()];
    let volumetric = table(reader, &map.volumetric, "efficiency.volumetric", size)?;
    let mechanical = table(reader, &map.mechanical, "efficiency.mechanical", size)?;
    Ok(Some(EfficiencyMap { speed, pressure, volumetric, mechanical }))
}

/// Numbers that are at least 0 and increase, the last above 0.
fn axis(reader: &Reader, points: &[Expression], field: &str) -> Read<Vec<f64>> {
    let mut axis: Vec<f64> = Vec::with_capacity(points.len());
    for (k, point) in points.iter().enumerate() {
        let field = format!("{field}.{k}");
        axis.push(match axis.last() {
            None => reader.not_negative(point, &field)?,
            Some(&last) => {
                reader.within(point, &field, &format!("larger than the one before, {last}"), |v| v > last)?
            }
        });
    }
    if axis.last().is_some_and(|last| *last > 0.0) {
        return Ok(axis);
    }
    Err(ModelError::new(reader.at(field), "it has no entry above 0", "give the points of the table in growing order"))
}

fn table(reader: &Reader, rows: &[Vec<Expression>], field: &str, [height, width]: [usize; 2]) -> Read<Vec<Vec<f64>>> {
    if !rows.is_empty() && (rows.len() != height || rows.iter().any(|row| row.len() != width)) {
        let lengths: Vec<String> = rows.iter().map(|row| row.len().to_string()).collect();
        let problem = format!("it has {} rows of {} entries", rows.len(), lengths.join(", "));
        let remedy =
            format!("give one row for each of the {height} speeds, with one entry for each of the {width} pressures");
        return Err(ModelError::new(reader.at(field), problem, remedy));
    }
    let entry = |k: usize, j: usize, value: &Expression| {
        reader.within(value, &format!("{field}.{k}.{j}"), "above 0 and at most 1", |v| v > 0.0 && v <= 1.0)
    };
    let read =
        |(k, row): (usize, &Vec<Expression>)| row.iter().enumerate().map(|(j, value)| entry(k, j, value)).collect();
    rows.iter().enumerate().map(read).collect()
}
