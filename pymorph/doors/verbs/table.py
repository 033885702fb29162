"""The verb that lays a table in a browser."""

from __future__ import annotations

import ipaddress
import os
import socket
import webbrowser
from contextlib import suppress
from functools import partial
from importlib.util import find_spec

import click
from click.core import ParameterSource

from pymorph.cli.app import Exit, VerbCommand, cli
from pymorph.cli.output import put_line
from pymorph.cli.texts import pairs
from pymorph.errors import Fault, InputError

ABSENT = "the table needs more packages; pip install 'pymorph-referee[table]'"
PLAIN = (
    "warning: a link is a seat for everybody who has it, and is sent as plain HTTP; "
    "use a network that you trust"
)
BEYOND = "192.0.2.1", "2001:db8::1"  # addresses of nobody: nothing is sent to them


@cli.command("table", cls=VerbCommand)
@click.argument("source", metavar="FILE_OR_GAME")
@click.option("--record", "target", metavar="FILE", help="Write the record of the game to FILE.")
@click.option("--start", default="", metavar="NAME", help="Start at this one of several starts.")
@click.option("--roll", "seed", default="", metavar="SEED", help="Make all rolls from this seed.")
@click.option(
    "--computer",
    "players",
    multiple=True,
    metavar="NAME=HOW",
    help="Let the computer play NAME: random, a policy of the game, or search; may be repeated.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Let others on this network sit down, at this address of the machine, or 0.0.0.0.",
)
@click.option("--port", default=8017, type=click.IntRange(0, 65535), help="The port (8017).")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.pass_context
def table(
    context: click.Context,
    source: str,
    target: str | None,
    start: str,
    seed: str,
    players: tuple[str, ...],
    host: str,
    port: int,
    no_browser: bool,
) -> Exit:
    """Play and ask in a browser: the board, what you may do, and why not.

    FILE_OR_GAME is a game, a position, a record that you continue, or a folder with such files. The
    server runs on this machine and prints a link for each seat. Press Ctrl-C to end it: the record
    keeps the game, and the same links work when you start it again.

    \b
    Example:
      pymorph table tictactoe
      pymorph table tictactoe.game1.yaml --computer o=random
      pymorph table chess --host 0.0.0.0
    """
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise InputError(Fault(ABSENT))
    from pymorph.doors.table import computers, files, server  # which needs the extra at once
    from pymorph.doors.table.links import Links, own_key

    how = pairs(players, "--computer takes NAME=HOW, not {}", "--computer gives two for {}")
    fixed = context.get_parameter_source("port") is ParameterSource.COMMANDLINE
    listener = server.listening(host, port, fixed)
    with listener:
        links = Links(own_key())
        check = partial(computers.require, how)
        path = files.laid(source, target or "", start, seed, check)
        game = server.TableServer(server.TableSettings(os.path.dirname(path), host), links)
        seats = game.sit(path, how)
        put_line(f"record: {path}")
        addresses = addresses_of(host, listener.getsockname()[1])
        for address in addresses:
            for name in seats:
                put_line(f"{name}: {address}{links.to(path, name).path()}")
        if not addresses[0].startswith(("http://127.", "http://[::1]")):
            put_line(PLAIN, err=True)
        put_line("press Ctrl-C to end")
        if not no_browser:
            webbrowser.open(addresses[0] + links.to(path, seats[0]).path())
        server.serve(game, listener)
    put_line(f"the record is {path}; continue it with: pymorph table {path}")
    return Exit.INTERRUPTED


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a server in links; where it listens at all of them, each that can be used.

    Others on the network need one that is not of this machine alone, so these come first.
    """
    hosts = [host]
    with suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            hosts = [*own_addresses(ipaddress.ip_address(host).version), "127.0.0.1"]
    return [f"http://{f'[{each}]' if ':' in each else each}:{port}" for each in hosts]


def own_addresses(version: int) -> list[str]:
    """The addresses of this machine on its networks; of version 6, those of version 4 as well."""
    found = []
    for family, nobody in zip((socket.AF_INET, socket.AF_INET6), BEYOND, strict=True):
        if version == 4 and family == socket.AF_INET6:
            continue
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.connect((nobody, 9))  # picks an address of this machine
            found.append(str(trial.getsockname()[0]))
    with suppress(OSError):
        for family, *_, (address, *_) in socket.getaddrinfo(socket.gethostname(), None):
            if family == socket.AF_INET or (family == socket.AF_INET6 and version == 6):
                found.append(str(address))
    return [one for one in dict.fromkeys(found) if is_reachable(one)]


def is_reachable(address: str) -> bool:
    """Can another machine on the network use it in a link?"""
    known = ipaddress.ip_address(address.partition("%")[0])
    return not (known.is_loopback or known.is_link_local or known.is_unspecified)
