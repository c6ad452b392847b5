# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Collects agents, warnings and faults, and writes the configuration."""

import json
import re
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

from words import printable, seconds_of, signal_name

MOST_BYTES = 8 * 1024 * 1024  # also the largest configuration that `rekindle check` reads
MOST_AGENTS = 10_000
MOST_FAULTS = 100
LONGEST_NAME = 64
NO_END = ("SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG")  # they terminate no program
MEMBERS = """start tags dependsOn program arguments user group umask nice limits recycle
    workingDirectory environmentFiles environment ready stdin stdout stderr stop exitCodes health
    policy""".split()


class Place(NamedTuple):
    """Without a line, it is the whole file; without a file, the file of the command line."""

    line: int = 0
    column: int = 1
    file: str = ""

    def text(self, main):
        return f"{self.file or main}" + (f":{self.line}:{self.column}" if self.line else "")

    def comment(self):
        if self.file:
            return f"{self.file}:{self.line}: "
        return f"line {self.line}: " if self.line else ""


class Failed(Exception):
    """A message of the command and its exit code."""


class Rejected(Exception):
    """The file cannot be converted. Without a text, the faults say why."""

    def __init__(self, place=Place(), text=""):
        super().__init__(text)
        self.place, self.text = place, text


def say(text):
    print(f"rekindle: {text}", file=sys.stderr, flush=True)


@dataclass
class Agent:
    name: str
    members: dict = field(default_factory=dict)


class Import:
    """What was found in a file. Stops as soon as the configuration would be too large."""

    def __init__(self):
        self.agents, self.faults, self.warnings = [], [], []
        self._names, self._noted, self._bytes = {}, set(), 0

    def fault(self, place, text):
        self.faults.append((place, text))
        if len(self.faults) == MOST_FAULTS:
            raise Rejected()

    def note(self, place, agent, text):
        """Warns once for each place and text, however many agents use the place."""
        place = place._replace(column=1)
        if (place, text) in self._noted:
            return
        self._noted.add((place, text))
        self.warnings.append((place, agent.name if agent else "", text))
        self._spend(place, len(text))

    def _spend(self, place, count):
        self._bytes += count
        if self._bytes > MOST_BYTES:
            raise Rejected(place, f"the configuration would have more than {MOST_BYTES} bytes")

    def add(self, name, place):
        if len(self.agents) == MOST_AGENTS:
            raise Rejected(place, f"expected at most {MOST_AGENTS} agents")
        valid = re.sub(r"[^A-Za-z0-9._-]", "-", name[:LONGEST_NAME]) or "agent"
        unique, number = valid, self._names.get(valid, 1)
        while unique in self._names:
            number += 1
            unique = f"{valid[: LONGEST_NAME - 1 - len(str(number))]}-{number}"
        self._names[valid], self._names[unique] = number, 1
        self.agents.append(agent := Agent(unique))
        if unique != name:
            problem = "already used" if valid == name else "invalid"
            self.note(place, agent, f'name "{printable(name)}" is {problem}; the agent is named "{unique}"')
        return agent

    def done(self, agent, place):
        """Counts an agent whose members are set."""
        self._spend(place, 64 + len(json.dumps(agent.members, ensure_ascii=False)))

    def finish(self, expected):
        self.agents = [agent for agent in self.agents if "program" in agent.members]
        if not self.agents and not self.faults:
            self.fault(Place(1), f"expected {expected} with a command, found none")
        self.warnings.sort(key=lambda warning: (warning[0].file, warning[0].line))

    def messages(self, file):
        for place, text in self.faults:
            yield f"{place.text(file)}: {text}"
        for place, agent, text in self.warnings:
            yield f"{place.text(file)}: {agent + ': ' if agent else ''}warning: {text}"

    def configuration(self, source):
        """The parts of the text. `source` names the file that was read."""
        yield f"// Imported from {comment(source)}. Relative paths refer to the folder of this file.\n"
        yield "// Comments in the agents name what could not be converted.\n{\n"
        notes = {agent.name: [] for agent in self.agents}
        for place, agent, text in self.warnings:
            if agent in notes:
                notes[agent].append(f"      // {comment(place.comment() + text)}\n")
            else:
                prefix = f"{agent}: " if agent else ""
                yield f"  // {comment(place.comment() + prefix + text)}\n"
        yield '  "agents": [\n'
        for agent in self.agents:
            yield "    {\n" + "".join(notes[agent.name])
            yield member("name", agent.name) + member("kind", "process")
            for name in MEMBERS:
                if name in agent.members:
                    yield member(name, agent.members[name])
            yield "    },\n"
        yield "  ],\n}\n"


class Source:
    """A part of a file that becomes agents. A key is a setting with a place, or the place itself."""

    def __init__(self, result):
        self.result, self.agent = result, None

    def at(self, key):
        raise NotImplementedError

    def note(self, key, text):
        self.result.note(key if isinstance(key, Place) else self.at(key), self.agent, text)

    def whole(self, key, text, standard, least, greatest, place=None):
        """A whole number."""
        if re.fullmatch("[+-]?[0-9]{1,9}", text) and least <= int(text) <= greatest:
            return int(text)
        if text:
            self.note(place or key, f'{key}: expected {least} to {greatest}, found "{printable(text)}"; '
                                    f"using {standard}")
        return standard

    def span(self, key, text, units, standard, place=None):
        """A duration in nanoseconds."""
        value = seconds_of(text, units) if text else standard
        if value is None:
            self.note(place or key, f'{key}: expected a duration such as "90s", found "{printable(text)}"; '
                                    f"using {duration(standard)}")
        return standard if value is None else value

    def limited(self, key, value, least, greatest, place=None):
        """The text of a duration in nanoseconds, which is clamped."""
        result = min(max(value, least), greatest)
        if result != value:
            self.note(place or key, f"{key} is outside of {duration(least)} to {duration(greatest)}; "
                                    f"using {duration(result)}")
        return duration(result)

    def set_variable(self, key, name, value):
        if name and "=" not in name and "\0" not in name:
            self.agent.members.setdefault("environment", {})[name] = value
        else:
            self.note(key, f'variable "{printable(name)}" has an invalid name; rename it')

    def set_umask(self, key, value):
        if re.fullmatch("0?[0-7]{1,3}", value):
            self.agent.members["umask"] = value
        elif value:
            self.note(key, f'expected an octal umask, found "{printable(value)}"; set "umask" by hand')

    def set_command(self, key, words):
        if not words or not words[0]:
            self.note(key, "the command has no program; add the agent by hand")
            return
        self.agent.members |= {"program": words[0]} | ({"arguments": words[1:]} if words[1:] else {})

    def set_stop(self, key, text, terminate, place=None):
        """The signal and the time of a stop."""
        name = signal_name(text)
        if name in NO_END:
            name = None
        if name is None:
            self.note(place or key, f"{key}={printable(text)} is not a signal that stops a program; SIGTERM is "
                                    "sent instead")
        self.agent.members["stop"] = {"terminate": "0s" if name == "SIGKILL" else terminate}
        if name not in (None, "SIGKILL", "SIGTERM"):
            self.agent.members["stop"] = {"signal": name, "terminate": terminate}


def policy_of(policy, always, stable):
    """An imported policy has no jitter and no circuit breaker."""
    return policy | ({"restartOn": "always"} if always else {}) | {
        "jitter": {"kind": "none"}, "stableAfter": stable, "circuitBreaker": "off", "permanent": []}


def comment(text):
    """On one line, because a comment ends at the end of the line."""
    return " ".join(text.split())


def spaced(value, separator=" "):
    """On one line, with blanks; `separator` is before the outermost items."""
    if not value or not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        items = [f"{json.dumps(key, ensure_ascii=False)}: {spaced(item)}" for key, item in value.items()]
        return "{ " + f",{separator}".join(items) + " }"
    return "[" + f",{separator}".join(map(spaced, value)) + "]"


def member(name, value):
    text = spaced(value)
    if isinstance(value, (dict, list)) and len(text.encode()) > 90:
        inner = spaced(value, "\n        ")[1:-1].strip(" ")
        text = f"{text[0]}\n        {inner}\n      {text[-1]}"
    return f'      "{name}": {text},\n'


SECOND = 1_000_000_000
MILLISECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86400 * SECOND


def duration(value):
    """The text of a duration in nanoseconds."""
    if value == 0:
        return "0s"
    for length, suffix in ((DAY, "d"), (HOUR, "h"), (MINUTE, "m"), (SECOND, "s"), (MILLISECOND, "ms")):
        if value % length == 0 and (suffix != "ms" or value < SECOND):
            return f"{value // length}{suffix}"
    length, suffix = (MILLISECOND, "ms") if value < SECOND else (SECOND, "s")
    return f"{value / length:.6f}".rstrip("0").rstrip(".") + suffix
