//! What a stranger's machine looks like in a page: of any size, anywhere, at pivots, in free fall, on floors in the dark.

use crate::page::browser::Browser;
use crate::page::report::{fourbar, open};
use serde_json::Value;
use std::path::Path;

/// Runs a model in a text and opens its report.
pub(super) fn show(browser: &mut Browser, folder: &Path, text: &str) {
    std::fs::write(folder.join("model.toml"), text).unwrap();
    fourbar(folder, &["run", "model.toml", "--quiet", "--report", "page.html"]);
    browser.go(&format!("file://{}", folder.join("page.html").display()));
    browser.wait("document.querySelector('#foot')?.textContent.startsWith('fourbar')");
    browser.wait("document.getElementById('view')?.dataset.ready");
}

/// A crank that a motion turns, a ball on a spring, and a floor: as large as `size`, at `place` \[m\].
pub(super) fn machine(size: f64, place: f64) -> String {
    format!(
        "name = \"machine\"\nparameters = {{ s = {size:e}, x = {place:e} }}\ngravity = [0, 0, \"-10*s\"]\n\
         simulation = {{ end = 1, output_step = 0.02 }}\n\
         [[body]]\nname = \"crank\"\nmass = 1\ninertia = [\"0.01*s^2\", \"0.1*s^2\", \"0.1*s^2\"]\nposition = [\"x\", \"-x\", \"x\"]\n\
         [[display]]\nname = \"arm\"\ntype = \"box\"\non = {{ body = \"crank\", position = [\"0.5*s\", 0, 0] }}\nsize = [\"s\", \"0.1*s\", \"0.1*s\"]\n\
         [[body]]\nname = \"ball\"\nmass = 1\ninertia = [\"0.1*s^2\", \"0.1*s^2\", \"0.1*s^2\"]\nposition = [\"x + 0.2*s\", \"-x\", \"x + s\"]\n\
         [[display]]\nname = \"ball\"\ntype = \"sphere\"\non = \"ball\"\nradius = \"0.1*s\"\n\
         [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\n\
         i = {{ body = \"crank\", orientation = {{ z_axis = [0, 1, 0] }} }}\n\
         j = {{ body = \"ground\", position = [\"x\", \"-x\", \"x\"], orientation = {{ z_axis = [0, 1, 0] }} }}\n\
         [[motion]]\nname = \"drive\"\njoint = \"hinge\"\ndisplacement = \"0.5*sin(3*time)\"\n\
         [[force]]\nname = \"spring\"\ntype = \"spring_damper\"\ni = \"ball\"\n\
         j = {{ body = \"ground\", position = [\"x + 0.2*s\", \"-x\", \"x + 2*s\"] }}\nstiffness = 100\ndamping = 1\nfree_length = \"s\"\n"
    )
}

/// Number of pixels of solid bodies at a time, where crossing lines of the floor are none, and the box around them.
fn drawn(browser: &mut Browser, time: f64) -> [f64; 5] {
    let script = format!(
        "(() => {{ timeCursor.set({time}); const {{ stage }} = shownView; stage.draw(); const gl = stage.gl(), [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight]; \
         const all = new Uint8Array(4 * w * h); gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all); \
         let [count, left, right, low, high] = [0, w, 0, h, 0]; \
         for (let k = 0; k < w * h; k += 1) if (all[4 * k + 3] > 200) {{ const [x, y] = [k % w, Math.floor(k / w)]; count += 1; \
         left = Math.min(left, x); right = Math.max(right, x); low = Math.min(low, y); high = Math.max(high, y); }} \
         return [count, left, right, low, high]; }})()"
    );
    let found: Vec<f64> = browser.value(&script).as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    found.try_into().unwrap()
}

#[test]
fn a_machine_of_any_size_anywhere_is_the_same_picture() {
    let Some((mut browser, folder)) = open("sizes") else { return };
    let mut wanted: Option<Vec<[f64; 5]>> = None;
    // Sizes, and places over them: at 1e6 m the ball moves by millimetres.
    for (size, far) in
        [(1.0, 0.0), (1e-9, 0.0), (1e-6, 10.0), (1.0, 1e6), (0.1, 1e7), (65e3, 0.0), (1e6, 3.0), (1e9, 0.0), (1e9, 1e4)]
    {
        show(&mut browser, &folder, &machine(size, far * size));
        let found = [0.0, 0.3, 0.5, 1.0].map(|time| drawn(&mut browser, time)).to_vec();
        let wanted = wanted.get_or_insert_with(|| found.clone());
        assert!(wanted.iter().all(|[count, ..]| *count > 4_000.0), "{wanted:?}");
        for (one, other) in found.iter().zip(wanted.iter()) {
            let is_near = (one[0] / other[0] - 1.0).abs() < 0.02 && (1..5).all(|k| (one[k] - other[k]).abs() <= 3.0);
            assert!(is_near, "{size} m at {far} sizes: {found:?}, not {wanted:?}");
        }
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn a_trace_of_a_body_on_a_pivot_goes_somewhere() {
    let Some((mut browser, folder)) = open("pivot") else { return };
    show(&mut browser, &folder, &machine(0.02, 0.0));
    for body in ["crank", "ball"] {
        browser.value(&format!(
            "(() => {{ const node = document.getElementById('view-trace'); node.value = '{body}'; node.dispatchEvent(new Event('change')); }})()"
        ));
        let way = "(() => { const { stage, traces } = shownView, at = traces.traces.at(-1).full.geometry.getAttribute('position').array; let sum = 0; for (let k = 3; k < at.length; k += 3) sum += Math.hypot(at[k] - at[k - 3], at[k + 1] - at[k - 2], at[k + 2] - at[k - 1]); return sum / stage.size; })()";
        let way = browser.number(way);
        assert!(way > if body == "crank" { 0.3 } else { 0.01 }, "{body}: {way}");
    }
    // Where the origin moves it is that.
    assert_eq!(browser.value("shownView.traces.traces[1].point.length()"), 0.0);
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn all_arrows_that_are_shown_are_in_the_picture() {
    let Some((mut browser, folder)) = open("arrows") else { return };
    show(&mut browser, &folder, &machine(3.0, 0.0));
    // Until somebody moves the camera, it goes back for arrows that are switched on.
    browser.click("#view-show-forces");
    browser.click("#view-show-reactions");
    for time in ["0", "0.2", "0.7", "1"] {
        let most = format!(
            "(() => {{ timeCursor.set({time}); const {{ stage }} = shownView; stage.draw(); let most = 0; \
             for (const group of ['forces', 'reactions']) for (const node of stage.groups.get(group)) {{ if (node.scale.x === 0) continue; \
             for (const z of [0, 1]) {{ const at = node.localToWorld(new THREE.Vector3(0, 0, z / stage.told.unit)).project(stage.camera); most = Math.max(most, Math.abs(at.x), Math.abs(at.y)); }} }} return most; }})()"
        );
        let most = browser.number(&most);
        assert!(most > 0.05 && most < 1.0, "at {time} s an arrow reaches {most}");
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn what_falls_does_not_shrink_the_rest_and_the_camera_goes_with_what_falls_alone() {
    let Some((mut browser, folder)) = open("falling") else { return };
    let stone = |place: f64| {
        format!(
            "[[body]]\nname = \"stone\"\nsolids = [{{ type = \"sphere\", radius = 0.1, density = 1000 }}]\nposition = [{place}, 0, 0]\n"
        )
    };
    let head = "name = \"fall\"\ngravity = [0, 0, -9.81]\nsimulation = { end = 5, output_step = 0.02 }\n";
    let still = machine(1.0, 0.0);
    show(&mut browser, &folder, &still);
    let wanted = drawn(&mut browser, 0.0);
    show(&mut browser, &folder, &format!("{}{}", still.replace("end = 1,", "end = 5,"), stone(0.4)));
    assert_eq!(browser.value("document.getElementById('view-follow').value"), "");
    let found = drawn(&mut browser, 4.0);
    assert!(found[0] > 0.5 * wanted[0], "{found:?}, without the stone {wanted:?}");
    show(&mut browser, &folder, &format!("{head}{}", stone(0.0)));
    assert_eq!(browser.value("document.getElementById('view-follow').value"), "stone");
    for time in [0.0, 2.0, 5.0] {
        let [count, left, right, low, high] = drawn(&mut browser, time);
        assert!(count > 5_000.0 && right > left && high > low, "{count} pixels at {time}");
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn floors_do_not_glare_in_the_dark() {
    let Some((mut browser, folder)) = open("floors") else { return };
    fourbar(&folder, &["new", "contact", "crate.toml"]);
    let text = std::fs::read_to_string(folder.join("crate.toml")).unwrap();
    let mut light = |theme: &str| {
        browser.prefer(theme);
        show(&mut browser, &folder, &text);
        browser.number("Math.max(...shownView.stage.groups.get('ground').filter((node) => node.isMesh).map(({ material: { color } }) => 0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b))")
    };
    let (bright, dark) = (light("light"), light("dark"));
    assert!(bright > 0.5 && dark < 0.2, "{bright} {dark}");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn curves_of_nothing_and_constants_have_an_axis_around_them() {
    let Some((mut browser, folder)) = open("nothing") else { return };
    let measure = |name: &str, value: &str, unit: &str| {
        format!("[[measure]]\nname = \"{name}\"\ntype = \"expression\"\nexpression = \"{value}\"\nunit = \"{unit}\"\n")
    };
    let measures = [
        measure("nothing", "0*time", "kg"),
        measure("constant", "5 + 1e-14*sin(100*time)", "bar"),
        measure("swing", "sin(10*time)", "m"),
        measure("noise", "4e-17*sin(10*time)", "m"),
        measure("ratio", "0.02", "1"),
        measure("flow", "2 + time", "m^3/s"),
        measure("fading", "exp(-444*time)", "kg/s"),
    ];
    show(&mut browser, &folder, &format!("{}{}", machine(1.0, 0.0), measures.concat()));
    let axis = |name: &str| {
        format!(
            "(() => {{ const plot = allPlots.find((one) => one.chart().series.some(({{ label }}) => label.startsWith('{name}'))); const {{ min, max }} = plot.chart().scales.y; return [min, max]; }})()"
        )
    };
    assert_eq!(browser.value(&axis("nothing")), Value::from(vec![-1, 1]));
    assert_eq!(browser.value(&axis("constant")), Value::from(vec![4.5, 5.5]));
    // Round-off is a line at zero beside what it comes from.
    assert_eq!(browser.value(&axis("noise")), browser.value(&axis("swing")));
    assert_eq!(browser.value("data.plots.flatMap(({ curves }) => curves).find(({ name }) => name === 'noise').values.every((value) => value === 0)"), true);
    // So is it in tables, as what has faded to 1e-193; a unit of one is none, and powers have one spelling.
    let cell = |name: &str| {
        format!(
            "[...document.querySelectorAll('#tables tr')].find((row) => row.cells[0].textContent === '{name}').cells[1].textContent.trim()"
        )
    };
    for (name, text) in
        [("noise", "0 m"), ("ratio", "0.02"), ("flow", "3 m\u{b3}/s"), ("fading", "0 kg/s"), ("constant", "5 bar")]
    {
        assert_eq!(browser.value(&cell(name)), text, "{name}");
    }
    assert!(!browser.text("main").contains("^3"));
    assert!(browser.text("#tables").contains("Energy at t = 1 s"));
    browser.wait("[...document.querySelectorAll('.u-series')].find((row) => row.textContent.includes('fading'))?.querySelector('.u-value').textContent === '0'");
    let spelled = "['m^3/s', 'm\u{b3}/s', 'N*m', 'N\u{b7}m', 'N m', 'kg*m^2', 's^-1', '1', 'deg/s', '1/min'].map(printedUnit).join('|')";
    assert_eq!(browser.value(spelled), "m\u{b3}/s|m\u{b3}/s|N m|N m|N m|kg m\u{b2}|s\u{207b}\u{b9}||\u{b0}/s|1/min");
    assert_eq!(
        browser.value("[1, 2, 3, 11, 12, 22, 103, 111].map(ordinal).join()"),
        "1st,2nd,3rd,11th,12th,22nd,103rd,111th"
    );
    assert_eq!(browser.complaints, [""; 0]);
}
