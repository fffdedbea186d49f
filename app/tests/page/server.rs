//! The command `fourbar serve` as a child process, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) struct Server {
    child: Child,
    /// With its token.
    pub(crate) url: String,
}

/// An answer: status, head, body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) fn model() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page/tank.toml")
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::within(Path::new("."), &model(), arguments)
    }

    /// In a folder, with the page of a model.
    pub(crate) fn within(folder: &Path, model: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourbar"))
            .arg("serve")
            .arg(model)
            .arg("--no-open")
            .current_dir(folder)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().last().unwrap().to_owned();
        Self { child, url }
    }

    /// "127.0.0.1:port".
    pub(crate) fn host(&self) -> &str {
        self.url.trim_start_matches("http://").split('/').next().unwrap()
    }

    /// The path of the page, with its token.
    pub(crate) fn path(&self) -> &str {
        &self.url[self.url.find(self.host()).unwrap() + self.host().len()..]
    }

    /// Sends a request as it stands, with the end of the connection asked for.
    pub(crate) fn request(&self, head: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = body.len();
        write!(stream, "{head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn get(&self, name: &str) -> Answer {
        self.request(&format!("GET {}{name} HTTP/1.1\r\nHost: {}", self.path(), self.host()), "")
    }

    pub(crate) fn post(&self, name: &str, body: &str) -> Answer {
        let kind = "Content-Type: application/json";
        self.request(&format!("POST {}{name} HTTP/1.1\r\nHost: {}\r\n{kind}", self.path(), self.host()), body)
    }

    /// Makes one communication step, and waits until the run rests again.
    pub(crate) fn step(&self) {
        let answer = self.post("command", "\"step\"");
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.reaches(&["paused", "finished"]);
    }

    /// Waits until the run stands in one of these states.
    pub(crate) fn reaches(&self, states: &[&str]) {
        for _ in 0..3000 {
            let about: serde_json::Value = serde_json::from_str(&self.get("result.json").body).unwrap();
            if states.iter().any(|state| about["status"]["state"] == *state) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the run is never one of {states:?}");
    }

    /// Sends a signal, as `-INT` for Ctrl-C, and gives the exit code.
    #[cfg(unix)]
    pub(crate) fn interrupt(mut self, signal: &str) -> Option<i32> {
        let interrupted = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(interrupted.success());
        for _ in 0..2000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
