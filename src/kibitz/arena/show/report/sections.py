"""The sections of a page, one for each figure of a report, with the numbers under it; None where there is no data."""

from collections.abc import Callable, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from kibitz.arena.results.row import span
from kibitz.arena.results.statistics.evidence import ALPHA, evidence, p_statement, p_value
from kibitz.arena.results.tournament_result import NOBODY_MET
from kibitz.arena.show.report import chart
from kibitz.arena.show.report.chart import Axis, Curve
from kibitz.arena.show.report.markup import tag
from kibitz.arena.show.report.page_parts import (
    MOST_NAMED,
    Data,
    agent_name,
    cross_cell,
    intervals,
    legend,
    matrix,
    numbers_under,
    other_name,
    pair_name,
    panel,
    paragraph,
    seat_cell,
    section,
    table_of,
    team_cell,
    tinted,
    two_lines,
    value_cell,
)
from kibitz.arena.show.report.timeline import SEARCHED
from kibitz.arena.show.text import (
    REASONS,
    bin_text,
    duration,
    long_time,
    number_text,
    ordinal,
    places_text,
    points_span,
    points_text,
    seat_style,
    speed_text,
    time_text,
)
from kibitz.core.scoring import Scoring

FASTEST = 1e-6  # seconds: what is kept is rounded to it, and a logarithm knows no 0
MOST_COMPOSITIONS = 60  # shown; all are in the data
_PART = {0.0: "first move", 0.5: "half", 1.0: "last move"}


def _standings(data: Data) -> Element | None:
    if not data["standings"]:
        return None
    columns = _columns_of_agents(data)
    head = ("agent", *(heading for heading, _ in columns))
    rows = [(agent_name(row), *(cell(row) for _, cell in columns)) for row in data["standings"]]
    return section(
        "Standings", table_of(head, rows), [paragraph(note, "note") for note in data["notes"] if note != NOBODY_MET],
        paragraph(_what_is_counted(_scoring(data)), "note"), *_places(data),
    )  # fmt: skip


def _scoring(data: Data) -> Scoring:
    return Scoring(**data["scoring"])


def _columns_of_agents(data: Data) -> list[tuple[str, Callable[[Data], Any]]]:
    """Return headings and cells; what counts comes first, and there is neither win nor rating where all share."""
    scoring = _scoring(data)
    rating = [("rating", lambda row: two_lines(points_text(row["rating"]), points_span(row["interval"])))]
    games = [("games", lambda row: row["games"])]
    wins = [
        ("won – drawn – lost", lambda row: f"{row['wins']:,} – {row['draws']:,} – {row['losses']:,}"),
        ("win rate", lambda row: two_lines(f"{row['win_rate']:.1%}", span(row["win_interval"]))),
        ("mean place", lambda row: f"{row['mean_place']:.2f}"),
    ]
    payoff = [(scoring.heading, lambda row: _payoff_cell(row, scoring))]
    time = [("time a move", lambda row: time_text(row["seconds_per_move"]))]
    rated = rating if data["encounters"] else []
    if scoring.shared:
        return [*payoff, *games, *time]
    return [*rated, *games, *wins, *payoff, *time] if scoring.by_wins else [*payoff, *games, *wins, *rated, *time]


def _payoff_cell(row: Data, scoring: Scoring) -> Element:
    return two_lines(scoring.mean_text(row["mean_payoff"]), scoring.span_text(row["payoff_interval"]))


def _what_is_counted(scoring: Scoring) -> str:
    if scoring.shared:
        return (f"Mean {scoring.unit} of all games in which an agent took part; a game gives {scoring.range}. Below: "
                "the 95 % interval, which counts blocks of games on one deal.")  # fmt: skip
    lead = "" if scoring.by_wins else f"Agents are listed by their mean {scoring.unit}. "
    return (f"{lead}Won: earned more than every other seat. Drawn: tied for the most. Seats that tie share their "
            f"places. The payoff of a game is {scoring.range}. Below a rating, a win rate and a payoff: the 95 % "
            "interval, which counts blocks of games on one deal.")  # fmt: skip


def _teams(data: Data) -> Element | None:
    """Return what agents score together, everyone with everyone."""
    if not data.get("teams"):
        return None
    scoring, rows = _scoring(data), data["standings"]
    found = {(pair["rank"], pair["other_rank"]): pair for pair in data["partnerships"]}
    each = [
        [agent_name(team), *(team_cell(team[kind], scoring) for kind in ("self_play", "cross_play"))]
        for team in data["teams"]
    ]
    ranks = [row["rank"] for row in rows]
    cells = [[team_cell(found.get((min(one, other), max(one, other))), scoring) for other in ranks] for one in ranks]
    return section(
        "Self-play and cross-play", table_of(("agent", "self-play", "cross-play"), each),
        tag("h3", "Everyone with everyone"), matrix(rows, cells),
        paragraph(f"Mean {scoring.unit} of a game, and its 95 % interval. Self-play: copies of one agent in all seats. "
                  "Cross-play: with others at the table.", "note"),
    )  # fmt: skip


def _places(data: Data) -> list[Element]:
    """Return how often agents were in each place, where there is more to know than who was first."""
    if _scoring(data).shared or all(len(set(row["places"][1:])) < 2 for row in data["standings"]):
        return []
    head = ("agent", *(ordinal(place + 1) for place in range(len(data["seat_names"]))), "mean place")
    rows = [
        (agent_name(row), *map(places_text, row["places"]), f"{row['mean_place']:.2f}") for row in data["standings"]
    ]
    return [tag("h3", "Places"), table_of(head, rows)]


def _ratings(data: Data) -> Element | None:
    rows = data["standings"]
    if not data.get("encounters"):
        return None
    numbers = [
        (
            agent_name(row),
            row["rating"],
            row["interval"],
            f"{points_text(row['rating'])}, {points_span(row['interval'])}",
        )
        for row in rows
    ]
    return section(
        "Ratings", intervals(numbers, 0.0, points_text),
        numbers_under(("agent", "rating", "from", "to"),
              [(agent_name(row), f"{row['rating']:.2f}", *(f"{end:.2f}" for end in row["interval"])) for row in rows]),
        paragraph("Plackett-Luce strengths from finishing orders on the scale of Elo, where 400 points are odds of 10 "
                  "to 1; 0 is the mean of these agents, and intervals count blocks of games on one deal. Where deals "
                  "decide much, gaps are narrower than the difference in skill.", "note"),
    )  # fmt: skip


def _cross(data: Data) -> Element | None:
    met = data.get("encounters")
    if not met:
        return None
    rows, many, scoring = data["standings"], len(data["seat_names"]) > 2, _scoring(data)
    by_ranks = {(pair["rank"], pair["other_rank"]): pair for pair in met}
    cells = [[cross_cell(by_ranks, row["rank"], other["rank"], scoring) for other in rows] for row in rows]
    counted = "finished before – level with – behind it" if many else "wins – draws – losses"
    numbers = [
        (
            pair_name(pair, len(rows) > MOST_NAMED),
            pair["difference"],
            pair["interval"],
            f"{scoring.mean_text(pair['difference'], '+')}, {p_statement(pair['p_holm'])}",
        )
        for pair in met
    ]
    head = ("agent", "other", "games", "before", "level", "behind", f"mean {scoring.heading}", "other's", "difference",
            "from", "to", "p alone", "p", "blocks")  # fmt: skip
    table = [
        (agent_name(pair), other_name(pair), pair["games"], pair["before"], pair["level"], pair["behind"],
         *(scoring.mean_text(pair[what], more=1) for what in ("mean_payoff", "other_mean_payoff")),
         *(scoring.mean_text(end, "+", 1) for end in (pair["difference"], *pair["interval"])), p_value(pair["p"]),
         p_value(pair["p_holm"]), pair["blocks"])
        for pair in met
    ]  # fmt: skip
    rough = any(pair["rough"] for pair in met)
    return section(
        "Cross table",
        paragraph(f"Mean {scoring.heading} of the row's agent in games with the column's, and {counted}"
           + (", counted for every pair of their seats." if many else ".")),
        matrix(rows, cells),
        tag("h3", "How much more one agent earns than another in the same games"),
        intervals(numbers, 0.0, lambda value: f"{value:+.2g}" if value else "0"),
        numbers_under(head, table),
        paragraph("There are few blocks, so intervals are wide.", "note") if rough else None,
        paragraph("Paired over common deals, with 95 % intervals from resampled blocks. P values are corrected for the "
                  f"number of pairs ({len(met)}) by Holm's method, and those below {ALPHA} are evidence of a "
                  "difference; intervals, and p alone, are of one pair by itself and not corrected.", "note"),
    )  # fmt: skip


def _seats(data: Data) -> Element | None:
    if not data["standings"]:
        return None
    found, seats, scoring = data["seats"], data["seats"]["seats"], _scoring(data)
    if scoring.shared:
        return None
    fair = found["decided"] / data["played"] / len(seats)
    if not scoring.by_wins:
        fair = sum(seat["mean_payoff"] for seat in seats) / len(seats)
    numbers = [(tag("span", seat["name"]), *_seat_numbers(seat, scoring)) for seat in seats]
    rated = scoring.by_wins and not found["kept"]
    worth = [points_text(seat["points"]) for seat in seats] if rated else []
    spans = [points_span(seat["interval"]) for seat in seats] if rated else []
    head = ("seat", "games", "won", "drawn", "lost", "win rate", "95 % interval", f"mean {scoring.heading}",
            "95 % interval", *(("worth", "95 % interval") if worth else ()))  # fmt: skip
    rows = [
        (seat["name"], seat["games"], seat["wins"], seat["draws"], seat["losses"], f"{seat['win_rate']:.2%}",
         span(seat["win_interval"]), scoring.mean_text(seat["mean_payoff"], more=1),
         scoring.span_text(seat["payoff_interval"]),
         *([worth[at], spans[at]] if worth else []))
        for at, seat in enumerate(seats)
    ]  # fmt: skip
    by_seat = [
        [
            agent_name(row),
            *(seat_cell(cell, row, scoring) for cell in row["by_seat"]),
            "–" if row["seats_p"] is None else p_value(row["seats_p"]),
        ]
        for row in data["standings"]
    ]
    text = "This shows the agents as much as the seats." if found["kept"] else "" if not rated else (
        "By the whole order in which seats finish, not by wins alone, and apart from who sat there, a seat is worth in "
        "points of the rating: "
        + ", ".join(f"{seat['name']} {points}" for seat, points in zip(seats, worth, strict=True)) + ".")  # fmt: skip
    return section(
        "Seats", paragraph(_seat_verdict(found, scoring)),
        intervals(numbers, fair, _seat_label(scoring), _seat_styles(data)),
        paragraph(f"Dashed: what every seat would {'win' if scoring.by_wins else 'earn'} if all seats were equal.",
                  "note"),
        numbers_under(head, rows), paragraph(text) if text else None,
        tag("h3", "Agents by seat"), table_of(("agent", *data["seat_names"], "p"), by_seat),
        paragraph(f"{_in_each_seat(scoring)} p: the chance of differences as large as these if "
                  "the agent earns the same in every seat, corrected for the number of agents.", "note"),
        paragraph("Intervals and the test of seats count a deal once, however many games were played on it.", "note"),
    )  # fmt: skip


def _seat_numbers(seat: Data, scoring: Scoring) -> tuple[float, Sequence[float], str]:
    """Return what counts of a seat, its interval, and both as text."""
    if scoring.by_wins:
        return seat["win_rate"], seat["win_interval"], f"{seat['win_rate']:.1%} ({seat['wins']:,})"
    shown = f"{scoring.mean_text(seat['mean_payoff'])} ({scoring.span_text(seat['payoff_interval'])})"
    return seat["mean_payoff"], seat["payoff_interval"], shown


def _seat_label(scoring: Scoring) -> Callable[[float], str]:
    return (lambda value: f"{value:.0%}") if scoring.by_wins else (lambda value: f"{value:g}")


def _in_each_seat(scoring: Scoring) -> str:
    if scoring.by_wins:
        return "Win rate in each seat, and wins – draws – losses."
    return f"Mean {scoring.unit} in each seat, and the 95 % interval."


def _seat_verdict(found: Data, scoring: Scoring) -> str:
    if found["kept"]:
        return "Agents and seats cannot be separated here: every agent kept its seat."
    if found["equal"]["method"] == "too few games":
        return "There are too few games to say whether seats differ."
    claim = "some seats win more often than others" if scoring.by_wins else "some seats earn more than others"
    return evidence(claim, found["equal"]["p"])


def _seat_styles(data: Data) -> list[str]:
    return [seat_style(name, seat) for seat, name in enumerate(data["seat_names"])]


def _compositions(data: Data) -> Element | None:
    found = data.get("compositions")
    if not found:
        return None
    rows, scoring = [], _scoring(data)
    if scoring.shared:
        return None
    for table in found[:MOST_COMPOSITIONS]:
        for at, row in enumerate(table["agents"]):
            rows.append((
                f"{table['games']:,}" if at == 0 else "", agent_name(row), row["seats"], row["wins"],
                tinted(tag("td", f"{row['win_rate']:.1%}"), row["win_rate"] - row["fair"]), span(row["win_interval"]),
                f"{row['fair']:.1%}", _payoff_cell(row, scoring),
            ))  # fmt: skip
    more = len(found) - MOST_COMPOSITIONS
    return section(
        "Tables with copies",
        paragraph("Who won where several copies of an agent sat at one table; a win of any copy counts. "
           "Even: the win rate of agents that are all equally strong."),
        table_of(("games", "agent", "seats", "won", "win rate", "95 % interval", "even",
                  f"{scoring.heading} a seat"), rows, named=1),
        paragraph(f"{more} more compositions are in the data of this report.", "note") if more > 0 else None,
    )  # fmt: skip


def _lengths(data: Data) -> Element | None:
    found = data.get("lengths")
    if not found:
        return None
    bars = [(bin_text(entry), entry["games"]) for entry in found["bins"]]
    text = (f"Games had {found['mean']:.1f} moves on average, half of them at most {found['median']:g}; the shortest "
            f"{found['shortest']:,}, the longest {found['longest']:,}.")  # fmt: skip
    return section(
        "Length of games", paragraph(text),
        tag("figure", tag("figcaption", "Games by number of moves", class_="note"),
            chart.histogram(bars, "Games by number of moves", text)),
        numbers_under(("moves", "games"), bars),
    )  # fmt: skip


def _times(data: Data) -> Element | None:
    found = data.get("times")
    if not found:
        return None
    speed = data["speed"]
    if not speed["seconds"]:
        return section("Time", paragraph(f"There is no such figure: {data['no_course']}."))
    text = f"{data['played']:,} games with {speed['plies']:,} moves took {long_time(speed['seconds'])} of thinking"
    if speed["games_per_second"]:
        rates = [speed_text(speed[name]) for name in ("games_per_second", "moves_per_second")]
        text += f": {rates[0]} games or {rates[1]} moves a second for one worker"
    rows = [
        (
            agent_name(row),
            row["moves"],
            time_text(row["seconds"]),
            *map(time_text, (row["seconds_per_move"], row["longest"])),
            *("–" if row[name] is None else number_text(row[name]) for name in SEARCHED),
        )
        for row in found
    ]
    return section(
        "Time", paragraph(text + "."),
        table_of(("agent", "moves", "in all", "mean a move", "longest move", "positions a move", "mean depth"), rows),
        *_time_course(data, found),
    )  # fmt: skip


def _time_course(data: Data, found: Sequence[Data]) -> list[Element | None]:
    head = tag("h3", "Time a move over the game")
    if data["no_course"]:
        return [head, paragraph(f"There is no such figure: {data['no_course']}.")]
    lines = {row["rank"]: [((part["from"] + part["to"]) / 2, max(FASTEST, part["median"])) for part in row["course"]]
             for row in found}  # fmt: skip
    last = max(part["to"] for row in found for part in row["course"])
    rounded = chart.round_scale([0, last], number_text)
    across = Axis(0, last, [mark for mark in rounded.marks if mark <= last], rounded.label)
    down = chart.power_scale([y for points in lines.values() for _, y in points], duration)
    panels = []
    for row in found:
        if row["course"]:
            others = [Curve("other", points) for rank, points in lines.items() if rank != row["rank"]]
            text = (f"From {duration(lines[row['rank']][0][1])} at the beginning to "
                    f"{duration(lines[row['rank']][-1][1])} at the end.")  # fmt: skip
            shown = chart.plot([*others, Curve("s1", lines[row["rank"]])], across, down,
                               f"Time a move of {row['agent']}", text)  # fmt: skip
            panels.append(panel(row, shown))
    table = [(agent_name(row), bin_text(part), part["moves"], duration(part["median"]), duration(part["longest"]))
             for row in found for part in row["course"]]  # fmt: skip
    return [
        head,
        paragraph(
            "Median by number of moves made before; grey: the other agents. The scale is logarithmic.",
            "note",
        ),
        tag("div", panels, class_="panels"),
        numbers_under(("agent", "after moves", "moves", "median", "longest"), table),
    ]


def _values(data: Data) -> Element | None:
    found = data.get("values")
    if found is None:
        return None
    if not found:
        return section("Values over the game", paragraph(f"There is no such figure: {data['no_values']}."))
    names = data["seat_names"]
    seat_lines = [[(seat_style(name, seat), name, row["by_seat"][seat]) for seat, name in enumerate(names)]
                  for row in found]  # fmt: skip
    ends = [[("s1", "in games it won", row["won"]), ("s2", "in the others", row["not_won"])] for row in found]
    return section(
        "Values over the game",
        paragraph("The mean of what an agent thought its own seat was worth when it was to move, from the first tenth "
                  "of a game to the last. Every agent has its own scale. Moves at which it saw the end of the game"
                  " are left out of the mean; the numbers say how many."),
        tag("h3", "By seat"), legend(seat_lines[0]), _value_panels(found, seat_lines),
        _value_data(found, seat_lines, "seat"),
        *([] if _scoring(data).shared else [
            tag("h3", "In games won and not won"), legend(ends[0]), _value_panels(found, ends),
            _value_data(found, ends, "games")]),
    )  # fmt: skip


def _value_panels(found: Sequence[Data], lines: Sequence[Sequence[tuple[str, str, Data]]]) -> Element:
    panels = []
    for row, named in zip(found, lines, strict=True):
        points = {name: [(part + 0.5, mean) for part, mean in enumerate(means["mean"])] for _, name, means in named}
        known = [mean for line in points.values() for _, mean in line if mean is not None]
        parts = len(named[0][2]["mean"])
        across = Axis(0, parts, [0, parts / 2, parts], lambda at, parts=parts: _PART[at / parts])  # type: ignore[misc]
        down = chart.round_scale(known, number_text, 3)
        text = f"Mean values lie between {number_text(min(known))} and {number_text(max(known))}."
        shown = chart.plot([Curve(style, points[name]) for style, name, _ in named], across, down,
                           f"Values of {row['agent']}", text)  # fmt: skip
        panels.append(panel(row, shown))
    return tag("div", panels, class_="panels")


def _value_data(found: Sequence[Data], lines: Sequence[Sequence[tuple[str, str, Data]]], what: str) -> Element:
    parts = len(lines[0][0][2]["mean"])
    rows = [
        (agent_name(row), name, *map(value_cell, means["mean"], means["moves"], means["sure"]))
        for row, named in zip(found, lines, strict=True)
        for _, name, means in named
    ]  # fmt: skip
    return numbers_under(("agent", what, *(f"tenth {part + 1}" for part in range(parts))), rows)


def _faults(data: Data) -> Element | None:
    found = data.get("faults")
    if not found or not found["games"]:
        return None
    rows = [(agent_name(row), REASONS[row["reason"]], row["games"]) for row in found["agents"]]
    more = found["games"] - len(found["messages"])
    scoring = _scoring(data)
    cost = "all earned the least" if scoring.shared else "it earned the least"
    cost = "it lost, and the others divided the win" if scoring.by_wins else cost
    return section(
        "Faults", paragraph(f"In {found['games']:,} games a seat failed; {cost}."),
        table_of(("agent", "how", "games"), rows),
        tag("details", tag("summary", "Messages"), tag("ul", [tag("li", text) for text in found["messages"]]),
            paragraph(f"{more:,} more are in the ledger.") if more > 0 else None),
    )  # fmt: skip


def _plan(data: Data) -> Element:
    plan = data["plan"]
    clocked = plan["limits"].get("move_seconds") or plan["limits"].get("game_seconds")
    limits = {name: value for name, value in plan["limits"].items() if value and (clocked or name != "start_seconds")}
    rows = [
        ("game", plan["game"]), ("rules", "" if data["rules"] is None else f"version {data['rules']}"),
        ("agents", _agents(data)), ("scheme", plan["scheme"]),
        ("hero", plan["hero"]), ("games planned", f"{data['planned']:,}"), ("seed", _seed(data)),
        ("openings", f"{plan['openings']} random moves" if plan["openings"] else "none"),
        ("stop", ", ".join(f"{name} {value}" for name, value in (plan["stop"] or {}).items())),
        ("limits", ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in limits.items()) or "none"),
        ("hooks", ", ".join(plan["hooks"])), ("run", tag("code", data["run"])), ("begun", f"{data['begun']} UTC"),
        ("played by", f"Kibitz {data['kibitz']}"), ("digest", tag("code", data["digest"])),
    ]  # fmt: skip
    return section(
        "What was played",
        paragraph("Every seating of the scheme is played equally often, all seatings of a block on the same deal. "
           "The digest is equal for equal results."),
        tag("div", tag("table", tag("tbody", [
            tag("tr", tag("th", name, scope="row", class_="name"), tag("td", value, class_="words"))
            for name, value in rows if value not in (None, "")])), class_="scroll"),
    )  # fmt: skip


def _seed(data: Data) -> str:
    """Return the seed that the plan names, or the secrets from which sessions dealt."""
    if data["plan"]["seed"] is not None:
        return str(data["plan"]["seed"])
    return ", ".join("not known" if part["seed"] is None else str(part["seed"]) for part in data["dealt"])


def _agents(data: Data) -> Element:
    """Return the agents as the plan lists them, with the names that bots give themselves."""
    names = {row["agent"]: row["name"] for row in data["standings"] if row["name"]}
    return tag("ol", [
        tag("li", tag("code", agent), f" calls itself {names[agent]}" if agent in names else None)
        for agent in data["plan"]["agents"]
    ])  # fmt: skip


SECTIONS = (
    _standings, _teams, _ratings, _cross, _seats, _compositions, _lengths, _times, _values, _faults, _plan,
)  # fmt: skip
