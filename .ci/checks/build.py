"""The built book."""

import html
import re
import shutil
import subprocess

from formulas import check_formulas
from pages import DOCS, TARGET
from tools import fetch, katex, program


def build():
    fetch()
    folder = katex()
    if folder and (wrong := check_formulas(folder)):
        return wrong
    mdbook = program("mdbook")
    if mdbook is None:
        print("skipped: building the book, since mdBook can neither be found nor installed here")
        return []
    out = TARGET / "book"
    done = subprocess.run([mdbook, "build", str(DOCS), "--dest-dir", str(out)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = [line for line in done.stdout.split("\n") if re.search(r"\b(WARN|ERROR)\b", line)]
    if done.returncode != 0:
        return [f"mdBook ends with {done.returncode}:\n{done.stdout}"]
    if folder:
        (out / "katex").mkdir(exist_ok=True)
        shutil.copy(folder / "LICENSE", out / "katex/LICENSE")
        shutil.copy(folder / "dist/katex.min.css", out / "katex/katex.min.css")
        shutil.copytree(folder / "dist/fonts", out / "katex/fonts", dirs_exist_ok=True)
    else:
        print("skipped: setting formulas, since KaTeX can neither be found nor installed here")
    wrong = [f"{path.relative_to(out)}: a formula is not set" for path in out.rglob("*.html") if folder and unset(path)]
    wrong += dead(out)
    print(f"the book is {out}/index.html")
    return said + wrong


def dead(out):
    """Links of the built pages that lead nowhere."""
    wrong = []
    for path in out.rglob("*.html"):
        if path.name in ("print.html", "404.html", "toc.html"):
            continue
        main = re.sub(r"<(pre|code)\b.*?</\1>", "", path.read_text().partition("<main>")[2].partition("</main>")[0], flags=re.S)
        for target in re.findall(r'href="([^"]+)"', main):
            name, _, anchor = target.partition("#")
            if "://" in target:
                continue
            file = (path.parent / name) if name else path
            if not file.exists() or (anchor and f'id="{html.unescape(anchor)}"' not in file.read_text()):
                wrong.append(f"{path.relative_to(out)}: {target} leads nowhere")
    return wrong


def unset(path):
    """Whether dollar signs of a formula are left in a page."""
    if path.name in ("print.html", "toc.html"):
        return False
    text = re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", path.read_text(), flags=re.S)
    return bool(re.search(r"\$[^$<>]{1,80}\$", html.unescape(text)))
