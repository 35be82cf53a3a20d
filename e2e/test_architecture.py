"""Tests of `Scripts/architecture`: dependencies between modules, sizes, names of features, products."""

import importlib.machinery
import importlib.util
import sys

import pytest
from programs import ROOT


@pytest.fixture
def architecture(monkeypatch):
    """`Scripts/architecture`, loaded as a Python module."""
    loader = importlib.machinery.SourceFileLoader("architecture", str(ROOT / "Scripts" / "architecture"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("architecture", loader))
    monkeypatch.setitem(sys.modules, "architecture", module)
    loader.exec_module(module)
    return module


class Modules:
    """A project of three modules that breaks no rule. Its manifest is a dictionary, so that no compiler is needed."""

    def __init__(self, architecture, folder):
        self.architecture, self.folder = architecture, folder
        self.manifest = {"InlayWire": [], "InlayCore": ["InlayWire"], "InlayCards": ["InlayCore", "InlayWire"]}
        self.table = {"InlayWire": "nothing", "InlayCore": "Wire", "InlayCards": "Core, Wire"}
        for name, uses in self.manifest.items():
            (folder / "Sources" / name).mkdir(parents=True)
            self.write(name, "Imports", "".join(f"import {used}\n" for used in uses))

    def write(self, module, name, text):
        (self.folder / "Sources" / module / f"{name}.swift").write_text(text)

    def faults(self):
        rows = "".join(f"| `{name}` | purpose | {uses} |\n" for name, uses in self.table.items())
        self.architecture.TABLE.write_text(f"# Modules\n\n| module | purpose | may use |\n|---|---|---|\n{rows}")
        return self.architecture.faults()

    def description(self, _):
        targets = [{"name": name, "type": "regular", "dependencies": [{"byName": [used, None]} for used in uses]}
                   for name, uses in self.manifest.items()]
        return {"products": [{"name": "Inlay", "targets": list(self.manifest)}], "targets": targets}


@pytest.fixture
def modules(architecture, monkeypatch, tmp_path):
    project = Modules(architecture, tmp_path)
    for name, value in {"ROOT": tmp_path, "TABLE": tmp_path / "Architecture.md", "PACKAGES": ["."],
                        "STILL_NAMED": {"InlayCore": {"CardKept"}}, "manifest": project.description}.items():
        monkeypatch.setattr(architecture, name, value)
    project.write("InlayCore", "Kept", "// A Hub and its CardFeed may stand in a comment.\nlet kept: CardKept\n")
    assert project.faults() == []
    return project


def test_a_dependency_that_only_the_manifest_or_only_the_table_has_is_reported(modules):
    modules.table["InlayCards"] = "Core"
    modules.table["InlayWire"] = "Core"
    assert modules.faults() == [
        "InlayWire declares nothing; Architecture.md says InlayCore",
        "InlayCards declares InlayCore, InlayWire; Architecture.md says InlayCore"]


def test_a_module_that_only_the_manifest_or_only_the_table_has_is_named(modules):
    del modules.table["InlayCards"]
    modules.table["InlayHub"] = "Core"
    assert modules.faults() == [
        "Architecture.md: the table has no row for InlayCards", "Architecture.md: no manifest declares InlayHub"]


@pytest.mark.parametrize("line", [
    "import InlayCards", "package import InlayCards", "@_spi(Inlay) import InlayCards", "import struct InlayCards.Card"])
def test_an_import_that_the_manifest_does_not_declare_is_named(modules, line):
    modules.write("InlayWire", "Value", f"{line}\n")
    assert modules.faults() == ["Sources/InlayWire/Value.swift imports InlayCards, which InlayWire does not declare"]


def test_a_dependency_that_no_source_imports_is_named(modules):
    modules.write("InlayCards", "Imports", "import InlayCore\n")
    assert modules.faults() == ["InlayCards declares InlayWire and never imports it"]


def test_a_module_of_more_than_12000_lines_is_named(modules):
    modules.write("InlayWire", "Long", "let one = 1\n" * 12_000)
    assert modules.faults() == []
    modules.write("InlayWire", "More", "\n")
    assert modules.faults() == ["InlayWire has 12001 lines; at most 12000 are allowed"]


@pytest.mark.parametrize("code, name", [
    ("let feed: CardFeed", "CardFeed"), ("let adsDomain = 1", "adsDomain"), ("DeviceAccount.id", "DeviceAccount"),
    ("import InlayHub", "InlayHub"), ("SELECT id FROM hub_files", "hub_files"), ('lane("devices")', '"devices"'),
    ('get("/v1/cards/:id")', '"/v1/cards/:id"'), ('count("ads_served")', '"ads_served"'),
    ('["name", "behaviors"]', '"behaviors"')])
def test_the_name_of_a_feature_is_reported_in_a_module_that_may_not_know_it(modules, code, name):
    if code.startswith("import"):
        modules.manifest["InlayHub"], modules.table["InlayHub"] = [], "nothing"
        modules.manifest["InlayCore"].append("InlayHub")
        modules.table["InlayCore"] = "Hub, Wire"
    modules.write("InlayCore", "Names", f"\n{code}\n")
    assert modules.faults() == [f"Sources/InlayCore/Names.swift:2: InlayCore may not know a feature: {name}"]
    (modules.folder / "Sources" / "InlayCore" / "Names.swift").rename(modules.folder / "Sources/InlayCards/Names.swift")
    assert all("may not know" not in fault for fault in modules.faults())


@pytest.mark.parametrize("code", [
    "let hub = NotificationHub()", "let device: UInt64", "let address = adapter.adjust()", 'text("not on this device")',
    'Self("reports of devices in their set-up", 20)', 'example("ads.example.com and others")', "cardinality"])
def test_words_that_only_resemble_the_name_of_a_feature_are_allowed(modules, code):
    modules.write("InlayCore", "Names", f"{code}\n")
    assert modules.faults() == []


def test_a_listed_name_of_a_feature_that_is_gone_is_named(modules):
    modules.write("InlayCore", "Kept", "")
    assert modules.faults() == ["InlayCore no longer names CardKept: take it off the list"]


def test_a_product_that_contains_a_target_of_tests_is_named(architecture):
    targets = [
        {"name": "App", "path": None, "dependencies": [{"byName": ["Fakes", None]}, {"product": ["Other", "other"]}]},
        {"name": "Fakes", "path": "Sources/Fakes", "dependencies": []},
        {"name": "CWitness", "path": "Tests/CWitness", "dependencies": []},
        {"name": "AppTests", "path": None, "dependencies": [{"byName": ["CWitness", None]}]},
    ]
    description = {"products": [{"name": "App", "targets": ["App"]}], "targets": targets}
    assert architecture.product_faults(description) == []
    targets[1]["dependencies"].append({"target": ["CWitness", None]})
    assert architecture.product_faults(description) == ["the product App contains CWitness, a target of Tests"]
