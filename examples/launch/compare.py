#!/usr/bin/env python3
"""How far two runs are apart: for each column that both tables have, the largest difference over the largest value, of rows at equal times.

    examples/launch/compare.py ONE.csv OTHER.csv [COLUMN ...]
"""

import csv
import sys


def read(path):
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    return names, {round(float(row[0]), 9): [float(field) for field in row] for row in rows}


def main():
    (names, one), (others, other) = map(read, sys.argv[1:3])
    times = sorted(one.keys() & other.keys())
    for name in names[1:]:
        if name not in others or not (len(sys.argv) == 3 or any(name.startswith(asked) for asked in sys.argv[3:])):
            continue
        a, b = names.index(name), others.index(name)
        size = max(abs(one[t][a]) for t in times) or 1.0
        print(f"{name}: {max(abs(one[t][a] - other[t][b]) for t in times) / size:.1e}")


if __name__ == "__main__":
    main()
