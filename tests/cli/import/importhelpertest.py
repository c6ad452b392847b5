#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Tests the program that `rekindle import` runs. With --write, it writes the golden files."""

import contextlib
import importlib
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
HELPER = HERE.parents[2] / "src/import/rekindle_import"
SAMPLES = HERE / "samples"
sys.path.insert(0, str(HELPER))
sys.dont_write_bytecode = True

import output  # noqa: E402
import systemd  # noqa: E402
import words  # noqa: E402
import yamlfile  # noqa: E402


def run(form, file, *options, folder=None, path=None):
    """Variables as the samples expect them, and no programs but those of the system."""
    environment = {"PATH": path or "/usr/bin:/bin", "HOME": "/home/shop", "TARGET": "here"}
    return subprocess.run(
        [sys.executable, "-I", "-B", str(HELPER), form, str(file), *options], cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)


def samples():
    for golden in sorted(SAMPLES.glob("*/*.golden")):
        yield golden.parent.name, golden.with_suffix("")


def result_of(form, sample):
    """The messages, then the configuration."""
    completed = run(form, sample.name, folder=sample.parent)
    return completed.stderr + completed.stdout


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def rejected(self, form, name, content, code=78):
        """The messages of a file that is not converted."""
        completed = run(form, self.file(name, content))
        self.assertEqual((completed.returncode, completed.stdout), (code, b""), completed.stderr[-500:])
        self.assertNotIn(b"Traceback", completed.stderr)
        return completed.stderr.decode()

    def converted(self, form, name, content, *options):
        completed = run(form, self.file(name, content), *options)
        self.assertEqual(completed.returncode, 0, completed.stderr[-500:])
        return completed.stdout.decode()


class Samples(unittest.TestCase):
    maxDiff = None

    def testConvertsSamples(self):
        for form, sample in samples():
            if sample.suffix in (".js", ".json") and not shutil.which("node", path="/usr/bin:/bin"):
                continue
            with self.subTest(sample=f"{form}/{sample.name}"):
                golden = sample.with_name(sample.name + ".golden").read_text()
                self.assertEqual(result_of(form, sample).decode(), golden)


class Words(unittest.TestCase):
    def testSplitsWordsAsShell(self):
        for text, expected in (
                (" a  b\tc ", ["a", "b", "c"]), ("a 'b \"c' \"d 'e\"f", ["a", 'b "c', "d 'ef"]),
                ("a '' b", ["a", "", "b"]), ("a\\ b \"\\\"\\n\" '\\'", ["a b", '"\\n', "\\"]), ("a 'b", None)):
            self.assertEqual(words.Variables().split(text), expected, text)

    def testKeepsVariablesWhole(self):
        variables = words.Variables()
        text = " ".join((f"a{variables.mark('${B:-c d}')}\"{variables.mark('${E}')}\"", "${f g}", "$\\{k}",
                         '$"{l}"', "m$", f"$$'{variables.mark('${n}')}'"))
        self.assertEqual(variables.split(text), [
            "a${B:-c d}${E}", "$${f", "g}", "$${k}", "$${l}", "m$", "$${REKINDLE_DOLLAR:-$}${n}"])

    def testSplitsWordsAsSystemd(self):
        for text, expected in (
                ("\\x41\\102\\u20ac\\s\\t", ["AB\u20ac \t"]), ("'a b' \"c'd\" e\"\"", ["a b", "c'd", "e"]),
                ("\\q", None), ("\\x00", None), ("\\ud800", None), ("\\xe2", None), ("a\\", None), ('"a', None),
                ("a\\\\ 'b\\'c' ''", ["a\\", "b'c", ""]), ("", [])):
            self.assertEqual(systemd.split_words(text), expected, text)

    def testReplacesVariablesOfSystemd(self):
        for word, expected in (
                ("a${B}c", "a${B:-}c"), ("a$B", "a$B"), ("$$", "$"), ("$${B}", "$${B}"),
                ("$$${B}", "${REKINDLE_DOLLAR:-$}${B:-}"), ("${B:x}", "$${B:x}")):
            unit = systemd.Unit(output.Import(), "", "a.service")
            unit.own = {}
            self.assertEqual(unit.with_variables(["program", word], output.Place(1)), ["program", expected], word)

    def testSumsDurations(self):
        units = {"": 1, "s": 1, "m": 60}
        for text, seconds in (("1m30s", 90), ("1m 30", 90), ("0.25", 0.25), (".5 s", 0.5)):
            self.assertEqual(words.seconds_of(text, units), seconds * output.SECOND, text)
        for text in ("", " ", "s", "-1", "1x", "1.2.3", "1" * 900 + "!"):
            self.assertIsNone(words.seconds_of(text, units), text)
        self.assertGreater(words.seconds_of("9" * 100, units), output.DAY)

    def testFormatsDurations(self):
        for value, text in ((0, "0s"), (1500, "1.5s"), (1600, "1.6s"), (61_000, "61s"), (90_000, "90s"), (1, "1ms"),
                            (100, "100ms"), (5_400_000, "90m"), (86_400_000, "1d"), (3_570_000, "3570s"), (0.5, "0.5ms")):
            self.assertEqual(output.duration(int(value * output.MILLISECOND)), text)

    def testReadsSizesAndSignals(self):
        for text, size in (("512M", "512MiB"), ("4096", "4096B"), ("1kb", None), ("5K", "5KiB"), ("1T", "1024GiB"),
                           ("2T", None), ("10%", None), ("1.5G", None)):
            self.assertEqual(words.memory_size(text), size, text)
        for text, name in (("INT", "SIGINT"), ("SIGquit", "SIGQUIT"), ("15", "SIGTERM"), ("FOO", None), ("99", None)):
            self.assertEqual(words.signal_name(text), name, text)


class Yaml(unittest.TestCase):
    # Own keys win over merged ones, and earlier sources over later ones.
    def testMergesMappings(self):
        root = yamlfile.load("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\n"
                             "c:\n  <<: [*a, *b]\n  x: 3\n  n: ~\n  s: 'null'\n")
        self.assertEqual(root["c"], {"x": "3", "n": None, "s": "null", "y": "1", "z": "2"})
        self.assertEqual(root["c"]["x"].place.line, 5)

    def testRejectsYaml(self):
        for text, line, column, message in (
                ("a: [1\nb: 2\n", 2, 2, "did not find expected ',' or ']'"), ("a: 1\na: 2\n", 2, 1, 'duplicate key "a"'),
                ("a: 1\n---\nb: 1\n", 2, 1, "expected one document"), ("[a]: 1\n", 1, 1, "expected a text as the key"),
                ('a: "\\0"\n', 1, 4, "expected text, found a null character"), ("a: &a [*a]\n", 1, 8, "unknown alias *a"),
                ("[" * 100, 1, 65, "expected at most 64 nested values"), ("", 1, 1, "expected a document"),
                ("# nothing\n", 1, 1, "expected a document")):
            with self.assertRaises(output.Rejected, msg=text) as caught:
                yamlfile.load(text)
            found = caught.exception
            self.assertEqual((found.place.line, found.place.column, found.text), (line, column, message))

    # Nine levels of nine would be 387 million values.
    def testLimitsNestedAliases(self):
        levels = [f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 10)]
        with self.assertRaisesRegex(output.Rejected, "expected at most 100000 values"):
            yamlfile.load("\n".join(["a0: &a0 x", *levels]))

    def testInterpolates(self):
        notes = []
        for text, expected in (
                ("$A ${B} ${C:-d} $$E $${F} ${G:?no}", "${A:-} ${B:-} ${C:-d} $E $${F} ${G}"),
                ("$$$A", "${REKINDLE_DOLLAR:-$}${A:-}"), ("${A:-${B:-x}y}", "${A:-xy}"), ("${A:-${B}}", "${A:-}"),
                ("${A:+x} ${B-c}", "${A:-} ${B:-c}"), ("${A-b", "$${A-b"), ("100% $1 $", "100% $1 $")):
            self.assertEqual(yamlfile.interpolated(text, notes.append), expected, text)
        self.assertEqual(len(notes), 5, notes)

    def testNormalizesNumbers(self):
        def plain(text):
            return yamlfile.load(f"a: {text}")["a"]
        for text, expected in (("1.10", "1.1"), ("3.0", "3"), ("0755", "493"), ("0x1F", "31"), ("1_000", "1000"),
                               ("'1.10'", "1.10"), ("1.1.0", "1.1.0"), ("08", "08"), ("abc", "abc"), ("-5", "-5")):
            self.assertEqual(yamlfile.number_text(plain(text)), expected, text)


class Hostile(Scratch):
    """Limits of the readers. Nothing is measured."""

    def testRejectsBytesThatAreNoText(self):
        for content in (b"a: b\nc: \0d\n", b"a: \xff\n"):
            for form in ("compose", "pm2", "process-compose", "procfile", "supervisord", "systemd"):
                self.assertEqual(len(self.rejected(form, "file.json", content).splitlines()), 1)

    def testRejectsEmptyFiles(self):
        for form, message in (("compose", "expected a document"), ("process-compose", "expected a document"),
                              ("procfile", "expected a process"), ("supervisord", "expected [program:NAME]"),
                              ("systemd", "expected a section")):
            self.assertIn(f"x.yml:1:1: {message}", self.rejected(form, "x.yml", ""))

    def testLimitsAgents(self):
        text = "".join(f"[program:p{i}]\ncommand=true\nnumprocs=1000\n" for i in range(11))
        self.assertIn("expected at most 10000 agents", self.rejected("supervisord", "x.conf", text))

    def assertTooLarge(self, form, name, text):
        """A slow machine reaches the limit of CPU time first."""
        self.assertRegex(self.rejected(form, name, text), "more than 8388608 bytes|too large to convert")

    def testLimitsVariablesOfReplicas(self):
        variables = "".join(f"      V{i}: ${{A:-value}}\n" for i in range(20_000))
        text = f"services:\n  a:\n    command: x\n    scale: 1000\n    environment:\n{variables}"
        self.assertTooLarge("compose", "x.yml", text)
        text = "processes:\n  a:\n    command: x\n    replicas: 1000\n    environment:\n" + "".join(
            f"      - V{i}=value\n" for i in range(20_000))
        self.assertTooLarge("process-compose", "x.yml", text)
        text = "[program:a]\ncommand=x\nnumprocs=1000\nenvironment=" + ",".join(f"V{i}=1" for i in range(20_000))
        self.assertTooLarge("supervisord", "x.conf", text)

    def testLimitsFaultsAndWarnings(self):
        self.assertEqual(len(self.rejected("procfile", "Procfile", "x\n" * 100_000).splitlines()), 100)
        text = "[Service]\nExecStart=/bin/x\n" + "".join(f"Unknown{i}=1\n" for i in range(200_000))
        self.assertTooLarge("systemd", "x.service", text)

    def testLimitsSizeAndKindOfFile(self):
        self.assertIn("expected at most 8388608 bytes", self.rejected("procfile", "Procfile", b"#" * (8 * 1024**2 + 1)))
        os.mkfifo(self.folder / "fifo")
        self.assertIn(b"expected a regular file", run("procfile", self.folder / "fifo").stderr)
        self.assertIn(b"expected a file, found a folder", run("procfile", self.folder).stderr)

    def testRejectsEndlessEvaluation(self):
        for text in ("while (true);", "throw 5", "process.exit(3)", "module.exports = () => { throw 1 }; x.y"):
            self.rejected("pm2", "x.config.js", text)


class Mutations(Scratch):
    """Changed samples are converted or rejected with a message, and never end with a defect."""

    def testMutatedSamples(self):
        source = random.Random(7)
        for form, sample in samples():
            if form == "pm2" and sample.suffix == ".js":
                continue
            module = importlib.import_module(form.replace("-", ""))
            for number in range(60):
                text = mutated(sample.read_text(encoding="utf-8-sig"), source)
                result = output.Import()
                options = types.SimpleNamespace(no_eval=True)
                with self.subTest(sample=sample.name, number=number, text=text), contextlib.suppress(
                        output.Rejected, output.Failed):
                    result.finish(module.convert(result, text, str(sample), lambda path: "", options))
                    result.finish("x")
                    "".join(result.configuration("x"))


def mutated(text, source):
    parts = re.split(r"(\W)", text)
    for _ in range(source.randrange(1, 6)):
        at, kind = source.randrange(len(parts) + 1), source.randrange(4)
        other = source.choice([*parts, "[]", "{}", "~", "$", "${", "%", '"', "'", "\\", "-1", "1e9", "0", "*", "&a", "\n"])
        parts[at : at + kind % 2] = [other] if kind < 3 else []
    return "".join(parts)


class Formats(Scratch):
    def testRefusesEvaluation(self):
        path = self.file("x.config.js", "require('fs').writeFileSync('ran', '')")
        completed = run("pm2", path, "--no-eval")
        self.assertEqual((completed.returncode, (self.folder / "ran").exists()), (78, False))
        self.assertIn(b"--no-eval", completed.stderr)

    def testReportsMissingPrograms(self):
        path = self.file("x.config.js", "module.exports = {}")
        completed = run("pm2", path, path=str(self.folder))
        self.assertEqual(completed.returncode, 69)
        self.assertIn(b"install the Debian package nodejs", completed.stderr)

    def testReportsMissingPyYaml(self):
        text = ("import runpy, sys\nsys.modules['yaml'] = None\n"
                f"sys.argv = ['x', 'compose', {str(self.file('x.yml', 'services: {}'))!r}]\n"
                f"runpy.run_path({str(HELPER)!r}, run_name='__main__')\n")
        completed = subprocess.run([sys.executable, "-I", "-B", "-c", text], capture_output=True, check=False)
        self.assertEqual(completed.returncode, 69)
        self.assertIn(b"install the Debian package python3-yaml", completed.stderr)

    def testReportsDefectsWithoutTraceback(self):
        text = ("import runpy, sys\nclass Broken: pass\nsys.modules['procfile'] = Broken\n"
                f"sys.argv = ['x', 'procfile', {str(self.file('Procfile', 'a: b'))!r}]\n"
                f"runpy.run_path({str(HELPER)!r}, run_name='__main__')\n")
        completed = subprocess.run([sys.executable, "-I", "-B", "-c", text], capture_output=True, check=False)
        self.assertEqual(completed.returncode, 70)
        self.assertNotIn(b"Traceback", completed.stderr)
        self.assertIn(b"rekindle: defect: import procfile failed", completed.stderr)

    def testKeepsNamesUnique(self):
        completed = run("supervisord", self.file("x.conf", "[program:a b]\ncommand=x\n[program:a-b]\ncommand=x\n"
                                                 f"[program:{'n' * 80}]\ncommand=x\n"))
        for name in ("a-b", "a-b-2", "n" * 64):
            self.assertIn(f'"name": "{name}"'.encode(), completed.stdout)
        self.assertEqual(len(completed.stderr.splitlines()), 3)

    # What a person or another tool wrote before the text.
    def testAcceptsMarksAndLineEnds(self):
        for form, name, text in (("procfile", "Procfile", "a: b\r\n"), ("systemd", "a.service", "[Service]\r\nExecStart=b\r\n"),
                                 ("supervisord", "x.conf", "[program:a]\r\ncommand=b\r\n"),
                                 ("pm2", "x.json", '{"script": "b", "name": "a"}')):
            self.assertIn('"program": "b"', self.converted(form, name, b"\xef\xbb\xbf" + text.encode()))

    def testPortOfProcfileCanBeInEnv(self):
        text = "web: ./serve $PORT\n"
        self.assertIn("PORT is not assigned", run("procfile", self.file("Procfile", text)).stderr.decode())
        self.file(".env", "A=1\nexport PORT=5000\n")
        self.assertNotIn("PORT is not assigned", run("procfile", self.file("Procfile", text)).stderr.decode())

    def testFindsEnvironmentFileInWorkingFolder(self):
        text = "processes: {a: {command: b, env_file: c.env, working_dir: d, is_dotenv_disabled: true}}"
        self.assertIn('"environmentFiles": ["d/c.env"]', self.converted("process-compose", "x.yaml", text))

    def testReplacesSignalsThatTerminateNoProgram(self):
        for name in ("CONT", "CHLD", "STOP", "TSTP", "URG"):
            text = f"[program:a]\ncommand=b\nstopsignal={name}\n"
            converted = self.converted("supervisord", "x.conf", text)
            self.assertIn(f"stopsignal={name} is not a signal that stops a program; SIGTERM is sent", converted)
            self.assertNotIn('"signal"', converted)
        self.assertIn('"SIGWINCH"', self.converted("supervisord", "x.conf", "[program:a]\ncommand=b\nstopsignal=WINCH\n"))

    def testReportsUnknownHome(self):
        completed = run("systemd", self.file("a.service", "[Service]\nExecStart=b\nUser=no-such-user\n"
                                             "WorkingDirectory=~\n"))
        self.assertIn(b"the user no-such-user does not exist", completed.stderr)

    def testReportsLinesOfSupervisord(self):
        text = "[program:a]\nit's \"x\"\n=v\ncommand=b\n"
        lines = self.rejected("supervisord", "x.conf", text).splitlines()
        self.assertEqual([line.split("x.conf:")[1] for line in lines], [
            '2:1: expected KEY=VALUE, found "it\'s "x""', '3:1: expected KEY=VALUE, found "=v"'])
        self.assertIn('1:1: expected [SECTION], found "a=b"', self.rejected("supervisord", "y.conf", "a=b\n"))

    def testReportsDropIns(self):
        (self.folder / "a.service.d").mkdir()
        self.assertIn("a.service.d are not imported", self.converted("systemd", "a.service", "[Service]\nExecStart=b\n"))

    # A shell is the oracle for the words of supervisord and Compose.
    def testSplitsRandomCommands(self):
        source = random.Random(1)
        for _ in range(500):
            text = "".join(source.choice("ab \\'\"$") for _ in range(source.randrange(12)))
            with contextlib.suppress(ValueError):
                self.assertEqual(words.Variables().split(text), shlex.split(text))

    # The argument vector at run time: an unset or empty $NAME is no argument.
    def testEmptyOptionIsNoArgument(self):
        unit = systemd.Unit(output.Import(), "", "a.service")
        unit.own, unit.entries = {}, {}
        converted = unit.with_variables(["/usr/bin/printf", "[%s]", "a b", "$NONE", "$TWO", *"12345678", "end"], output.Place(1))
        command = [word.replace("$${", "${") for word in converted]
        completed = subprocess.run(command, env={"PATH": "/usr/bin:/bin", "TWO": "x *"}, capture_output=True, check=True)
        self.assertEqual(completed.stdout, b"[a b][x][*][1][2][3][4][5][6][7][8][end]")


def write_golden_files():
    for folder in sorted(SAMPLES.iterdir()):
        for sample in sorted(folder.iterdir()):
            if sample.suffix != ".golden" and sample.is_file() and sample.name not in ("plain", "marked"):
                sample.with_name(sample.name + ".golden").write_bytes(result_of(folder.name, sample))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write_golden_files()
    else:
        unittest.main()
