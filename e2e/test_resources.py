"""Tests of `Scripts/resources`, which checks the names of files in the server's pages, on copies of the sources with
faults."""

import functools
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT

SOURCES = Path("Server/Sources")
NAMES_A_FILE = re.compile(
    r"\bpage\(|render\(|emplate:|scripts:|icon:|arrow:|file\(|resource\(|/assets|/harbor/|enum ElementKind"
    r"|struct AssetFiles")


@functools.cache
def files_of_resources_script():
    """The paths of the script, of its imports, and of the files that it reads: bundles and sources that can name a file."""
    sources = [path for path in (ROOT / SOURCES).rglob("*.swift") if NAMES_A_FILE.search(path.read_text())]
    bundles = [path for folder in ("templates", "assets", "articles")
               for path in (ROOT / SOURCES).glob(f"*/Resources/{folder}/**/*") if path.is_file()]
    demo = [path for path in (ROOT / SOURCES / "inlay/Resources").rglob("*") if path.is_file()]
    scripts = [ROOT / "Scripts" / name for name in ("resources", "swiftcalls.py", "bootstrap")]
    return [path.relative_to(ROOT) for path in [*scripts, *sources, *bundles, *demo]]


class Pages:
    """A copy of the sources of the server's pages, and of their bundles."""

    def __init__(self, folder):
        self.folder = folder
        for path in files_of_resources_script():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)

    def replace(self, path, old, new):
        """Replaces the first occurrence of a text and returns its file and line."""
        file = self.folder / SOURCES / path
        before, found, after = file.read_text().partition(old)
        assert found, f"{path} has no {old}"
        file.write_text(before + new + after)
        return f"{SOURCES / path}:{before.count(chr(10)) + 1}"

    def faults(self):
        run = subprocess.run([sys.executable, "-B", self.folder / "Scripts" / "resources"],
                             capture_output=True, text=True, timeout=60)
        assert (run.returncode, run.stderr) == (1 if run.stdout else 0, "")
        return run.stdout.splitlines()


@pytest.fixture
def pages(tmp_path):
    return Pages(tmp_path)


def test_every_name_in_the_pages_of_the_server_has_its_file(pages):
    assert pages.faults() == []


REPORTS, REPORT_PAGES = "InlayAdsServer/Resources/templates/ads/reports.mustache", "InlayAdsServer/Pages/AdReportPages.swift"
WORKBENCH = "InlayWorkbench/Resources"


@pytest.mark.parametrize("path, old, new, words", [
    (REPORTS, "{{> sums}}", "{{> summs}}", "there is no template summs"),
    (REPORTS, "{{> sums}}", "{{> *sums}}", "there is no template *sums"),
    (REPORTS, "{{> sums}}", "{{< ads/frame}}{{/ads/frame}}", "there is no template ads/frame"),
    (REPORT_PAGES, '"ads/reports", model', '"ads/report", model', "there is no template ads/report"),
    (REPORT_PAGES, '"ads/reports", model', '"ads/\\(name)", model',
     'the name of a file of templates is no literal: "ads/\\(name)"'),
    (REPORT_PAGES, '"ads/reports", model', 'isOld ? "ads/reports" : ("ads/new"), model', "there is no template ads/new"),
    ("InlayBehaviorsServer/Pages/StreamPages.swift", 'template: "behaviors/stream-rows"', 'template: "behaviors/rows"',
     "there is no template behaviors/rows"),
    ("InlayWorkbench/SignIn/SignInPages.swift", '"sign-in", model', '"sign-on", model', "there is no template sign-on"),
    (REPORT_PAGES, '"charts.js"', '"chart-days.js"', "there is no asset chart-days.js"),
    (REPORT_PAGES, '["chart.js", "charts.js"]', "drawing",
     "the name of a file of assets is no literal: drawing"),
    (f"{WORKBENCH}/templates/layout.mustache", "assets/early.js", "assets/late.js", "there is no asset late.js"),
    (f"{WORKBENCH}/templates/layout.mustache", "assets/early.js", "assets/{{early}}.js",
     "the name of an asset is no literal: {{early}}.js"),
    ("InlayHubServer/Resources/assets/hub.js", '"./preview.js"', '"./previews.js"', "there is no asset previews.js"),
    (f"{WORKBENCH}/assets/tokens.css", "inter-medium.otf", "inter-bold.otf", "there is no asset inter-bold.otf"),
    ("InlayDevicesServer/Recovery/RecoveryPages.swift", 'file("recover.css")', 'file("recovery.css")',
     "there is no asset recovery.css"),
    ("InlayDevicesServer/Resources/templates/recover/page.mustache", "<main>", "{{> head}}<main>",
     "the template head is in InlayWorkbench; this page has those of InlayDevicesServer alone"),
    ("InlayAdsServer/AdsFeature+Pages.swift", 'icon: "image"', 'icon: "picture"', "icons.svg has no picture"),
    ("InlayCardsServer/Pages/Templates/TemplateOrder.swift", '"sort-up"', '"sort"', "icons.svg has no sort"),
    ("InlayCardsServer/Pages/Templates/ElementKind.swift", "case category", "case banner, category",
     "icons.svg has no banner"),
    (f"{WORKBENCH}/templates/pager.mustache", "icons.svg#right", "icons.svg#next", "icons.svg has no next"),
    ("InlayHubServer/Text/HubPageTemplate.swift", 'resource("inlay-page.css")', 'resource("page.css")',
     "there is no file of articles page.css"),
    ("InlayHubServer/Resources/articles/page.html", "inlay-page.css", "page.css", "there is no file of articles page.css"),
    ("InlayWorkbench/Frame/AssetFiles.swift", '"chart.js": Self', '"plot.js": Self',
     "plot.js must be here and in the list DEBIAN of Scripts/resources"),
    ("inlay/Demo/DemoApp.swift", '"app.js": file', '"phone.js": file', "Resources/app has no phone.js"),
    ("inlay/Demo/HarborAds.swift", "/harbor/island.svg", "/harbor/isle.svg", "Resources/harbor has no isle.svg"),
    ("inlay/Resources/harbor/templates.json", "harbor:morning", "harbor:evening",
     "Resources/harbor has no evening.svg"),
    ("inlay/Resources/harbor/hub/articles/seal-rocks.md", "assets/seal.svg", "assets/seals.svg",
     "Resources/harbor/hub/assets has no seals.svg"),
])
def test_a_name_that_has_no_file_is_reported_with_its_line(pages, path, old, new, words):
    place = pages.replace(path, old, new)
    assert f"{place}: {words}" in pages.faults()


@pytest.mark.parametrize("name, words", [
    ("templates/ads/old.mustache", "template ads/old"), ("assets/old.js", "asset old.js"),
    ("templates/ads/old.html", "template ads/old.html"), ("assets/old/a.svg", "asset old/a.svg")])
def test_a_file_that_no_page_needs_is_reported(pages, name, words):
    path = pages.folder / SOURCES / "InlayAdsServer" / "Resources" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    # A file that only names itself is not needed.
    path.write_text("{{> ads/old}}" if path.suffix == ".mustache" else "")
    assert pages.faults() == [f"{path.relative_to(pages.folder)}:1: no page needs the {words}"]


@pytest.mark.parametrize("name", ["app/old.css", "harbor/old.svg", "harbor/hub/assets/old.webm"])
def test_a_file_that_the_demo_does_not_name_is_reported(pages, name):
    path = pages.folder / SOURCES / "inlay" / "Resources" / name
    path.write_text("")
    assert pages.faults() == [f"{path.relative_to(pages.folder)}:1: the demo does not name it"]


def test_an_icon_that_no_page_needs_is_reported(pages):
    place = pages.replace(f"{WORKBENCH}/assets/icons.svg", "</svg>", '<symbol id="moon"></symbol></svg>')
    assert pages.faults() == [f"{place}: no page needs the icon moon"]


def test_a_file_that_only_an_unneeded_file_names_is_reported(pages):
    pages.replace(REPORT_PAGES, '"ads/reports", model', '"ads/refused", model')
    assert pages.faults() == [
        f"{SOURCES}/InlayAdsServer/Resources/templates/{name}.mustache:1: no page needs the template {name}"
        for name in ("ads/line-head", "ads/reports")]


@pytest.mark.parametrize("bundle, name, words", [
    ("InlayZoo", "templates/sums.mustache", "InlayWorkbench has the template sums too; one hides the other"),
    ("InlayZoo", "assets/charts.js", "InlayWorkbench has the asset charts.js too; one hides the other"),
    ("InlayAdsServer", "assets/chart.js", "it hides chart.js of Debian's libjs-chart.js")])
def test_a_name_that_two_files_have_is_reported(pages, bundle, name, words):
    path = pages.folder / SOURCES / bundle / "Resources" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    assert pages.faults() == [f"{path.relative_to(pages.folder)}:1: {words}"]


def test_an_entry_of_a_list_that_nothing_needs_is_reported(pages):
    pages.replace(f"{WORKBENCH}/templates/nav-entry.mustache", "icons.svg#{{icon}}", "icons.svg#menu")
    assert pages.faults() == ["Scripts/resources:1: templates/nav-entry no longer needs {{icon}}: take it off the list"]
