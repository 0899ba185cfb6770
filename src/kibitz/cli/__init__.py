"""The command line: one verb a file. Heavy things are imported inside the verbs, so that help answers at once."""

import click

from kibitz import __version__
from kibitz.bench.bench_command import bench
from kibitz.bots.commands.bot_command import bot
from kibitz.cli.agents import agents
from kibitz.cli.analyse import analyse
from kibitz.cli.balance import balance
from kibitz.cli.check import check
from kibitz.cli.draw import draw
from kibitz.cli.games import games
from kibitz.cli.match import match
from kibitz.cli.new import new
from kibitz.cli.perft import perft
from kibitz.cli.play import play
from kibitz.cli.replay import replay
from kibitz.cli.report import report
from kibitz.cli.serve import serve
from kibitz.cli.tournament import tournament
from kibitz.lab.commands.experiment_command import experiment
from kibitz.lab.commands.tune_command import tune
from kibitz.learn.commands.learn_command import learn
from kibitz.plugins.battleground.battleground_command import battleground
from kibitz.plugins.courses.gamemaster_command import gamemaster

VERBS = (
    agents,
    analyse,
    balance,
    battleground,
    bench,
    bot,
    check,
    draw,
    experiment,
    gamemaster,
    games,
    learn,
    match,
    new,
    perft,
    play,
    replay,
    report,
    serve,
    tournament,
    tune,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kibitz")
def main() -> None:
    """A laboratory for board games with more than two seats, hidden cards, or both.

    \b
    Start here:
      kibitz serve                              play in the browser
      kibitz play quarto --level club           play in the terminal
      kibitz games                              what can be played
      kibitz agents quarto                      who can play it
      kibitz match quarto novice random --games 1000
    """


for _verb in VERBS:
    main.add_command(_verb)
