"""How the site is built: `sphinx-build -W -c docs . build/site`, from the folder of the project.

Sphinx with MyST reads the Markdown that is read in the repository, and checks every link. Nothing
is fetched: the theme brings its own fonts and scripts. The sources begin at the project's folder,
so that links from the pages to the examples work on the site, too. Building the site also writes
the pages in `docs/rulebook/`: each shows a chapter of a game, its rules beside its encoding.
"""

import sys
from pathlib import Path

from docutils.nodes import document
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from asp import AspLexer  # noqa: E402

from pymorph import __version__  # noqa: E402
from tools import chapters, notebooks  # noqa: E402

project = "pymorph"
version = release = __version__
root_doc = "docs/index"
extensions = ["myst_parser"]
include_patterns = [
    "*.md",
    "benchmarks/*.md",
    "docs/**.md",
    "docs/rulebook/**.rst",
    "examples/**.md",
    "examples/notebooks/*.ipynb",
    "tests/cases/*/INDEX.md",
]
exclude_patterns = [".*", "build", "dist", "**/node_modules"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # rules and positions in part are no whole files

smartquotes = False  # --option stays --option

html_theme = "furo"
html_title = "pymorph"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["top"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown that its page has."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: document) -> None:
        super().parse(notebooks.markdown_of(inputstring), document)


def setup(app: Sphinx) -> None:
    """The colours of rules, the notebooks, and the pages that are made of the games."""
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    app.add_lexer("asp", AspLexer)
    app.add_lexer("prolog", AspLexer)
    app.connect("builder-inited", lambda _: chapters.write(Path(__file__).parent / "rulebook"))
