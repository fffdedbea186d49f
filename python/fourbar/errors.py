"""Exceptions: one class for each status of the library.

Each carries what the library said, as a whole and in parts:

========== =======================================================================================
``text``   the whole message
``name``   the argument, field or element that it is about, or None
``value``  the value that was refused, as text, or None
``place``  file, line and column (``"model.toml:12:3"``), or the time (``"t = 0.5"``), or None
``remedy`` what to do, or None
``status`` the number of the status in C (``docs/c-abi.md``)
========== =======================================================================================
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .results import Results

__all__ = [
    "BusyError",
    "CallbackError",
    "FileError",
    "FourbarError",
    "InternalError",
    "InterruptedCallError",
    "InvalidTypeError",
    "InvalidValueError",
    "LengthError",
    "NoSuchNameError",
    "NotFiniteError",
    "NumberOverflowError",
    "NumericalError",
    "OutsideDomain",
    "RunFailedError",
    "StateError",
    "TextError",
    "UnsupportedError",
]

_NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|NaN|nan|-?inf)"
_PLACE = re.compile(r"^(?P<place>[^\n]*?:\d+:\d+): ")
_TIME = re.compile(rf"\bt = (?P<time>{_NUMBER})")
_NAME = re.compile(r"""'([^'\s]+)'|`([^`]+)`|\b[a-z]+ "([^"]+)\"""")
_BARE_NAME = re.compile(rf"^([a-z_][a-z0-9_.]*) is (?:{_NUMBER}|\")")
_VALUE = re.compile(rf"""\b(?:is|has length|has shape|holds|gives|found) (?P<value>{_NUMBER}|"[^"]*"|\([^)]*\))""")
_REMEDY_LINE = re.compile(r"^\s*= (?P<remedy>.+)\s*$", re.MULTILINE)


class FourbarError(Exception):
    """What the library refuses or cannot do. Its parts are described in :mod:`fourbar.errors`."""

    status: int = 0

    def __init__(self, text: str, status: Optional[int] = None) -> None:
        super().__init__(text)
        self.text = text
        if status is not None:
            self.status = status
        place = _PLACE.match(text)
        time = _TIME.search(text)
        self.place: Optional[str] = place["place"] if place else f"t = {time['time']}" if time else None
        said = text[place.end() :] if place else text
        bare, name = _BARE_NAME.match(said), _NAME.search(said)
        self.name: Optional[str] = bare[1] if bare else next((part for part in name.groups() if part), None) if name else None
        value = _VALUE.search(said)
        self.value: Optional[str] = value["value"].strip('"') if value else None
        self.remedy: Optional[str] = _remedy(said)

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type, tuple[str, int]]:
        return type(self), (self.text, self.status)


def _remedy(text: str) -> Optional[str]:
    line = _REMEDY_LINE.search(text)
    if line:
        return line["remedy"]
    _, found, after = text.partition("; ")
    if found:
        return after
    must = re.search(r"\b(?:it|but) must (?P<be>.+)$", text)
    return f"it must {must['be']}" if must else None


class InvalidTypeError(FourbarError, TypeError):
    """An argument is of the wrong type, or missing (``FOURBAR_NULL``)."""

    status = 1


class InvalidValueError(FourbarError, ValueError):
    """A value is out of its range, or a model is not valid (``FOURBAR_INVALID``)."""

    status = 2


class LengthError(FourbarError, ValueError):
    """An array has the wrong length or shape (``FOURBAR_LENGTH``)."""

    status = 4


class StateError(FourbarError, RuntimeError):
    """The call does not fit the state of the object: the text says what has to come first (``FOURBAR_STATE``)."""

    status = 5


class NotFiniteError(FourbarError, ValueError):
    """A number is NaN or infinite (``FOURBAR_NOT_FINITE``)."""

    status = 6


class BusyError(FourbarError, RuntimeError):
    """The object is in use by another thread, or by the call that called this function (``FOURBAR_BUSY``)."""

    status = 7


class TextError(FourbarError, ValueError):
    """A text cannot be passed: it is not UTF-8, or has a NUL inside (``FOURBAR_TEXT``)."""

    status = 8


class NoSuchNameError(FourbarError, KeyError):
    """A name that the object does not have (``FOURBAR_NO_SUCH_NAME``)."""

    status = 9


class NumberOverflowError(FourbarError, OverflowError):
    """A number left the range of double (``FOURBAR_OVERFLOW``)."""

    status = 10


class NumericalError(FourbarError, ArithmeticError):
    """The problem is singular, or an iteration did not converge (``FOURBAR_NUMERICAL``)."""

    status = 11


class RunFailedError(NumericalError):
    """A run failed half way; ``results`` holds the rows before that."""

    results: Optional[Results] = None


class UnsupportedError(FourbarError, RuntimeError):
    """What is asked for does not exist for an object of this kind (``FOURBAR_UNSUPPORTED``)."""

    status = 12


class CallbackError(FourbarError, RuntimeError):
    """A function of the caller gave NaN or infinity where no shorter step avoids it (``FOURBAR_CALLBACK``).

    What a function raises comes out as itself, not as this."""

    status = 13


class FileError(FourbarError, OSError):
    """A file or library cannot be opened, read or written (``FOURBAR_FILE``)."""

    status = 14


class InterruptedCallError(FourbarError, RuntimeError):
    """A call was ended by SIGINT under a handler that raises nothing; with Python's own handler it is KeyboardInterrupt."""

    status = 15


class InternalError(FourbarError, RuntimeError):
    """An error inside fourbar: please report it. The object is of no further use (``FOURBAR_PANIC``, ``FOURBAR_POISONED``)."""

    status = 100


class OutsideDomain(Exception):
    """Raise this in a function that is asked for a point outside its domain: the step is repeated with a shorter one."""


_CLASSES: dict[int, type[FourbarError]] = {
    kind.status: kind
    for kind in (
        InvalidTypeError,
        InvalidValueError,
        LengthError,
        StateError,
        NotFiniteError,
        BusyError,
        TextError,
        NoSuchNameError,
        NumberOverflowError,
        NumericalError,
        UnsupportedError,
        CallbackError,
        FileError,
        InterruptedCallError,
        InternalError,
    )
}


def of_status(status: int, text: str) -> FourbarError:
    """The exception of a status; a status without a class of its own is an InternalError."""
    return _CLASSES.get(status, InternalError)(text, status)
