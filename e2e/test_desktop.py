"""Harbor as a Linux desktop app, drawn by WebKit: the pixels of its window, read from the display's memory."""

import os
import select
import struct
import subprocess
from collections import Counter
from contextlib import ExitStack

import pytest
from conftest import start, stop
from programs import program
from waiting import SECONDS_TO_WAIT, until

# The colors of the water in Harbor's pictures and of the page behind its cards.
WATER, PAGE = (61, 140, 149), (246, 243, 236)


class Screen:
    """A virtual display (Xvfb), whose pixels are in a file in the format of xwd."""

    def __init__(self, folder):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "800x900x24", "-fbdir", str(folder), "-nolisten", "tcp"],
            pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            ready, _, _ = select.select([pipe], [], [], SECONDS_TO_WAIT)
            number = pipe.readline().strip() if ready else ""
        if not number:
            self.close()
            raise RuntimeError("Xvfb did not start")
        self.name = f":{number}"
        self.file = folder / "Xvfb_screen0"

    def pixels_by_color(self):
        """Counts the pixels of each color."""
        data = self.file.read_bytes()
        header = struct.unpack(">25I", data[:100])
        size, width, height, line, color_count = header[0], header[4], header[5], header[12], header[19]
        pixels = data[size + color_count * 12:]
        found = Counter()
        for row in range(height):
            found.update(memoryview(pixels)[row * line:row * line + width * 4].cast("I"))
        return Counter({((value >> 16) & 255, (value >> 8) & 255, value & 255): n for value, n in found.items()})

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=SECONDS_TO_WAIT)
        finally:
            self.process.kill()


@pytest.fixture
def screen(tmp_path):
    screen = Screen(tmp_path)
    yield screen
    screen.close()


def processes(text):
    """The ids of the processes whose environment contains a text."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if text.encode() in file.read():
                    found.append(name)
        except OSError:
            pass  # The process has ended, or belongs to another user.
    return found


def test_harbor_is_drawn_in_a_window_of_the_desktop_and_ends_with_the_demo(screen):
    with ExitStack() as running:
        # WebKit's sandbox does not work for root.
        through = ["env", f"DISPLAY={screen.name}", *(["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1"] * (os.getuid() == 0))]
        demo, found = start(
            ["demo", "--port", "0", "--app-port", "0", "--window", str(program("harbor-gtk"))],
            {"server": r"Workbench\s+(http\S+)/workbench"}, through)
        running.callback(stop, demo)
        until(lambda: screen.pixels_by_color()[WATER] > 1_000 and screen.pixels_by_color()[PAGE] > 10_000)
        window = f"HARBOR_SERVER={found['server']}"
        assert processes(window)
    until(lambda: not processes(window))
