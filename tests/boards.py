"""Two known games in plain Python, to compare the rulesets with: their rules owe pymorph nothing.

A game is a value with `moves`, each a pair of what is done and the game after it, and with `data`,
the position as a file of the ruleset has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol, Self

import chess

from pymorph.dynamics import transitions
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, position_of

COLUMNS = "abcdefgh"
KINDS = dict(zip("kqrbnp", ("king", "queen", "rook", "bishop", "knight", "pawn"), strict=True))


class Game(Protocol):
    def moves(self) -> Iterator[tuple[str, Self]]: ...

    def data(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class ConnectFour:
    """Columns as strings, from the bottom up; red, the first, has the digit 0."""

    columns: tuple[str, ...] = ("",) * 7
    player: int = 0
    over: bool = False

    def moves(self) -> Iterator[tuple[str, ConnectFour]]:
        for x, column in enumerate(self.columns):
            if self.over or len(column) == 6:
                continue
            columns = (*self.columns[:x], column + str(self.player), *self.columns[x + 1 :])
            won = four(columns, x, len(column))
            name = f"drop({('red', 'yellow')[self.player]}, {COLUMNS[x]})"
            yield name, ConnectFour(columns, 1 - self.player, won)

    def data(self) -> dict[str, Any]:
        discs = {
            f"{COLUMNS[x]}{y + 1}": ("red", "yellow")[int(disc)]
            for x, column in enumerate(self.columns)
            for y, disc in enumerate(column)
        }
        return {"turn": ("red", "yellow")[self.player], "discs": discs}


def four(columns: tuple[str, ...], x: int, y: int) -> bool:
    """Is the disc at the end of the column part of four in a line?"""

    def at(u: int, v: int) -> str:
        return columns[u][v] if 0 <= u < 7 and 0 <= v < len(columns[u]) else ""

    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        line = "".join(at(x + n * right, y + n * up) or "-" for n in range(-3, 4))
        if at(x, y) * 4 in line:
            return True
    return False


@dataclass(frozen=True)
class Breakthrough:
    """The squares of both players' men, as columns and rows from 0; white, the first, goes up."""

    men: tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]] = (
        frozenset((x, y) for x in range(8) for y in (0, 1)),
        frozenset((x, y) for x in range(8) for y in (6, 7)),
    )
    player: int = 0
    over: bool = False

    def moves(self) -> Iterator[tuple[str, Breakthrough]]:
        own, others = self.men[self.player], self.men[1 - self.player]
        up = (1, -1)[self.player]
        for x, y in [] if self.over else own:
            for way, right in (("left", -up), ("ahead", 0), ("right", up)):
                target = (x + right, y + up)
                if not 0 <= target[0] < 8 or target in own or (not right and target in others):
                    continue
                ours, theirs = own - {(x, y)} | {target}, others - {target}
                won = not theirs or target[1] == (7, 0)[self.player]
                men = (ours, theirs) if self.player == 0 else (theirs, ours)
                name = f"move({('white', 'black')[self.player]}, {COLUMNS[x]}{y + 1}, {way})"
                yield name, Breakthrough(men, 1 - self.player, won)

    def data(self) -> dict[str, Any]:
        colours = ("white", "black")
        men = {f"{COLUMNS[x]}{y + 1}": colours[n] for n in (0, 1) for x, y in sorted(self.men[n])}
        return {"turn": colours[self.player], "men": men}


def counts(start: Game, depth: int) -> tuple[list[int], list[int]]:
    """The number of sequences of each length, and of the games that they lead to."""
    layer: Counter[Hashable] = Counter({start: 1})
    sequences, positions = [], []
    for _ in range(depth):
        after: Counter[Any] = Counter()
        for game, number in layer.items():
            for _, next_one in game.moves():  # type: ignore[attr-defined]
                after[next_one] += number
        layer = after
        sequences.append(sum(layer.values()))
        positions.append(len(layer))
    return sequences, positions


def played(start: Any, seed: int) -> tuple[list[Any], list[str]]:
    """The games on the way of one that is played at random to its end, and what is done in them."""
    source = Random(seed)
    games, names = [start], []
    while moves := sorted(games[-1].moves(), key=lambda move: move[0]):
        name, game = source.choice(moves)
        games.append(game)
        names.append(name)
    return games, names


def agreed(start: Any, seed: int, of_game: Callable[[Any], Position]) -> list[Any]:
    """The games on the way of one that is played at random.

    The rules of a ruleset allow the same in each as the plain program does, and come to the same.
    """
    games, names = played(start, seed)
    rows = transitions.successors_of(list(map(of_game, games)))
    for number, (game, row) in enumerate(zip(games, rows, strict=True)):
        after = {str(action): position for action, position in row}
        assert set(after) == {name for name, _ in game.moves()}
        if after:
            assert after[names[number]] == of_game(games[number + 1])
    return games


def thinned(game: Breakthrough, seed: int, left: int) -> Breakthrough:
    """The game with no more than so many men *left* on each side."""
    source = Random(seed)
    own, others = (frozenset(source.sample(sorted(men), min(left, len(men)))) for men in game.men)
    return replace(game, men=(own, others))


def side(white: bool) -> str:
    return "white" if white else "black"


def of_board(board: chess.Board) -> Position:
    """The position of a board of the library; written here once more, apart from the importer."""
    men = {
        chess.square_name(at): f"{side(piece.color)}_{KINDS[piece.symbol().lower()]}"
        for at, piece in board.piece_map().items()
    }
    wings = {
        "short": board.has_kingside_castling_rights,
        "long": board.has_queenside_castling_rights,
    }
    rights = {
        side(colour): {wing: "yes" for wing, has in wings.items() if has(colour)}
        for colour in chess.COLORS
    }
    data = {"ruleset": str(EXAMPLES / "rulesets" / "chess"), "turn": side(board.turn), "men": men}
    data["may_castle"] = {colour: wings for colour, wings in rights.items() if wings}
    if board.ep_square is not None:
        data["passed"] = chess.square_name(board.ep_square)
    if board.halfmove_clock:
        data["quiet"] = board.halfmove_clock
    if board.fullmove_number > 1:
        data["number"] = board.fullmove_number - 1
    return position_of({key: value for key, value in data.items() if value != {}})
