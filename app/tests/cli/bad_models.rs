//! Each file of `tests/bad-models` is refused with exit code 3, and the message holds what its `# expect:` lines say.

use crate::cli::{fourbar, root};
use std::fs;

#[test]
fn each_bad_model_is_refused_with_thing_line_and_remedy() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("tests/bad-models")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let expected: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("# expect: ")).collect();
        assert!(!expected.is_empty(), "{} says not what it expects", path.display());
        let file = format!("tests/bad-models/{}", path.file_name().unwrap().to_string_lossy());
        let (code, stdout, stderr) = fourbar(&["run", &file]);
        assert_eq!((code, stdout.as_str()), (3, ""), "{file}: {stderr}");
        let place = stderr.strip_prefix(&format!("fourbar: {file}:")).unwrap_or_else(|| panic!("{file}: {stderr}"));
        let line: usize = place.split(':').next().unwrap().parse().unwrap();
        assert!((1..=text.lines().count()).contains(&line), "{file}: {stderr}");
        let remedy = stderr.lines().last().unwrap().trim_start();
        assert!(remedy.starts_with("= ") && remedy.len() > 5, "{file}: {stderr}");
        for fragment in expected {
            assert!(stderr.contains(fragment), "{file} lacks {fragment:?}:\n{stderr}");
        }
        // An end time may come with the run.
        if !text.contains("# only: run") {
            let (code, _, checked) = fourbar(&["check", &file]);
            assert_eq!((code, checked), (3, stderr), "{file}");
        }
        count += 1;
    }
    assert!(count >= 50, "{count}");
}

#[test]
fn files_that_are_no_text_are_refused() {
    let folder = std::env::temp_dir().join(format!("fourbar-bad-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let cases: [(&str, &[u8], i32, &str); 4] = [
        ("empty", b"", 3, "the file is empty"),
        ("blank", b"\n \n", 3, "the file is empty"),
        ("binary", b"name = \"x\"\n\xff\xfe", 3, "not UTF-8"),
        ("nested", &[b'['; 100_000], 3, "not TOML"),
    ];
    for (name, bytes, code, message) in cases {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        let (exit, _, stderr) = fourbar(&["run", path.to_str().unwrap()]);
        assert_eq!(exit, code, "{name}: {stderr}");
        assert!(stderr.contains(message) && stderr.len() < 1000, "{name}: {stderr}");
    }
    let path = folder.join("huge");
    fs::File::create(&path).unwrap().set_len(65 << 20).unwrap();
    let (exit, _, stderr) = fourbar(&["run", path.to_str().unwrap()]);
    assert!(exit == 5 && stderr.contains("larger than 64 MiB"), "{exit} {stderr}");
    fs::remove_dir_all(folder).unwrap();
}
