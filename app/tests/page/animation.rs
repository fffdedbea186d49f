//! Bodies in motion in a page: drawn by software in a headless Chromium, moved by the cursor, every control used.

use crate::page::browser::{Browser, find};
use crate::page::report::{fourbar, open};
use crate::page::server::Server;
use std::path::{Path, PathBuf};

const READY: &str = "document.getElementById('view')?.dataset.ready";
/// A mechanism, one with contacts, one in space, one with joints' stops, and coupled simulators with a mechanism among them.
const MODELS: [(&str, &str); 5] =
    [("four-bar", "0.5"), ("newtons-cradle", "0.4"), ("gripper", "0.3"), ("slider-crank", "0.3"), ("press", "0.4")];

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../models/{name}.toml"))
}

/// Opens the page that a command writes by this option.
fn show(browser: &mut Browser, folder: &Path, arguments: &[&str], option: &str) {
    fourbar(folder, &[arguments, &[option, "page.html"]].concat());
    browser.go(&format!("file://{}", folder.join("page.html").display()));
    browser.wait("document.querySelector('#foot')?.textContent.startsWith('fourbar')");
}

fn run(browser: &mut Browser, folder: &Path, name: &str, end: &str) {
    let model = model(name);
    show(browser, folder, &["run", model.to_str().unwrap(), "--end", end, "--quiet"], "--report");
    browser.wait(READY);
}

/// The pixels of the view at a time, as text.
fn pixels(browser: &mut Browser, time: &str) -> String {
    let script =
        format!("timeCursor.set({time}); shownView.stage.draw(); document.querySelector('#view canvas').toDataURL()");
    browser.value(&script).as_str().unwrap().to_owned()
}

fn choose(browser: &mut Browser, place: &str, value: &str) {
    browser.value(&format!(
        "(() => {{ const node = document.querySelector('{place}'); node.value = '{value}'; node.dispatchEvent(new Event('change')); }})()"
    ));
}

#[test]
fn bodies_of_five_models_move_with_the_cursor_in_every_window_in_light_and_dark() {
    let Some((mut browser, folder)) = open("animation") else { return };
    for (name, end) in MODELS {
        run(&mut browser, &folder, name, end);
        let (start, later) = (pixels(&mut browser, "0"), pixels(&mut browser, end));
        assert!(start.len() > 5_000 && start != later, "{name} stands still");
        browser.value("document.getElementById('view').scrollIntoView()");
        for (width, height) in [(390, 844), (1280, 800)] {
            browser.size(width, height);
            for theme in ["light", "dark"] {
                browser.prefer(theme);
                browser.wait(&format!("document.getElementById('theme').ariaPressed === '{}'", theme == "dark"));
                browser.picture(&folder.join(format!("{name}-{width}-{theme}.png")));
            }
            assert!(browser.number("document.documentElement.scrollWidth") <= f64::from(width), "{name} at {width}");
        }
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn one_cursor_is_that_of_view_curves_and_table() {
    let Some((mut browser, folder)) = open("cursor") else { return };
    run(&mut browser, &folder, "four-bar", "0.5");
    assert_eq!(browser.number("timeCursor.at"), 0.5);
    // By the slider.
    browser.value(
        "(() => { const node = document.getElementById('view-scrub'); node.value = 0.2; node.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(browser.number("shownView.stage.now()"), 0.2);
    assert!(browser.text("#tables .card h2").contains("t = 0.2 s"));
    browser.wait("Math.abs(allPlots[0].chart().posToVal(allPlots[0].chart().cursor.left, 'x') - 200) < 2");
    let legend = "document.querySelector('.plot .u-legend .u-value').textContent";
    browser.wait(&format!("Math.abs(parseFloat({legend}) - 200) < 2"));
    // By a plot, under the mouse.
    let place = browser.value(
        "(() => { const node = document.querySelector('.u-over'); node.scrollIntoView({ block: 'center' }); const box = node.getBoundingClientRect(); return [box.x + box.width / 4, box.y + 40]; })()",
    );
    browser.mouse("mouseMoved", &place[0], &place[1]);
    browser.wait("Math.abs(shownView.stage.now() - 0.125) < 0.01");
    // Values at the cursor are those of the curve.
    let difference = "(() => { const name = document.querySelector('#tables td').textContent; const plot = data.plots.find(({ curves }) => curves.some((one) => one.name === name)); const values = plot.curves.find((one) => one.name === name).values; const k = data.times.findIndex((t) => t >= timeCursor.at); const [cell, unit] = [document.querySelector('#tables td:nth-child(2)'), document.querySelector('#tables td:nth-child(2) .unit').textContent]; const shown = parseFloat(cell.textContent.replace('\\u2212', '-')) / unitsFor(data.units[0]).find(([one]) => printedUnit(one) === unit)[1]; return Math.min(shown - Math.min(values[k - 1], values[k]), Math.max(values[k - 1], values[k]) - shown) / (1 + Math.abs(shown)); })()";
    assert!(browser.number(difference) > -1e-5);
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn every_control_of_the_view_does_its_work() {
    let Some((mut browser, folder)) = open("controls") else { return };
    run(&mut browser, &folder, "newtons-cradle", "0.6");
    // Events of the run are gone to, and passed slowly.
    let events = browser.number("data.summary.events.length");
    assert!(events > 0.0);
    browser.value("window.impact = data.summary.events.find(({ time }) => time > 0).time");
    browser.value("timeCursor.set(0)");
    browser.click("#view-event-after");
    assert_eq!(browser.value("timeCursor.at === impact"), true);
    browser.click("#view-event-before");
    choose(&mut browser, "#view-speed", "0.1");
    browser.value("timeCursor.set(impact - 0.001)");
    browser.click("#view-slow");
    browser.click("#view-play");
    browser.wait("shownView.player.playing && timeCursor.at > impact");
    browser.click("#view-play");
    assert_eq!(browser.value("shownView.player.playing"), false);
    browser.click("#view-slow");
    // Traces: of an origin, of a point under the mouse, and away.
    let body = browser.value("[...shownView.stage.bodies.keys()][0]");
    choose(&mut browser, "#view-trace", body.as_str().unwrap());
    assert_eq!(browser.number("shownView.traces.traces.length"), 1.0);
    browser.value(
        "(() => { const { stage } = shownView; const at = (node) => node.localToWorld(node.geometry.boundingBox.getCenter(new THREE.Vector3())).project(stage.camera); const places = [...stage.bodies.values()].flatMap(({ children }) => children.filter(({ isMesh, geometry }) => isMesh && geometry.boundingBox)).map(at); window.hits = places.map(({ x, y }) => stage.pick(x, y)).filter(Boolean).length; })()",
    );
    assert!(browser.number("hits") >= 5.0);
    browser.value("document.querySelector('#view .laid button').click()");
    assert_eq!(browser.number("shownView.traces.traces.length"), 0.0);
    // The camera goes with a body.
    choose(&mut browser, "#view-follow", body.as_str().unwrap());
    let way = "(() => { const { stage } = shownView, a = stage.controls.target.clone(), p = stage.bodies.values().next().value; timeCursor.set(0); const b = stage.controls.target.clone(), x = p.position.clone(); timeCursor.set(0.3); return Math.hypot(...stage.controls.target.clone().sub(b).sub(p.position.clone().sub(x).applyQuaternion(p.parent.getWorldQuaternion(new THREE.Quaternion()))).toArray()) / stage.size; })()";
    assert!(browser.number(way) < 1e-6);
    choose(&mut browser, "#view-follow", "");
    // Kinds of things are switched.
    for group in ["reactions", "contacts", "bodies", "ground", "markers"] {
        let shown = format!("shownView.stage.groups.get('{group}').every((node) => node.visible)");
        let before = browser.value(&shown);
        browser.click(&format!("#view-show-{group}"));
        assert_ne!(browser.value(&shown), before, "{group}");
    }
    // Between impacts the contacts carry nothing but round-off, which is no arrow.
    let legend = browser.text(".view-legend");
    assert!(legend.contains("longest reaction") && !legend.contains("contact"), "{legend}");
    // The camera is moved and put back.
    let place = "shownView.stage.camera.position.toArray().map((x) => x.toFixed(3)).join()";
    browser.click("#view-first");
    let before = browser.value(place);
    browser.value("document.querySelector('#view canvas').focus()");
    browser.key("+");
    assert_ne!(browser.value(place), before);
    browser.click("#view-first");
    assert_eq!(browser.value(place), before);
    browser.click("#view-fit");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn the_view_is_reached_and_used_by_the_keyboard() {
    let Some((mut browser, folder)) = open("keys") else { return };
    run(&mut browser, &folder, "four-bar", "0.5");
    let mut reached = Vec::new();
    for _ in 0..30 {
        browser.key("Tab");
        let id = browser.value("document.activeElement.id || document.activeElement.tagName");
        reached.push(id.as_str().unwrap_or_default().to_owned());
    }
    for id in [
        "CANVAS",
        "view-play",
        "view-scrub",
        "view-speed",
        "view-fit",
        "view-first",
        "view-follow",
        "view-trace",
        "view-show-forces",
    ] {
        assert!(reached.iter().any(|one| one == id), "{id} is not reached: {reached:?}");
    }
    browser.value("document.querySelector('#view canvas').focus()");
    browser.key("ArrowLeft");
    browser.wait("timeCursor.at < 0.5 && timeCursor.at > 0.45");
    browser.key(" ");
    browser.wait("!shownView.player.playing && timeCursor.at === 0.5");
    browser.key("f");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn analyses_show_their_bodies_too() {
    let Some((mut browser, folder)) = open("analysis") else { return };
    let crank = model("slider-crank");
    show(&mut browser, &folder, &["kinematics", crank.to_str().unwrap()], "--html");
    browser.wait(READY);
    assert_ne!(pixels(&mut browser, "0"), pixels(&mut browser, "0.1"));
    let car = model("quarter-car");
    show(&mut browser, &folder, &["statics", car.to_str().unwrap(), "--over-time"], "--html");
    browser.wait(READY);
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn a_mode_is_chosen_sized_and_moved_by_its_phase() {
    let Some((mut browser, folder)) = open("modes") else { return };
    for name in ["double-pendulum", "flexible-arm"] {
        let model = model(name);
        show(&mut browser, &folder, &["linear", model.to_str().unwrap()], "--report");
        browser.wait(READY);
        // At the beginning, furthest out; a quarter of the time later at rest, and after the half on the other side.
        assert_eq!(browser.number("timeCursor.at"), 0.0, "{name}");
        assert!(browser.text(".view-time").contains("phase 0"), "{name}");
        let [out, middle, other] = ["0", "0.5", "1"].map(|time| pixels(&mut browser, time));
        assert!(out.len() > 5_000 && out != middle && middle != other && out != other, "{name}");
        // Another mode moves otherwise, and says what it does.
        choose(&mut browser, "#view-mode", "1");
        assert!(browser.text("#view-told").starts_with("It oscillates"), "{name}");
        assert_ne!(pixels(&mut browser, "0"), out, "{name}");
        // Without size all rests, as in the middle.
        let size = "(() => { const node = document.getElementById('view-size'); node.value = SIZE; node.dispatchEvent(new Event('input')); })()";
        browser.value(&size.replace("SIZE", "0"));
        assert_eq!(pixels(&mut browser, "0"), pixels(&mut browser, "1"), "{name}");
        // At most no body turns by more than 20 degrees: joints stay together to the eye.
        browser.value(&size.replace("SIZE", "2"));
        let most = browser.number("Number(document.getElementById('view-size').value)");
        assert!(most > 0.99 && most <= 2.0, "{name}: {most}");
        assert_ne!(pixels(&mut browser, "0"), pixels(&mut browser, "1"), "{name}");
        // It is shown over and over.
        browser.click("#view-play");
        browser.wait("timeCursor.at > 1.5");
        browser.wait("shownView.player.playing && timeCursor.at < 1");
        browser.click("#view-play");
        for (width, height) in [(390, 844), (1280, 800)] {
            browser.size(width, height);
            browser.picture(&folder.join(format!("{name}-{width}.png")));
            assert!(browser.number("document.documentElement.scrollWidth") <= f64::from(width), "{name} at {width}");
        }
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn reactions_of_coupled_mechanisms_are_arrows_in_reports_and_live() {
    let Some((mut browser, folder)) = open("reactions") else { return };
    let press = model("press");
    show(&mut browser, &folder, &["run", press.to_str().unwrap(), "--end", "0.05", "--quiet"], "--report");
    browser.wait(READY);
    let arrows = "shownView.stage.groups.get('reactions').filter((node) => node.scale.x > 0).length";
    browser.value("timeCursor.set(0.04)");
    assert!(browser.number(arrows) > 2.0);
    let server = Server::within(&folder, &press, &[]);
    browser.go(&server.url);
    browser.wait("document.getElementById('state')?.textContent === 'idle'");
    browser.wait(READY);
    browser.click("#start");
    browser.wait("timeCursor.at > 0.01");
    browser.click("#view-show-reactions");
    browser.wait("document.querySelector('.view-legend').textContent.includes('longest reaction')");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn the_live_page_shows_the_run_as_it_goes() {
    let Some((mut browser, folder)) = open("live") else { return };
    // Bodies with springs and forces among coupled simulators, beams, contacts.
    for name in ["press-stop", "flexible-slider-crank", "four-bar"] {
        let server = Server::within(&folder, &model(name), &[]);
        browser.go(&server.url);
        browser.wait("document.getElementById('state')?.textContent === 'idle'");
        browser.wait(READY);
        browser.click("#start");
        browser.wait("timeCursor.at > 0");
        let before = browser.number("timeCursor.at");
        // A short run may have ended by then.
        let ended = "document.getElementById('state').textContent === 'finished'";
        browser.wait(&format!("timeCursor.at > {before} || {ended}"));
        browser.value("document.getElementById('pause').click()");
        browser.wait("['paused', 'finished'].includes(document.getElementById('state').textContent)");
        // No curve is one of poses.
        assert_eq!(browser.value("document.getElementById('values').textContent.includes('fourbar_scene')"), false);
        let scrub = "(async () => { const node = document.getElementById('view-scrub'); node.value = WHEN; node.dispatchEvent(new Event('input')); await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); return timeCursor.at; })()";
        let whole = browser.number("Number(document.getElementById('view-scrub').max)");
        let back = browser.number(&scrub.replace("WHEN", &(whole / 2.0).to_string()));
        assert!((back - whole / 2.0).abs() < 0.01 * whole, "{name}: {back} of {whole}");
        assert_eq!(browser.value("document.getElementById('view-live').ariaPressed"), "false");
        browser.click("#view-live");
        browser.wait("document.getElementById('view-live').ariaPressed === 'true'");
        browser.picture(&folder.join(format!("{name}.png")));
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn without_webgl_a_picture_is_shown_and_without_bodies_nothing() {
    let Some((browser, folder)) = open("still") else { return };
    drop(browser);
    let drawing = ["--disable-gpu", "--disable-3d-apis"];
    let mut browser = Browser::open_with(find().unwrap(), &folder.join("flat"), &drawing);
    browser.size(1280, 800);
    let bar = model("four-bar");
    show(&mut browser, &folder, &["run", bar.to_str().unwrap(), "--quiet", "--end", "0.1"], "--report");
    browser.wait("document.querySelector('#view img')?.naturalWidth > 300");
    show(&mut browser, &folder, &["run", bar.to_str().unwrap(), "--quiet", "--end", "0.1", "--no-3d"], "--report");
    assert_eq!(browser.value("document.getElementById('view').hidden"), true);
    let size = std::fs::metadata(folder.join("page.html")).unwrap().len();
    assert!(size < 150_000, "{size} bytes");
    assert_eq!(browser.complaints, [""; 0]);
}

/// A model of 200 pendulums on ball joints, of which each swings for itself.
fn many(folder: &Path, end: &str) -> usize {
    const BODIES: usize = 200;
    let mut text =
        format!("name = \"200 pendulums\"\ngravity = [0, 0, -9.81]\n[simulation]\nend = {end}\noutput_step = 0.01\n");
    for k in 0..BODIES {
        let (x, y) = ((k % 20) as f64 * 0.6, (k / 20) as f64 * 0.6);
        text += &format!(
            "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [{x}, {y}, 0]\n\
             [[display]]\nname = \"d{k}\"\ntype = \"box\"\non = \"b{k}\"\nsize = [0.3, 0.2, 0.1]\n\
             [[joint]]\nname = \"j{k}\"\ntype = \"spherical\"\ni = {{ body = \"b{k}\", position = [{}, 0, 0.3] }}\nj = {{ body = \"ground\", position = [{}, {y}, 0.3] }}\n",
            0.1 + 0.001 * k as f64,
            x + 0.1 + 0.001 * k as f64
        );
    }
    std::fs::write(folder.join("many.toml"), text).unwrap();
    BODIES
}

fn size(folder: &Path) -> u64 {
    std::fs::metadata(folder.join("page.html")).unwrap().len()
}

/// Bytes that the bodies of `many.toml` add to its report.
fn bytes_of_bodies(folder: &Path) -> u64 {
    fourbar(folder, &["run", "many.toml", "--quiet", "--report", "page.html", "--no-3d"]);
    let without = size(folder);
    fourbar(folder, &["run", "many.toml", "--quiet", "--report", "page.html"]);
    size(folder) - without
}

/// Bytes of a frame of 200 bodies, reactions and all, that a page may have: what is printed below, and a tenth.
const FRAME: u64 = 5_000;
/// Of the library that draws, the shapes and what else comes once.
const ONCE: u64 = 700_000;

#[test]
fn two_hundred_bodies_have_a_page_of_bounded_size() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("size-of-many");
    std::fs::create_dir_all(&folder).unwrap();
    many(&folder, "0.3");
    let bytes = bytes_of_bodies(&folder);
    assert!(bytes < ONCE + 31 * FRAME, "{bytes} bytes of 31 frames");
}

/// Figures of docs/running.md: `cargo test --release -p fourbar-app --test all page::animation::figures -- --ignored --nocapture`. Sizes are held, times
/// are those of the machine.
#[test]
#[ignore = "takes minutes"]
fn figures() {
    let Some((mut browser, folder)) = open("figures") else { return };
    let bodies = many(&folder, "10");
    let bytes = bytes_of_bodies(&folder);
    println!("{bodies} bodies, 1,001 frames: {} kB, {} bytes a frame", bytes / 1000, bytes / 1001);
    assert!(bytes < ONCE + 1001 * FRAME, "{bytes}");
    browser.go(&format!("file://{}", folder.join("page.html").display()));
    browser.wait("document.querySelector('#foot')?.textContent.startsWith('fourbar')");
    browser.wait(READY);
    let rate = "(() => { const { stage } = shownView; const gl = stage.gl(); const begin = performance.now(); for (let k = 0; k < 60; k += 1) { stage.show(k / 6); stage.draw(); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); } return 60000 / (performance.now() - begin); })()";
    println!("{:.0} frames a second, drawn by software at 1280 x 800", browser.number(rate));
    for (name, end) in MODELS {
        let model = model(name);
        fourbar(
            &folder,
            &["run", model.to_str().unwrap(), "--end", end, "--quiet", "--report", "page.html", "--no-3d"],
        );
        let without = size(&folder);
        fourbar(&folder, &["run", model.to_str().unwrap(), "--end", end, "--quiet", "--report", "page.html"]);
        println!("{name}: {} kB, without bodies {} kB", size(&folder) / 1000, without / 1000);
    }
}
