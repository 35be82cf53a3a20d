"""The programs that the browser tests run: their paths and their ends."""

import subprocess
from pathlib import Path

from waiting import SECONDS_TO_WAIT

ROOT = Path(__file__).parent.parent
BUILT = ROOT / ".build/debug"


def program(name: str) -> Path:
    """The path of a built program; raises `RuntimeError` with the build command if it is missing."""
    path = BUILT / name
    if not path.is_file():
        package = {"inlay": "Server", "probe-server": "Server", "harbor-gtk": "Examples/HarborGTK"}.get(name, "Linux")
        raise RuntimeError(f"{path} is missing. Build it: Scripts/build {package}")
    return path


def expect_end(process: subprocess.Popen) -> None:
    """Waits for the end of a process that was asked to stop, and kills it when the time is over. It must succeed."""
    try:
        assert process.wait(timeout=SECONDS_TO_WAIT) == 0
    finally:
        process.kill()
        process.wait(timeout=SECONDS_TO_WAIT)
