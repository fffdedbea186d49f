//! Measures over time as Apache Parquet: one column of doubles for the time and for each measure, with units in the names as in CSV.

use super::Column;
use crate::observer::Observer;
use fourbar_coupling::application::ParquetTable;
use std::fs::File;
use std::io;

/// Writes outputs in groups of rows. The file can be read once it is finished, also after a run that failed.
pub struct ParquetWriter {
    table: ParquetTable,
}

impl ParquetWriter {
    /// A writer to an empty file.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self { table: ParquetTable::new(file) }
    }

    /// Writes what is left and the end of the file.
    ///
    /// # Errors
    /// Those of the file and of the format.
    pub fn finish(mut self) -> io::Result<()> {
        self.table.finish()
    }
}

impl Observer for ParquetWriter {
    fn begin(&mut self, columns: &[Column]) -> io::Result<()> {
        let (names, units): (Vec<_>, Vec<_>) = columns.iter().map(|c| (c.name.clone(), c.unit.clone())).unzip();
        self.table.header(&names, &units)
    }

    fn output(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.table.row(time, values)
    }
}
