"""An app with one ad place: the real SDK and surface, with a server, a browser and files that the test makes up."""

import base64
import contextlib
import json
import select
import subprocess
import time

from playwright.sync_api import Error, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from programs import program
from waiting import SECONDS_TO_WAIT
from waiting import until as until_it_holds

FILE = "https://media.test/clip.webm"
VIEW = "https://ads.test/t/view"
CLICK = "https://ads.test/t/click"
VIDEO_EVENTS = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "mute", "unmute", "pause",
                "resume", "close", "error", "reward"]


def answer(adm, type=1, width=320, height=50, close=0, **ext) -> dict:
    """A response as the Yabbi SDK expects it; extensions go into `ext`."""
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
        # Lets the browser's tasks run during the wait, such as requests that a test answers.
        self.pump = lambda: None
        first = self.wait(lambda report: "surface" in report)
        self.surface, self.app = first["surface"], first["app"]

    def read(self, limit: float) -> bool:
        """Takes in one more line; false when none comes."""
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
        """The first report, old or new, that is wanted."""
        seen, deadline = 0, time.monotonic() + SECONDS_TO_WAIT
        while True:
            for report in self.reports[seen:]:
                seen += 1
                if wanted(report):
                    return report
            assert self.read(deadline - time.monotonic()), f"never came; there were {self.reports}"

    def do(self, name, **parts) -> dict:
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
        """Everything that was reported before now is here afterwards."""
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
        assert self.process.wait(timeout=SECONDS_TO_WAIT) == 0
        self.process.stdout.close()


# A video of three seconds takes twelve: a busy machine may need more than three for what a test does meanwhile.
SLOW = "addEventListener('loadedmetadata', event => { event.target.playbackRate = 0.25; }, true);"

# After two frames, everything that was due has run.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def settle(page, ads_app):
    """Returns when everything that the page and its creative did before has reached the app.

    The page reports another colour scheme to the app, and the app draws it: messages keep their order, so all
    earlier ones were handled before. A frame that is not drawn at all has nothing to wait for.
    """
    for frame in page.frames[1:]:
        with contextlib.suppress(Error, PlaywrightTimeout):
            frame.wait_for_function("() => document.readyState !== 'loading'", timeout=1000)
    page.evaluate(DRAWN)
    for frame in page.frames:
        if frame.url.startswith(ads_app.surface):
            now = frame.locator("[data-scheme]").get_attribute("data-scheme")
            other = "dark" if now == "light" else "light"
            for scheme in (other, now):
                page.emulate_media(color_scheme=scheme)
                expect(frame.locator("[data-scheme]")).to_have_attribute("data-scheme", scheme)
    ads_app.catch_up()


def until(page, condition):
    """Waits for something outside of the browser, and lets the browser's tasks run meanwhile."""

    def holds():
        page.evaluate("() => undefined")
        return condition()

    until_it_holds(holds)


class AdPage:
    """The page of the app's surface."""

    def __init__(self, page, ads_app):
        self.page, self.app = page, ads_app
        self.box = page.locator("[data-ad]")
        self.close = page.locator("[data-ad-close]")
        self.frame = page.frame_locator("iframe[data-ad-frame]")
        self.video = page.locator("video.ad-player")
        ads_app.pump = lambda: page.evaluate("() => 0")

    def show(self, body) -> "AdPage":
        self.app.show(body)
        expect(self.box).to_be_visible()
        return self

    def settle(self) -> None:
        settle(self.page, self.app)

    def ask_whether_there(self) -> None:
        """Makes the page ask the creative whether it is still there, as it does whenever the frame loaded something."""
        self.page.locator("iframe[data-ad-frame]").dispatch_event("load")
        self.settle()

    def expect_size(self, width, height) -> None:
        """Waits until the creative has this size; a page takes in a new size of its window a moment later."""
        creative = self.page.locator("iframe[data-ad-frame], video.ad-player")
        expect(creative).to_have_js_property("offsetWidth", width)
        expect(creative).to_have_js_property("offsetHeight", height)

    def go_on(self) -> None:
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
    """A short video that the browser draws: its file does not say how long it is."""
    page = browser.new_page()
    data = base64.b64decode(page.evaluate(RECORD, seconds))
    page.close()
    assert len(data) > 1000
    return data


def heavy(page, burden):
    """Waits until the ad is taken away because of what it uses too much of."""
    page.app.wait(lambda report: f"takes too much: {burden}" in report.get("event", ""))
    expect(page.box).to_have_count(0)


def inside(page):
    """The frame of the creative itself."""
    return page.page.locator("iframe[data-ad-frame]").element_handle().content_frame()


def alive(page):
    """The milliseconds that one task of the app's page takes."""
    return page.page.evaluate(
        "() => new Promise(done => { const began = performance.now(); setTimeout(() => done(performance.now() - began), 0); })"
    )
