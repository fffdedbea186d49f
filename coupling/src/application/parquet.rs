//! Rows of numbers as Apache Parquet: one column of doubles for the time and for each output, the units in the names of the columns.

use std::fs::File;
use std::io;
use std::sync::Arc;

use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor as _;
use parquet::schema::types::Type;

use super::table::heading;

/// Rows of a row group: what is kept in memory.
const ROWS: usize = 8192;

/// A file under way. It can be read once it is finished, for the place of everything in it stands at its end.
pub struct ParquetTable {
    /// Until the names of the columns are known.
    file: Option<File>,
    writer: Option<SerializedFileWriter<File>>,
    /// The rows of the group under way, column by column.
    columns: Vec<Vec<f64>>,
}

impl ParquetTable {
    /// To an empty file.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self { file: Some(file), writer: None, columns: Vec::new() }
    }

    /// Begins with these columns behind the time \[s\].
    ///
    /// # Errors
    /// Those of the file and of the format.
    pub fn header(&mut self, names: &[String], units: &[String]) -> io::Result<()> {
        let headings = names.iter().zip(units).map(|(name, unit)| heading(name, unit));
        self.columns(std::iter::once("time [s]".to_owned()).chain(headings).collect())
    }

    /// Begins with these columns, whatever the first of them is.
    ///
    /// # Errors
    /// As [`ParquetTable::header`].
    pub fn columns(&mut self, headings: Vec<String>) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let column = |name: String| {
            let column = Type::primitive_type_builder(&name, Physical::DOUBLE).with_repetition(Repetition::REQUIRED);
            column.build().map(Arc::new)
        };
        let columns = headings.into_iter().map(column).collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
        self.columns = vec![Vec::with_capacity(ROWS); columns.len()];
        let schema = Type::group_type_builder("run").with_fields(columns).build().map_err(io::Error::other)?;
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::default()).map_err(io::Error::other)?;
        self.writer = Some(writer);
        Ok(())
    }

    /// Adds a row.
    ///
    /// # Errors
    /// As [`ParquetTable::header`].
    pub fn row(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        for (column, value) in self.columns.iter_mut().zip(std::iter::once(&time).chain(values)) {
            column.push(*value);
        }
        if self.columns[0].len() == ROWS { self.write_group().map_err(io::Error::other) } else { Ok(()) }
    }

    fn write_group(&mut self) -> parquet::errors::Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let mut group = writer.next_row_group()?;
        for values in &mut self.columns {
            if let Some(mut column) = group.next_column()? {
                column.typed::<DoubleType>().write_batch(values, None, None)?;
                column.close()?;
            }
            values.clear();
        }
        group.close().map(drop)
    }

    /// Writes what is left and the end of the file; further calls do nothing.
    ///
    /// # Errors
    /// As [`ParquetTable::header`].
    pub fn finish(&mut self) -> io::Result<()> {
        if self.columns.first().is_some_and(|times| !times.is_empty()) {
            self.write_group().map_err(io::Error::other)?;
        }
        self.writer.take().map_or(Ok(()), |writer| writer.close().map(drop).map_err(io::Error::other))
    }
}

/// The names of the columns of a file and its rows, which are doubles throughout.
///
/// # Errors
/// Those of the file and of the format; a column of another type.
pub fn read_parquet(file: File) -> io::Result<(Vec<String>, Vec<Vec<f64>>)> {
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema();
    let columns: Vec<String> = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let rows = reader.get_row_iter(None).map_err(io::Error::other)?;
    let numbers = |row: parquet::record::Row| (0..columns.len()).map(|k| row.get_double(k)).collect();
    let rows = rows.map(|row| row.and_then(numbers)).collect::<Result<_, _>>().map_err(io::Error::other)?;
    Ok((columns, rows))
}
