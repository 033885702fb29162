"""What a line means that somebody types in a game: an action by its number, words or term."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest, printable
from pymorph.questions import legality
from pymorph.views.lines.menu import Menu, words_in

if TYPE_CHECKING:
    from pymorph.explore.execution.session import SessionStep
    from pymorph.terms import Term


class Meaning(NamedTuple):
    """What lines mean with the game as it stands *now*, under a *menu*, beside the *commands*."""

    now: SessionStep
    menu: Menu
    commands: tuple[str, ...]

    def several(self, line: str) -> list[tuple[int, Term]]:
        """The actions that a number, or a name and words, stand for, where they are several."""
        if self.now.pending:
            return []
        if line.isdigit():
            return self.menu.behind(int(line[:9]))
        actions = self.menu.of(*self._name_and_words(line))
        return actions if len(actions) > 1 else []

    def action(self, line: str) -> Term:
        """What is meant by a number, by what a roll shows, or by an action as a term."""
        now = self.now
        for outcome, _ in now.pending[0].outcomes if now.pending else ():
            if str(outcome.arguments[-1]) == line:
                return outcome
        if now.pending and line.isdigit():
            raise InputError(Fault(f"no roll that is due can show {line[:9]}"))
        text = self.menu.numbered(line)
        for _, action in self.menu.of(*self._name_and_words(text)) if "(" not in text else ():
            return action
        self._check_word(text)
        if " " in text and "(" not in text:
            return self._of_words(*text.split())
        return legality.action_of(now.position, text)

    def _name_and_words(self, line: str) -> list[str]:
        """The name of an action and the words after it; without a name, it is empty."""
        words = line.split()
        known = self.now.position.ruleset.vocabulary.actions
        return words if words and words[0] in known else ["", *words]

    def _of_words(self, name: str, *words: str) -> Term:
        """The action of a name with just these arguments, which is not legal."""
        try:
            return legality.action_of(self.now.position, f"{name}({', '.join(words)})")
        except InputError:
            known = {part for _, action in self.menu.of(name) for part in words_in(action)}
            unknown = next((word for word in words if word not in known), "")
            hint = nearest(unknown, known - {name}) if unknown and known else ""
            message = f"no legal {name} with {' '.join(words)}"
            raise InputError(Fault(f"{printable(message)}{hint}")) from None

    def _check_word(self, line: str) -> None:
        """Raises: UnknownName, if the first word is neither a command nor the name of an action."""
        word = line.split("(")[0].split(" ")[0]
        known = self.now.position.ruleset.vocabulary.actions
        if word.isidentifier() and word not in known and "(" not in line:
            names = [name for name in (*self.commands, *known) if len(name) > 1]
            raise UnknownName(Fault(f"unknown word {clipped(word)}{nearest(word, names)}"))
