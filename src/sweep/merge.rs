//! The tables of shards put together: equal, byte for byte, to that of the sweep in one piece.

use super::error::SweepError;
use super::shard::Shard;
use super::side::{Lines, Side, checksum, failures_beside};
use super::table::{is_parquet, whole};
use super::warnings::Gathered;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SHARDS: &str = "name the tables of all shards of one sweep, each once";
const AGAIN: &str = "run the shard again: its journal has the runs";

/// A table by its members; its cells as the shards wrote them.
#[derive(Default)]
struct Rows {
    head: Vec<String>,
    rows: BTreeMap<usize, csv::StringRecord>,
}

/// Puts the tables of all shards of a sweep, which lie at `tables`, together at `path`, and those of members that failed beside it.
/// Gives the number of members.
///
/// # Errors
/// [`SweepError::Merge`] if tables are of other sweeps, share a member or miss one; [`SweepError::File`].
pub fn merge(tables: &[PathBuf], path: &Path) -> Result<usize, SweepError> {
    if let Some(other) = tables.iter().map(PathBuf::as_path).chain([path]).find(|table| is_parquet(table)) {
        let problem = "tables in Parquet are not merged".to_owned();
        let remedy = "write the shards as .csv; other programs read many Parquet files as one table";
        return Err(SweepError::Merge { path: other.to_owned(), problem, remedy });
    }
    // A pattern such as `part-*.csv` names what failed beside the tables as well.
    let beside_one = |path: &PathBuf| tables.iter().any(|table| failures_beside(table) == *path);
    let tables: Vec<&PathBuf> = tables.iter().filter(|path| !beside_one(path)).collect();
    let sides = tables.iter().map(|table| Side::read(table)).collect::<Result<Vec<_>, _>>()?;
    let mut all = Rows::default();
    let mut failures = Rows::default();
    let lines: Vec<Option<Lines>> = sides.iter().map(|side| side.lines.clone()).collect();
    let side = joined(&tables, sides, path)?;
    for (table, lines) in tables.iter().zip(&lines) {
        all.add(table, true, lines.as_ref().map(|lines| &*lines.table))?;
        let beside = failures_beside(table);
        if beside.exists() {
            failures.add(&beside, false, lines.as_ref().map(|lines| &*lines.failed))?;
        }
    }
    let members = side.subject.members;
    if let Some(missing) = (0..members).find(|member| !all.rows.contains_key(member)) {
        let problem = format!("member {missing} is in no table");
        return Err(SweepError::Merge { path: path.to_owned(), problem, remedy: SHARDS });
    }
    if let Some((more, _)) = all.rows.last_key_value().filter(|(last, _)| **last >= members) {
        let problem = format!("the sweep has {members} members, and a table has member {more}");
        return Err(SweepError::Merge { path: path.to_owned(), problem, remedy: SHARDS });
    }
    all.write(path)?;
    side.write(path)?;
    let beside = failures_beside(path);
    if !failures.rows.is_empty() {
        failures.write(&beside)?;
    } else if let Err(source) = std::fs::remove_file(&beside) {
        // One of a merge before.
        if source.kind() != std::io::ErrorKind::NotFound {
            return Err(SweepError::File { path: beside, source });
        }
    }
    Ok(members)
}

/// What lies beside the whole: the tables are all shards of one sweep, each once.
fn joined(tables: &[&PathBuf], sides: Vec<Side>, path: &Path) -> Result<Side, SweepError> {
    let mut whole: Option<Side> = None;
    let mut found = Vec::new();
    for (table, own) in tables.iter().zip(sides) {
        let wrong = |problem: String| SweepError::Merge { path: table.to_path_buf(), problem, remedy: SHARDS };
        let shard = own.subject.shard;
        let Some(first) = &mut whole else {
            found.push(shard.index);
            whole = Some(own);
            continue;
        };
        let differences = first.subject.differences(&own.subject);
        if !differences.is_empty() {
            return Err(wrong(format!(
                "it is of another sweep than {}; these differ: {}",
                tables[0].display(),
                differences.join(", ")
            )));
        }
        if shard.count != first.subject.shard.count {
            let other = first.subject.shard;
            return Err(wrong(format!("it is shard {shard}, and {} is shard {other}", tables[0].display())));
        }
        if found.contains(&shard.index) {
            return Err(wrong(format!("shard {shard} is in two tables")));
        }
        found.push(shard.index);
        first.failed += own.failed;
        first.warnings = Gathered::default().and(std::mem::take(&mut first.warnings)).and(own.warnings).list();
    }
    let missing = |problem: String| SweepError::Merge { path: path.to_owned(), problem, remedy: SHARDS };
    let Some(mut whole) = whole else { return Err(missing("there are no tables".to_owned())) };
    let count = whole.subject.shard.count;
    let lacking: Vec<String> =
        (1..=count).filter(|index| !found.contains(index)).map(|index| format!("{index}/{count}")).collect();
    if !lacking.is_empty() {
        return Err(missing(format!("shard {} is missing", lacking.join(", "))));
    }
    whole.subject.shard = Shard::default();
    whole.lines = None;
    Ok(whole)
}

impl Rows {
    /// Adds a table, whose lines have these checksums.
    fn add(&mut self, path: &Path, with_status: bool, lines: Option<&str>) -> Result<(), SweepError> {
        let wrong = |problem: String| SweepError::Merge { path: path.to_owned(), problem, remedy: SHARDS };
        let unreadable =
            |error: csv::Error| SweepError::Merge { path: path.to_owned(), problem: error.to_string(), remedy: AGAIN };
        let mut reader = csv::Reader::from_path(path).map_err(unreadable)?;
        let head: Vec<String> = reader.headers().map_err(unreadable)?.iter().map(str::to_owned).collect();
        let is_table = head.first().is_some_and(|head| head == "member")
            && (!with_status || head.get(1).is_some_and(|head| head == "status"));
        if !is_table {
            return Err(wrong("it is no table of a sweep".to_owned()));
        }
        if self.head.is_empty() {
            self.head = head;
        } else if self.head != head {
            let problem = format!("its columns are {}, those before {}", head.join(", "), self.head.join(", "));
            return Err(wrong(problem));
        }
        let mut sums = lines.map(|lines| lines.split(' '));
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            if sums.as_mut().is_some_and(|sums| sums.next() != Some(&checksum(record.iter()))) {
                let line = record.position().map_or(0, csv::Position::line);
                let problem = format!("line {line} is damaged: its checksum is that of another line");
                return Err(SweepError::Merge { path: path.to_owned(), problem, remedy: AGAIN });
            }
            let own = record.get(0).unwrap_or_default();
            let member = own.parse().map_err(|_| wrong(format!("\"{own}\" is no member")))?;
            if self.rows.insert(member, record).is_some() {
                return Err(wrong(format!("member {member} is in two tables")));
            }
        }
        Ok(())
    }

    fn write(&self, path: &Path) -> Result<(), SweepError> {
        let write = whole(path, |sink| {
            let mut writer = csv::Writer::from_writer(sink);
            writer.write_record(&self.head)?;
            self.rows.values().try_for_each(|record| writer.write_record(record))?;
            writer.flush()
        });
        write.map_err(|source| SweepError::File { path: path.to_owned(), source })
    }
}
