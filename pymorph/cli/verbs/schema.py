"""The verb that prints the schemas of files and answers."""

from __future__ import annotations

import json
from typing import Any

import click

from pymorph.cli import answer_schema, values
from pymorph.cli.app import VERBS, Exit
from pymorph.cli.options import argument, option
from pymorph.cli.output import put_line, put_text
from pymorph.cli.texts import misused
from pymorph.cli.verb import CommandLine, verb
from pymorph.ruleset import loader, locations
from pymorph.state.files import schema as schemas


@verb("schema")
class SchemaVerb(CommandLine):
    """Print a JSON Schema for the files of a game, so that an editor completes and checks them.

    With --of answer, it prints the schema of what a VERB prints with --json; without a VERB, it
    lists the verbs that have one.

    \b
    Example:
      pymorph schema connect_four --of record
      pymorph schema legal --of answer
    """

    subject: str | None = argument(
        values.Completed(lambda _: [*locations.names(), *VERBS], "dir"),
        "RULESET|VERB",
        required=False,
    )
    kind: str = option(
        "--of",
        "The kind of file (position), or answer.",
        click.Choice(["position", "record", "case", "rulings", "answer"]),
        default="position",
    )

    def run(self) -> Exit:
        if self.kind == "answer" and self.subject is None:
            put_line(*answer_schema.answers())
            return Exit.YES
        if self.subject is None:
            raise misused("missing argument RULESET")
        return super().run()

    def ask(self) -> dict[str, Any]:
        assert self.subject is not None
        if self.kind == "answer":
            return answer_schema.schema(self.subject)
        return schemas.schema(loader.load(self.subject), self.kind)

    def put(self, answer: dict[str, Any]) -> None:
        put_text(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
