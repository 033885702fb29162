"""Completion in bash, which takes the two sides of a ``=`` for words of their own."""

from __future__ import annotations

from click.shell_completion import BashComplete, CompletionItem


class WholeWords(BashComplete):
    """Words are whole on the way in; what bash has before a ``=`` is left out on the way back."""

    before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        joined: list[str] = []
        for word in [*args, incomplete]:
            if joined and (word == "=" or joined[-1].endswith("=")):
                joined[-1] += word
            else:
                joined.append(word)
        if args and "=" in (args[-1], incomplete):
            self.before = joined[-1].rpartition("=")[0] + "="
        return joined[:-1], joined[-1]

    def format_completion(self, item: CompletionItem) -> str:
        item.value = item.value.removeprefix(self.before)
        return super().format_completion(item)
