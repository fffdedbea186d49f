"""What copies and pickles: objects that never change are their own copies, those of the library that do change copy through a saved point or refuse."""

from __future__ import annotations

from typing import Any, NoReturn

from .errors import UnsupportedError

__all__ = ["Constant", "Unpickled"]


class Unpickled:
    """An object that stands for one of the library, and neither copies nor pickles by itself."""

    _copying = ""
    """What to do instead of a copy."""
    _pickling = ""
    """What to do instead of a pickle."""

    def _refused(self, what: str, remedy: str) -> UnsupportedError:
        return UnsupportedError(f"{type(self).__name__} objects do not {what}: they stand for an object of the library; {remedy}")

    def __copy__(self) -> Any:
        raise self._refused("copy", self._copying)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.__copy__()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise self._refused("pickle", self._pickling)


class Constant(Unpickled):
    """One that never changes: it is its own copy."""

    def __copy__(self) -> Any:
        return self
