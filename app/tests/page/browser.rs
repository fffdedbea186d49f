//! A headless Chromium, driven through its debugging pipe: the Chrome DevTools Protocol as JSON texts that end in a zero byte.

use crate::pages;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Enough for a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(90);

/// After so long without what a test waits for, a frame is asked for: long beside 16 ms of a frame, short beside the patience.
const FRAME: Duration = Duration::from_secs(5);

/// Where Debian, Fedora and the makers of Chrome put it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser on this machine; None if there is none.
pub(crate) fn find() -> Option<&'static str> {
    let answers = |name: &&str| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    NAMES.into_iter().find(answers)
}

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    last: u64,
    session: Option<String>,
    /// Errors of scripts, what they wrote to the console, and refused resources.
    pub(crate) complaints: Vec<String>,
}

impl Browser {
    pub(crate) fn open(name: &str, profile: &Path) -> Self {
        Self::open_with(name, profile, &["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
    }

    /// With other ways of drawing than three dimensions without a graphics card.
    pub(crate) fn open_with(name: &str, profile: &Path, drawing: &[&str]) -> Self {
        // The browser reads commands from descriptor 3 and writes answers to 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null", "sh", name])
            .args(["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--remote-debugging-pipe", "--force-color-profile=srgb"])
            .args(drawing)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, from) = channel();
        let answers = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { continue };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let to = child.stdin.take().unwrap();
        let mut browser = Self { child, to, from, last: 0, session: None, complaints: Vec::new() };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(Into::into);
        for domain in ["Page", "Runtime", "Log"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.try_ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and waits for its answer, or its error.
    fn try_ask(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer = self.from.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if answer["id"] == self.last {
                let error = &answer["error"];
                return if error.is_null() { Ok(answer["result"].clone()) } else { Err(error.clone()) };
            }
            self.listen(&answer);
        }
    }

    fn listen(&mut self, event: &Value) {
        let complaint = match event["method"].as_str() {
            Some("Runtime.consoleAPICalled") => &event["params"]["args"],
            Some("Runtime.exceptionThrown") => &event["params"]["exceptionDetails"],
            // A server that a test ends is no complaint; an answer that fails is one.
            Some("Log.entryAdded")
                if event["params"]["entry"]["source"] == "network"
                    && !event["params"]["entry"]["text"].as_str().is_some_and(|text| text.contains("a status of")) =>
            {
                return;
            }
            Some("Log.entryAdded") if event["params"]["entry"]["level"] == "error" => &event["params"]["entry"],
            _ => return,
        };
        self.complaints.push(complaint.to_string());
    }

    pub(crate) fn go(&mut self, url: &str) {
        self.ask("Page.navigate", json!({ "url": url }));
    }

    /// What the system asks for, `light` or `dark`. A browser without a screen that is busy loses the request now and then, so it is made
    /// until the page has it.
    pub(crate) fn prefer(&mut self, theme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        let has = format!("matchMedia('(prefers-color-scheme: {theme})').matches");
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            self.ask("Emulation.setEmulatedMedia", json!({ "features": features }));
            let _ = self.try_ask("Page.captureScreenshot", json!({ "format": "png" }));
            if self.value(&has) == Value::Bool(true) {
                return;
            }
            self.ask("Emulation.setEmulatedMedia", json!({ "features": [] }));
        }
        panic!("the page is never {theme}: {:?}", self.complaints);
    }

    /// Gives a file to a field that takes files.
    pub(crate) fn give(&mut self, selector: &str, path: &Path) {
        let document = self.ask("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let node = self.ask("DOM.querySelector", json!({ "nodeId": document, "selector": selector }))["nodeId"].clone();
        self.ask("DOM.setFileInputFiles", json!({ "files": [path], "nodeId": node }));
    }

    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        self.try_value(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same, or the error of a page that goes away in the meantime.
    fn try_value(&mut self, expression: &str) -> Result<Value, Value> {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.try_ask("Runtime.evaluate", parameters)?;
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].clone())
    }

    pub(crate) fn number(&mut self, expression: &str) -> f64 {
        self.value(expression).as_f64().unwrap_or_else(|| panic!("{expression} is no number"))
    }

    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true. What comes to a page with its frames (another theme of the system, another size) waits for the
    /// next one, and a browser without a screen may leave one out: a picture asks for it. A page that is loaded anew is asked again.
    pub(crate) fn wait(&mut self, condition: &str) {
        let (begun, mut frames) = (Instant::now(), 1);
        while self.try_value(&format!("Boolean({condition})")) != Ok(true.into()) {
            if begun.elapsed() >= PATIENCE {
                let state = self.value(
                    "[document.visibilityState, matchMedia('(prefers-color-scheme: dark)').matches, innerWidth]",
                );
                panic!("never true: {condition}; visible, dark, width: {state}; {:?}", self.complaints);
            }
            if begun.elapsed() >= FRAME * frames {
                let _ = self.try_ask("Page.captureScreenshot", json!({ "format": "png" }));
                frames += 1;
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    pub(crate) fn wait_state(&mut self, state: &str) {
        self.wait(&format!("document.getElementById('state').textContent === '{state}'"));
    }

    /// Clicks with the mouse where a person would, in the middle of the element. What the page shows in the meantime, a fault above the
    /// element for one, can move it away under the mouse: then it is clicked where it has gone.
    pub(crate) fn click(&mut self, selector: &str) {
        let begun = Instant::now();
        let node = json!(selector);
        loop {
            let place = self.value(&format!(
                "(() => {{ const node = document.querySelector({node}); window.clicked = false; \
                 node.addEventListener('click', () => {{ window.clicked = true; }}, {{ capture: true, once: true }}); \
                 node.scrollIntoView({{ block: 'center' }}); const box = node.getBoundingClientRect(); \
                 return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
            ));
            self.mouse("mousePressed", &place[0], &place[1]);
            self.mouse("mouseReleased", &place[0], &place[1]);
            if self.value("window.clicked") == true {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "never hit: {selector}; {:?}", self.complaints);
        }
    }

    pub(crate) fn mouse(&mut self, kind: &str, x: &Value, y: &Value) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
        self.ask("Input.dispatchMouseEvent", event);
    }

    pub(crate) fn key(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "ArrowLeft" => 37,
            " " => 32,
            "f" => 70,
            "+" => 187,
            _ => 39,
        };
        let text = match key {
            "Enter" => "\r",
            one if one.len() == 1 => one,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text });
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Replaces what stands in a field, and leaves it.
    pub(crate) fn write(&mut self, selector: &str, text: &str) {
        self.click(selector);
        self.value(&format!("document.querySelector({}).select()", json!(selector)));
        self.ask("Input.insertText", json!({ "text": text }));
        self.key("Tab");
    }

    /// A picture of the window.
    pub(crate) fn picture(&mut self, path: &Path) {
        let answer = self.ask("Page.captureScreenshot", json!({ "format": "png" }));
        std::fs::write(path, pages::base64(answer["data"].as_str().unwrap())).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends by itself when its pipe closes; a second end does no harm.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
