"""Lengths of sentences."""

import re

from pages import pages, short, without_code

LONGEST = 40
ABBREVIATIONS = r"(?:e\.g|i\.e|cf|vs|al|eq|Eq|fig|Fig|no|approx|resp|vol|Vol|pp|p|J|M|Appl|Math|ed|St)"


def paragraphs(text):
    """Pieces of prose: paragraphs, items of lists, headings, cells of tables."""
    text = re.sub(r"<!--.*?-->", "", without_code(text), flags=re.S)
    text = re.sub(r"\$\$.+?\$\$", " formula ", text, flags=re.S)
    text = re.sub(r"\$[^$\n]+(?:\n[^$\n]+)?\$", "formula", text)
    text = re.sub(r"`[^`]*`(?: +`[^`]*`)*", "code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    piece = []
    for line in text.split("\n"):
        bare = line.strip()
        table = bare.startswith("|")
        begins = table or re.match(r"([-*+]|\d+[.)])\s|#{1,6}\s|>|```|<", bare) or line.startswith("    ")
        if not bare or begins:
            if piece:
                yield " ".join(piece)
            piece = []
        if table:
            yield from (cell for cell in bare.strip("|").split("|") if re.search(r"\w", cell))
        elif line.startswith("    ") and not re.match(r"\s*([-*+]|\d+[.)])\s", line):
            continue
        elif bare:
            piece.append(re.sub(r"^([-*+]|\d+[.)]|#{1,6}|>)\s+", "", bare))
    if piece:
        yield " ".join(piece)


def split(text):
    text = re.sub(rf"\b{ABBREVIATIONS}\.", lambda match: match.group(0)[:-1], text)
    for sentence in re.split(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_]*[A-Z0-9\w])", text):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if words:
            yield len(words), sentence


def sentences():
    wrong = []
    print(f"{'page':<34} {'sentences':>9} {'mean':>6} {'longest':>8}")
    for path in pages():
        lengths = []
        for piece in paragraphs(path.read_text()):
            for count, sentence in split(piece):
                if count > 3:
                    lengths.append(count)
                if count > LONGEST:
                    wrong.append(f"{short(path)}: {count} words: {sentence}")
        if lengths:
            print(f"{short(path):<34} {len(lengths):>9} {sum(lengths) / len(lengths):>6.1f} {max(lengths):>8}")
    return wrong
