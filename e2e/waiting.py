"""The time limits of all waits, and a wait for conditions that neither Playwright nor pytest can wait for."""

import time

# Long enough for a busy machine: a wait ends as soon as its condition holds, so the limit matters only when a test hangs.
SECONDS_TO_WAIT = 60
# Longer than the time for which a device searches for light.
SECONDS_TO_WAIT_FOR_LIGHT = 150


def until(holds, otherwise="it never held"):
    """Repeats a check until its value is true and returns that value; fails with `otherwise` after `SECONDS_TO_WAIT`."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while not (found := holds()):
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.01)
    return found
