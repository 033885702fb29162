"""Small rulesets made for tests, in `rulesets/`: their texts, and copies of them with changes."""

from pathlib import Path

import tests

RULESETS = Path(str(tests.__file__)).parent / "rulesets"


def file_text(name: str) -> str:
    """The text of a file of `rulesets/`."""
    return (RULESETS / name).read_text(encoding="utf-8")


def write_game(folder: Path, game: str, play: str, positions: dict[str, str]) -> Path:
    """A ruleset in a new *folder*, with its positions."""
    files = {"rules/game.lp": game, "encodings/play.lp": play}
    files |= {f"positions/{name}": text for name, text in positions.items()}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
