"""Writes a small commented ruleset to start from."""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from pathlib import Path

from pymorph.errors import Fault, InputError, clipped, reason
from pymorph.runtime.installation import ROOT

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
TEMPLATE = ROOT / "ruleset" / "template"


def write(path: str) -> list[str]:
    """Write the starter into the new folder *path*, whole or not at all, and say what to try.

    Raises: InputError, if the name will not do, or the folder is there already.
    """
    target = Path(path)
    name = target.name
    if not NAME.fullmatch(name) or name == "not":
        raise InputError(
            Fault(f"{clipped(name)} is no name: small letters, digits and _, a letter first")
        )
    if target.exists():
        raise InputError(Fault(f"{clipped(str(target), 80)} is there already; nothing was written"))
    try:
        draft = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=target.parent))
        try:
            for source in sorted(TEMPLATE.rglob("*")):
                if source.suffix in (".lp", ".yaml"):
                    copy = draft / source.relative_to(TEMPLATE)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    text = source.read_text(encoding="utf-8")
                    copy.write_text(
                        text.replace("ruleset(starter,", f"ruleset({name},"), encoding="utf-8"
                    )
            draft.chmod(0o755)
            draft.rename(target)
        except OSError:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except (OSError, ValueError) as error:
        raise InputError(
            Fault(f"cannot write {clipped(str(target), 80)}: {reason(error)}")
        ) from None
    first = shlex.quote(f"{target}/positions/start.yaml")
    return [
        f"wrote {target}: rules/game.lp, rules/disputes/same_again.yaml, encodings/play.lp, "
        "positions/start.yaml, records/first.yaml, cases/last.yaml",
        f"try: pymorph legal {first}",
    ]
