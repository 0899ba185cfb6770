"""`kibitz plugins`: what installed packages bring, and where it comes from."""

from dataclasses import asdict

import click

from kibitz.console.command_line import console, print_json, verb


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the list as one JSON object.")
@verb
def plugins(as_json: bool) -> None:
    """List what installed packages bring: games, agents, commands and more; Kibitz brings some of its parts this way.

    Each is loaded, so that broken ones are found. docs/plugins.md describes how to write one.
    """
    from kibitz.core.plugins import GROUPS, everything

    found = [(plugin, wrong) for group in GROUPS for plugin, wrong in everything(group)]
    if as_json:
        print_json({"plugins": [{**asdict(plugin), "problem": wrong} for plugin, wrong in found]})
        return
    from rich.table import Table

    table = Table("kind", "name", "package", "from", box=None)
    for plugin, _ in found:
        table.add_row(plugin.group, plugin.name, f"{plugin.package} {plugin.version}", plugin.target)
    console(markup=False).print(table)
    for wrong in dict.fromkeys(wrong for _, wrong in found if wrong):
        click.echo(wrong, err=True)
    if any(wrong for _, wrong in found):
        raise SystemExit(1)
