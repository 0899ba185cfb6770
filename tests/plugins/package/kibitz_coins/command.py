"""The command."""

import click


@click.command()
def coins() -> None:
    """Say how many coins there are."""
    click.echo("seven coins")
