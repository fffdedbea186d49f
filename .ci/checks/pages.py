"""What the checks of the book share: where things are, and how a page is read."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
BESIDE = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def pages():
    """Markdown files of the book and beside it."""
    return sorted(DOCS.rglob("*.md")) + [ROOT / name for name in BESIDE]


def short(path):
    return str(path.relative_to(ROOT))


def without_code(text):
    """The text with fenced blocks left out, line numbers kept."""
    kept, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark and fence is None:
            fence = mark.group(1)
            kept.append("")
        elif fence is not None:
            if line.strip().startswith(fence):
                fence = None
            kept.append("")
        else:
            kept.append(line)
    return "\n".join(kept)
