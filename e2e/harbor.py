"""Clients without a browser: Harbor's backend with its secret key, and the Workbench's forms."""

import html
import http.cookiejar
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass

from waiting import SECONDS_TO_WAIT, until

ENVIRONMENT = "harbor"
MENU = ["snoozeOverflow", "snoozeSwipe", "dismissOverflow", "dismissSwipe", "voteUp", "voteDown"]


@dataclass
class Response:
    """A response of the server; `body` parses the text as JSON."""

    status: int
    headers: dict
    text: str

    @property
    def body(self):
        return json.loads(self.text)


def call(url, method="GET", body=None, headers=None, opener=None) -> Response:
    """Sends one request and returns the response, whatever its status is."""
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    try:
        with (opener.open if opener else urllib.request.urlopen)(request, timeout=SECONDS_TO_WAIT) as answer:
            return Response(answer.status, dict(answer.headers), answer.read().decode())
    except urllib.error.HTTPError as refusal:
        return Response(refusal.code, dict(refusal.headers), refusal.read().decode())


def unique(word="t") -> str:
    return f"{word}-{uuid.uuid4().hex[:10]}"


class Backend:
    """The backend of the app, which sends events with a secret key."""

    def __init__(self, server: str, secret: str):
        self.server = server
        self.headers = {
            "Authorization": f"Bearer {secret}",
            "Inlay-Environment": ENVIRONMENT,
            "Content-Type": "application/json",
        }

    def call(self, path: str, body: dict, method="POST") -> Response:
        return call(self.server + path, method, json.dumps(body).encode(), self.headers)

    def send(self, event: str, user="maya", **more) -> dict:
        answer = self.call("/v1/events", {"name": event, "target": {"users": [user]}, **more})
        assert answer.status == 200, answer.text
        return answer.body

    def cancel(self, lifecycle: str) -> None:
        assert self.call("/v1/cards/cancel", {"lifecycleId": lifecycle}).status == 200


class WorkbenchClient:
    """An operator's client that reads and sends the Workbench's forms."""

    def __init__(self, server: str, login: str, password: str):
        self.server = server
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        page = self.post("/workbench/sign-in", {"login": login, "password": password})
        if 'action="/workbench/new-password"' in page.text:
            # The Workbench requires a new password first, because another person chose this one.
            own = unique("chosen at the first sign-in")
            page = self.post("/workbench/new-password", {"new": own, "again": own})
        assert "sign-out" in page.text, "the Workbench did not let the operator in"

    @staticmethod
    def hidden(page: str, name: str) -> str | None:
        """The value of a form's hidden field."""
        found = re.search(rf'name="{name}" value="([^"]*)"', page)
        return found and html.unescape(found[1])

    def get(self, path: str) -> Response:
        return call(self.server + path, opener=self.opener)

    def post(self, path: str, fields, page: str | None = None) -> Response:
        """Sends a form to `path`, with the hidden fields of the page at `page`, or at `path` when it is not given."""
        form = self.get(page or path).text
        known = {name: self.hidden(form, name) for name in ("csrf", "revision")}
        pairs = [*((name, value) for name, value in known.items() if value), *dict(fields).items()]
        body = urllib.parse.urlencode(pairs, doseq=True).encode()
        return call(self.server + path, "POST", body, opener=self.opener)

    def path(self, *parts: str) -> str:
        return "/".join([f"/workbench/e/{ENVIRONMENT}", *parts])

    def state(self, path="/workbench") -> list[dict]:
        """The session's cookie as Playwright adds it to a browser context."""
        return [
            {"name": cookie.name, "value": cookie.value, "url": self.server + path}
            for cookie in self.cookies
            if cookie.name == "inlay_session"
        ]

    @staticmethod
    def shown_once(page: Response) -> str:
        """The new secret, which the page shows once."""
        return html.unescape(re.search(r'id="secret">([^<]+)<', page.text)[1])

    def secret_key(self) -> str:
        path = self.path("settings/keys")
        return self.shown_once(self.post(f"{path}/secret/new", {"secretName": unique()}, path))

    def server_time(self) -> int:
        """The server's clock, in microseconds."""
        return int(self.get("/health").headers["Inlay-Server-Time"])

    def wait_for(self, path: str, pattern: str) -> None:
        """Reloads a page until it matches the pattern: an app sends its reports with a delay."""
        until(lambda: re.search(pattern, self.get(path).text, re.S), f"{path} never had {pattern}")

    def api_key(self, public_key: str) -> str:
        """Adds an app's public key and returns the key's id."""
        name = unique("app")
        fields = {"name": name, "source": "paste", "publicKey": public_key, "days": "7", "userClaim": "sub"}
        page = self.post(self.path("settings/keys/new"), fields, self.path("settings/keys")).text
        return re.search(rf">{name}<.*?data-label=\"Id\" class=\"mono\">([^<]+)<", page, re.S)[1]

    def template(self, elements: list[dict], subviews=(), priority=5, name=None, **more) -> "Template":
        """Writes a template and publishes it."""
        name = name or unique("card")
        event = unique("event")
        new = self.path("cards/templates/new")
        page = self.post(new, {"name": name, "eventName": event, "starter": "blank"}).text
        identity = re.search(r"cards/templates/([^/\"]+)/preview", page)[1]
        fields = {"name": name, "eventName": event, "priority": str(priority), "containerIDs": "home"}
        fields |= {f"options.{option}": "on" for option in MENU} | element_fields("elements", elements)
        for index, subview in enumerate(subviews):
            path = f"subviews[{index}]"
            fields |= {f"{path}.id": subview["id"], f"{path}.title": subview["title"]}
            fields |= element_fields(f"{path}.elements", subview["elements"])
        answer = self.post(self.path("cards/templates", identity), fields | more | {"op": "publish"})
        assert answer.status == 200, faults(answer.text)
        return Template(identity, name, event)

    def refused(self, elements: list[dict]) -> str:
        """Returns the errors with which the Workbench refuses a template of these elements; empty if it publishes one."""
        try:
            self.template(elements)
        except AssertionError as refusal:
            return str(refusal)
        return ""


class EventSender:
    """A program that sends events to Engage's REST endpoint, with an OAuth client made for it."""

    def __init__(self, admin: WorkbenchClient):
        self.server = admin.server
        answer = self.grant(self.server, *self.client(admin))
        self.headers = {
            "Authorization": f"Bearer {answer.body['access_token']}",
            "Content-Type": "application/json",
        }

    @staticmethod
    def client(admin: WorkbenchClient) -> tuple[str, str, str]:
        """Makes an OAuth client; returns its id, its secret and its refresh token."""
        page = admin.post(admin.path("settings/oauth/new"), {"name": unique()}, admin.path("settings/oauth"))
        refresh = html.unescape(re.search(r'id="second-secret">([^<]+)<', page.text)[1])
        identity = re.search(r"client_id=(oc_[^&<]+)", html.unescape(page.text))[1]
        return identity, admin.shown_once(page), refresh

    @staticmethod
    def grant(server: str, identity: str, secret: str, refresh: str) -> Response:
        """Asks for an access token."""
        form = {"grant_type": "refresh_token", "client_id": identity, "client_secret": secret, "refresh_token": refresh}
        return call(
            f"{server}/oauth/token", "POST", urllib.parse.urlencode(form).encode(),
            {"Content-Type": "application/x-www-form-urlencoded"},
        )

    def send(self, name: str, code=17, user="maya", age=0, attributes=None) -> None:
        """Sends one event that happened `age` seconds ago."""
        named = {"Event Name" if code == 17 else "Goal Name": name} if name else {}
        values = named | {"Primary User Id": user} | (attributes or {})
        event = {
            "eventTypeCode": str(code),
            "eventTimestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age)),
            "attributes": [{"name": key, "value": value} for key, value in values.items()],
        }
        body = json.dumps({"events": [event]}).encode()
        answer = call(f"{self.server}/rest/events/submission", "POST", body, self.headers)
        assert answer.status == 200, answer.text


@dataclass
class Template:
    """A published template."""

    id: str
    name: str
    event: str


def element_fields(path: str, elements: list[dict]) -> dict:
    """The form fields of a list of elements and of their children, as the editor names them."""
    fields = {}
    for index, element in enumerate(elements):
        own = f"{path}[{index}]"
        for name, value in element.items():
            fields |= element_fields(f"{own}.children", value) if name == "children" else {f"{own}.{name}": value}
    return fields


def faults(page: str) -> str:
    """The faults that a page of the Workbench lists."""
    return html.unescape(" ".join(re.findall(r'id="faults">(.*?)</div></div>', page, re.S)))
