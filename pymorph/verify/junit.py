"""What verification came to, in the XML that build servers read."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as Xml

from pymorph.errors import printable
from pymorph.verify.report import NOT_TRIED, UNKNOWN, VIOLATED, Finding, PropertyResult
from pymorph.verify.runner import Report

OUTCOMES = {VIOLATED: "failure", UNKNOWN: "error", NOT_TRIED: "skipped"}


def junit(reports: Iterable[Report]) -> str:
    """A suite for each ruleset, a case for each property: a failure if it is violated, an error if
    it is unknown."""
    root = Xml.Element("testsuites", name="pymorph verify")
    for report in reports:
        name, statuses = report.ruleset.name, [result.status for result in report.checked]
        suite = Xml.SubElement(root, "testsuite", name=name, tests=str(len(statuses)))
        for counted, status in zip(("failures", "errors", "skipped"), OUTCOMES, strict=True):
            suite.set(counted, str(statuses.count(status)))
        suite.set("time", f"{report.seconds:.3f}")
        for about, checked in zip(report.properties, report.checked, strict=True):
            group, time = f"{name}.{about.family}".rstrip("."), f"{checked.seconds:.3f}"
            case = Xml.SubElement(suite, "testcase", classname=group, name=checked.id, time=time)
            _outcome(case, checked)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _outcome(case: Xml.Element, checked: PropertyResult) -> None:
    word = OUTCOMES.get(checked.status)
    if word is None:
        return
    outcome = Xml.SubElement(case, word, message=printable(checked.meaning), type=checked.status)
    outcome.text = "\n".join(line for f in checked.findings if not f.accepted for line in _lines(f))


def _lines(finding: Finding) -> Iterable[str]:
    cited = f" [{', '.join(finding.rules)}]" if finding.rules else ""
    where = f"{finding.place}: " if finding.place else ""
    yield printable(f"{where}{finding.subject}: {finding.says}{cited}", 2000)
    if finding.witness is not None:
        yield printable(f"  {finding.witness.position.line()}", 100_000)
        if finding.witness.action:
            yield printable(f"  {finding.witness.action}")
