//! Bodies in motion for a page: frames that are kept, what rounding leaves of them, films of tables.

use crate::running::root;
use fourbar::Document;
use fourbar::file::ModelFile;
use fourbar::results::Table;
use fourbar::run::{Frame, Observer, Overrides, Run};
use fourbar::scene::{Curtain, Film, NoFilm, Recorder, Stage, glb};
use std::sync::atomic::AtomicBool;

/// The film of a run, and its table with the columns of the poses: headings and rows.
fn run(model: &str, end: f64) -> (Stage, Film, Vec<String>, Vec<Vec<f64>>) {
    let file = ModelFile::load(root(&format!("models/{model}.toml"))).unwrap();
    let stage = Stage::new(file.document()).unwrap().unwrap();
    let document: Document = stage.with_poses();
    let run = Run::new(&document, &Overrides { end: Some(end), ..Overrides::default() }).unwrap();
    let (mut all, mut table, mut recorder) = (Table::default(), Table::default(), Recorder::default());
    let mut curtain = Curtain::new(&stage, vec![&mut table], &mut recorder).before(&mut all);
    run.execute(&mut [&mut curtain], &AtomicBool::new(false)).unwrap();
    assert!(table.columns().len() < all.columns().len());
    let headings = all.columns().iter().map(|column| format!("{} [{}]", column.name, column.unit));
    let columns = std::iter::once("time [s]".to_owned()).chain(headings).collect();
    let series: Vec<Vec<f64>> = (0..all.columns().len()).map(|k| all.series(k).collect()).collect();
    let row = |(k, time): (usize, &f64)| std::iter::once(*time).chain(series.iter().map(|of| of[k])).collect();
    let rows = all.times().iter().enumerate().map(row).collect();
    let film = stage.film(recorder).unwrap();
    (stage, film, columns, rows)
}

#[test]
fn a_recorder_for_a_page_keeps_frames_at_even_distances_and_the_last() {
    for outputs in [1, 7, 20, 21, 57, 1000] {
        let mut recorder = Recorder::of_at_most(10);
        for k in 0..outputs {
            recorder.frame(&Frame { time: f64::from(k), ..Frame::default() }).unwrap();
        }
        let stride = recorder.stride();
        let times: Vec<f64> = recorder.into_frames().iter().map(|frame| frame.time).collect();
        assert!(times.len() <= 21 && (outputs < 20 || times.len() >= 10), "{outputs}: {times:?}");
        assert_eq!((times[0], times[times.len() - 1]), (0.0, f64::from(outputs - 1)));
        let whole = &times[..times.len() - 1];
        assert!(whole.iter().enumerate().all(|(k, time)| *time == (k * stride) as f64), "{outputs}: {times:?}");
    }
}

#[test]
fn a_table_with_poses_gives_the_film_of_its_run() {
    for (model, end) in [("four-bar", 0.2), ("press-stop", 0.05), ("flexible-slider-crank", 0.01)] {
        let (stage, film, columns, rows) = run(model, end);
        let again = stage.film_of_table(&columns, &rows).unwrap();
        assert_eq!(film.frames.len(), again.frames.len(), "{model}");
        for (one, other) in film.frames.iter().zip(&again.frames) {
            assert_eq!(one.time, other.time);
            for (a, b) in one.poses.iter().zip(&other.poses) {
                // A quaternion and a matrix round otherwise.
                assert!((a.x - b.x).norm() < 1e-12 && (a.a - b.a).norm() < 1e-12, "{model} at {}", one.time);
            }
            for (a, b) in one.forces.iter().zip(&other.forces) {
                let size = 1.0 + a.force.norm() + a.torque.norm();
                let own = if a.is_torque { a.torque - b.torque } else { a.force - b.force };
                assert!(own.norm() < 1e-9 * size, "{model}, {} at {}", a.name, one.time);
            }
        }
    }
}

#[test]
fn a_table_of_something_else_says_what_is_missing() {
    let (stage, _, columns, rows) = run("four-bar", 0.01);
    let few: Vec<usize> = (0..columns.len() - 1).collect();
    let less = |row: &Vec<f64>| few.iter().map(|&k| row[k]).collect::<Vec<_>>();
    let short: Vec<String> = few.iter().map(|&k| columns[k].clone()).collect();
    let problem = stage.film_of_table(&short, &rows.iter().map(less).collect::<Vec<_>>()).unwrap_err();
    assert!(matches!(problem, NoFilm::Other { .. }), "{problem}");
    assert!(problem.to_string().contains("in the model alone"), "{problem}");
    // Columns are found by their names, wherever they stand.
    let turned: Vec<usize> = std::iter::once(0).chain((1..columns.len()).rev()).collect();
    let headings: Vec<String> = turned.iter().map(|&k| columns[k].clone()).collect();
    let mixed: Vec<Vec<f64>> = rows.iter().map(|row| turned.iter().map(|&k| row[k]).collect()).collect();
    let (one, other) = (stage.film_of_table(&columns, &rows).unwrap(), stage.film_of_table(&headings, &mixed).unwrap());
    assert!(one.frames.iter().zip(&other.frames).all(|(a, b)| a.poses.iter().zip(&b.poses).all(|(a, b)| a.x == b.x)));
    let problem = stage.film_of_table(&columns[..2], &rows).unwrap_err();
    assert!(problem.to_string().contains("\"crank\"") && problem.to_string().contains("--poses"), "{problem}");
    let gaps: Vec<Vec<f64>> = rows.iter().map(|row| vec![f64::NAN; row.len()]).collect();
    assert!(matches!(stage.film_of_table(&columns, &gaps), Err(NoFilm::Empty)));
}

#[test]
fn an_animation_is_shorter_than_the_file_and_tells_what_it_leaves_out() {
    let (_, film, ..) = run("four-bar", 0.5);
    let whole = film.animation().unwrap();
    assert_eq!((whole.stride, &whole.glb[..4]), (1, &b"glTF"[..]));
    assert!(whole.still.starts_with("<svg"));
    // What rounding leaves at rest needs no track.
    assert!(whole.glb.len() <= glb(&film).unwrap().len());
    let mut long = film.clone();
    let first = film.frames[0].clone();
    long.frames = (0..4001).map(|k| Frame { time: f64::from(k), ..first.clone() }).collect();
    assert_eq!(long.animation().unwrap().stride, 3);
}
