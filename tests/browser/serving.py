"""A server for browser tests: `kibitz serve` without the warm-up of agents that nobody plays against here.

python -m tests.browser.serving DB [--ledger FILE] [GAME or AGENT paths, agents end in _agent.py]
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
AGENT_ENDING = "_agent.py"


class Server:
    """One server process; it can be killed and started again at the same port."""

    def __init__(self, db: Path, ledgers: Sequence[Path] = (), paths: Sequence[Path] = ()):
        self.arguments = [str(db), *(f"--ledger={path}" for path in ledgers), *map(str, paths)]
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "tests.browser.serving", str(self.port), *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ.copy())
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self.address = f"http://127.0.0.1:{self.port}"

    def end(self, kill: bool = False) -> None:
        """End it, or kill it without a warning."""
        (self.process.kill if kill else self.process.terminate)()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def running(db: Path, ledgers: Sequence[Path] = (), paths: Sequence[Path] = ()) -> Iterator[Server]:
    """Yield a server that is ended afterwards."""
    server = Server(db, ledgers, paths)
    try:
        yield server
    finally:
        server.end()


def think_at_once(*given: object) -> None:
    """Think without giving way to others: a busy test machine would leave nothing."""
    from kibitz.web import thinking_worker

    thinking_worker._in_background = lambda work: work()
    thinking_worker.think(*given)  # type: ignore[arg-type]


def main(port: str, db: str, *rest: str) -> None:
    """Serve until the end."""
    from kibitz.arena.process.supervised_process import SupervisedProcess
    from kibitz.web import thinking_pool
    from kibitz.web.allowlist import Allowlist
    from kibitz.web.lobby import Lobby
    from kibitz.web.table_store import TableStore
    from kibitz.web.web_catalogue import WebCatalogue
    from kibitz.web.web_server import listen, serve

    async def describe(self: WebCatalogue) -> None:
        for name in self.lobby.allowlist.games:
            await self._describe(name)

    WebCatalogue.prepare = describe  # type: ignore[method-assign]
    thinking_pool.SupervisedProcess = lambda *_: SupervisedProcess("tests.browser.serving", think_at_once.__name__)  # type: ignore
    ledgers = [Path(one.removeprefix("--ledger=")) for one in rest if one.startswith("--ledger=")]
    paths = [one for one in rest if not one.startswith("--ledger=")]
    agents = [one for one in paths if one.endswith(AGENT_ENDING)]
    allowlist = Allowlist([one for one in paths if one not in agents], agents)
    lobby = Lobby(TableStore(Path(db)), allowlist, thinking_pool.ThinkingPool(1))
    lobby.pace = lobby.pause_before_only_move = 0.0
    listener = listen("127.0.0.1", int(port))
    serve(lobby, listener, "127.0.0.1", ledgers, lambda: print(listener.getsockname()[1], flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
