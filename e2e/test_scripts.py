"""The scripts of `make`: installation and its error messages, proofs of requirements, retries, mutants, documentation."""

import importlib.machinery
import importlib.util
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT
from waiting import SECONDS_TO_WAIT, until

REQUIREMENTS = ROOT / "Scripts" / "requirements"


# ---------------------------------------------------------------- bootstrap


def bootstrap(goal, path=None):
    environment = dict(os.environ, PATH=str(path)) if path else None
    return subprocess.run(
        [ROOT / "Scripts" / "bootstrap", goal], capture_output=True, text=True, timeout=60, env=environment
    )


@pytest.mark.parametrize("goal", ["demo", "test"])
def test_a_second_set_up_runs_no_package_manager_and_changes_nothing(goal, tmp_path):
    # If a set-up were due, it would replace the Python environment that this test runs in.
    stamp = ROOT / ".venv" / "requirements.sha256"
    due = subprocess.run(["sha256sum", "--check", "--status", stamp], cwd=ROOT, timeout=60).returncode != 0
    assert not due, "run Scripts/bootstrap test first"
    made = stamp.stat().st_mtime_ns
    for program in ("apt-get", "sudo", "pip"):
        (tmp_path / program).write_text("#!/bin/sh\necho asked; exit 1\n")
        (tmp_path / program).chmod(0o755)
    run = bootstrap(goal, f"{tmp_path}:{os.environ['PATH']}")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert stamp.stat().st_mtime_ns == made


@pytest.fixture
def bare(tmp_path):
    """A folder with the few programs that the script needs, and without a package manager, as its only search path."""
    for program in ("bash", "env", "dirname", "sha256sum", "cat", "swift", "make", "python3"):
        found = shutil.which(program)
        assert found, program
        (tmp_path / program).symlink_to(found)
    return tmp_path


@pytest.mark.parametrize("goal", ["demo", "test", "bench"])
def test_without_apt_get_a_set_up_says_what_to_install(bare, goal):
    run = bootstrap(goal, bare)
    assert run.returncode == 1 and run.stdout == ""
    assert "no apt-get" in run.stderr
    named = {line.strip() for line in run.stderr.splitlines() if line.startswith("  ")}
    assert {"libsqlite3-dev", "libpq-dev", "libsodium-dev", "libcmark-gfm-dev", "zlib1g-dev"} <= named
    assert ({"chromium", "faketime"} <= named) == (goal == "test")
    assert ("wrk" in named) == (goal == "bench")


def test_without_swift_a_set_up_says_so(bare):
    (bare / "swift").unlink()
    run = bootstrap("demo", bare)
    assert run.returncode == 1 and "Swift is missing" in run.stderr


def test_an_unknown_goal_is_refused_with_the_list_of_goals():
    run = bootstrap("everything")
    assert run.returncode == 2 and "demo|gtk|test|bench|docs" in run.stderr


# ---------------------------------------------------------------- bench


@pytest.fixture
def bench(tmp_path):
    """Runs a copy of `Scripts/bench` without `wrk` on its search path. Its compiler makes a program that prints its
    arguments."""
    (tmp_path / "Scripts").mkdir()
    shutil.copy(ROOT / "Scripts" / "bench", tmp_path / "Scripts")
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in ("bash", "env", "dirname", "mkdir", "chmod", "grep", "head"):
        (programs / program).symlink_to(shutil.which(program))
    (programs / "swift").write_text("""#!/usr/bin/env bash
mkdir -p .build-bench/server/release
printf '#!/usr/bin/env bash\\necho "$@"\\n' >.build-bench/server/release/bench
chmod +x .build-bench/server/release/bench
""")
    (programs / "swift").chmod(0o755)

    def run(*options):
        return subprocess.run([tmp_path / "Scripts" / "bench", *options], capture_output=True, text=True, timeout=60,
                              env={"PATH": str(programs)})

    return run


def test_a_benchmark_without_wrk_says_so_before_it_builds_and_measures_the_other_rows(bench):
    run = bench("--quick")
    assert run.returncode == 0
    first, *rest = run.stderr.splitlines()
    assert first.startswith("Left out, because wrk is missing: feed intake auction setup.")
    assert "Scripts/bootstrap bench" in first and "Building" in rest[-1]
    words = run.stdout.split()
    rows = {row for option, row in zip(words, words[1:]) if option == "--only"}
    assert {"enqueue", "hub", "light"} <= rows and not rows & {"feed", "intake", "auction", "setup"}
    assert "--quick" in words


def test_a_benchmark_of_rows_that_all_need_wrk_builds_nothing(bench):
    run = bench("--only", "feed", "--only=auction")
    assert (run.returncode, run.stdout) == (1, "")
    assert "Left out, because wrk is missing: feed auction." in run.stderr and "Building" not in run.stderr


# ---------------------------------------------------------------- requirements

HEAD = "id\tsection\tapi\trequirement\tcheck\twhere\tproof"
REPORT = """<testsuites><testsuite name="TestResults">
<testcase classname="A.B" name="`it works`()" time="0.1" />
<testcase classname="A.B" name="`it says "no" for each kind`(kind:)" time="0.1" />
<testcase classname="A.B" name="`it breaks`()" time="0.1">
<failure message="no"></failure>
</testcase>
<testcase classname="e2e" name="test_left_out[a]" time="0.1"><skipped message="why"/></testcase>
<testcase classname="e2e" name="test_page[a]" time="0.1" />
</testsuite></testsuites>"""


class Ledger:
    """A project with one table of requirements, one test report, and the real script."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "Scripts").mkdir()
        (folder / "Docs" / "Requirements").mkdir(parents=True)
        (folder / "reports").mkdir()
        (folder / "reports" / "all.xml").write_text(REPORT)
        (folder / "Docs" / "Page.md").write_text("# Page\n\n## What it says\n\nWords.\n\n## Empty\n")
        self.script = folder / "Scripts" / "requirements"
        shutil.copy(REQUIREMENTS, self.script)
        for module in ("proofs.py", "outcomes.py"):
            shutil.copy(REQUIREMENTS.with_name(module), self.script.parent)
        self.allow()

    def allow(self, *exceptions):
        """Writes the list of allowed exceptions, each as a rule and its subject."""
        lines = ["rule\tsubject", *("\t".join(exception) for exception in exceptions)]
        (self.folder / "Docs" / "Requirements" / "exceptions.tsv").write_text("\n".join(lines) + "\n")

    def check(self, *rows):
        """Writes the rows, each as its `where` and its proof, and runs the check; returns its status and output."""
        lines = [HEAD, *("\t".join([f"X-{number}", "s", "a", "r", "c", where, proof])
                         for number, (where, proof) in enumerate(rows, start=1))]
        (self.folder / "Docs" / "Requirements" / "things.tsv").write_text("\n".join(lines) + "\n")
        run = subprocess.run([sys.executable, self.script, "check", self.folder / "reports"],
                             capture_output=True, text=True, timeout=60)
        return run.returncode, run.stdout


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path)


def test_rows_are_proved_by_tests_that_passed_and_by_pages_that_exist(ledger):
    ledger.allow(("browser", "X-3"), ("proof", "X-4"), ("section", "X-5"))
    status, words = ledger.check(
        ("any", "it works"), ("any", 'it says "no" for each kind | test_page'), ("ui", "test_page"), ("any", ""),
        ("doc", "Docs/Page.md"), ("doc", "Docs/Page.md#what-it-says"), ("apple", "n/a: there is none here"))
    assert status == 0, words
    assert "things: 3 of 4 rows proved by tests, 3 others answered" in words


@pytest.mark.parametrize("where, proof, words", [
    ("any", "it breaks", "failed: it breaks"),
    ("any", "it works | it breaks", "failed: it breaks"),
    ("any", "it never was", "did not run: it never was"),
    ("any", "test_left_out", "failed: test_left_out"),
    ("doc", "Docs/Nowhere.md", "no page Docs/Nowhere.md"),
    ("doc", "Docs/Page.md#gone", "no section Docs/Page.md#gone"),
    ("doc", "Docs/Page.md#empty", "no section Docs/Page.md#empty"),
])
def test_a_proof_that_did_not_run_and_pass_fails_the_check_and_is_named(ledger, where, proof, words):
    status, said = ledger.check((where, proof))
    assert status == 1 and f"things.tsv X-1: {words}" in said
    assert "0 of" in said


def test_a_row_that_breaks_a_rule_fails_unless_it_is_listed(ledger):
    rows = [("any", "it works"), ("any", ""), ("ui", "it works"), ("doc", "Docs/Page.md"), ("apple", "")]
    status, said = ledger.check(*rows)
    broken = [("proof", "X-2"), ("browser", "X-3"), ("section", "X-4"), ("note", "X-5")]
    assert status == 1
    for rule, row in broken:
        assert f"{row}: the rule '{rule}' is broken" in said
    ledger.allow(*broken)
    assert ledger.check(*rows)[0] == 0


def test_an_exception_that_is_no_longer_needed_fails(ledger):
    ledger.allow(("proof", "X-1"))
    status, said = ledger.check(("any", "it works"))
    assert status == 1 and "proof X-1 is no longer needed" in said


def test_a_table_that_lost_a_column_is_named_with_its_line(ledger):
    (ledger.folder / "Docs" / "Requirements" / "things.tsv").write_text(HEAD + "\nX-1\ts\ta\n")
    run = subprocess.run([sys.executable, ledger.script, "check", ledger.folder / "reports"],
                         capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "things.tsv:2" in run.stderr


# ---------------------------------------------------------------- postgres


def is_running(number):
    try:
        # The state follows the name, which is in brackets. Z is a process that has ended but was not waited for.
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_a_database_and_its_command_end_with_the_script_that_started_them(sent):
    # A child in its own process group, which `timeout` makes, and one that ignores SIGTERM.
    command = 'timeout 600 sleep 600 & (trap "" TERM; while :; do sleep 600; done) & echo $$ $! "$TMPDIR"; wait'
    script = subprocess.Popen([ROOT / "Scripts" / "postgres", "run", "--", "bash", "-c", command],
                              stdout=subprocess.PIPE, text=True)
    ready, _, _ = select.select([script.stdout], [], [], 2 * SECONDS_TO_WAIT)
    if not ready:
        script.terminate()
        pytest.fail("the database did not start")
    shell, child, folder = script.stdout.readline().split()
    server = next(process for process in Path(f"/proc/{script.pid}/task/{script.pid}/children").read_text().split()
                  if Path(f"/proc/{process}/comm").read_text() == "postgres\n")
    every = subprocess.run(["pgrep", "-s", shell], capture_output=True, text=True, timeout=60).stdout.split()
    assert {shell, child} < set(every)
    assert all(is_running(process) for process in [server, *every])
    try:
        script.send_signal(sent)
        # A killed script cannot end other processes; the kernel ends its two direct children.
        must_end = [server, *every] if sent == signal.SIGTERM else [server, shell]
        until(lambda: not any(is_running(process) for process in must_end))
        script.wait(SECONDS_TO_WAIT)
        assert sent == signal.SIGKILL or not Path(folder).exists()
    finally:
        subprocess.run(["pkill", "-KILL", "-s", shell], timeout=60)
        shutil.rmtree(Path(folder).parent, ignore_errors=True)


# ---------------------------------------------------------------- retry and verdict

# A report as Swift Testing writes it: quotes in names are not escaped, and the beginning is written when the program starts.
BEGINNING = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
FAILURE = '<testcase classname="{}" name="{}" time="0.1">\n<failure message="{}" />\n</testcase>\n'
PASSED = '<testcase classname="A.B" name="`it works`()" time="0.1" />\n'
# A fake test program: each call follows the next line of its plan.
PROGRAM = """#!/bin/bash
cd "$(dirname "$0")"
printf '%s\\n' "$*" >>calls
read -r act <plan; sed -i 1d plan
case $act in
pass) echo "Test run with 1 test in 1 suite passed" ;;
none) echo "Test run with 0 tests in 0 suites passed" ;;
fail) echo "Test run with 1 test in 1 suite failed"; exit 1 ;;
*) cp "$act.xml" reports/sdk.xml; echo "Test run with 1 test in 1 suite"; exit "${act##*-}" ;;
esac
"""


class Run:
    """A test run with one test program: its folder of reports, which the retry and verdict scripts read."""

    def __init__(self, folder):
        self.folder = folder
        self.programs = ["sdk"]
        self.reports = folder / "reports"
        self.reports.mkdir()
        program = folder / "program"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        command = [str(program), "--no-parallel", "--xunit-output", "x.xml", "--filter", "^A"]
        (self.reports / "sdk.command").write_text("".join(f"{part}\0" for part in command))
        (self.reports / "sdk.status").write_text("1\n")
        (self.reports / "sdk.log").write_text("")

    def failed(self, *names, suite="A.B"):
        """Writes a report in which these tests failed."""
        cases = "".join(FAILURE.format(suite, name, "Expectation failed: 1 == 2") for name in names)
        (self.reports / "sdk.xml").write_text(f"{BEGINNING}{cases}</testsuites>")

    def crashed(self):
        """Writes the files of a first run that crashed, and possible reports of a second run, named by what happens in that
        run and its status."""
        (self.reports / "sdk.status").write_text("139\n")
        (self.reports / "sdk.xml").write_text(BEGINNING)
        complete = f"{BEGINNING}{PASSED}</testsuites>"
        for name, report in {"well-0": complete, "at-the-end-139": complete, "without-a-test-1": complete,
                             "in-the-middle-139": BEGINNING + PASSED}.items():
            (self.folder / f"{name}.xml").write_text(report)
        (self.reports / "sdk.log").write_text(
            '◇ Test "it ends" started.\n✔ Test "it ends" passed after 0.1 seconds.\n'
            '◇ Test "it crashes" started.\n◇ Test case passing 1 argument x → "a" to "it crashes" started.\n'
            'A.swift:1: Fatal error: no value\n')

    def end(self, *plan):
        """Runs the retries by this plan, and then the verdict; returns the verdict's status and output."""
        (self.folder / "plan").write_text("".join(f"{act}\n" for act in plan))
        commands = [["retry", self.reports, *self.programs], ["verdict", self.reports]]
        runs = [subprocess.run([sys.executable, ROOT / "Scripts" / name, *rest],
                               cwd=ROOT, capture_output=True, text=True, timeout=60)
                for name, *rest in commands]
        assert (runs[0].returncode, runs[0].stderr, runs[1].stderr) == (0, "", "")
        return runs[1].returncode, runs[1].stdout

    @property
    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def tried(tmp_path):
    return Run(tmp_path)


@pytest.mark.parametrize("plan", [["pass", "pass"], ["fail", "pass", "pass"]])
def test_a_failed_test_that_passes_twice_in_a_row_alone_is_unstable_and_forgiven(tried, plan):
    tried.failed("`it is busy`()")
    status, said = tried.end(*plan, "fail")
    assert status == 0, said
    assert f"unstable: A.B/`it is busy`(), see {tried.reports}/sdk.log" in said
    assert said.splitlines()[-1] == "1 passed, 0 failed"
    assert len(tried.calls) == len(plan)
    # The arguments of the whole run for its filter and its report are left out.
    assert tried.calls[0] == r"--no-parallel --filter ^A[./]B/`it\ is\ busy`\(\)(/|$)"


@pytest.mark.parametrize("plan, calls", [
    (["fail", "fail"], 2), (["pass", "fail"], 2), (["fail", "pass", "fail"], 3), (["none", "none"], 2)])
def test_a_test_that_fails_again_or_finds_no_test_has_failed_and_is_the_last_thing_printed(tried, plan, calls):
    tried.failed("`it breaks`()")
    status, said = tried.end(*plan, "pass", "pass")
    assert status == 1 and "unstable" not in said
    assert said.splitlines()[-2:] == ["0 passed, 1 failed", "A.B/`it breaks`(): Expectation failed: 1 == 2"]
    assert len(tried.calls) == calls


def test_a_skipped_test_did_not_pass(tried):
    case = '<testcase classname="A.B" name="`it says "no"`()" >\n<skipped />\n</testcase>\n'
    (tried.reports / "sdk.xml").write_text(f"{BEGINNING}{PASSED}{case}</testsuites>")
    status, said = tried.end("none", "none")
    assert status == 1
    assert said.splitlines()[-2:] == ["1 passed, 1 failed", 'A.B/`it says "no"`(): ']


def test_more_than_six_unstable_tests_are_failures(tried):
    tried.failed(*(f"`it is busy {number}`()" for number in range(8)))
    status, said = tried.end(*["pass"] * 16)
    assert status == 1 and "unstable:" not in said
    assert "0 passed, 9 failed" in said.splitlines()
    assert said.splitlines()[-7].startswith("More than 6 failed and passed when they ran again")


def test_a_program_that_crashed_runs_its_last_test_and_then_all_once_more(tried):
    tried.crashed()
    status, said = tried.end("pass", "well-0")
    assert status == 0, said
    assert 'unstable: sdk crashed in "it crashes"' in said and said.splitlines()[-1] == "1 passed, 0 failed"
    assert tried.calls == [r'--no-parallel --filter /`it\ crashes`', "--no-parallel --xunit-output x.xml --filter ^A"]


@pytest.mark.parametrize("plan", [
    ["fail"], ["pass", "in-the-middle-139"], ["pass", "at-the-end-139"], ["pass", "without-a-test-1"], ["pass", "none"]])
def test_a_program_that_crashes_again_has_failed_with_the_test_and_the_reason(tried, plan):
    tried.crashed()
    status, said = tried.end(*plan)
    assert status == 1 and "unstable" not in said
    assert said.splitlines()[-2].endswith(" passed, 1 failed")
    assert said.splitlines()[-1].startswith('sdk crashed in "it crashes": status 139: A.swift:1: Fatal error: no value')


@pytest.mark.parametrize("lost", ["status", "report", "program"])
def test_a_program_that_left_nothing_has_failed(tried, lost):
    tried.failed("`it breaks`()")
    if lost == "status":
        (tried.reports / "sdk.status").unlink()
    else:
        (tried.reports / "sdk.xml").unlink()
    if lost == "program":
        (tried.folder / "program").unlink()
    status, said = tried.end("none", "none")
    assert status == 1
    assert "sdk crashed: status" in said.splitlines()[-2] + said.splitlines()[-1]


def test_a_program_that_never_began_has_failed(tried):
    tried.programs += ["linux"]
    (tried.reports / "sdk.status").write_text("0\n")
    (tried.reports / "sdk.xml").write_text(f"{BEGINNING}{PASSED}</testsuites>")
    status, said = tried.end()
    assert status == 1
    assert said.splitlines()[-2:] == ["1 passed, 1 failed", "linux did not run"]


@pytest.mark.parametrize("plan, expected", [
    (["well-0", "pass", "pass"], "unstable: A.B/`it is busy`()"),
    (["well-0", "fail", "fail"], "A.B/`it is busy`(): Expectation failed: 1 == 2"),
    (["at-the-end-139", "pass", "pass"], "sdk crashed: status 1: {}"),
])
def test_an_issue_that_belongs_to_no_test_and_the_failed_tests_of_its_program_are_tried(tried, plan, expected):
    tried.crashed()
    tried.failed("`it is busy`()")
    (tried.reports / "sdk.status").write_text("1\n")
    issue = "✘ Test «unknown» recorded an issue at A.swift:4:75: Issue recorded"
    (tried.reports / "sdk.log").write_text(f"{issue}\n")
    status, said = tried.end(*plan)
    assert expected.format(issue) in said
    assert status == (0 if expected.startswith("unstable") else 1), said
    assert ("unstable: sdk crashed" in said) == (plan[0] == "well-0")
    assert len(tried.calls) == 3


def test_a_browser_test_is_tried_in_a_process_of_its_own(tried, tmp_path):
    (tried.reports / "sdk.command").write_text(".venv/bin/python\0-m\0pytest\0e2e\0")
    name = "test_an_unknown_goal_is_refused_with_the_list_of_goals"
    tried.failed(name, suite="e2e.test_scripts")
    status, said = tried.end()
    assert status == 0, said
    assert f"unstable: e2e.test_scripts/{name}" in said


def test_a_failure_outside_of_the_tests_is_counted_and_named(tried):
    (tried.reports / "sdk.status").write_text("0\n")
    (tried.reports / "sdk.xml").write_text(f"{BEGINNING}{PASSED}</testsuites>")
    (tried.reports / "broken.txt").write_text("the build of Server: A.swift:1:2: error: no such type\n")
    status, said = tried.end()
    assert status == 1
    assert said.splitlines()[-2:] == ["1 passed, 1 failed", "the build of Server: A.swift:1:2: error: no such type"]


# ---------------------------------------------------------------- mutate


@pytest.fixture
def mutate(monkeypatch):
    """`Scripts/mutate`, loaded as a Python module."""
    monkeypatch.syspath_prepend(str(ROOT / "Scripts"))
    loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / "Scripts" / "mutate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
    monkeypatch.setitem(sys.modules, "mutate", module)
    loader.exec_module(module)
    return module


@pytest.fixture
def mutants(mutate, monkeypatch, tmp_path):
    """Three mutants of the SDK, each in another file. The script's copy of the checkout is in a temporary folder."""
    monkeypatch.setattr(mutate, "TREE", tmp_path / "tree")
    tests = mutate.declarations()

    def is_of_the_sdk(mutant):
        packages = {test.package for name in mutant.tests for test in tests[name]}
        return re.match(r"Sources/.*[.]swift$", mutant.file) and packages == {"."}

    return list({one.file: one for one in mutate.read_table()[0] if is_of_the_sdk(one)}.values())[:3]


def builds_with(mutate, monkeypatch, tmp_path, program):
    """Replaces the compiler by a program."""
    build = tmp_path / "build"
    build.write_text(program)
    build.chmod(0o755)
    monkeypatch.setattr(mutate, "BUILD", str(build))


@pytest.mark.parametrize("minutes, status", [(None, 1), (0.01, 0)])
def test_mutants_that_did_not_run_are_a_failure_unless_a_time_limit_was_given(
    mutate, mutants, monkeypatch, tmp_path, capsys, minutes, status
):
    builds_with(mutate, monkeypatch, tmp_path, "#!/bin/sh\nexec sleep 600\n")
    monkeypatch.setattr(mutate, "SECONDS_FOR_A_BUILD", 1)
    assert mutate.run(mutants, mutants[:1], minutes) == status
    said = capsys.readouterr().out
    assert f"1 mutants did not run, the time was over: {mutants[0].id}" in said
    assert "0 of 0 mutants killed" in said


# A fake compiler that refuses the mutant `bad`, and builds a test program that fails with the mutant `good`.
COMPILER = """#!{python}
import pathlib, sys
source, switch = pathlib.Path("{bad.file}"), 'inlayMutant("{bad.id}")'
text = source.read_text()
if switch in text:
    before = text[:text.index(switch)]
    line, column = before.count("\\n") + 1, len(before) - before.rfind("\\n")
    print(f"{{pathlib.Path.cwd() / source}}:{{line}}:{{column}}: error: cannot find 'x' in scope")
    sys.exit(1)
program = pathlib.Path(".build/debug/inlayPackageTests.xctest")
program.parent.mkdir(parents=True, exist_ok=True)
program.write_text('#!/bin/sh\\necho "Test run with 1 test in 1 suite"; [ "$INLAY_MUTANT" != "{good.id}" ]\\n')
program.chmod(0o755)
"""


def test_a_mutant_that_does_not_compile_is_named_and_left_out_and_the_others_run(
    mutate, mutants, monkeypatch, tmp_path, capsys
):
    good, bad, weak = mutants
    builds_with(mutate, monkeypatch, tmp_path, COMPILER.format(python=sys.executable, good=good, bad=bad))
    assert mutate.run(mutants, mutants) == 1
    assert [one.verdict for one in mutants] == ["killed", "NO BUILD", "LIVES"]
    said = capsys.readouterr().out
    assert f"NO BUILD  {bad.id}  {bad.file}: cannot find 'x' in scope" in said
    assert f"{bad.id}: it does not compile (mutants.tsv:{bad.line})" in said
    assert f"{weak.id}: no named test noticed it" in said and "1 of 3 mutants killed" in said
    # The copy has no switch for the mutant that was left out, and the checkout has no switches.
    assert (mutate.TREE / bad.file).read_bytes() == (ROOT / bad.file).read_bytes()
    assert f'inlayMutant("{good.id}")' in (mutate.TREE / good.file).read_text()
    assert "inlayMutant" not in (ROOT / good.file).read_text()


def test_a_copy_that_does_not_build_for_another_reason_says_why(mutate, mutants, monkeypatch, tmp_path):
    builds_with(mutate, monkeypatch, tmp_path, "#!/bin/sh\necho 'Package.swift:1:1: error: no such package'; exit 1\n")
    with pytest.raises(SystemExit, match="(?s)does not build.*no such package"):
        mutate.run(mutants, mutants)


@pytest.mark.parametrize("place, left_out", [("1:1", "A"), ("2:1", "A"), ("2:30", "A"), ("4:1", "B"), ("5:1", "B")])
def test_an_error_leaves_out_the_mutant_of_its_line_or_else_the_one_before_it(mutate, place, left_out):
    source = 'let a = 1\nlet b = (inlayMutant("A") ? (1) : (2))\n\nlet c = d + (inlayMutant("B") ? (3) : (4))\nc()\n'
    mutants = [mutate.Mutant(id, "F.swift", "", "", 1, []) for id in "AB"]
    mutate.leave_out(mutants, f"{mutate.TREE}/F.swift:{place}: error: no", {"F.swift": source})
    assert [one.id for one in mutants if one.verdict == "NO BUILD"] == [left_out]


def test_a_run_for_a_row_without_mutants_fails(mutate, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mutate", "NO-ROW"])
    with pytest.raises(SystemExit) as end:
        mutate.main()
    assert end.value.code == 2


@pytest.mark.parametrize("source, text, expected", [
    ("let a = b + c", "b + c", 'let a = (inlayMutant("X") ? (R) : (b + c))'),
    ("    go(a)\n    end()\n", "    go(a)", 'if inlayMutant("X") { R } else {     go(a) }\n    end()\n'),
    ("f(\n    a,\n    b\n)", "    b", 'f(\n    a,\n(inlayMutant("X") ? (R) : (    b))\n)'),
    ('let a = "b c"', "b", 'let a = "\\(inlayMutant("X") ? "R" : "b") c"'),
    ('let a = "\\(b) c"', "b", 'let a = "\\((inlayMutant("X") ? (R) : (b))) c"'),
    ('let a = """\n    b c\n    """', "b", 'let a = """\n    \\(inlayMutant("X") ? "R" : "b") c\n    """'),
    ('call("a", b)', "b", 'call("a", (inlayMutant("X") ? (R) : (b)))'),
])
def test_a_switch_fits_the_place_of_its_text(mutate, source, text, expected):
    before, _, after = source.partition(text)
    mutant = mutate.Mutant("X", "A.swift", text, "R", 1, [])
    assert before + mutant.switch(before, text, after) + after == expected


def test_sources_that_cannot_be_parsed_are_named_with_their_line(mutate):
    sources = {"Sources/A.swift": "func a() {}\n", "Sources/B.swift": "\nfunc b() { (1 ? ) }\n"}
    faults = mutate.syntax_errors(sources)
    assert len(faults) == 1 and faults[0].startswith("Sources/B.swift:2:")


def test_what_a_test_started_in_a_process_group_of_its_own_ends_with_it(mutate, monkeypatch, tmp_path):
    monkeypatch.setattr(mutate, "TREE", tmp_path)
    for ending, expected in (("exit 3", 3), ("sleep 600", mutate.LATE)):
        status, said = mutate.call(["bash", "-c", f"set -m; sleep 600 & echo $!; {ending}"], 1)
        assert status == expected
        until(lambda: not is_running(said.strip()))


# ---------------------------------------------------------------- words


@pytest.fixture
def words(monkeypatch):
    """`Scripts/words`, loaded as a Python module."""
    loader = importlib.machinery.SourceFileLoader("inlay_words", str(ROOT / "Scripts" / "words"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("inlay_words", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("name, text, lines", [
    ("page.html", "<p>Nobody is\ntold</p>", [2]),
    ("program.py", '"""A text.\n\nIt is told.\n"""\n\ndef f():\n    """Told."""\n    return "told"\n', [3, 7]),
])
def test_words_of_pages_and_of_documentation_strings_are_found(words, monkeypatch, tmp_path, capsys, name, text, lines):
    (tmp_path / "Scripts").mkdir()
    shutil.copy(ROOT / "Scripts" / "words.tsv", tmp_path / "Scripts")
    (tmp_path / name).write_text(text)
    monkeypatch.setattr(words, "ROOT", tmp_path)
    monkeypatch.setattr(words, "files", lambda: [name])
    assert words.main() == 1
    found = capsys.readouterr().err.splitlines()
    assert [int(line.split(":")[1]) for line in found] == lines
    assert all("(prose)" in line for line in found)


# ---------------------------------------------------------------- documentation


@pytest.fixture
def documentation(monkeypatch):
    loader = importlib.machinery.SourceFileLoader("inlay_docs", str(ROOT / "Scripts" / "docs"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("inlay_docs", loader))
    loader.exec_module(module)
    return module


def test_a_link_of_a_guide_that_leads_nowhere_is_named(documentation, monkeypatch, tmp_path):
    (tmp_path / "Docs" / "Decisions").mkdir(parents=True)
    one, other, unlisted = (tmp_path / "Docs" / name for name in ("One.md", "Other.md", "Unlisted.md"))
    one.write_text("# One\n\n[a](Other.md) [b](Other.md#a-part) [c](Gone.md) [d](Other.md#gone) [e](https://example.com)\n")
    other.write_text("# Other\n\n## A part\n\n![p](p.png)\n")
    unlisted.write_text("# Unlisted\n")
    (tmp_path / "Docs" / "p.png").write_bytes(b"")
    monkeypatch.setattr(documentation, "ROOT", tmp_path)
    monkeypatch.setattr(documentation, "GUIDES", {"All": ["Docs/One.md", "Docs/Other.md", "Docs/Lost.md"]})
    guides, faults = documentation.all_guides()
    assert faults == [
        "Docs/Unlisted.md: the menu in Scripts/docs does not name it", "Docs/Lost.md: there is no such guide"]
    body, lost, _ = documentation.linked(guides[one], guides)
    assert lost == ["Docs/One.md: no such file: Gone.md", "Docs/One.md: no such heading: Other.md#gone"]
    assert 'href="/guides/Docs/Other.html#a-part"' in body and 'href="https://example.com"' in body
    assert documentation.linked(guides[other], guides)[1:] == ([], {tmp_path / "Docs" / "p.png"})
