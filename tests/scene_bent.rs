//! Scenes of flexible bodies and of curves.

use crate::running::root;
use fourbar::file::ModelFile;
use fourbar::multibody::space::V3;
use fourbar::run::{Overrides, Run};
use fourbar::scene::{Carrier, Curtain, Facets, Film, Form, Group, Item, Stage, glb};
use std::f64::consts::PI;
use std::sync::atomic::AtomicBool;

fn stage(name: &str) -> Stage {
    let file = ModelFile::load(root("models").join(format!("{name}.toml"))).unwrap();
    Stage::new(file.document()).unwrap().unwrap()
}

fn run(name: &str, end: f64) -> Film {
    let stage = stage(name);
    let run = Run::new(&stage.document, &Overrides { end: Some(end), ..Overrides::default() }).unwrap();
    let mut recorder = stage.recorder();
    run.execute(&mut [&mut Curtain::new(&stage, Vec::new(), &mut recorder)], &AtomicBool::new(false)).unwrap();
    stage.film(recorder).unwrap()
}

fn body(film: &Film, name: &str) -> usize {
    film.scene.bodies.iter().position(|body| body.name == name).unwrap()
}

fn pieces(film: &Film) -> Vec<&Item> {
    film.scene.items.iter().filter(|item| matches!(item.carrier, Carrier::Bend { .. })).collect()
}

#[test]
fn a_beam_leads_through_its_nodes_and_bends() {
    let film = run("flexible-arm", 0.2);
    let normal = film.scene.normal.unwrap();
    let in_plane = |p: V3| p - normal * p.dot(&normal);
    let beam = pieces(&film);
    assert!(beam.iter().all(|piece| piece.name == "arm" && piece.group == Group::Bodies));
    let [start, end] = ["arm/start", "arm/end"].map(|name| body(&film, name));
    let mut most = 0.0_f64;
    for frame in &film.frames {
        let places: Vec<_> = beam.iter().map(|piece| piece.placement(&film, frame)).collect();
        let [from, to] = [start, end].map(|node| in_plane(frame.poses[node].x));
        let mut at = from;
        for place in &places {
            assert!((in_plane(place.position) - at).norm() < 1e-12);
            at = in_plane(place.point(&V3::z()));
        }
        assert!((at - to).norm() < 1e-12);
        let middle = in_plane(places[places.len() / 2].position);
        most = most.max(normal.cross(&(to - from)).normalize().dot(&(middle - from)).abs());
    }
    // The tip is 0.1 m off the line that the rotor has; of a beam under a load at its tip, which is delta (3 s^2 - s^3)/2 off, the middle is
    // 3/16 of that off the line between the ends.
    assert!(most > 0.1 * 3.0 / 16.0 * 0.8 && most < 0.1 * 3.0 / 16.0 * 1.2, "{most}");
}

#[test]
fn what_is_within_a_flexible_body_is_not_in_the_file() {
    let film = run("flexible-slider-crank", 0.001);
    let file = glb(&film).unwrap();
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
    let nodes = json["nodes"].as_array().unwrap();
    let names: Vec<&str> = nodes.iter().filter_map(|node| node["name"].as_str()).collect();
    assert!(names.iter().all(|name| !name.contains("modes")), "{names:?}");
    assert!(!names.contains(&"rod/mid force") && names.contains(&"crank_pin force"), "{names:?}");
    // Two spans, from the start over the station to the end.
    assert_eq!(names.iter().filter(|name| **name == "rod").count(), pieces(&film).len() + 1);
    let [start, mid, end] = ["rod/start", "rod/mid", "rod/end"].map(|name| body(&film, name));
    let mut spans: Vec<[usize; 2]> = Vec::new();
    for piece in pieces(&film) {
        let Carrier::Bend { i, j, .. } = &piece.carrier else { continue };
        if spans.last() != Some(&[i.body, j.body]) {
            spans.push([i.body, j.body]);
        }
    }
    assert_eq!(spans, [[start, mid], [mid, end]]);
}

fn surface<'a>(film: &'a Film, name: &str) -> &'a Facets {
    let found = film.scene.items.iter().find(|item| item.name == name).unwrap();
    match &found.form {
        Form::Surface(facets) => facets,
        Form::Lines(_) => panic!("{name} is made of lines"),
    }
}

#[test]
fn a_closed_plane_curve_is_a_plate() {
    let film = stage("cam").still().unwrap();
    let plate = surface(&film, "cam");
    // The lids are those faces whose corners all have one height.
    let flat = |face: &&Vec<u32>| face.iter().all(|k| plate.points[*k as usize].z == plate.points[face[0] as usize].z);
    let area: f64 = plate.faces.iter().filter(flat).map(|face| plate.area_normal(face).norm() / 2.0).sum();
    let exact = 2.0 * PI * 0.03 * 0.03;
    // A polygon of 98 corners has 0.07 % less area than its circle.
    assert!((area / exact - 1.0).abs() < 1e-3, "{area} {exact}");
}

#[test]
fn a_curve_in_space_is_a_rod_with_its_point_on_it() {
    let film = stage("coaster").still().unwrap();
    let rod = surface(&film, "ground");
    let (low, high) =
        rod.points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.x), high.max(p.x)));
    // From x = -24 m to 24 m, and half a rod on either side.
    assert!(high - low > 48.0 && high - low < 48.0 + 0.02 * film.scene.length, "{low} {high}");
    assert!(film.scene.length > 48.0);
    let start = V3::new(24.0, 0.0, 11.0);
    let bead = film.scene.items.iter().find(|item| item.name == "wheels" && item.group == Group::Joints).unwrap();
    assert!((bead.placement(&film, &film.frames[0]).position - start).norm() < 1e-6);
    let nearest = rod.points.iter().map(|p| (p - start).norm()).fold(f64::INFINITY, f64::min);
    assert!(nearest < 0.01 * film.scene.length, "{nearest}");
}
