"""`kibitz learn`: train networks."""

import click

from kibitz.learn.commands.learn_book import book
from kibitz.learn.commands.learn_compare import compare
from kibitz.learn.commands.learn_data import data
from kibitz.learn.commands.learn_export import export
from kibitz.learn.commands.learn_fit import fit
from kibitz.learn.commands.learn_iterate import iterate
from kibitz.learn.commands.training_commands import q, td


@click.group()
def learn() -> None:
    """Train networks by self-play, or from the games of others."""


for _verb in (book, compare, data, export, fit, iterate, q, td):
    learn.add_command(_verb)
