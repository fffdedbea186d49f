//! The plots of a report in a headless Chromium: each kind of model, all tools by script, light and dark, small and large.

use crate::page::browser::{Browser, find};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A browser and a folder for its pages, or None where there is no browser; with FOURBAR_BROWSER=required that is a failure.
pub(super) fn open(name: &str) -> Option<(Browser, PathBuf)> {
    let Some(chromium) = find() else {
        let required = std::env::var("FOURBAR_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "there is no Chromium on this machine, and FOURBAR_BROWSER=required asks for one");
        eprintln!("skipped: there is no Chromium on this machine; the report is tested where there is one");
        return None;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut browser = Browser::open(chromium, &folder.join("profile"));
    browser.size(1280, 800);
    Some((browser, folder))
}

pub(super) fn fourbar(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_fourbar")).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The report of the first model of this kind.
fn report(browser: &mut Browser, folder: &Path, kind: &str) {
    let [model, page, table] = ["toml", "html", "csv"].map(|ending| format!("{kind}.{ending}"));
    fourbar(folder, &["new", kind, &model]);
    fourbar(folder, &["run", &model, "--quiet", "--report", &page, "--out", &table]);
    browser.go(&format!("file://{}", folder.join(page).display()));
    browser.wait("document.querySelector('#foot')?.textContent.startsWith('fourbar')");
}

/// Does this to the first plot, where `plot` is its card.
fn with_plot(browser: &mut Browser, script: &str) -> serde_json::Value {
    let choose = "const choose = (place, value) => { const node = plot.querySelector(place); node.value = value; node.dispatchEvent(new Event('change')); };";
    browser.value(&format!("(() => {{ const plot = document.querySelector('.plot'); {choose} {script} }})()"))
}

#[test]
fn each_kind_of_model_has_a_report_that_fits_every_window_in_light_and_dark() {
    let Some((mut browser, folder)) = open("kinds") else { return };
    for kind in ["mechanism", "contact", "linear", "circuit", "coupled"] {
        report(&mut browser, &folder, kind);
        assert!(browser.number("document.querySelectorAll('.plot canvas').length") >= 2.0, "{kind}");
        for (width, height) in [(390, 844), (1280, 800), (3840, 2160)] {
            browser.size(width, height);
            for theme in ["light", "dark"] {
                browser.prefer(theme);
                browser.wait(&format!("document.getElementById('theme').ariaPressed === '{}'", theme == "dark"));
                browser.picture(&folder.join(format!("{kind}-{width}-{theme}.png")));
            }
            assert!(browser.number("document.documentElement.scrollWidth") <= f64::from(width), "{kind} at {width}");
        }
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn units_axes_and_views_are_chosen() {
    let Some((mut browser, folder)) = open("tools") else { return };
    report(&mut browser, &folder, "circuit");
    // Pressures of 2e7 Pa are shown in bar, and half a second in milliseconds.
    assert_eq!(browser.value("document.querySelector('.unit-choice').value"), "bar");
    let legend = with_plot(&mut browser, "return plot.querySelector('.u-legend').textContent");
    let legend = legend.as_str().unwrap();
    assert!(legend.contains("bottom.pressure [bar]") && legend.contains("time [ms]"), "{legend}");
    // The table has the unit and the time of the plot from the beginning, and points are marked where they are far apart.
    let cell = |browser: &mut Browser| -> (f64, String) {
        let cell = browser.value("[...document.querySelectorAll('#tables tr')].find((row) => row.cells[0].textContent === 'bottom.pressure').cells[1].textContent");
        let (value, unit) = cell.as_str().unwrap().split_once(' ').unwrap();
        (value.parse().unwrap(), unit.to_owned())
    };
    browser.wait("document.querySelector('.plot .u-legend .u-value').textContent !== ''");
    let told = with_plot(
        &mut browser,
        "return [...plot.querySelectorAll('.u-series')].find((row) => row.textContent.includes('bottom.pressure')).querySelector('.u-value').textContent",
    );
    let told: f64 = told.as_str().unwrap().parse().unwrap();
    let (value, unit) = cell(&mut browser);
    assert!((value / told - 1.0).abs() < 1e-5 && unit == "bar", "{value} {unit}, {told} in the legend");
    assert_eq!(browser.value("timeCursor.at === data.summary.end_time"), true);
    let marked = "(() => { const chart = allPlots[0].chart(); return chart.series[1].points.show(chart, 1); })()";
    assert_eq!(browser.value(marked), false);
    browser.value("(() => { const chart = allPlots[0].chart(), [first] = data.times; chart.setScale('x', { min: 1000 * first, max: 1000 * data.times[8] }); })()");
    browser.wait(marked);
    with_plot(&mut browser, "choose('.unit-choice', 'MPa')");
    let (shown, unit) = cell(&mut browser);
    assert!((shown * 10.0 / value - 1.0).abs() < 1e-9 && unit == "MPa", "{shown} {unit}");
    let legend = with_plot(&mut browser, "return plot.querySelector('.u-legend').textContent");
    assert!(legend.as_str().unwrap().contains("bottom.pressure [MPa]"));
    with_plot(&mut browser, "plot.querySelector('.log-x').click(); plot.querySelector('.log-y').click()");
    assert_eq!(with_plot(&mut browser, "return plot.querySelectorAll('.tools [aria-pressed=true]').length"), 2);
    with_plot(&mut browser, "choose('.view', 'spectrum')");
    assert!(
        with_plot(&mut browser, "return plot.querySelector('.u-legend').textContent")
            .as_str()
            .unwrap()
            .contains("frequency")
    );
    with_plot(&mut browser, "choose('.view', 'over:top.pressure')");
    browser.wait("document.querySelector('.plot img')?.naturalWidth > 300");
    with_plot(&mut browser, "choose('.view', 'over')");
    browser.wait("document.querySelector('.plot canvas')");
    // Groups fold and unfold, and the switch of colours turns.
    browser.click("#fold");
    assert_eq!(browser.value("document.querySelectorAll('details.group[open]').length"), 0);
    browser.click("#fold");
    browser.click("#theme");
    assert_eq!(browser.value("document.documentElement.dataset.theme"), "dark");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn two_cursors_tell_values_and_differences() {
    let Some((mut browser, folder)) = open("cursors") else { return };
    report(&mut browser, &folder, "linear");
    // The reference, a step from 0 to 0.05 m at 0.1 s, stands in the first plot.
    with_plot(&mut browser, "plot.querySelector('.cursors').click()");
    for (k, at) in [(0, "0.05"), (1, "1")] {
        let script = format!(
            "const field = plot.querySelectorAll('.marks input')[{k}]; field.value = '{at}'; field.dispatchEvent(new Event('change'));"
        );
        with_plot(&mut browser, &script);
    }
    let cells = with_plot(
        &mut browser,
        "return [...plot.querySelectorAll('.marks tr')].map((row) => [...row.cells].map((cell) => cell.textContent))",
    );
    let cells: Vec<Vec<String>> = serde_json::from_value(cells).unwrap();
    assert_eq!(cells[0][3], "B \u{2212} A: 0.95");
    let reference = cells.iter().find(|row| row[0] == "reference [mm]").expect("the curve has a row");
    assert_eq!(reference[1..], ["0", "50", "50"]);
    // By hand: two clicks into the plot.
    with_plot(&mut browser, "plot.querySelector('.cursors').click(); plot.querySelector('.cursors').click()");
    browser.click(".plot .u-over");
    browser.wait("document.querySelector('.marks input').value !== ''");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn a_second_run_is_laid_over_and_a_file_that_is_none_is_refused() {
    let Some((mut browser, folder)) = open("over") else { return };
    report(&mut browser, &folder, "mechanism");
    fourbar(&folder, &["run", "mechanism.toml", "-q", "--set", "speed=20", "--out", "fast.csv"]);
    browser.give("#lay-over", &folder.join("fast.csv"));
    browser.wait("document.querySelector('.plot .u-legend').textContent.includes('slider \u{2013} fast [mm]')");
    browser.picture(&folder.join("over.png"));
    // Of the same colour, paler, and dashed, in the legend too; the same file once more is the same run.
    let pens = "(() => { const { series } = allPlots[0].chart(), of = (name) => series.find(({ label }) => label.startsWith(name)); \
                const [own, other] = [of('slider ['), of('slider \u{2013} fast')]; \
                const rows = [...document.querySelector('.plot .u-legend').querySelectorAll('.u-series')]; \
                const isDashed = ({ label }) => rows.find((row) => row.textContent.includes(label)).querySelector('.u-marker').style.background.includes('gradient'); \
                return [other.stroke() === paler(own.stroke(), PALE, theme()), own.dash === undefined, other.dash?.length, isDashed(own), isDashed(other)]; })()";
    assert_eq!(browser.value(pens), serde_json::json!([true, true, 2, false, true]));
    browser.value("window.before = laidOver[0], 0");
    browser.give("#lay-over", &folder.join("fast.csv"));
    browser.wait("laidOver[0] !== window.before");
    assert_eq!(
        browser.value("[laidOver.length, document.querySelectorAll('.laid button').length]"),
        serde_json::json!([1, 1])
    );
    with_plot(&mut browser, "choose('.view', 'spectrum')");
    with_plot(&mut browser, "choose('.view', 'over:slider_speed')");
    // Curves that go round several times: the way is drawn once, or dashes would fill each other's gaps; names have units, letters the usual size.
    let drawing = with_plot(
        &mut browser,
        "const drawing = new DOMParser().parseFromString(decodeURIComponent(plot.querySelector('img').src.split(/,(.*)/)[1]), 'image/svg+xml').documentElement; \
         document.body.append(drawing); const paths = [...drawing.querySelectorAll('g[clip-path] path')].map((path) => { const { width, height } = path.getBBox(); \
         return [path.hasAttribute('stroke-dasharray'), path.getTotalLength() / (width + height)]; }); \
         const texts = [...drawing.querySelectorAll('text')]; const sizes = texts.map((text) => parseFloat(getComputedStyle(text).fontSize)); drawing.remove(); \
         return [paths, texts.map((text) => text.textContent), Math.max(...sizes)]",
    );
    let (paths, texts, largest): (Vec<(bool, f64)>, Vec<String>, f64) = serde_json::from_value(drawing).unwrap();
    assert!(matches!(paths[..], [(false, own), (true, other)] if own > 3.0 && other > 1.2 && other < 2.0), "{paths:?}");
    let has = |name: &str| texts.iter().any(|text| text == name);
    assert!(has("slider [mm]") && has("slider \u{2013} fast [mm]") && largest == 13.0, "{texts:?} {largest}");
    with_plot(&mut browser, "choose('.view', 'over')");
    browser.click(".laid button");
    browser.wait("!document.querySelector('.plot .u-legend').textContent.includes('fast')");
    std::fs::write(folder.join("none.csv"), "time [s],a\n1,2\n0,3\n").unwrap();
    browser.give("#lay-over", &folder.join("none.csv"));
    browser.wait("document.querySelector('.page-tools .hint').textContent.includes('does not ascend')");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn a_plot_is_saved_as_png_and_svg() {
    let Some((mut browser, folder)) = open("export") else { return };
    report(&mut browser, &folder, "contact");
    // What would go to the disk is kept here.
    browser.value("(() => { window.kept = []; URL.createObjectURL = (blob) => { kept.push(blob); return '#'; }; })()");
    for view in ["over", "spectrum", "over:speed"] {
        with_plot(
            &mut browser,
            &format!(
                "choose('.view', '{view}'); plot.querySelector('.svg').click(); plot.querySelector('.png').click()"
            ),
        );
    }
    browser.wait("kept.length === 6");
    let svg = browser.value("kept.find(({ type }) => type === 'image/svg+xml').text()");
    let svg = svg.as_str().unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("time [s]") && svg.contains("position.x"), "{svg}");
    let parsed = "kept.filter(({ type }) => type === 'image/svg+xml').map((blob) => blob.text())";
    let wrong = format!(
        "Promise.all({parsed}).then((texts) => texts.filter((text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')).length)"
    );
    assert_eq!(browser.value(&wrong), 0);
    assert!(browser.number("kept.find(({ type }) => type === 'image/png').size") > 10_000.0);
    assert_eq!(browser.complaints, [""; 0]);
}

/// A sine of amplitude 3 at 8 Hz over 4 s, on lines of the spectrum, at uneven places too.
#[test]
fn the_spectrum_of_a_sine_is_its_amplitude_at_its_frequency() {
    let Some((mut browser, folder)) = open("spectrum") else { return };
    report(&mut browser, &folder, "linear");
    let place = |uneven: f64| {
        format!(
            "const x = Array.from({{ length: 2049 }}, (_, k) => k / 512 + {uneven} * Math.sin(Math.PI * k / 16) / 512);"
        )
    };
    for (uneven, tolerance) in [(0.0, 1e-9), (0.3, 5e-3)] {
        let script = format!(
            "(() => {{ {} const [f, a] = spectrum(x, x.map((t) => 7 + 3 * Math.sin(16 * Math.PI * t))); const k = a.indexOf(Math.max(...a)); return [f[k], a[k], Math.max(...a.filter((_, i) => Math.abs(i - k) > 1))]; }})()",
            place(uneven)
        );
        let found: Vec<f64> = serde_json::from_value(browser.value(&script)).unwrap();
        assert!((found[0] - 8.0).abs() < 1e-12, "{found:?}");
        // Straight lines between points lose about (omega h)^2/12 of a sine, and make lines of that size.
        assert!((found[1] - 3.0).abs() < 3.0 * tolerance && found[2] < 3.0 * tolerance, "{found:?}");
    }
    // Any number of outputs, times of seven digits as in pages, and a run that ended between two outputs: nothing but the sine, up to half the output rate.
    for (count, end) in [(200, ""), (331, ""), (1000, "x.push(4.0009);")] {
        let script = format!(
            "(() => {{ const exact = Array.from({{ length: {count} + 1 }}, (_, k) => 4 * k / {count}), x = exact.map((t) => Number(t.toPrecision(7))); \
             const y = exact.map((t) => 7 + 3 * Math.sin(16 * Math.PI * t)); {end} while (y.length < x.length) y.push(0); \
             const [f, a] = spectrum(x, y), k = a.indexOf(Math.max(...a)); \
             return [f[k], a[k], Math.max(...a.filter((_, i) => Math.abs(i - k) > 1)), f.at(-1), f.length]; }})()"
        );
        let [at, most, rest, last, lines]: [f64; 5] = serde_json::from_value(browser.value(&script)).unwrap();
        let half = f64::from(count) / 8.0;
        assert!((at - 8.0).abs() < 1e-9 && (most - 3.0).abs() < 1e-9 && rest < 1e-9, "{count}: {at} {most} {rest}");
        assert!(last < half && last >= half - 0.25 - 1e-9 && lines == (last * 4.0).round(), "{count}: {last}");
    }
    // Uneven ones end at half of their mean rate.
    let uneven = "(() => { const x = Array.from({ length: 301 }, (_, k) => (k / 300) ** 1.5 * 3); return spectrum(x, x.map((t) => Math.sin(t)))[0].at(-1); })()";
    assert!((browser.number(uneven) - 149.0 / 3.0).abs() < 1e-9);
}

/// The slider of a crank that turns at a constant rate: its lines die out, and none comes back above half the output rate.
#[test]
fn a_smooth_motion_has_no_lines_at_high_frequencies() {
    let Some((mut browser, folder)) = open("smooth") else { return };
    report(&mut browser, &folder, "mechanism");
    with_plot(&mut browser, "choose('.view', 'spectrum')");
    let lines = "(() => { const [f, a] = allPlots[0].chart().data, half = (data.times.length - 1) / data.times.at(-1) / 2; \
                 return [f.at(-1) / half, Math.max(...a.filter((_, k) => f[k] > half / 2)) / Math.max(...a)]; })()";
    let [end, high]: [f64; 2] = serde_json::from_value(browser.value(lines)).unwrap();
    assert!(end > 0.95 && end < 1.0 && high < 1e-5, "{end} {high}");
    let statistics = browser.text("#tables");
    assert!(statistics.contains("rejected by Newton") && !statistics.contains("newton"), "{statistics}");
    let orders = "[...document.querySelectorAll('#tables tr')].find((row) => row.textContent.startsWith('steps of order')).cells[1].textContent.trim()";
    assert!(!browser.value(orders).as_str().unwrap().ends_with(" 0"));
    // One number of digits, at the end and before it.
    let digits = "[...document.querySelectorAll('#tables .card')][0].querySelectorAll('td:nth-child(2)')[0].firstChild.textContent.replace(/\\D/g, '').length";
    assert!(browser.number(digits) <= 7.0);
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn gaps_that_are_round_off_are_zero_and_violations_stand_with_the_integration() {
    let Some((mut browser, folder)) = open("cradle") else { return };
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/newtons-cradle.toml");
    fourbar(&folder, &["run", model.to_str().unwrap(), "--quiet", "--end", "1", "--report", "page.html"]);
    browser.go(&format!("file://{}", folder.join("page.html").display()));
    browser.wait("document.querySelector('#foot')?.textContent.startsWith('fourbar')");
    let silent = "['contact_gap', 'violation', 'violation_rate'].map((name) => data.plots.flatMap(({ curves }) => curves).find((curve) => curve.name === name).values.every((value) => value === 0))";
    assert_eq!(browser.value(silent), serde_json::json!([true, true, true]));
    let titles = "[...document.querySelectorAll('details.group')].map((group) => [group.dataset.name, [...group.querySelectorAll('h3')].map((node) => node.textContent)])";
    let groups: Vec<(String, Vec<String>)> = serde_json::from_value(browser.value(titles)).unwrap();
    let of = |name: &str| &groups.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{groups:?}")).1;
    assert_eq!(of("Length"), &["contact_gap"]);
    assert!(
        of("Integration").contains(&"violation".to_owned()) && groups.last().unwrap().0 == "Integration",
        "{groups:?}"
    );
    let cell = "[...document.querySelectorAll('#tables tr')].find((row) => row.cells[0].textContent === 'contact_gap').cells[1].textContent.trim()";
    assert_eq!(browser.value(cell), "0 m");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn units_suit_what_changes() {
    let Some((mut browser, folder)) = open("far") else { return };
    report(&mut browser, &folder, "linear");
    // Largest value and range in m or N: a stroke of 200 mm 1 km away, one that stays, one of a metre; 5 kN that vary by 1 N; what six digits do not tell.
    for (unit, largest, span, shown) in [
        ("m", 1000.4, 0.2, "m"),
        ("mm", 1_000_400.0, 200.0, "m"),
        ("m", 1000.4, 0.0, "km"),
        ("m", 1.0, 1.0, "m"),
        ("m", 1000.0, 1000.0, "km"),
        ("N", 5000.0, 1.0, "N"),
        ("m", 5e6, 8.0, "km"),
        ("K", 300.0, 0.1, "K"),
        ("m", 5e-16, 5e-16, "m"),
        ("m/s", 5e-16, 1e-18, "m/s"),
    ] {
        let found = browser.value(&format!("shownUnit('{unit}', {largest}, undefined, {span}).unit"));
        assert_eq!(found, shown, "{span} of {largest} {unit}");
    }
    assert_eq!(
        browser.value("[spanOf([[1, null, 3], [undefined, -2, NaN]]), spanOf([[], [null]])]"),
        serde_json::json!([5, 0])
    );
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn an_open_report_follows_a_watched_run() {
    let Some((mut browser, folder)) = open("follow") else { return };
    fourbar(&folder, &["new", "linear", "model.toml"]);
    let arguments = ["run", "model.toml", "--quiet", "--watch", "--report", "page.html"];
    let mut watch = Command::new(env!("CARGO_BIN_EXE_fourbar")).args(arguments).current_dir(&folder).spawn().unwrap();
    while !folder.join("page.html").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    browser.go(&format!("file://{}", folder.join("page.html").display()));
    browser.wait("document.querySelector('.lead')?.textContent.includes('t = 4 s')");
    let text = std::fs::read_to_string(folder.join("model.toml")).unwrap();
    std::fs::write(folder.join("model.toml"), text.replace("end = 4 ", "end = 3 ")).unwrap();
    browser.wait("document.querySelector('.lead')?.textContent.includes('t = 3 s')");
    assert!(browser.number("document.querySelectorAll('.plot canvas').length") >= 1.0);
    // A file that is not valid is told on the page of the last run, and what cures it takes that away.
    let banner = "document.querySelector('.stale')?.textContent ?? ''";
    assert_eq!(browser.value(banner), "");
    std::fs::write(folder.join("model.toml"), text.replace("end = 4 ", "end = \"x</script>\" ")).unwrap();
    browser.wait(&format!("({banner}).startsWith('The model file is not valid; this is the last run.')"));
    let told = browser.value(banner);
    assert!(told.as_str().unwrap().contains("x</script>"), "{told}");
    assert!(browser.text(".lead").contains("t = 3 s"));
    browser.picture(&folder.join("not-valid.png"));
    // Who opens it now is told too.
    browser.go("about:blank");
    browser.go(&format!("file://{}", folder.join("page.html").display()));
    browser.wait(&format!("({banner}).includes('x</script>')"));
    std::fs::write(folder.join("model.toml"), text.replace("end = 4 ", "end = 2 ")).unwrap();
    browser.wait("document.querySelector('.lead')?.textContent.includes('t = 2 s')");
    assert_eq!(browser.value(banner), "");
    watch.kill().unwrap();
    watch.wait().unwrap();
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn the_report_of_the_press_stays_small() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/press.toml");
    fourbar(folder, &["run", models.to_str().unwrap(), "--quiet", "--report", "press.html"]);
    let size = std::fs::metadata(folder.join("press.html")).unwrap().len();
    assert!(size <= 575_000, "{size} bytes");
}
