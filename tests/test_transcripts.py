"""Command lines print what their transcripts say, and have those exit codes."""

from pathlib import Path

import pytest

from tools import transcripts

SECTIONS = [
    pytest.param(opening, section, id=f"{path.stem}: {transcripts.title(section)}")
    for path in sorted(transcripts.FOLDER.glob("*.md"))
    for opening, *others in [transcripts.sections(path)]
    for section in others
]


@pytest.mark.parametrize(("opening", "section"), SECTIONS)
def test_transcript(opening: str, section: str, tmp_path: Path) -> None:
    """`python -m tools.transcripts` writes it."""
    assert transcripts.carried_out(opening, section, tmp_path) == section
