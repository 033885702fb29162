"""Files of chess programs: each FEN and each game in PGN is read whole, or refused in a line."""

import io
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import util
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import chess
import chess.pgn
import pytest

from pymorph.explore.execution import replay
from pymorph.state.record import Record
from tests.conftest import EXAMPLES
from tests.tables import parametrized, parametrized_and, tables

CHESS = EXAMPLES / "rulesets" / "chess"
TO_AND_FRO = "Nf3 Nf6 Ng1 Ng8 "


@cache
def notation() -> Any:
    """The converter beside the rules."""
    spec = util.spec_from_file_location("chess_notation", CHESS / "notation.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Told(NamedTuple):
    code: int
    out: str
    err: str


Tool = Callable[..., Told]


@pytest.fixture
def tool(capsysbinary: pytest.CaptureFixture[bytes]) -> Tool:
    """The converter, as a shell calls it."""

    def run(*words: str) -> Told:
        capsysbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            notation().main(args=list(words), prog_name="notation.py")
        out, err = (text.decode("utf-8") for text in capsysbinary.readouterr())
        return Told(int(ended.value.code or 0), out, err)

    return run


@pytest.fixture
def read(tool: Tool, tmp_path: Path) -> Tool:
    """What the converter makes of a text in PGN."""

    def run(text: str | bytes, *options: str) -> Told:
        file = tmp_path / "game.pgn"
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return tool("pgn", str(file), *options)

    return run


def played(told: Told) -> tuple[str, ...]:
    """The steps of the record that was written."""
    assert told.code == 0, told.err
    return tuple(step.action for step in Record.parse(told.out).steps)


def refused(told: Told, what: str) -> None:
    """Refused in one line that says what, without a record."""
    assert (told.code, told.out) == (1, ""), told
    assert told.err.startswith("Error: ")
    assert told.err.count("\n") == 1, told.err
    assert what in told.err


# -- games that are read ---------------------------------------------------------------------------

TWO = '[White "Ada"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White "Bo"]\n\n1. d4 d5 1/2-1/2\n'


def test_several_games(read: Tool, tmp_path: Path) -> None:
    """The first is read and the others are named; each can be chosen, or all written at once."""
    first = read(TWO)
    assert len(played(first)) == 3
    assert "game 1 of 2" in first.err
    second = read(TWO, "--game", "2")
    assert played(second) == ("move(white, d2, d4)", "move(black, d7, d5)")
    assert not second.err
    refused(read(TWO, "--game", "3"), "there is no game 3, the last one is game 2")
    folder = tmp_path / "records"
    assert read(TWO, "--output", str(folder)) == (0, "", "")
    found = {file.name: len(Record.load(file).steps) for file in folder.iterdir()}
    assert found == {"game-1.yaml": 3, "game-2.yaml": 2}
    refused(read(TWO, "--output", str(folder)), "game-1.yaml exists")


def test_one_bad_game_among_several(read: Tool, tmp_path: Path) -> None:
    """The good ones are written, the bad one is named with its line."""
    folder = tmp_path / "records"
    told = read(TWO + "\n1. e4 Ke6 *\n\n1. c4 *\n", "--output", str(folder))
    assert told.code == 1
    assert "game.pgn:9: game 3: 1... Ke6 is not legal" in told.err
    assert "1 of 4 games are left out" in told.err
    assert sorted(file.name for file in folder.iterdir()) == [f"game-{n}.yaml" for n in (1, 2, 4)]


@parametrized
def test_where_a_game_ends(read: Tool, text: str, games: list[int]) -> None:
    """At its result, at the next header, or where moves begin anew; not at an empty line."""
    found = [len(played(read(text, "--game", str(n)))) for n in range(1, len(games) + 1)]
    assert found == games
    refused(read(text, "--game", str(len(games) + 1)), "the last one is game")


@pytest.mark.parametrize(
    "data",
    [
        TWO.replace("Ada", "José").encode("latin-1"),
        TWO.replace("Ada", "José").encode("utf-8"),
        TWO.replace("Ada", "José").encode("utf-8-sig"),
        TWO.replace("Ada", "José").encode("utf-16"),
        TWO.replace("Ada", "José").replace("\n", "\r\n").encode("cp1252") + b"\x1a",
        TWO.replace("Ada", "José").replace("\n", "\r").encode("latin-1"),
    ],
)
def test_character_sets(read: Tool, data: bytes) -> None:
    """ISO 8859-1, the standard's own, and what other programs write, with their line ends."""
    told = read(data)
    assert len(played(told)) == 3
    assert '# [White "José"]' in told.out


def test_what_a_record_has_no_place_for(read: Tool) -> None:
    """Comments, variations and annotations are counted, and the moves beside them are read."""
    told = read(
        "% by a program\n{first} 1. e4! {[%clk 0:03] }e5 ; good\n"
        "2. Nf3 $1 (2. d4 exd4 (2... d5 {what} 3. *) 3. c3) Nc6?! 4. Bb5 *\n"
    )
    assert len(played(told)) == 5
    said = "left out: 5 comments, 3 annotations, 1 variation, 1 wrong move number"
    assert said in told.err


@parametrized
def test_spellings_of_moves(read: Tool, text: str, moves: int) -> None:
    """Moves as old programs spell them."""
    assert len(played(read(text))) == moves


def test_headers_go_to_and_fro(tool: Tool, read: Tool, tmp_path: Path) -> None:
    """Headers are comments above the record, and headers again in PGN."""
    text = '[Event "The "big" one"]\n[White "O\\"Neil, \\\\ J."]\n[Result "0-1"]\n'
    told = read(text + '[Termination "time: \\"late\\""]\n\n1. e4 e5 0-1\n')
    assert 'by: "time: \\"late\\""' in told.out
    record = tmp_path / "r.yaml"
    record.write_text(told.out, "utf-8")
    back = tool("to-pgn", str(record)).out
    assert '[Event "The \\"big\\" one"]' in back
    assert '[White "O\\"Neil, \\\\ J."]' in back
    assert '[Termination "time: \\"late\\""]' in back
    assert read(back).out.splitlines()[-5:] == told.out.splitlines()[-5:]


# -- games that are refused ------------------------------------------------------------------------


@parametrized
def test_refused_with_its_place(read: Tool, text: str, what: str) -> None:
    """What is no game of chess, or says two things at once."""
    refused(read(text), what)


@parametrized
def test_a_start_is_refused(read: Tool, fen: str, what: str) -> None:
    """A game from a position that is none of chess, or is none of a FEN."""
    told = read(f'[Event "a"]\n[fen "{fen}"]\n\n1. Kd1 *')
    refused(told, "game.pgn:2: game 1: ")
    assert what in told.err


@parametrized
def test_moves_after_the_end(read: Tool, text: str, rule: str) -> None:
    """chs_13, chs_15, chs_18: no move follows where the rules end a game."""
    refused(read(text), rule)
    told = read(text.rsplit(" ", 1)[0])
    assert played(told)
    assert "result" not in told.out
    assert replay.replay(Record.parse(told.out)).good


def test_after_a_draw_that_nobody_claims(read: Tool) -> None:
    """chs_17: the third time ends nothing, the game goes on."""
    told = read(TO_AND_FRO * 2 + "e4 *")
    assert len(played(told)) == 9
    assert replay.replay(Record.parse(told.out)).good


def test_long_games(read: Tool) -> None:
    """Ten thousand moves are refused at once; files beyond all games, too."""
    refused(read(TO_AND_FRO * 5000), "a record has at most 6000 moves")
    refused(read(b"\n" * 20_000_001), "the file is larger than 20,000,000 bytes")


def test_files_that_are_not_there(tool: Tool, tmp_path: Path) -> None:
    """A missing file, a folder, an output that is a file: a line each."""
    for words in (
        ("pgn", str(tmp_path / "no.pgn")),
        ("pgn", str(tmp_path)),
        ("to-fen", str(tmp_path / "no.yaml")),
        ("to-pgn", str(tmp_path)),
    ):
        refused(tool(*words), str(tmp_path))
    (tmp_path / "g.pgn").write_text("1. e4", "utf-8")
    (tmp_path / "full").write_text("", "utf-8")
    refused(tool("pgn", str(tmp_path / "g.pgn"), "-o", str(tmp_path / "full" / "x")), "full")


# -- from records ----------------------------------------------------------------------------------


def record_of(fen: str, *steps: str, more: str = "") -> str:
    """A record from the position of a FEN."""
    position = notation().position_of(chess.Board(fen)).yaml().splitlines()
    return "\n".join(
        [
            f"ruleset: {CHESS}",
            *([more] if more else []),
            "position:",
            *(f"  {line}" for line in position),
            "play:",
            *(f"  - {step}" for step in steps),
            "",
        ]
    )


CLAIMED = (
    ("claim_draw(white)", "8/8/8/8/3k4/8/2R5/3K4 w - - 100 90"),
    ("claim_ahead(white, c2, c3)", "8/8/8/8/3k4/8/2R5/3K4 w - - 99 90"),
)


@pytest.mark.parametrize(("claim", "fen"), CLAIMED)
def test_claims_go_to_and_fro(tool: Tool, read: Tool, tmp_path: Path, claim: str, fen: str) -> None:
    """chs_14: a claim is no move; PGN has it as the way in which the game ended."""
    file = tmp_path / "r.yaml"
    file.write_text(record_of(fen, claim), "utf-8")
    told = tool("to-pgn", str(file))
    assert told.code == 0, told.err
    assert f'[FEN "{fen}"]' in told.out
    assert '[Result "1/2-1/2"]' in told.out
    assert f'[Termination "{claim}"]' in told.out
    back = Record.parse(read(told.out).out)
    assert back == Record.load(file)
    assert replay.replay(back).good


@parametrized
def test_records_go_to_and_fro(
    tool: Tool, read: Tool, tmp_path: Path, fen: str, steps: list[str], more: str, result: str
) -> None:
    """From any position, with the square that was passed, steps in short, and each way to end."""
    file = tmp_path / "r.yaml"
    file.write_text(record_of(fen, *steps, more=more), "utf-8")
    told = tool("to-pgn", str(file))
    assert told.code == 0, told.err
    assert f'[FEN "{fen}"]' in told.out
    assert f'[Result "{result}"]' in told.out
    back = read(told.out).out
    (tmp_path / "again.yaml").write_text(back, "utf-8")
    assert tool("to-pgn", str(tmp_path / "again.yaml")) == told
    found, record = Record.parse(back), Record.load(file)
    assert (found.position, found.end) == (record.position, record.end)
    assert len(found.steps) == len(record.steps)


@pytest.mark.parametrize(
    "steps", [["move(e2, e5)"], ["claim_draw(white)"], ["move(e2, e4)", "claim_draw(black)"]]
)
def test_a_record_that_does_not_replay(tool: Tool, tmp_path: Path, steps: list[str]) -> None:
    """It is no game in PGN, as far as it may go."""
    file = tmp_path / "r.yaml"
    file.write_text(record_of(chess.STARTING_FEN, *steps), "utf-8")
    refused(tool("to-pgn", str(file)), f"r.yaml: step {len(steps)} is not as the rules have it")


# -- FEN -------------------------------------------------------------------------------------------


@parametrized
def test_fen_goes_to_and_fro(tool: Tool, tmp_path: Path, fen: str, back: str) -> None:
    """All six fields, rights in each spelling; `check` judges whether play can reach it."""
    told = tool("fen", fen)
    assert told.code == 0, told.err
    assert bool(told.err) == (len(fen.split()) == 4)
    (tmp_path / "p.yaml").write_text(told.out, "utf-8")
    assert tool("to-fen", str(tmp_path / "p.yaml")) == (0, f"{back or fen}\n", "")


@parametrized_and((f"8/8/8/8/4k3/8/3K2R1/5r2 w - - 0 {'9' * 5000}", "expected 1 to 6001"))
def test_no_fen(tool: Tool, fen: str, what: str) -> None:
    """The field that is wrong is named, with what it may be; no right to castle gets lost."""
    refused(tool("fen", fen), what)


@parametrized
def test_no_fen_for_it(tool: Tool, position: str, what: str) -> None:
    """What a FEN cannot say is named, not left out."""
    refused(tool("to-fen", position), what)


# -- at random -------------------------------------------------------------------------------------

GAMES = tables(__name__)["games"]
PIECES = (
    *(" ", "\n", "\n\n", "(", ")", "{", "}", ";", "%", "$1", "!", "--", "*", "1-0", "1.", "0000"),
    *("Nf3", "e5", "O-O", "Qh4", '[Event "b"]\n', '[Variant "Atomic"]\n', '"', "[", "]", "\\"),
    *("\xe9", "\xff", "\x00", "\ufeff", "\u2028", "9", "-", "0", "K", "a", "/", "w", "e.p."),
)


ASIDE = (" {x} ", " ; y\n", " $3 ", "! ", "\n\n", " (2. a3 *) ", "\r\n", "\n%z\n", " 7. ", "\t")
FENS = (
    chess.STARTING_FEN,
    "r3k2r/8/8/3pP3/8/8/8/R3K3 w Qkq d6 0 9",
    "8/8/8/8/8/8/k7/2K5 b - - 99 140",
)
FIELDS = (
    (chess.STARTING_BOARD_FEN, "r3k2r/8/8/8/8/8/8/R3KQ1R"),
    ("w", "b"),
    ("KQkq", "HAha", "Kk", "Qk", "q", "-"),
    ("-", "e3", "d6", "a1"),
    ("0", "149", "150", "151", "08"),
    ("1", "0", "6001", "6002"),
)


def mutated(text: str, random: Random, fields: Sequence[Sequence[str]] = ()) -> str:
    """A text that is changed here and there: words as their fields may be, or any piece."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        words = list(re.finditer(r"\S+", text))
        if random.random() < 0.6 and words:
            number = random.randrange(len(words))
            at, until = words[number].span()
            until = until if fields else at
            piece = random.choice(fields[min(number, 5)] if fields else ASIDE)
        else:
            at = random.randrange(len(text) + 1)
            until = at + random.choice((0, 0, 1, 1, 2, 5))
            piece = random.choice((*PIECES, text[at : at + random.randrange(20)], ""))
        text = text[:at] + piece + text[until:]
    return text


def by_the_library(text: str) -> int | None:
    """So many moves has the first game for the library, without empty lines, if it reads them all.

    It drops headers that are not alone on a line, and then a move is illegal.
    """
    text = re.sub(r"[\x85\x1c-\x1e\x0b\x0c\u2028\u2029]", " ", text)
    text = re.sub(r"\n\s*\n", "\n", text.replace("\ufeff", " ").strip())
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    return None if game.errors else len(list(game.mainline_moves()))


@cache
def replays(text: str) -> bool:
    return replay.replay(Record.parse(text)).good


def pgn_at_random(seed: int, read: Tool) -> bool:
    """A game that was changed here and there: refused in a line, or read whole."""
    random = Random(seed)
    text = mutated(random.choice(GAMES), random)
    encoding = random.choice(("utf-8", "utf-8", "latin-1"))
    data = text.encode(encoding, "ignore")
    told = read(data)
    if told.code:
        refused(told, "game")
        return False
    moves = played(told)
    assert replays(re.sub("^#.*\n", "", told.out, flags=re.M)), text
    if "game 1 of" not in told.err and "variation" not in told.err:
        assert by_the_library(data.decode(encoding)) in (len(moves), None), text
    return True


def fen_at_random(seed: int, tool: Tool, folder: Path) -> bool:
    """A FEN that was changed here and there: refused in a line, or the same on the way back."""
    random = Random(seed)
    fen = mutated(random.choice(FENS), random, FIELDS).replace("\x00", "")
    told = tool("fen", "--", fen)
    if told.code:
        refused(told, "")
        assert "<text>" not in told.err
        return False
    (folder / "p.yaml").write_text(told.out, "utf-8")
    back = tool("to-fen", str(folder / "p.yaml")).out.split()
    given = fen.split()
    given += ["0", "1"][len(given) - 4 :]
    same = [str(int(text)) if text.isdigit() else text for text in given]
    assert back[:2] + back[3:] == same[:2] + same[3:]
    rights = set(given[2].translate(str.maketrans("HAha", "KQkq")))
    assert set(back[2]) == rights
    return True


def test_pgn_at_random(read: Tool) -> None:
    """Some of each come out."""
    assert 20 < sum(pgn_at_random(seed, read) for seed in range(100)) < 90


def test_fen_at_random(tool: Tool, tmp_path: Path) -> None:
    """Some of each come out."""
    assert 20 < sum(fen_at_random(seed, tool, tmp_path) for seed in range(120)) < 110


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1000, 6000, 100))
def test_more_at_random(read: Tool, tool: Tool, tmp_path: Path, first: int) -> None:
    """And thousands."""
    for seed in range(first, first + 100):
        pgn_at_random(seed, read)
        fen_at_random(seed, tool, tmp_path)
