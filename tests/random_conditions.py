"""Random conditions of rules, over the fluents and predicates of a small game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class FluentForm(NamedTuple):
    """A fluent that a ruleset may have."""

    name: str
    sorts: tuple[str, ...]
    value: str
    default: str


FLUENTS = (
    FluentForm("lit", ("spot",), "mark", "off"),
    FluentForm("heap", ("spot",), "size", "0"),
    FluentForm("load", ("spot",), "size", "none"),
    FluentForm("owner", ("spot",), "player", "none"),
    FluentForm("at", ("player",), "spot", "none"),
    FluentForm("purse", ("player",), "size", "0"),
    FluentForm("road", ("spot", "spot"), "mark", "off"),
    FluentForm("stage", (), "size", "0"),
    FluentForm("alarm", (), "mark", "off"),
    FluentForm("last", (), "spot", "none"),
    FluentForm("trail", (), "path", "()"),
)
TURN = FluentForm("turn", (), "player", "given")
PENDING = FluentForm("pending", (), "few", "0")


Scope = dict[str, str]  # variables with their sorts


@dataclass(slots=True)
class Conditions:
    """Writes bodies of rules; each choice is drawn."""

    draw: Callable[[st.SearchStrategy[object]], object]
    lines: list[str] = field(default_factory=list)
    constructs: set[str] = field(default_factory=set)
    members: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fluents: list[FluentForm] = field(default_factory=list)
    helpers: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    actions: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    named: int = 0
    faulty: bool = False

    # -- drawing -------------------------------------------------------------------------------

    def one_of(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)]

    def number(self, low: int, high: int) -> int:
        found = self.draw(st.integers(low, high))
        assert isinstance(found, int)
        return found

    def once_in(self, number: int) -> bool:
        return self.number(1, number) == number

    def use(self, construct: str) -> None:
        self.constructs.add(construct)

    def say(self, line: str) -> None:
        self.lines.append(line)

    def rule(self, head: str, body: Sequence[str]) -> None:
        self.say(f"{head} :- {', '.join(body)}.")

    def new(self) -> str:
        """A variable that is not used."""
        self.named += 1
        return f"X{self.named}"

    # -- terms and literals --------------------------------------------------------------------

    def term(self, sort: str, scope: Scope, fresh: Scope | None = None) -> str:
        """A term of a sort: a variable in *scope* or a new one, noted in *fresh*; or a member."""
        known = [name for name, other in scope.items() if other == sort]
        if known and not self.once_in(4):
            return self.one_of(known)
        if fresh is not None and self.once_in(2):
            name = self.new()
            fresh[name] = sort
            return name
        if known:
            return self.one_of(known)
        return self.one_of(self.members[sort])

    def fluent(self, form: FluentForm, scope: Scope, fresh: Scope | None = None) -> str:
        if not form.sorts:
            return form.name
        return f"{form.name}({', '.join(self.term(sort, scope, fresh) for sort in form.sorts)})"

    def told(self, scope: Scope, at: str, fresh: Scope | None) -> str:
        """That a fluent has a value."""
        form = self.one_of(self.fluents)
        fluent = self.fluent(form, scope, fresh)
        value = "_" if self.once_in(3) else self.term(form.value, scope, fresh)
        return f"holds({fluent}, {value}, {at})"

    def simple(self, scope: Scope, at: str = "S", fresh: Scope | None = None) -> str:
        """A literal without a `not`."""
        kind = self.number(0, 6)
        if kind <= 2 or (kind <= 4 and not self.helpers):
            return self.told(scope, at, fresh)
        if kind <= 4:
            name, sorts = self.one_of(self.helpers)
            self.use("a helper")
            return f"{name}({', '.join([*(self.term(s, scope, fresh) for s in sorts), at])})"
        if kind == 5:
            spots = [self.term("spot", scope, fresh) for _ in range(2)]
            return f"link({', '.join(spots)})"
        self.use("a reading")
        return f"reading(doubt, {self.one_of(('left', 'right'))}, {at})"

    def gathering(self, scope: Scope, at: str) -> tuple[str, str]:
        """A variable of a sort, and a condition that it meets."""
        sort = self.one_of(("spot", "player"))
        name = self.new()
        inner = {**scope, name: sort}
        forms = [form for form in self.fluents if sort in form.sorts or form.value == sort]
        if not forms or self.once_in(6):
            return name, f"member({sort}, {name}), {self.simple(inner, at)}"
        form = self.one_of(forms)
        terms = [name if s == sort else self.term(s, scope) for s in form.sorts]
        fluent = f"{form.name}({', '.join(terms)})" if terms else form.name
        own = (self.term(form.value, scope), "_")
        value = self.one_of(own) if sort in form.sorts else name
        extra = f", {self.negative(inner, at)}" if self.once_in(4) else ""
        return name, f"holds({fluent}, {value}, {at}){extra}"

    def aggregate(self, scope: Scope, at: str) -> str:
        """A number that is compared."""
        kind = self.one_of(("#count", "#sum", "#sum", "#sum+", "#min", "#max"))
        bound = self.number(-1, 3)
        sign = self.one_of((">=", "<", "=", "!=", "<=", ">"))
        elements = []
        if kind == "#count":
            for _ in range(1 + self.once_in(4)):
                name, condition = self.gathering(scope, at)
                elements.append(f"{name} : {condition}")
        else:
            for _ in range(1 + self.once_in(3)):
                elements.append(self.weighed(scope, at, kind == "#sum+"))
        prefix = "not " if self.once_in(5) else ""
        self.use(kind)
        if prefix:
            self.use("not an aggregate")
        return f"{prefix}{kind} {{ {'; '.join(elements)} }} {sign} {bound}"

    def weighed(self, scope: Scope, at: str, up: bool = False) -> str:
        """An element of a sum, or of a least or greatest number; if *up*, with a weight above 0."""
        forms = [form for form in self.fluents if form.value == "size"]
        if not forms or self.once_in(4):
            name, condition = self.gathering(scope, at)
            return f"{self.number(1 if up else -2, 3)}, {name} : {condition}"
        form = self.one_of(forms)
        names = [self.new() for _ in form.sorts]
        fluent = f"{form.name}({', '.join(names)})" if names else form.name
        weight = self.new()
        sign = "-" if self.once_in(5) and not up else ""
        terms = [f"{sign}{weight}", *(names if not self.once_in(5) else names[:0])]
        above = f", {weight} > 0" if up else ""
        return f"{', '.join(terms)} : holds({fluent}, {weight}, {at}){above}"

    def conditional(self, scope: Scope, at: str) -> str:
        name = self.new()
        inner = {**scope, name: "spot"}
        what = self.negative(inner, at) if self.once_in(3) else self.simple(inner, at)
        range_ = self.one_of((f"member(spot, {name})", f"link({self.term('spot', scope)}, {name})"))
        if self.once_in(3):
            range_ += f", {self.told(inner, at, None)}"
            self.use("a condition that is open")
        self.use("a conditional literal")
        return f"{what} : {range_}"

    def negative(self, scope: Scope, at: str) -> str:
        self.use("not")
        return f"not {self.simple(scope, at)}"

    def literal(self, scope: Scope, at: str = "S", fresh: Scope | None = None) -> str:
        """A condition of a body; a conditional literal has to stand last, or a `;` after it."""
        kind = self.number(0, 11)
        if kind <= 3:
            return self.simple(scope, at, fresh)
        if kind <= 6:
            return self.negative(scope, at)
        if kind <= 8:
            return self.aggregate(scope, at)
        if kind == 9:
            numbers = [name for name, sort in scope.items() if sort == "size"]
            if numbers and self.faulty and self.once_in(2):
                self.use("division")
                return f"{self.number(1, 2)} / {self.one_of(numbers)} > 0"
            if numbers:
                sign = self.one_of(("<", "=", "!=", ">="))
                return f"{self.one_of(numbers)} {sign} {self.number(-1, 3)}"
        if kind == 10:
            spots = [name for name, sort in scope.items() if sort == "spot"]
            if len(spots) > 1:
                return f"{spots[0]} {self.one_of(('<', '!='))} {spots[1]}"
        return self.assigned(scope, at) if self.once_in(3) else self.simple(scope, at)

    def assigned(self, scope: Scope, at: str) -> str:
        """A number that is worked out, and used."""
        name = self.new()
        kind = self.one_of(("#count", "#sum", "#max"))
        if kind == "#count":
            inner, condition = self.gathering(scope, at)
            element = f"{inner} : {condition}"
        else:
            element = self.weighed(scope, at)
        self.use(f"{kind} assigned")
        return f"{name} = {kind} {{ {element} }}, {name} >= {self.number(0, 2)}"

    def conditions(
        self, scope: Scope, most: int, at: str = "S", fresh: Scope | None = None
    ) -> list[str]:
        """Up to so many literals, that may end with a conditional one."""
        found = [self.literal(scope, at, fresh) for _ in range(self.number(0, most))]
        if found and self.once_in(6):
            found.append(self.conditional(scope, at))
        return found
