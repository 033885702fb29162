"""Requests as lines on standard input, each with its response as a line on standard output."""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO, TextIO

from pymorph.doors.requests import BadRequest, Requests, RpcCode, failure
from pymorph.runtime import limits
from pymorph.yamlio import LIMITS

LONGEST = LIMITS.long_bytes  # of a line


def serve() -> None:
    """Answer each line until there are no more.

    Meanwhile nothing else reads these streams, and what would be printed is printed as an error.
    """
    streams = sys.stdin, sys.stdout
    if None in streams:
        return
    sys.stdin, sys.stdout = None, sys.stderr
    try:
        limits.in_thread(None, lambda: answer_lines(streams[0].buffer, streams[1]))
    finally:
        sys.stdin, sys.stdout = streams


def answer_lines(lines: BinaryIO, out: TextIO) -> None:
    """Write the response to each line; an empty line has none."""
    requests = Requests()
    while line := lines.readline(LONGEST):
        if len(line) == LONGEST:
            while line and not line.endswith(b"\n"):
                line = lines.readline(LONGEST)
            response = failure(BadRequest(RpcCode.NOT_JSON, f"a line has up to {LONGEST} bytes"))
        elif line.strip():
            response = response_to(line, requests)
        else:
            continue
        out.write(json.dumps(response) + "\n")
        out.flush()


def response_to(line: bytes, requests: Requests) -> dict[str, Any]:
    """The response to a line."""
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=refused)
    except UnicodeDecodeError as error:
        wrong = f"byte {error.start + 1} of the line is not UTF-8"
    except RecursionError:
        wrong = "the line is nested too deeply"
    except json.JSONDecodeError as error:
        wrong = f"column {error.colno} of the line is not JSON: {error.msg}"
    except ValueError as error:
        wrong = f"the line is not JSON: {error}"
    else:
        return requests.answer(message)
    return failure(BadRequest(RpcCode.NOT_JSON, wrong))


def refused(word: str) -> None:
    """Raises: ValueError, for a number that JSON does not have."""
    raise ValueError(f"{word} is no number")
