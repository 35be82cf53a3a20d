"""Creatives that keep a processor busy: long tasks that fill their thread end the ad, short tasks do not.

Every task runs for a fixed time and not for a fixed amount of work, so that the tests are the same on any machine."""

import contextlib
import os
import subprocess
import sys

import pytest
from ads_app import ad_response, creative_frame, task_milliseconds, until_removed_for
from playwright.sync_api import expect

# Tasks of more than 50 ms that take nine tenths of the time. None is so long that the frame's heartbeat would be missed.
BUSY = {
    "pieces-of-900": "setInterval(() => work(900), 1000)",
    "pieces-of-90": "setInterval(() => work(90), 100)",
    # Longer tasks, because one frame is drawn between two of them, which may take long on a busy machine.
    "pictures": "const draw = () => { work(600); requestAnimationFrame(draw) }; draw()",
}
# Tasks of less than 50 ms that take at least two thirds of the time.
SHORT = {
    "pieces-of-6": "setInterval(() => { work(6); rounds += 1 }, 9)",
    "pictures": "const draw = () => { work(11); rounds += 1; requestAnimationFrame(draw) }; draw()",
    "messages": "const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { work(.5); rounds += 1; port2.postMessage(0) }; port2.postMessage(0)",
}
# `time` is taken first, so that the tasks keep their clock when an evasion replaces `performance`.
WORK = """window.rounds = 0; const time = performance.now.bind(performance);
const work = length => { const end = time() + length; while (time() < end); };"""


def busy(script):
    return f"<p id=mark>Creative</p><script>{WORK} setTimeout(() => {{ {script} }}, 300)</script>"


@contextlib.contextmanager
def loaded_machine():
    """Runs one program that never waits for each processor."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


@pytest.mark.parametrize("way", BUSY)
def test_a_creative_that_keeps_a_processor_busy_is_removed_with_the_reason(ad, way):
    page = ad()
    page.app.show(ad_response(busy(BUSY[way]), width=320, height=250, close=60_000))
    until_removed_for(page, "processor")
    assert task_milliseconds(page) < 10_000
    page.show(ad_response("<p id=next>Next</p>"))
    expect(page.frame.locator("#next")).to_be_visible()


def test_a_nested_frame_that_keeps_a_processor_busy_ends_the_ad(ad):
    page = ad()
    inner = busy(BUSY["pieces-of-90"]).replace("&", "&amp;").replace('"', "&quot;")
    page.app.show(ad_response(f'<p>Creative</p><iframe srcdoc="{inner}"></iframe>', width=320, height=250, close=60_000))
    until_removed_for(page, "processor")


EVASIONS = {
    "timers": "for (let i = 0; i < 1e5; i += 1) { clearTimeout(i); clearInterval(i + 2 ** 32) }",
    "entries": """for (const name of ['name', 'startTime', 'duration']) Object.defineProperty(PerformanceEntry.prototype, name, { get: () => 0 });
      PerformanceObserverEntryList.prototype.getEntries = () => [];
      PerformanceObserver.prototype.takeRecords = PerformanceObserver.prototype.disconnect = () => {};""",
    "globals": """Object.defineProperty(window, 'performance', { value: {} }); window.PerformanceObserver = class { observe() {} };
      Reflect.apply = Math.min = () => 0;""",
}


@pytest.mark.parametrize("way", EVASIONS)
def test_a_creative_cannot_stop_the_measurement_of_its_processor_time(ad, way):
    page = ad()
    page.app.show(ad_response(busy(EVASIONS[way] + BUSY["pieces-of-90"]), width=320, height=250, close=60_000))
    until_removed_for(page, "processor")


def expect_still_shown(page, milliseconds):
    """Fails unless the creative works and is shown after this time, in which a busy one would have been removed."""
    page.app.event("shown")
    creative_frame(page).wait_for_function(f"() => performance.now() > {milliseconds} && rounds > 50")
    page.app.catch_up()
    expect(page.frame.locator("#mark")).to_be_visible()


@pytest.mark.parametrize("way", SHORT)
def test_a_creative_with_short_tasks_is_not_removed(ad, way):
    page = ad()
    page.show(ad_response(busy(SHORT[way]), width=320, height=250))
    expect_still_shown(page, 12_000)


def test_on_a_loaded_machine_a_creative_that_works_two_thirds_of_the_time_is_not_removed(ad):
    page = ad()
    page.show(ad_response(busy(SHORT["pieces-of-6"]), width=320, height=250))
    with loaded_machine():
        expect_still_shown(page, 22_000)


def test_a_creative_with_long_tasks_for_half_of_the_time_is_not_removed(ad):
    page = ad()
    page.show(ad_response(busy("setInterval(() => { work(150); rounds += 1 }, 300)"), width=320, height=250))
    expect_still_shown(page, 12_000)
