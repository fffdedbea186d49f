"""Results of a run: columns over time as NumPy arrays, by name, with units."""

from __future__ import annotations

import copy
import html
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional

import numpy as np

from ._abi import Matrix, PathLike, Vector, check, encode, lib
from .errors import NoSuchNameError, StateError

if TYPE_CHECKING:
    import pandas

__all__ = ["Results"]

_AXES = ("x", "y", "z")


class Results(Mapping[str, Vector]):
    """Columns over time.

    ``results["angle"]`` is the array of a scalar, shape (rows,); ``results["tip"]`` that of a vector whose columns are ``tip.x``, ``tip.y``
    and ``tip.z``, shape (rows, 3). ``results.time`` has the times [s]. Iteration goes over the names of columns.
    """

    def __init__(
        self,
        time: Vector,
        columns: Mapping[str, Vector],
        units: Mapping[str, str],
        *,
        title: str = "",
        summary: Optional[dict[str, Any]] = None,
        run: Any = None,
        bodies: bool = False,
    ) -> None:
        self.time = time
        self.title = title
        self.units = dict(units)
        self.summary: dict[str, Any] = summary or {}
        """What ``fourbar run --json`` prints: status, end time, last values, violations, statistics, warnings (docs/running.md)."""
        self._columns = dict(columns)
        self._run = run
        self._bodies = bodies

    def __getstate__(self) -> dict[str, Any]:
        """All but the run in the library, which stays in its process: a pickle has the columns, units and summary."""
        return {**self.__dict__, "_run": None, "_bodies": False}

    def __copy__(self) -> Results:
        own = type(self).__new__(type(self))
        own.__dict__.update(self.__dict__)
        own.units, own.summary, own._columns = dict(self.units), dict(self.summary), dict(self._columns)
        return own

    def __deepcopy__(self, memo: dict[int, Any]) -> Results:
        own = self.__copy__()
        own.time, own.summary = self.time.copy(), copy.deepcopy(self.summary, memo)
        own._columns = {name: column.copy() for name, column in self._columns.items()}
        return own

    def __getitem__(self, name: str) -> Vector:
        """A column, or the three columns of a vector as an array of shape (rows, 3).

        Raises NoSuchNameError, which names what there is."""
        if name in self._columns:
            return self._columns[name]
        parts = [f"{name}.{axis}" for axis in _AXES]
        if all(part in self._columns for part in parts):
            return np.column_stack([self._columns[part] for part in parts])
        raise NoSuchNameError(f'there is no column "{name}"; there are {", ".join(self._columns) or "none"}')

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns or all(f"{name}.{axis}" in self._columns for axis in _AXES)

    def unit(self, name: str) -> str:
        """The unit of a column or vector; empty for a bare number."""
        own = name if name in self.units else f"{name}.x"
        if own not in self.units:
            raise NoSuchNameError(f'there is no column "{name}"; there are {", ".join(self._columns) or "none"}')
        return self.units[own]

    def reaction(self, name: str) -> Matrix:
        """Force [N] and torque [N m] over time of a joint, motion or force on the body of its marker I, about the origin of I, in global axes: shape
        (rows, 6).

        They are there where the run was asked for them: ``run(reactions=["A"])``, or ``reactions=True`` for those of all joints."""
        parts = [f"{name}.{quantity}" for quantity in ("force", "torque")]
        if not all(part in self for part in parts):
            raise NoSuchNameError(f'there is no reaction of "{name}"; run with reactions=["{name}"]')
        return np.hstack([self[part] for part in parts])

    @property
    def status(self) -> str:
        """``"done"``, ``"interrupted"`` or ``"failed"``."""
        return str(self.summary.get("status", "done"))

    @property
    def warnings(self) -> list[str]:
        """What whoever uses the results should know."""
        return list(self.summary.get("warnings", []))

    @property
    def statistics(self) -> dict[str, Any]:
        """Steps, evaluations, factorizations, energy balance."""
        return dict(self.summary.get("statistics", {}))

    def to_pandas(self, units: bool = False) -> pandas.DataFrame:
        """A table with a column for each column and the time [s] as its index; with ``units`` columns are named ``"angle [rad]"``.

        Needs pandas."""
        import pandas

        names = {name: f"{name} [{self.units[name]}]" if units and self.units.get(name) else name for name in self._columns}
        index = pandas.Index(self.time, name="time [s]" if units else "time")
        return pandas.DataFrame({names[name]: column for name, column in self._columns.items()}, index=index)

    def write_csv(self, path: PathLike) -> None:
        """Writes the file that ``fourbar run --out`` writes. Raises FileError; StateError for results that are not of a run."""
        check(lib.fourbar_run_write_csv(self._of_run(), encode(str(path), "path")))

    def write_report(self, path: PathLike) -> None:
        """Writes a page with plots, tables and settings, which opens offline. Raises as :meth:`write_csv`."""
        check(lib.fourbar_run_write_report(self._of_run(), encode(str(path), "path")))

    def _report(self) -> str:
        """The page of :meth:`write_report` as text."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.html"
            self.write_report(path)
            return path.read_text(encoding="utf-8")

    def view(self) -> Path:
        """Opens the report in a browser: the bodies in motion beside the curves, with one time for both. Returns its file, which stays for the browser.

        Raises as :meth:`write_csv`."""
        path = Path(tempfile.mkdtemp(prefix="fourbar-")) / "report.html"
        self.write_report(path)
        webbrowser.open(path.as_uri())
        return path

    def _of_run(self) -> Any:
        if self._run is None:
            raise StateError("these results are not those of a run of this process; write them by to_pandas().to_csv(path), or write the file where they were made")
        return self._run

    def __repr__(self) -> str:
        return f"<Results of {self.title!r}: {len(self.time)} rows, {self.status}: {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        """The bodies in motion beside the curves where the run kept them, else the last values, for a notebook."""
        if self._bodies:
            page = self._report()
            # A model without bodies, as a linear system, has none to show.
            if 'id="packed-animation"' in page:
                box = 'style="border: 0; height: 760px; width: 100%" sandbox="allow-scripts allow-downloads"'
                return f'<iframe title="{html.escape(self.title)}" {box} srcdoc="{html.escape(page)}"></iframe>'
        return self._table()

    def _table(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{column[-1]:.6g}</td><td>{html.escape(self.units.get(name, ''))}</td></tr>"
            for name, column in self._columns.items()
            if len(column)
        )
        last = f"t = {self.time[-1]:g} s" if len(self.time) else "no rows"
        told = "".join(f"<p>warning: {html.escape(warning)}</p>" for warning in self.warnings)
        head = f"<caption>{html.escape(self.title)}: {len(self.time)} rows, {self.status} at {last}</caption>"
        return f"<table>{head}<tr><th>column</th><th>last value</th><th>unit</th></tr>{rows}</table>{told}"
