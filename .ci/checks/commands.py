"""The `fourbar` command lines of the book, run; and the tests, examples and benches that it names.

Three comments tell what to do with the block behind them: `<!-- file: NAME -->` writes it to the folder in which commands run,
`<!-- output -->` compares each of its lines with what the commands before it printed (a line of `..` stands for any, numbers to a
thousandth), and `<!-- not run -->` leaves it alone. A command line that ends in `# exit code N` should end so.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from pages import ROOT, TARGET, pages, short

# Of a command line.
SECONDS = 60


def blocks(text):
    """Fenced blocks: line, language, comment on the line before, text."""
    lines, found, mark = text.split("\n"), [], ""
    at = 0
    while at < len(lines):
        fence = re.match(r"```(\S*)\s*$", lines[at])
        if fence:
            begin = at
            at += 1
            while not lines[at].startswith("```"):
                at += 1
            found.append((begin + 1, fence.group(1), mark, "\n".join(lines[begin + 1 : at])))
            mark = ""
        elif comment := re.match(r"<!--\s*(.*?)\s*-->\s*$", lines[at]):
            mark = comment.group(1)
        elif lines[at].strip():
            mark = ""
        at += 1
    return found


def same(shown, printed):
    """Whether a line is as the book shows it: the same words, numbers to a thousandth."""
    left, right = shown.split(), printed.split()
    return len(left) == len(right) and all(one == other or close(one, other) for one, other in zip(left, right))


def close(one, other):
    try:
        a, b = float(one), float(other)
    except ValueError:
        return False
    return abs(a - b) <= 1e-3 * max(abs(a), abs(b))


def run(line, folder, program):
    """What a command line printed, and what is wrong with it."""
    environment = dict(os.environ, PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    begun = time.monotonic()
    try:
        done = subprocess.run(
            line, shell=True, cwd=folder, env=environment, timeout=SECONDS, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired:
        return "", f"takes more than {SECONDS} s"
    print(f"  {time.monotonic() - begun:5.1f} s  {line}")
    expected = int(code.group(1)) if (code := re.search(r"# exit code (\d+)", line)) else 0
    if done.returncode != expected:
        return done.stdout, f"ends with {done.returncode}, not {expected}:\n{done.stdout[-2000:]}"
    return done.stdout, None


def page_commands(path, program):
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "models", Path(folder) / "models")
        printed = ""
        for number, language, mark, text in blocks(path.read_text()):
            place = f"{short(path)}:{number}"
            if mark.startswith("file:"):
                (Path(folder) / mark[5:].strip()).write_text(text + "\n")
            elif mark == "output":
                seen = printed.split("\n")
                shown = [line for line in text.split("\n") if line.strip() not in ("", "..")]
                missing = [line for line in shown if not any(same(line, other) for other in seen)]
                wrong += [f"{place}: the commands before do not print: {line}" for line in missing]
                if missing:
                    print(printed)
            elif language == "sh" and mark != "not run":
                printed = ""
                for line in text.replace("\\\n", " ").split("\n"):
                    if line.startswith("fourbar "):
                        output, trouble = run(line, folder, program)
                        printed += output
                        count += 1
                        if trouble:
                            wrong.append(f"{place}: {line}\n{trouble}")
    return wrong, count


def commands():
    program = TARGET / "release" / ("fourbar.exe" if os.name == "nt" else "fourbar")
    if not program.exists():
        return [f"{program} is missing: cargo build --release -p fourbar-app makes it"]
    wrong, count = [], 0
    for path in pages():
        found, number = page_commands(path, program)
        wrong += found
        count += number
    print(f"{count} command lines")
    return wrong + named()


def named():
    """Tests, examples and benches that the book names exist."""
    wrong = []
    folders = {"fourbar": "."}
    for manifest in ROOT.glob("*/Cargo.toml"):
        name = re.search(r'^name = "(.+?)"', manifest.read_text(), re.M)
        folders[name.group(1)] = manifest.parent.name
    for path in pages():
        for line in re.findall(r"cargo (?:run|test|bench)[^`\n]*", path.read_text()):
            package = re.search(r"-p (\S+)", line)
            folder = ROOT / folders.get(package.group(1) if package else "fourbar", "missing")
            if any(not exists(folder, kind, name) for kind, name in targets(line)):
                wrong.append(f"{short(path)}: there is no such test, example or bench: {line}")
    return wrong


def targets(line):
    """Kind and name of what a command line of cargo is about: `--example accuracy`, or the filter of `cargo test -p fourbar-lti krylov`."""
    yield from re.findall(r"--(test|example|bench) (\w+)", line)
    words = line.partition(" -- ")[0].partition("#")[0].split()
    if words[1] == "test":
        yield from (("test", word) for before, word in zip(words[1:], words[2:]) if re.fullmatch(r"[a-z]\w*", word) and not before.startswith("-"))


def exists(folder, kind, name):
    """As a file, a folder or an entry of the manifest; of a test also as a function."""
    places = [folder / f"{kind}{plural}" / name for plural in ("s", "es")]
    if any(place.with_suffix(".rs").exists() or place.is_dir() for place in places):
        return True
    if folder.exists() and f'"{name}"' in (folder / "Cargo.toml").read_text():
        return True
    return kind == "test" and any(f"fn {name}" in path.read_text() for path in (folder / "tests").rglob("*.rs"))
