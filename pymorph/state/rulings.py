"""House rulings: what a table has decided, where that is written, and what of it is in force.

A rulings file names a game and lists rulings on its questions, at most one on each. Question by
question, what stands first here goes before the rest: what the one who asks says (``--reading``),
what the position, record or case says itself, the rulings file that is given, ``rulings.yaml``
beside the file that is asked about, and the files in the user's configuration: ``rulings.yaml``,
then ``rulings/*.yaml`` by name. A file that is found is passed over if it is about another game;
one that is given has to be about this one.
"""

from __future__ import annotations

import os
import warnings
from collections import ChainMap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pymorph import yamlio
from pymorph.answers import brief, json_keys
from pymorph.errors import Fault, InputError, Place, UnknownName, printable, reason
from pymorph.ruleset import locations
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.runtime.installation import user_folder
from pymorph.state.files.fields import HOUSE, RULING, FileReading
from pymorph.state.files.reader import Reading, ruling_fault
from pymorph.state.position import Position
from pymorph.yamlio import Items, Keys, Node, Scalar

NAME = "rulings.yaml"
ASKED, OWN = "--reading", "the position"


@json_keys(
    paths={"from": "origin"},
    without=["question", "filed"],
    optional=["option", "from", "why", "date", "source"],
)
class Ruling(NamedTuple):
    """A question that is decided.

    *origin* is where: ``--reading``, ``the position``, or the name of a file if *filed*.
    """

    question: str
    option: str
    origin: str
    filed: bool = False
    why: str = ""
    date: str = ""
    source: str = ""


RulingsInForce = Mapping[str, Ruling]  # by question, in order


@brief
class Rulings(NamedTuple):
    """The rulings of one file, as they stand there."""

    ruleset: Ruleset
    rulings: tuple[Ruling, ...]

    @property
    def in_force(self) -> RulingsInForce:
        """The rulings by question."""
        return dict(sorted((ruling.question, ruling) for ruling in self.rulings))

    @property
    def options(self) -> dict[str, str]:
        """What is in force, as `Position.with_rulings` takes it."""
        return options(self.in_force)


@checked
def load(path: str | os.PathLike[str]) -> Rulings:
    """The rulings in a file; ``-`` is standard input.

    Raises: InputError with every fault of the file, each at its line and column.

    >>> import pymorph
    >>> pymorph.load_rulings("examples/disputes/club/rulings.yaml").options
    {'inertia_score': 'whole_card'}
    """
    rulings = _read(os.fspath(path), None)
    assert rulings is not None
    return rulings


def in_force(
    position: Position,
    path: str = "-",
    readings: Mapping[str, str] | None = None,
    house: str | None = None,
    lookup: bool = True,
    known: RulingsInForce | None = None,
) -> RulingsInForce:
    """What is decided where *position* is asked about, which comes from the file at *path*.

    *readings* are the options that the one who asks states, and *house* is a rulings file. With
    *lookup*, the files beside *path* and in the configuration count as well. *known* is what was in
    force when somebody asked about the position before.
    Raises: InputError with every fault of the first file that has one.
    """
    game = position.ruleset
    layers: list[RulingsInForce] = [
        {name: Ruling(name, option, ASKED) for name, option in (readings or {}).items()},
        known or {},
        {name: Ruling(name, option, OWN) for name, option in position.rulings.items()},
    ]
    if house is not None:
        given = _read(house, game)
        if given is None:
            place = Place(yamlio.name_of(house))
            raise InputError(f"these rulings are for another game, not {game.name}", place)
        layers.append(given.in_force)
    if lookup and path != "-" and not path.lstrip().startswith("{"):
        layers.append(_in_files([beside(path)], game))
    if lookup:
        layers.append(configured(game))
    return _merge(layers)


def beside(path: str) -> Path:
    """The rulings file that counts for the file at *path*, whether there is one or not."""
    return Path(yamlio.path_in(Path(path).parent, NAME))


def configured(game: Ruleset) -> RulingsInForce:
    """What the user's configuration rules on the questions of a game; of one that may not be read
    a warning tells."""
    folder = user_folder("config", "PYMORPH_CONFIG")
    try:
        return _in_files([folder / NAME, *sorted((folder / "rulings").glob("*.yaml"))], game)
    except PermissionError as error:
        message = f"cannot read house rulings from {printable(str(folder))}: {reason(error)}"
        warnings.warn(message, stacklevel=2)
        return {}


def options(rulings: RulingsInForce) -> dict[str, str]:
    """The option of each question, as a position takes it."""
    return {question: ruling.option for question, ruling in rulings.items()}


# -- writing ---------------------------------------------------------------------------------------


def written(path: Path, game: Ruleset, question: str, ruling: Ruling | None = None) -> str:
    """The text of a rulings file with this *ruling* on a question, or with none on it. The other
    lines of the file stay as they are.

    Raises: InputError, if it is about another game, or cannot be added to.
    """
    text, name = yamlio.read(str(path)) if path.is_file() else ("", yamlio.name_of(str(path)))
    before = _read(str(path), game) if text else Rulings(game, ())
    if before is None:
        other = f"it has rulings for another game, not {game.name}; keep each game in its folder"
        raise InputError(other, Place(name))
    kept = tuple(one for one in before.rulings if one.question != question)
    added = () if ruling is None else (ruling,)
    lines = text.splitlines()
    root = yamlio.parse(text, name)[0] if text else None
    listed = root.get("rulings") if isinstance(root, Keys) else None
    if isinstance(listed, Items) and not listed.flow and kept:
        for first, last in reversed(_lines_about(question, listed, len(lines))):
            del lines[first:last]
        indent = " " * (listed.place.column - 1)
    else:
        head = yamlio.block({"ruleset": game.named_from(path.parent)})
        lines, indent = [*head.splitlines(), "rulings:"], "  "
        lines += [] if kept or added else ["  []"]
        added = (*kept, *added)
    for one in added:
        keys = {key: str(getattr(one, key)) for key in RULING.kinds if getattr(one, key)}
        opening, *rest = yamlio.block(dict(keys)).splitlines()
        lines += [f"{indent}- {opening}", *(f"{indent}  {line}" for line in rest)]
    new = "".join(f"{line}\n" for line in lines)
    root, faults = yamlio.parse(new, name)
    read = _Reading(path.parent, faults).house(root, game)
    wanted = {one.question: one.option for one in (*kept, *added)}
    if read is None or read.options != wanted:
        raise InputError("cannot be added to: 'rulings' is no list with a dash each", Place(name))
    return new


def _lines_about(question: str, listed: Items, end: int) -> list[tuple[int, int]]:
    """The lines of the items about a question, each from one line up to another."""
    starts = [item.place.line - 1 for item in listed.items]
    about = [item.get("question") if isinstance(item, Keys) else None for item in listed.items]
    spans = zip(starts, [*starts[1:], end], about, strict=True)
    return [
        (first, last)
        for first, last, node in spans
        if isinstance(node, Scalar) and node.text == question
    ]


def _merge(layers: list[RulingsInForce]) -> RulingsInForce:
    """All rulings; where several are on one question, the one that comes first."""
    return dict(sorted(ChainMap(*map(dict, layers)).items()))


def _in_files(paths: list[Path], game: Ruleset) -> RulingsInForce:
    """What those of the files that are there and about *game* rule."""
    houses = [_read(str(path), game) for path in paths if path.is_file()]
    return _merge([house.in_force for house in houses if house])


def _read(path: str, game: Ruleset | None) -> Rulings | None:
    """The rulings in a file; None, if they are not about *game*."""
    text, name = yamlio.read(path)
    root, faults = yamlio.parse(text, name)
    return _Reading(yamlio.folder_of(path), faults).house(root, game)


class _Reading(Reading):
    """One reading of a rulings file: collects every fault before it gives up."""

    about: Ruleset

    def house(self, root: Node, wanted: Ruleset | None) -> Rulings | None:
        root = self.whole(root, HOUSE)
        game = self.game(root, wanted)
        if game is None:
            return None
        self.about = game
        rulings = self.values(root, HOUSE).get("rulings", ())
        self.check()
        return Rulings(game, rulings)

    def game(self, root: Keys, wanted: Ruleset | None) -> Ruleset | None:
        """The game that the rulings are about; None, if it is not the one that is *wanted*."""
        node = root.get("ruleset")
        if wanted is None or not isinstance(node, Scalar) or not node.text:
            return self.ruleset(root)
        if node.text == wanted.name:
            return wanted
        try:
            folders = locations.folders_of(node.text, self.base)
        except UnknownName as error:
            raise UnknownName([Fault(f.message, node.place) for f in error.faults]) from None
        return wanted if tuple(map(str, folders)) == wanted.folders else None

    def house_rulings(self, node: Node, key: Scalar) -> tuple[Ruling, ...]:
        """The rulings of a list, at most one on each question."""
        rulings: dict[str, Ruling] = {}
        if not isinstance(node, Items):
            message = f"expected a list for {key.text!r}, each item with 'question' and 'option'"
            self.fault(message, node.place)
            return ()
        places: dict[str, Place] = {}
        for item in node.items:
            for ruling in self.ruling(item):
                known = places.setdefault(ruling.question, item.place)
                if rulings.setdefault(ruling.question, ruling) is not ruling:
                    message = f"line {known.line} already has a ruling on {ruling.question}"
                    self.fault(message, item.place)
        return tuple(rulings.values())

    question = FileReading.line

    def ruling(self, node: Node) -> Iterator[Ruling]:
        """A ruling, if it can be read."""
        values = self.values(node, RULING)
        if isinstance(node, Keys) and "question" in values and "option" in values:
            fault = ruling_fault(self.about, values["question"], values["option"])
            if fault is None:
                yield Ruling(**values, origin=node.place.file, filed=True)
            else:
                blamed = "option" if values["question"] in self.about.questions else "question"
                self.fault(fault.message, (node.get(blamed) or node).place)
