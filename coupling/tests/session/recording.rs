//! What is on disk while a run goes on, after its end, and after its failure.

use std::path::{Path, PathBuf};

use fourbar_coupling::application::{FileRecorder, Session, SessionState};
use fourbar_coupling::{Master, Observer};
use serde_json::Value;

use crate::session::machine::{PATIENCE, partners, reaches, session, settings};

/// A file of this test alone.
fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recording");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(Into::into).collect()
}

fn beside(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path.with_extension("json")).unwrap()).unwrap()
}

#[test]
fn a_run_leaves_its_table_and_how_it_came_about() {
    let path = place("whole.csv");
    let session = session(1.0, 0.25).record_to(&path, 2);
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Finished));
    let expected = ["time [s],pump.rate [m^3/s],tank.volume [m^3],tank.root", "0,2,1,1"];
    let lines = lines(&path);
    assert_eq!((&lines[..2], lines.len()), (expected.map(String::from).as_slice(), 4));
    assert!(lines[3].starts_with("1,2,3,1.732050807568877"));
    let about = beside(&path);
    assert_eq!(about["status"]["state"], "finished");
    assert_eq!((&about["rows"], &about["stride"]), (&3.into(), &2.into()));
    assert_eq!(about["status"]["statistics"]["steps"], 4);
    assert_eq!(about["settings"]["options"]["step"], 0.25);
    assert_eq!(about["units"][1], "m^3");
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    // The next run has files of its own.
    session.start().unwrap();
    assert!(session.wait(PATIENCE, |status| status.run == 2 && status.state == SessionState::Finished));
    assert_eq!(self::lines(&place("whole-2.csv")), lines);
}

#[test]
fn what_was_written_before_a_fault_or_a_pause_is_on_disk() {
    let path = place("failed.csv");
    let given = settings(f64::INFINITY, 0.25);
    let session = Session::open(|| partners(1.0), given).unwrap().record_to(&path, 1);
    session.set_input("pump.valve", -0.5).unwrap();
    session.step().unwrap();
    assert!(reaches(&session, SessionState::Paused));
    assert_eq!((lines(&path).len(), &beside(&path)["status"]["state"]), (3, &"paused".into()));
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Failed));
    // volume = 1 - t: the root has values up to t = 1.
    assert_eq!(lines(&path).last().unwrap(), "1,-1,0,0");
    let about = beside(&path);
    assert_eq!(about["incidents"][0]["handling"], "the run ends");
    assert!(about["status"]["failure"].as_str().unwrap().contains("is NaN"));
    assert!(about["settings"]["options"]["end"].is_null());
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let session = session(1.0, 0.25).record_to(place("no folder/run.csv"), 1);
    let text = session.start().unwrap_err().to_string();
    assert!(text.contains("cannot write") && text.contains("no folder"), "{text}");
    assert_eq!(session.status().state, SessionState::Idle);
    assert!(FileRecorder::create(place("table.json"), 1, &settings(1.0, 0.25)).is_err());
}

/// A device that has no room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_pauses_the_run_and_says_so() {
    use std::os::unix::fs::symlink;
    let path = place("full.csv");
    let _ = std::fs::remove_file(&path);
    symlink("/dev/full", &path).unwrap();
    let mut file = FileRecorder::create(&path, 1, &settings(1e4, 0.25)).unwrap();
    let given = settings(1e4, 0.25);
    let mut master = Master::new(partners(1.0).unwrap(), &given.connections, &given.options).unwrap();
    master.run(&mut file as &mut dyn Observer).unwrap();
    assert!(file.failure().is_some_and(|text| text.contains("full.csv")), "{:?}", file.failure());
    assert!(master.clock().time() < 1e4);
}

#[cfg(feature = "parquet")]
#[test]
fn a_run_as_parquet_is_read_back_bit_for_bit() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let path = place("run.parquet");
    // More than one row group.
    let session = session(2000.0, 0.125).record_to(&path, 1).capacity(20_000);
    session.set_input("pump.valve", 0.1).unwrap();
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Finished));
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(reader.metadata().num_row_groups(), 2);
    let (_, record) = session.record();
    let mut rows = record.rows();
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let numbers: Vec<(&String, f64)> = row
            .get_column_iter()
            .map(|(name, field)| match field {
                Field::Double(value) => (name, *value),
                other => panic!("{other}"),
            })
            .collect();
        let (time, values) = rows.next().unwrap();
        assert_eq!((numbers[0].0.as_str(), numbers[0].1), ("time [s]", time));
        assert_eq!(numbers[2].0, "tank.volume [m^3]");
        // The page keeps the inputs too, behind the outputs; files hold them where they are asked for.
        assert!(numbers[1..].iter().map(|(_, value)| value).eq(&values[..numbers.len() - 1]));
    }
    assert!(rows.next().is_none());
    assert_eq!(beside(&path)["rows"], 16_001);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_without_its_feature_is_refused_with_the_remedy() {
    let error = FileRecorder::create(place("run.parquet"), 1, &settings(1.0, 0.25)).err().unwrap();
    assert!(error.to_string().contains("write a .csv file instead"), "{error}");
}
