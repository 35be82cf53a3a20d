"""An app with one ad unit: the real SDK and surface; the test supplies the server's responses, the browser and the files."""

import base64
import contextlib
import json
import select
import subprocess
import time

from playwright.sync_api import Error, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from programs import expect_end, program
from waiting import SECONDS_TO_WAIT
from waiting import until as until_it_holds

FILE = "https://media.test/clip.webm"
VIEW = "https://ads.test/t/view"
CLICK = "https://ads.test/t/click"
VIDEO_EVENTS = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "mute", "unmute", "pause",
                "resume", "close", "error", "reward"]


def ad_response(adm, type=1, width=320, height=50, close=0, **ext) -> dict:
    """An ad response as the Yabbi SDK expects it; further arguments go into its `ext` object."""
    body = {
        "type": type, "adm": adm, "closeTimeout": close, "width": width, "height": height,
        "tracker": {"view": VIEW, "click": CLICK},
    }
    return body | ({"ext": ext} if ext else {})


def vast(file, seconds=3, mime="video/webm", skip=None, link=None, extra="", tail="") -> str:
    """A VAST document with one linear ad."""
    clicks = f"<VideoClicks><ClickThrough><![CDATA[{link}]]></ClickThrough></VideoClicks>" if link else ""
    offset = f' skipoffset="00:00:{skip:02d}"' if skip is not None else ""
    return f"""<VAST version="4.2"><Ad id="1"><InLine><AdSystem>Stage</AdSystem><AdTitle>Ferries</AdTitle>
<Impression><![CDATA[https://ads.test/vast/impression]]></Impression>
<Error><![CDATA[https://ads.test/vast/error?code=[ERRORCODE]]]></Error>
<Creatives><Creative><Linear{offset}><Duration>00:00:{seconds:02d}</Duration>
<TrackingEvents>{"".join(f'<Tracking event="{name}"><![CDATA[https://ads.test/vast/{name}]]></Tracking>' for name in VIDEO_EVENTS)}</TrackingEvents>
<MediaFiles><MediaFile delivery="progressive" type="{mime}" width="320" height="180"><![CDATA[{file}]]></MediaFile></MediaFiles>
{clicks}{extra}</Linear></Creative>{tail}</Creatives></InLine></Ad></VAST>"""


class AdsApp:
    """The running app, which takes commands and reports events."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [str(program("ads-test-app")), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.reports: list[dict] = []
        # Lets the browser's tasks run during a wait, such as handlers of requests that the test answers.
        self.pump = lambda: None
        first = self.wait(lambda report: "surface" in report)
        self.surface, self.app = first["surface"], first["app"]

    def read(self, limit: float) -> bool:
        """Reads one report; returns whether one came within `limit` seconds."""
        deadline = time.monotonic() + limit
        ready = []
        while not ready and time.monotonic() < deadline:
            ready, _, _ = select.select([self.process.stdout], [], [], 0.05)
            if not ready:
                self.pump()
        line = self.process.stdout.readline() if ready else b""
        if line:
            self.reports.append(json.loads(line))
        return bool(line)

    def wait(self, wanted) -> dict:
        """Returns the first report, old or new, for which `wanted` is true."""
        seen, deadline = 0, time.monotonic() + SECONDS_TO_WAIT
        while True:
            for report in self.reports[seen:]:
                seen += 1
                if wanted(report):
                    return report
            assert self.read(deadline - time.monotonic()), f"never came; there were {self.reports}"

    def do(self, name, **parts) -> dict:
        """Sends a command and returns the app's report of its end."""
        before = sum("done" in report for report in self.reports)
        self.process.stdin.write(json.dumps({"do": name, **parts}).encode() + b"\n")
        while sum("done" in report for report in self.reports) == before:
            assert self.read(SECONDS_TO_WAIT), f"{name} was never done; there were {self.reports}"
        return [report for report in self.reports if "done" in report][-1]

    def load(self, body=None, status=200) -> dict:
        if body is not None:
            self.do("answer", body=body, status=status)
        return self.do("load")

    def show(self, body=None) -> None:
        if body is not None:
            assert "error" not in self.load(body)
        assert "error" not in self.do("show")

    def catch_up(self) -> None:
        """Reads all reports that the app has made so far."""
        self.do("sync")

    def called(self, address=None) -> list[str]:
        self.catch_up()
        calls = [report["called"] for report in self.reports if "called" in report]
        return [call for call in calls if address is None or call == address]

    def until_called(self, address) -> None:
        self.wait(lambda report: report.get("called") == address)

    def event(self, name) -> dict:
        return self.wait(lambda report: report.get("event", "").startswith(name))

    def events(self) -> list[str]:
        self.catch_up()
        return [report["event"] for report in self.reports if "event" in report]

    def opened(self) -> list[str]:
        self.catch_up()
        return [report["opened"] for report in self.reports if "opened" in report]

    def stop(self) -> None:
        self.process.stdin.close()
        expect_end(self.process)
        self.process.stdout.close()


# Plays a video of three seconds in twelve: on a busy machine, the steps of a test may take longer than three.
SLOW = "addEventListener('loadedmetadata', event => { event.target.playbackRate = 0.25; }, true);"

# After two frames, all tasks that were due have run.
AFTER_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def settle(page, ads_app):
    """Returns when the app has handled all earlier messages of the page and of its creative.

    The page reports another color scheme to the app, and the app renders it. Messages keep their order, so all
    earlier ones were handled by then. A frame that is not drawn is left out after a second.
    """
    for frame in page.frames[1:]:
        with contextlib.suppress(Error, PlaywrightTimeout):
            frame.wait_for_function("() => document.readyState !== 'loading'", timeout=1000)
    page.evaluate(AFTER_TWO_FRAMES)
    for frame in page.frames:
        if frame.url.startswith(ads_app.surface):
            now = frame.locator("[data-scheme]").get_attribute("data-scheme")
            other = "dark" if now == "light" else "light"
            for scheme in (other, now):
                page.emulate_media(color_scheme=scheme)
                expect(frame.locator("[data-scheme]")).to_have_attribute("data-scheme", scheme)
    ads_app.catch_up()


def until(page, condition):
    """Waits for a condition outside of the browser, and lets the browser's tasks run meanwhile."""

    def holds():
        page.evaluate("() => undefined")
        return condition()

    until_it_holds(holds)


class AdPage:
    """The page of the app's surface."""

    def __init__(self, page, ads_app):
        self.page, self.app = page, ads_app
        self.ad = page.locator("[data-ad]")
        self.close = page.locator("[data-ad-close]")
        self.frame = page.frame_locator("iframe[data-ad-frame]")
        self.video = page.locator("video.ad-player")
        ads_app.pump = lambda: page.evaluate("() => 0")

    def show(self, body) -> "AdPage":
        self.app.show(body)
        expect(self.ad).to_be_visible()
        return self

    def settle(self) -> None:
        settle(self.page, self.app)

    def check_creative_presence(self) -> None:
        """Makes the page check that its creative is still in the frame, as it does after each load of the frame."""
        self.page.locator("iframe[data-ad-frame]").dispatch_event("load")
        self.settle()

    def expect_size(self, width, height) -> None:
        """Waits until the creative has this size: a page applies a new size of its window with a delay."""
        creative = self.page.locator("iframe[data-ad-frame], video.ad-player")
        expect(creative).to_have_js_property("offsetWidth", width)
        expect(creative).to_have_js_property("offsetHeight", height)

    def play_at_normal_speed(self) -> None:
        """Plays a slow video at its normal speed from now on."""
        self.video.evaluate("v => { v.playbackRate = 1; }")


RECORD = """async seconds => {
  const canvas = document.createElement('canvas');
  canvas.width = 320; canvas.height = 180;
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
  const parts = [];
  recorder.ondataavailable = event => parts.push(event.data);
  const stopped = new Promise(done => { recorder.onstop = done; });
  recorder.start();
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    const share = (performance.now() - began) / seconds / 1000;
    context.fillStyle = `hsl(${180 + share * 60} 45% 30%)`;
    context.fillRect(0, 0, 320, 180);
    context.fillStyle = '#fff';
    context.font = '600 28px sans-serif';
    context.fillText('Island ferries', 24, 90);
    context.fillRect(24, 110, 272 * share, 6);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}"""


def record(browser, seconds) -> bytes:
    """Returns a WebM file that the browser records from a canvas; it does not contain its duration."""
    page = browser.new_page()
    data = base64.b64decode(page.evaluate(RECORD, seconds))
    page.close()
    assert len(data) > 1000
    return data


def until_removed_for(page, burden):
    """Waits until the ad is removed because it uses too much of a resource; `burden` is its name in the event."""
    page.app.wait(lambda report: f"takes too much: {burden}" in report.get("event", ""))
    expect(page.ad).to_have_count(0)


def creative_frame(page):
    """The frame of the creative's document."""
    return page.page.locator("iframe[data-ad-frame]").element_handle().content_frame()


def task_milliseconds(page):
    """Measures the milliseconds until the app's page runs a new task."""
    return page.page.evaluate(
        "() => new Promise(done => { const began = performance.now(); setTimeout(() => done(performance.now() - began), 0); })"
    )
