"""The verb that lays a table in a browser."""

from __future__ import annotations

import webbrowser
from importlib.util import find_spec

import click

from pymorph.cli.app import Exit, VerbCommand, cli
from pymorph.cli.output import put_line
from pymorph.errors import Fault, InputError

ABSENT = "the table needs more packages; pip install 'pymorph-referee[table]'"
LOCAL = ("127.0.0.1", "::1", "localhost")


@cli.command("table", cls=VerbCommand)
@click.argument("source", metavar="FILE_OR_GAME")
@click.option("--record", "target", metavar="FILE", help="Write the record of the game to FILE.")
@click.option("--start", default="", metavar="NAME", help="Start at this one of several starts.")
@click.option("--roll", "seed", default="", metavar="SEED", help="Make all rolls from this seed.")
@click.option("--host", default="127.0.0.1", help="Let others on this network sit down, at HOST.")
@click.option("--port", default=8017, type=click.IntRange(0, 65535), help="The port (8017).")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def table(
    source: str, target: str | None, start: str, seed: str, host: str, port: int, no_browser: bool
) -> Exit:
    """Play and ask in a browser: the board, what you may do, and why not.

    FILE_OR_GAME is a game, a position, or a record that you continue. The server runs on this
    machine and prints a link for each seat. Press Ctrl-C to end it: the record keeps the game.

    \b
    Example:
      pymorph table tictactoe
    """
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise InputError(Fault(ABSENT))
    from pymorph.doors.table import files, server  # which needs the extra at once
    from pymorph.doors.table.links import Links, own_key

    path, seats = files.laid(source, target or "", start, seed)
    links = Links(own_key())
    port = server.free_port(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    put_line(f"record: {path}")
    for name in seats:
        put_line(f"{name}: {address}{links.to(path, name).path()}")
    put_line("press Ctrl-C to end")
    if not no_browser:
        webbrowser.open(address + links.to(path, seats[0]).path())
    server.serve(server.Settings((path,), host, port), links)
    return Exit.YES
