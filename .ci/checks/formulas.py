"""Formulas between dollar signs, set by KaTeX: the preprocessor of the book."""

import json
import re
import subprocess
import sys

from pages import DOCS, pages
from tools import katex

# Formulas come as a JSON array of [text, display]; the answer is an array of HTML.
SETTER = """
const katex = require(process.argv[1]);
const formulas = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const wrong = [];
const done = formulas.map(([text, display]) => {
  try {
    return katex.renderToString(text, { displayMode: display, throwOnError: true, strict: 'error' });
  } catch (error) {
    wrong.push(text + ': ' + error.message);
    return '';
  }
});
if (wrong.length) { console.error(wrong.join('\\n')); process.exit(1); }
console.log(JSON.stringify(done));
"""

FORMULA = re.compile(
    r"(?P<fence>^(?P<mark>`{3,}).*?^(?P=mark)\s*$)|(?P<code>`+[^`]+`+)"
    r"|\$\$(?P<display>.+?)\$\$|(?<![\\$\w])\$(?P<inline>[^\s$](?:[^$]*?[^\s$])?)\$(?![\w$])",
    re.S | re.M,
)


def chapters(items):
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def safe(text):
    """Set formulas, whose text Markdown must leave alone."""
    text = re.sub(r"<annotation.*?</annotation>", "", text, flags=re.S).replace("\n", " ")
    escape = lambda match: re.sub(r"[\\`*_\[\]|~$]", lambda c: f"&#{ord(c.group(0))};", match.group(0))
    return re.sub(r">[^<]+<", escape, text)


def within(text, page):
    """Links that leave the book, to README.md say, are text in it."""

    def kept(link):
        target = link.group(2).partition("#")[0]
        if "://" in target or not target or (DOCS / (page or "")).parent.joinpath(target).resolve().is_relative_to(DOCS):
            return link.group(0)
        return link.group(1)

    return re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", kept, text)


def set_formulas(texts, folder):
    done = subprocess.run(
        ["node", "-e", SETTER, str(folder)], input=json.dumps(texts), text=True, stdout=subprocess.PIPE, check=True
    )
    return [safe(text) for text in json.loads(done.stdout)]


def preprocess():
    """The preprocessor of mdBook: https://rust-lang.github.io/mdBook/for_developers/preprocessors.html"""
    if sys.argv[2:3] == ["supports"]:
        return 0 if sys.argv[3] == "html" else 1
    _, book = json.load(sys.stdin)
    folder = katex()
    every = list(chapters(book.get("items", book.get("sections"))))
    formulas = [formula for chapter in every for formula in formulas_of(chapter["content"])]
    if folder is None:
        print("KaTeX is not installed (.ci/book install): formulas stay as they are written", file=sys.stderr)
    done = iter(set_formulas(formulas, folder) if folder else [])

    def replaced(match):
        if match.group("fence") or match.group("code"):
            return match.group(0)
        if folder is None:
            return f"`{match.group(0)}`"
        return f"\n\n<div class=\"formula\">{next(done)}</div>\n\n" if match.group("display") else next(done)

    for chapter in every:
        chapter["content"] = within(FORMULA.sub(replaced, chapter["content"]), chapter.get("path"))
    json.dump(book, sys.stdout)
    return 0


def formulas_of(text):
    found = (match for match in FORMULA.finditer(text) if match.group("display") or match.group("inline"))
    return [[match.group("display") or match.group("inline"), match.group("display") is not None] for match in found]


def check_formulas(folder):
    """Whether KaTeX takes every formula; it prints those that it does not take."""
    formulas = [formula for path in pages() for formula in formulas_of(path.read_text())]
    try:
        set_formulas(formulas, folder)
    except subprocess.CalledProcessError:
        return ["KaTeX does not take the formulas above"]
    print(f"KaTeX takes {len(formulas)} formulas")
    return []
