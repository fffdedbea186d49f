"""Ctrl-C while the library computes.

Python runs its handler of SIGINT between two instructions of the main thread, of which there are none while that is in the library. So for the
time of a call Python writes the numbers of signals to a socket; a thread reads them and raises the library's interrupt. The call ends, and
Python's handler then raises KeyboardInterrupt, as anywhere else.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from typing import Any, Optional

from ._native import ffi, lib

# A number: members of its enum are slow to find in bytes.
_SIGINT = int(signal.SIGINT)


class _Watch:
    """The interrupt that the main thread watches, and the thread that raises it."""

    def __init__(self) -> None:
        out = ffi.new("fourbar_interrupt **")
        lib.fourbar_interrupt_new(out)
        self.interrupt = ffi.gc(out[0], lib.fourbar_interrupt_free)
        lib.fourbar_interrupt_watch(self.interrupt)
        self.active = self.raised = False
        # Who was told of signals before: an event loop.
        self.before = -1
        self.reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        self.descriptor = self.writer.fileno()
        threading.Thread(target=self._listen, name="fourbar-interrupt", daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                numbers = self.reader.recv(64)
            except OSError:
                return
            if not numbers:
                return
            if _SIGINT in numbers and self.active:
                self.raised = True
                lib.fourbar_interrupt_raise(self.interrupt)
            if self.before >= 0:
                try:
                    os.write(self.before, numbers)
                except OSError:
                    pass  # it is closed, or full and thus awake

    def lower(self) -> None:
        self.raised = False
        lib.fourbar_interrupt_lower(self.interrupt)

    def call(self, function: Any, arguments: tuple[Any, ...]) -> int:
        if self.raised:  # too late for the call before
            self.lower()
        self.before = signal.set_wakeup_fd(self.descriptor, warn_on_full_buffer=False)
        self.active = True
        try:
            return int(function(*arguments))
        finally:
            self.active = False
            signal.set_wakeup_fd(self.before)
            if self.raised:
                self.lower()


_watch: Optional[_Watch] = None
_main = threading.main_thread().ident


def _forget() -> None:
    """A child of fork has no listening thread, and watches nothing until it calls anew."""
    global _watch, _main
    _watch = None
    _main = threading.get_ident()
    lib.fourbar_interrupt_watch(ffi.NULL)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def watched(function: Any, arguments: tuple[Any, ...]) -> int:
    """Calls a function of the library; on the main thread SIGINT ends it. Calls within callbacks of such a call are part of it."""
    global _watch
    if threading.get_ident() != _main:
        return int(function(*arguments))
    if _watch is None:
        _watch = _Watch()
    if _watch.active:
        return int(function(*arguments))
    try:
        return _watch.call(function, arguments)
    except ValueError:  # set_wakeup_fd in an interpreter that is not the main one
        return int(function(*arguments))
