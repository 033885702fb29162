"""The page of a chat as one file, which needs nothing else."""

import re

import pytest

from pymorph.doors.mcp import page
from pymorph.doors.table.tasks import CHANGING, TASKS

OUTSIDE = re.compile(r"""\b(?:src|href)=["'](?!data:|#)|url\(|@import|<link (?!rel="icon")""")


def test_it_fetches_nothing() -> None:
    text = page.html()
    assert text.startswith("<!doctype html>")
    assert not OUTSIDE.search(text)
    assert text.count("</script>") == text.count("<script") == 1
    assert not re.search(r"\bfetch\(|EventSource|^\s*(?:import|export)\b", text, re.MULTILINE)


def test_the_server_of_a_chat_is_asked_as_that_of_a_browser() -> None:
    """The two modules that ask have the same names; other modules do not see which it is."""
    names = [set(page.EXPORT.findall(page.text_of(name))) for name in ("api.js", "chat_api.js")]
    assert names[0] == names[1]
    assert {"get", "post", "ask", "listen"} <= names[0]


def test_a_module_of_another_form_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "text_of", lambda _: 'export { el } from "./dom.js";\n')
    with pytest.raises(ValueError, match=r"dom\.js: export \{ el \}"):
        page.script("dom.js")


def test_each_task_of_the_table_has_one_tool() -> None:
    schemas = [page.input_schema(name, True)["properties"] for name in page.TOOLS]
    asks, changes = (schema["task"]["enum"] for schema in schemas)
    assert sorted(asks + changes) == sorted({*TASKS, "version", "job"})
    assert sorted(changes) == sorted(CHANGING)
    assert schemas[0].keys() == {"task", "given"}  # a seat's server has no other game, and no token
