//! What fills the picture of bodies in motion, and in which colours: live, in the dark, on a narrow screen.

use crate::page::browser::Browser;
use crate::page::look::{machine, show};
use crate::page::report::{fourbar, open};
use crate::page::server::Server;
use serde_json::Value;

/// A puck that slides 4 m a second over a floor of half a metre.
const PUCK: &str = "name = \"slide\"\ngravity = [0, 0, -9.81]\nsimulation = { end = 3, output_step = 0.02 }\n\
    contacts = { method = \"moreau_jean\", step = 1e-2 }\n\
    [[body]]\nname = \"puck\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [0, 0, 0.1]\nvelocity = [-4, 0, 0]\n\
    [[contact]]\nname = \"floor\"\ntype = \"sphere_plane\"\ni = \"puck\"\nj = \"ground\"\nradius = 0.1\n";

#[test]
fn live_the_camera_and_the_floor_go_with_what_leaves() {
    let Some((mut browser, folder)) = open("leaving") else { return };
    let model = folder.join("puck.toml");
    std::fs::write(&model, PUCK).unwrap();
    let server = Server::within(&folder, &model, &[]);
    browser.go(&server.url);
    browser.wait("document.getElementById('state')?.textContent === 'idle'");
    browser.wait("document.getElementById('view')?.dataset.ready");
    // Where the puck is in the picture, from -1 to 1; how large it is in it; how far the floor leads beyond it, in its sizes.
    let place = "(() => { const { stage } = shownView, body = stage.bodies.get('puck'), box = new THREE.Box3(); stage.draw(); box.expandByObject(body); \
        const middle = box.getCenter(new THREE.Vector3()), size = box.max.x - box.min.x; \
        const floor = new THREE.Box3().expandByObject(stage.groups.get('ground').find((node) => node.isMesh)); \
        const at = middle.clone().project(stage.camera), far = stage.camera.position.distanceTo(middle); \
        return [at.x, at.y, size / far, (middle.x - floor.min.x) / size, (floor.max.x - middle.x) / size]; })()";
    let measured = |browser: &mut Browser| -> Vec<f64> {
        // Once the picture of now is drawn. A view that has just taken the place of another has no size yet, and no picture.
        let sized = "(typeof shownView === 'object' && shownView.stage.camera.position.distanceTo(shownView.stage.controls.target) > 0)";
        let drawn = format!(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({sized} ? {place} : null))))"
        );
        loop {
            browser.wait(sized);
            if let Value::Array(values) = browser.value(&drawn) {
                let numbers = values.iter().map(Value::as_f64).collect::<Option<_>>();
                return numbers.unwrap_or_else(|| panic!("{values:?}: {:?}", browser.complaints));
            }
        }
    };
    let begin = measured(&mut browser);
    browser.click("#start");
    // Never is the picture empty.
    for time in ["0.2", "0.7", "1.2", "1.7", "2.2"] {
        browser.wait(&format!("timeCursor.at > {time}"));
        let now = measured(&mut browser);
        assert!(now[0].abs() < 1.0 && now[1].abs() < 1.0, "at {time} s: {now:?}");
        assert!(now[3] > 0.5 && now[4] > 0.5, "beyond its floor at {time} s: {now:?}");
    }
    browser.wait("document.getElementById('state').textContent === 'finished'");
    browser.wait("timeCursor.at > 2.99");
    let follows = "document.getElementById('view-follow').value";
    assert_eq!(browser.value(follows), "puck");
    // It comes to rest in the middle, as large as at the start.
    browser.wait(&format!(
        "(() => {{ const [x, y, size] = {place}; return Math.abs(x) < 0.1 && Math.abs(y) < 0.1 && Math.abs(size / {} - 1) < 0.05; }})()",
        begin[2]
    ));
    // Who moves the camera keeps it, until all is to be seen again.
    browser.value("document.querySelector('#view canvas').focus()");
    browser.key("+");
    let far =
        "(() => { const { stage } = shownView; return stage.camera.position.distanceTo(stage.controls.target); })()";
    let close = browser.number(far);
    browser.value("timeCursor.set(2.98)");
    browser.value("new Promise((done) => setTimeout(done, 300))");
    assert!((browser.number(far) / close - 1.0).abs() < 1e-6);
    browser.click("#view-fit");
    assert!(browser.number(far) > 1.05 * close);
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn live_a_rail_ends_as_in_the_report() {
    let Some((mut browser, folder)) = open("rail") else { return };
    fourbar(&folder, &["new", "mechanism", "crank.toml"]);
    // Along the way of the slider, from its place at the start [m].
    let ends = "(() => { const { stage } = shownView, { told } = stage, box = new THREE.Box3(); stage.show(stage.span()[0]); \
        const start = stage.bodies.get('slider').getWorldPosition(new THREE.Vector3()); stage.show(stage.span()[1]); \
        box.expandByObject(stage.scene.getObjectByName('joints_guide'), true); \
        return [box.min.x - start.x, box.max.x - start.x].map((x) => x * (told.unit || 1)); })()";
    let measured = |browser: &mut Browser| -> Vec<f64> { serde_json::from_value(browser.value(ends)).unwrap() };
    fourbar(&folder, &["run", "crank.toml", "--quiet", "--report", "page.html"]);
    browser.go(&format!("file://{}", folder.join("page.html").display()));
    browser.wait("document.getElementById('view')?.dataset.ready");
    let report = measured(&mut browser);
    let server = Server::within(&folder, &folder.join("crank.toml"), &[]);
    browser.go(&server.url);
    browser.wait("document.getElementById('state')?.textContent === 'idle'");
    browser.wait("document.getElementById('view')?.dataset.ready");
    browser.click("#start");
    browser.wait_state("finished");
    browser.wait("timeCursor.at > 1.999");
    // A busy browser draws few of the times: the slider is seen where it stands still.
    browser.value("[0, 1, 2].forEach((turn) => shownView.stage.show((2 * turn + 1) * Math.PI / 10))");
    let live = measured(&mut browser);
    // The slider goes 0.2 m; pictures of the report have a distance of 5 ms, in which it moves by less than 1 mm at its ends.
    assert!(live.iter().zip(&report).all(|(live, report)| (live - report).abs() < 2e-3), "{live:?} {report:?}");
    assert!(report[0] < -0.2 && report[0] > -0.35, "{report:?}");
    assert_eq!(browser.complaints, [""; 0]);
}

/// The colours of the shapes of a name that are seen, and whether they have an outline.
fn look_of(name: &str) -> String {
    format!(
        "(() => {{ const node = shownView.stage.root.getObjectByName('{name}'); const outline = node.children.find(({{ userData }}) => userData.outline); return [node.material.color.getHexString(), outline?.visible ?? false]; }})()"
    )
}

#[test]
fn given_colours_stay_arrows_have_those_of_their_boxes_and_flat_machines_low_pictures() {
    let Some((mut browser, folder)) = open("colours") else { return };
    let block = |name: &str, on: &str, place: f64, color: &str| {
        format!(
            "[[display]]\nname = \"{name}\"\ntype = \"box\"\non = {{ body = \"{on}\", position = [{place}, 0, 0] }}\nsize = [1, 0.1, 0.1]\n{color}"
        )
    };
    let given = "color = \"#333333\"\n";
    let text = format!(
        "{}{}{}{}",
        machine(1.0, 0.0),
        block("pillar", "ground", -4.0, given),
        block("own", "ground", -2.0, ""),
        block("black", "crank", 3.0, given)
    );
    for theme in ["light", "dark"] {
        browser.prefer(theme);
        show(&mut browser, &folder, &text);
        // A dark shape is told from a dark ground by its outline.
        let is_dark = theme == "dark";
        for name in ["ground_pillar", "black"] {
            assert_eq!(browser.value(&look_of(name)), serde_json::json!(["333333", is_dark]), "{name}, {theme}");
        }
        let dimmed = browser.value(&look_of("ground_own"));
        assert_eq!(dimmed[0] == "969ba3", !is_dark, "{dimmed} {theme}");
    }
    let swatches = |group: &str| {
        format!(
            "[...document.getElementById('view-show-{group}').parentNode.querySelectorAll('.view-swatch')].map((one) => one.style.background)"
        )
    };
    let [forces, reactions] = ["forces", "reactions"].map(|group| browser.value(&swatches(group)));
    assert_eq!(forces, serde_json::json!(["rgb(214, 39, 40)"]));
    assert_eq!(reactions, serde_json::json!(["rgb(31, 119, 180)", "rgb(0, 158, 150)"]));
    browser.click("#view-show-forces");
    browser.click("#view-show-reactions");
    let told =
        browser.value("[...document.querySelectorAll('.view-legend .view-swatch')].map((one) => one.style.background)");
    assert_eq!(told[0], forces[0]);
    assert_eq!(told[1], reactions[0]);
    // Eight metres long and two high.
    let height = "document.querySelector('.view-frame').clientHeight";
    browser.size(390, 844);
    browser.wait(&format!("{height} < 300"));
    assert!(browser.number(height) >= 220.0);
    browser.picture(&folder.join("narrow.png"));
    assert_eq!(browser.complaints, [""; 0]);
}
