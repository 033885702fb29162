"""The page of the rule language, made from the headers of the core, the board's docstrings
and the games.

`python -m tests.docs` writes it; a test compares it.
"""

# ruff: noqa: E501  # the text of the page, a paragraph to a line

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.board.graphs import GRAPH_FUNCTIONS, Graphs
from pymorph.board.lengths.measuring import TABLE_FUNCTIONS, Measuring
from pymorph.ruleset.checks.signatures import LONGEST
from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS
from pymorph.ruleset.declarations import SIGNATURES
from pymorph.ruleset.vocabulary import MOST_LISTS
from tests import worked
from tests.headers import Signature, signature_of
from tests.readme import ROOT, filled

PAGE = ROOT / "docs" / "reference" / "vocabulary.md"
CORE = ROOT / "encodings" / "core"
VOCABULARY, CONTRACT_FILE = CORE / "vocabulary.lp", CORE / "contract.lp"
ENTRY = re.compile(r"^  (?P<atom>[a-z]\S*(?:\([^)]*\))?(?:, ?\S+)*?)(?:\s{2,}(?P<says>\S.*))?$")
OPENING = """\
# The rule language

On this page you can look up every word that a ruleset uses: what it means, and two statements of real games that use it.

A ruleset is a folder of text files, in the language of the solver clingo. [Write a game](../howto/write_a_game.md) builds
one step by step. This page is made from the headers in `encodings/core/` and from the games, by `python -m tests.docs`.
"""
TEN_WORDS = """\
## Ten words that make a game

Learn these first. The lines come from [tic-tac-toe](../../examples/README.md), a whole game of two short files.

"""
# The words that make a game, what each says, and how its line in tic-tac-toe begins.
TEN = (
    ("ruleset", "the name, the version and the title", ("ruleset(",)),
    ("sort, member", "a set of things, and what is in it", ("sort(player", "member(player")),
    ("fluent", "something that changes in the game, with its default", ("fluent(turn",)),
    ("action", "something that a player may try; the player comes first", ("action(",)),
    ("holds", "reads the position: a fluent has a value", ("drawn(mark",)),
    ("proposed", "makes an action a candidate", ("proposed(",)),
    (
        "forbidden",
        "says which rule is against an action, and when",
        ("forbidden(put(C, P), S, ttt_01",),
    ),
    ("sets", "changes a fluent when an action is carried out", ("sets(turn",)),
    ("over, wins", "end the game, and name the winner", ("over(S, ttt_03", "wins(")),
    (
        "rule, says, source",
        "the text of a rule, and the document it is from",
        ("rule(ttt_02", "says(ttt_02", "source(ttt_02"),
    ),
)
AFTER_TEN = """\
Read `:-` as "if", a comma as "and", `not` as "it is not so that", and `_` as "anything". Capital letters are variables.

## Good to know before you write

- **`holds` leaves out defaults.** A fluent whose value is its default does not match. If the default of `coins` is 0, then
  `holds(coins(C), 0, S)` never matches. Write `not holds(coins(C), _, S)`.
- **What nothing forbids is legal.** `proposed` only puts an action on the list of `legal`. A player can ask about any other
  action, so `forbidden` has to say what is wrong with it.
- **The words of the core are taken.** You give some of them, and you only read the others. [All words](#all-words) lists
  both kinds. Choose other names for predicates of your own.
- **`S` is before, `T` is after.** `S` is the position that somebody asks about. `T` is the change by one action:
  `does(A, S, T)` connects the two. `proposed`, `forbidden`, `over`, `wins`, `entry` and `ill_formed` take S; `sets`, `adds`,
  `clears` and `happens` take T. Rules that give a word with S do not read `does`.
- **The rule comes last.** Whatever an answer cites has the id of its rule as the last argument.
- **A hand can be secret.** `concealed` hides a value from the other players. [Hidden
  information](../howto/hidden.md) shows it for bids and cards.
- **Numbers are whole.** Write half inches rather than fractions.

## The letters

The same letters mean the same everywhere.

| letter | meaning | letter | meaning |
|---|---|---|---|
| `S` | a situation: a position that somebody asks about | `Q` | a figure, or a question |
| `T` | a transition: an action that is carried out | `O` | an option of a question |
| `A` | an action; its first argument is the actor | `N` | a number |
| `R` | the id of a rule | `C`, `D` | names that the file lists, such as players |
| `F` | a fluent | `X` | anything |
| `V` | the value of a fluent | "Text" | a text, in quotes |

## All words

These names have a meaning in every ruleset. The links lead to the meaning and to examples.

"""
# What a ruleset gives, by what it is about.
TOPICS = {
    "What is legal": "proposed forbidden waits required required_one costs instead unfolds halts",
    "Steps without choice, and rolls": "forced chance about awaited awaited_most",
    "What an action changes": "sets clears adds happens ends lapses",
    "The end of the game": "over wins drawn/2 score",
    "Figures and findings": "entry never finding ground weighs accounts",
    "Hidden information": "concealed feigned sees_for unsettled unknown",
    "Valid positions": "ill_formed clock",
    "Turns and periods": "ranked rank_of_turn takes_part turn_taken period rate",
    "Events within events": "frame frame_fluent closes_frame most_frames",
    "Decks, hands and contests": "deck_of deck_copies elsewhere hand_drawn contends reckoned draw_item score_item contest_with contest_number contest_rule most_modifiers per_surplus edge_step cap_first",
    "Lists and graphs": "item list edge",
    "Pictures": "drawn/3 brings_to threatened enclosed on_route stopped_short",
    "Looking ahead": "policy inclined later",
}
AFTER_BOARD = """\
Write a function on the right of `=`: `Q = @neighbours(P)`. A function takes terms, and has one answer, several answers or
none. It has none for a term that is not a place of the board. Metrics are `steps`, `king`, `straight` and `squared`. A board
has squares or hexes.

A line of `@crossed` leads from the middle of one place to the middle of another. It can also start or end at a corner, such
as `corner(P, north_east)`. The answers are:

- `cell(X)` for each place that the line passes through;
- `join(X, Y)` for each edge that it crosses;
- `corner(X, Y, A, B)` for a corner that it passes between A and B. On hexes, the line follows the edge of A and B there.
- From corner to corner of squares, the line may follow edges: `along(A, B)` has A on the left, and `point(A, B, C, D)`
  leads to the next edge.

Everything beyond the board is `outside`.

The bars of `@reach` and `@route` end with what closes a corner: `blocked_if_both_sides`, `blocked_if_any_side` or
`never_blocked`. In the form `corner(When, Labels, Places)` they also say which places close their side, as a wall does.
When the ruleset is loaded, a word or a form that no board can answer is an error.
"""

AFTER_TABLE = """\
Lengths and points are in whole units, which `ruler(Unit, N)` declares. A length is a number, and a point is `(X, Y)`. A list
is `(First, Rest)`, with `()` at its end.

A body is `disc(F, Point, Radius)`, or `square(F, Point, Side)` with sides parallel to the table's, or a piece of terrain:
`area(T)` or `edge(T)`. In answers, the first two are `base(F)`.

Nothing is rounded before the answer. A gap below one unit is contact. A term of another form has no answer.
"""

AFTER_GRAPH = """\
A graph is the L of `graph(G, L, S)`. It is made from the edges that rules give. If several edges lead from one place to
another, the cheapest counts. A limit can be `#sup`: no limit.
"""

EXAMPLES = """\
## A small game, step by step

Here are four words at work in a game of one page. Ada runs five spaces, by rolls of a die with three sides. These are its
facts:

<!-- file: race/rules/game.lp -->
```prolog
ruleset(race, "1.0.0", "Race"). contract(2).
sort(runner, listed).  member(runner, ada).
sort(luck, listed).    member(luck, chance).
sort(pips, range(1, 3)).
sort(space, range(0, 9)).
sort(mark, listed).    member(mark, (on; off)).
fluent(at, (), space, 0).
fluent(thrown, (), mark, off).
action(throw, (runner,)).
action(roll, (luck, pips)).
table(goal, (space,)).
goal(5).

document(card, "The card of Race").
rule(race_01).  title(race_01, "A roll").
says(race_01, "A runner moves as many spaces as a die with three sides shows.").
source(race_01, card, "Play").  status(race_01, stated).
rule(race_02).  title(race_02, "The end").
says(race_02, "A runner who has moved five spaces wins, and the race ends.").
source(race_02, card, "End").   status(race_02, stated).
rule(race_03).  title(race_03, "Dash and walk").
says(race_03, "A dash is two rolls. A walk is a list of paces, each shorter than the one before.").
source(race_03, card, "Play").  status(race_03, stated).
```

<!-- file: race/positions/start.yaml -->
```yaml
ruleset: ..
```

### A roll that is due: `chance`

`chance(A, N, D, S, R)` says that A is one result of a roll, with odds N/D. Results that differ only in the last argument
belong to one roll, and their odds add up to 1. While the roll is due, everything else waits. `forbidden` prevents a roll
that is not due.

<!-- file: race/encodings/play.lp -->
```prolog
% race_01: a roll, and what the die shows.
proposed(throw(C), S, race_01) :- situation(S), member(runner, C).
sets(thrown, on, T, race_01)   :- does(throw(_), _, T).
chance(roll(chance, N), 1, 3, S, race_01) :- holds(thrown, on, S), member(pips, N).
forbidden(roll(chance, N), S, race_01) :-
    considered(roll(chance, N), S), not holds(thrown, on, S).
adds(at, N, pips, T, race_01) :- does(roll(_, N), _, T).
clears(thrown, T, race_01)    :- does(roll(_, _), _, T).
```

```console
$ pymorph apply race/positions/start.yaml "throw(ada)"
$ pymorph apply race/positions/start.yaml "throw(ada)" --odds
```

### The end of the game: `over`

`over(S, R)` says that the game is over in S, so nothing is legal. Then `wins(P, S, R)` says that P has won, `drawn(S, R)` that
the game is a draw, and `score(P, N, S, R)` that P ends with N points.

<!-- more: race/encodings/play.lp -->
```prolog
% race_02: a runner who has moved five spaces wins.
over(S, race_02)      :- holds(at, N, S), goal(G), N >= G.
wins(ada, S, race_02) :- holds(at, N, S), goal(G), N >= G.
```

```console
$ pymorph legal "{ruleset: race, at: 4}"
$ pymorph legal "{ruleset: race, at: 5}"
```

### An action of several steps: `unfolds`

`unfolds(A, First, Rest, S)` says that A is First and then Rest. Rest is judged in the position after First, and after a roll
that First caused. Rest may unfold, too. If a step is not legal then, it is left out. What forbids First forbids A.

<!-- more: race/rules/game.lp -->
```prolog
action(dash, (runner,)).
```

<!-- more: race/encodings/play.lp -->
```prolog
% race_03: a dash is two rolls.
proposed(dash(C), S, race_03) :- situation(S), member(runner, C).
unfolds(dash(C), throw(C), throw(C), S) :- considered(dash(C), S).
```

```console
$ pymorph apply race/positions/start.yaml "dash(ada)" --given "roll(chance, 1)" --given "roll(chance, 3)"
```

### A sort of lists

The members of `list(S, N)` are lists of up to N members of S, where N is at most {LONGEST}. A list is (First, Rest), with ()
at the end. Rules build it from the end, and read it from the front.

If there are more than {MOST_LISTS} lists, `legal --all` has only those that a rule proposes, and players type all arguments
of the action. A list cannot be part of a union or of another list.

<!-- more: race/rules/game.lp -->
```prolog
sort(paces, list(pips, 3)).
action(walk, (runner, paces)).
```

<!-- more: race/encodings/play.lp -->
```prolog
% race_03: a walk, each pace shorter than the one before; part(L, M, S): M is an end of L.
pace(N, ())     :- member(pips, N).
pace(N, (M, L)) :- pace(M, L), member(pips, N), M < N.
proposed(walk(C, (N, L)), S, race_03) :- situation(S), member(runner, C), pace(N, L).
part(L, L, S) :- considered(walk(_, L), S).
part(L, M, S) :- part(L, (_, M), S).
forbidden(walk(C, L), S, race_03) :-
    considered(walk(C, L), S), part(L, (N, (M, _)), S), N <= M.
adds(at, N, pace(M), T, race_03) :- does(walk(_, L), S, T), part(L, (N, M), S).
```

```console
$ pymorph legal race/positions/start.yaml
$ pymorph apply race/positions/start.yaml "walk(ada, [3, 1])"
$ pymorph why race/positions/start.yaml "walk(ada, [1, 3])"
$ pymorph why race/positions/start.yaml "walk(ada, [4])"
```
"""


@dataclass(frozen=True)
class Entry:
    """A predicate as a header has it, and what it says of it."""

    atom: str
    says: str

    @property
    def signature(self) -> Signature | None:
        return signature_of(self.atom)


def sections(text: str) -> dict[str, list[Entry]]:
    """The entries of a header, by the line above them."""
    block = text[text.index("%*") + 2 : text.index("*%")]
    found: dict[str, list[Entry]] = {}
    title = ""
    for line in block.splitlines():
        if line and not line[0].isspace():
            title = line.strip()
        elif match := ENTRY.match(line):
            found.setdefault(title, []).append(Entry(match["atom"], match["says"] or ""))
        elif line.strip() and title in found:
            last = found[title].pop()
            found[title].append(Entry(last.atom, f"{last.says} {line.strip()}".strip()))
    return found


def gathered(first: str, then: str) -> dict[Signature, Entry]:
    """What the headers of the core say of each predicate, looking at one part of them before the
    other; what the contract says of it goes before both."""
    found: dict[Signature, Entry] = {}
    paths = [CONTRACT_FILE, *(p for p in sorted(CORE.glob("*.lp")) if p != CONTRACT_FILE)]
    read = [sections(path.read_text(encoding="utf-8")) for path in paths]
    own = read[0]
    for part in (*own, first, then):
        for parts in [own] if part in own else read:
            for entry in parts.get(part, ()):
                if entry.signature:
                    found.setdefault(entry.signature, entry)
    return found


def entries_of(entries: Iterable[Entry], level: int, given: bool = True) -> Iterator[str]:
    """Each word: what it means, and statements that use it, those that give it first."""
    for entry in entries:
        says = re.sub(r"; (?:optional|core|given|\w+\.lp)(?=[;.]|$)", "", entry.says)
        yield f"{'#' * level} `{entry.atom}`"
        yield ""
        yield says[:1].upper() + says[1:]
        yield ""
        if found := examples_of(entry, given):
            yield "```prolog"
            yield "\n\n".join(each.shown() for each in found)
            yield "```"
            yield ""


def examples_of(entry: Entry, given: bool) -> list[worked.Statement]:
    if entry.atom.startswith("@"):
        return worked.of_function(entry.atom[1:].partition("(")[0])
    if entry in drawn_terms():
        return worked.of_picture(entry.atom.partition("(")[0].partition(",")[0])
    assert entry.signature, entry.atom
    return worked.of_word(entry.signature, given)


@cache
def drawn_terms() -> frozenset[Entry]:
    """What a picture shows, and where."""
    contract = sections(CONTRACT_FILE.read_text(encoding="utf-8"))
    return frozenset(chain(*(rows for title, rows in contract.items() if "drawn" in title)))


def linked(title: str, entries: Iterable[Entry]) -> Iterator[str]:
    """A line of the list of all words."""
    names: dict[str, list[str]] = {}
    for entry in entries:
        anchor = re.sub(r"[^\w -]", "", entry.atom).lower().replace(" ", "-")
        names.setdefault(entry.atom.partition("(")[0], []).append(anchor)
    links = (
        f"[`{name}`](#{anchor})"
        for name, anchors in sorted(names.items())
        for anchor in anchors[:1]
    )
    yield f"- **{title}**: {', '.join(links)}"


def statement(start: str) -> worked.Statement:
    """The statement of tic-tac-toe that begins so."""
    game = (each for each in worked.statements() if each.game == "tictactoe")
    return next(each for each in game if each.text.startswith(start))


def ten() -> Iterator[str]:
    """The words that make a game, each with its line in tic-tac-toe."""
    yield "| word | what it says | a line of tic-tac-toe |"
    yield "|---|---|---|"
    for words, says, starts in TEN:
        shown = ", ".join(f"`{word}`" for word in words.split(", "))
        lines = " ".join(f"`{' '.join(statement(start).text.split())}`" for start in starts)
        yield f"| {shown} | {says} | {lines} |"
    yield ""


def functions(asked: type, names: Iterable[str]) -> Iterator[Entry]:
    """What the grounder may ask of a board, or of a table."""
    for name in sorted(one.split("/")[0] for one in names):
        function = getattr(asked, name)
        words = [p for p in inspect.signature(function).parameters if p != "self"]
        arguments = ", ".join(each.capitalize() for each in words)
        told = inspect.getdoc(function) or ""
        kept = told.split("\n\n")[0] if asked is Geometry else told
        says = " ".join(kept.replace("``", "`").split())
        yield Entry(f"@{name}({arguments})", says)


def page() -> str:
    """The whole page."""
    contract = sections(CONTRACT_FILE.read_text(encoding="utf-8"))
    words = sections(VOCABULARY.read_text(encoding="utf-8"))
    own = {title: rows for title, rows in contract.items() if not title.startswith("Given")}
    elsewhere = {entry.signature for rows in own.values() for entry in rows}
    topics = by_topic(CONTRACT - elsewhere)
    asked, core = gathered("Reads", "Gives"), gathered("Gives", "Reads")
    inputs = [asked[each] for each in sorted(INPUTS)]
    engine = [core[each] for each in sorted(ENGINE)]
    functioning = (
        ("board", AFTER_BOARD, list(functions(Geometry, FUNCTIONS))),
        ("table in lengths", AFTER_TABLE, list(functions(Measuring, TABLE_FUNCTIONS))),
        ("graph", AFTER_GRAPH, list(functions(Graphs, GRAPH_FUNCTIONS))),
    )
    lines = [OPENING, TEN_WORDS.rstrip("\n"), "", *ten(), AFTER_TEN.rstrip("\n"), ""]
    lines += linked("You declare, as facts", chain(*words.values()))
    lines += linked("You give, as rules", chain(*topics.values()))
    for title, rows in own.items():
        if "drawn" not in title:
            lines += linked(title, rows)
    lines += linked("You only read, given with the question", inputs)
    lines += linked("You only read, given by the core", engine)
    for name, _, rows in functioning:
        lines += linked(f"Functions of a {name}", rows)
    for title, parts in (("declare, as facts", words), ("give, as rules", topics)):
        lines += ["", f"## What you {title}", ""]
        for part, rows in parts.items():
            lines += [f"### {part}", "", *entries_of(rows, 4)]
    for title, rows in own.items():
        lines += [f"## {title}", "", *entries_of(rows, 3)]
    lines += ["## What is given with the question", "", *entries_of(inputs, 3, given=False)]
    lines += ["## What the core gives", "", *entries_of(engine, 3, given=False)]
    for name, says, rows in functioning:
        lines += [f"## Functions of a {name}", "", says, *entries_of(rows, 3)]
    return "\n".join(lines) + "\n" + examples()


def by_topic(signatures: Set[Signature]) -> dict[str, list[Entry]]:
    """What a ruleset gives, by what it is about, in the order of TOPICS."""
    known = gathered("Reads", "Gives")
    return {
        topic: [
            known[each]
            for name in names.split()
            for each in sorted(signatures)
            if name in (each[0], f"{each[0]}/{each[1]}")
        ]
        for topic, names in TOPICS.items()
    }


def examples() -> str:
    """The examples, with what their commands print."""
    told = EXAMPLES
    for name, number in (("LONGEST", LONGEST), ("MOST_LISTS", MOST_LISTS)):
        told = told.replace(f"{{{name}}}", str(number))
    with TemporaryDirectory() as folder:
        resolved = Path(folder).resolve()
        return filled(told, resolved).replace(f"{resolved}/", "")


def untold() -> list[Signature]:
    """The predicates that the page does not have."""
    text = PAGE.read_text(encoding="utf-8")
    found = {signature_of(atom) for atom in re.findall(r"^#+ `([^`]+)`$", text, re.MULTILINE)}
    return sorted((CONTRACT | INPUTS | ENGINE | SIGNATURES) - found)
