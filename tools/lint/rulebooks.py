"""The games as they are written: headers of encodings, ids of rules, questions, readings."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pymorph.ruleset.contract import CONTRACT
from tools.headers import Encoding, Signature
from tools.lint.source import Fault

WIDTH = 110  # of a line of an encoding, at most
CORE = "encodings/core"
TEMPLATE = "pymorph/ruleset/template"
STRING = r'"(?:[^"\\]|\\.)*"'
ARGUMENT = rf"(?:{STRING}|\w+)"
FACT = re.compile(rf"\b([a-z_]+)\(({ARGUMENT}(?:,\s*{ARGUMENT})*)\)\s*\.")
ARGUMENTS = re.compile(ARGUMENT)
COMMENT = re.compile(r"^\s*%.*$", re.MULTILINE)
READING = re.compile(r"\breading\((\w+),(\w+),")
IN_COMMENT = re.compile(r"^% ([a-z]+_[a-z_]*[0-9]+)\b", re.MULTILINE)
RULE_ID = re.compile(r"(?<![a-z])[a-z]+_[a-z_]*[0-9]+")
WITHOUT_SOURCE = ("own", "derived", "inferred")


@dataclass(frozen=True)
class Game:
    """The files of a game, and the facts of its catalogue and its questions."""

    root: Path
    name: str
    folder: Path
    encodings: tuple[Encoding, ...]
    shipped: bool

    @cached_property
    def facts(self) -> Mapping[str, list[tuple[str, ...]]]:
        """The arguments of the facts in `rules/`, by predicate; texts without their quotes."""
        rows: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for text in self.texts.values():
            for name, arguments in FACT.findall(COMMENT.sub("", text)):
                rows[name].append(tuple(a.strip('"') for a in ARGUMENTS.findall(arguments)))
        return rows

    @cached_property
    def texts(self) -> Mapping[Path, str]:
        return {path: path.read_text("utf-8") for path in sorted(self.folder.rglob("*.lp"))}

    def of(self, name: str, argument: str) -> list[tuple[str, ...]]:
        """What the facts of a predicate say about their first argument."""
        return [row[1:] for row in self.facts.get(name, ()) if row[0] == argument]

    def fault(self, about: str, message: str) -> Fault:
        """A fault of a rule or a question, where it is declared."""
        declared = re.compile(rf"^(?:rule|question)\({about}\)", re.MULTILINE)
        for path, text in self.texts.items():
            if match := declared.search(text):
                line = text.count("\n", 0, match.start()) + 1
                return Fault(path.relative_to(self.root).as_posix(), line, message)
        return Fault(self.folder.relative_to(self.root).as_posix(), 1, message)


def games(root: Path, encodings: Sequence[Encoding]) -> Iterator[Game]:
    """The games that ship, the examples, and the game to start from."""
    shipped = sorted(path for path in root.glob("rules/*") if path.is_dir())
    own = [*sorted(root.glob("examples/rulesets/*")), root / TEMPLATE]
    for folder in [*shipped, *own]:
        rules = folder if folder in shipped else folder / "rules"
        room = root / "encodings" / folder.name if folder in shipped else folder / "encodings"
        mine = tuple(each for each in encodings if room in each.path.parents)
        if rules.is_dir():
            yield Game(root, folder.name, rules, mine, folder in shipped)


def encoding_files(root: Path) -> list[Path]:
    patterns = ("encodings/**/*.lp", "examples/rulesets/*/encodings/**/*.lp")
    found = {path for pattern in patterns for path in root.glob(pattern)}
    return sorted(found | {*(root / TEMPLATE).rglob("encodings/*.lp")})


def faults(root: Path, encodings: Sequence[Encoding]) -> Iterator[Fault]:
    """Where the games, as they are written, contradict themselves."""
    core = [each for each in encodings if root / CORE in each.path.parents]
    for encoding in encodings:
        yield from _header(root, encoding)
    for game in games(root, encodings):
        yield from _predicates(game, core)
        yield from _rules(game)
        yield from _questions(game)
        if game.shipped:
            yield from _cases(game)


def _at(root: Path, encoding: Encoding, word: str, message: str) -> Fault:
    """A fault of an encoding, where the statements first have a word."""
    text = encoding.path.read_text(encoding="utf-8")
    header = text.find("*%") + 2 if text.lstrip().startswith("%*") else 0
    match = re.compile(rf"\b{word}\b").search(text, header) if word else None
    line = text.count("\n", 0, match.start()) + 1 if match else 1
    return Fault(encoding.path.relative_to(root).as_posix(), line, message)


def _header(root: Path, encoding: Encoding) -> Iterator[Fault]:
    for message in encoding.disagreements():
        yield _at(root, encoding, "", f"{message}: correct the header")
    if encoding.shows != (encoding.path.parent.name == "show"):
        yield _at(root, encoding, "", "#show statements are in encodings/core/show: move them")
    for number, line in enumerate(encoding.path.read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > WIDTH:
            message = f"{len(line)} characters in a line, {WIDTH} at most: break it"
            yield Fault(encoding.path.relative_to(root).as_posix(), number, message)


def _predicates(game: Game, core: Sequence[Encoding]) -> Iterator[Fault]:
    """What a file keeps is used by no other; what an encoding derives is read somewhere."""
    files = [*game.encodings, *core]
    keepers = {kept: file.path for file in files for kept in file.listed["Keeps"]}
    read: Set[Signature] = CONTRACT.union(*(file.bodies for file in files))
    for file in files:
        for name, arity in sorted(file.bodies | file.heads):
            keeper = keepers.get((name, arity), file.path)
            if keeper != file.path:
                message = f"{keeper.name} keeps {name}/{arity}: list it there under Gives"
                yield _at(game.root, file, name, message)
    for file in game.encodings:
        for name, arity in sorted(file.heads - read):
            message = f"nothing reads {name}/{arity}: correct its name, or remove it"
            yield _at(game.root, file, name, message)


def _rules(game: Game) -> Iterator[Fault]:
    """Each rule is complete and encoded, or waived; encodings cite no other."""
    rules = {rule for (rule,) in game.facts.get("rule", ())}
    waived = {row[0] for row in game.facts.get("waived", ())}
    prefixes = "|".join(sorted({rule.split("_")[0] for rule in rules})) or "none"
    pattern = re.compile(rf"\b(?:{prefixes})_(?:[a-z]+_)*[0-9]+\b")
    cited: set[str] = set()
    named: set[str] = set()
    for file in game.encodings:
        text = file.path.read_text(encoding="utf-8")
        here = set(pattern.findall("\n".join(file.rules)))
        for rule in sorted((here | set(IN_COMMENT.findall(text))) - rules):
            yield _at(game.root, file, rule, f"no rule {rule} in the catalogue: add it")
        cited |= here
        named.update(re.findall(r"\w+", text[text.find("*%") + 2 :]))
    for rule in sorted(rules):
        if rule not in named | waived:
            yield game.fault(rule, f"no statement cites {rule}: encode it, or say why with waived")
        if rule in waived & cited:
            yield game.fault(rule, f"{rule} is waived, and a statement cites it: take one away")
        yield from _rule(game, rule)


def _rule(game: Game, rule: str) -> Iterator[Fault]:
    says, status = game.of("says", rule), game.of("status", rule)
    if not game.of("title", rule):
        yield game.fault(rule, f"{rule} has no title: add title({rule}, TEXT)")
    if not says or not says[0][0].endswith("."):
        yield game.fault(rule, f"the text of {rule} is a sentence: end it with a full stop")
    if not status:
        yield game.fault(rule, f"{rule} has no status: add status({rule}, stated)")
    if not game.of("source", rule) and not (status and status[0][0] in WITHOUT_SOURCE):
        yield game.fault(rule, f"{rule} has no source: add source({rule}, DOCUMENT, SECTION)")


def _questions(game: Game) -> Iterator[Fault]:
    """Each question is complete, and encodings read it and each of its options, but one."""
    questions = {name for (name,) in game.facts.get("question", ())}
    read: dict[str, set[str]] = defaultdict(set)
    for file in game.encodings:
        for question, option in READING.findall("\n".join(file.rules)):
            read[question].add(option)
            if question not in questions:
                yield _at(game.root, file, question, f"no question {question}: declare it")
    for question in sorted(questions):
        options = [row[0] for row in game.of("option", question)]
        plain = {option for option in read[question] if option[0].islower()}
        silent = sorted({*options} - plain)
        if not read[question]:
            yield game.fault(question, f"nothing reads {question}: read it in an encoding")
        for option in sorted(plain - {*options}):
            yield game.fault(question, f"{question} has no option {option}: correct the encoding")
        if len(silent) > 1 and plain == read[question]:
            message = f"encodings read only some options of {question}, not {', '.join(silent)}"
            yield game.fault(question, f"{message}: read all but one")
        yield from _question(game, question, options)


def _question(game: Game, question: str, options: Sequence[str]) -> Iterator[Fault]:
    asks, default = game.of("asks", question), game.of("default", question)
    raised = {rule for rule, about in game.facts.get("raises", ()) if about == question}
    if not asks or not asks[0][0].endswith("?"):
        yield game.fault(question, f"{question} asks nothing: end asks(...) with a question mark")
    if not default or default[0][0] not in options:
        yield game.fault(question, f"the default of {question} is none of its options")
    if len(set(options)) != len(options) or len(options) < 2:
        yield game.fault(question, f"{question} needs two different options or more")
    for option in sorted({*options} - {row[0] for row in game.of("means", question)}):
        yield game.fault(question, f"option {option} of {question} has no meaning: add means")
    if not game.of("because", question):
        yield game.fault(question, f"{question} does not say why it has its default: add because")
    if not raised or not raised <= {rule for (rule,) in game.facts.get("rule", ())}:
        yield game.fault(question, f"no rule raises {question}: add raises(RULE, {question})")


def _cases(game: Game) -> Iterator[Fault]:
    """Each rule of a game that ships is named by a test or a case."""
    named: set[str] = set()
    for path in _tests(game.root / "tests" / game.name):
        named.update(RULE_ID.findall(path.read_text(encoding="utf-8")))
    waived = {row[0] for row in game.facts.get("waived", ())}
    for (rule,) in game.facts.get("rule", ()):
        if rule not in named | waived:
            yield game.fault(rule, f"no case names {rule}: add one to tests/{game.name}/cases")


def _tests(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.suffix in (".py", ".yaml"))
