"""The OpenAPI description is valid, and a running server answers as it says, field by field."""

import base64
import copy
import hashlib
import http.client
import json
import subprocess
import sys
import urllib.parse
from pathlib import Path

import openapi_devices
import pytest
import yaml
from apps import AppUser
from exchange import Exchange
from harbor import ENVIRONMENT, EventSender, call, unique
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from waiting import SECONDS_TO_WAIT

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "Server/Sources/InlayServer/Resources/api/openapi.yaml"
DOCUMENT = yaml.safe_load(SOURCE.read_text())
METHODS = {"get", "put", "post", "delete", "patch", "head", "options"}
OPERATIONS = [(method, path) for path, item in DOCUMENT["paths"].items() for method in item if method in METHODS]


# ---------------------------------------------------------------- reading the document


def closed(schema):
    """A copy of a schema in which objects have no other properties than the named ones, so that responses contain nothing
    undocumented."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    tight = {name: closed(part) for name, part in schema.items()}
    if isinstance(tight.get("properties"), dict) and "additionalProperties" not in tight:
        tight["additionalProperties"] = False
    return tight


LOOSE = {"components": DOCUMENT["components"]}
TIGHT = {"components": {"schemas": {name: closed(part) for name, part in DOCUMENT["components"]["schemas"].items()}}}


def schema_errors(schema, value, components):
    """The messages of a value's faults against a schema, whose references lead to `components`."""
    return [error.message for error in Draft202012Validator(copy.deepcopy(schema) | components).iter_errors(value)]


def resolved(part):
    """The part of the document to which a reference leads, or the part itself if it is no reference."""
    while "$ref" in part:
        found = DOCUMENT
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def check(method, path, answer):
    """Fails unless a response is as the document describes it for its operation."""
    responses = DOCUMENT["paths"][path][method]["responses"]
    assert str(answer.status) in responses or (answer.status >= 400 and "default" in responses), answer
    said = resolved(responses.get(str(answer.status)) or responses["default"])
    headers = {name.lower(): value for name, value in answer.headers.items()}
    assert int(headers["inlay-server-time"]) > 0
    content = said.get("content")
    if content is None:
        assert answer.text == ""
        return
    kind = headers["content-type"].split(";")[0]
    assert kind in content or "*/*" in content, kind
    schema = (content.get(kind) or content["*/*"]).get("schema")
    if schema and kind.endswith("json"):
        assert schema_errors(closed(schema), answer.body, TIGHT) == [], answer.text[:2000]


# ---------------------------------------------------------------- callers


@pytest.fixture(scope="module")
def app(demo, admin):
    return AppUser(demo.server, admin)


class Caller:
    """A client that calls an operation of the document and checks the request and the response against it."""

    def __init__(self, server, app, backend, admin, template):
        self.server, self.app, self.backend, self.admin, self.template = server, app, backend, admin, template

    def __call__(self, method, path, expected, *, by=None, body=None, query=None, raw=None, headers=None, **names):
        # Only a file's path may hold slashes; everywhere else they are escaped.
        escaped = {name: urllib.parse.quote(value, safe="/" if name == "rest" else "") for name, value in names.items()}
        address = self.server + path.format(**escaped)
        if query:
            address += "?" + urllib.parse.urlencode(query)
        sent = {"app": self.app.headers, "backend": self.backend.headers, None: {}}[by] | (headers or {})
        data = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
        if body is not None and expected < 300:
            wanted = DOCUMENT["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]
            assert schema_errors(wanted, body, LOOSE) == []
        answer = call(address, method.upper(), data, sent)
        assert answer.status == expected, answer.text[:2000]
        check(method, path, answer)
        return answer

    def feed(self, expected=200, **more):
        return self("get", "/v1/cards/containers/{container}/feed", expected, by="app", container="home", **more)

    def card(self):
        """A new card of the app's user."""
        life = unique("life")
        self.backend.send(self.template.event, self.app.user, lifecycleId=life)
        return next(card for card in self.feed().body["cards"] if card["lifecycleID"] == life)


@pytest.fixture(scope="module")
def caller(demo, app, backend, admin):
    elements = [
        {"type": "category", "text": "News"}, {"type": "headline", "text": "Everything"},
        {"type": "text", "text": "Some **words** and [a link](https://example.com)"},
        {"type": "list", "style": "ordered", "items": "one\ntwo"},
        {"type": "form", "children": [
            {"type": "textInput", "name": "why", "label": "Why"}, {"type": "numberInput", "name": "many", "label": "How many"},
            {"type": "submitButton", "text": "Send", "buttonName": "send"}]},
        {"type": "snoozeButton", "text": "Later", "seconds": "60"}, {"type": "dismissButton", "text": "No"},
    ]
    variable = {"variables[0].name": "who", "variables[0].kind": "string", "variables[0].defaultValue": "you"}
    return Caller(demo.server, app, backend, admin, admin.template(elements, **variable))


# ---------------------------------------------------------------- one case for each operation


def feed(call):
    call.card()
    version = call.feed().body["version"]
    call.feed(304, query={"after": version})
    call.feed(422, query={"after": "x"})
    call("get", "/v1/cards/containers/{container}/feed", 401, container="home")


def appearance(call):
    path = "/v1/cards/containers/{container}/appearance"
    found = call("get", path, 200, by="app", container="home").body
    assert found["light"]["colors"] and found["dark"]["colors"]
    call("get", path, 304, by="app", container="home", query={"after": found["version"]})
    call("get", path, 404, by="app", container="not a container")


def counts(call):
    call.card()
    assert call("get", "/v1/cards/counts", 200, by="app").body["containers"]["home"]["unseen"] > 0
    call("get", "/v1/cards/counts", 401, by="app", headers={"Authorization": "Bearer x"})


def action(call, kind):
    card = call.card()
    return {"id": unique("act"), "containerID": "home", "cardID": card["id"], "layoutID": card["layoutID"],
            "time": card["createdAt"], "kind": kind}


def actions(call):
    far = call.feed().body["serverTime"] + 600_000_000
    items = [action(call, {"dismiss": {}}), action(call, {"snooze": {"until": far}}),
             action(call, {"submit": {"buttonName": "send", "values": {"why": "so", "many": 2}}})]
    receipts = call("post", "/v1/cards/actions", 200, by="app", body={"items": items}).body["receipts"]
    assert [receipt.get("refusal") for receipt in receipts] == [None, None, None]
    strange = items[0] | {"id": unique("act"), "cardID": "nobody"}
    refused = call("post", "/v1/cards/actions", 200, by="app", body={"items": [strange]}).body["receipts"]
    assert refused[0]["refusal"]["code"] == "not-found"
    wrong = action(call, {"submit": {"buttonName": "send", "values": {"sure": True}}})
    refusal = call("post", "/v1/cards/actions", 200, by="app", body={"items": [wrong]}).body["receipts"][0]["refusal"]
    assert (refusal["status"], refusal["code"]) == (422, "invalid-submission")
    assert [(field["field"], field["code"]) for field in refusal["fields"]] == [("sure", "unknown-field")]
    call("post", "/v1/cards/actions", 400, by="app", raw=b"{")
    call("post", "/v1/cards/actions", 415, by="app", raw=b"x", headers={"Content-Type": "text/plain"})
    call("post", "/v1/cards/actions", 413, by="app", raw=b" " * (1 << 20 | 1))


def analytics(call):
    card = call.card()
    event = {"id": unique("ev"), "name": "card-displayed", "time": card["createdAt"], "containerID": "home",
             "cardID": card["id"], "clientVersion": "1", "properties": {}}
    call("post", "/v1/analytics", 200, by="app", body={"items": [event]})
    call("post", "/v1/analytics", 401, body={"items": [event]}, headers={"Content-Type": "application/json"})


def socket(call):
    call("get", "/socket", 426, by="app")
    call("get", "/socket", 401)
    address = urllib.parse.urlsplit(call.server)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=SECONDS_TO_WAIT)
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode()}
    connection.request("GET", "/socket", headers=call.app.headers | upgrade)
    assert connection.getresponse().status == 101 and "101" in DOCUMENT["paths"]["/socket"]["get"]["responses"]
    connection.close()


def events(call):
    event = {"id": unique("ev"), "name": call.template.event, "target": {"users": [call.app.user]}, "lifecycleId": unique("life"),
             "variables": {"who": "me"}, "priority": 3, "containerIds": ["home"], "templateId": call.template.id}
    assert call("post", "/v1/events", 200, by="backend", body=event).body["cards"] == 1
    call("post", "/v1/events", 422, by="backend", body=event | {"id": unique("ev"), "priority": 99})
    call("post", "/v1/events", 401, body=event, headers={"Content-Type": "application/json"})


def cancel(call):
    card = call.card()
    body = {"lifecycleId": card["lifecycleID"], "target": {"users": [call.app.user]}}
    assert call("post", "/v1/cards/cancel", 200, by="backend", body=body).body == {"cards": 1}
    call("post", "/v1/cards/cancel", 400, by="backend", body={})


def put_user(call):
    call("put", "/v1/users/{user}", 204, by="backend", user="a/b c", body={"name": "Ada", "tier": "gold"})
    call("put", "/v1/users/{user}", 400, by="backend", user="ada", raw=b"[]")


def get_user(call):
    call("put", "/v1/users/{user}", 204, by="backend", user="ada", body={"name": "Ada"})
    assert call("get", "/v1/users/{user}", 200, by="backend", user="ada").body["name"] == "Ada"
    call("get", "/v1/users/{user}", 404, by="backend", user="nobody-here")


EVENT = {"eventTypeCode": "12", "eventTimestamp": "2026-11-21T08:00:00.000Z", "attributes": [{"name": "App Name", "value": "Harbor"}]}


def submission(call):
    path = "/rest/events/submission"
    good, bad = EVENT | {"id": unique("ev")}, EVENT | {"id": unique("ev"), "eventTypeCode": "99999"}
    receipts = call("post", path, 200, by="app", body={"events": [good, bad]}).body["receipts"]
    assert ["refusal" in receipt for receipt in receipts] == [False, True]
    call("post", path, 401, body={"events": []}, headers={"Content-Type": "application/json"})


def refused_events(call):
    bad = EVENT | {"id": unique("ev"), "eventTypeCode": "99999"}
    call("post", "/rest/events/submission", 200, by="app", body={"events": [bad]})
    found = call("get", "/rest/events/errors", 200, by="app", query={"filter": bad["id"]}).body["errors"]
    assert [error["eventId"] for error in found] == [bad["id"]]
    call("get", "/rest/events/errors", 401)


def oauth(call):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    identity, secret, refresh = EventSender.client(call.admin)
    values = {"grant_type": "refresh_token", "client_id": identity, "client_secret": secret, "refresh_token": refresh}
    good = call("post", "/oauth/token", 200, raw=urllib.parse.urlencode(values).encode(), headers=form)
    assert good.body["refresh_token"] == refresh
    call("post", "/oauth/token", 400, raw=b"grant_type=password", headers=form)
    call("post", "/oauth/token", 401, raw=b"grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=c", headers=form)


def published(call):
    """Publishes a content source with one small version at the first call; returns the source's id."""
    if not hasattr(call, "source"):
        source = unique("source")
        draft = {"title": "News", "tags": [], "body": "Words", "format": "markdown", "channels": ["news"], "allowsScripts": False}
        items = [{"kind": "hub", "id": "main", "draft": draft}, {"kind": "channel", "id": "news", "draft": draft | {"channels": []}},
                 {"kind": "article", "id": "one", "draft": draft}]
        manifest = {"items": items, "assets": {}, "notifications": []}
        answer = call("post", "/v1/hub/{source}/publish", 200, by="backend", source=source, body=manifest)
        assert answer.body["version"] >= 1
        call.source = source
    return call.source


def publish(call):
    published(call)
    call("post", "/v1/hub/{source}/publish", 400, by="backend", source=call.source, body={"items": 1})
    call("post", "/v1/hub/{source}/publish", 401, source=call.source, body={}, headers={"Content-Type": "application/json"})


def metadata(call):
    path = "/v1/hub/{environment}/{source}/metadata/{file}"
    names = {"environment": ENVIRONMENT, "source": published(call)}
    found = call("get", path, 200, file="timestamp.json", **names)
    assert found.body["signed"]["_type"] == "timestamp"
    call("get", path, 304, file="timestamp.json", headers={"If-None-Match": found.headers["ETag"]}, **names)
    call("get", path, 404, file="7777.root.json", **names)


def target(call):
    path = "/v1/hub/{environment}/{source}/targets/{rest}"
    names = {"environment": ENVIRONMENT, "source": published(call)}
    read = lambda file: call("get", "/v1/hub/{environment}/{source}/metadata/{file}", 200, file=file, **names).body["signed"]
    snapshot = read("timestamp.json")["meta"]["snapshot.json"]["version"]
    targets = read(f"{read(f'{snapshot}.snapshot.json')['meta']['targets.json']['version']}.targets.json")["targets"]
    name, facts = next(iter(targets.items()))
    address = "/".join([*name.split("/")[:-1], f"{facts['hashes']['sha256']}.{name.split('/')[-1]}"])
    answer = call("get", path, 200, rest=address, **names)
    assert hashlib.sha256(answer.text.encode()).hexdigest() == facts["hashes"]["sha256"]
    assert len(call("get", path, 206, rest=address, headers={"Range": "bytes=0-3"}, **names).text) == 4
    call("get", path, 416, rest=address, headers={"Range": "bytes=99999999-"}, **names)
    call("get", path, 304, rest=address, headers={"If-None-Match": answer.headers["ETag"]}, **names)
    call("get", path, 404, rest=f"{'0' * 64}.index.json", **names)


def put_file(call):
    path, bytes_ = "/v1/hub/{source}/files/{hash}", unique().encode()
    octets = {"Content-Type": "application/octet-stream"}
    hash_ = hashlib.sha256(bytes_).hexdigest()
    body = call("put", path, 200, by="backend", source=published(call), hash=hash_, raw=bytes_, headers=octets).body
    assert body == {"hash": hash_, "size": len(bytes_)}
    call("put", path, 422, by="backend", source=published(call), hash="x", raw=b"x", headers=octets)


def missing(call):
    path, files = "/v1/hub/{source}/missing", [{"hash": "0" * 64, "size": 3}]
    assert call("post", path, 200, by="backend", source=published(call), body={"files": files}).body == {"files": files}
    call("post", path, 400, by="backend", source=published(call), body={"files": 1})


AD = {"ifa": "", "pubID": "6d92078a-8246-4ba4-ae5b-76104861e7dc", "unitID": "0198c0de-0000-7000-8000-00000000beef",
      "bundle": "com.example.harbor", "userAgent": "e2e", "appName": "Harbor", "geo": None}
JSON = {"Content-Type": "application/json"}


def ad(call, path="/ads/request"):
    exchange = Exchange(call.admin)
    unit = exchange.unit()
    exchange.campaign(unit)
    own = {"pubID": unit.publisher, "unitID": unit.id, "bundle": "com.example.ferries"}
    served = call("post", path, 200, body=AD | own, headers=JSON).body
    assert "Sail" in served["adm"] and ("ext" in served) == (path == "/v1/ads/request")
    assert call("post", path, 404, body=AD, headers=JSON).body["code"] == "unknown-unit"
    call("post", path, 422, body=AD | {"unitID": "x"}, headers=JSON)
    call("post", path, 400, raw=b"{", headers=JSON)
    call("post", path, 415, raw=b"x", headers={"Content-Type": "text/plain"})


def modern_ad(call):
    ad(call, "/v1/ads/request")


def tracker(call):
    call("get", "/ads/t/{token}", 204, token="AQ" * 29)
    call("get", "/ads/t/{token}", 204, token="x", query={"code": "303"})


def reward_keys(call):
    call("get", "/ads/reward-keys", 200)


def health(call):
    assert call("get", "/health", 200).body == {"status": "ok"}


def ready(call):
    assert call("get", "/ready", 200).body == {"status": "ready"}


def metrics(call):
    assert "# TYPE" in call("get", "/metrics", 200).text


def document(call):
    answer = call("get", "/openapi.yaml", 200)
    assert answer.text == SOURCE.read_text()
    call("get", "/openapi.yaml", 304, headers={"If-None-Match": answer.headers["ETag"]})


def page(call):
    answer = call("get", "/docs", 200)
    call("get", "/docs", 304, headers={"If-None-Match": answer.headers["ETag"]})


CARDS, HUB = "/v1/cards/containers/{container}", "/v1/hub/{environment}/{source}"
CASES = {
    ("get", f"{CARDS}/feed"): feed, ("get", f"{CARDS}/appearance"): appearance, ("get", "/v1/cards/counts"): counts,
    ("post", "/v1/cards/actions"): actions, ("post", "/v1/analytics"): analytics, ("get", "/socket"): socket,
    ("post", "/v1/events"): events, ("post", "/v1/cards/cancel"): cancel,
    ("put", "/v1/users/{user}"): put_user, ("get", "/v1/users/{user}"): get_user,
    ("post", "/rest/events/submission"): submission, ("get", "/rest/events/errors"): refused_events,
    ("post", "/oauth/token"): oauth, ("get", f"{HUB}/metadata/{{file}}"): metadata, ("get", f"{HUB}/targets/{{rest}}"): target,
    ("post", "/v1/hub/{source}/publish"): publish, ("post", "/v1/hub/{source}/missing"): missing,
    ("put", "/v1/hub/{source}/files/{hash}"): put_file,
    ("post", "/ads/request"): ad, ("post", "/v1/ads/request"): modern_ad, ("get", "/ads/t/{token}"): tracker,
    ("get", "/ads/reward-keys"): reward_keys,
    ("get", "/health"): health, ("get", "/ready"): ready, ("get", "/metrics"): metrics,
    ("get", "/openapi.yaml"): document, ("get", "/docs"): page,
} | openapi_devices.CASES


def test_the_document_is_valid():
    validate(DOCUMENT)


def test_the_api_reference_is_generated_from_the_openapi_description():
    subprocess.run([sys.executable, ROOT / "Scripts/openapi", "--check"], check=True)


def test_every_link_within_the_api_reference_has_its_target(context, demo):
    tab = context.new_page()
    tab.goto(demo.server + "/docs")
    assert tab.locator(".api-contents a").count() > len(OPERATIONS)
    lost = tab.eval_on_selector_all(
        "a[href^='#']", "links => links.map(link => link.hash.slice(1)).filter(id => !document.getElementById(id))")
    assert lost == []
    names = tab.locator("[id]").evaluate_all("parts => parts.map(part => part.id)")
    assert len(names) == len(set(names))


def test_every_operation_of_the_document_has_a_case():
    assert sorted(CASES) == sorted(OPERATIONS)


@pytest.mark.parametrize("operation", CASES, ids=lambda operation: " ".join(operation))
def test_the_server_answers_as_the_document_says(caller, operation):
    CASES[operation](caller)
