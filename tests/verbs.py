"""All verbs of the command line, loaded: those of Kibitz and those that come as plugins."""

import click

from kibitz.cli import main


def all_verbs() -> dict[str, click.Command]:
    """Return every verb by name."""
    context = click.Context(main)
    return {name: main.get_command(context, name) for name in main.list_commands(context)}
