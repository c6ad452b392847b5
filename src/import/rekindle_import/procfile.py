# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Converts a Procfile."""

import os
import re

from output import Place, Source, printable
from words import literal, runs_without_shell

MOST_READ = 1024 * 1024  # of a file with variables

# Commands of a shell for which there is no program, or whose program has no effect.
BUILTINS = """. : alias bg break cd command continue eval exit export fg hash jobs local read readonly
    return set shift source times trap type ulimit umask unalias unset wait if for while until case""".split()


def assigns_port(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return re.search(r"^(export\s+)?PORT\s*=", file.read(MOST_READ), re.MULTILINE) is not None
    except OSError:
        return False


def convert(result, text, path, _read_text, _options):
    folder, process = os.path.dirname(os.path.abspath(path)), Source(result)
    for number, line in enumerate(text.split("\n"), 1):
        line, place = line.strip(), Place(number)
        match = re.fullmatch(r"([A-Za-z0-9_-]+):\s*(.+)", line)
        if not line or line.startswith("#"):
            continue
        if not match:
            result.fault(place, f'expected NAME: COMMAND, found "{printable(line)}"')
            continue
        command = match[2]
        process.agent = agent = result.add(match[1], place)
        words = command.removeprefix("exec ").split()
        is_plain = re.fullmatch("[A-Za-z0-9_./:@%+,-]+( +[A-Za-z0-9_./:=@%+,-]+)*", " ".join(words))
        if is_plain and words[0] not in BUILTINS and runs_without_shell(words[0], folder):
            process.set_command(place, words)
        else:
            process.set_command(place, ["sh", "-c", literal(command)])
        agent.members["workingDirectory"] = "."
        agent.members["environmentFiles"] = [{"file": ".env", "optional": True}]
        agent.members["stdin"] = "pipe"
        result.done(agent, place)
        if agent.name == "release":
            result.note(place, agent, '"release" runs once per deployment; remove the agent and run the '
                                      "command by hand")
        if ("$PORT" in command or "${PORT" in command) and not assigns_port(os.path.join(folder, ".env")):
            result.note(place, agent, 'PORT is not assigned; add it to "environment"')
    result.note(Place(1), None, "a Procfile has no restart policy; failed agents are restarted by the "
                                'policy "default"')
    return "a process"
