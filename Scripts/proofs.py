"""The tables of Docs/Requirements and the tests that they name, as the sources declare them."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "Docs" / "Requirements"
COLUMNS = ["id", "section", "api", "requirement", "check", "where", "proof"]
PLACES = {"any", "ui", "apple", "doc"}
# Files beside the tables of rows.
OTHER_FILES = {"mutants.tsv", "exceptions.tsv"}
PACKAGES = {".": "Tests", "Linux": "Linux/Tests", "Server": "Server/Tests"}
# The program with all tests of a package, in the folder of what was built.
TEST_PROGRAMS = {
    ".": "inlayPackageTests.xctest", "Linux": "inlay-linuxPackageTests.xctest",
    "Server": "inlay-serverPackageTests.xctest"}


@dataclass(frozen=True)
class Declaration:
    """The declaration of a test: its package (`e2e` for browser tests), target, file and name as written."""

    package: str
    target: str
    path: Path
    name: str
    is_raw: bool = False

    @property
    def selection(self) -> str:
        """The pattern or the id that chooses this test alone when a program of tests is run."""
        if self.package == "e2e":
            return f"{self.path.relative_to(ROOT)}::{self.name}"
        shown = re.escape(f"`{self.name}`" if self.is_raw else self.name).replace(r"\ ", " ")
        return rf"^{self.target}\..*{shown}\("


def read(path: Path, columns: list[str]) -> list[list[str]]:
    """The lines of a table below its heading, or an error that names the line."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not lines or lines[0] != columns:
        raise SystemExit(f"{path}: the first line must be: {' '.join(columns)}")
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(columns):
            raise SystemExit(f"{path}:{number}: {len(columns)} columns wanted, {len(line)} found")
    return lines[1:]


def tables() -> dict[str, list[dict[str, str]]]:
    """The rows of each table, by the table's name."""
    found = {}
    for path in sorted(path for path in ROWS.glob("*.tsv") if path.name not in OTHER_FILES):
        found[path.stem] = [dict(zip(COLUMNS, line)) for line in read(path, COLUMNS)]
        for row in found[path.stem]:
            if row["where"] not in PLACES:
                raise SystemExit(f"{path}: {row['id']}: a place of {sorted(PLACES)} wanted")
    return found


def is_page(name: str, row: dict[str, str]) -> bool:
    """Whether a part of a row's proof is a page of the guides instead of a test."""
    return row["where"] == "doc" or name.partition("#")[0].endswith(".md")


def named(row: dict[str, str]) -> list[str]:
    """The parts of a row's proof; none for a row that is not proved or that says why it has no proof."""
    proof = row["proof"].strip()
    if not proof or proof.startswith("n/a: "):
        return []
    return [part.strip() for part in proof.split(" | ")]


def named_tests(row: dict[str, str]) -> list[str]:
    return [name for name in named(row) if not is_page(name, row)]


def declarations() -> dict[str, list[Declaration]]:
    """Each test of the project by its name."""
    found: dict[str, list[Declaration]] = {}
    for package, folder in PACKAGES.items():
        for path in sorted((ROOT / folder).rglob("*.swift")):
            target = path.relative_to(ROOT / folder).parts[0]
            text = path.read_text(encoding="utf-8")
            for match in re.finditer(r"@Test\b.*?\bfunc\s+(?:`([^`\n]+)`|(\w+))", text, re.S):
                name = match[1] or match[2]
                found.setdefault(name, []).append(Declaration(package, target, path, name, bool(match[1])))
    for path in sorted((ROOT / "e2e").glob("test_*.py")):
        for match in re.finditer(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.M):
            found.setdefault(match[1], []).append(Declaration("e2e", "e2e", path, match[1]))
    return found
