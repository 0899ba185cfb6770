"""The user's own agents: code from a path, which runs only in separate processes, even while it is checked."""

import os
from collections.abc import Sequence
from multiprocessing.connection import Connection

from kibitz.agents import build, own_paths, runs_apart
from kibitz.agents.external_agent import Ending
from kibitz.agents.hosting import MOST_MEMORY, can_host, hosted
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.plan.limits import Limits
from kibitz.arena.process.memory_limit import with_memory_limit
from kibitz.arena.process.supervised_process import SupervisedProcess
from kibitz.arena.process.worker_status import WorkerStatus
from kibitz.bots.agents.bot import Bot
from kibitz.bots.agents.isolated import HOST_MEMORY, LATE, MOST_KILLS
from kibitz.bots.bot_fault import TIME, BotFault
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.game import Game
from kibitz.core.signals import from_outside
from kibitz.core.spec import parse
from kibitz.core.user_files import existing, explained, fingerprint, is_path
from kibitz.games import find

_LOOK_EVERY = 0.2  # seconds
_READY = "ready"

_sound: set[tuple[object, ...]] = set()  # agents that could be built, with all that may change it


def code_paths(game: Game, agents: Sequence[str]) -> list[str]:
    """Return the paths of the user's own code that a game and agents name."""
    return [*([game.name] if is_path(game.name) else []), *(path for text in agents for path in own_paths(text, game))]


def is_own(text: str, game: Game) -> bool:
    """Return whether an agent is, or contains, code from a path."""
    return bool(own_paths(text, game))


def effective_agent(text: str, game: Game, limits: Limits) -> str:
    """Return the agent that is built for a text: where agents are isolated, those of the user's own are hosted."""
    if not limits.isolate or not is_own(text, game) or runs_apart(text, game) or not can_host():
        return text
    memory = MOST_MEMORY if limits.memory is None else limits.memory + HOST_MEMORY
    return str(hosted(parse(text), memory, limits.start_seconds))


def can_reach_us(text: str, game: Game) -> bool:
    """Return whether an agent that runs apart could end our processes: no solid walls stand around it."""
    try:
        mind = build(text, game, 0)
    except KibitzError:  # it will not run at all
        return False
    return not isinstance(mind, Bot) or not mind.sandbox.solid


def around_no_walls(game: Game, agents: Sequence[str], limits: Limits) -> list[str]:
    """Return the programs that could find out what is hidden in a game: other people's code without a solid sandbox."""
    if not game.secret:
        return []
    found = []
    for text in dict.fromkeys(agents):
        hosted = effective_agent(text, game, limits)
        apart = runs_apart(hosted, game)
        if (apart or is_own(text, game)) and (not apart or can_reach_us(hosted, game)):
            found.append(text)
    return found


def check_own_agents(game: Game, agents: Sequence[str], limits: Limits) -> None:
    """Build agents of the user's own in another process, within limits; what cannot be built is a BadValue."""
    own = [text for text in dict.fromkeys(agents) if is_own(text, game)]
    code = tuple(fingerprint(str(existing(path))) for text in own for path in own_paths(text, game))
    key = (str(game), *own, *code, limits)
    if not own or key in _sound:
        return
    inside = []
    for text in own:
        hosted = effective_agent(text, game, limits)
        if hosted == text:
            inside.append(text)
        elif said := _built(hosted, game, limits.start_seconds):
            raise BadValue(f"agent {text} cannot be built: {said}")
    if inside:
        _check_inside(game, inside, limits)
    _sound.add(key)


def _check_inside(game: Game, own: Sequence[str], limits: Limits) -> None:
    """Build agents in a separate process, as they will be built in a worker."""
    process = SupervisedProcess(__name__, _build_all.__name__, str(game), own, limits)
    try:
        answer = _answer(process, None)
        if answer != _READY:
            raise BadValue(f"{game}: {answer}; a script that plays must do so under: if __name__ == '__main__'")
        for text in own:
            answer = _answer(process, limits.start_seconds)
            if answer:
                raise BadValue(f"agent {text} cannot be built: {answer}")
    finally:
        process.end()


def _answer(process: SupervisedProcess, seconds: float | None) -> str:
    """Return what the process says next, or what has become of it; nothing that an agent writes there is run here."""
    waited = 0.0  # by our own looks, so that a pause of the machine is not counted
    while not process.pipe.poll(_LOOK_EVERY):
        waited += _LOOK_EVERY
        if seconds is not None and waited > seconds:
            return LATE.format(seconds)
    try:
        return process.pipe.recv_bytes().decode()
    except Exception:  # it is dead, or an agent wrote into the pipe
        return process.cause_of_death()


def _build_all(status: WorkerStatus, pipe: Connection, game_text: str, agents: Sequence[str], limits: Limits) -> None:
    """Build agents one by one; say of each what was wrong with it, or nothing."""
    os.dup2(2, 1)  # what agents print does not belong in the command's output
    try:
        game = find(game_text)
        game.new_state()
    except KibitzError as error:
        pipe.send_bytes(str(error).encode())
        return
    observer = with_memory_limit(status, limits.memory)
    pipe.send_bytes(_READY.encode())
    for text in agents:
        observer.warming(0, None)
        said = _built(text, game, limits.start_seconds)
        observer.warmed()
        pipe.send_bytes(said.encode(errors="replace"))


def _built(text: str, game: Game, seconds: float) -> str:
    """Build an agent and return what was wrong; if its process was killed, try again."""
    for _ in range(MOST_KILLS):
        said, killed = _tried(text, game, seconds)
        if not killed:
            break
    return said


def _tried(text: str, game: Game, seconds: float) -> tuple[str, bool]:
    try:
        mind = build(text, game, 0, trusted=True)  # who says otherwise has named a host
        if isinstance(mind, Bot):
            mind.fresh = True  # its process is not kept
            seated = SeatedAgent(mind, 0)
            seated.new()
            seated.end(Ending([0.0] * game.seats, "built"))
        return "", False
    except BotFault as fault:
        return (LATE.format(seconds), False) if fault.kind == TIME else (str(fault), fault.killed)
    except KibitzError as error:
        return str(error), False
    except BaseException as error:
        if from_outside(error):
            raise
        return explained(error), False
