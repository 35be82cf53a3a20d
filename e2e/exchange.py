"""The ad exchange: records made through the Workbench's forms, ad requests over HTTP, and the ledger in the demo's
database."""

import html
import json
import os
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from harbor import Response, WorkbenchClient, call, unique
from waiting import SECONDS_TO_WAIT

ON = {"isEnabled": "on"}
BANNER = {"format": "banner", "width": "320", "height": "50", "priceRule": "first", "lockLimit": "30"}
CAMPAIGN = {"priority": "1", "cpmMicros": "2.50", "pacing": "asap"}


@dataclass
class Unit:
    """An ad unit in an app of a publisher."""

    id: str
    publisher: str
    name: str


class Exchange:
    """A client that makes records through the Workbench's forms and requests ads as an app does."""

    def __init__(self, admin: WorkbenchClient):
        self.admin, self.server = admin, admin.server

    def path(self, *parts: str) -> str:
        return self.admin.path("ads", *parts)

    def make(self, folder: str, parent: str = "", /, **fields) -> str:
        """Makes a record and returns its id."""
        new = self.path(folder, "new")
        fields = ON | {"name": unique(folder), "parent": parent} | fields
        page = self.admin.post(new, fields, f"{new}?parent={parent}" if parent else new)
        assert page.status == 200, page.text[:3000]
        return html.unescape(re.search(r'<code id="id-0">([^<]+)<', page.text)[1])

    def unit(self, **fields) -> Unit:
        publisher = self.make("publishers")
        app = self.make("apps", publisher, bundle="com.example.ferries")
        name = fields.pop("name", unique("place"))
        return Unit(self.make("units", app, **BANNER | {"name": name} | fields), publisher, name)

    def campaign(self, unit: Unit, markup="<p>Sail</p>", kind="html", **fields) -> str:
        """Makes a campaign for one ad unit, with one creative, and returns its id."""
        campaign = self.make("campaigns", **CAMPAIGN | {"unitIDs": unit.id} | fields)
        self.make("creatives", campaign, kind=kind, markup=markup)
        return campaign

    def request_ad(self, unit: Unit, headers=None) -> Response:
        """Sends an ad request as the Yabbi SDK does; `headers` replace the default content type."""
        body = {"ifa": "", "pubID": unit.publisher, "unitID": unit.id, "bundle": "com.example.ferries",
                "userAgent": "UA-1", "appName": "Ferries", "geo": None}
        known = headers or {"Content-Type": "application/json"}
        return call(f"{self.server}/v1/ads/request", "POST", json.dumps(body).encode(), known)


class Ledger:
    """The ledger in the demo's database, read while the server runs."""

    def __init__(self, process: int):
        self.file = next(filter(None, map(self.database, Path(f"/proc/{process}/fd").iterdir())))

    @staticmethod
    def database(entry: Path) -> str | None:
        """The path of the demo's database when the descriptor is open on it. The server may close a descriptor meanwhile."""
        try:
            file = os.readlink(entry)
        except FileNotFoundError:
            return None
        return file if file.endswith("/harbor.sqlite") else None

    def sums(self, unit: Unit | None = None) -> dict[str, tuple[int, int]]:
        """For each event, the number of ledger lines and the sum of their amounts in nanos."""
        where, values = ("WHERE unit_id = ?", [unit.id]) if unit else ("", [])
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=SECONDS_TO_WAIT)) as database:
            rows = database.execute(
                f"SELECT event, COUNT(*), SUM(amount_nanos) FROM ad_ledger {where} GROUP BY event", values)
            return {event: (count, nanos) for event, count, nanos in rows}

    def count(self, unit: Unit, event: str) -> int:
        return self.sums(unit).get(event, (0, 0))[0]


def dollars(nanos: int) -> str:
    """A sum as the Workbench writes it: in dollars, cut to a hundredth of a cent."""
    whole, rest = divmod(nanos // 1000, 1_000_000)
    return f"${whole}.{rest // 100:04}"
