//! Requests without a browser: strangers are turned away, commands and results work, signals end it.

use crate::page::server::Server;
use crate::pages;
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
    assert_eq!(get(path, &format!("{host}\r\nHost: fourbar.example")), 403);
    assert_eq!(get(path, &format!("fourbar.example\r\nHost: {host}")), 403);
    for (site, status) in [("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403)] {
        assert_eq!(get(path, &format!("{host}\r\nSec-Fetch-Site: {site}")), status, "{site}");
    }
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
    server.reaches(&["finished"]);
    let about: Value = serde_json::from_str(&server.get("result.json").body).unwrap();
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
    let page = pages::opened(report.body);
    assert!(page.contains("tank.volume") && page.contains("communication step"));
}

/// What a simulator would warn of alone stands on the page, in the JSON file and in the report once the run has ended.
#[test]
fn warnings_of_simulators_are_shown_at_the_end() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("beside.toml");
    let text = r#"
        type = "coupled"
        simulation = { end = 0.1, step = 0.01 }
        [[simulator]]
        name = "arm"
        [simulator.model]
        type = "mechanism"
        body = [{ name = "rod", mass = 1, inertia = [1e-3, 0.1, 0.1], position = [0.5, 0, 0] }]
        joint = [{ name = "A", type = "revolute", i = { body = "rod", position = [-0.5, 0, 0] }, j = { body = "ground", position = [0.01, 0, 0] } }]
        measure = [{ name = "y", type = "position", i = "rod", component = "y" }]
    "#;
    std::fs::write(&path, text).unwrap();
    let server = Server::within(&folder, &path, &[]);
    assert_eq!(server.post("command", "\"start\"").status, 200);
    server.reaches(&["finished"]);
    let about: Value = serde_json::from_str(&server.get("result.json").body).unwrap();
    let warnings = about["status"]["warnings"].as_array().unwrap();
    let told = |text: &str| text.starts_with("simulator \"arm\": assembly moved body \"rod\" by 0.01 m");
    assert!(warnings.len() == 1 && warnings[0].as_str().is_some_and(told), "{about}");
    let event = listen(&server).next().unwrap();
    assert_eq!(event["status"]["warnings"], about["status"]["warnings"]);
    assert!(pages::opened(server.get("report.html").body).contains("assembly moved body"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Connections that say nothing, or say their request letter by letter, are cut off; others are served meanwhile.
#[test]
fn heads_of_requests_have_a_time_limit() {
    use std::io::{Read, Write};
    let server = Server::start(&[]);
    let begun = Instant::now();
    let mut silent = std::net::TcpStream::connect(server.host()).unwrap();
    let mut slow = std::net::TcpStream::connect(server.host()).unwrap();
    for stream in [&silent, &slow] {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    }
    let mut letters = slow.try_clone().unwrap();
    let head = format!("GET {} HTTP/1.1\r\nHost: {}\r\nX-Slow: ", server.path(), server.host());
    let writing = std::thread::spawn(move || {
        letters.write_all(head.as_bytes()).unwrap();
        // Until nobody listens any more.
        while begun.elapsed() < Duration::from_secs(60) && letters.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(100));
        }
        begun.elapsed()
    });
    assert_eq!(server.get("").status, 200);
    let mut rest = Vec::new();
    // It ends without an answer, or by a reset where letters were under way.
    let _ = silent.read_to_end(&mut rest);
    assert!(begun.elapsed() < Duration::from_secs(50) && rest.is_empty(), "{:?} {rest:?}", begun.elapsed());
    assert!(begun.elapsed() > Duration::from_secs(2));
    let _ = slow.read_to_end(&mut rest);
    assert!(writing.join().unwrap() < Duration::from_secs(50));
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    assert_eq!(server.get("").status, 200);
}

/// What a server answers to a head alone, of a command whose body has this length or form; until it closes the connection.
fn answer_to_head(server: &Server, body: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(server.host()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let kind = "Content-Type: application/json";
    let head = format!("POST {}command HTTP/1.1\r\nHost: {}\r\n{kind}\r\n{body}", server.path(), server.host());
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A reset ends it as well.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

/// A body that does not come holds no connection for ever; others are served meanwhile.
#[test]
fn bodies_of_requests_have_a_time_limit() {
    let server = Server::start(&[]);
    std::thread::scope(|scope| {
        for body in
            ["Content-Length: 10\r\n\r\n", "Content-Length: 10\r\n\r\n\"sto", "Transfer-Encoding: chunked\r\n\r\n"]
        {
            let server = &server;
            scope.spawn(move || {
                let answer = answer_to_head(server, body);
                assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("did not come to its end"), "{answer}");
            });
        }
        assert_eq!(server.get("").status, 200);
    });
    assert_eq!(server.get("").status, 200);
}

/// The length is refused by its announcement: nothing of the body is sent here.
#[test]
fn a_length_that_is_too_long_is_refused_before_the_body_comes() {
    let server = Server::start(&[]);
    for length in ["2097153", "10000000000000000000"] {
        let answer = answer_to_head(&server, &format!("Content-Length: {length}\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("longer than 2 MiB"), "{answer}");
    }
    assert_eq!(server.get("").status, 200);
}

/// Events of the stream, as they come.
fn listen(server: &Server) -> impl Iterator<Item = Value> + use<> {
    use std::io::{BufRead, BufReader, Write};
    let mut stream = std::net::TcpStream::connect(server.host()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET {}events HTTP/1.1\r\nHost: {}\r\n\r\n", server.path(), server.host()).unwrap();
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
}

/// Whenever a page comes, it is told all points, each once, and from then on what the others are told, word for word.
#[test]
fn pages_that_come_at_any_time_are_told_the_same() {
    let server = Server::start(&[]);
    let mut early = listen(&server);
    assert_eq!(early.next().unwrap()["status"]["state"], "idle");
    assert_eq!(server.post("command", "\"start\"").status, 200);
    let first = early.find(|event| event["status"]["time"].as_f64() > Some(0.3)).unwrap();
    let mut late = listen(&server);
    let all = late.next().unwrap();
    assert_eq!(all["replace"], true);
    let times = |event: &Value| -> Vec<f64> {
        event["times"].as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect()
    };
    let mut seen = times(&all);
    assert!(seen[0] == 0.0 && seen.len() > 3 && first["status"]["run"] == all["status"]["run"]);
    let new: Vec<Value> = late.by_ref().take(8).collect();
    new.iter().for_each(|event| seen.extend(times(event)));
    let gap = seen[1] - seen[0];
    assert!(seen.windows(2).all(|pair| (pair[1] - pair[0] - gap).abs() < 1e-9), "{seen:?}");
    let same: Vec<Value> = early.skip_while(|event| event != &new[0]).take(new.len()).collect();
    assert_eq!(same, new);
}

/// The page's stop does not wait for a partner that hangs, and what was recorded stays.
#[cfg(unix)]
#[test]
fn stop_ends_a_run_whose_partner_hangs() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hung-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = folder.join("libpartner").with_extension(std::env::consts::DLL_EXTENSION);
    let mut compiler = std::process::Command::new("cc");
    compiler.args(["-std=c99", "-O2", "-fPIC", "-shared", "-I"]).arg(root.join("include"));
    compiler.arg(root.join("coupling/tests/library/troubled.c")).arg("-o").arg(library).arg("-lm");
    let Ok(status) = compiler.status() else { return println!("skipped: there is no compiler") };
    assert!(status.success());
    let tank = folder.join("tank");
    for process in ["", "process = true"] {
        let model = format!(
            "type = \"coupled\"\n[simulation]\nend = 1\nstep = 0.1\n[[simulator]]\nname = \"tank\"\nlibrary = \"libpartner\"\n\
             parameters = {{ trouble = 9, at = 0.55, times = 1 }}\n{process}\n"
        );
        let path = folder.join("model.toml");
        std::fs::write(&path, model).unwrap();
        let out = folder.join("out.csv");
        let server = Server::within(&folder, &path, &["--out", out.to_str().unwrap()]);
        assert_eq!(server.post("command", "\"start\"").status, 200);
        let begun = Instant::now();
        while !tank.exists() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(20));
        }
        let asked = Instant::now();
        let answer = server.post("command", "\"stop\"");
        // Long before the limit of a minute.
        assert!(answer.status == 200 && asked.elapsed() < Duration::from_secs(30), "{} {}", answer.status, answer.body);
        let about: Value = serde_json::from_str(&server.get("result.json").body).unwrap();
        assert_eq!(about["status"]["state"], "stopped");
        let rows = std::fs::read_to_string(&out).unwrap();
        assert!(rows.lines().last().unwrap().starts_with("0.5,"), "{rows}");
        std::fs::remove_file(&tank).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn signals_end_it_even_while_a_page_listens() {
    use std::io::Read;
    for signal in crate::page::signals::signals() {
        let server = Server::start(&[]);
        let mut stream = std::net::TcpStream::connect(server.host()).unwrap();
        let head = format!("GET {}events HTTP/1.1\r\nHost: {}\r\n\r\n", server.path(), server.host());
        std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
        let mut first = [0; 512];
        assert!(stream.read(&mut first).unwrap() > 0);
        assert_eq!(server.post("command", "\"start\"").status, 200);
        assert_eq!(server.interrupt(signal), Some(0), "{signal}");
    }
}

/// Whoever ends it, what was recorded is on disk: the JSON file beside the table is whole, and says that the run was stopped where it could be
/// told.
#[cfg(unix)]
#[test]
fn who_ends_it_in_a_run_finds_the_table_and_the_file_beside_it() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for signal in crate::signals::signals().into_iter().chain(["-KILL"]) {
        let out = folder.join(format!("ended{signal}-{}.csv", std::process::id()));
        let server = Server::start(&["--out", out.to_str().unwrap()]);
        assert_eq!(server.post("command", "\"start\"").status, 200);
        let (begun, rows) = (Instant::now(), || std::fs::read_to_string(&out).unwrap_or_default().lines().count());
        while rows() < 10 {
            assert!(begun.elapsed() < Duration::from_secs(60), "{signal}: no rows");
            std::thread::sleep(Duration::from_millis(50));
        }
        let ended = server.interrupt(signal);
        assert_eq!(ended, (signal != "-KILL").then_some(0), "{signal}");
        let table = std::fs::read_to_string(&out).unwrap();
        assert!(table.starts_with("time [s],") && table.lines().count() >= 10, "{signal}: {table:.200}");
        let beside: Value =
            serde_json::from_str(&std::fs::read_to_string(out.with_extension("json")).unwrap()).unwrap();
        if signal != "-KILL" {
            assert!(table.ends_with('\n') && beside["status"]["state"] == "stopped", "{signal}: {beside}");
            let last: f64 = table.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
            assert_eq!(Some(last), beside["status"]["time"].as_f64(), "{signal}");
        }
        std::fs::remove_file(&out).unwrap();
        std::fs::remove_file(out.with_extension("json")).unwrap();
    }
}

#[test]
fn a_table_that_would_overwrite_the_model_is_refused() {
    let model = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("own.toml");
    std::fs::copy(crate::page::server::model(), &model).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fourbar"));
    let output = command.arg("serve").arg(&model).arg("--no-open").arg("--out").arg(&model).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("would overwrite"), "{text}");
    assert_eq!(std::fs::read(&model).unwrap(), std::fs::read(crate::page::server::model()).unwrap());
}

#[test]
fn a_table_that_cannot_be_written_is_refused_before_there_is_a_page() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fourbar"));
    let output =
        command.arg("serve").arg(crate::page::server::model()).args(["--no-open", "--out", "/nodir/table.csv"]);
    let output = output.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(5) && output.stdout.is_empty(), "{text}");
    assert!(text.contains("cannot write /nodir/table.csv"), "{text}");
}
