#!/usr/bin/env python3
"""The tables of docs/accuracy.md under "Results", made of what `fourbar accuracy` prints.

    cargo build --release -p fourbar-app
    target/release/fourbar accuracy --all --repeats 1 --quiet > accuracy.txt
    python3 examples/accuracy/tables.py accuracy.txt docs/accuracy.md

rewrites them in place, and says what is left to be written by hand: the sentences about them. Columns of times are left out, which follow the
machine; all others are the same on every machine but for round-off. Needs Python 3.9 or newer alone.
"""

import re
import sys
from math import exp, log
from pathlib import Path

TOLERANCES = ("1e-6", "1e-8", "1e-10")
# Methods of the table of Andrews' mechanism, and of that at equal error: equations of first order stand in the column of `si2`.
ANDREWS = ("gstiff i3", "gstiff si2", "gstiff si1", "wstiff si2", "dstiff si2", "hht si2", "rkf45 partitioned", "abam partitioned")
EQUAL = ("gstiff i3", "gstiff si2", "gstiff si1", "wstiff si2", "dstiff si2", "hht si2", "rkf45", "abam")
STEPS = ("1e-2 s", "1e-3 s", "1e-4 s")


def tables(text):
    """Of each table its title, its header and its rows."""
    found, title, lines = [], "", text.split("\n")
    for before, line in zip([""] + lines, lines):
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not before.startswith("|"):
                found.append((title, cells, []))
            elif not re.fullmatch(r"-+:?", cells[0]):
                found[-1][2].append(cells)
        elif line.strip():
            title = line
    return found


def row(cells):
    return "| " + " | ".join(cells) + " |"


def andrews(found):
    """Rows of Andrews' mechanism, without the column of times."""
    header, rows = next((header, rows) for title, header, rows in found if title.startswith("andrews: "))
    return [row(own[: header.index("ms")]) for name in ANDREWS for own in rows if own[0] == name and own[1] in TOLERANCES]


def factorizations(found):
    """Of each problem and method the errors and factorizations by tolerance."""
    of = {}
    for title, header, rows in found:
        main = next((name for name in ("position", "state") if name in header), None)
        if main and "factorizations" in header and "tolerance" in header[1]:
            for own in (own for own in rows if own[header.index(main)] not in ("failed", "", "0")):
                numbers = [float(own[header.index(name)]) for name in (main, "factorizations")]
                of.setdefault((title.split(":")[0], own[0]), []).append(numbers)
    return of


def equal(found):
    """Evaluations at the error 1e-6 as printed, and factorizations by the same interpolation."""
    runs, lines = factorizations(found), []
    for title, header, rows in found:
        if not title.endswith(": work at equal error"):
            continue
        problem = title.split(":")[0]
        own = next((own for own in rows if own[0] == "1e-6"), [])
        cells = {}
        for name, cell in zip(header[1:], own[1:]):
            series = name.split(" [")[0]
            evaluations = re.search(r"\((\d+)\)", cell)
            if evaluations:
                cells[place(series)] = f"{evaluations[1]} ({between(runs.get((problem, series), []))})"
        if any(name.split(" [")[0].split(" ")[0] in ("gstiff", "abam") for name in header[1:]):
            lines.append(row([f"`{problem}`", *(cells.get(name, "") for name in EQUAL)]))
    return lines


def place(series):
    """The column of a series."""
    integrator, _, formulation = series.partition(" ")
    if integrator in ("rkf45", "abam"):
        return integrator
    return f"{integrator} si2" if formulation in ("first_order", "") else series


def between(points, error=1e-6):
    """Factorizations for an error, as `fourbar accuracy` reads work between two runs (src/accuracy/equal.rs)."""
    best = []
    for (e0, w0), (e1, w1) in zip(points, points[1:]):
        if e0 != e1:
            part = (log(error) - log(e0)) / (log(e1) - log(e0))
            if 0 <= part <= 1:
                best.append(exp(log(w0) + part * (log(w1) - log(w0))) if w0 > 0 and w1 > 0 else w1)
    return round(min(best)) if best else 0


def steps(found):
    """Errors of positions of methods with a step."""
    lines = []
    for problem in ("lti_two_mass", "bouncing_ball"):
        header, rows = next((header, rows) for title, header, rows in found if title.startswith(f"{problem}: ") and "at equal" not in title)
        names = list(dict.fromkeys(own[0] for own in rows if own[1] in STEPS))
        errors = {(own[0], own[1]): own[header.index("position")] for own in rows}
        lines += [row([f"`{name}`", *(errors.get((name, step), "") for step in STEPS)]) for name in names]
    return lines


def formulations(found):
    """Geometric means of `gstiff`."""
    _, _, rows = next(table for table in found if table[0].startswith("formulations: "))
    return [row(own) for own in rows if own[0].startswith("gstiff ")]


def references(found):
    """Which references are met."""
    rows = next(rows for _, header, rows in found if header[:2] == ["problem", "met by"])
    plain = lambda text: re.sub(r"\b(rkf45|abam) partitioned|\b(\w+) first_order", lambda m: m[1] or m[2], text)
    return [row([f"`{own[0]}`", *(plain(cell) for cell in own[1:])]) for own in rows]


# How each table of the page begins.
PLACES = (
    ("| method | tolerance | position | velocity | acceleration | multiplier | digits |", andrews),
    ("| problem | `gstiff i3` |", equal),
    ("| method | 1e-2 s |", steps),
    ("| method | tolerance | problems |", formulations),
    ("| problem | met by |", references),
)


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    text, page = Path(sys.argv[1]).read_text(), Path(sys.argv[2])
    found, lines = tables(text), page.read_text().split("\n")
    for begin, make in PLACES:
        at = next(k for k, line in enumerate(lines) if line.startswith(begin))
        end = next(k for k in range(at, len(lines)) if not lines[k].startswith("|"))
        lines[at + 2 : end] = make(found)
    page.write_text("\n".join(lines))
    print(text.split("\n")[0])
    print(*(line for line in text.split("\n") if line.startswith("references met")), sep="\n")
    print('Beside the tables of "Results", look over the sentences about them, the commit, and README.md.')
    return 0


if __name__ == "__main__":
    sys.exit(main())
