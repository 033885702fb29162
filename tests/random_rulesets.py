"""Random small rulesets, right by construction, that use whatever a game may give."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from tests.games import write_game
from tests.random_conditions import FLUENTS, PENDING, TURN, Conditions, FluentForm, Scope
from tests.tables import tables

RULE = "r_01"
STARTS = 3
CONSTRUCTS = tables(__name__)["constructs"]
FAULTY = 12  # one ruleset in so many may bring about what rules must not

CATALOGUE = tables(__name__)["catalogue"]


class RandomRuleset(NamedTuple):
    """The text of a ruleset and of some positions to begin with, and the constructs that it has."""

    game: str
    play: str
    starts: tuple[str, ...]
    constructs: frozenset[str]

    def write(self, folder: Path) -> list[Path]:
        """The files of the positions, in a new *folder*."""
        files = {f"start_{number}.yaml": text for number, text in enumerate(self.starts)}
        write_game(folder, self.game, self.play, files)
        return [folder / "positions" / name for name in files]


class Writer(Conditions):
    """Writes a ruleset, part by part; an action that is made of others has *parts*."""

    parts: Sequence[tuple[str, tuple[str, ...]]] = ()

    def begin(self) -> list[str]:
        """The sorts and fluents."""
        self.faulty = self.once_in(FAULTY)
        board = self.once_in(4)
        spots = ("a1", "b1", "a2", "b2") if board else ("a", "b", "c")[: self.number(2, 3)]
        low, high = self.number(-2, 0), self.number(1, 3)
        self.members = {
            "player": ("ann", "bob"),
            "spot": spots,
            "size": tuple(map(str, range(low, high + 1))),
            "mark": ("on", "off"),
            "few": ("0", "1", "2"),
            "path": ("()", f"({spots[0]}, ())", f"({spots[1]}, ({spots[0]}, ()))"),
        }
        listed = [f"sort({s}, listed). member({s}, ({'; '.join(self.members[s])}))."
                  for s in ("player", "mark")]  # fmt: skip
        if board:
            self.use("a board")
            listed.append('sort(spot, board). surface(". .\\n. ."). symbol(".", floor).')
            self.say("member(spot, X) :- X = @places().")
            self.say("link(X, Y) :- member(spot, X), Way = @facings(), Y = @neighbour(X, Way).")
        else:
            listed.append(f"sort(spot, listed). member(spot, ({'; '.join(spots)})).")
            pairs = {(self.one_of(spots), self.one_of(spots)) for _ in range(self.number(1, 4))}
            self.lines += [f"link({x}, {y})." for x, y in sorted(pairs)]
        listed.append(
            f"sort(size, range({low}, {high})). sort(few, range(0, 2)). sort(path, list(spot, 2))."
        )
        listed.append("sort(chancer, listed). member(chancer, chance).")
        listed.append("sort(keeper, listed). member(keeper, clock).")
        kept = [form for form in FLUENTS if self.once_in(2)] or [FLUENTS[0]]
        kept = kept[: 3 if board else 4]
        if any(form.value == "path" for form in kept):
            self.use("a list")
        self.fluents = [TURN, *kept]
        return listed

    def write_helpers(self) -> None:
        """Predicates in strata, some of which rest on themselves."""
        for number in range(self.number(0, 3)):
            sorts = self.one_of((("spot",), ("player",), ("spot", "spot"), ()))
            name = f"helper_{number}"
            scope = {f"V{k}": sort for k, sort in enumerate(sorts)}
            head = f"{name}({', '.join([*scope, 'S'])})"
            base = ["situation(S)", *(f"member({sort}, {v})" for v, sort in scope.items())]
            for _ in range(self.number(1, 2)):
                self.rule(head, [*base, *self.some(scope)])
            if "spot" in sorts and self.once_in(2):
                self.recursive(name, head, base, scope)
            self.helpers.append((name, sorts))

    def recursive(self, name: str, head: str, base: Sequence[str], scope: Scope) -> None:
        """What rests on itself: along links, roads or places that are near."""
        last = [v for v, sort in scope.items() if sort == "spot"][-1]
        before = self.new()
        terms = [before if v == last else v for v in scope]
        itself = f"{name}({', '.join([*terms, 'S'])})"
        step = f"link({before}, {last})"
        if any(form.name == "road" for form in self.fluents) and self.once_in(2):
            step = f"holds(road({before}, {last}), on, S)"
        kind = self.number(0, 5)
        if kind == 0:
            self.use("recursion through a count")
            count = f"#count {{ {before} : {itself}, {step} }} >= {self.number(1, 2)}"
            self.rule(head, [*base, count, *self.conditions(scope, 1)])
        elif kind == 1:
            self.use("recursion through another")
            other = f"{name}_again"
            self.rule(
                f"{other}({', '.join([*terms, 'S'])})",
                [itself, *self.conditions({before: "spot"}, 1)],
            )
            self.rule(head, [*base, f"{other}({', '.join([*terms, 'S'])})", step])
        else:
            self.use("recursion")
            self.rule(head, [*base, itself, step, *self.conditions(scope, 1)])

    def write_action(self, number: int) -> list[str]:
        """An action of a player, with all that hangs on it."""
        sorts = self.one_of(((), ("spot",), ("spot",), ("spot", "spot"), ("size",), ("mark",)))
        name = f"act_{number}"
        scope = {"C": "player"} | {f"V{k}": sort for k, sort in enumerate(sorts)}
        form = f"{name}({', '.join(scope)})"
        given = [f"member({sort}, {v})" for v, sort in scope.items() if v != "C"]
        may = f"may_{number}({', '.join([*scope, 'S'])})"
        conditions = self.conditions(scope, 1) if self.once_in(3) else []
        self.rule(may, ["holds(turn, C, S)", *given, *conditions])
        self.rule(f"proposed({form}, S, {RULE})", [may])
        self.rule(f"forbidden({form}, S, {RULE})", [f"considered({form}, S)", f"not {may}"])
        for _ in range(self.number(0, 2)):
            head = f"forbidden({form}, S, {self.one_of((RULE, 'r_02'))})"
            self.rule(head, [f"considered({form}, S)", *self.some(scope)])
        self.barriers(form, may, scope)
        for changed in self.chosen_fluents():
            self.write_change(form, scope, changed)
        if not self.once_in(3):
            self.rule(
                f"sets(turn, D, T, {RULE})", [f"does({form}, _, T)", "member(player, D)", "D != C"]
            )
        self.side_effects(form, scope)
        self.actions.append((name, ("player", *sorts)))
        return [f"action({name}, ({', '.join(('player', *sorts))},))."]

    def some(self, scope: Scope, at: str = "S") -> list[str]:
        return self.conditions(scope, 2, at) or [self.simple(scope, at)]

    def barriers(self, form: str, may: str, scope: Scope) -> None:
        """What may stand in the way of an action. What is required hangs on the position, and not
        on who asks about it."""
        considered = f"considered({form}, S)"
        for construct, extra, where in (
            ("waits", "", considered),
            ("required_one", "", may),
            ("required", "", may),
            ("unsettled", " last,", considered),
        ):
            if self.once_in(9):
                self.use(construct)
                self.rule(f"{construct}({form},{extra} S, {RULE})", [where, *self.some(scope)])
        if any(f.name == "purse" for f in self.fluents) and self.once_in(3):
            self.use("costs")
            item = self.one_of(("toll", form))
            body = [considered, *self.conditions(scope, 1)]
            self.rule(f"costs({form}, purse(C), {item}, {self.number(1, 2)}, S, {RULE})", body)

    def chosen_fluents(self) -> list[FluentForm]:
        forms = [form for form in self.fluents if form is not TURN]
        return [form for form in forms if self.once_in(2)]

    def write_change(self, form: str, scope: Scope, changed: FluentForm) -> None:
        """One rule by which an action changes a fluent; no other of its rules gives it a value."""
        does = f"does({form}, S, T)"
        fluent = self.fluent(changed, scope)
        body = [does, *self.conditions(scope, 1)]
        if changed.value == "size" and self.once_in(2):
            self.use("adds")
            for _ in range(1 + self.once_in(3)):
                item = self.one_of(("item", *_of(scope, "player"), "other(item)"))
                amount = self.one_of([*map(str, (-2, -1, 1, 2)), *_of(scope, "size")])
                self.rule(f"adds({fluent}, {amount}, {item}, T, {RULE})", body)
                body = [does, *self.conditions(scope, 1)]
            return
        if self.once_in(5):
            self.use("clears")
            self.rule(f"clears({fluent}, T, {RULE})", body)
        elif changed.sorts and self.once_in(5):
            self.use("sets of many")
            names = [self.new() for _ in changed.sorts]
            given = [f"member({s}, {v})" for s, v in zip(changed.sorts, names, strict=True)]
            inner = scope | dict(zip(names, changed.sorts, strict=True))
            self.rule(
                f"sets({changed.name}({', '.join(names)}), "
                f"{self.term(changed.value, scope)}, T, {RULE})",
                [does, *given, *self.some(inner)],
            )
        elif changed.value == "size" and (self.once_in(4) or self.faulty):
            value = self.new()
            bound = [] if self.faulty else [f"{value} < {self.members['size'][-1]}"]
            self.rule(
                f"sets({fluent}, {value} + 1, T, {RULE})",
                [does, f"holds({fluent}, {value}, S)", *bound],
            )
        else:
            self.rule(f"sets({fluent}, {self.term(changed.value, scope)}, T, {RULE})", body)
            if self.faulty and self.once_in(2):
                self.use("two values")
                value = self.term(changed.value, scope)
                self.rule(f"sets({fluent}, {value}, T, r_02)", [does, *self.some(scope)])

    def side_effects(self, form: str, scope: Scope) -> None:
        """What else comes of an action."""
        does = f"does({form}, S, T)"
        if self.once_in(2):
            self.use("happens")
            event = self.one_of(("rang", f"moved({self.term('spot', scope)})", "moved(C)"))
            self.rule(f"happens({event}, T, {RULE})", [does, *self.conditions(scope, 1)])
            if self.once_in(3):
                self.rule(f"happens({event}, T, r_02)", [does, *self.some(scope)])
        if self.once_in(4):
            self.use("halts")
            self.rule(f"halts(T, {RULE})", [does, *self.some(scope)])
        if self.once_in(3):
            self.use("ends")
            self.rule(f"ends(T, {self.one_of(('day', 'night'))}, {RULE})",
                      [does, *self.conditions(scope, 1)])  # fmt: skip

    def write_periods(self) -> None:
        """What lapses when a period ends."""
        for form in self.fluents[1:]:
            if self.once_in(5):
                self.use("lapses")
                names = {self.new(): sort for sort in form.sorts}
                fluent = f"{form.name}({', '.join(names)})" if names else form.name
                self.rule(
                    f"lapses({fluent}, {self.one_of(('day', 'night'))}, S, {RULE})",
                    [f"holds({fluent}, _, S)", *self.conditions(names, 1)],
                )

    def write_macros(self) -> list[str]:
        """Actions that are made of others."""
        if not self.actions or not self.once_in(2):
            return []
        self.use("unfolds")
        (first, sorts), (second, others) = self.one_of(self.actions), self.one_of(self.actions)
        self.parts = [(first, sorts), (second, others)]
        scope = {"C": "player"} | {f"V{k}": sort for k, sort in enumerate(sorts[1:])}
        form = f"both({', '.join(scope)})"
        given = [f"member({sort}, {v})" for v, sort in scope.items() if v != "C"]
        one = f"{first}({', '.join(scope)})"
        two = f"{second}({', '.join(['C', *(self.term(s, scope) for s in others[1:])])})"
        body = ["holds(turn, C, S)", *given]
        if not self.once_in(3):
            body.append(f"legal({one}, S)" if self.once_in(3) else f"proposed({one}, S, _)")
        self.rule(f"proposed({form}, S, {RULE})", body)
        if self.once_in(3):
            self.rule(f"unfolds({form}, {one}, {two}, S)",
                      [f"considered({form}, S)", *self.conditions(scope, 1)])  # fmt: skip
        else:
            self.rule(f"unfolds({form}, {one}, {two}, S)", [f"considered({form}, S)"])
        declared = [f"action(both, ({', '.join(sorts)},))."]
        if len(sorts) == 1 and self.once_in(2):
            self.use("unfolds in turn")
            declared.append("action(often, (player, few)).")
            self.rule(
                f"proposed(often(C, N), S, {RULE})",
                ["holds(turn, C, S)", "member(few, N)", "N > 0"],
            )
            self.rule(
                f"unfolds(often(C, 1), {first}(C), {first}(C), S)", ["considered(often(C, 1), S)"]
            )
            self.rule(f"unfolds(often(C, N), {first}(C), often(C, N - 1), S)",
                      ["considered(often(C, N), S)", "N > 1"])  # fmt: skip
        return declared

    def write_forced(self) -> list[str]:
        """A step without choice, which mostly takes away what it comes of."""
        marks = [
            form for form in self.fluents if form.value == "mark" and form.sorts != ("spot",) * 2
        ]
        if not marks or not self.once_in(2):
            return []
        self.use("forced")
        form = self.one_of(marks)
        scope = {f"V{k}": sort for k, sort in enumerate(form.sorts)}
        fluent = f"{form.name}({', '.join(scope)})" if scope else form.name
        step = f"settle({', '.join(['clock', *scope])})"
        cause = [f"holds({fluent}, on, S)", *self.conditions(scope, 1)]
        self.rule(f"forced({step}, S, {RULE})", cause)
        if not self.once_in(3):
            self.rule(f"forbidden({step}, S, {RULE})",
                      [f"considered({step}, S)", f"not holds({fluent}, on, S)"])  # fmt: skip
        if not self.faulty:
            self.rule(f"sets({fluent}, off, T, {RULE})", [f"does({step}, _, T)"])
        for changed in self.chosen_fluents():
            if changed is not form:
                self.write_change(step, {**scope, "clock": "keeper"}, changed)
        self.side_effects_of_step(step, scope)
        return [f"action(settle, ({', '.join(('keeper', *form.sorts))},))."]

    def side_effects_of_step(self, step: str, scope: Scope) -> None:
        does = f"does({step}, S, T)"
        if self.once_in(2):
            self.rule(f"happens(rang, T, {RULE})", [does, *self.conditions(scope, 1)])
        if self.once_in(3):
            self.rule(f"ends(T, day, {RULE})", [does])
        if self.once_in(3):
            self.rule(f"halts(T, {RULE})", [does])

    def write_rolls(self) -> list[str]:
        """A roll that follows actions, its odds, and what comes of it."""
        if not self.actions or not self.once_in(2):
            return []
        self.use("chance")
        self.fluents.append(PENDING)
        name, sorts = self.one_of(self.actions if self.once_in(2) else self.parts or self.actions)
        if (name, sorts) in self.parts[:1]:
            self.use("interrupted")
        form = f"{name}({', '.join(['_'] * len(sorts))})"
        self.rule(f"adds(pending, {self.number(1, 2)}, roll, T, {RULE})", [f"does({form}, _, T)"])
        marks = self.members["mark"]
        due = "holds(pending, _, S)"
        if self.once_in(3):
            self.use("odds that change")
            extra = self.simple({})
            for sign, odds in (("", (1, 2)), ("not ", (1, 1))):
                for mark, part in zip(marks, odds, strict=True):
                    self.rule(f"chance(roll(chance, {mark}), {part}, {sum(odds)}, S, {RULE})",
                              [due, f"{sign}{extra}".replace("not not ", "")])  # fmt: skip
        else:
            odds = (self.number(1, 3), self.number(1, 3))
            whole = sum(odds) + (self.faulty and self.once_in(2))
            for mark, part in zip(marks, odds, strict=True):
                self.rule(f"chance(roll(chance, {mark}), {part}, {whole}, S, {RULE})", [due])
        if self.once_in(3):
            self.use("odds told twice")
            mark, part = marks[0], odds[0]
            self.rule(f"chance(roll(chance, {mark}), {part}, {sum(odds)}, S, r_02)",
                      [due, self.simple({})])  # fmt: skip
        roll = "roll(chance, M)"
        if not self.faulty:
            self.rule(f"adds(pending, -1, roll, T, {RULE})", [f"does({roll}, _, T)"])
        declared = ["action(roll, (chancer, mark))."]
        if self.once_in(3):
            self.use("two rolls at once")
            declared.append("action(draw, (chancer, player, mark)).")
            other = "draw(chance, P, M)"
            extra = self.one_of(("P = ann", "holds(turn, P, S)", "member(player, P)"))
            given = ["member(mark, M)", "member(player, P)", extra, "holds(pending, 2, S)"]
            self.rule(f"chance({other}, 1, 2, S, r_02)", given)
            self.rule(f"adds(pending, -1, draw, T, {RULE})", [f"does({other}, _, T)"])
        scope = {"M": "mark"}
        for changed in self.chosen_fluents():
            if changed is not PENDING:
                self.write_change(roll, scope, changed)
        self.side_effects_of_step(roll, scope)
        return declared

    def write_end(self) -> None:
        if self.once_in(4):
            self.use("over")
            self.rule(f"over(S, {RULE})", ["situation(S)", self.simple({}), *self.some({})])

    def write_figure(self) -> list[str]:
        """A figure with its ledger, and an action that it weighs on."""
        if not self.actions or not self.once_in(4):
            return []
        self.use("entry")
        form = [form for form in self.fluents if form.value == "size"]
        if form:
            chosen = self.one_of(form)
            names = {self.new(): sort for sort in chosen.sorts}
            fluent = f"{chosen.name}({', '.join(names)})" if names else chosen.name
            item = f"item({', '.join(names)})" if names else "item"
            self.rule(f"entry(worth(C), {item}, N, S, {RULE})",
                      ["member(player, C)", f"holds({fluent}, N, S)"])  # fmt: skip
        self.rule(f"entry(worth(C), turn, 1, S, {RULE})", ["holds(turn, C, S)"])
        name, sorts = self.one_of(self.actions)
        action = f"{name}({', '.join(['C', *('_' * (len(sorts) - 1))])})"
        self.rule(
            f"forbidden(A, S, {RULE})",
            [
                "considered(A, S)",
                f"A = {action}",
                "total(worth(C), N, S)",
                f"N > {self.number(0, 2)}",
            ],
        )
        return ["figure(worth, (player,), size, -30, 30)."]

    def write_turns(self) -> None:
        """The order in which players have their turns, by the core."""
        purses = any(form.name == "purse" for form in self.fluents)
        if not self.once_in(2):
            return
        if purses and self.once_in(2):
            self.use("takes_part")
            self.rule("takes_part(C, K, S)", ["member(player, C)", "holds(purse(C), K, S)"])
            taken = ["holds(turn, C, S)", *self.conditions({"C": "player"}, 1)]
            self.rule("turn_taken(C, S)", taken)
            condition = "on_turn(C, S)"
        else:
            self.use("ranked")
            self.rule("ranked(ann, 0, S)", ["situation(S)"])
            self.rule("ranked(bob, 1, S)", ["situation(S)", *self.conditions({}, 1)])
            self.rule("rank_of_turn(X, S)", ["holds(turn, C, S)", "ranked(C, X, S)"])
            condition = f"follows(C, {self.number(1, 2)}, S)"
        name, sorts = self.one_of(self.actions)
        action = f"A = {name}({', '.join(['C', *('_' * (len(sorts) - 1))])})"
        negated = self.one_of(("", "not "))
        self.rule(f"forbidden(A, S, {RULE})", ["considered(A, S)", action, negated + condition])

    def start(self) -> str:
        """A position to begin with."""
        lines = ["ruleset: ..", f"turn: {self.one_of(('ann', 'bob'))}"]
        if self.once_in(2):
            lines.append(f"rulings: {{doubt: {self.one_of(('left', 'right'))}}}")
        for form in self.fluents[1:]:
            if form.value == "path" or self.once_in(2):
                continue
            others = [v for v in self.members[form.value] if v != form.default]
            value = self.one_of(others)
            for sort in reversed(form.sorts):
                value = f"{{{self.one_of(self.members[sort])}: {value}}}"
            lines.append(f"{form.name}: {value}")
        return "\n".join(lines) + "\n"


def _of(scope: Scope, sort: str) -> list[str]:
    return [name for name, other in scope.items() if other == sort]


@st.composite
def rulesets(draw: Callable[[st.SearchStrategy[object]], object]) -> RandomRuleset:
    """A ruleset with a start."""
    writer = Writer(draw)
    vocabulary = writer.begin()
    writer.write_helpers()
    for number in range(writer.number(1, 3)):
        vocabulary += writer.write_action(number)
    vocabulary += writer.write_macros()
    vocabulary += writer.write_forced()
    vocabulary += writer.write_rolls()
    vocabulary += writer.write_figure()
    writer.write_turns()
    writer.write_periods()
    writer.write_end()
    for form in writer.fluents:
        sorts = f"({', '.join(form.sorts)},)" if form.sorts else "()"
        vocabulary.append(f"fluent({form.name}, {sorts}, {form.value}, {form.default}).")
    game = 'ruleset(random, "1.0.0", "Random").\n' + "\n".join(vocabulary) + CATALOGUE
    play = "\n".join(writer.lines) + "\n"
    starts = tuple(writer.start() for _ in range(STARTS))
    return RandomRuleset(game, play, starts, frozenset(writer.constructs))
