"""Tampering: harm that an agent may do to the process that plays it, after which no other agent can play there.

A harmed process ends at once, while it is still known whose turn it is.
"""

import builtins
import os

try:
    import fcntl
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

_FILES, _LIMITS, _BUILTINS = 113, 114, 115  # exit codes
HARMS = {
    _FILES: "it closed files of the process that plays it, or left it none to open",
    _LIMITS: "it lowered the limits of the process that plays it",
    _BUILTINS: "it changed the builtins of Python",
}
_SPARE = 64  # descriptors that must be left for Kibitz and the other seats

_names = vars(builtins)
_exit, _fstat, _close = os._exit, os.fstat, os.close  # agents may replace them


class Tampering:
    """Looks for harm to this process since it was made."""

    def __init__(self, descriptor: int):
        self.descriptor, self.file = descriptor, _file(descriptor)
        self.limits = _limits()
        self.names = dict(_names)
        self.last = self._last_descriptor()

    def end_if_done(self) -> None:
        """End the process if it has been harmed."""
        if _names != self.names and self._changed():
            _exit(_BUILTINS)
        if resource is None:
            return
        if self.limits != (limits := _limits()) and _lower(limits, self.limits):
            _exit(_LIMITS)
        try:
            spare = fcntl.fcntl(self.descriptor, fcntl.F_DUPFD_CLOEXEC, 0)
            _close(spare)
            if spare > self.last or _file(self.descriptor) != self.file:
                _exit(_FILES)
        except OSError:
            _exit(_FILES)

    def _changed(self) -> bool:
        """Return whether a name has been redefined; new names are harmless."""
        for name in self.names:
            if name not in _names or _names[name] is not self.names[name]:
                return True
        return False

    def _last_descriptor(self) -> int:
        """Return the greatest value that the lowest free descriptor may have."""
        if resource is None:
            return 0
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return 2**31 if soft == resource.RLIM_INFINITY else soft - min(_SPARE, soft // 2)


_watched: Tampering | None = None


def watch_for_harm(descriptor: int) -> None:
    """Start to look for harm to this process and to the file behind a descriptor."""
    global _watched  # noqa: PLW0603
    _watched = Tampering(descriptor)


def end_if_tampered() -> None:
    """End the process if it is watched and has been harmed."""
    if _watched is not None:
        _watched.end_if_done()


def _file(descriptor: int) -> tuple[int, int]:
    found = _fstat(descriptor)
    return found.st_dev, found.st_ino


def _limits() -> tuple[int, ...]:
    """Return the limits that agents share; the one on memory is reset for every turn, up to its hard limit."""
    if resource is None:
        return ()
    limit = resource.getrlimit
    return *limit(resource.RLIMIT_NOFILE), *limit(resource.RLIMIT_AS), limit(resource.RLIMIT_DATA)[1]


def _lower(now: tuple[int, ...], before: tuple[int, ...]) -> bool:
    endless = resource.RLIM_INFINITY
    pairs = zip(now, before, strict=True)
    return any(a != endless and (b == endless or a < b) for a, b in pairs)
