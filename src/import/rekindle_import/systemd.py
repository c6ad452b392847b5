# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Converts a service unit of systemd."""

import os
import pwd
import re

from output import DAY, HOUR, MILLISECOND, SECOND, Place, Source, duration, policy_of, printable
from words import INFINITE, Variables, literal, memory_size

UNITS = {"": 1} | {name: seconds for names, seconds in (
    ("us usec", 1e-6), ("ms msec", 1e-3), ("s sec second seconds", 1), ("m min minute minutes", 60),
    ("h hr hour hours", 3600), ("d day days", 86400), ("w week weeks", 604800))
    for name in names.split()}
LIMITS = """as core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime
    sigpending stack""".split()
SIZES = "as core data fsize memlock msgqueue rss stack".split()
ALONE = "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"
ADVICE = {  # by the beginning of the key; without a text, nothing is lost
    "ExecStartPre": "run the command in a script before the program",
    "ExecStartPost": "run the command by hand, or in a script",
    "ExecStop": "the agent is stopped with SIGTERM; handle it in the program",
    "ExecReload": "send the signal by hand",
    "ExecCondition": "test the condition in a script before the program",
    "After": "the agents do not wait for each other; make the program retry, or keep the order in "
             "the unit of `rekindle up`",
    "Before": "the agents do not wait for each other; keep the order in the unit of `rekindle up`",
    "Requires": ALONE, "Wants": ALONE, "BindsTo": ALONE, "PartOf": ALONE,
    "SuccessExitStatus": "make the program exit with 0",
    "RestartForceExitStatus": 'set "restartOn" to "always" if the code is 0',
    "SendSIGKILL": 'SIGKILL follows after "stop.terminate"',
} | dict.fromkeys("Description Documentation NotifyAccess SyslogIdentifier PIDFile "
                  "PassEnvironment X-".split(), "")
WORD = re.compile(r"""(\s+)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:[^\s"'\\]|\\.)+)""", re.DOTALL)
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
ESCAPES = dict(zip("abfnrtv\\\"'s;", "\a\b\f\n\r\t\v\\\"' ;"))


def unescaped(match):
    if match[5]:
        return ESCAPES[match[5]]
    code = int(match[2], 8) if match[2] else int(match[1] or match[3] or match[4], 16)
    # Bytes above 127 are parts of characters, which cannot be written one by one here.
    if code == 0 or 0xD800 <= code < 0xE000 or (code > 127 and (match[1] or match[2])):
        raise ValueError
    return chr(code)


def split_words(text):
    """Splits as systemd does; None if a quote is not closed or an escape is invalid."""
    words, word, at = [], None, 0
    while at < len(text):
        match = WORD.match(text, at)
        if not match:
            return None
        at = match.end()
        if match[1]:
            words, word = words if word is None else words + [word], None
            continue
        try:
            word = (word or "") + ESCAPE.sub(unescaped, match[2] or match[3] or match[4] or "")
        except (ValueError, KeyError, OverflowError):
            return None
    return words if word is None else words + [word]


class Unit(Source):
    def __init__(self, result, text, path):
        super().__init__(result)
        self.path = path
        self.place, self.entries, self.known = None, {}, set()
        self.name = os.path.basename(path).removesuffix(".service")
        self.read(text)

    def read(self, text):
        section, pending = None, None
        for number, line in enumerate(text.split("\n"), 1):
            line = line.strip()
            if line[:1] in ("#", ";") or (not line and pending is None):
                continue
            place, before = pending or (Place(number), "")
            pending = (place, before + line[:-1] + " ") if line.endswith("\\") else None
            if pending:
                continue
            line = (before + line).strip()
            key, equals, value = line.partition("=")
            if line.startswith("[") and line.endswith("]"):
                section = line[1:-1].strip()
                self.place = place if section == "Service" and not self.place else self.place
            elif section is None or not key or not equals:
                self.result.fault(place, f"expected {'KEY=VALUE' if section else '[SECTION]'}, "
                                         f'found "{printable(line)}"')
            elif section != "Install" and not section.startswith("X-"):
                self.entries.setdefault(key.strip(), []).append((value.strip(), place))

    def list(self, key):
        """An empty value removes the earlier ones."""
        self.known.add(key)
        entries = self.entries.get(key, [])
        reset = max((i + 1 for i, (value, _) in enumerate(entries) if not value), default=0)
        return entries[reset:]

    def value(self, key, standard=""):
        return (self.list(key) or [(standard, None)])[-1][0]

    def at(self, key):
        return self.entries[key][-1][1] if key in self.entries else self.place

    def duration(self, key, standard):
        text = self.value(key)
        return INFINITE if text == "infinity" else self.span(key, text, UNITS, standard)

    def timeout(self, name, least, greatest):
        """0 is no limit."""
        key = name if self.value(name) else "TimeoutSec"
        limit = self.duration(key, 90 * SECOND)
        return self.limited(name if limit else f"{name}=0 (no limit)", limit or INFINITE, least, greatest, self.at(key))

    def words(self, text, place, key):
        split = split_words(text)
        if split is None:
            self.note(place, f"{key} has an unclosed quote or an invalid escape; add it by hand")
        return split or []

    def expanded(self, text, place):
        prefix, _, instance = self.name.partition("@")
        values = {"%": "%", "n": f"{self.name}.service", "N": self.name, "p": prefix, "P": prefix,
                  "t": "/run", "S": "/var/lib", "C": "/var/cache", "L": "/var/log", "E": "/etc",
                  "T": "/tmp", "V": "/var/tmp"} | (dict.fromkeys("iI", instance) if instance else {})

        def replaced(match):
            if match[1] not in values:
                self.note(place, f"specifier {printable(match[0])} is not converted; replace it by hand")
            return values.get(match[1], match[0])
        return re.sub("%(.)", replaced, text, flags=re.DOTALL)

    def text(self, key):
        return self.expanded(self.value(key), self.at(key))

    def convert(self):
        if not self.place:
            return
        agent = self.agent = self.result.add(self.name, self.place)
        members = agent.members
        if os.path.isdir(f"{self.path}.d"):
            self.note(self.place, f"the files in {printable(os.path.basename(self.path))}.d are not imported; "
                                  "add their settings by hand")
        self.convert_environment(members)
        self.convert_command()
        self.convert_folder(members)
        self.convert_execution(members)
        self.convert_restarts(members)
        self.convert_start(members)
        for code in self.value("RestartPreventExitStatus").split():
            if code.isdecimal() and 1 <= int(code) <= 255 and int(code) != 42:
                members.setdefault("exitCodes", {})[str(int(code))] = "permanent"
            else:
                self.note("RestartPreventExitStatus", f"RestartPreventExitStatus={printable(code)} is not "
                          "converted; only codes from 1 to 255 are, except 42")
        if "exitCodes" in members:
            self.note("RestartPreventExitStatus", "RestartPreventExitStatus: the codes prevent a restart "
                                                  "only until the agent has been ready")
        self.set_stop("KillSignal", self.value("KillSignal", "SIGTERM"), self.timeout("TimeoutStopSec", 0, HOUR))
        mode = self.value("KillMode", "control-group")
        if mode != "control-group":
            self.note("KillMode", f"KillMode={printable(mode)}: signals are sent to the whole process group")
        if self.value("StandardInput", "null") != "null":
            self.note("StandardInput", f"StandardInput={printable(self.value('StandardInput'))} is not "
                                       'converted; set "stdin" by hand')
        self.convert_output(members, "stdout", "StandardOutput")
        self.convert_output(members, "stderr", "StandardError")
        if "stderr" not in members and "stdout" in members and "StandardError" not in self.entries:
            members["stderr"] = members["stdout"]
        self.result.done(agent, self.place)
        for key, entries in self.entries.items():
            advice = next((text for prefix, text in ADVICE.items() if key.startswith(prefix)),
                          "set it in the unit of `rekindle up` if it is needed")
            for _, place in entries if key not in self.known and advice else ():
                self.note(place, f"{printable(key)} is not converted; {advice}")

    def convert_environment(self, members):
        for value, place in self.list("EnvironmentFile"):
            file = literal(self.expanded(value.removeprefix("-"), place))
            if re.search(r"[*?\[]", file):
                self.note(place, f"EnvironmentFile={printable(value)}: patterns are not converted; list the files")
            elif file:
                members.setdefault("environmentFiles", []).append(
                    {"file": file, "optional": True} if value.startswith("-") else file)
        self.own = {}
        for value, place in self.list("Environment"):
            for word in self.words(value, place, "Environment"):
                name, _, value = word.partition("=")
                self.own[name] = self.expanded(value, place)
                self.set_variable(place, name if "=" in word else "", literal(self.own[name]))
        for value, place in self.list("UnsetEnvironment"):
            for name in self.words(value, place, "UnsetEnvironment"):
                if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
                    self.own.pop(name, None)
                    members.setdefault("environment", {})[name] = None

    def convert_command(self):
        commands = self.list("ExecStart")
        if not commands:
            self.note("ExecStart", "ExecStart is missing; add the program by hand")
            return
        text, place = commands[0]
        for _, second in commands[1:2]:
            self.note(second, "only the first ExecStart is converted; join the commands in a script")
        split = self.words(text, place, "ExecStart")
        if not split:
            return
        prefixes = re.match("[@:+!|-]*", split[0])[0]
        split[0] = split[0][len(prefixes):]
        if "@" in prefixes and len(split) > 1:
            del split[1]
            self.note(place, "prefix @: the name of the program cannot be changed; the path is used")
        if "-" in prefixes:
            self.note(place, "prefix -: a failure of the program counts as a failure")
        if "+" in prefixes or "!" in prefixes:
            self.note(place, "prefixes + and !: the program has the privileges of `rekindle up`")
        if ";" in split:
            del split[split.index(";"):]
            self.note(place, 'commands after ";" are not converted; join them in a script')
        texts = [self.expanded(word, place) for word in split]
        self.set_command(place, [literal(word) for word in texts] if ":" in prefixes else
                         self.with_variables(texts, place))

    def with_variables(self, texts, place):
        """A shell splits the values of words such as $NAME, unless they are known."""
        words, script, is_split = [literal(texts[0])], 'exec "$0"', False
        for text in texts[1:]:
            match = re.fullmatch(r"\$([A-Za-z_][A-Za-z0-9_]*)", text)
            if match and match[1] in self.own and not self.entries.get("EnvironmentFile"):
                values = split_words(self.own[match[1]])
                values = self.own[match[1]].split() if values is None else values
            elif match:
                is_split, values = True, []
                script += f" {text}"
                self.note(place, f"{text} is split at blanks by a shell; quotes in its value are not removed")
            else:
                variables = Variables()
                values = [re.sub(r"\$(\$|\{([A-Za-z_][A-Za-z0-9_]*)\})", lambda part: "$" if part[1] == "$"
                                 else variables.mark("${" + part[2] + ":-}"), text)]
                values = [variables.finish(value) for value in values]
                script += ' "$' + ("{%d}" if len(words) > 9 else "%d") % len(words) + '"'
                words += values
                continue
            for value in values:
                script += ' "$' + ("{%d}" if len(words) > 9 else "%d") % len(words) + '"'
                words.append(literal(value))
        return ["sh", "-fc", literal(script)] + words if is_split else words

    def convert_folder(self, members):
        folder = self.value("WorkingDirectory", "/")
        if folder.startswith("-"):
            folder = folder[1:] or "/"
            self.note("WorkingDirectory", "prefix -: the folder must exist at every start")
        user = self.text("User")
        members["workingDirectory"] = literal(self.expanded(folder, self.at("WorkingDirectory")))
        if folder == "~" and not user:
            members["workingDirectory"] = "${userHome}"
        elif folder == "~":
            try:
                entry = pwd.getpwuid(int(user)) if user.isdecimal() else pwd.getpwnam(user)
                members["workingDirectory"] = literal(entry.pw_dir)
            except (KeyError, OverflowError):
                members["workingDirectory"] = "/"
                self.note("WorkingDirectory", f"the user {printable(user)} does not exist on this machine; set "
                                              '"workingDirectory" to its home folder by hand')

    def convert_execution(self, members):
        for key, name in (("User", "user"), ("Group", "group")):
            if self.value(key):
                members[name] = self.text(key)
        self.set_umask("UMask", self.value("UMask"))
        nice = self.value("Nice")
        if re.fullmatch("[+-]?[0-9]{1,2}", nice) and -20 <= int(nice) <= 19:
            members["nice"] = int(nice)
        elif nice:
            self.note("Nice", f'Nice: expected -20 to 19, found "{printable(nice)}"; set "nice" by hand')
        memory = self.value("MemoryMax")
        if size := memory_size(memory):
            members.setdefault("limits", {})["memory"] = size
        elif memory and memory != "infinity":
            self.note("MemoryMax", f'MemoryMax={printable(memory)} is not converted; set "limits" by hand')
        for name in LIMITS:
            key = f"Limit{name.upper()}"
            text = self.value(key)
            parts = [limit_of(part.strip(), name in SIZES) for part in text.split(":")]
            if text and name != "nice" and len(parts) <= 2 and None not in parts:
                limits = members.setdefault("limits", {}).setdefault("rlimits", {})
                limits[name] = parts if len(parts) == 2 else parts[0]
            elif text:
                self.note(key, f'{key}={printable(text)} is not converted; set "limits" by hand')

    def convert_start(self, members):
        """When the agent is ready, and its watchdog."""
        kind = self.value("Type", "simple")
        members["ready"] = "notify" if kind.startswith("notify") else "now"
        texts = {"forking": "make the program run in the foreground; a program that exits counts as stopped",
                 "oneshot": "the agent runs once and is stopped when it exits with 0; nothing waits for it",
                 "dbus": 'the agent is ready at once; use "ready" with a probe'}
        if kind in texts:
            self.note("Type", f"Type={kind}: {texts[kind]}")
        if members["ready"] == "notify":
            members["policy"]["startTimeout"] = self.timeout("TimeoutStartSec", MILLISECOND, DAY)
        watchdog = self.duration("WatchdogSec", 0)
        if 0 < watchdog < INFINITE:
            interval = self.limited("WatchdogSec", watchdog, 10 * MILLISECOND, DAY)
            members["health"] = [{"kind": "heartbeat", "interval": interval, "timeout": "1ms",
                                  "misses": 1, "lastChance": "1ms"}]

    def convert_restarts(self, members):
        restart = self.value("Restart", "no")
        delay = self.duration("RestartSec", 100 * MILLISECOND)
        most, steps = self.duration("RestartMaxDelaySec", 0), self.value("RestartSteps", "0")
        interval = self.duration("StartLimitIntervalSec", self.duration("StartLimitInterval", 10 * SECOND))
        burst = self.value("StartLimitBurst", "5")
        burst = int(burst) if re.fullmatch("[0-9]{1,9}", burst) else -1
        if restart == "no":
            members["policy"] = {"type": "none"}
            return
        first = self.limited("RestartSec", delay, 0, DAY)
        if re.fullmatch("0*[1-9][0-9]{0,8}", steps) and 0 < delay < most < INFINITE:
            factor = min(max((most / delay) ** (1 / int(steps)), 1.0), 100.0)
            policy = {"type": "exponential", "initialDelay": first, "multiplier": factor,
                      "maxDelay": self.limited("RestartMaxDelaySec", most, min(delay, DAY), 7 * DAY)}
        else:
            policy = {"type": "stepped", "steps": [first]}
        policy["maxRetries"] = "unlimited"
        if interval and 2 <= burst <= 10_001:
            policy["window"] = {"restarts": burst - 1, "period": self.limited(
                "StartLimitIntervalSec", interval, MILLISECOND, 7 * DAY)}
        elif interval and burst:
            self.note("StartLimitBurst", "StartLimitBurst is not converted; expected 2 to 10001; "
                                         'set "window" by hand')
        if restart not in ("always", "on-failure"):
            self.note("Restart", f"Restart={printable(restart)}: the agent is restarted after every "
                                 f"failure{', too' if restart == 'on-success' else ''}")
        stable = duration(min(max(interval, MILLISECOND), DAY))
        members["policy"] = policy_of(policy, restart in ("always", "on-success"), stable)

    def convert_output(self, members, stream, key):
        target = self.value(key, "inherit")
        kind, _, path = target.partition(":")
        if target == "null":
            members[stream] = "null"
        elif kind in ("append", "file", "truncate") and path:
            members[stream] = {"file": literal(self.expanded(path, self.at(key)))}
            if kind != "append":
                self.note(key, f"{key}: the output is appended to the file")
        elif target != "inherit" and not target.startswith("journal"):
            self.note(key, f"{key}={printable(target)} is not converted; the lines are shown by `rekindle up`")


def limit_of(text, is_size):
    """A limit of setrlimit(2); None if it is not a number."""
    match = re.fullmatch("([0-9]{1,19})([BKMGTPE]?)", text)
    if text == "infinity":
        return "unlimited"
    if not match or (match[2] and not is_size):
        return None
    number = int(match[1]) << (10 * "BKMGTPE".find(match[2] or "B"))
    return number if number < 1 << 63 else None


def convert(result, text, path, _read_text, _options):
    Unit(result, text, path).convert()
    return "a section [Service] with ExecStart"
