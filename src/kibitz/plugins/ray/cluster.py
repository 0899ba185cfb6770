"""A cluster of machines, managed by Ray, that plays fixtures; the games are the same as on a single machine.

Workers get plain data and return batches; they never see a ledger. The games of a lost worker are played again.
"""

import logging
import os
import pickle
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any
from urllib.parse import urlsplit

from kibitz import __version__
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schedule import ChunkSize
from kibitz.arena.play.audit import Audit
from kibitz.arena.play.batch import Batch, unpickled
from kibitz.arena.results.ledger import code_version
from kibitz.arena.session import MOST_JOBS
from kibitz.arena.tournament import Players
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.hidden_files import hidden
from kibitz.plugins.ray.cluster_task import task_for

SECONDS_A_CHUNK, MOST_A_CHUNK = 1.0, 2048
CHUNKS_A_SECOND = 20  # that a ledger can take without making anyone wait; on large clusters chunks are longer
LOSSES = 5  # of workers with the same chunk, after which we give up
REACH_SECONDS, JOIN_SECONDS = 5, 20  # until a machine answers, and until a cluster does
DESERTED_SECONDS = 60  # without a result and without a machine that could give one
STORE_BYTES = 100 << 20  # for results under way, in a cluster of our own

_SAFE = "all games kept so far are safe, and the same plan continues there"
_INSTALL = "playing on a cluster needs Ray; install it with: pip install 'kibitz[ray]'"


@contextmanager
def players(where: str) -> Iterator[Players]:
    """Yield what plays fixtures on a Ray cluster, and the usual number of workers."""
    with joined_cluster(where) as cluster:
        yield cluster.play, cluster.workers


@contextmanager
def joined_cluster(where: str) -> Iterator["Cluster"]:
    """Join the cluster at `ray://HOST:PORT` or `HOST:PORT`; `ray` is that of RAY_ADDRESS, or a new one."""
    address = os.environ.get("RAY_ADDRESS", "local") if where == "ray" else where
    if address != "local":
        _check_address(address)
    ray = _ray(private=address == "local")
    if ray.is_initialized():
        yield Cluster(ray)
        return
    with _started(ray) if address == "local" else _joined(ray, address):
        yield Cluster(ray)


class Cluster:
    """A Ray cluster that we have joined."""

    def __init__(self, ray: Any):
        self.ray = ray
        self.lost = 0  # chunks whose workers were lost
        if not self.cpus:
            raise KibitzError("the Ray cluster has no machine that could play: none offers a CPU")

    @property
    def cpus(self) -> int:
        """How many there are at the moment."""
        return int(self.ray.cluster_resources().get("CPU", 0))

    @property
    def workers(self) -> int:
        """How many workers to use if no number is given."""
        return min(self.cpus, MOST_JOBS)

    def play(
        self, plan: Plan, fixtures: Iterable[Fixture], jobs: int, keep_records: bool = True
    ) -> Generator[Batch, None, None]:
        """Play fixtures of a plan with `jobs` workers; batches come as they are finished, in any order.

        Records are always kept. Closing it ends what is being played. Games that cannot be played are a KibitzError.
        """
        task, audit = task_for(plan.game, plan.agents, plan.limits), Audit(plan.game, plan.agents, plan.limits, True)
        remote = self.ray.remote(num_cpus=1, max_retries=0)(_worker())
        size = ChunkSize(max(SECONDS_A_CHUNK, jobs / CHUNKS_A_SECOND), 1, MOST_A_CHUNK)
        fixtures = iter(fixtures)
        most = 2 * jobs if jobs >= self.cpus else jobs  # where Ray has no more room, chunks may wait for their turn
        again: deque[_Chunk] = deque()
        playing: dict[Any, _Chunk] = {}
        try:
            while True:
                while len(playing) < most and (chunk := again.popleft() if again else _Chunk(size.take(fixtures))):
                    playing[remote.remote(__version__, code_version(), pickle.dumps((task, chunk.fixtures)))] = chunk
                if not playing:
                    return
                for ref in self._finished(list(playing)):
                    chunk = playing.pop(ref)
                    found = self._result(ref, chunk, audit)
                    if found is None:
                        again.append(chunk)
                        continue
                    batch, seconds = found
                    size.learn(len(batch.numbers), seconds)
                    yield batch
        finally:
            for ref in playing:
                with suppress(Exception):  # the cluster may be gone
                    self.ray.cancel(ref, force=True)

    def _finished(self, refs: list[Any]) -> list[Any]:
        """Wait for results; give up when no machine is left."""
        with self._losing_touch():
            done, _ = self.ray.wait(refs, timeout=DESERTED_SECONDS)
            if not done and not self.cpus:
                raise KibitzError(f"no machine of the Ray cluster is left that could play; {_SAFE}")
        return list(done)

    def _result(self, ref: Any, chunk: "_Chunk", audit: Audit) -> tuple[Batch, float] | None:
        """Return the results of a chunk, None if its worker was lost or returned games that cannot be replayed."""
        problem = self.ray.exceptions
        try:
            with self._losing_touch():
                found = self.ray.get(ref)
        except problem.RayTaskError as error:
            raise KibitzError(f"{type(error.cause).__name__}: {error.cause}") from None
        except problem.RayError as error:
            self._lose(chunk, "were lost while playing", _sentence(error))
            return None
        if isinstance(found, str):
            raise KibitzError(found)
        batch, seconds = unpickled(found)
        wrong = next(filter(None, audit.look(batch.ordered(), sorted(chunk.fixtures, key=_number))), "")
        if wrong:
            self._lose(chunk, "handed back what cannot be replayed for", wrong)
            return None
        return batch, seconds

    def _lose(self, chunk: "_Chunk", what: str, why: str) -> None:
        """Count a chunk as lost; if that has happened too often, give up."""
        self.lost += 1
        chunk.losses += 1
        if chunk.losses >= LOSSES:
            raise KibitzError(
                f"{LOSSES} workers in a row {what} game {chunk.fixtures[0].number + 1} or the next "
                f"{len(chunk.fixtures) - 1}: {why}; {_SAFE}"
            ) from None

    @contextmanager
    def _losing_touch(self) -> Iterator[None]:
        try:
            yield
        except ConnectionError as error:
            raise KibitzError(f"the connection to the Ray cluster is lost: {_sentence(error)}; {_SAFE}") from None


def _number(fixture: Fixture) -> int:
    return fixture.number


class _Chunk:
    """Fixtures, and how many workers were lost while playing them."""

    def __init__(self, fixtures: list[Fixture]):
        self.fixtures, self.losses = fixtures, 0

    def __bool__(self) -> bool:
        return bool(self.fixtures)


def _worker() -> Callable[[str, str, bytes], bytes | str]:
    """Return the function a worker runs; a nested one is sent as code, so it can check whether Kibitz is installed."""

    def play(version: str, code: str, message: bytes) -> bytes | str:
        import pickle
        import platform

        where, wish = f"the worker on {platform.node()}", "install the same version on every machine of the cluster"
        try:
            from kibitz import __version__ as there
        except ImportError:
            return f"{where} has no Kibitz, and this machine {version}; {wish}"
        if there != version:
            return f"{where} has Kibitz {there}, and this machine {version}; {wish}"
        from kibitz.arena.results.ledger import code_version

        if code_version() != code:
            return f"{where} has a Kibitz {there} whose code differs from this machine's {version}; {wish}"
        from kibitz.core.errors import KibitzError

        task, chunk = pickle.loads(message)
        try:
            return pickle.dumps(task.play(chunk))
        except KibitzError as error:
            return str(error)

    return play


def _ray(private: bool) -> Any:
    """Import Ray, which reads its settings at that moment; a private cluster accepts no other user."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if private and "ray" not in sys.modules and "RAY_AUTH_MODE" not in os.environ:
        os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})
    try:
        import ray
    except ImportError:
        raise KibitzError(_INSTALL) from None
    return ray


@contextmanager
def _started(ray: Any) -> Iterator[None]:
    """Start a cluster on this machine, and end it afterwards."""
    room = "/tmp" if Path("/tmp").is_dir() else None  # the paths of sockets must be short
    with tempfile.TemporaryDirectory(prefix="kibitz-", dir=room, ignore_cleanup_errors=True) as folder:
        settings = {"include_dashboard": False, "object_store_memory": STORE_BYTES, "_temp_dir": folder}
        with hidden(folder), _initialized(ray, "local", **settings):
            yield


@contextmanager
def _joined(ray: Any, address: str) -> Iterator[None]:
    """Join a cluster, and leave it afterwards."""
    _check_reachable(address)
    with _initialized(ray, address):
        yield


@contextmanager
def _initialized(ray: Any, address: str, **settings: Any) -> Iterator[None]:
    quiet = {"log_to_driver": False, "configure_logging": False, "logging_level": logging.ERROR}
    logging.getLogger("ray").setLevel(logging.ERROR)
    leave = signal.getsignal(signal.SIGTERM)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(address=address, **quiet, **settings)
    except Exception as error:
        what = "start a Ray cluster here" if address == "local" else f"join the Ray cluster at {address}"
        raise KibitzError(f"cannot {what}: {_sentence(error)}") from None
    if callable(leave) and current_thread() is main_thread():
        signal.signal(signal.SIGTERM, leave)  # Ray has replaced it by its own
    log = ray._private.worker  # prints lost machines on stdout, where a result is expected; nothing public stops it
    log._worker_logs_enabled = False
    try:
        yield
    finally:
        ray.shutdown()
        log._worker_logs_enabled = True


def _check_address(address: str) -> None:
    if not _host_and_port(address):
        raise BadValue(
            f"{address!r} is not a cluster; name ray (that of RAY_ADDRESS, or one on this machine), "
            "ray://HOST:PORT or HOST:PORT"
        )


def _host_and_port(address: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(address if "://" in address else f"plain://{address}")
        plain = parts.scheme in ("ray", "plain") and not (parts.path or parts.query or parts.username)
        return (parts.hostname, parts.port) if plain and parts.hostname and parts.port else None
    except ValueError:
        return None


def _check_reachable(address: str) -> None:
    """Refuse an address that does not answer; Ray itself would wait for minutes and then end our process."""
    found = _host_and_port(address)
    assert found
    try:
        socket.create_connection(found, REACH_SECONDS).close()
    except OSError as error:
        raise KibitzError(f"cannot reach a Ray cluster at {address}: {error.strerror or error}") from None
    if address.startswith("ray://"):
        return
    command = [sys.executable, "-P", "-m", "ray.scripts.scripts", "status", "--address", address]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=JOIN_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise KibitzError(f"what answers at {address} is not a Ray cluster, or is busy") from None
    if asked.returncode:
        last = (asked.stderr.strip() or "no reason given").splitlines()[-1]
        raise KibitzError(f"cannot join the Ray cluster at {address}: {_sentence(last)}")


def _sentence(error: object) -> str:
    """Return the first sentence of a long message, or its last line where the first is only a heading."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    line = lines[-1] if lines[0].endswith(":") else lines[0]
    return line.split(". ")[0].rstrip(".:")
