"""YAML as it is read here, and files that are written whole or not at all."""

import errno
import io
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymorph import yamlio
from pymorph.errors import InputError
from pymorph.yamlio import Items, Keys, Node, Scalar
from tests.tables import parametrized, parametrized_and

NOBODY = 65534


def faults(text: str | bytes) -> list[str]:
    """What is said of a text, line by line; nothing if it can be read."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        _, found = yamlio.parse(yamlio.decode(data, "f"), "f")
    except InputError as error:
        found = list(error.faults)
    return [str(fault) for fault in found]


def plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def read(text: str) -> Any:
    node, found = yamlio.parse(text, "f")
    assert not found
    return plain(node)


@parametrized_and(
    (b"a: 1\nb: caf\xe9\n", ["f:2:7: not UTF-8 text: byte 0xe9"]),
    ("a: 1".encode("utf-16"), ["f:1:1: not UTF-8 text: byte 0xff"]),
    (b"\x89PNG\r\n\x1a\n\0", ["f:1:1: not UTF-8 text: byte 0x89"]),
    ("[" * 200_000, ["f:1:14: nested deeper than 12 levels"]),
    ("{a: " * 5000, ["f:1:50: nested deeper than 12 levels"]),
    ("- " * 5000, ["f:1:27: nested deeper than 12 levels"]),
    ("[" + "a," * 90_000 + "]", ["f:1:120000: the file has more than 60000 values"]),
    ("a: " + "b" * 1_000_000, ["f: the file is larger than 1,000,000 bytes"]),
    (
        "b" * 990_000 + ": 1",
        ["f:1:990001: not YAML: mapping values are not allowed in this context"],
    ),
)
def test_faults(text: str | bytes, expected: list[str]) -> None:
    start = time.perf_counter()
    # Newer versions of libyaml find out at their own bound, further on in the line.
    assert [line.replace("f:1:1001: nested", "f:1:14: nested") for line in faults(text)] == expected
    assert time.perf_counter() - start < 5


def test_alias_bomb_is_never_built() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
    )
    found = faults(bomb)
    assert len(found) == 30 + 29 * 9
    assert all("aliases" in line or "anchors" in line for line in found)


def test_many_odd_characters() -> None:
    found = faults("a: \x01\n" * 50)
    assert found[19:] == [
        "f:20:4: the character '\\x01' is not allowed",
        "f: and characters that are not allowed in 30 more lines",
    ]


def test_what_is_wrong_before_a_syntax_fault_is_told_too() -> None:
    assert faults("a: 1\na: 2\nb: [\n") == [
        "f:2:1: 'a' is given twice, first in line 1",
        "f:4:1: not YAML: did not find expected node content",
    ]


@parametrized
def test_every_value_is_the_text_that_was_typed(text: str, value: Any) -> None:
    assert read(yamlio.decode(text.encode(), "f")) == value


@parametrized
def test_place_of_a_block(text: str, place: list[int] | None) -> None:
    node, _ = yamlio.parse(text, "f")
    while isinstance(node, Keys):
        node = node.entries[0][1]
    assert isinstance(node, Scalar)
    assert node.literal == (place and tuple(place))


KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,5}(\([a-z0-9, ]{1,5}\))?", fullmatch=True)
TEXTS = st.one_of(
    KEYS, st.text(st.sampled_from(list("ab |\\\"'#:-.,{}[]&*!%@`\n\u00e9")), max_size=12)
)
DATA: st.SearchStrategy[Any] = st.recursive(
    st.one_of(TEXTS, st.integers(-(10**9), 10**9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(KEYS, TEXTS), inner, max_size=4)
    ),
    max_leaves=12,
)  # fmt: skip


def texts(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: texts(value) for key, value in data.items()}
    return [texts(item) for item in data] if isinstance(data, list) else str(data)


@given(st.dictionaries(KEYS, DATA, min_size=1, max_size=5))
def test_flow_reads_back(data: dict[str, Any]) -> None:
    line = yamlio.flow(data)
    assert "\n" not in line
    assert read(line) == texts(data)


ROWS = st.lists(
    st.from_regex(r"[a-zT.#|-][a-zT. |#-]{0,8}", fullmatch=True), min_size=1, max_size=4
)


@given(
    st.dictionaries(
        KEYS, st.one_of(DATA, ROWS.map(lambda rows: "".join(f"{row}\n" for row in rows))),
        min_size=1, max_size=5,
    )
)  # fmt: skip
def test_block_reads_back(data: dict[str, Any]) -> None:
    assert read(yamlio.block(data)) == texts(data)


# Reading


@parametrized_and(("x" * 5000, "x" * 197 + "...: cannot be read: file name too long"))
def test_unreadable(
    path: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        yamlio.read(path)
    assert str(caught.value) == message


@contextmanager
def unprivileged() -> Iterator[None]:
    """As a user who may not read and write everything, where root runs the tests."""
    user = os.geteuid()
    os.seteuid(user or NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


def test_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("a: 1")
    path.chmod(0)
    with unprivileged(), pytest.raises(InputError, match="permission denied"):
        yamlio.read(str(path))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_devices() -> None:
    assert yamlio.read("/dev/null") == ("", "/dev/null")
    with pytest.raises(InputError, match="the file is larger than 1,000,000 bytes"):
        yamlio.read("/dev/zero")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a: 1\r\n")))
    assert yamlio.read("-") == ("a: 1\n", "<stdin>")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="<stdin>: cannot be read: it is closed"):
        yamlio.read("-")


def test_names() -> None:
    assert yamlio.name_of("-") == "<stdin>"
    assert yamlio.name_of(" {a: b}") == "<line>"
    assert yamlio.name_of("a.yaml") == "a.yaml"


# Writing


def test_written(tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    yamlio.write(path, "\u00e9\n")
    assert path.read_bytes() == "\u00e9\n".encode()
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    yamlio.write(str(path), "other\n")
    assert path.read_text() == "other\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["new.yaml"]


def test_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "true.yaml").write_text("old")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "far" / "true.yaml")
    yamlio.write(tmp_path / "link.yaml", "new")
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "far" / "true.yaml").read_text() == "new"


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["os.fsync", "os.replace", "os.chmod", "tempfile.mkstemp"])
@pytest.mark.parametrize("there", [True, False])
def test_full_disk_leaves_everything_as_it_was(
    step: str, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.yaml"
    if there:
        path.write_text("old")
    monkeypatch.setattr(step, full)
    with pytest.raises(InputError) as caught:
        yamlio.write(path, "new")
    assert str(caught.value) == f"{path}: cannot be written: no space left on device"
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"] * there


def test_interrupted_writing_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        yamlio.write(tmp_path / "game.yaml", "new")
    assert list(tmp_path.iterdir()) == []


@parametrized_and(("x" * 300, "file name too long"))
def test_unwritable(
    path: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match=f": cannot be written: {reason}"):
        yamlio.write(path, "new")
    assert sorted(tmp_path.rglob("*")) == before


def test_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with unprivileged(), pytest.raises(InputError, match="permission denied"):
        yamlio.write(tmp_path / "a.yaml", "new")
    tmp_path.chmod(0o700)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_devices_are_written_to_and_stay_devices() -> None:
    yamlio.write("/dev/null", "new")
    with pytest.raises(InputError, match="no space left on device"):
        yamlio.write("/dev/full", "new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    yamlio.write(tmp_path / "pipe", "new")
    reader.join(5)
    assert read == ["new"]


def test_the_home_of_somebody_else(tmp_path: Path) -> None:
    """A warning says that no house rulings are read there; the question is answered."""
    home = tmp_path / "home"
    home.mkdir(mode=0)
    lowered = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
    lowered = lowered if os.access(home, os.R_OK) else []  # root reads everything
    if lowered and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed")
    words = [*lowered, sys.executable, "-m", "pymorph", "legal", "{ruleset: tictactoe, turn: x}"]
    given = {"HOME": str(home), "PYMORPH_CONFIG": "", "XDG_CONFIG_HOME": ""}
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **given})
    assert done.returncode == 0, done.stderr
    assert "warning: cannot read house rulings from" in done.stderr
