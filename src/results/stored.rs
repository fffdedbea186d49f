//! Results of before, read again: CSV and Parquet as a run writes them, JSON with `columns` and `rows` as analyses do.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The largest file of results that is read, in bytes: about 25 million numbers as CSV, more than a page can draw.
const LARGEST: u64 = 512 << 20;

/// A table of numbers; the first column ascends, unless the rows are [`Content::Poles`] or [`Content::Locus`].
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTable {
    /// Headings, each with its unit in brackets if it has one.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<f64>>,
}

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Points of curves over the first column.
    Curves,
    /// Poles or modes: real and imaginary part come first.
    Poles,
    /// Poles over a parameter, which comes first: several rows for each of its values.
    Locus,
}

/// Why a file is no table of results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What it holds is no table.
    #[error("{}: {problem}; {remedy}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
        /// What to do.
        remedy: &'static str,
    },
}

/// A problem and its remedy, until the file is known.
type Fault = (String, &'static str);

const RESULTS: &str = "give a table that `fourbar run --out` has written, or that an analysis has printed";
const ENGLISH: &str = "write commas between columns and points in numbers, as `0.5,1.25`";
/// Columns of a pole, as analyses write them.
const POLE: [&str; 2] = ["re [1/s]", "im [1/s]"];

impl StoredTable {
    /// Reads the file at `path`, in the format that its name ends in: `.json`, `.parquet` (in a build with the feature of that name), else CSV.
    ///
    /// # Errors
    /// [`StoredError`]: a file that cannot be read or is no table of numbers over an ascending first column.
    pub fn read(path: &Path) -> Result<Self, StoredError> {
        let is = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        let table = if is("parquet") {
            Self::from_parquet(path)?
        } else {
            let text = text(path).map_err(|source| StoredError::Read { path: path.to_owned(), source })?;
            if is("json") { Self::from_json(&text) } else { Self::from_csv(&text) }
        };
        let content = |(problem, remedy)| StoredError::Content { path: path.to_owned(), problem, remedy };
        table.and_then(Self::checked).map_err(content)
    }

    /// What the rows are, by the names of the columns.
    #[must_use]
    pub fn content(&self) -> Content {
        let is_pole = |columns: &[String]| columns.len() >= 2 && (0..2).all(|k| columns[k] == POLE[k]);
        match self.columns.as_slice() {
            columns if is_pole(columns) => Content::Poles,
            [_, columns @ ..] if is_pole(columns) => Content::Locus,
            _ => Content::Curves,
        }
    }

    fn from_csv(text: &str) -> Result<Self, Fault> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let broken = |error: csv::Error| (error.to_string(), RESULTS);
        let columns: Vec<String> = reader.headers().map_err(broken)?.iter().map(str::to_owned).collect();
        header(&columns)?;
        let mut rows = Vec::new();
        for (k, record) in reader.records().enumerate() {
            let record = record.map_err(broken)?;
            if record.len() != columns.len() {
                let problem =
                    format!("row {} has {} fields, the header {} columns", k + 1, record.len(), columns.len());
                // Of a table with decimal commas each number is two fields.
                return Err((problem, if record.len() > columns.len() { ENGLISH } else { RESULTS }));
            }
            let number = |(field, column): (&str, &String)| {
                let problem = || format!("row {}: \"{field}\" in the column \"{column}\" is no number", k + 1);
                let decimal_comma = field.trim().replacen(',', ".", 1).parse::<f64>().is_ok();
                field.trim().parse::<f64>().map_err(|_| (problem(), if decimal_comma { ENGLISH } else { RESULTS }))
            };
            rows.push(record.iter().zip(&columns).map(number).collect::<Result<_, _>>()?);
        }
        Ok(Self { columns, rows })
    }

    fn from_json(text: &str) -> Result<Self, Fault> {
        /// What is not finite is `null`.
        #[derive(serde::Deserialize)]
        struct Object {
            columns: Vec<String>,
            rows: Vec<Vec<Option<f64>>>,
        }
        let broken =
            |error: serde_json::Error| (error.to_string(), "give an object with `columns` and `rows` of numbers");
        let Object { columns, rows } = serde_json::from_str(text).map_err(broken)?;
        let rows = rows.into_iter().map(|row| row.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect());
        Ok(Self { columns, rows: rows.collect() })
    }

    #[cfg(feature = "parquet")]
    fn from_parquet(path: &Path) -> Result<Result<Self, Fault>, StoredError> {
        let read = std::fs::File::open(path).and_then(fourbar_coupling::application::read_parquet);
        let (columns, rows) = read.map_err(|source| StoredError::Read { path: path.to_owned(), source })?;
        Ok(Ok(Self { columns, rows }))
    }

    #[cfg(not(feature = "parquet"))]
    fn from_parquet(_: &Path) -> Result<Result<Self, Fault>, StoredError> {
        let problem = "this program was built without Apache Parquet".to_owned();
        Ok(Err((problem, "build it with `--features parquet`, or give a .csv file")))
    }

    /// Itself, if it can be drawn.
    fn checked(self) -> Result<Self, Fault> {
        let Self { columns, rows } = &self;
        if columns.len() < 2 || rows.is_empty() {
            let problem = format!("a table of {} columns and {} rows has no curve", columns.len(), rows.len());
            return Err((problem, RESULTS));
        }
        if let Some(k) = rows.iter().position(|row| row.len() != columns.len()) {
            let problem = format!("row {} has {} numbers, the header {} columns", k + 1, rows[k].len(), columns.len());
            return Err((problem, RESULTS));
        }
        if self.content() != Content::Curves {
            return Ok(self);
        }
        let first = |row: &[f64]| row[0];
        let falls = |pair: &[Vec<f64>]| !(first(&pair[0]) <= first(&pair[1]));
        if let Some(k) = rows.windows(2).position(falls) {
            let problem = format!("the first column, \"{}\", does not ascend at row {}", columns[0], k + 2);
            return Err((problem, "sort the rows by their first column"));
        }
        Ok(self)
    }
}

/// Refuses first rows that are no names, and other separators than commas.
fn header(columns: &[String]) -> Result<(), Fault> {
    if !columns.is_empty() && columns.iter().all(|name| name.trim().parse::<f64>().is_ok()) {
        let problem = "the first row holds numbers: the names of the columns are missing".to_owned();
        return Err((problem, "put them in a first row, each with its unit, as `time [s],angle [rad]`"));
    }
    let other = [(';', "semicolons"), ('\t', "tabs")]
        .into_iter()
        .find(|(sign, _)| columns.iter().any(|name| name.contains(*sign)));
    match other {
        Some((_, signs)) => Err((format!("the columns are separated by {signs}"), ENGLISH)),
        None => Ok(()),
    }
}

/// The text of a file that is not too large.
fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        let problem = format!("it is larger than {} MiB; write fewer outputs (--output-step)", LARGEST >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(table: Result<StoredTable, Fault>) -> String {
        table.and_then(StoredTable::checked).expect_err("no table of results").0
    }

    #[test]
    fn a_table_comes_back_from_csv_and_json() {
        let rows = vec![vec![0.0, 0.1, -1e-300], vec![0.5, 1.0 / 3.0, 2.0]];
        let columns = ["time [s]", "a,b [m]", "ratio"].map(str::to_owned).to_vec();
        let table = StoredTable { columns, rows };
        let csv = "time [s],\"a,b [m]\",ratio\n0,0.1,-1e-300\n0.5,0.3333333333333333,2\n";
        assert_eq!(StoredTable::from_csv(csv).and_then(StoredTable::checked), Ok(table.clone()));
        let json = serde_json::json!({ "model": "x", "columns": table.columns, "rows": table.rows }).to_string();
        assert_eq!(StoredTable::from_json(&json).and_then(StoredTable::checked), Ok(table));
    }

    #[test]
    fn gaps_stay_gaps() {
        let csv = StoredTable::from_csv("time [s],a\n0,NaN\n1,2\n").unwrap();
        let json = StoredTable::from_json(r#"{"columns": ["time [s]", "a"], "rows": [[0, null], [1, 2]]}"#).unwrap();
        assert!(csv.rows[0][1].is_nan() && json.rows[0][1].is_nan());
    }

    #[test]
    fn poles_and_loci_need_not_ascend() {
        let of = |text: &str| StoredTable::from_csv(text).and_then(StoredTable::checked).map(|table| table.content());
        assert_eq!(of("k [N/m],re [1/s],im [1/s]\n2,-1,3\n2,-1,-3\n1,-2,0\n"), Ok(Content::Locus));
        assert_eq!(of("re [1/s],im [1/s],damping\n2,-1,3\n-1,2,1\n"), Ok(Content::Poles));
        assert_eq!(of("time [s],re [1/s]\n0,-1\n1,-3\n"), Ok(Content::Curves));
    }

    #[test]
    fn tables_of_other_programs_are_told_from_ours() {
        let fault = |text: &str| StoredTable::from_csv(text).and_then(StoredTable::checked).unwrap_err();
        let (said, remedy) = fault("0,1\n1,2\n");
        assert!(said.contains("names of the columns are missing") && remedy.contains("time [s]"), "{said}; {remedy}");
        let texts = [
            "time [s];a\n0;1\n",
            "time [s];a\n0,5;1,5\n",
            "time [s]\ta\n0\t1\n",
            "time [s],a\n0,5,1,5\n",
            "time [s],a\n\"0,5\",1\n",
        ];
        for text in texts {
            let (said, remedy) = fault(text);
            assert_eq!(remedy, ENGLISH, "{said}");
        }
        assert!(fault(texts[0]).0.contains("semicolons") && fault(texts[2]).0.contains("tabs"));
        assert!(fault(texts[3]).0.contains("row 1 has 4 fields"));
    }

    #[test]
    fn what_is_no_table_is_said_with_its_place() {
        let said = problem(StoredTable::from_csv("time [s],a\n0,x\n"));
        assert_eq!(said, "row 1: \"x\" in the column \"a\" is no number");
        let said = problem(StoredTable::from_csv("time [s],a\n0,1\n1,1\n0.5,1\n"));
        assert_eq!(said, "the first column, \"time [s]\", does not ascend at row 3");
        assert!(problem(StoredTable::from_csv("time [s],a\n")).contains("0 rows"));
        assert!(problem(StoredTable::from_json(r#"{"columns": ["t", "a"], "rows": [[1]]}"#)).contains("row 1 has 1"));
        assert!(problem(StoredTable::from_json(r#"{"rows": []}"#)).contains("columns"));
    }
}
