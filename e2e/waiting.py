"""The limits of all waits, and the wait for a state that no other tool waits for."""

import time

# A limit only ends what hangs. A busy machine may take long, and a wait ends as soon as it has what it waits for.
SECONDS_TO_WAIT = 60
# Longer than a device looks for light.
SECONDS_TO_WAIT_FOR_LIGHT = 150


def until(holds, otherwise="it never held"):
    """Repeats a check until it is true, and returns its last value."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while not (found := holds()):
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.01)
    return found
