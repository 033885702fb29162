"""The page of the rule language, made from the headers of the core and the board's docstrings.

`python -m tests.docs` writes it; a test compares it.
"""

# ruff: noqa: E501  # the text of the page, a paragraph to a line

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.board.graphs import GRAPH_FUNCTIONS, Graphs
from pymorph.board.measuring import TABLE_FUNCTIONS, Measuring
from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS
from pymorph.ruleset.declarations import SIGNATURES
from pymorph.ruleset.signatures import LONGEST
from pymorph.ruleset.vocabulary import MOST_LISTS
from tests.headers import Signature, signature_of
from tests.readme import ROOT, filled

PAGE = ROOT / "docs" / "reference" / "vocabulary.md"
CORE = ROOT / "encodings" / "core"
VOCABULARY, CONTRACT_FILE = CORE / "vocabulary.lp", CORE / "contract.lp"
ENTRY = re.compile(r"^  (?P<atom>[a-z]\S*(?:\([^)]*\))?(?:, ?\S+)*?)(?:\s{2,}(?P<says>\S.*))?$")
OPENING = """\
# The rule language

This page lists what a ruleset can say and ask, with the meaning of each argument. The same letters mean the same
everywhere:

| letter | meaning | letter | meaning |
|---|---|---|---|
| `S` | a situation that is asked about | `V` | a value |
| `T` | an action carried out | `Q` | a figure or a question |
| `A` | an action; its first argument is who acts | `O` | an option |
| `R` | the id of a rule | `N` | a number |
| `F` | a fluent | `C` | a name of the file |

Texts are in "quotes". An atom that cites a rule has the rule last. In place of the situation of an atom in a body, you
can write `after(A, S)`: the position
[after the single action A](../howto/publish.md#look-at-the-position-after-an-action).

[The tutorial](../howto/write_a_game.md) uses most of it, step by step. This page is made from
the headers in `encodings/core/`, by `python -m tests.docs`; examples are at [its end](#four-of-them-at-work).
"""
AFTER_BOARD = """\
A function takes terms, and has one answer, several or none. It has no answer for anything that is not a place of
the board. Metrics are `steps`, `king`, `straight` and `squared`. A board has squares or hexes.

A line of `@crossed` starts at the middle or a corner of a place, such as `corner(P, north_east)`, and ends at those of
another. It gives:

- `cell(X)` for each place that it passes through;
- `join(X, Y)` for each edge that it crosses;
- `corner(X, Y, A, B)` for each corner that it passes between A and B (on hexes, it runs along the edge of A and B there);
- `along(A, B)`, with A on the left, and `point(A, B, C, D)`, which leads to the next edge, if it runs along edges from
  corner to corner of squares;
- `outside` for anything beyond the board.

The last item in the bars of `@reach` and `@route` says what closes a corner: `blocked_if_both_sides`,
`blocked_if_any_side` or `never_blocked`. Written as `corner(When, Labels, Places)`, it also says which places close
their side of a corner, as a wall does. A word or a form that no board can answer is an error when the ruleset is loaded.
"""

AFTER_TABLE = """\
Lengths and points are in whole units, which `ruler(Unit, N)` declares: a length is a number, a point is `(X, Y)`.
A list is `(First, Rest)`, and `()` at its end. A body is `disc(F, Point, Radius)`, `square(F, Point, Side)` with sides
along those of the table, or a piece of terrain: `area(T)` or `edge(T)`. In answers, a disc or a square is `base(F)`.
pymorph rounds nothing on the way to an answer. A gap below one unit is contact. Any other form has no answer.
"""

AFTER_GRAPH = """\
A graph is the L of `graph(G, L, S)`, made from the edges that rules give. If several edges lead from one place to
another, the cheapest counts. The limit `#sup` means no limit.
"""

EXAMPLES = """\
## Four of them at work

A game on one page: Ada runs five spaces, by rolls of a three-sided die. It declares:

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
rule(race_01).  title(race_01, "A throw").
says(race_01, "A runner moves forward by the number that a three-sided die shows.").
source(race_01, card, "Play").  status(race_01, stated).
rule(race_02).  title(race_02, "The end").
says(race_02, "A runner who has moved five spaces wins, and the race ends.").
source(race_02, card, "End").   status(race_02, stated).
rule(race_03).  title(race_03, "Dash and walk").
says(race_03, "A dash is two rolls of the die. A walk consists of paces, each shorter than the one before.").
source(race_03, card, "Play").  status(race_03, stated).
```

<!-- file: race/positions/start.yaml -->
```yaml
ruleset: ..
```

### A roll that is due: `chance`

`chance(A, N, D, S, R)` says that A is one outcome of a roll, with odds N/D. Outcomes that differ only in the last
argument belong to one roll, and their odds add up to 1. While the roll is due, everything else waits. `forbidden`
stops the roll when it is not due.

<!-- file: race/encodings/play.lp -->
```prolog
% race_01: roll the die, and move by what it shows.
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

`over(S, R)` says that the game is over in S: no action is legal. Then `wins(P, S, R)` says that P has won,
`drawn(S, R)` that the game is a draw, and `score(P, N, S, R)` that P ends with N points.

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

`unfolds(A, First, Rest, S)` says that A is First and then Rest. pymorph judges Rest in the position after First, and
after the roll that First leads to. Rest may unfold too. If Rest is not legal then, it is left undone. A rule that forbids
First forbids A.

<!-- more: race/rules/game.lp -->
```prolog
action(dash, (runner,)).
```

<!-- more: race/encodings/play.lp -->
```prolog
% race_03: a dash is two rolls of the die.
proposed(dash(C), S, race_03) :- situation(S), member(runner, C).
unfolds(dash(C), throw(C), throw(C), S) :- considered(dash(C), S).
```

```console
$ pymorph apply race/positions/start.yaml "dash(ada)" --given "roll(chance, 1)" --given "roll(chance, 3)"
```

### A sort of lists

The members of `list(S, N)` are the lists of up to N members of S, N up to {LONGEST}. A list is (First, Rest), with ()
after the last member. Rules build lists from the end, and take them apart from the front. Above {MOST_LISTS} lists,
pymorph does not write them out: `legal --all` shows only those that a rule proposes, and you type an action with all
its arguments. A list cannot be part of a union or of another list.

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


def table(entries: Iterable[Entry], head: str = "predicate") -> Iterator[str]:
    yield f"| {head} | meaning |"
    yield "|---|---|"
    for entry in entries:
        says = re.sub(r"; (?:optional|core|given|\w+\.lp)(?=[;.]|$)", "", entry.says)
        says = says[:1].upper() + says[1:]
        atom, says = (part.replace("|", "\\|") for part in (entry.atom, says))
        yield f"| `{atom}` | {says} |"
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
    told = {e.signature for title, entries in contract.items() for e in entries
            if not title.startswith("Given")}  # fmt: skip
    lines = [OPENING, "## What a ruleset declares, as facts", ""]
    for title, entries in words.items():
        lines += [f"### {title}", "", *table(entries, "fact")]
    for title, signatures, parts in (
        ("What is given with a question", INPUTS, ("Reads", "Gives")),
        ("What a ruleset gives, as rules", CONTRACT - told, ("Reads", "Gives")),
        ("What core gives", ENGINE, ("Gives", "Reads")),
    ):
        known = gathered(*parts)
        rows = [known[each] for each in sorted(signatures) if each in known]
        lines += [f"## {title}", "", *table(rows)]
    for title, entries in contract.items():
        if not title.startswith("Given"):
            lines += [f"## {title}", "", *table(entries, "term" if "drawn" in title else "fact")]
    lines += ["## What may be asked of the board", "", AFTER_BOARD]
    lines += table(functions(Geometry, FUNCTIONS), "function")
    lines += ["## What may be asked of a table in lengths", "", AFTER_TABLE]
    lines += table(functions(Measuring, TABLE_FUNCTIONS), "function")
    lines += ["## What may be asked of a graph", "", AFTER_GRAPH]
    lines += table(functions(Graphs, GRAPH_FUNCTIONS), "function")
    return "\n".join(lines) + "\n" + examples()


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
    text = page()
    found = {signature_of(atom) for atom in re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)}
    return sorted((CONTRACT | INPUTS | ENGINE | SIGNATURES) - found)
