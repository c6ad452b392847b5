# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Converts a configuration of supervisord 4, with the files that it includes."""

import configparser
import functools
import glob
import os
import re
import shlex

from output import DAY, HOUR, SECOND, Place, Rejected, Source, duration, policy_of, printable
from words import Variables, tag_is_valid

MOST_PROCESSES = 1000
TRUE = ("yes", "true", "on", "1")
SILENT = """stopasgroup killasgroup serverurl stdout_capture_maxbytes stderr_capture_maxbytes
    redirect_stderr stdout_logfile stderr_logfile stdout_logfile_maxbytes stdout_logfile_backups
    stderr_logfile_maxbytes stderr_logfile_backups priority environment directory user umask exitcodes
    startretries startsecs stopsignal stopwaitsecs process_name""".split()


class Section(dict):
    """The parser creates a section and sets an option while it reads their lines."""

    reader = None

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.places = {}
        self.place = self.here = None
        if self.reader:
            self.place, self.here = self.reader.place, self.reader.here

    def __setitem__(self, key, value):
        if isinstance(value, list):  # a text replaces it after the last line
            self.places[key] = self.reader.place
        super().__setitem__(key, value)

    def at(self, key):
        return self.places.get(key, self.place)


class Reader:
    """Reads the file and what it includes with the parser of supervisord."""

    def __init__(self, result, path):
        self.result, self.place = result, Place()
        self.folder = os.path.dirname(os.path.abspath(path))
        self.here = "${workspaceFolder}"
        self.sections = {}
        Section.reader = self
        self.parser = configparser.RawConfigParser(
            dict_type=Section, inline_comment_prefixes=(";", "#"), strict=False)

    def lines(self, text, file):
        # Not splitlines(), which ends lines at other characters, too.
        for number, line in enumerate(text.split("\n"), 1):
            self.place = Place(number, 1, file)
            yield line

    def read(self, text, file=""):
        try:
            self.parser.read_file(self.lines(text, file))
        except configparser.Error as error:
            expected = "[SECTION]" if isinstance(error, configparser.MissingSectionHeaderError) else "KEY=VALUE"
            for number in [number for number, _ in getattr(error, "errors", ())] or [error.lineno]:
                found = printable(text.split("\n")[number - 1].strip())
                self.result.fault(Place(number, 1, file), f'expected {expected}, found "{found}"')

    def include(self, read_text):
        if not self.parser.has_section("include"):
            return
        section = self.parser._sections["include"]
        place = section.at("files")
        files = self.parser.get("include", "files", fallback="")
        files = re.sub(r"%\(ENV_(\w+)\)s", lambda match: os.environ.get(match[1], ""), files)
        files = files.replace("%(here)s", self.folder).replace("%%", "%")
        for pattern in files.split():
            found = sorted(glob.glob(os.path.join(self.folder, pattern)))
            if not found:
                self.result.note(place, None, f"no file matches files={printable(pattern)}")
            for path in found[:1000]:
                name = os.path.relpath(path, self.folder)
                self.here = os.path.join("${workspaceFolder}", os.path.dirname(name)).rstrip("/")
                try:
                    self.read(read_text(path), name)
                except Rejected as rejected:
                    raise Rejected(rejected.place._replace(file=name), rejected.text) from None


@functools.cache
def tokens_of(text):
    """The tokens of KEY="value",KEY2=value."""
    lexer = shlex.shlex(text, posix=True)
    lexer.wordchars += "/.+-():\0"
    try:
        return list(lexer)
    except ValueError:
        return [""]


class Program(Source):
    """One [program:NAME]."""

    def __init__(self, name, section, reader, group, outputs):
        super().__init__(reader.result)
        self.name, self.section, self.defaults = name, section, reader.parser.defaults()
        self.group, self.outputs, self.number = group, outputs, 0
        self.common = reader.parser._sections.get("supervisord", Section())

    def raw(self, key, standard=""):
        return self.section.get(key, self.defaults.get(key, standard))

    def at(self, key):
        return self.section.at(key)

    def integer(self, key, standard, least, greatest):
        return self.whole(key, self.raw(key), standard, least, greatest)

    def is_true(self, key, standard):
        text = self.raw(key, standard).lower()
        if "%" in text:
            self.note(key, f"{key}={printable(text)}: expected true or false; using {standard}")
            text = standard
        return text in TRUE

    def expand(self, key, variables, text=None):
        """Replaces %(NAME)s, %(NAME)02d and %%."""
        def replaced(match):
            name, form = match[1], "%" + (match[2] or "s")
            if match[0] == "%%":
                return "%"
            if name in ("process_num", "numprocs"):
                number = self.number if name == "process_num" else self.integer(name, 1, 1, MOST_PROCESSES)
                return form % number
            if name in ("program_name", "group_name"):
                return self.name if name == "program_name" else self.group or self.name
            if name == "here":
                return variables.mark(self.section.here)
            if re.fullmatch("ENV_[A-Za-z_][A-Za-z0-9_]*", name or ""):
                return variables.mark("${" + name[4:] + "}")
            self.note(key, f"{match[0]} is not converted; replace it by hand")
            return match[0]
        pattern = r"%(?:%|\(([A-Za-z0-9_]*)\)(0?[0-9]{0,2}[sd]))"
        return re.sub(pattern, replaced, self.raw(key) if text is None else text)

    def text(self, key, standard=""):
        variables = Variables()
        return variables.finish(self.expand(key, variables, self.raw(key, standard)))

    def convert(self):
        processes = self.integer("numprocs", 1, 1, MOST_PROCESSES)
        start = self.integer("numprocs_start", 0, 0, 1_000_000)
        known = [key for key in self.section if key not in SILENT]
        for self.number in range(start, start + processes):
            self.convert_process(processes)
            for key in known if self.number == start else ():
                if key not in ("command", "numprocs", "numprocs_start", "autostart", "autorestart"):
                    self.note(key, f"{printable(key)} is not converted; Rekindle has no such setting")

    def convert_process(self, processes):
        self.agent = None
        name = self.text("process_name", "%(program_name)s")
        if processes > 1 and "process_name" not in self.section:
            name = f"{self.name}_{self.number:02}"
        agent = self.agent = self.result.add(name, self.section.place)
        if self.group:
            agent.members["tags"] = [self.group]
        variables = Variables()
        words = variables.split(self.expand("command", variables))
        if words is None:
            self.note("command", "a quote in command is not closed; add the agent by hand")
        else:
            self.set_command("command", words)
        self.convert_environment()
        if self.raw("directory"):
            agent.members["workingDirectory"] = self.text("directory")
        if "%" in self.raw("user"):
            self.note("user", f"user={printable(self.raw('user'))}: variables are not replaced; set it by hand")
        elif self.raw("user"):
            agent.members["user"] = self.raw("user")
        self.set_umask("umask", self.raw("umask"))
        agent.members["stdin"] = "pipe"
        self.convert_restarts(agent)
        wait = self.integer("stopwaitsecs", 10, 0, 1_000_000) * SECOND
        self.set_stop("stopsignal", self.raw("stopsignal", "TERM"), self.limited("stopwaitsecs", wait, 0, HOUR))
        self.convert_output(agent, "stdout", "stdout_logfile")
        if not self.is_true("redirect_stderr", "false"):
            self.convert_output(agent, "stderr", "stderr_logfile")
        elif "stdout" in agent.members:
            agent.members["stderr"] = agent.members["stdout"]
        self.result.done(agent, self.section.place)

    def convert_environment(self):
        """The variables of [supervisord] apply to all programs."""
        for section in (self.common, self.section):
            variables, place = Variables(), section.at("environment")
            text = section.get("environment", "")
            tokens = tokens_of(self.expand("environment", variables, text))
            for at in range(0, len(tokens), 4):
                pair = tokens[at : at + 3]
                if len(pair) != 3 or pair[1] != "=" or tokens[at + 3 : at + 4] not in ([], [","]):
                    self.note(place, f'expected KEY="VALUE", found "{printable(text)}"; add the variables by hand')
                    break
                self.set_variable(place, pair[0], variables.finish(pair[2]))

    def convert_restarts(self, agent):
        restart = self.raw("autorestart", "unexpected").lower()
        unexpected = restart == "unexpected"
        seconds = self.integer("startsecs", 1, 0, 86_400)
        retries = self.integer("startretries", 3, -1, 1_000_000)
        endless = seconds == 0 or retries == -1
        agent.members["ready"] = (
            {"kind": "alive", "for": duration(seconds * SECOND)} if seconds else "now")
        if restart not in TRUE and not unexpected:
            policy = {"type": "none"}
            if restart not in ("no", "false", "off", "0"):
                self.note("autorestart", f"autorestart={printable(restart)}: expected true, false or "
                                         "unexpected; using false")
            if seconds and retries:
                times = "without a limit" if retries < 0 else f"{retries} times"
                self.note("autorestart", f"a failed start is not retried; supervisord retries it {times}")
        else:
            policy = {"type": "immediate" if endless else "linear",
                      "maxRetries": "unlimited" if endless else retries}
            if not endless:
                policy["initialDelay"] = "1s"
                policy["maxDelay"] = duration(min(max(retries, 1), 7 * 86400) * SECOND)
            policy = policy_of(policy, not unexpected, "0s" if seconds else "1ms")
        if seconds >= 30:  # an agent that is never ready in time is killed
            policy["startTimeout"] = duration(min((seconds + 30) * SECOND, DAY))
        agent.members["policy"] = policy
        codes = self.raw("exitcodes", "0").strip()
        if unexpected and codes != "0":
            if "0" not in [code.strip() for code in codes.split(",")]:
                policy["restartOn"] = "always"
            self.note("exitcodes", f"exitcodes={printable(codes)}: an expected exit after the agent "
                      "was ready is restarted; make the program exit with 0")
        if not self.is_true("autostart", "true"):
            agent.members["start"] = "manual"

    def convert_output(self, agent, stream, key):
        file = self.raw(key, "AUTO")
        if file.upper() in ("NONE", "OFF"):
            agent.members[stream] = "null"
        elif file.startswith("/dev/"):
            agent.members[stream] = "null" if file == "/dev/null" else "inherit"
        elif file.upper() == "SYSLOG":
            self.note(key, f"{key}=syslog: the lines are shown; send the output of `rekindle up` "
                           "to syslog")
        elif file and file.upper() != "AUTO":
            output = {"file": self.text(key)}
            self.convert_rotation(output, key)
            first = self.outputs.setdefault(output["file"], output)
            agent.members[stream] = first
            if output != first:
                self.note(key, f"{key}: another output has the same file; its rotation is used for both")

    def convert_rotation(self, output, key):
        """supervisord counts in units of 1024 and rotates by default."""
        limit, backups = f"{key}_maxbytes", f"{key}_backups"
        size = self.raw(limit, "50MB")
        match = re.fullmatch("([0-9]{1,40})(?:([KMG])B)?", size, re.IGNORECASE)
        if not match:
            self.note(limit, f"{limit}: expected a size, found {printable(size)}; "
                             "the file is not rotated")
            return
        unit = (match[2] or "").upper()
        count = int(match[1]) * 1024 ** " KMG".find(unit or " ")
        if count == 0:
            return
        output["maxSize"] = f"{int(match[1])}{unit and unit + 'iB'}"
        if not 4096 <= count <= 1024**4:
            output["maxSize"] = "4KiB" if count < 4096 else "1024GiB"
            self.note(limit, f"{limit}={printable(size)} is outside of 4KiB to 1024GiB; "
                             f"using {output['maxSize']}")
        keep = self.integer(backups, 10, 0, 1000)
        output["keep"] = max(1, keep)
        if keep == 0:
            self.note(backups, f"{backups}=0: one renamed file is kept; Rekindle does not truncate a file")


def convert_group(result, name, section, groups):
    if not tag_is_valid(name):
        result.note(section.place, None, f"[group:{printable(name)}]: the name is invalid as a tag; "
                                         'set "tags" by hand')
        return
    for program in section.get("programs", "").split(","):
        groups[program.strip()] = name  # a program of several groups has the tag of the last one


def note_section(result, name, section):
    if name == "supervisord":
        for key in ("user", "directory", "umask"):
            if key in section:
                result.note(section.at(key), None, f"{key} of [supervisord] is not converted; set it "
                                                   "where `rekindle up` is started")
    elif name not in ("unix_http_server", "inet_http_server", "supervisorctl", "include"):
        result.note(section.place, None, f"[{printable(name)}] is not converted; Rekindle has no equivalent")


def convert(result, text, path, read_text, _options):
    reader = Reader(result, path)
    reader.read(text)
    reader.include(read_text)
    if result.faults:
        raise Rejected()
    groups, programs, outputs = {}, [], {}
    for name, section in reader.parser._sections.items():
        kind, _, rest = name.partition(":")
        if kind == "program":
            programs.append((rest.strip(), section))
        elif kind == "group":
            convert_group(result, rest.strip(), section, groups)
        else:
            note_section(result, name, section)
    all_programs = [Program(name, section, reader, groups.get(name), outputs)
                    for name, section in programs]
    for program in sorted(all_programs, key=lambda each: each.integer("priority", 999, -10**6, 10**6)):
        program.convert()
    return "[program:NAME]"
