"""Device owners: an application made in the Workbench, its accounts, and scripted requests of devices."""

import html
import json
import re

from harbor import Response, WorkbenchClient, call, unique

PASSWORD = "four words in a row, please"


class Application:
    """An application made through the Workbench's form, with the requests that its app sends."""

    def __init__(self, admin: WorkbenchClient, at_once: bool = True, **settings: str):
        self.admin, self.server, self.name = admin, admin.server, unique("App")
        page = admin.post(admin.path("devices/applications/new"), {"name": self.name}, admin.path("devices/applications"))
        self.id = re.search(r"<code>(app_\w+)</code>", page.text)[1]
        self.secret = admin.shown_once(page)
        if at_once:
            settings |= {"opensAtOnce": "on"}
        if settings:
            fields = {"name": self.name, "minimumPasswordLength": "15"} | settings
            assert admin.post(self.path(), fields).status == 200

    def path(self, *parts: str) -> str:
        return self.admin.path("devices/applications", self.id, *parts)

    @property
    def headers(self) -> dict:
        return {"Inlay-Application": self.id, "Inlay-Application-Secret": self.secret, "Content-Type": "application/json"}

    def send(self, method: str, path: str, body=None, token=None) -> Response:
        headers = self.headers | ({"Authorization": f"Bearer {token}"} if token else {})
        data = json.dumps(body).encode() if body is not None else None
        return call(f"{self.server}/v1/devices/{path}", method, data, headers)

    def code(self, email: str) -> str:
        """The code of the newest mail to an address, as the Workbench shows it while there is no mail server."""
        mails = self.admin.get(self.admin.path("devices/mails")).text
        rows = re.findall(r'href="([^"]+)">[^<]*</a>(?:(?!</tr>).)*?data-label="To">([^<]+)<', mails, re.S)
        path = next(path for path, recipient in rows if html.unescape(recipient) == email)
        return re.search(r'id="code">([^<]+)<', self.admin.get(path).text)[1]

    def owner(self, email: str | None = None) -> "Owner":
        """A new account with a proven address."""
        email = email or f"{unique('ada')}@example.com"
        opened = self.send("POST", "accounts", {"email": email, "password": PASSWORD}).body
        proof = self.send("POST", "accounts/proof", {"email": email, "code": self.code(email)}, opened["session"]["accessToken"])
        assert proof.status == 200, proof.text
        return Owner(self, email, proof.body)


class Owner:
    """An account with its session."""

    def __init__(self, application: Application, email: str, opening: dict):
        self.application, self.email = application, email
        self.id, self.session = opening["account"]["id"], opening["session"]

    @property
    def token(self) -> str:
        return self.session["accessToken"]

    def send(self, method: str, path: str, body=None) -> Response:
        return self.application.send(method, path, body, self.token)

    def pairing(self, name=None) -> dict:
        return self.send("POST", "pairings", {"name": name} if name else {}).body

    def device(self, serial=None, name=None) -> dict:
        """Claims a device for the owner; returns the response, with the device's serial number."""
        claim = {"pairingToken": self.pairing(name)["token"], "serial": serial or unique("SN"), "model": "reader"}
        answer = send_as_device(self.application.server, "claim", claim)
        assert answer.status == 200, answer.text
        return answer.body | {"serial": claim["serial"]}


def send_as_device(server: str, path: str, body: dict) -> Response:
    """Sends a device's request, whose only header is the content type."""
    return call(f"{server}/v1/devices/{path}", "POST", json.dumps(body).encode(), {"Content-Type": "application/json"})
