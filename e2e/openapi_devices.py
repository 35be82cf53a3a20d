"""A test case for each operation of Devices in the OpenAPI description; see test_openapi.py."""

import hashlib

from harbor import unique
from owners import PASSWORD, Application

ROOT = "/v1/devices"


def application(call):
    """The application that all cases use, made once and kept on the caller."""
    if not hasattr(call, "application"):
        call.application = Application(call.admin)
    return call.application


def headers(call, owner=None):
    own = application(call).headers
    return own | ({"Authorization": f"Bearer {owner.token}"} if owner else {})


def accounts(call):
    body = {"email": f"{unique()}@example.com", "password": PASSWORD}
    call("post", f"{ROOT}/accounts", 201, body=body, headers=headers(call))
    call("post", f"{ROOT}/accounts", 202, body=body, headers=headers(call))
    call("post", f"{ROOT}/accounts", 422, body={"email": "x"}, headers=headers(call))
    call("post", f"{ROOT}/accounts", 401, body=body, headers={"Content-Type": "application/json"})


def proof(call):
    email = f"{unique()}@example.com"
    call("post", f"{ROOT}/accounts", 201, body={"email": email}, headers=headers(call))
    body = {"email": email, "code": application(call).code(email)}
    assert call("post", f"{ROOT}/accounts/proof", 200, body=body, headers=headers(call)).body["account"]["proven"]
    call("post", f"{ROOT}/accounts/proof", 401, body=body, headers=headers(call))


def log_in(call):
    owner = application(call).owner()
    body = {"email": owner.email, "password": PASSWORD}
    call("post", f"{ROOT}/sessions", 200, body=body, headers=headers(call))
    call("post", f"{ROOT}/sessions", 401, body=body | {"password": "x"}, headers=headers(call))


def log_out(call):
    owner = application(call).owner()
    call("delete", f"{ROOT}/sessions", 204, headers=headers(call, owner))
    call("delete", f"{ROOT}/sessions", 401, headers=headers(call, owner))


def log_out_everywhere(call):
    call("delete", f"{ROOT}/sessions/all", 204, headers=headers(call, application(call).owner()))


def sessions(call):
    owner = application(call).owner()
    found = call("get", f"{ROOT}/sessions", 200, headers=headers(call, owner)).body["sessions"]
    assert [one["current"] for one in found].count(True) == 1
    call("get", f"{ROOT}/sessions", 401, headers=headers(call))


def end_one(call):
    owner = application(call).owner()
    listed = application(call).send("GET", "sessions", token=owner.token).body["sessions"]
    other = next(one["id"] for one in listed if not one["current"])
    call("delete", f"{ROOT}/sessions/{{id}}", 204, id=other, headers=headers(call, owner))
    call("delete", f"{ROOT}/sessions/{{id}}", 404, id=other, headers=headers(call, owner))


def end_by_hash(call):
    owner = application(call).owner()
    digest = hashlib.sha256(owner.session["refreshToken"].encode()).hexdigest()
    call("post", f"{ROOT}/sessions/end", 204, body={"refreshTokenHash": digest}, headers=headers(call))
    assert application(call).send("GET", "sessions", token=owner.token).status == 401


def delete_account(call):
    owner = application(call).owner()
    call("post", f"{ROOT}/accounts/deletion", 401, body={"password": "x"}, headers=headers(call, owner))
    call("post", f"{ROOT}/accounts/deletion", 422, body={}, headers=headers(call, owner))
    call("post", f"{ROOT}/accounts/deletion", 204, body={"password": PASSWORD}, headers=headers(call, owner))


def delete_account_by_mail(call):
    owner = application(call).owner()
    call("post", f"{ROOT}/accounts/deletion/code", 202, headers=headers(call, owner))
    body = {"code": application(call).code(owner.email)}
    call("post", f"{ROOT}/accounts/deletion", 204, body=body, headers=headers(call, owner))


def refresh(call):
    owner = application(call).owner()
    body = {"refreshToken": owner.session["refreshToken"]}
    call("post", f"{ROOT}/sessions/refresh", 200, body=body, headers=headers(call))
    call("post", f"{ROOT}/sessions/refresh", 401, body={"refreshToken": "inr_x"}, headers=headers(call))


def reset(call):
    for email in [application(call).owner().email, "nobody@example.com"]:
        call("post", f"{ROOT}/password/reset", 202, body={"email": email}, headers=headers(call))


def password(call):
    owner = application(call).owner()
    call("post", f"{ROOT}/password/reset", 202, body={"email": owner.email}, headers=headers(call))
    body = {"email": owner.email, "code": application(call).code(owner.email), "newPassword": "another good long one"}
    call("post", f"{ROOT}/password", 422, body=body | {"newPassword": "short"}, headers=headers(call))
    call("post", f"{ROOT}/password", 204, body=body, headers=headers(call))


def change(call):
    owner = application(call).owner()
    body = {"oldPassword": PASSWORD, "newPassword": "another good long one"}
    call("post", f"{ROOT}/password/change", 204, body=body, headers=headers(call, owner))
    call("post", f"{ROOT}/password/change", 401, body=body, headers=headers(call, owner))


def application_token(call):
    owner = application(call).owner()
    token = call("post", f"{ROOT}/application-token", 200, headers=headers(call, owner)).body["token"]
    found = call("post", f"{ROOT}/application-token/holder", 200, by="backend", body={"token": token}).body
    assert found["account"]["id"] == owner.id and found["applicationID"] == application(call).id
    call("post", f"{ROOT}/application-token/holder", 404, by="backend", body={"token": "iat_x"})


def pairings(call):
    owner = application(call).owner()
    call("post", f"{ROOT}/pairings", 201, body={"name": "Gate"}, headers=headers(call, owner))
    call("post", f"{ROOT}/pairings", 401, body={}, headers=headers(call))


def pairing(call):
    owner = application(call).owner()
    issued = owner.pairing()
    read = lambda: call("get", f"{ROOT}/pairings/{{id}}", 200, id=issued["id"], headers=headers(call, owner)).body
    assert read() == {"state": "issued"}
    call("post", f"{ROOT}/claim", 200, body={"pairingToken": issued["token"], "serial": unique(), "model": "reader"}, headers=TYPE)
    assert read()["state"] == "paired" and read()["device"]["state"] == "active"
    call("get", f"{ROOT}/pairings/{{id}}", 404, id="pr_x", headers=headers(call, owner))


def cancel(call):
    owner = application(call).owner()
    path = f"{ROOT}/pairings/{{id}}/cancel"
    call("post", path, 204, id=owner.pairing()["id"], body={"reason": "noLight"}, headers=headers(call, owner))


def devices(call):
    owner = application(call).owner()
    owner.device()
    assert len(call("get", ROOT, 200, headers=headers(call, owner)).body["devices"]) == 1


def rename(call):
    owner = application(call).owner()
    device = owner.device()["deviceID"]
    path = f"{ROOT}/{{id}}"
    assert call("patch", path, 200, id=device, body={"name": "Pier"}, headers=headers(call, owner)).body["name"] == "Pier"
    call("patch", path, 422, id=device, body={"name": ""}, headers=headers(call, owner))


def remove(call):
    owner = application(call).owner()
    device = owner.device()["deviceID"]
    call("delete", f"{ROOT}/{{id}}", 204, id=device, headers=headers(call, owner))
    call("delete", f"{ROOT}/{{id}}", 404, id=device, headers=headers(call, owner))


def transfer(call):
    owner = application(call).owner()
    device, path = owner.device()["deviceID"], f"{ROOT}/{{id}}/transfer"
    call("post", path, 202, id=device, body={"email": "eve@example.com"}, headers=headers(call, owner))
    listed = call("get", ROOT, 200, headers=headers(call, owner)).body["devices"]
    assert [(one["state"], one["offeredTo"]) for one in listed] == [("transferring", "eve@example.com")]
    call("delete", path, 204, id=device, headers=headers(call, owner))
    call("delete", path, 404, id="dev_x", headers=headers(call, owner))


def claim(call):
    owner = application(call).owner()
    body = {"pairingToken": owner.pairing()["token"], "serial": unique(), "model": "reader", "lastFailure": "noInternet"}
    call("post", f"{ROOT}/claim", 200, body=body, headers=TYPE)
    call("post", f"{ROOT}/claim", 409, body=body | {"serial": "another"}, headers=TYPE)


def seen(call):
    token = application(call).owner().pairing()["token"]
    call("post", f"{ROOT}/seen", 204, body={"pairingToken": token}, headers=TYPE)
    call("post", f"{ROOT}/seen", 409, body={"pairingToken": "x"}, headers=TYPE)


def failure(call):
    token = application(call).owner().pairing()["token"]
    call("post", f"{ROOT}/failure", 204, body={"pairingToken": token, "reason": "wrongPassword"}, headers=TYPE)


def own(call):
    credential = application(call).owner().device()["credential"]
    call("get", f"{ROOT}/self", 200, headers={"Authorization": f"Bearer {credential}"})
    call("get", f"{ROOT}/self", 401)


TYPE = {"Content-Type": "application/json"}
CASES = {
    ("post", f"{ROOT}/accounts"): accounts, ("post", f"{ROOT}/accounts/proof"): proof, ("post", f"{ROOT}/sessions"): log_in,
    ("delete", f"{ROOT}/sessions"): log_out, ("delete", f"{ROOT}/sessions/all"): log_out_everywhere,
    ("get", f"{ROOT}/sessions"): sessions, ("delete", f"{ROOT}/sessions/{{id}}"): end_one,
    ("post", f"{ROOT}/sessions/end"): end_by_hash, ("post", f"{ROOT}/accounts/deletion"): delete_account,
    ("post", f"{ROOT}/accounts/deletion/code"): delete_account_by_mail,
    ("post", f"{ROOT}/sessions/refresh"): refresh, ("post", f"{ROOT}/password/reset"): reset,
    ("post", f"{ROOT}/password"): password, ("post", f"{ROOT}/password/change"): change,
    ("post", f"{ROOT}/application-token"): application_token, ("post", f"{ROOT}/application-token/holder"): application_token,
    ("post", f"{ROOT}/pairings"): pairings, ("get", f"{ROOT}/pairings/{{id}}"): pairing,
    ("post", f"{ROOT}/pairings/{{id}}/cancel"): cancel, ("get", ROOT): devices, ("patch", f"{ROOT}/{{id}}"): rename,
    ("delete", f"{ROOT}/{{id}}"): remove, ("post", f"{ROOT}/{{id}}/transfer"): transfer,
    ("delete", f"{ROOT}/{{id}}/transfer"): transfer, ("post", f"{ROOT}/claim"): claim,
    ("post", f"{ROOT}/seen"): seen, ("post", f"{ROOT}/failure"): failure, ("get", f"{ROOT}/self"): own,
}
