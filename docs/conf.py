"""How the site is built: `sphinx-build -W -c docs . build/site`, from the folder of the project.

Sphinx with MyST reads the Markdown that is read in the repository, and checks every link. Nothing
is fetched: the theme brings its own fonts and scripts. The sources begin at the project's folder,
so that links from the pages to the examples work on the site, too.
"""

from importlib.metadata import version as version_of

project = "pymorph"
version = release = version_of("pymorph")
root_doc = "docs/index"
extensions = ["myst_parser"]
include_patterns = [
    "*.md",
    "benchmarks/*.md",
    "docs/**.md",
    "examples/**.md",
    "tests/cases/*/INDEX.md",
]
exclude_patterns = [".*", "build", "dist", "**/node_modules"]
myst_heading_anchors = 3
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
