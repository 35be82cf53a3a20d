"""Apple's privacy manifest of each module: it declares the data that the properties of the wire types contain."""

import plistlib
import re

import pytest
from programs import ROOT

SOURCES = ROOT / "Sources"
KIND = "NSPrivacyCollectedDataType"
# The personal data in each property of the wire types, by the names of Apple's manifests; empty if there is none.
CARDS = {
    "Cards/CardAction.swift": {
        "CardAction": {"id": "", "containerID": "", "cardID": "", "layoutID": "", "time": "", "kind": "OtherUserContent"},
    },
    "AnalyticsEvent.swift": {
        "AnalyticsEvent": {
            "id": "", "name": "ProductInteraction", "time": "", "containerID": "", "cardID": "", "clientVersion": "",
            "properties": "OtherUserContent",
        },
    },
}
HUB = {
    "AnalyticsEvent.swift": {
        "AnalyticsEvent": CARDS["AnalyticsEvent.swift"]["AnalyticsEvent"] | {"properties": "UserID DeviceID"},
    },
}
BEHAVIORS = {
    "Behaviors/BehaviorEvent.swift": {
        "BehaviorEvent": {
            "id": "", "eventTypeCode": "ProductInteraction", "eventTimestamp": "", "contactId": "UserID",
            "attributes": "ProductInteraction UserID DeviceID PreciseLocation",
        },
    },
}
ADS = {
    "Ads/AdRequest.swift": {
        "AdRequest": {
            "ifa": "DeviceID", "pubID": "", "unitID": "AdvertisingData", "bundle": "", "userAgent": "", "appName": "",
            "geo": "PreciseLocation", "ext": "",
        },
    },
    "Ads/AdRequestExtension.swift": {
        "AdRequestExtension": {"consent": "", "format": "", "size": "", "sdkVersion": "", "storeID": ""},
    },
    "Ads/AdConsent.swift": {
        "AdConsent": {"gdprApplies": "", "tcf": "", "gpp": "", "gppSids": "", "coppa": "", "lmt": "", "att": ""},
    },
}
DEVICES = {
    "Devices/AccountRequests.swift": {
        "AccountRequest": {"email": "EmailAddress", "password": "OtherDataTypes"},
        "AccountLogIn": {"email": "EmailAddress", "password": "OtherDataTypes"},
        "AccountProof": {"email": "EmailAddress", "code": "", "request": ""},
        "AccountRefresh": {"refreshToken": "UserID"},
        "PasswordReset": {"email": "EmailAddress"},
        "PasswordChange": {"oldPassword": "OtherDataTypes", "newPassword": "OtherDataTypes"},
        "NewPassword": {"email": "EmailAddress", "code": "", "newPassword": "OtherDataTypes", "request": ""},
    },
    "Devices/Pairing.swift": {"PairingRequest": {"name": "OtherUserContent"}},
}
# The data that is not in the bodies: the user's token in a header, trackers, and columns of the marketing database that
# the app names itself.
OUTSIDE_BODIES = {
    "InlayCore": "UserID", "InlayCards": "", "InlayHub": "",
    "InlayBehaviors": "EmailAddress OtherUserContactInfo", "InlayAds": "UserID ProductInteraction",
    "InlayDevices": "UserID",
}
WIRE = {
    "InlayCore": {}, "InlayCards": CARDS, "InlayHub": HUB, "InlayBehaviors": BEHAVIORS, "InlayAds": ADS,
    "InlayDevices": DEVICES,
}


def properties(file: str, type_name: str) -> set[str]:
    """The names of a wire type's stored properties."""
    source = (SOURCES / "InlayWire" / file).read_text()
    body = re.search(rf"public struct {type_name}\b.*?\n}}", source, re.S)[0]
    # A property with an observer is stored too.
    return set(re.findall(r"^    public (?:var|let) (\w+): [^{\n]*(?:$|\{\s*(?:did|will)Set\b)", body, re.M))


def manifest(module: str) -> dict:
    return plistlib.loads((SOURCES / module / "Resources/PrivacyInfo.xcprivacy").read_bytes())


@pytest.mark.parametrize("module", WIRE)
def test_each_modules_manifest_says_what_its_wire_contains(module):
    collected = set(OUTSIDE_BODIES[module].split())
    for file, types in WIRE[module].items():
        for name, meanings in types.items():
            # A new property needs an entry above that says which personal data it contains.
            assert properties(file, name) == set(meanings), f"{name} in {file}"
            collected |= {kind for meaning in meanings.values() for kind in meaning.split()}
    declared = manifest(module)["NSPrivacyCollectedDataTypes"]
    assert {entry[KIND].removeprefix(KIND) for entry in declared} == collected
    assert all(entry[f"{KIND}Purposes"] for entry in declared)
    assert 'resources: [.copy("Resources/PrivacyInfo.xcprivacy")]' in target(module)


def target(module: str) -> str:
    """The declaration of a module in Package.swift."""
    package = (ROOT / "Package.swift").read_text()
    return re.search(rf'\.target\(\s*name: "{module}",.*?(?=\n        (?:\.target|//|\.executableTarget))', package, re.S)[0]


def test_only_ads_track_and_their_manifest_says_so():
    assert {module for module in WIRE if manifest(module)["NSPrivacyTracking"]} == {"InlayAds"}
    for module in WIRE:
        tracked = {
            entry[KIND].removeprefix(KIND)
            for entry in manifest(module)["NSPrivacyCollectedDataTypes"]
            if entry[f"{KIND}Tracking"]
        }
        # The advertising id and the data sent with it go to bidders.
        wanted = {"DeviceID", "PreciseLocation", "AdvertisingData", "ProductInteraction"} if module == "InlayAds" else set()
        assert tracked == wanted, module


def test_modules_that_collect_nothing_read_no_identifier():
    """A module without a manifest sends nothing: it opens no connection and has no lane of the outbox."""
    views = {f"Inlay{feature}View" for feature in ["Cards", "Hub", "Ads", "Devices"]}
    silent = views | {"InlaySurface", "InlayTrust", "InlayLight", "InlayLightChannel"}
    for module in silent:
        for file in (SOURCES / module).rglob("*.swift"):
            source = file.read_text()
            assert not re.search(r"URLSession|ASIdentifierManager|CLLocation|identifierForVendor", source), file
