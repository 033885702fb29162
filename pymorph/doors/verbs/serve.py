"""The verb that answers the questions of other programs."""

from __future__ import annotations

from pymorph.cli.app import Exit
from pymorph.cli.options import flag
from pymorph.cli.texts import misused
from pymorph.cli.verb import CommandLine, verb
from pymorph.doors import stdio


@verb("serve")
class ServeVerb(CommandLine):
    """Answer the questions of another program, such as a bot.

    With --stdio, each line of standard input is a request of JSON-RPC 2.0, and gets one line as a
    response. The methods are the verbs; the method help lists them.

    \b
    Example:
      pymorph serve --stdio
    """

    stdio: bool = flag("--stdio", "Read requests from standard input, one a line.")

    def run(self) -> Exit:
        if not self.stdio:
            raise misused("serve needs --stdio")
        stdio.serve()
        return Exit.YES
