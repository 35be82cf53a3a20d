"""The outcomes of a run of all tests, from the XML reports of the test runners."""

import html
import re
from dataclasses import dataclass, replace
from pathlib import Path

# Swift's report does not escape quotes in names, so it is not always XML: read it by its lines. A skipped test has no time.
CASE = re.compile(
    r'<testcase classname="(?P<suite>.*?)" name="(?P<name>.*?)"(?: time="(?P<time>[^"]*)")?\s*(?P<end>/?>)(?P<rest>.*)')
FAULT = re.compile(r'<(?:failure|error|skipped)\b(?:.*?message="(?P<message>.*?)"(?:\s*/?>|\s+type=))?')
# The tests and programs that failed at first and passed when they ran again: a title and the path of the first output.
UNSTABLE_FILE = "unstable.tsv"
MAXIMUM_REASON = 300


@dataclass(frozen=True)
class Outcome:
    """The outcome of a test case. A skipped one did not pass."""

    suite: str
    name: str
    seconds: float
    passed: bool
    reason: str = ""

    @property
    def title(self) -> str:
        return f"{self.suite}/{self.name}"


def bare(name: str) -> str:
    """The name as a reader writes it: without back-ticks, parameter labels or pytest's parameters."""
    name = re.sub(r"\[.*\]$", "", name)
    if match := re.fullmatch(r"`(.*)`\(.*\)", name):
        return match[1]
    return re.sub(r"\(.*\)$", "", name)


def outcomes(reports: Path) -> list[Outcome]:
    """Each test case of each report; a test that `Scripts/retry` forgave has passed."""
    forgiven = unstable(reports)
    found = [outcome for report in sorted(reports.glob("*.xml")) for outcome in read(report)]
    return [replace(outcome, passed=outcome.passed or outcome.title in forgiven) for outcome in found]


def read(report: Path) -> list[Outcome]:
    """The test cases of one report; none if it does not exist."""
    if not report.exists():
        return []
    # A report may have all cases on one line.
    lines = re.sub(r"(?<!\n)<testcase", "\n<testcase", report.read_text(encoding="utf-8")).splitlines()
    found: list[Outcome] = []
    is_open = False
    for line in lines:
        case = CASE.search(line)
        if case:
            is_open = case["end"] == ">"
            suite, name = html.unescape(case["suite"]), html.unescape(case["name"])
            found.append(Outcome(suite, name, float(case["time"] or 0), passed=True))
        fault = FAULT.search(case["rest"] if case else line)
        if fault and is_open and found[-1].passed:
            found[-1] = replace(found[-1], passed=False, reason=first_line(fault["message"] or ""))
    return found


def is_complete(report: Path) -> bool:
    """Whether a program wrote its report to the end. Swift begins the file when it starts."""
    return bool(read(report)) and "</testsuites>" in report.read_text(encoding="utf-8")


def first_line(text: str) -> str:
    """The first line of a report's message, short enough for a list."""
    lines = html.unescape(text).strip().splitlines()
    return lines[0][:MAXIMUM_REASON] if lines else ""


def unstable(reports: Path) -> dict[str, str]:
    """The path of the first output of what `Scripts/retry` forgave, by its title."""
    file = reports / UNSTABLE_FILE
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(line.split("\t") for line in lines)
