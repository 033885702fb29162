"""The verb that referees a game turn by turn, for people at one terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from pymorph.cli import values
from pymorph.cli.app import Exit, fail
from pymorph.cli.input_parser import Meaning
from pymorph.cli.options import FILE, option, several
from pymorph.cli.output import put_json, put_line, put_text
from pymorph.cli.prompting import AT_TERMINAL, HELP, LineEditor, at_terminal, twice_to_end
from pymorph.cli.texts import actions_in, misused, pairs
from pymorph.cli.verb import AboutPosition, house_lines, verb
from pymorph.dynamics.asking import chance
from pymorph.errors import Fault, InputError, OutOfTime, Place, PymorphError, clipped, printable
from pymorph.explore.execution import replay
from pymorph.explore.execution import session as sessions
from pymorph.explore.search.computer import LIMITS, Computers
from pymorph.questions import explanation, figures
from pymorph.questions.observers import Observer
from pymorph.state import record
from pymorph.state.files import record_file
from pymorph.state.names import ambiguous
from pymorph.terms import cut
from pymorph.views import layout, picture
from pymorph.views.lines import answers
from pymorph.views.lines.menu import Menu
from pymorph.views.pictures import ascii

if TYPE_CHECKING:
    from pymorph.dynamics import outcomes, results
    from pymorph.state.position import Position
    from pymorph.terms import Term
    from pymorph.views.pictures import scene

LONGEST = 2000  # characters of a line that are read
MOST_AT_ONCE = 20  # steps without choice that are taken before somebody is asked
COMMANDS = ("why", "forecast", "legal", "show", "as", "roll", "undo", "redo", "save", "help", "?")
QUITTING = ("quit", "exit", "q")


@verb("play")
class PlayVerb(AboutPosition):
    """Referee a game turn by turn. Type help at the prompt to list the commands.

    FILE is a position, or a record that you continue. With --as, you see the game as NAME sees it;
    the command 'as' hands the seat to another player. Actions that are hidden from them are played
    all the same. With --computer, the computer plays NAME, from what NAME sees.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph play my_game/records/first.yaml
      pymorph play my_game/positions/start.yaml --computer bo=search:1
    """

    talks = True
    file: str = FILE
    target: str | None = option("--record FILE", "Write the record of the game to FILE.")
    seed: str | None = option("--roll SEED", "Make all rolls at random, from this seed.")

    computer: tuple[str, ...] = several(
        "--computer NAME=HOW",
        "Let the computer play NAME: random, a policy of the game, or search (search:5 "
        "for 5 seconds).",
        values.COMPUTER,
    )

    def check(self) -> None:
        if self.file == "-":
            raise misused(
                "play reads your commands from standard input; FILE must be the name of a file"
            )
        if self.target == "-":
            raise misused("--record needs the name of a file")
        takes = "--computer takes NAME=HOW, not {}"
        self.seats = pairs(self.computer, takes, "--computer gives two players for {}")

    def run(self) -> Exit:
        self.check()
        seat, self.viewer = self.viewer or "", None
        self.session = self.answer_to(self.begun)
        self.computers = self.answer_to(
            lambda: Computers(self.session.position, self.seats, self.seed or "")
        )
        self.dice = None if self.seed is None else chance.seeded(self.seed)
        self.menu = Menu()
        self.last: tuple[outcomes.Step, ...] = ()  # what was played last
        err = self.as_json
        self.editor = LineEditor(self.lines_after, err) if at_terminal(err) else None
        self.answer_to(lambda: self.sit(seat))
        return self.host()

    def begun(self) -> sessions.Session:
        """The game from a position, or the one of a record."""
        source = self.load(self.file)
        if not isinstance(source, record.Record):
            return sessions.Session(record.Record(self.under(source, self.file)))
        start = self.under(source.position, self.file)
        own = record_file.read(self.file) if self.plain else None
        return sessions.Session(replace(source, position=start), own)

    def host(self) -> Exit:
        """Go on until somebody leaves; then what was played is kept."""
        if self.target and not self.may_write(self.target):
            raise InputError(Fault("exists already; choose another file", Place(self.target)))
        code = Exit.YES
        try:
            self.converse()
        except EOFError:
            self.say("")
        except KeyboardInterrupt:
            self.say("")
            code = Exit.INTERRUPTED
        except OutOfTime as error:
            code = fail(error)
        except BaseException:
            self.keep_game()
            raise
        written = self.keep_game()
        if self.as_json:
            put_json(self.in_json(self.ask()))
        return max(code, written)

    # -- talking ---------------------------------------------------------------------------------

    def converse(self) -> None:
        self.do_show("")
        self.say(*house_lines(self.ruled))
        self.turn(opening=True)
        while True:
            try:
                line = self.read_line(self.prompt()).strip()
            except KeyboardInterrupt:
                if self.editor is None:
                    raise
                continue
            word, _, rest = line.partition(" ")
            if word in QUITTING:
                return
            if self.editor is None:
                self.carry_out(word, rest.strip())
                continue
            with twice_to_end(self.as_json):
                self.carry_out(word, rest.strip())

    def carry_out(self, word: str, rest: str) -> None:
        """Do what a line says, of which the first word is a command, or belongs to an action."""
        try:
            if word in COMMANDS:
                getattr(self, f"do_{word.replace('?', 'help')}")(rest)
            elif word:
                self.do_actions(f"{word} {rest}".strip())
        except OutOfTime:
            raise
        except PymorphError as error:
            self.say(*lines_of(error))

    def say(self, *lines: str) -> None:
        """Lines for people; with --json, standard output is for the answer at the end."""
        put_line(*lines, err=self.as_json)

    def read_line(self, prompt: str) -> str:
        """The next line that somebody types. Raises: EOFError, when there is none."""
        if self.editor is not None:
            return self.editor.read(prompt)
        stream = sys.stdin
        if stream is None:
            raise EOFError
        if stream.isatty():
            put_text(prompt, err=self.as_json)
            return input()
        try:
            data = stream.buffer.readline(LONGEST)
        except OSError:
            data = b""
        if not data:
            raise EOFError
        line = data.decode("utf-8", "replace").rstrip("\r\n")
        self.say(prompt + printable(line, LONGEST))
        return line

    def lines_after(self, beginning: str) -> list[str]:
        """What may be meant by the beginning of a line."""
        asked, space, rest = beginning.partition(" ")
        words = {"why": map(str, self.menu.actions), "legal": ["all"]}
        if space and asked in words:
            return [f"{asked} {word}" for word in words[asked] if word.startswith(rest.lstrip())]
        actions = self.menu.beginnings(beginning)
        known = [*COMMANDS, *QUITTING[:1], *dict.fromkeys(actions)]
        return [word for word in known if word.startswith(beginning)]

    def prompt(self) -> str:
        over = not self.session.now.pending and self.legal_now().over
        text = "game over" if over else layout.frame(self.session.now.position)
        return f"{', '.join(filter(None, [text, self.seat.name]))}> "

    def turn(self, opening: bool = False) -> None:
        """What is due now: a roll, which dice make if they are there, an action of a computer
        player, or what may be done."""
        before = self.session.position
        for _ in range(LIMITS.steps if self.computers else MOST_AT_ONCE):
            if not self.goes_by_itself():
                if not self.computer_acts():
                    break
            elif self.session.now.pending:
                assert self.dice is not None
                self.take_roll(self.dice(self.session.now.pending[0]))
            else:
                self.take_the_only_one(str(self.legal_now().actions[0]))
        new = not opening or (self.computers and self.session.position != before)
        if new and not self.session.now.pending:
            self.show_board()
        self.say("")
        self.do_legal("")

    def computer_acts(self) -> bool:
        """Let a computer player act, if one has something to do; has it?"""
        position, legality = self.session.position, self.legal_now()
        action = self.answer_to(lambda: self.computers.move(position, legality))
        return action is not None and self.act(str(action), by=" (computer)")

    def take_the_only_one(self, action: str) -> None:
        """Take what leaves no choice; what was taken back can still be done again."""
        again = self.session.redo()
        if again == [action]:
            return
        if again:
            self.session.undo()
        self.act(action, automatic=True)

    def meaning(self) -> Meaning:
        """What lines mean now."""
        return Meaning(self.session.now, self.menu, (*COMMANDS, *QUITTING))

    def legal_now(self) -> results.Legality:
        """What is legal now."""
        return self.answer_to(lambda: self.session.legality)

    def goes_by_itself(self) -> bool:
        """Do dice roll now, or is there somebody at the terminal with nothing to choose?"""
        if self.session.now.pending:
            return self.dice is not None
        if self.editor is None:
            return False
        legality = self.legal_now()
        return (
            len(legality.actions) == 1
            and not legality.unsettled
            and len(legality.actions[0].arguments) == 1  # its actor, and nothing that was chosen
        )

    # -- what can be said ------------------------------------------------------------------------

    def do_actions(self, line: str) -> None:
        """Take an action or several, let a roll come out so, or open what stands folded."""
        parts = actions_in(line)
        several = self.meaning().several(parts[0]) if len(parts) == 1 else []
        if several:
            self.say("")
            self.say(*self.menu.opened(several, style=self.style))
            return
        menu, done = self.menu, 0
        try:
            for part in parts:
                if not self.take(self.later(part, menu) if done else part):
                    break
                done += 1
        except OutOfTime:
            raise
        except PymorphError as error:
            if not done:
                raise
            self.say(*lines_of(error))
        if done < len(parts) and len(parts) > 1:
            self.say(f"not done: {'; '.join(map(printable, parts[done:]))}")
        if done:
            self.computers.wake()
            self.turn()

    def take(self, part: str) -> bool:
        """Take one action, or let a roll come out so; is it done?"""
        several = self.meaning().several(part)
        if several:
            raise ambiguous(part, [action.symbol for _, action in several])
        meant = self.answer_to(lambda: self.meaning().action(part))
        if any(meant == o for roll in self.session.now.pending for o, _ in roll.outcomes):
            self.take_roll(meant)
            return True
        return self.act(str(meant))

    def later(self, part: str, menu: Menu) -> str:
        """An action that comes after others of its line: a number is that of the menu *menu*."""
        for _ in range(MOST_AT_ONCE):
            if self.dice is None or not self.session.now.pending:
                break
            self.take_roll(self.dice(self.session.now.pending[0]))
        if self.session.now.pending:
            return part
        action = menu.numbered(part)
        self.menu = Menu(self.legal_now().actions)
        return action

    def act(self, action: str, automatic: bool = False, by: str = "") -> bool:
        """Carry out an action, and show what it does, and *by* whom; is it done?"""
        before = self.session.position
        answer, steps = self.answer_to(lambda: self.session.act(action))
        played = [step._replace(settled=True) for step in steps] if automatic else steps
        self.answer(answer, played, before, by)
        return answer.done

    def take_roll(self, outcome: Term) -> None:
        before = self.session.position
        self.answer(*self.answer_to(lambda: self.session.roll(outcome)), before)

    def answer(
        self,
        answer: outcomes.LineOfPlay,
        steps: Sequence[outcomes.Step],
        before: Position,
        by: str = "",
    ) -> None:
        if answer.why is not None:
            self.say(*answers.why(self.refusal(answer.why), self.style))
            return
        self.last = tuple(steps)
        seen = list(self.seat.steps(before, steps))
        first, *rest = answers.played(seen, self.style) or [""]
        self.say(*[f"{first}{by}"] * bool(first), *rest)
        self.say(*answers.undone(answer.outcome.rest, answer.outcome.position))

    def refusal(self, why: results.Why) -> results.Why:
        """Why an action is refused, as far as whoever has the seat may know."""
        if self.seat.name:
            why = explanation.why(self.seen(), why.action)
            if why.legal:
                raise InputError(Fault(f"{why.action} cannot be carried out now"))
        return why

    def do_why(self, line: str) -> None:
        action = self.menu.numbered(line)
        answer = self.answer_to(lambda: explanation.why(self.seen(), action))
        self.say(*answers.why(answer, self.style))

    def do_forecast(self, line: str) -> None:
        position = self.seen()
        names = filter(None, cut(" ".join(line.split()), " "))
        answer = self.answer_to(lambda: figures.forecast(position, *names))
        self.say(*answers.forecast(answer, position, self.style))

    def do_legal(self, line: str) -> None:
        now = self.session.now
        legality, others = self.seat.legality(now.position, self.legal_now())
        self.menu = Menu(legality.actions)
        if now.pending:
            due = self.answer_to(lambda: self.seat.rolls(now.position, now.pending))
            self.say(*answers.pending(due, self.style), "enter what came up, or type roll")
            return
        if legality.actions or not others:
            self.say(*self.menu.text(legality, line == "all", self.style))
        if others:
            self.say(f"waiting for: {', '.join(others)}")
        if legality.over:
            self.say(*answers.ending(legality, self.last, self.style))
            self.say("undo: take back the last step; save: write the record; quit: leave")

    def sit(self, name: str) -> None:
        """Show things as somebody sees them, or without a name, all of them."""
        self.seat = Observer.of(self.session.position, name)

    def do_as(self, name: str) -> None:
        self.answer_to(lambda: self.sit(name))
        self.last = ()
        if self.editor is not None and name:  # what the one before saw is not left there
            click.clear()
            self.editor.ask(f"{self.seat.name} has the seat; press Enter to show the game ")
        self.do_show("")
        self.say("")
        self.do_legal("")

    def seen(self) -> Position:
        """The position as whoever has the seat sees it."""
        return self.seat.seen(self.session.position)

    def scene(self) -> scene.PictureScene:
        """The picture of the position that this player sees."""
        position = self.seen()
        return self.answer_to(lambda: picture.scene_of(position))

    def do_show(self, _: str) -> None:
        self.say(*ascii.position_text(self.scene(), style=self.style))

    def show_board(self) -> None:
        """The board alone, where the game has one."""
        lines = ascii.surface_text(self.scene(), style=self.style, legend=False)
        self.say(*["", *lines] if lines else [])

    def do_roll(self, seed: str) -> None:
        pending = self.session.now.pending
        if not pending:
            raise InputError(Fault("no roll is due"))
        dice = chance.seeded(seed or str(SystemRandom().randrange(10**9)))
        self.take_roll(dice(pending[0]))
        self.turn()

    def do_undo(self, text: str) -> None:
        self.step(text, self.session.undo, "undone")

    def do_redo(self, text: str) -> None:
        self.step(text, self.session.redo, "redone")

    def step(self, text: str, way: Callable[[int], list[str]], word: str) -> None:
        if text and not text.isdigit():
            raise InputError(Fault(f"expected a number of steps, not {clipped(text)}"))
        steps = way(int(text[:9] or 1))
        while steps and self.goes_on(steps[-1] if word == "undone" else "") and (more := way(1)):
            steps += more
        texts = [str(len(steps))] if steps and self.seat.name else steps
        self.say(*[f"{word}: {step}" for step in texts] or [f"nothing can be {word}"])
        if steps:
            self.last = ()
            self.computers.rest()
            self.turn()

    def goes_on(self, undone: str) -> bool:
        """Does taking steps back or doing them again go on? Here nobody has to choose, or only
        computer players; or it is not yet a person whose action was *undone*."""
        position, legality = self.session.position, self.legal_now()
        names, shared = self.answer_to(lambda: self.computers.at_work(position, legality))
        by_computer = bool(undone) and self.computers.did(undone, position)
        return self.goes_by_itself() or bool(names and not shared) or by_computer

    def do_help(self, _: str) -> None:
        self.say(*layout.table(HELP, paints=(self.style.bold,)))
        if self.editor is not None:
            self.say(*layout.wrapped(AT_TERMINAL, "  "))

    # -- the record ------------------------------------------------------------------------------

    def do_save(self, path: str) -> None:
        path = path or self.target or self.session.file
        if not path:
            raise InputError(Fault("no file to write to; type save FILE"))
        if not self.may_write(path):
            raise InputError(Fault("nothing was written"))
        self.write(path)

    def write(self, path: str) -> None:
        self.session.save(path)
        self.say(f"wrote {path}")

    def may_write(self, path: str) -> bool:
        """May a file be written? Somebody is asked, where that loses what stands in it."""
        if self.session.keeps(path) or not Path(path).exists():
            return True
        question = f"{path} exists already; overwrite it? [y/N] "
        try:
            answer = self.editor.ask(question) if self.editor else self.read_line(question)
        except EOFError:
            return False
        return answer.strip().lower() in ("y", "yes")

    def keep_game(self) -> Exit:
        """Write what was played to the file for it; where there is none, say it."""
        if not self.session.unsaved:
            return Exit.YES
        code = Exit.YES
        if self.target:
            try:
                self.write(self.target)
                return Exit.YES
            except PymorphError as error:
                code = fail(error)
        self.say("not saved; to continue the game later, write this record to a file:")
        put_text(self.session.record.yaml(), err=self.as_json)
        return code

    def ask(self) -> replay.Replay:
        """How far the game has come, as a replay of its record tells it."""
        now = self.session.now
        steps = len(self.session.steps)
        return replay.Replay(now.position.ruleset, steps, now.position, pending=now.pending)


def lines_of(error: PymorphError) -> list[str]:
    """What is wrong, each fault in a line."""
    return [fault.message for fault in getattr(error, "faults", ())] or [str(error)]
