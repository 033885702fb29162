"""The verb that answers agents over the Model Context Protocol."""

from __future__ import annotations

import os
from importlib.util import find_spec

import click

from pymorph.cli.app import Exit, VerbCommand, cli
from pymorph.errors import Fault, InputError, Place

ABSENT = "the Model Context Protocol is not installed; pip install 'pymorph-referee[mcp]'"


@cli.command("mcp", cls=VerbCommand)
@click.option("--game", "file", metavar="FILE", help="Serve the game whose record is FILE.")
@click.option(
    "--seat",
    metavar="NAME",
    help="Serve only the seat of NAME: what it sees and may do.",
)
@click.option(
    "--games", "folder", metavar="FOLDER", help="Record new games in FOLDER (default: for a while)."
)
@click.option("--hide-legal", is_flag=True, help="Never list which actions are legal.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    metavar="SECONDS",
    help="Answer each question within SECONDS (30).",
)
def mcp(
    file: str | None, seat: str | None, folder: str | None, hide_legal: bool, timeout: float
) -> Exit:
    """Answer agents over the Model Context Protocol.

    The program in which agents run starts this command, and talks to it over the standard streams.

    \b
    Example:
      pymorph mcp
    """
    if seat and not file:
        raise click.UsageError("--seat needs --game FILE")
    if find_spec("mcp") is None:
        raise InputError(Fault(ABSENT))
    for path, there in ((file, os.path.isfile), (folder, os.path.isdir)):
        if path and not there(path):
            raise InputError(Fault("no such file or folder", Place(path)))
    from pymorph.doors.mcp import server  # which needs the extra at once

    server.serve(server.Settings(file or "", seat or "", folder or "", not hide_legal, timeout))
    return Exit.YES
