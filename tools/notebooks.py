"""The notebooks in `examples/notebooks`: run with their outputs stored, and shown as pages.

`python -m tools.notebooks` runs each in its folder and writes its outputs anew. It needs the extra
`notebook`. The site shows what is stored: Sphinx reads a notebook as the Markdown that
`markdown_of` makes of it.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples" / "notebooks"
HASH = re.compile(r"\b[0-9a-f]{16}\b")  # of a ruleset: any change of its files is another one
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
Notebook = dict[str, Any]


def names() -> list[str]:
    """The files of all notebooks."""
    return sorted(path.name for path in FOLDER.glob("*.ipynb"))


def stored(name: str) -> Notebook:
    """A notebook as it is stored."""
    notebook: Notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return notebook


def run(name: str) -> Notebook:
    """A notebook with the outputs that it has now, without what differs from run to run.

    The commands in it are those of this interpreter and of this folder's project.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(FOLDER / name, as_version=4)
    notebook["metadata"] = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    found = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    own = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": found, "COLUMNS": "88"}
    resources = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=120, coalesce_streams=True, resources=resources).execute(
        env=own
    )
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        for output in cell.get("outputs", []):
            output.pop("transient", None)
    plain: Notebook = json.loads(nbformat.writes(notebook))
    return plain


def comparable(notebook: Notebook) -> str:
    """A notebook as text, with one sign for every hash of a ruleset."""
    return HASH.sub("...", json.dumps(notebook, sort_keys=True))


def markdown_of(text: str) -> str:
    """A notebook as Markdown for MyST: its prose, its code, and the outputs that are stored."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        language = "text" if source.startswith("%") else "python"
        parts.append(f"````{language}\n{source}\n````")
        parts += map(_output, cell["outputs"])
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    """An output of a cell: its page as HTML, if it has one, or its text."""
    data = output.get("data", {})
    if "text/html" in data:
        return f"````{{raw}} html\n{''.join(data['text/html'])}\n````"
    text = "".join(data.get("text/plain", output.get("text", "")))
    return f"````text\n{text.rstrip()}\n````"


def main() -> None:
    for name in sys.argv[1:] or names():
        text = json.dumps(run(name), indent=1, ensure_ascii=False)
        (FOLDER / name).write_text(f"{text}\n", encoding="utf-8")
        print(f"wrote {name}")


if __name__ == "__main__":
    main()
