"""FEN and PGN for the chess of this folder: positions and records in and out.

    python notation.py fen "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" > position.yaml
    python notation.py to-fen position.yaml
    python notation.py pgn game.pgn > record.yaml
    python notation.py pgn games.pgn --game 2 > record.yaml
    python notation.py pgn games.pgn --output records
    python notation.py to-pgn record.yaml

Each input is read whole or refused: what a record has no place for is named on standard error.
It needs pymorph and, for PGN, the package `chess`. The rules need neither it nor Python.
"""

from __future__ import annotations

import errno
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import chess
import chess.pgn
import click

from pymorph import Position, PymorphError, Record, check, legal_of, load_ruleset, replay, yamlio
from pymorph.dynamics.results import GameOutcome
from pymorph.errors import HIDDEN, clipped, printable
from pymorph.state.record import Move, StatedEnd

FOLDER = Path(__file__).resolve().parent
KINDS = dict(zip("kqrbnp", ("king", "queen", "rook", "bishop", "knight", "pawn"), strict=True))
LETTERS = {kind: letter for letter, kind in KINDS.items()}
WINNERS: dict[str, tuple[str, ...]] = {"1-0": ("white",), "0-1": ("black",), "1/2-1/2": ()}
OPEN_RESULTS = ("", "*", "?")
WINGS = {"K": "short", "Q": "long"}
FILES = {
    "H": "K",
    "A": "Q",
    "h": "k",
    "a": "q",
}  # rights by the file of the rook, as X-FEN has them
FIELDS = "squares, side to move, castling rights, en passant square, halfmove clock, move number"
CHESS = ("", "?", "standard", "chess", "classical", "normal", "from position")  # names of variants
OWN = ("result", "fen", "setup", "variant")  # headers that a record says by itself
UNSAID = "as the PGN says"
CLAIM = re.compile(r"claim_draw\(\w+\)|claim_ahead\(\w+, \w+, \w+\)")
MOST_BYTES = 20_000_000  # of a file in PGN
TOGETHER = 200  # positions that the rules look at in one go

TOKEN = re.compile(
    r"""
    (?P<gap>[\s\ufeff\x1a]+)
    | (?P<comment>^%[^\n]*|;[^\n]*|\{[^}]*\}?)
    | (?P<tag>\[[\ \t]*(?P<key>[A-Za-z0-9][A-Za-z0-9_+\#=:-]*)[\ \t]+
        "(?P<value>(?:\\.|[^"\\\n])*)"[\ \t]*\])
    | (?P<odd_tag>^\[[\ \t]*(?P<odd_key>[A-Za-z0-9_]+)[\ \t]+
        "(?P<odd_value>[^\n]*)"[\ \t]*\][\ \t]*$)
    | (?P<open>\() | (?P<close>\))
    | (?P<nag>\$[0-9]+|[!?]{1,2}|(?:[+-]/?[+-]|[+=]/?[+=]|=|[\u00b1\u2213\u221e])(?<!--)(?!\S))
    | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?![^\s;{}()\[\]]))
    | (?P<number>(?!0000)[0-9]+(?![0-9/-])[.\u2026]*|[.\u2026]+)
    | (?P<passing>e\.?p\.?(?![\w-]))
    | (?P<move>(?:(?!e\.p)[^\s\[\](){};$!?.\u2026*\ufeff\x1a])+)
    | (?P<odd>.)
    """,
    re.VERBOSE | re.MULTILINE,
)


class Written(NamedTuple):
    """A move as a file in PGN has it: its line, its number, if one is there, and its name."""

    line: int
    number: int | None
    name: str


class Header(NamedTuple):
    line: int
    key: str
    value: str


class Game:
    """A game as a file in PGN has it, and what a record has no place for, counted."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.headers: dict[str, Header] = {}  # by their names in small letters
        self.moves: list[Written] = []
        self.result = ""
        self.left: Counter[str] = Counter()
        self.fault: tuple[int, str] | None = None  # the first, with its line

    def __bool__(self) -> bool:
        return bool(self.headers or self.moves or self.result or self.fault)

    def blame(self, line: int, what: str) -> None:
        self.fault = self.fault or (line, what)

    def header(self, key: str) -> Header:
        return self.headers.get(key.lower(), Header(self.line, key, ""))

    def begins_another(self, kind: str, token: re.Match[str], depth: int, blank: bool) -> bool:
        """Does the next game begin with that token, after an empty line if it is *blank*?"""
        if kind in ("tag", "odd_tag"):
            known = key_of(token).lower() in self.headers
            return bool(self.moves or self.result or depth or (blank and known))
        if not blank or depth or kind in ("comment", "nag", "close"):
            return False
        first = kind == "number" and token.group().rstrip(".\u2026") == "1"
        return bool(self.result) or (first and len(self.moves) > 1)


def key_of(token: re.Match[str]) -> str:
    return token["key"] or token["odd_key"]


def games_of(text: str) -> Iterator[Game]:
    """The games of a text in PGN, each with the first thing that is wrong in it."""
    game = Game(1)
    line, depth, blank, number = 1, 0, False, None
    for token in TOKEN.finditer(text):
        kind, here = str(token.lastgroup), token.group()
        if kind == "gap":
            blank = blank or here.count("\n") > 1
            line += here.count("\n")
            continue
        if not game:
            game.line = line
        elif game.begins_another(kind, token, depth, blank):
            if depth:
                game.blame(line, "the variation before this line is not closed")
            yield game
            game, depth, number = Game(line), 0, None
        fault = ""
        if kind == "comment":
            game.left["comment"] += 1
            if here.startswith("{") and not here.endswith("}"):
                fault = "the comment that starts here is not closed"
        elif depth:
            depth += (kind == "open") - (kind == "close")
        elif kind in ("tag", "odd_tag"):
            value = token["odd_value"] or re.sub(r'\\(["\\])', r"\1", token["value"] or "")
            header = Header(line, key_of(token), HIDDEN.sub("\ufffd", value))
            if game.headers.setdefault(header.key.lower(), header).value != header.value:
                fault = f"a second header {header.key}"
            fault = "a move number before a header" if number else fault
        elif kind == "nag":
            game.left["annotation"] += 1
        elif kind == "open":
            depth = 1
            game.left["variation"] += 1
            fault = "" if game.moves else "a variation before the first move"
        elif kind == "close":
            fault = "')' closes no variation"
        elif kind == "odd" and game.fault is None:
            rest = text[token.start() : token.start() + 30].split("\n")[0]
            fault = f"neither a header nor a move: {clipped(rest)}"
        elif kind in ("move", "number", "result") and game.result:
            fault = f"{clipped(here)} comes after the result {game.result}"
        elif kind == "result":
            game.result = here
        elif kind == "number":
            number = int(here.rstrip(".\u2026")[:9] or 0) or None
        elif kind == "move":
            game.moves.append(Written(line, number, here))
            number = None
            if len(game.moves) > 2 * most("number"):
                game.moves.pop()
                fault = f"a record has at most {most('number')} moves"
        if fault:
            game.blame(line, fault)
        line += here.count("\n")
        blank = False
    if depth:
        game.blame(line, "a variation is not closed at the end of the file")
    if game:
        yield game


def text_of(data: bytes) -> str:
    """A file in PGN as text: in UTF-8, or as old programs write it."""
    for encoding in ("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "cp1252"):
        try:
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")


def refuse(message: str) -> NoReturn:
    raise click.ClickException(message)


# -- positions -------------------------------------------------------------------------------------


@cache
def most(fluent: str) -> int:
    """The largest number that a position has for a fluent."""
    words = load_ruleset(str(FOLDER)).vocabulary
    return words.sorts[words.fluents[fluent].value].high


def board_from(fen: str) -> chess.Board:
    """The board that a FEN tells of, with all that it says."""
    fields = fen.split()
    if len(fields) not in (4, 6):
        refuse(f"no FEN: it has {len(fields)} fields, expected 6: {FIELDS}")
    clocks = (("halfmove clock", 0, most("quiet")), ("move number", 1, most("number") + 1))
    for (name, low, high), found in zip(clocks, fields[4:], strict=False):
        if not re.fullmatch("[0-9]{1,9}", found) or not low <= int(found) <= high:
            refuse(f"no FEN: the {name} is {clipped(found)}, expected {low} to {high}")
    try:
        board = chess.Board(" ".join(fields))
    except ValueError as error:
        refuse(f"no FEN: {printable(str(error))}")
    if "~" in fields[0]:
        refuse("no FEN: '~' belongs to another game")
    hold_rights(board, fields[2])
    if len(fields) == 4:
        click.echo("the FEN has no clocks: it is read with '0 1'", err=True)
    return board


def hold_rights(board: chess.Board, letters: str) -> None:
    """Refuse rights to castle for which *board* has no king or no rook in its place."""
    for letter in letters.strip("-"):
        if FILES.get(letter, letter) in board.castling_xfen():
            continue
        row = "1" if letter.isupper() else "8"
        file = {"K": "h", "Q": "a"}.get(letter.upper(), letter.lower())
        needs = f"it needs the king of {side(letter.isupper())} on e{row} and its rook on"
        if file in "ah":
            refuse(f"castling right '{letter}': {needs} {file}{row}")
        refuse(f"castling right '{letter}': {needs} a{row} or h{row}; Chess960 is another game")


def position_of(board: chess.Board) -> Position:
    """The position of a board, as a file of this ruleset has it."""
    men = {
        chess.square_name(square): f"{side(piece.color)}_{KINDS[piece.symbol().lower()]}"
        for square, piece in board.piece_map().items()
    }
    data: dict[str, Any] = {"ruleset": str(FOLDER), "turn": side(board.turn), "men": men}
    rights: dict[str, dict[str, str]] = {}
    for letter in board.fen().split()[2].strip("-"):
        rights.setdefault(side(letter.isupper()), {})[WINGS[letter.upper()]] = "yes"
    data |= {"may_castle": rights} if rights else {}
    data |= {"passed": chess.square_name(board.ep_square)} if board.ep_square is not None else {}
    data |= {"quiet": board.halfmove_clock, "number": board.fullmove_number - 1}
    return Position.parse(json.dumps(data))


def board_of(position: Position) -> chess.Board:
    """The board of a position."""
    board, rights = chess.Board(None), {}
    fluents = {str(fluent): str(value) for fluent, value in position.fluents.items()}
    for fluent, value in fluents.items():
        try:
            match re.split(r"[(),]+", fluent.rstrip(")")):
                case ["man", square]:
                    colour, kind = value.split("_")
                    letter = LETTERS[kind]
                    man = letter.upper() if colour == "white" else letter
                    board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol(man))
                case ["may_castle", colour, wing]:
                    letter = {wing: letter for letter, wing in WINGS.items()}[wing]
                    rights[letter if colour == "white" else letter.lower()] = value == "yes"
                case ["turn"]:
                    board.turn = {"white": True, "black": False}[value]
                case ["passed"]:
                    board.ep_square = chess.parse_square(value)
                case ["quiet"]:
                    board.halfmove_clock = int(value)
                case ["number"]:
                    board.fullmove_number = int(value) + 1
                case _:
                    raise ValueError
        except (KeyError, ValueError):
            refuse(f"a FEN has no place for {fluent}: {value}")
    letters = "".join(letter for letter in "KQkq" if rights.get(letter))
    board.set_castling_fen(letters or "-")
    hold_rights(board, letters)
    return board


def action_of(board: chess.Board, move: chess.Move) -> str:
    """A move on a board, as an action of this ruleset."""
    player = side(board.turn)
    if board.is_castling(move):
        return f"castle({player}, {'short' if board.is_kingside_castling(move) else 'long'})"
    way = f"{player}, {chess.square_name(move.from_square)}, {chess.square_name(move.to_square)}"
    if move.promotion:
        return f"promote({way}, {KINDS[chess.piece_symbol(move.promotion)]})"
    return f"move({way})"


def move_of(board: chess.Board, action: str) -> chess.Move:
    """An action of this ruleset, as a move on the board."""
    for move in board.legal_moves:
        if action_of(board, move).replace(" ", "") == action.replace(" ", ""):
            return move
    raise PymorphError(f"{action} is not a move that PGN can express")


def result_of(ending: GameOutcome | None) -> str:
    """How PGN says who has won."""
    if ending is None:
        return "*"
    winners = tuple(map(str, ending.winners))
    return next((text for text, who in WINNERS.items() if who == winners), "*")


def side(white: bool) -> str:
    return "white" if white else "black"


def cited(rules: Iterable[str]) -> str:
    """Rules by their titles and ids."""
    known = load_ruleset(str(FOLDER))
    return ", ".join(f"{known.rule(rule).title} [{rule}]" for rule in rules)


# -- games -----------------------------------------------------------------------------------------


class Reading:
    """One game of a file in PGN, which is read whole or refused, each time with the place."""

    def __init__(self, game: Game, place: str, number: int) -> None:
        self.game, self.place, self.number = game, place, number
        self.names: list[str] = []  # of the moves, each with its number

    def refuse(self, line: int, what: str) -> NoReturn:
        refuse(f"{self.place}:{line}: game {self.number}: {what}")

    def record(self) -> tuple[Record, str]:
        """The record of the game, and as a comment the headers that it has no place for."""
        if self.game.fault:
            self.refuse(*self.game.fault)
        start = self.start()
        board, moves = start.copy(), []
        for written in self.game.moves:
            moves.append(self.move(board, written))
            board.push(moves[-1])
        if board.fullmove_number > most("number") + 1:
            self.refuse(self.game.line, f"a record counts moves up to {most('number')}")
        actions, ending = self.tried(start.copy(), moves)
        end, claim = self.end()
        steps = tuple(map(Move, [*actions, *claim]))
        if claim or board.is_repetition(5):
            ending = self.with_history(board, steps)
        if ending and self.stated() not in ("*", result_of(ending)):
            said = f"the result is {self.stated()}, by the rules {result_of(ending)}"
            self.refuse(self.game.line, f"{said}: {cited(ending.rules)}")
        record = Record(position_of(start), steps, end=None if ending else end)
        told = {*OWN, *(["termination"] if claim or record.end else [])}
        kept = [header for key, header in self.game.headers.items() if key not in told]
        return record, "".join(f'# [{h.key} "{escaped(h.value)}"]\n' for h in kept)

    def start(self) -> chess.Board:
        """The board from which the game starts."""
        variant, fen, setup = map(self.game.header, ("Variant", "FEN", "SetUp"))
        if variant.value.strip().lower() not in CHESS:
            self.refuse(variant.line, f"Variant {clipped(variant.value)} is another game")
        if not fen.value and setup.value == "1":
            self.refuse(setup.line, "SetUp needs the header FEN with the position of the start")
        if not fen.value:
            return chess.Board()
        try:
            board = board_from(fen.value)
        except click.ClickException as error:
            self.refuse(fen.line, error.message)
        for flaw in check(position_of(board)).flaws:
            says = load_ruleset(str(FOLDER)).rule(flaw.rules[0]).says
            self.refuse(fen.line, f"no position of chess: {says} [{flaw.rules[0]}]")
        return board

    def move(self, board: chess.Board, written: Written) -> chess.Move:
        """A move on the board before it."""
        name = f"{board.fullmove_number}.{'' if board.turn else '..'} {printable(written.name, 20)}"
        fits = written.number in (None, board.fullmove_number)
        self.game.left["wrong move number"] += not fits
        try:
            move = board.parse_san(re.sub("[+#]+$", "", written.name))
        except chess.AmbiguousMoveError:
            self.refuse(written.line, f"{name} may be two moves: say from where")
        except chess.InvalidMoveError:
            self.refuse(written.line, f"{name} is no move; PGN writes Nf3, exd5, O-O or e8=Q")
        except ValueError:
            over = "" if any(board.legal_moves) else "chs_11" if board.is_check() else "chs_12"
            why = f": the game is over: {cited([over])}" if over else ""
            self.refuse(written.line, f"{name} is not legal{why}")
        if not move:
            self.refuse(written.line, f"{name} is a null move, which no game has")
        self.names.append(name)
        return move

    def tried(
        self, board: chess.Board, moves: Sequence[chess.Move]
    ) -> tuple[list[str], GameOutcome | None]:
        """The moves as actions, all legal by the rules of this folder, and how they end the game.

        Many positions are looked at together, each as if it came up for the first time.
        """
        actions: list[str] = []
        waiting, first = [position_of(board)], 0
        for move in moves:
            actions.append(action_of(board, move))
            if board.is_repetition(5):
                self.illegal(len(actions) - 1, ["chs_18"])
            board.push(move)
            if len(waiting) == TOGETHER or board.halfmove_clock > most("quiet"):
                self.hold_legal(first, actions[first:], waiting)
                waiting, first = [], len(actions)
            waiting.append(position_of(board))
        return actions, self.hold_legal(first, actions[first:], waiting)

    def hold_legal(
        self, first: int, actions: Sequence[str], before: Sequence[Position]
    ) -> GameOutcome | None:
        """Refuse an action that is not legal in its position; how the last one ends the game."""
        found = legal_of(before)
        for at, (action, answer) in enumerate(zip(actions, found, strict=False), first):
            if action not in map(str, answer.actions):
                self.illegal(at, answer.over)
        return found[-1].outcome

    def with_history(self, board: chess.Board, steps: Sequence[Move]) -> GameOutcome | None:
        """How a game ends by its claim, or since a position came up for the fifth time."""
        tail = board.copy()
        for _ in range(min(board.halfmove_clock, len(board.move_stack))):
            tail.pop()  # what came before that cannot come up again
        last = tuple(steps[len(tail.move_stack) :])
        found = replay(Record(position_of(tail), last))
        if found.stop is not None:
            self.refuse(self.game.line, f"the claim is not legal: {steps[-1].action}")
        return found.ending

    def illegal(self, at: int, over: Sequence[str]) -> NoReturn:
        written = self.game.moves[at]
        why = f"the game is over: {cited(over)}" if over else "not legal by the rules"
        self.refuse(written.line, f"{self.names[at]}: {why}")

    def stated(self) -> str:
        """The result that is written, if there is one; the same twice."""
        header, result = self.game.header("Result"), self.game.result
        if header.value in WINNERS and result in WINNERS and header.value != result:
            what = f"the header Result is {header.value}, and the moves end with {result}"
            self.refuse(header.line, what)
        if header.value not in WINNERS and header.value not in OPEN_RESULTS:
            self.refuse(
                header.line, f"Result {clipped(header.value)}: expected {', '.join(WINNERS)} or *"
            )
        return next((text for text in (header.value, result) if text in WINNERS), "*")

    def end(self) -> tuple[StatedEnd | None, list[str]]:
        """How the players ended the game, or the claim that did."""
        reason, winner = self.game.header("Termination").value.strip(), WINNERS.get(self.stated())
        if CLAIM.fullmatch(reason):
            return None, [reason]
        end = None if winner is None else StatedEnd(winner, not winner, reason or UNSAID)
        return end, []


def escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def headers_of(text: str) -> dict[str, str]:
    """The headers that stand as comments above a record."""
    lines = text.removeprefix("\ufeff").splitlines()
    above = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    found = [TOKEN.match(line[1:].strip()) for line in lines[:above]]
    tags = {tag["key"]: tag["value"] for tag in found if tag and tag.lastgroup == "tag"}
    return {key: value for key, value in tags.items() if key.lower() not in OWN}


# -- commands --------------------------------------------------------------------------------------


class Commands(click.Group):
    """Commands that say in a line what pymorph refuses."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PymorphError as error:
            raise click.ClickException(str(error).split("\n")[0]) from None
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            raise click.ClickException(str(error)) from None


@click.group(cls=Commands, help=__doc__)
def main() -> None:
    pass


def say(text: str) -> None:
    click.echo(text.encode("utf-8"), nl=False)


@main.command()
@click.argument("text")
def fen(text: str) -> None:
    """The position that a FEN describes."""
    say(position_of(board_from(text)).yaml())


@main.command()
@click.argument("file")
def to_fen(file: str) -> None:
    """The FEN of a position."""
    click.echo(board_of(Position.load(file)).fen(en_passant="fen"))


@main.command()
@click.argument("file")
@click.option("--game", "chosen", type=click.IntRange(1), help="Which game of several.")
@click.option("-o", "--output", type=click.Path(file_okay=False), help="A folder for all records.")
def pgn(file: str, chosen: int | None, output: str | None) -> None:
    """The record of a game in PGN, tried by the rules.

    Of several games this is the first, or the one that --game chooses; with --output each game
    becomes a file of its own.
    """
    data, place = yamlio.read_bytes(file, MOST_BYTES)
    if len(data) > MOST_BYTES:
        refuse(f"{place}: the file is larger than {MOST_BYTES:,} bytes: split it")
    text = text_of(data)
    total = sum(1 for _ in games_of(text))
    if not total:
        refuse(f"{place}: no game in PGN: nothing is there")
    if chosen is not None and chosen > total:
        refuse(f"{place}: there is no game {chosen}, the last one is game {total}")
    numbers = range(chosen or 1, (chosen or (1 if output is None else total)) + 1)
    games = zip(numbers, islice(games_of(text), numbers[0] - 1, None), strict=False)
    if output is None:
        for number, game in games:
            say(read(game, number, place))
        if total > 1 and chosen is None:
            more = f"{place}: this is game 1 of {total}: "
            click.echo(more + "--game N chooses one, --output FOLDER writes all", err=True)
        return
    stem, folder = "game" if file == "-" else Path(file).stem, Path(output)
    names = {n: folder / f"{stem}-{n:0{len(str(total))}}.yaml" for n in numbers}
    folder.mkdir(parents=True, exist_ok=True)
    for name in names.values():
        if name.exists():
            refuse(f"{printable(str(name))} exists; choose another folder")
    refused = 0
    for number, game in games:
        try:
            yamlio.write(names[number], read(game, number, place, folder))
        except click.ClickException as error:
            refused += 1
            error.show()
    if refused:
        refuse(f"{refused} of {len(names)} games are left out")


def read(game: Game, number: int, place: str, folder: Path | None = None) -> str:
    """The record of a game as a file in *folder* or here; what is left out is said."""
    record, headers = Reading(game, place, number).record()
    counts = [(count, what) for what, count in game.left.items() if count]
    left = ", ".join(f"{count} {what}{'s' * (count > 1)}" for count, what in counts)
    if left:
        click.echo(f"{place}: game {number}: left out: {left}", err=True)
    return headers + record.yaml(folder)


@main.command()
@click.argument("file")
def to_pgn(file: str) -> None:
    """A record as a game in PGN."""
    text, name, base = yamlio.contents(file)
    record = Record.parse(text, name, base)
    actions: list[str] = []
    found = replay(record, on_step=lambda _, step, done: actions.append(str(done.actions[-1])))
    if not found.good:
        stop = f"step {found.stop.step}" if found.stop else "the result"
        refuse(f"{name}: {stop} is not as the rules have it; `pymorph replay` says why")
    game = chess.pgn.Game()
    board = board_of(record.position)
    game.setup(board)
    game.headers.update(headers_of(text))
    if "FEN" in game.headers:
        game.headers["FEN"] = board.fen(en_passant="fen")  # also a square where nobody may capture
    node: chess.pgn.GameNode = game
    for action in actions:
        if CLAIM.fullmatch(action):  # which ends the game, and is no move
            game.headers["Termination"] = action
            break
        node = node.add_variation(move_of(board, action))
        board.push(node.move)
    if record.end is not None and record.end.reason != UNSAID:
        game.headers["Termination"] = escaped(HIDDEN.sub(" ", record.end.reason))
    game.headers["Result"] = result_of(found.ending)
    say(f"{game}\n")


if __name__ == "__main__":
    main()
