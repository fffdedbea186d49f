"""A unit under FMPy by co-simulation, u = 1 from the start, and a run of fourbar: equal but for the round-off of
the lengths of steps, which FMPy and fourbar take as differences of their own times.

usage: compare.py FMU CSV
"""

import csv
import sys

import fmpy
import numpy as np

unit, table = sys.argv[1:3]
with open(table, newline="") as file:
    head, *rows = csv.reader(file)
column = next(k for k, name in enumerate(head) if name.split(" [")[0] == "lag.x")
own = [float(row[column]) for row in rows]
ones = np.array([(0.0, 1.0), (2.0, 1.0)], dtype=[("time", float), ("u", float)])
result = fmpy.simulate_fmu(
    unit, stop_time=1.0, output_interval=0.1, step_size=0.1, input=ones, start_values={"rate": 3.0}, output=["x"]
)
theirs = list(result["x"])
assert len(own) == len(theirs)
assert all(abs(a - b) <= 4e-16 for a, b in zip(own, theirs)), f"{unit}: {own} and {theirs}"
