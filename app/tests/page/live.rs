//! The page under the hands of a person: start, change H, watch the curves grow, zoom, pause, provoke a fault and read it.

use crate::page::browser::{Browser, find};
use crate::page::server::Server;
use std::path::{Path, PathBuf};

/// A browser and a server, or None where there is no browser; with FOURBAR_BROWSER=required that is a failure.
fn open(name: &str) -> Option<(Browser, Server, PathBuf)> {
    let Some(chromium) = find() else {
        let required = std::env::var("FOURBAR_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "there is no Chromium on this machine, and FOURBAR_BROWSER=required asks for one");
        eprintln!("skipped: there is no Chromium on this machine; the page is tested where there is one");
        return None;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let server = Server::start(&[]);
    // Four seconds of the model in one of the clock, for as long as a busy machine may need.
    let setup: serde_json::Value = serde_json::from_str(&server.get("setup.json").body).unwrap();
    let mut settings = setup["settings"].clone();
    settings["end"] = "2000".into();
    assert_eq!(server.post("settings", &settings.to_string()).status, 200);
    let mut browser = Browser::open(chromium, &folder.join("profile"));
    browser.size(1280, 800);
    browser.go(&server.url);
    browser.wait("document.getElementById('state')?.textContent === 'idle'");
    Some((browser, server, folder))
}

/// Points of the first curve that are drawn as dark pixels would be: the data of the first plot.
const POINTS: &str =
    "document.querySelector('#plots canvas') ? Number(document.getElementById('plots').dataset.points) : 0";

#[test]
fn a_run_is_set_started_watched_paused_and_resumed() {
    let Some((mut browser, _server, folder)) = open("run") else { return };
    assert_eq!(browser.text("#name"), "tank");
    // H, with a mistake first: the error stands at the field.
    browser.write("#step-field", "0.3x");
    browser.click("#start");
    browser.wait("document.getElementById('error-step')");
    assert!(browser.text("#error-step").contains("write a number"));
    assert_eq!(browser.value("document.activeElement.id"), "step-field");
    browser.picture(&folder.join("error.png"));
    browser.write("#step-field", "0.02");
    browser.click("#start");
    browser.wait_state("running");
    browser.wait("document.querySelectorAll('#plots canvas').length === 3");
    browser.wait(&format!("{POINTS} > 50"));
    let before = browser.number(POINTS);
    browser.wait(&format!("{POINTS} > {}", before + 20.0));
    browser.picture(&folder.join("running.png"));
    browser.click("#pause");
    browser.wait_state("paused");
    let rest = browser.text("#clock");
    browser.wait("document.getElementById('effort').textContent.includes('waited')");
    assert_eq!(browser.text("#clock"), rest);
    // Without a mouse the legends tell the present, in the unit of the table.
    let told = "[...document.querySelectorAll('.u-legend .u-value')].map((one) => one.textContent)";
    browser.wait(&format!("{told}.length === 6 && {told}.every((text) => text !== '')"));
    let cell = "[...document.querySelectorAll('#values tbody tr')].find((row) => row.textContent.includes('volume')).lastChild.textContent.split(' ')";
    let series = "[...document.querySelectorAll('.u-series')].find((row) => row.textContent.includes(`volume [${unit}]`))?.querySelector('.u-value').textContent";
    browser
        .wait(&format!("(() => {{ const [value, unit] = {cell}; return Math.abs({series} / value - 1) < 1e-4; }})()"));
    // 1/0.02 communication steps in a second.
    let time = browser.number("parseFloat(document.getElementById('clock').textContent.slice(4))");
    browser.wait(&format!("Math.abs(({POINTS}) - {}) < 0.5", 1.0 + time / 0.02));
    browser.click("#step");
    browser.wait(&format!("document.getElementById('clock').textContent !== {}", serde_json::json!(rest)));
    browser.wait_state("paused");
    browser.click("#start");
    browser.wait_state("running");
    browser.click("#stop");
    browser.wait_state("stopped");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn a_fault_is_provoked_and_read() {
    let Some((mut browser, _server, folder)) = open("fault") else { return };
    // Repeated notices are one line, and no faults.
    let late = |time: f64, late: f64| {
        format!(
            "{{ time: {time}, message: 't = {time} s: {} ms behind the wall clock; go slower', level: 'inform', handling: 'told', late: {late} }}",
            1e3 * late
        )
    };
    let list = [late(0.1, 1.9e-3), late(0.2, 3.1e-3), late(0.3, 2.5e-3)].join(", ");
    // Before a run: on a busy machine it has notices of its own.
    let script = "import('./faults.js').then((faults) => { faults.clear(); faults.take([LIST], 0); \
                  const told = [...document.querySelectorAll('#faults li'), document.getElementById('fault-count')].map((one) => one.textContent); \
                  faults.clear(); return told; })";
    let told = browser.value(&script.replace("LIST", &list));
    let notice = told[0].as_str().unwrap();
    assert!(
        notice.starts_with("3 times behind the wall clock, at most 3.1 ms, the last at t = 0.3 s; go slower"),
        "{notice}"
    );
    assert_eq!((told.as_array().unwrap().len(), told[1].as_str()), (2, Some("none, 3 notices")));
    // No line is cut: of the box, and of what is scrolled to.
    let long = format!(
        "{list}, {{ time: 0.4, message: '{}', level: 'stop', handling: 'the run ends' }}",
        "a long text ".repeat(20)
    );
    let lines = "import('./faults.js').then((faults) => { faults.clear(); faults.take([LIST], 0); const list = document.getElementById('faults'), \
                 line = parseFloat(getComputedStyle(list).lineHeight); list.scrollTop = 1.4 * line; \
                 return [list.clientHeight / line, ...[...list.children].map((one) => one.offsetHeight / line)]; })";
    let lines = browser.value(&lines.replace("LIST", &long));
    let lines: Vec<f64> = serde_json::from_value(lines).unwrap();
    assert!(lines.len() == 3 && lines.iter().all(|count| count.fract() == 0.0) && lines[1] > 4.0, "{lines:?}");
    browser.wait("document.getElementById('faults').scrollTop === 20");
    browser.value("import('./faults.js').then((faults) => { faults.clear(); faults.take([], 0); })");
    browser.click("#start");
    browser.wait_state("running");
    let height = "document.getElementById('faults').getBoundingClientRect().height";
    let below = "document.getElementById('values').getBoundingClientRect().top - document.getElementById('fault-count').getBoundingClientRect().top";
    let [before, under] = [height, below].map(|what| browser.number(what));
    assert!(before <= 80.0, "{before}");
    browser.write("#inputs input[inputmode]", "-2");
    browser.wait_state("failed");
    // What stands below has not moved.
    assert_eq!([height, below].map(|what| browser.number(what)), [before, under]);
    assert!(browser.text("#fault-count").starts_with('1'));
    let fault = browser.text("#faults li.stop");
    assert!(fault.contains("output \"speed\" of \"tank\" is NaN") && fault.contains("the run ends"), "{fault}");
    assert!(browser.text("#failure").contains("is NaN"));
    // What came before stands, and can be kept.
    assert!(browser.number(POINTS) > 1.0);
    assert_eq!(browser.value("document.getElementById('csv').getAttribute('aria-disabled')"), "false");
    browser.picture(&folder.join("fault.png"));
    // The next run begins without it.
    browser.write("#inputs input[inputmode]", "1");
    browser.click("#start");
    browser.wait_state("running");
    browser.wait("document.querySelectorAll('#faults li.stop').length === 0");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn curves_are_chosen_zoomed_frozen_and_read_by_cursor_and_keyboard() {
    let Some((mut browser, _server, folder)) = open("curves") else { return };
    browser.click("#start");
    browser.wait(&format!("{POINTS} > 100"));
    browser.click("#curve-0");
    browser.wait("document.querySelectorAll('#plots canvas').length === 2");
    browser.click("#freeze");
    browser.wait("document.getElementById('freeze').getAttribute('aria-pressed') === 'true'");
    let frozen = browser.text("#values tbody tr td:last-child");
    browser.wait("parseFloat(document.getElementById('clock').textContent.slice(4)) > 3");
    assert_eq!(browser.text("#values tbody tr td:last-child"), frozen);
    browser.click("#freeze");
    browser.click("#pause");
    browser.wait_state("paused");
    // The cursor by the keyboard, in all plots at once.
    browser.value("document.querySelector('.plot').focus()");
    for _ in 0..3 {
        browser.key("ArrowRight");
    }
    let values = "[...document.querySelectorAll('.u-legend .u-value')].map((one) => one.textContent)";
    browser.wait(&format!("{values}.length === 4 && {values}.every((text) => text !== '')"));
    // A drag over the second quarter of the first plot.
    let place = browser.value(
        "(() => { const box = document.querySelector('.u-over').getBoundingClientRect(); \
         return [box.x + box.width / 4, box.x + box.width / 2, box.y + 40]; })()",
    );
    browser.mouse("mouseMoved", &place[0], &place[2]);
    browser.mouse("mousePressed", &place[0], &place[2]);
    browser.mouse("mouseMoved", &place[1], &place[2]);
    browser.mouse("mouseReleased", &place[1], &place[2]);
    browser.wait("Number(document.getElementById('plots').dataset.span) < 0.5");
    browser.picture(&folder.join("zoomed.png"));
    browser.click("#all");
    browser.wait("Number(document.getElementById('plots').dataset.span) === 1");
    // Scrolled to its end the columns beside the plots are in the window: from the top, or to their ends.
    browser.value("window.scrollTo(0, 1e6)");
    browser.wait("window.scrollY > 0");
    let columns = "['.side', '.list'].every((name) => { const { top, bottom, height } = document.querySelector(name).getBoundingClientRect(), \
                   under = document.querySelector('header').offsetHeight; \
                   return height < innerHeight - under ? top >= under && bottom <= innerHeight : bottom > innerHeight / 2 && bottom <= innerHeight; })";
    browser.wait(columns);
    browser.value("window.scrollTo(0, 0)");
    browser.size(420, 800);
    browser.wait("document.querySelector('.u-wrap').getBoundingClientRect().right < 420");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= 420"), true);
    browser.picture(&folder.join("narrow.png"));
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn what_is_shown_stays_when_the_page_is_loaded_again_and_in_the_next_run() {
    let Some((mut browser, server, _)) = open("again") else { return };
    browser.click("#start");
    browser.wait(&format!("{POINTS} > 50"));
    browser.click("#pause");
    browser.wait_state("paused");
    // Other curves than at first, and a part of the time.
    browser.click("#curve-0");
    browser.wait("document.querySelectorAll('#plots canvas').length === 2");
    browser.click("#zoom-in");
    let look = "JSON.stringify([[...document.querySelectorAll('#plots [role=group]')].map((one) => one.getAttribute('aria-label')), \
                [...document.querySelectorAll('#values label')].map((one) => one.textContent), document.getElementById('plots').dataset.span])";
    let before = browser.value(look);
    browser.value("window.scrollTo(0, 120)");
    let place = "document.querySelector('#plots canvas').getBoundingClientRect().top";
    let top = browser.number(place);
    browser.go("about:blank");
    browser.go(&server.url);
    browser.wait(&format!("{POINTS} > 50"));
    browser.wait(&format!("{look} === {before}"));
    browser.wait(&format!("Math.abs({place} - {top}) < 2"));
    // A new run shows all of its time, of the same curves.
    browser.click("#stop");
    browser.wait_state("stopped");
    browser.click("#start");
    browser.wait_state("running");
    browser.wait("document.getElementById('plots').dataset.span === '1'");
    assert_eq!(browser.value("document.querySelectorAll('#plots canvas').length"), 2);
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn everything_is_reached_by_the_keyboard() {
    let Some((mut browser, _server, _)) = open("keyboard") else { return };
    let mut reached = Vec::new();
    for _ in 0..60 {
        browser.key("Tab");
        let id = browser.value("document.activeElement.id || document.activeElement.getAttribute('aria-label')");
        reached.push(id.as_str().unwrap_or_default().to_owned());
    }
    for id in [
        "start",
        "step-field",
        "end-field",
        "algorithm-field",
        "Output of connection 1",
        "apply",
        "freeze",
        "all",
        "faults",
    ] {
        assert!(reached.iter().any(|one| one == id), "{id} is not reached: {reached:?}");
    }
    browser.value("document.getElementById('start').focus()");
    browser.key("Enter");
    browser.wait_state("running");
    assert_eq!(browser.complaints, [""; 0]);
}
