//! Requests without a browser: strangers are turned away, commands and results work, Ctrl-C ends it.

use crate::server::Server;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn form(server: &Server) -> Value {
    let setup: Value = serde_json::from_str(&server.get("setup.json").body).unwrap();
    setup["settings"].clone()
}

#[test]
fn strangers_are_turned_away() {
    let server = Server::start(&[]);
    let (host, path) = (server.host(), server.path());
    assert_eq!(server.get("").status, 200);
    let get = |path: &str, host: &str| server.request(&format!("GET {path} HTTP/1.1\r\nHost: {host}"), "").status;
    assert_eq!(get("/", host), 403);
    assert_eq!(get("/0123456789abcdef0123456789abcdef/", host), 403);
    assert_eq!(get("/setup.json", host), 403);
    // A name that leads here by a trick of the name service.
    assert_eq!(get(path, "fourbar.example"), 403);
    assert_eq!(get(path, &host.replace("127.0.0.1", "localhost")), 200);
    let post = |more: &str| {
        let head = format!("POST {path}command HTTP/1.1\r\nHost: {host}\r\n{more}");
        server.request(&head, "\"stop\"").status
    };
    assert_eq!(post("Content-Type: text/plain"), 403);
    assert_eq!(post("Content-Type: application/json\r\nOrigin: http://fourbar.example"), 403);
    assert_eq!(post("Content-Type: application/json"), 409);
    let page = server.get("");
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    assert!(!page.body.contains("://"), "the page names another place");
}

#[test]
fn settings_are_refused_at_their_fields() {
    let server = Server::start(&[]);
    let mut wrong = form(&server);
    wrong["step"] = "0.03".into();
    let refused = server.post("settings", &wrong.to_string());
    assert_eq!(refused.status, 422);
    let refused: Value = serde_json::from_str(&refused.body).unwrap();
    assert_eq!(refused["errors"][0]["field"], "end");
    wrong["step"] = "fast".into();
    wrong["connections"][0]["gain"] = "0".into();
    wrong["connections"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "from": "pump.x", "to": "", "gain": "1", "offset": "0" }));
    let refused: Value = serde_json::from_str(&server.post("settings", &wrong.to_string()).body).unwrap();
    let fields: Vec<&str> =
        refused["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["step", "connections.0.gain", "connections.1.from"]);
    assert_eq!(server.post("settings", "{}").status, 400);
    let kept = form(&server);
    assert_eq!((&kept["step"], &kept["end"]), (&json!("0.01"), &json!("20")));
}

#[test]
fn a_run_is_steered_and_its_results_are_given() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let out = folder.join("steered.csv");
    let server = Server::start(&["--out", out.to_str().unwrap(), "--out-every", "10"]);
    assert_eq!(server.get("report.html").status, 409);
    let mut fields = form(&server);
    (fields["real_time_factor"], fields["end"]) = ("".into(), "2".into());
    assert_eq!(server.post("settings", &fields.to_string()).status, 200);
    let input = server.post("input", r#"{ "name": "pump.valve", "value": "0.5" }"#);
    assert_eq!(input.status, 200, "{}", input.body);
    assert_eq!(server.post("input", r#"{ "name": "tank.rate", "value": "1" }"#).status, 422);
    assert_eq!(server.post("command", "\"start\"").status, 200);
    let begun = Instant::now();
    let about = loop {
        let about: Value = serde_json::from_str(&server.get("result.json").body).unwrap();
        if about["status"]["state"] == "finished" || begun.elapsed() > Duration::from_secs(60) {
            break about;
        }
    };
    assert_eq!((&about["status"]["state"], &about["status"]["statistics"]["steps"]), (&json!("finished"), &json!(200)));
    let table = server.get("result.csv");
    assert!(table.head.contains("attachment; filename=\"tank.csv\""), "{}", table.head);
    let lines: Vec<&str> = table.body.lines().collect();
    let header = "time [s],pump.rate [m^3/s],tank.volume [m^3],tank.speed [m/s],pump.valve,tank.rate [m^3/s]";
    assert_eq!((lines[0], lines.len()), (header, 202));
    // volume = 1 + t + (1 - cos 3 t)/6
    let last: Vec<f64> = lines[201].split(',').map(|text| text.parse().unwrap()).collect();
    assert!((last[2] - (3.0 + (1.0 - 6f64.cos()) / 6.0)).abs() < 1e-4, "{last:?}");
    assert!(last[4] == 0.5 && last[5] == last[1], "{last:?}");
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 22);
    assert!(out.with_extension("json").exists());
    let report = server.get("report.html");
    assert_eq!(report.status, 200);
    assert!(report.body.contains("tank.volume") && report.body.contains("communication step"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_even_while_a_page_listens() {
    use std::io::Read;
    let server = Server::start(&[]);
    let mut stream = std::net::TcpStream::connect(server.host()).unwrap();
    let head = format!("GET {}events HTTP/1.1\r\nHost: {}\r\n\r\n", server.path(), server.host());
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    let mut first = [0; 512];
    assert!(stream.read(&mut first).unwrap() > 0);
    assert_eq!(server.post("command", "\"start\"").status, 200);
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn a_model_of_another_kind_is_refused_with_the_remedy() {
    let model = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/pendulum.toml");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fourbar"));
    let output = command.arg("serve").arg(model).arg("--no-open").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("kind \"mechanism\"") && text.contains("fourbar run"), "{text}");
}

#[test]
fn a_table_that_would_overwrite_the_model_is_refused() {
    let model = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("own.toml");
    std::fs::copy(crate::server::model(), &model).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fourbar"));
    let output = command.arg("serve").arg(&model).arg("--no-open").arg("--out").arg(&model).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("would overwrite the model"), "{text}");
    assert_eq!(std::fs::read(&model).unwrap(), std::fs::read(crate::server::model()).unwrap());
}

#[test]
fn a_table_that_cannot_be_written_is_refused_before_there_is_a_page() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fourbar"));
    let output = command.arg("serve").arg(crate::server::model()).args(["--no-open", "--out", "/nodir/table.csv"]);
    let output = output.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(5) && output.stdout.is_empty(), "{text}");
    assert!(text.contains("cannot write /nodir/table.csv"), "{text}");
}
