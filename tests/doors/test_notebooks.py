"""The notebooks: each runs, and gives what is stored; the site has a page of each."""

import json
import re
from itertools import chain

import pytest

from tools import notebooks

NAMES = ["ask_a_game.ipynb", "play_and_analyse.ipynb", "write_a_game.ipynb"]


def test_there_are_these_notebooks() -> None:
    assert notebooks.names() == NAMES


@pytest.mark.doors
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_gives_what_is_stored(name: str) -> None:
    """`python -m tools.notebooks` writes it anew, if this fails."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    assert notebooks.comparable(notebooks.run(name)) == notebooks.comparable(notebooks.stored(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_notebook_is_whole(name: str) -> None:
    """Each cell of code was run in order, none failed, and no output names a path of a machine."""
    code = [c for c in notebooks.stored(name)["cells"] if c["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [*chain.from_iterable(cell["outputs"] for cell in code)]
    assert {o["output_type"] for o in outputs} <= {"execute_result", "stream", "display_data"}
    assert not re.search(r"(?<![\w<.])/(tmp|home|root|Users|work)/", json.dumps(outputs))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_the_prose_the_code_and_the_outputs(name: str) -> None:
    """Its prose and code are on the page in their order, and each output as HTML or as text."""
    notebook = notebooks.stored(name)
    page = notebooks.markdown_of(json.dumps(notebook))
    at = 0
    for cell in notebook["cells"]:
        at = page.index("".join(cell["source"]), at)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            shown = data.get("text/html") or data.get("text/plain") or output["text"]
            at = page.index("".join(shown).rstrip(), at)
    assert page.startswith("# ")
