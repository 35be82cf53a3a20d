"""The version that the command and the changelog state."""

import re
import subprocess
from pathlib import Path

from programs import program

ROOT = Path(__file__).resolve().parent.parent


def test_the_command_prints_the_version_of_the_repository():
    printed = subprocess.run([program("inlay"), "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert printed == (ROOT / "VERSION").read_text(encoding="utf-8")


def test_the_newest_release_of_the_changelog_is_the_version_of_the_repository():
    releases = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert releases[0] + "\n" == (ROOT / "VERSION").read_text(encoding="utf-8")
