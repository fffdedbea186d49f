"""What the library has to say, as messages of Python's logging."""

from __future__ import annotations

import logging
from typing import Any, Optional

from ._abi import check, ffi, lib, text

__all__ = ["set_log"]

_LEVELS = {2: logging.WARNING, 3: logging.INFO}
_kept: list[Any] = []


def set_log(logger: Optional[logging.Logger]) -> None:
    """From now on the logger takes the messages of the library; None: nobody does. Set it while no other call runs."""

    def take(_user: Any, level: int, said: Any) -> None:
        if logger is not None:
            logger.log(_LEVELS.get(level, logging.INFO), "%s", text(said))

    check(lib.fourbar_log_set(ffi.NULL, ffi.NULL))
    _kept.clear()
    if logger is not None:
        _kept.append(ffi.callback("fourbar_log_function", take))
        check(lib.fourbar_log_set(_kept[0], ffi.NULL))
