"""Derives each verdict of an adjudication again, from its JSON and the case alone.

Nothing is taken on trust: what is said to forbid has to forbid, and nothing else may; a ledger has
to add up, and the comparison to come out by arithmetic; a value has to be that of the position, and
what happens to happen by that rule and in that order, when the steps are carried out again.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import inf
from typing import Any

from pymorph import Case, InputError, Position
from pymorph.adjudication.case import Stated
from pymorph.adjudication.verdicts import CitedRule
from pymorph.dynamics.asking.legal import judged
from pymorph.errors import IllegalAction, Unsettled
from pymorph.explore.execution.application import Execution
from pymorph.questions import explanation
from pymorph.questions.evaluation import truths
from pymorph.questions.figures import full_name
from pymorph.questions.readings.partition import Cell, Partition
from pymorph.state import claim as claims
from pymorph.state.claim import Claim, ClaimPart, Operand, matches, settled_by_events
from pymorph.state.names import forms_of
from pymorph.terms import Term, parse_symbol

Json = Mapping[str, Any]
Event = tuple[Term, str]
VERDICTS = {True: "upheld", False: "rejected", None: "inapplicable"}
HIDDEN, UNDECIDED = "depends", "undecided"
COMPARED = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def faults(case: Case, data: Json) -> list[str]:
    """What an adjudication, as JSON, says of *case* that its own reasons do not bear out."""
    found = []
    if len(data["claims"]) != len(case.claims):
        found.append("there are not as many verdicts as claims")
    ruleset = case.position.ruleset
    for told in data["cited"]:
        if (
            told["rule"] not in ruleset.rules
            or told != CitedRule(ruleset.rule(told["rule"])).json()
        ):
            found.append(f"{told['rule']} is not quoted as the catalogue has it")
    quoted = {told["rule"] for told in data["cited"]}
    for stated, told in zip(case.claims, data["claims"], strict=False):
        wrong = list(_of_claim(case, stated, told))
        if not set(told["rules"]) <= quoted:
            wrong.append("it cites what is not quoted")
        found += [f"{told['claim']}: {fault}" for fault in wrong]
    return found


def _of_claim(case: Case, stated: Stated, told: Json) -> Iterator[str]:
    ruleset = case.position.ruleset
    defaults = {**ruleset.defaults, **case.position.rulings}
    claim = claims.parse(case.position, told["claim"])
    if not _is_meant(stated.claim, claim):
        yield f"it is not {stated.claim}"
    cells = tuple(Cell(r["under"], r["verdict"]) for r in told["readings"])
    verdicts = Partition(cells, ruleset.options)
    yield from _of_readings(verdicts, told, defaults, set(case.position.rulings))
    for account in told["readings"]:
        where = ", ".join(f"{q} = {o}" for q, o in account["under"].items())
        position = case.position.with_rulings({**defaults, **account["under"]})
        for fault in _of_account(position, stated, claim, account):
            yield f"{fault}{' under ' * bool(where)}{where}"
    rules = {rule for account in told["readings"] for rule in account["rules"]}
    if sorted(rules) != told["rules"]:
        yield "its rules are not those of its readings"


def _is_meant(stated: Claim, told: Claim) -> bool:
    """Is a claim the one that was stated, with arguments that were left out?"""
    if (stated.mode, len(stated.parts)) != (told.mode, len(told.parts)):
        return False
    for one, other in zip(stated.parts, told.parts, strict=True):
        same = (one.kind, one.positive, one.operator, one.left, one.right)
        if same != (other.kind, other.positive, other.operator, other.left, other.right):
            return False
        terms = zip(one.terms, other.terms, strict=True)
        if not all(matches(short.symbol, full.symbol) for short, full in terms):
            return False
    return True


def _of_readings(
    verdicts: Partition[str], told: Json, defaults: Mapping[str, str], ruled: set[str]
) -> Iterator[str]:
    """Are the readings all there are, each once? Does what is said of them follow from them?"""
    whole = Fraction(0)
    for number, cell in enumerate(verdicts.cells):
        share = Fraction(1)
        for question in cell.under:
            share /= len(verdicts.options[question])
        whole += share
        if ruled & set(cell.under):
            yield "it turns on what is ruled on"
        for other in verdicts.cells[:number]:
            if all(other.under.get(q, o) == o for q, o in cell.under.items()):
                yield "a reading is told twice"
    if whole != 1:
        yield "its readings are not all there are"
        return
    words = {cell.value for cell in verdicts.cells}
    if told["verdict"] != (words.pop() if len(words) == 1 else "depends"):
        yield f"{told['verdict']} is not what the readings come to"
    if told["defaults"] != verdicts.at(defaults):
        yield f"{told['defaults']} is not what the defaults come to"
    if tuple(told["depends_on"]) != verdicts.relevant():
        yield "it does not depend on what it says"
    for word, sets in told["suffices"].items():
        for choices in sets:
            if verdicts.values(choices) != {word}:
                yield f"{choices} does not suffice for {word}"
    for turn in told["turned_by"]:
        word = verdicts.at({**defaults, **turn["choices"]})
        if word != turn["verdict"] or word == told["defaults"]:
            yield f"{turn['choices']} does not turn it"


# -- one reading -----------------------------------------------------------------------------------


def _of_account(position: Position, stated: Stated, claim: Claim, told: Json) -> Iterator[str]:
    """What one account says that does not come out in a *position* under its reading."""
    for figure in told["figures"]:
        yield from _of_figure(figure, set(told["rules"]))
    if told["verdict"] == UNDECIDED:
        return
    course, stopped = _played(position, stated) if stated.after else (None, None)
    events = [(e.event, e.rule) for e in course.outcome().events] if course else []
    if course and stopped:
        if told["verdict"] != "inapplicable" or not told["missing"]:
            yield f"{told['verdict']}, although step {stopped[0]} cannot be carried out"
        elif not told["missing"][0].startswith(f"step {stopped[0]}: "):
            yield "another step is said to be illegal"
        elif isinstance(stopped[1], IllegalAction):
            action = parse_symbol(stopped[1].action)
            yield from _of_legality(course.position, Term(action), set(told["rules"]), told)
        return
    happened = not claim.here and told["verdict"] == "upheld"
    rolling = course.pending[0].outcomes[0][0].actor if course and course.pending else ""
    about_it = any(
        Term(form).actor == rolling
        for part in claim.here
        if part.kind == "legal"
        for form in forms_of(position, str(part.terms[0]))
    )
    if course and course.pending and not claim.mode and not happened and not about_it:
        if told["verdict"] != "inapplicable" or "the roll" not in " ".join(told["missing"]):
            yield "a roll is due, and that is not said"
        return
    position = course.position if course else position
    if claim.mode:
        yield from _of_line(position, claim, told)
        return
    truth = _truth(position, claim, events, told)
    if truth != told["verdict"]:
        yield f"{told['verdict']}, but its own reasons make it {truth}"
    if told["verdict"] == "inapplicable" and not told["missing"]:
        yield "what is missing is not said"
    yield from _of_parts(position, claim, events, told)


def _played(position: Position, stated: Stated) -> tuple[Execution, tuple[int, Exception] | None]:
    """The steps of a claim carried out, as far as they go; the number of that which does not."""
    course = Execution(position)
    for number, move in enumerate(stated.after, 1):
        try:
            course.take(move.rolls)
            course.act(move.action)
            course.require_all_taken()
        except (IllegalAction, Unsettled, InputError) as stop:
            return course, (number, stop)
    return course, None


def _of_figure(figure: Json, rules: set[str]) -> Iterator[str]:
    amounts = [entry["amount"] for entry in figure["entries"]]
    if figure["unit"] != "left" and isinstance(figure["value"], int):
        if sum(amounts) != figure["value"]:
            yield f"the items of {figure['name']} add up to {sum(amounts)}"
        if not amounts:
            yield f"{figure['name']} has no items"
    elif figure["unit"] != "left" and not figure["rules"]:
        yield f"{figure['name']} is {figure['value']} by no rule"
    if not {*figure["rules"], *(entry["rule"] for entry in figure["entries"])} <= rules:
        yield f"a rule of {figure['name']} is not cited"


def _truth(position: Position, claim: Claim, events: list[Event], told: Json) -> str:
    """The verdict that the reasons come to, part by part."""
    words = [
        VERDICTS[so] for _, so in settled_by_events(claim, [event.symbol for event, _ in events])
    ]
    words += [
        _legal(position, part) if part.kind == "legal" else _compared(position, part, told)
        for part in claim.here
    ]
    ranked = ("inapplicable", "rejected", HIDDEN)
    return next((word for word in ranked if word in words), "upheld")


def _legal(position: Position, part: ClaimPart) -> str:
    action = part.terms[0].symbol
    verdict = judged(position, [action])[action]
    if verdict.legal or verdict.rules:
        return VERDICTS[verdict.legal == part.positive]
    return HIDDEN if verdict.depends_on else "inapplicable"


def _compared(position: Position, part: ClaimPart, told: Json) -> str:
    assert part.left is not None
    assert part.right is not None
    left, right = (_worth(position, side, told) for side in (part.left, part.right))
    if "unknown" in (left, right):
        return HIDDEN
    if left is None or right is None:
        return "inapplicable"
    return VERDICTS[COMPARED[part.operator](left, right)]


def _worth(position: Position, side: Operand, told: Json) -> float | str | None:
    """What a side is, as the JSON tells it."""
    text: object = str(side.term)
    if side.sort == "fluent":
        facts = [fact.split(" is ", 1) for fact in told["facts"] if " is " in fact]
        text = next((value for name, value in facts if name == str(side.term)), None)
    elif side.sort != "value":
        named = [
            figure["value"]
            for figure in told["figures"]
            if full_name(position, parse_symbol(figure["name"])) == side.term.symbol
        ]
        text = named[0] if named else None
    if text == "never":
        return inf
    if isinstance(text, str) and text.lstrip("-").isdigit():
        return int(text)
    assert text is None or isinstance(text, int | str)
    return text


def _of_parts(position: Position, claim: Claim, events: list[Event], told: Json) -> Iterator[str]:
    """What each part cites, and what it should."""
    rules = set(told["rules"])
    for part in claim.parts:
        if part.kind == "legal":
            yield from _of_legality(position, part.terms[0], rules, told)
        for term in part.terms if part.eventful else ():
            came = [(e, r) for e, r in events if matches(term.symbol, e.symbol)]
            if not {rule for _, rule in came} <= rules:
                yield f"the rule by which {term} comes about is not cited"
            said = f"{came[0][0]} happens" if came else f"{term} does not happen"
            if said not in told["facts"]:
                yield f"it is not said that {said}"
        for side in (part.left, part.right):
            if side is not None and side.sort == "fluent":
                value = position.value(str(side.term))
                if f"{side.term} is {value}" not in told["facts"]:
                    yield f"it is not said that {side.term} is {value}"


def _of_legality(position: Position, action: Term, rules: set[str], told: Json) -> Iterator[str]:
    """Is an action forbidden by just the rules that are cited against it?"""
    symbol = action.symbol
    verdict = judged(position, [symbol])[symbol]
    if verdict.rules:
        excused = [(symbol, rule) for rule in sorted(rules)]
        without = judged(position, [symbol], excused)[symbol]
        if not (without.legal or without.depends_on):
            yield f"something forbids {action} that is not cited"
        every = position.ruleset.rules
        for rule in verdict.rules:
            others = [(symbol, other) for other in every if other != rule]
            if judged(position, [symbol], others)[symbol].legal:
                yield f"{rule} alone does not forbid {action}"
    elif verdict.legal:
        allowing = {reason.rule.id for reason in explanation.why(position, action).reasons}
        if not allowing <= rules:
            yield f"what allows {action} is not cited"
    elif told["verdict"] == HIDDEN:
        untold = set(map(str, map(Term, verdict.depends_on))) - set(told["hidden"])
        yield from (f"{action} hangs on {item}, and that is not told" for item in sorted(untold))


def _of_line(position: Position, claim: Claim, told: Json) -> Iterator[str]:
    """Does the line that is shown come to what it shall, where it is what decides?"""
    if (told["verdict"] == "upheld") != (claim.mode == "can"):
        if not any("no way within" in fact for fact in told["facts"]) or not told["positions"]:
            yield "it is not said how far was looked"
        return
    course = Execution(position)
    try:
        for action in told["line"]:
            course.act(action)
    except (IllegalAction, Unsettled) as stop:
        yield f"the line of play cannot be played: {stop}"
        return
    events = tuple(event.event.symbol for event in course.outcome().events)
    if truths(claim.plainly(), [(course.position, events)]) != ["true"]:
        yield "the line of play does not lead there"
