"""Arguments of public functions: where one is of another type, what was expected is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

from pymorph.errors import clipped

_Function = TypeVar("_Function", bound=Callable[..., Any])
Types = tuple[type, ...]  # without any: not looked at
REMEDIES = {"Position": "load one with Position.load(FILE) or pymorph.position(GAME)"}


class Parameters(NamedTuple):
    """The types of the arguments of a function: those in order, the *rest*, and all by name."""

    ordered: Sequence[tuple[str, Types]]
    rest: tuple[str, Types]
    named: Mapping[str, Types]


def checked(function: _Function) -> _Function:
    """A function that says what it takes where it is given something else.

    Only annotations that can be evaluated where it is defined are looked at. Raises: TypeError.
    """

    @wraps(function)
    def call(*values: Any, **named: Any) -> Any:
        parameters = parameters_of(function)
        for number, value in enumerate(values):
            ordered = number < len(parameters.ordered)
            name, types = parameters.ordered[number] if ordered else parameters.rest
            if types and not fits(value, types):
                raise unfit(function, name, types, value)
        for name, value in named.items():
            types = parameters.named.get(name, ())
            if types and not fits(value, types):
                raise unfit(function, name, types, value)
        return function(*values, **named)

    return cast(_Function, call)


def fits(value: object, types: Types) -> bool:
    """Is a value of one of these types? A text is no sequence of texts."""
    return isinstance(value, types) and (type(value) is not str or str in types)


def unfit(function: Callable[..., Any], name: str, types: Types, value: object) -> TypeError:
    """What is said of an argument of another type."""
    kinds = " or ".join("None" if kind is NoneType else kind.__name__ for kind in types)
    article = "an" if kinds[0].lower() in "aeio" else "a"
    remedy = REMEDIES.get(kinds)
    more = f"; {remedy}" if remedy else f" ({clipped(repr(value))[1:-1]})"
    of = "" if remedy else f" for {name}"
    message = f"{name_of(function)} takes {article} {kinds}{of}, not {type(value).__name__}{more}"
    return TypeError(message)


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called; what makes a value has the name of its class."""
    return function.__qualname__.removesuffix(".__init__")


@cache
def parameters_of(function: Callable[..., Any]) -> Parameters:
    """The types that a function expects, from its annotations."""
    ordered: list[tuple[str, Types]] = []
    rest: tuple[str, Types] = ("", ())
    named: dict[str, Types] = {}
    for parameter in signature(function).parameters.values():
        types = types_of(parameter.annotation, function.__globals__)
        if parameter.kind is Parameter.VAR_POSITIONAL:
            rest = (parameter.name, types)
        elif parameter.kind is Parameter.KEYWORD_ONLY:
            named[parameter.name] = types
        elif parameter.kind is not Parameter.VAR_KEYWORD:
            ordered.append((parameter.name, types))
    return Parameters(ordered, rest, {**dict(ordered), **named})


def types_of(annotation: Any, names: dict[str, Any]) -> Types:
    """The types that an annotation stands for; none, if there is none, or it cannot be said."""
    if annotation is Parameter.empty:
        return ()
    try:
        alone = SimpleNamespace(__annotations__={"kind": annotation})
        kind = get_type_hints(alone, names)["kind"]
    except (NameError, AttributeError):  # imported for type checkers alone
        return ()
    parts = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    types = tuple(get_origin(part) or part for part in parts)
    return types if all(type(one) is type or hasattr(one, "__mro__") for one in types) else ()
