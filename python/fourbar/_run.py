"""Whole runs of models of any type."""

from __future__ import annotations

import json
from typing import Any, Union

import numpy as np

from . import errors
from ._abi import check, encode, ffi, lib, long_call, make, number, read_text, struct
from ._callbacks import take_thrown
from .results import Results

_NUMBERS = ("end", "output_step", "tolerance", "max_step", "step", "alpha", "rho_infinity")
_WORDS = ("integrator", "formulation", "contacts", "method", "algorithm")
_INTEGERS = ("max_steps", "max_order", "order")
SETTINGS = (*_NUMBERS, *_WORDS, *_INTEGERS)
FAILED, INTERRUPTED = 3, 2

Setting = Union[float, int, str, None]


def options(settings: dict[str, Setting], bodies: bool = False) -> tuple[Any, list[Any]]:
    """The settings as a struct, and what keeps its texts alive."""
    made, kept = struct("fourbar_run_options", lib.fourbar_run_options_init), []
    made.bodies = int(bodies)
    for name, given in settings.items():
        if name not in SETTINGS:
            raise errors.InvalidTypeError(f"'{name}' is no setting of a run; there are {', '.join(SETTINGS)}")
        if given is None:
            continue
        if name in _WORDS:
            kept.append(ffi.new("char[]", encode(given, name)))  # type: ignore[arg-type]
            setattr(made, name, kept[-1])
        elif name in _INTEGERS:
            if isinstance(given, bool) or not isinstance(given, (int, np.integer)):
                raise errors.InvalidTypeError(f"'{name}' is {given!r}; give a whole number")
            try:
                setattr(made, name, int(given))
            except OverflowError:
                raise errors.InvalidValueError(f"'{name}' is {given}; give a number that the library can count") from None
        else:
            value = number(given, name)
            # 0 stands for "that of the model" in C; here None does.
            if not np.isfinite(value) or (value == 0.0 and name not in ("alpha", "rho_infinity")):
                raise errors.InvalidValueError(f"'{name}' is {value:g}; give a finite number other than 0")
            setattr(made, name, value)
    return made, kept


def open_run(function: Any, arguments: tuple[Any, ...], settings: dict[str, Setting], bodies: bool = False) -> Any:
    """A run that has not been executed; with ``bodies`` its report shows them in motion."""
    made, kept = options(settings, bodies)
    run = make("fourbar_run", function, *arguments, made, free=lib.fourbar_run_free)
    del kept
    return run


def execute(run: Any, title: str, bodies: bool = False) -> Results:
    """Runs to the end. What a function of the caller raised comes out; else a failure has the rows before it."""
    outcome = ffi.new("int32_t *")
    long_call(lib.fourbar_run_execute, run, outcome)
    thrown = take_thrown()
    if outcome[0] == FAILED and thrown is not None:
        raise thrown
    results = read(run, title, bodies)
    if outcome[0] == FAILED:
        failure = errors.RunFailedError(str(results.summary.get("error", "the run failed")))
        failure.results = results
        raise failure
    if outcome[0] == INTERRUPTED:
        raise errors.InterruptedCallError("the run was interrupted by a signal; run it again")
    return results


def columns(run: Any) -> dict[str, str]:
    """Names of columns and their units."""
    count = ffi.new("size_t *")
    check(lib.fourbar_run_size(run, count, ffi.NULL))
    return {
        read_text(lib.fourbar_run_column_name, run, i): read_text(lib.fourbar_run_column_unit, run, i) for i in range(count[0])
    }


def read(run: Any, title: str, bodies: bool = False) -> Results:
    """The results of a run that was executed."""
    rows = ffi.new("size_t *")
    check(lib.fourbar_run_size(run, ffi.NULL, rows))
    count: int = rows[0]

    def series(function: Any, *before: Any) -> Any:
        values = np.empty(count)
        check(function(*before, ffi.from_buffer("double[]", values), count))
        return values

    units = columns(run)
    own = {name: series(lib.fourbar_run_series, run, i) for i, name in enumerate(units)}
    summary: dict[str, Any] = json.loads(read_text(lib.fourbar_run_summary, run))
    time = series(lib.fourbar_run_times, run)
    return Results(time, own, units, title=str(summary.get("model", title)) or title, summary=summary, run=run, bodies=bodies)
