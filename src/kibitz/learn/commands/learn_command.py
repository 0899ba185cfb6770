"""`kibitz learn`: teach networks."""

import click

from kibitz.learn.commands.learn_book import book
from kibitz.learn.commands.learn_compare import compare
from kibitz.learn.commands.learn_data import data
from kibitz.learn.commands.learn_export import export
from kibitz.learn.commands.learn_fit import fit
from kibitz.learn.commands.learn_iterate import iterate
from kibitz.learn.commands.learn_q import q
from kibitz.learn.commands.learn_td import td


@click.group()
def learn() -> None:
    """Teach networks by play, and use what others play."""


for _verb in (book, compare, data, export, fit, iterate, q, td):
    learn.add_command(_verb)
