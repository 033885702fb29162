"""`python -m pymorph`, and `pymorph`: from here on Ctrl-C is heard, while all else is imported."""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """The command line."""
    try:
        from pymorph.runtime.ctrl_c import EndingAtOnce

        with EndingAtOnce():
            from pymorph.cli.app import main as command
        command()
    except KeyboardInterrupt:
        from pymorph.runtime.ctrl_c import end

        end()


if __name__ == "__main__":
    main()
