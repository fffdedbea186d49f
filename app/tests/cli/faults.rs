//! What befalls the files of a run, on each kind of model: outputs named like files that are read, no room, no permission. What is
//! kept, and the exit status.

use crate::cli::root;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A model of each kind that runs for as long as it is let.
pub(super) const KINDS: [(&str, &str); 5] = [
    ("mechanism", "pendulum.toml"),
    ("contact", "incline.toml"),
    ("circuit", "hydraulic-axis.toml"),
    ("linear", "servo.toml"),
    ("coupled", "press.toml"),
];

/// A folder with all models of the examples, removed at its end.
pub(super) struct Folder(pub(super) tempfile::TempDir);

impl Folder {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(root().join("models")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        Self(folder)
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    /// The command in this folder.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fourbar"));
        command.args(arguments).current_dir(self.0.path());
        command
    }

    /// Exit code and standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        ended(self.command(arguments).output().unwrap())
    }

    /// Names of files that are no models.
    pub(super) fn others(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = fs::read_dir(self.0.path()).unwrap().map(name).collect();
        names.retain(|name| !name.ends_with(".toml"));
        names.sort();
        names
    }
}

pub(super) fn ended(output: Output) -> (i32, String) {
    (output.status.code().expect("ended by itself"), String::from_utf8(output.stderr).unwrap())
}

/// A coupled model whose simulators stand in a file beside it and in a library, which is not loaded before the files are compared.
const WITH_LIBRARY: &str = r#"
type = "coupled"
[simulation]
end = 1
step = 0.1
[[simulator]]
name = "axis"
file = "parts/../hydraulic-axis.toml"
[[simulator]]
name = "partner"
library = "libpartner"
"#;

#[test]
fn no_output_takes_the_place_of_a_file_that_is_read() {
    let folder = Folder::new();
    fs::create_dir(folder.at("parts")).unwrap();
    fs::write(folder.at("with-library.toml"), WITH_LIBRARY).unwrap();
    let library = format!("libpartner.{}", std::env::consts::DLL_EXTENSION);
    fs::write(folder.at(&library), "code").unwrap();
    let own = KINDS.map(|(_, model)| (model, model.to_owned()));
    let named = [
        ("press.toml", "hydraulic-axis.toml".to_owned()),
        ("with-library.toml", "hydraulic-axis.toml".to_owned()),
        ("with-library.toml", library),
    ];
    for (model, read) in own.into_iter().chain(named) {
        let before = folder.read(&read);
        let detour = format!("parts/.././{read}");
        let whole = folder.at(&read).to_str().unwrap().to_owned();
        let mut ways = vec![read.clone(), detour, whole];
        #[cfg(unix)]
        {
            let (hard, soft, chain) = (format!("{read}-hard"), format!("{read}-soft"), format!("{read}-chain"));
            for link in [&hard, &soft, &chain] {
                let _ = fs::remove_file(folder.at(link));
            }
            fs::hard_link(folder.at(&read), folder.at(&hard)).unwrap();
            std::os::unix::fs::symlink(&read, folder.at(&soft)).unwrap();
            std::os::unix::fs::symlink(folder.at(&soft), folder.at(&chain)).unwrap();
            ways.extend([hard, soft, chain]);
        }
        for way in &ways {
            for option in ["--out", "--report", "--summary"] {
                let (code, stderr) = folder.run(&["run", model, "--end", "0.1", option, way]);
                assert_eq!(code, 2, "{model} {option} {way}: {stderr}");
                assert!(stderr.contains(option) && stderr.contains("would overwrite"), "{stderr}");
            }
        }
        assert_eq!(folder.read(&read), before);
    }
}

#[cfg(feature = "serve")]
#[test]
fn neither_does_a_table_of_the_page_nor_what_lies_beside_it() {
    let folder = Folder::new();
    let axis = folder.read("hydraulic-axis.toml");
    fs::rename(folder.at("hydraulic-axis.toml"), folder.at("run-2.json")).unwrap();
    let press = folder.read("press.toml").replace("hydraulic-axis.toml", "run-2.json");
    fs::write(folder.at("press.toml"), press).unwrap();
    for out in ["press.toml", "run-2.json", "run-2.csv", "run.csv", "./run.csv"] {
        let (code, stderr) = folder.run(&["serve", "press.toml", "--no-open", "--out", out]);
        assert!(code == 2 && stderr.contains("would overwrite"), "{out}: {code} {stderr}");
    }
    assert_eq!(folder.read("run-2.json"), axis);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new();
    fs::create_dir(folder.at("d")).unwrap();
    let mut pairs = vec![("a", "a"), ("a", "./a"), ("a", "d/../a")];
    #[cfg(unix)]
    {
        // Also where the links lead to nothing yet.
        std::os::unix::fs::symlink("../a", folder.at("d/link")).unwrap();
        std::os::unix::fs::symlink("d/link", folder.at("chain")).unwrap();
        pairs.extend([("a", "d/link"), ("chain", "a"), ("chain", "d/link")]);
    }
    for (_, model) in KINDS {
        for (one, two) in &pairs {
            for [first, second] in [["--out", "--report"], ["--report", "--summary"], ["--summary", "--out"]] {
                let (code, stderr) = folder.run(&["run", model, "--end", "0.1", first, one, second, two]);
                assert!(code == 2 && stderr.contains("choose two files"), "{one} {two}: {code} {stderr}");
            }
        }
    }
    assert!(!folder.at("a").exists());
}

#[test]
fn results_come_whole_and_a_run_that_cannot_begin_leaves_those_of_before() {
    let folder = Folder::new();
    for (kind, model) in KINDS {
        let outputs = ["--out", "out.csv", "--report", "out.html", "--summary", "out.json"];
        for name in ["out.csv", "out.html", "out.json"] {
            fs::write(folder.at(name), "before").unwrap();
        }
        let text = folder.read(model);
        fs::write(folder.at(model), text.clone() + "\n[nonsense]\n").unwrap();
        let (code, stderr) = folder.run(&[&["run", model, "--end", "0.1", "-q"][..], &outputs].concat());
        assert_eq!(code, 3, "{kind}: {stderr}");
        assert_eq!(folder.read("out.csv"), "before", "{kind}");
        fs::write(folder.at(model), text).unwrap();
        let (code, stderr) = folder.run(&[&["run", model, "--end", "0.1", "-q"][..], &outputs].concat());
        assert_eq!(code, 0, "{kind}: {stderr}");
        assert!(folder.read("out.csv").starts_with("time [s],"), "{kind}");
        assert!(folder.read("out.html").ends_with("</html>\n") && folder.read("out.json").ends_with("}\n"), "{kind}");
        assert_eq!(folder.others(), ["out.csv", "out.html", "out.json"], "{kind}");
    }
}

/// Writing fails beyond so many blocks, as on a full disk. (A disk of its own would need its owner's rights.)
#[cfg(target_os = "linux")]
fn with_room(folder: &Folder, blocks: u32, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_fourbar")]).args(arguments).current_dir(folder.0.path());
    ended(command.output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn without_room_no_half_file_is_left() {
    let folder = Folder::new();
    for (kind, model) in KINDS {
        for (option, name) in [("--out", "out.csv"), ("--report", "out.html"), ("--summary", "out.json")] {
            for before in [true, false] {
                let _ = fs::remove_file(folder.at(name));
                if before {
                    fs::write(folder.at(name), "before").unwrap();
                }
                // A summary is longer than nothing, the others longer than a block.
                let room = u32::from(option != "--summary");
                let arguments =
                    ["run", model, "--end", "0.2", "--output-step", "5e-4", "--step", "5e-4", "-q", option, name];
                let fits: Vec<_> = match kind {
                    "mechanism" | "circuit" | "contact" => [&arguments[..6], &arguments[8..]].concat(),
                    _ => arguments.to_vec(),
                };
                let (code, stderr) = with_room(&folder, room, &fits);
                assert_eq!(code, 5, "{kind} {option}: {stderr}");
                assert!(stderr.contains(&format!("cannot write {name}")), "{kind} {option}: {stderr}");
                let left = if before { vec![name.to_owned()] } else { vec![] };
                assert_eq!(folder.others(), left, "{kind} {option}");
                assert!(!before || folder.read(name) == "before", "{kind} {option}");
                let _ = fs::remove_file(folder.at(name));
            }
        }
    }
}

/// Where units are unpacked there is no room, or no folder: it is named, and the model is not blamed.
#[cfg(target_os = "linux")]
#[test]
fn a_temporary_folder_that_takes_no_unit_is_named() {
    let folder = Folder::new();
    let library = format!("fmi3InstantiateCoSimulation {}", fourbar::fmi::LIBRARY_MARK);
    fs::write(folder.at("library.so"), library + &" ".repeat(100_000)).unwrap();
    let (code, stderr) = folder.run(&["export-fmu", "pendulum.toml", "--library", "library.so"]);
    assert_eq!(code, 0, "{stderr}");
    let model = "type = \"coupled\"\nsimulation = { end = 1, step = 0.1 }\n[[simulator]]\nname = \"unit\"\nfmu = \"pendulum.fmu\"\n";
    fs::write(folder.at("unit.toml"), model).unwrap();
    fs::create_dir(folder.at("temporary")).unwrap();
    for (blocks, temporary) in [("1", "temporary"), ("unlimited", "none")] {
        for verb in ["run", "check"] {
            let place = folder.at(temporary);
            let mut command = Command::new("sh");
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            command.args(["-c", &script, env!("CARGO_BIN_EXE_fourbar"), verb, "unit.toml"]);
            let (code, stderr) = ended(command.env("TMPDIR", &place).current_dir(folder.0.path()).output().unwrap());
            assert_eq!(code, 5, "{verb} {temporary}: {stderr}");
            let place = place.display().to_string();
            assert!(["pendulum.fmu", &place, "TMPDIR"].iter().all(|word| stderr.contains(word)), "{stderr}");
            assert!(!stderr.contains("unit.toml:"), "{stderr}");
        }
    }
    assert_eq!(fs::read_dir(folder.at("temporary")).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn one_output_without_room_does_not_keep_the_others_from_their_places() {
    let folder = Folder::new();
    let arguments = ["run", "servo.toml", "-q", "--out", "out.csv", "--report", "/dev/full", "--summary", "out.json"];
    let (code, stderr) = folder.run(&arguments);
    assert!(code == 5 && stderr.contains("cannot write /dev/full"), "{code} {stderr}");
    assert_eq!(folder.others(), ["out.csv", "out.json"]);
    assert!(folder.read("out.json").ends_with("}\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_refused_with_the_file_and_the_remedy() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    fs::create_dir(folder.at("closed")).unwrap();
    fs::write(folder.at("closed/out"), "before").unwrap();
    fs::set_permissions(folder.at("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    // The owner of the machine may write everywhere but into what the kernel shows.
    let everywhere = fs::write(folder.at("closed/probe"), "").is_ok();
    let target = if everywhere { "/proc/self/out" } else { "closed/out" };
    if everywhere {
        println!("an owner of the machine may write into a folder without permission: one of the kernel stands for it");
    }
    for (kind, model) in KINDS {
        for option in ["--out", "--report", "--summary"] {
            let (code, stderr) = folder.run(&["run", model, "--end", "0.1", option, target]);
            assert_eq!(code, 5, "{kind} {option}: {stderr}");
            assert!(stderr.contains(&format!("cannot write {target}")) && stderr.contains("folder"), "{stderr}");
        }
    }
    assert_eq!(folder.read("closed/out"), "before");
    fs::set_permissions(folder.at("closed"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_written_directly() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().unwrap().success());
    let mut reader = Command::new("cat").arg(folder.at("pipe")).stdout(Stdio::piped()).spawn().unwrap();
    let (code, stderr) = folder.run(&["run", "servo.toml", "-q", "--out", "pipe"]);
    assert_eq!(code, 0, "{stderr}");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut reader.stdout.take().unwrap(), &mut text).unwrap();
    reader.wait().unwrap();
    assert!(text.starts_with("time [s],") && text.lines().count() > 100);
    let output = folder.command(&["run", "servo.toml", "-q", "--out", "/dev/stdout"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
    // Standard output that is a file goes on where it stands.
    let file = fs::File::create(folder.at("all")).unwrap();
    let status = folder.command(&["run", "servo.toml", "--out", "/dev/stdout"]).stdout(file).status().unwrap();
    assert!(status.success());
    let all = folder.read("all");
    assert!(all.starts_with(&text) && all[text.len()..].contains("simulated to"), "{all:.300}");
    assert_eq!(folder.others(), ["all", "pipe"]);
}

/// A dash is no file, for whoever takes it for standard output.
#[test]
fn a_dash_is_no_file() {
    let folder = Folder::new();
    for (kind, model) in KINDS {
        for option in ["--out", "--report", "--summary"] {
            let (code, stderr) = folder.run(&["run", model, "--end", "0.1", option, "-"]);
            assert!(
                code == 2 && stderr.contains(&format!("{option} - is no file")),
                "{kind} {option}: {code} {stderr}"
            );
        }
    }
    assert!(folder.others().is_empty());
}

#[test]
fn nothing_that_is_named_acts_on_the_terminal() {
    let folder = Folder::new();
    let name = "x\u{1b}[2J\\u001b[31m\\nfourbar: all is well\\u0000\\u202e".replace('\u{1b}', "\\u001b");
    let long = "n".repeat(100_000);
    let base = folder.read("pendulum.toml");
    let unnamed: Vec<&str> = base
        .lines()
        .filter(|line| !line.starts_with("name = \"pendulum") && !line.starts_with("description"))
        .collect();
    let renamed = format!("name = \"{name}\"\ndescription = \"{name}\"\n{}", unnamed.join("\n"));
    fs::write(folder.at("named.toml"), &renamed).unwrap();
    fs::write(folder.at("wrong.toml"), format!("{base}\n[[force]]\nname = \"{name}\"\ntype = \"{name}\"\n")).unwrap();
    fs::write(folder.at("long.toml"), format!("{base}\n[[force]]\nname = \"{long}\"\ntype = \"{long}\"\n")).unwrap();
    fs::write(folder.at("raw.toml"), format!("{base}\n\u{1b}[2J\r\u{7}\0\n")).unwrap();
    let acting = "no\u{1b}[2J\nfourbar: all is well.toml";
    let cases: [(&[&str], i32); 11] = [
        (&["run", "named.toml", "--end", "0.1"], 0),
        (&["check", "named.toml"], 0),
        (&["run", "wrong.toml"], 3),
        (&["check", "wrong.toml"], 3),
        (&["run", "long.toml"], 3),
        (&["run", "raw.toml"], 3),
        (&["run", acting], 5),
        (&["run", "pendulum.toml", "--out", "none/\u{1b}[2J\n"], 5),
        (&["run", "servo.toml", "--out", "a\u{1b}\n", "--report", "a\u{1b}\n"], 2),
        (&["run", "pendulum.toml", "--integrator", "\u{1b}[2J\n"], 2),
        (&["\u{1b}[2J\n"], 2),
    ];
    for (arguments, expected) in cases {
        let Output { status, stdout, stderr } = folder.command(arguments).output().unwrap();
        let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(expected), "{arguments:?}: {text:?}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{arguments:?}: {text:?}");
        assert!(!text.contains('\u{202e}') && !text.contains("\nfourbar: all"), "{arguments:?}: {text:?}");
        assert!(text.len() < 6000, "{arguments:?}: {} bytes", text.len());
    }
}
