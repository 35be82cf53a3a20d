"""Paths of the programs that the browser tests run."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = ROOT / ".build/debug"


def program(name: str) -> Path:
    """The path of a built program; raises `RuntimeError` with the build command if it is missing."""
    path = BUILT / name
    if not path.is_file():
        package = {"inlay": "Server", "probe-server": "Server", "harbor-gtk": "Examples/HarborGTK"}.get(name, "Linux")
        raise RuntimeError(f"{path} is missing. Build it: Scripts/build {package}")
    return path
