"""Creatives that keep a processor busy. These tests measure shares of a processor, so they run alone: beside another
browser the system takes too much of the time away."""

import pytest
from ads_stage import alive, answer, heavy, inside
from playwright.sync_api import expect

# Nine tenths of a processor in pieces of every length. None of them stops the heartbeat for long.
BUSY = {
    "pieces-of-900": "setInterval(() => work(900), 1000)",
    "pieces-of-90": "setInterval(() => work(90), 100)",
    "pieces-of-45": "setInterval(() => work(45), 50)",
    "pieces-of-9": "setInterval(() => work(9), 10)",
    "messages": "const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { work(.5); port2.postMessage(0) }; port2.postMessage(0)",
    # In between is one frame of sixty a second at most.
    "pictures": "const draw = () => { work(150); requestAnimationFrame(draw) }; draw()",
}
WORK = "const work = time => { const end = performance.now() + time; while (performance.now() < end); };"


def busy(script):
    return f"<p id=mark>Creative</p><script>{WORK} setTimeout(() => {{ {script} }}, 300)</script>"


@pytest.mark.parametrize("way", BUSY)
def test_a_creative_that_keeps_a_processor_busy_is_taken_away_with_its_reason(ad, way):
    page = ad()
    page.stage.show(answer(busy(BUSY[way]), width=320, height=250, close=60_000))
    heavy(page, "processor")
    assert alive(page) < 10_000
    page.show(answer("<p id=next>Next</p>"))
    expect(page.frame.locator("#next")).to_be_visible()


def test_a_frame_within_that_keeps_a_processor_busy_ends_the_ad(ad):
    page = ad()
    inner = busy(BUSY["pieces-of-90"]).replace("&", "&amp;").replace('"', "&quot;")
    page.stage.show(answer(f'<p>Creative</p><iframe srcdoc="{inner}"></iframe>', width=320, height=250, close=60_000))
    heavy(page, "processor")


@pytest.mark.parametrize("way", ["timers", "intervals"])
def test_a_creative_cannot_end_the_measuring_of_its_processor(ad, way):
    ends = {"timers": "clearTimeout(i)", "intervals": "clearInterval(i + 2 ** 32)"}[way]
    page = ad()
    script = f"for (let i = 0; i < 1e5; i += 1) {ends}; {BUSY['pieces-of-9']}"
    page.stage.show(answer(busy(script), width=320, height=250, close=60_000))
    heavy(page, "processor")


# Safari's clock has steps of a millisecond.
COARSE_CLOCK = "const now = performance.now.bind(performance); performance.now = () => Math.floor(now());"


def test_a_busy_creative_is_found_with_a_coarse_clock_as_well(ad, context):
    context.add_init_script(COARSE_CLOCK)
    page = ad()
    page.stage.show(answer(busy(BUSY["pictures"]), width=320, height=250, close=60_000))
    heavy(page, "processor")


@pytest.mark.parametrize("clock", ["fine", "coarse"])
def test_a_creative_that_works_a_third_of_the_time_is_an_ordinary_one(ad, context, clock):
    if clock == "coarse":
        context.add_init_script(COARSE_CLOCK)
    page = ad()
    page.show(answer(busy("window.rounds = 0; const draw = () => { work(5); rounds += 1; requestAnimationFrame(draw) }; draw()"), width=320, height=250))
    page.stage.event("shown")
    # Its own clock says when the time is over in which a busy one is taken away, and more.
    inside(page).wait_for_function("() => performance.now() > 9000 && rounds > 50")
    page.stage.catch_up()
    expect(page.frame.locator("#mark")).to_be_visible()
