//! Measures over time as comma-separated values: a header `time [s],tip.x [m],..`, then one line for each output time.

use super::Column;
use crate::observer::Observer;
use std::io::{self, Write};

/// Writes each output as it comes, so that a run that ends early leaves what it had.
///
/// Numbers are written with the fewest digits that give the same double back.
#[derive(Debug)]
pub struct CsvWriter<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    /// A writer to `sink`.
    pub fn new(sink: W) -> Self {
        Self { writer: csv::Writer::from_writer(sink) }
    }

    /// Writes what is still buffered, and gives the sink back.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(|error| error.into_error())
    }
}

impl<W: Write> Observer for CsvWriter<W> {
    fn begin(&mut self, columns: &[Column]) -> io::Result<()> {
        let header = |column: &Column| match column.unit.as_str() {
            "" => column.name.clone(),
            unit => format!("{} [{unit}]", column.name),
        };
        let names = std::iter::once("time [s]".to_owned()).chain(columns.iter().map(header));
        self.writer.write_record(names).map_err(io::Error::from)?;
        // A sink that takes nothing says so before the run.
        self.writer.flush()
    }

    fn output(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        let mut number = String::new();
        for value in std::iter::once(&time).chain(values) {
            number.clear();
            write_number(&mut number, *value);
            self.writer.write_field(&number)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(io::Error::from)?;
        // What a run has reached is on disk even if the process dies in the next step.
        self.writer.flush()
    }
}

/// Plain notation for everyday magnitudes, else an exponent.
pub(crate) fn write_number(text: &mut String, value: f64) {
    use std::fmt::Write as _;
    let magnitude = value.abs();
    let plain = magnitude == 0.0 || (1e-4..1e15).contains(&magnitude) || !value.is_finite();
    // Writing to a String cannot fail.
    let _ = if plain { write!(text, "{value}") } else { write!(text, "{value:e}") };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_bit_for_bit_and_names_are_quoted() {
        let column = |name: &str, unit: &str| Column { name: name.into(), unit: unit.into() };
        let mut csv = CsvWriter::new(Vec::new());
        csv.begin(&[column("a,b", "m"), column("ratio", "")]).unwrap();
        let rows = [[0.1, 1.0 / 3.0], [-1e-300, f64::MAX], [f64::NAN, 0.0]];
        for (i, row) in rows.iter().enumerate() {
            csv.output(i as f64 * 0.1, row).unwrap();
        }
        let text = String::from_utf8(csv.finish().unwrap()).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "time [s],\"a,b [m]\",ratio");
        for (i, row) in rows.iter().enumerate() {
            let read: Vec<f64> = lines[i + 1].split(',').map(|field| field.parse().unwrap()).collect();
            assert_eq!(read[0].to_bits(), (i as f64 * 0.1).to_bits());
            assert!(read[1] == row[0] || row[0].is_nan() && read[1].is_nan());
            assert_eq!(read[2].to_bits(), row[1].to_bits());
        }
        assert_eq!(lines[2].split(',').nth(1), Some("-1e-300"));
    }

    #[test]
    fn an_error_of_the_sink_is_reported() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut csv = CsvWriter::new(Full);
        // The header is written out at once.
        let refused = csv.begin(&[]).expect_err("the sink is full");
        assert_eq!(refused.kind(), io::ErrorKind::StorageFull);
    }
}
