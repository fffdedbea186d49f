"""Values as TOML: what a model built in code says, in the format of model files."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Mapping

import numpy as np

from .errors import InvalidTypeError

_BARE = re.compile(r"^[A-Za-z0-9_-]+$")


def value(given: Any, name: str) -> str:
    """A value on one line. Numbers keep the digits that give the same double back."""
    if isinstance(given, (bool, np.bool_)):
        return "true" if given else "false"
    if isinstance(given, str):
        # What JSON escapes, TOML escapes alike; DEL it wants escaped too.
        return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(given, (int, np.integer)):
        return str(int(given))
    if isinstance(given, (float, np.floating)):
        return _number(float(given))
    if isinstance(given, np.ndarray):
        return value(given.tolist(), name)
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{key(field)} = {value(own, f'{name}.{field}')}" for field, own in given.items()) + " }"
    if isinstance(given, (list, tuple)):
        return "[" + ", ".join(value(own, name) for own in given) + "]"
    raise InvalidTypeError(f"'{name}' is {given!r}; give a number, a text, a list or a table")


def _number(number: float) -> str:
    if math.isnan(number) or math.isinf(number):
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    return repr(number)


def key(name: str) -> str:
    """A name as TOML writes it."""
    return name if _BARE.match(name) else json.dumps(name, ensure_ascii=False)


def section(header: str, fields: Mapping[str, Any]) -> str:
    """A section with its header, one field a line; fields that are None are left out."""
    lines = [f"{key(name)} = {value(own, name)}" for name, own in fields.items() if own is not None]
    return "\n".join([header, *lines]) + "\n"
