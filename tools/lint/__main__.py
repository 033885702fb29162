"""``python -m tools.lint``: is the house true to itself? One line for each fault.

Checked are the layers of the package, the headers and the rule ids of the games, the links of the
pages, and the budget in `pyproject.toml`. No game is loaded, so it takes about a second.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tools import headers
from tools.lint import budget, pages, plan, rulebooks
from tools.lint.source import BESIDE, PACKAGE, read_module

ROOT = Path(__file__).resolve().parents[2]


def main(words: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Print the faults of the house. The exit code is 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tools.lint", description=__doc__)
    parser.add_argument(
        "--write-budget", action="store_true", help="lower the entries of the budget; raise none"
    )
    given = parser.parse_args(words)
    folders = (PACKAGE, *BESIDE)
    python = sorted(path for name in folders for path in (root / name).rglob("*.py"))
    with ProcessPoolExecutor() as pool:
        parsing = pool.map(partial(read_module, root), python, chunksize=16)
        reading = pool.map(headers.read, rulebooks.encoding_files(root), chunksize=16)
        found = [*pages.faults(root)]
        modules, encodings = [*parsing], [*reading]
    package = [module for module in modules if module.path.startswith(f"{PACKAGE}/")]
    found += [*plan.faults(package), *rulebooks.faults(root, encodings)]
    weighed = budget.figures(root, modules)
    if given.write_budget:
        budget.write(root, weighed)
    found += budget.faults(root, weighed)
    for fault in sorted(set(found)):
        print(fault)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
