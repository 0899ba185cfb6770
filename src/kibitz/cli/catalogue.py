"""The catalogue: games with what they offer, and agents with their options, as plain data and for a person."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NotRequired, TypedDict

from rich.console import RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kibitz import agents, games
from kibitz.core.errors import UnknownName
from kibitz.core.game import Game
from kibitz.core.heuristics import Heuristic, Value
from kibitz.core.options import Option
from kibitz.core.spec import parse
from kibitz.networks.net import encodings, networks
from kibitz.networks.network_file import read_network

Kind = Literal["values", "networks", "encodings", "policies", "filters", "orders", "agents"]
KINDS: dict[Kind, tuple[str, str]] = {  # what a game offers: a heading, and which option of agents takes it
    "values": ("Values", "value=…, of agents that judge positions"),
    "networks": ("Networks", "value=net(name), of agents that judge positions"),
    "encodings": ("Encodings", "what networks are shown; learn takes them"),
    "policies": ("Policies", "agents by themselves, and what plays playouts: policy=… or playouts=…"),
    "filters": ("Filters", "filter=…, of tree searches: moves that may be left out"),
    "orders": ("Orders", "order=…, of tree searches: moves to try first"),
    "agents": ("Own agents", "names that stand for longer texts; options given with them replace those"),
}


class ListedOption(TypedDict):
    """An option of a game or an agent."""

    name: str
    default: str
    help: str
    takes: str


class ListedPart(TypedDict):
    """Something that a game offers to agents; only values have a unit and what follows."""

    name: str
    what: str
    weights: NotRequired[dict[str, str]]
    usual: NotRequired[bool]
    unit: NotRequired[str]
    per_unit: NotRequired[float]
    positive: NotRequired[bool]
    total: NotRequired[float]


class ListedGame(TypedDict):
    """A game with all that it offers."""

    name: str
    what: str
    seats: list[int]
    hidden: bool
    options: list[ListedOption]
    values: list[ListedPart]
    networks: list[ListedPart]
    encodings: list[ListedPart]
    policies: list[ListedPart]
    filters: list[ListedPart]
    orders: list[ListedPart]
    agents: list[ListedPart]


class ListedAgent(TypedDict):
    """An agent; `refuses` says why it does not play a game, and is empty if it does."""

    name: str
    what: str
    options: list[ListedOption]
    refuses: NotRequired[str]


def all_games() -> list[ListedGame]:
    """Return every game that comes with Kibitz."""
    return [game_entry(games.find(name)) for name in games.names()]


def all_agents(game: Game | None = None) -> list[ListedAgent]:
    """Return every agent that comes with Kibitz."""
    outside = [agent_entry(name) for name in agents.outside_names()]
    for entry in outside:
        entry["refuses"] = _not_for(entry["name"], game)
    return [*(agent_entry(name, game) for name in agents.names()), *outside]


def _not_for(name: str, game: Game | None) -> str:
    """Return why an agent whose program runs elsewhere does not play a game; empty where only the program knows."""
    plays = () if agents.is_foreign(name) else agents.kind(name).GAMES
    return f"{name} plays {' and '.join(plays)} only" if game is not None and plays and game.name not in plays else ""


def game_entry(game: Game) -> ListedGame:
    """Return what a game offers as plain data."""
    seats = game.declared.get("seats")
    span = [game.seats, game.seats] if seats is None else [int(seats.least or 0), int(seats.most or 0)]
    return {
        "name": game.name,
        "what": game.sentence,
        "seats": span,
        "hidden": game.hidden,
        "options": _options(game.declared),
        "values": [_value(name, value, name == game.usual_value) for name, value in game.values.items()],
        "networks": [{"name": name, "what": _taught(game, name)} for name in networks(game)],
        "encodings": [{"name": name, "what": (found.__doc__ or "").strip()} for name, found in encodings(game).items()],
        "policies": _known(game.policies),
        "filters": _known(game.filters),
        "orders": _known(game.orders),
        "agents": [{"name": name, "what": f"stands for {text}"} for name, text in game.agents.items()],
    }


def _taught(game: Game, name: str) -> str:
    """Return in words what a network of a game is."""
    network = read_network(networks(game)[name])
    hidden = " and ".join(map(str, network.hidden)) or "no"
    about = network.about
    names = f"names {about.actions} for the agent imitation, " if about.actions else ""
    return f"{about.seats} seats, {names}{hidden} hidden units on {about.encoding}, digest {network.digest}"


def agent_entry(name: str, game: Game | None = None) -> ListedAgent:
    """Return an agent as plain data, with `refuses` if a game is given.

    The code of an agent that another package brings runs in hosts only, so its options are not known here.
    """
    if agents.is_foreign(name):
        return {"name": name, "what": f"An agent of the package {agents.package_of(name)}.", "options": []}
    options = _options(agents.declared(name))
    entry: ListedAgent = {"name": name, "what": agents.kind(name).__doc__ or "", "options": options}
    if game is not None:
        entry["refuses"] = agents.refusal(name, game)
    return entry


def agent_of(text: str, game: Game | None) -> ListedAgent:
    """Return an agent by its name, or by one that a game has for it, as plain data."""
    name = parse(text).name
    if game is not None and name in game.agents:
        name = parse(game.agents[name]).name
    elif game is not None and name in game.policies and name not in agents.names():
        name = "policy"
    if name not in (known := [*agents.names(), *agents.outside_names()]):
        raise UnknownName("agent", name, [*known, *(game.agents if game else ()), *(game.policies if game else ())])
    return agent_entry(name, game if name in agents.names() else None)


def _options(declared: Mapping[str, Option]) -> list[ListedOption]:
    return [
        {"name": name, "default": option.shown, "help": option.help, "takes": option.allowed}
        for name, option in declared.items()
    ]


def _known(known: Mapping[str, Heuristic]) -> list[ListedPart]:
    return [_knowledge(name, found) for name, found in known.items()]


def _knowledge(name: str, found: Heuristic) -> ListedPart:
    weights = {key: option.shown for key, option in found.weights.items()}
    return {"name": name, "what": (found.__doc__ or "").strip(), "weights": weights}


def _value(name: str, value: Value, usual: bool) -> ListedPart:
    properties = value.properties
    return {
        **_knowledge(name, value), "usual": usual, "unit": properties.unit, "per_unit": properties.per_unit,
        "positive": properties.positive, "total": properties.total,
    }  # fmt: skip


def game_lines(entries: list[ListedGame]) -> Iterator[RenderableType]:
    """Yield games for a person: what each is, its options with what they take, its values and policies."""
    for entry in entries:
        secrets = ", with secrets" if entry["hidden"] else ""
        yield Text.assemble((entry["name"], "bold"), f" ({_span(entry['seats'])} seats{secrets})")
        yield Padding(Text(entry["what"]), (0, 0, 0, 2))
        yield Padding(_option_grid(entry["options"]), (0, 0, 0, 2))
        for kind, parts in (("values", entry["values"]), ("policies", entry["policies"])):
            names = ", ".join(found["name"] for found in parts)
            yield Padding(Text(f"{kind}: {names}" if names else f"no {kind}", style="dim"), (0, 0, 0, 2))
        yield ""


def agent_list(entries: list[ListedAgent], known: ListedGame | None) -> Iterator[RenderableType]:
    """Yield agents for a person in a line each: those that play, a game's own, and why others do not play it."""
    yield _lines_of((entry["name"], entry["what"]) for entry in entries if not entry.get("refuses"))
    if known is None:
        return
    refusing = [(entry["name"], entry["refuses"]) for entry in entries if entry.get("refuses")]
    name = known["name"]
    own, policies = ([(part["name"], part["what"]) for part in parts] for parts in (known["agents"], known["policies"]))
    for heading, pairs in (
        (f"Agents of {name}'s own", own),
        (f"Quick policies of {name}, agents by themselves", policies),
        (f"Not for {name}", refusing),
    ):
        if pairs:
            yield Text(heading, style="bold")
            yield _lines_of(pairs)


def _lines_of(pairs: Iterable[tuple[str, str]]) -> Table:
    """Return names with a sentence each, in two columns."""
    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for name, sentence in pairs:
        grid.add_row(Text(f"  {name}", style="cyan"), Text(sentence))
    return grid


def agent_lines(entry: ListedAgent) -> Iterator[RenderableType]:
    """Yield an agent for a person: what it does, and its options with what they take."""
    yield Text(entry["name"], style="bold")
    yield Padding(Text(entry["what"]), (0, 0, 0, 2))
    if entry.get("refuses"):
        yield Padding(Text(f"Not here: {entry['refuses']}.", style="red"), (0, 0, 0, 2))
    yield Padding(_option_grid(entry["options"]), (0, 0, 0, 2))


def knowledge_tables(entry: ListedGame) -> Iterator[Table]:
    """Yield what a game offers as tables for a person, one for each kind."""
    for kind, (title, use) in KINDS.items():
        if not entry[kind]:
            continue
        heading = escape(f"{title} of {entry['name']}: {use}")
        table = Table(title=heading, title_justify="left")
        table.add_column("name", no_wrap=True)
        table.add_column("what it does")
        if kind == "values":
            table.add_column("declares")
        if any(found.get("weights") for found in entry[kind]):
            table.add_column("weights")
        for found in entry[kind]:
            name = f"{found['name']} (usual)" if found.get("usual") else found["name"]
            weights = [", ".join(f"{key}={shown}" for key, shown in found.get("weights", {}).items())]
            declares = [_declares(found)] if kind == "values" else []
            table.add_row(name, found["what"], *[*declares, *weights][: len(table.columns) - 2])
        yield table


def _declares(value: ListedPart) -> str:
    """Return in words what a value declares."""
    words = []
    if value["unit"]:
        words.append(f"leads in {value['unit']}" + (f", {value['per_unit']:g} each" if value["per_unit"] != 1 else ""))
    if value["positive"]:
        words.append("always above 0")
    if value["total"]:
        words.append(f"all seats together at most {value['total']:g}")
    return "; ".join(words)


def _option_grid(options: list[ListedOption]) -> Table:
    """Return options in two columns: how each is written, and what it means and takes."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for option in options:
        takes = "" if option["takes"] in option["help"] else f" ({option['takes']})"
        grid.add_row(Text(f"{option['name']}={option['default']}", style="cyan"), Text(f"{option['help']}{takes}"))
    return grid


def _span(seats: list[int]) -> str:
    return f"{seats[0]} to {seats[1]}" if seats[0] != seats[1] else str(seats[0])
