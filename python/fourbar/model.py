"""Models: from files, from text, or built in code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from . import _run, _toml, errors
from ._abi import PathLike, call, check, encode, ffi, lib, make, texts
from ._building import Building
from ._callbacks import callback, read, write
from ._run import Setting
from .mechanism import Mechanism, compiled
from .results import Results

__all__ = ["Model"]

ForceFunction = Callable[..., Any]
MotionFunction = Callable[[float], Sequence[float]]

_KIND = re.compile(r'^\s*type\s*=\s*["\'](\w+)["\']', re.MULTILINE)
_NAME = re.compile(r'^\s*name\s*=\s*"([^"]*)"', re.MULTILINE)


class Model(Building):
    """A model of any type: a mechanism, a linear system, a circuit or a coupled model.

    Built in code it is a mechanism. Its methods write the sections of a model file (docs/model-format.md): what a field means, and which units
    it has, is said there, and :meth:`to_toml` shows what was written. Numbers may be texts that are expressions of parameters.

    >>> model = Model("pendulum", gravity=(0, -9.81, 0))
    >>> model.bar("rod", (0, 0), (1, 0), mass=1.0)
    >>> model.revolute("pivot", "rod", "ground")
    >>> model.measure("angle", "angle", i="rod")
    >>> model.run(end=2.0)["angle"][-1]
    """

    def __init__(
        self,
        name: str = "",
        *,
        gravity: Sequence[Union[float, str]] = (0, 0, 0),
        units: Optional[str] = None,
        description: Optional[str] = None,
        parameters: Optional[Mapping[str, Union[float, str]]] = None,
        simulation: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._text = ""
        self._file: Optional[str] = None
        self._head: dict[str, Any] = {"name": name, "description": description, "units": units, "gravity": list(gravity)}
        self._tables: dict[str, dict[str, Any]] = {"parameters": dict(parameters or {}), "simulation": dict(simulation or {})}
        self._sections: list[tuple[str, dict[str, Any]]] = []
        self._forces: dict[str, tuple[list[str], ForceFunction, Optional[ForceFunction], int]] = {}
        self._motions: dict[str, MotionFunction] = {}
        self._set: dict[str, float] = {}

    @classmethod
    def from_toml(cls, text: str, file: Optional[PathLike] = None) -> Model:
        """A model from the text of a model file. ``file`` is its name in messages; files that it names are sought in the folder of that.

        The text is read by :meth:`check`, :meth:`compile` and :meth:`run`."""
        encode(text, "text")
        model = cls()
        model._text, model._file = text, None if file is None else str(file)
        model._head = {}
        return model

    @classmethod
    def from_file(cls, path: PathLike) -> Model:
        """A model from a file. Raises FileError."""
        try:
            text = Path(path).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise errors.FileError(f"cannot read {path}: {error}") from None
        return cls.from_toml(text, path)

    def __copy__(self) -> Model:
        own = type(self).__new__(type(self))
        own.__dict__.update(self.__dict__)
        own._head, own._set, own._forces, own._motions = dict(self._head), dict(self._set), dict(self._forces), dict(self._motions)
        own._tables = {name: dict(table) for name, table in self._tables.items()}
        own._sections = [(section, dict(fields)) for section, fields in self._sections]
        return own

    # ---- what it is

    @property
    def kind(self) -> str:
        """``"mechanism"``, ``"linear"``, ``"circuit"`` or ``"coupled"``."""
        found = _KIND.search(self._text.split("\n[", 1)[0])
        return found[1] if found else "mechanism"

    @property
    def title(self) -> str:
        """The ``name`` at the top."""
        found = _NAME.search(self._text.split("\n[", 1)[0])
        return found[1] if found else str(self._head.get("name", ""))

    def to_toml(self) -> str:
        """The model as the text of a model file. Functions of Python are not in it; neither are values of :meth:`set`."""
        parts = [_toml.section("", {name: own for name, own in self._head.items() if own not in (None, "", [])}).lstrip("\n")] if self._head else []
        parts += [_toml.section(f"[{name}]", table) for name, table in self._tables.items() if table]
        parts += [_toml.section(f"[[{name}]]", fields) for name, fields in self._sections]
        added = "\n".join(part for part in parts if part.strip())
        return f"{self._text.rstrip()}\n\n{added}" if self._text and added else self._text or added

    def add(self, section: str, **fields: Any) -> None:
        """Adds an entry ``[[section]]`` with these fields (None: left out): any section of the format, such as ``"force"`` or ``"contact"``."""
        for name, own in fields.items():
            if own is not None:
                _toml.value(own, name)
        self._sections.append((section, fields))

    def set(self, **parameters: float) -> None:
        """Gives parameters of a mechanism other values for the runs from now on, as ``--set`` does. Raises for a value that is no number."""
        for name, own in parameters.items():
            try:
                self._set[name] = float(own)
            except (TypeError, ValueError):
                raise errors.InvalidTypeError(f"'{name}' is {own!r}; give a number") from None

    # ---- functions of the caller

    def force_function(
        self, name: str, arguments: Sequence[str], function: ForceFunction, *, components: int = 1, partials: Optional[ForceFunction] = None
    ) -> None:
        """Lets the force ``name`` of the model be computed by ``function(t, *arguments)`` [N, N m].

        ``arguments`` are names of measures and inputs. It returns one number, or ``components`` of them: 3 of a force or torque, 6 of a gforce.
        ``partials`` returns the derivatives, shape (arguments, components); without it they are differenced."""
        if components not in (1, 3, 6):
            raise errors.InvalidValueError(f"'components' is {components}; it must be 1, 3 or 6")
        if isinstance(arguments, str):
            raise errors.InvalidTypeError(f"'arguments' is {arguments!r}; give a list of names")
        _callable(function, "function")
        self._forces[name] = (list(arguments), function, partials, components)

    def motion_function(self, name: str, function: MotionFunction) -> None:
        """Lets the motion ``name`` of the model be computed by ``function(t)``: what it prescribes, and its first and second derivative."""
        _callable(function, "function")
        self._motions[name] = function

    # ---- what is done with it

    def check(self) -> Mechanism:
        """Compiles and assembles a mechanism, and says what it contains: shown as a table in a notebook. The same as :meth:`compile`."""
        return self.compile()

    def compile(self) -> Mechanism:
        """The compiled mechanism. Raises InvalidValueError naming what is wrong, where, and what to do; UnsupportedError for other types of model."""
        handle, kept = self._in_c(self.to_toml())
        return compiled(handle, kept, self.title)

    def run(
        self,
        end: Optional[float] = None,
        *,
        output_step: Optional[float] = None,
        reactions: Union[bool, Iterable[str]] = False,
        bodies: bool = True,
        **settings: Setting,
    ) -> Results:
        """Runs a model of any type from t = 0 to ``end`` [s], with an output each ``output_step`` [s].

        The settings are those of ``fourbar run``, in place of those of the model (docs/running.md): ``tolerance``, ``integrator``, ``formulation``,
        ``max_step``, ``max_order``, ``max_steps``, ``contacts``, ``step``, ``method``, ``order``, ``algorithm``, ``alpha``, ``rho_infinity``.
        ``reactions`` names joints whose :meth:`Results.reaction` is wanted; True: those of all joints.
        With ``bodies`` the results keep where the bodies are, and a notebook shows them in motion.

        Raises InvalidValueError for a model or setting that is not valid, RunFailedError (with the rows before it) for a run that fails half way.
        What a function of the caller raises comes out as itself. The GIL is released while the library computes."""
        text = self.to_toml() + self._reactions(reactions)
        own: dict[str, Setting] = {"end": end, "output_step": output_step, **settings}
        if self._forces or self._motions or self._set:
            handle, kept = self._in_c(text)
            run = _run.open_run(lib.fourbar_run_from_model, (handle,), own, bodies)
            results = _run.execute(run, self.title, bodies)
            del kept
            return results
        file = ffi.NULL if self._file is None else ffi.new("char[]", encode(self._file, "file"))
        run = _run.open_run(lib.fourbar_run_from_toml, (encode(text, "text"), file), own, bodies)
        return _run.execute(run, self.title, bodies)

    def _reactions(self, wanted: Union[bool, Iterable[str]]) -> str:
        """Measures of reactions, as text."""
        if wanted is False or wanted is None:
            return ""
        if isinstance(wanted, str):
            raise errors.InvalidTypeError(f"'reactions' is {wanted!r}; give a list of names, or True")
        names = self.compile().joints if wanted is True else tuple(wanted)
        added = []
        for name in names:
            for quantity in ("force", "torque"):
                fields = {"name": f"{name}.{quantity}", "type": "reaction", "joint": name, "quantity": quantity}
                added.append(_toml.section("\n[[measure]]", fields))
        return "".join(added)

    def _in_c(self, text: str) -> tuple[Any, list[Any]]:
        """The model in C with its functions, and what keeps these alive."""
        encoded = encode(text, "text")
        name = encode(self._file or "model.toml", "file")
        handle = make("fourbar_model", lib.fourbar_model_from_toml, encoded, len(encoded), name, free=lib.fourbar_model_free)
        for parameter, own in self._set.items():
            call(lib.fourbar_model_set_parameter, handle, encode(parameter, "name"), own)
        kept: list[Any] = []
        for force, (arguments, function, partials, components) in self._forces.items():
            value = _force_callback(function, force, components, 1)
            slopes = ffi.NULL if partials is None else _force_callback(partials, f"partials of {force}", components, len(arguments))
            pointers, names = texts(arguments, "arguments")
            check(
                lib.fourbar_model_set_force_function(
                    handle, encode(force, "name"), pointers, len(arguments), value, slopes, ffi.NULL
                )
            )
            kept += [value, slopes, names]
        for motion, law in self._motions.items():
            prescribed = _motion_callback(law, motion)
            check(lib.fourbar_model_set_motion_function(handle, encode(motion, "name"), prescribed, ffi.NULL))
            kept.append(prescribed)
        return handle, kept

    def __repr__(self) -> str:
        return f"<Model {self.title!r}: {self.kind}>"


def _callable(function: object, name: str) -> None:
    if not callable(function):
        raise errors.InvalidTypeError(f"'{name}' is {function!r}; give a function")


def _force_callback(function: ForceFunction, name: str, components: int, times: int) -> Any:
    def run(_user: Any, time: float, arguments: Any, count: int, value: Any) -> None:
        write(value, components * times, function(time, *read(arguments, count).tolist()), name)

    return callback("fourbar_force_function", run)


def _motion_callback(function: MotionFunction, name: str) -> Any:
    def run(_user: Any, time: float, value: Any) -> None:
        write(value, 3, function(time), name)

    return callback("fourbar_motion_function", run)
