"""The C ABI as Python calls it: statuses become exceptions, arrays are checked, handles are freed."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _interrupt, errors
from ._callbacks import take_thrown
from ._native import ffi, lib

__all__ = ["ffi", "lib"]

Vector = npt.NDArray[np.float64]
"""One-dimensional array of doubles."""
Matrix = npt.NDArray[np.float64]
"""Two-dimensional array of doubles."""
ArrayLike = npt.ArrayLike
PathLike = Union[str, "os.PathLike[str]"]

OK = 0


def check(status: int) -> None:
    """Raises what a status other than OK says; what a callback raised in the call comes first."""
    if status != OK:
        thrown = take_thrown()
        if thrown is not None:
            raise thrown
        raise errors.of_status(status, text(lib.fourbar_last_error()))


def call(function: Any, *arguments: Any) -> None:
    """A call that may run functions of the caller: one that takes no long time."""
    take_thrown()
    check(function(*arguments))


def long_call(function: Any, *arguments: Any) -> None:
    """A call that may take long: Ctrl-C ends it."""
    take_thrown()
    check(_interrupt.watched(function, arguments))


def text(pointer: Any) -> str:
    """A text of the library."""
    return bytes(ffi.string(pointer)).decode("utf-8", "replace")


def encode(value: str, name: str) -> bytes:
    """A text for the library, with a NUL at its end added by cffi."""
    if not isinstance(value, (str, os.PathLike)):
        raise errors.InvalidTypeError(f"'{name}' is {value!r}; give a text")
    encoded = os.fspath(value).encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise errors.TextError(f"'{name}' has a NUL inside; give a text without")
    return encoded


def read_text(function: Any, *before: Any) -> str:
    """A text that the library copies: asks for its length, then for the text."""
    needed = ffi.new("size_t *")
    status = function(*before, ffi.NULL, 0, needed)
    if status not in (OK, errors.LengthError.status):
        check(status)
    buffer = ffi.new("char[]", max(needed[0], 1))
    check(function(*before, buffer, needed[0], needed))
    return text(buffer)


def read_bytes(function: Any, *before: Any) -> bytes:
    """Bytes that the library copies."""
    needed = ffi.new("size_t *")
    status = function(*before, ffi.NULL, 0, needed)
    if status not in (OK, errors.LengthError.status):
        check(status)
    buffer = ffi.new("uint8_t[]", max(needed[0], 1))
    check(function(*before, buffer, needed[0], needed))
    return bytes(ffi.buffer(buffer, needed[0]))


def make(kind: str, function: Any, *arguments: Any, free: Any, long: bool = True) -> Any:
    """A handle that the library makes, freed with the last reference to it."""
    out = ffi.new(f"{kind} **")
    (long_call if long else call)(function, *arguments, out)
    return ffi.gc(out[0], free)


def struct(kind: str, init: Any) -> Any:
    """A struct of options with its defaults."""
    made = ffi.new(f"{kind} *")
    check(init(made, ffi.sizeof(kind)))
    return made


def array(values: ArrayLike, name: str, dimensions: int, finite: bool = True) -> npt.NDArray[np.float64]:
    """An array of doubles with so many dimensions, contiguous by rows."""
    own = np.ascontiguousarray(reals(values, name))
    given = own if np.ndim(values) else np.asarray(values)
    if own.ndim != dimensions and not (dimensions == 1 and given.ndim == 0):
        raise errors.LengthError(f"'{name}' has shape {given.shape}; it must have {dimensions} dimension{'s' * (dimensions > 1)}")
    if finite and not np.isfinite(own).all():
        at = tuple(int(k) for k in np.argwhere(~np.isfinite(own))[0])
        where = ", ".join(map(str, at))
        raise errors.NotFiniteError(f"'{name}' holds {own[at]} at index {where}; give finite numbers")
    return own


def reals(values: ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """An array of doubles of any shape: no complex numbers, no texts that look like numbers, nothing masked, no times."""
    try:
        if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
            raise TypeError("masked values")
        given = np.asarray(values)
        if given.dtype == np.float64:
            return given
        if given.dtype.kind not in "biufO":
            raise TypeError({"c": "complex numbers", "U": "texts", "S": "texts"}.get(given.dtype.kind, str(given.dtype)))
        if given.dtype.kind == "O" and any(own is None or isinstance(own, (str, bytes)) for own in given.flat):
            raise TypeError("texts, or None")
        return given.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise errors.InvalidTypeError(f"'{name}' is no array of real numbers ({error}); give numbers") from None


def shaped(values: ArrayLike, name: str, shape: tuple[int, ...]) -> Vector:
    """An array of this shape, row after row. Axes of length 1 may be left out or stand elsewhere: the order of the values is the same."""
    own = reals(values, name)
    if own.shape != shape and [k for k in own.shape if k != 1] != [k for k in shape if k != 1]:
        raise errors.LengthError(f"'{name}' has shape {own.shape}, but must have shape {shape}")
    return np.ascontiguousarray(own).reshape(-1)


def vector(values: ArrayLike, name: str, length: Optional[int] = None, finite: bool = True) -> Vector:
    """A vector, of `length` values if that is given. A number stands for a vector of one."""
    own = array(values, name, 1, finite)
    if length is not None and own.shape[0] != length:
        raise errors.LengthError(f"'{name}' has length {own.shape[0]}, but must have length {length}")
    return own


def matrix(values: ArrayLike, name: str, shape: tuple[Optional[int], Optional[int]] = (None, None)) -> Matrix:
    """A matrix of this shape (None: any), column after column as the library wants it."""
    own = array(values, name, 2)
    wanted = tuple(have if want is None else want for have, want in zip(own.shape, shape))
    if own.shape != wanted:
        raise errors.LengthError(f"'{name}' has shape {own.shape}, but must have shape {wanted}")
    return np.asfortranarray(own)


def number(value: Any, name: str) -> float:
    """A number; NaN and infinity are left to the library."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise errors.InvalidTypeError(f"'{name}' is {value!r}; give a number") from None


def doubles(values: Optional[npt.NDArray[np.float64]]) -> Any:
    """The pointer to an array, which lives as long as the pointer; NULL for None."""
    if values is None:
        return ffi.NULL
    flat = values if values.ndim == 1 else values.ravel(order="K")
    return ffi.from_buffer("double[]", flat) if flat.size else ffi.new("double[1]")


def sizes(values: npt.NDArray[np.uintp]) -> Any:
    """The pointer to an array of size_t."""
    return ffi.from_buffer("size_t[]", values) if values.size else ffi.new("size_t[1]")


def integers(values: Iterable[int]) -> Any:
    """A new array of int32_t."""
    return ffi.new("int32_t[]", list(values))


def texts(values: Sequence[str], name: str) -> tuple[Any, list[Any]]:
    """Pointers to texts, and what keeps these alive."""
    if isinstance(values, str):
        raise errors.InvalidTypeError(f"'{name}' is {values!r}; give a list of texts")
    kept = [ffi.new("char[]", encode(value, name)) for value in values]
    return ffi.new("char *[]", kept), kept


def choice(value: str, name: str, known: dict[str, int]) -> int:
    """The number of one of several words."""
    try:
        return known[value.lower()]
    except (AttributeError, KeyError):
        raise errors.InvalidValueError(f'{name} is "{value}"; it must be one of {", ".join(known)}') from None


def words(prefix: str, names: Iterable[str]) -> dict[str, int]:
    """Words and the numbers of their constants in C."""
    return {name: int(getattr(lib, prefix + name.upper())) for name in names}


def record(pointer: Any, leave: Sequence[str] = ("struct_size", "reserved")) -> dict[str, Any]:
    """A struct of numbers as a dictionary."""
    found: dict[str, Any] = {}
    for name, field in ffi.typeof(pointer).item.fields:
        if name not in leave:
            value = getattr(pointer, name)
            found[name] = np.array(list(value)) if field.type.kind == "array" else value
    return found


def filled(kind: str, function: Callable[..., int], *before: Any) -> Any:
    """A struct that the library fills."""
    made = ffi.new(f"{kind} *")
    call(function, *before, made, ffi.sizeof(kind))
    return made
