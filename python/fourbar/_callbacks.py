"""Functions of the caller: what they raise is kept, stops the call, and comes out of it as itself."""

from __future__ import annotations

import threading
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib
from .errors import LengthError, OutsideDomain

_kept = threading.local()


def take_thrown() -> Optional[BaseException]:
    """What a callback on this thread raised since the last call, which is forgotten."""
    thrown: Optional[BaseException] = getattr(_kept, "thrown", None)
    _kept.thrown = None
    return thrown


def callback(kind: str, function: Callable[..., None]) -> Any:
    """The function as a pointer for the library: it lives as long as this object."""
    return ffi.callback(kind, _guarded(function), error=-1, onerror=_keep)


def _keep(_kind: Any, raised: BaseException, _traceback: Any) -> None:
    """What came between the instructions of the guard: Ctrl-C."""
    _kept.thrown = raised


def _guarded(function: Callable[..., None]) -> Callable[..., int]:
    """The function with the status that the library expects: 0, 1 outside its domain, -1 where it raised."""

    def run(*arguments: Any) -> int:
        try:
            function(*arguments)
            return 0
        except OutsideDomain as reason:
            lib.fourbar_callback_error(_reason(reason))
            return 1
        except BaseException as reason:  # KeyboardInterrupt too: it comes out of the call
            _kept.thrown = reason
            lib.fourbar_callback_error(_reason(reason))
            return -1

    return run


def _reason(reason: BaseException) -> bytes:
    said = f"{type(reason).__name__}: {reason}" if str(reason) else type(reason).__name__
    return said.replace("\0", " ").encode("utf-8", "replace")


def read(pointer: Any, count: int) -> npt.NDArray[np.float64]:
    """A copy of `count` doubles, which may outlive the call."""
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=np.float64).copy() if count else np.empty(0)


def write(pointer: Any, count: int, values: Any, what: str) -> None:
    """What a function gave, into the array of the library."""
    given = np.asarray(values, dtype=np.float64)
    if given.size != count:
        raise LengthError(f"'{what}' gives {given.size} values; it must give {count}")
    if count:
        np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=np.float64)[:] = given.reshape(-1)
