# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Words, variables, durations, sizes and signals."""

import os
import re
import shlex
import shutil
import signal

INFINITE = 10**30  # nanoseconds; above each limit of a configuration


def printable(text):
    """At most 80 characters, with control characters as escapes."""
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[:80])
    return shown + ("..." if len(text) > 80 else "")


def literal(text):
    """The text for a value in which Rekindle replaces variables."""
    return text.replace("${", "$${")


class Variables:
    """Texts with variables of Rekindle, which stay whole while a parser splits the text.

    A variable is marked with null characters, which no file contains.
    """

    def __init__(self):
        self._all = []

    def mark(self, variable):
        self._all.append(variable)
        return f"\0{len(self._all) - 1}\0"

    def finish(self, text):
        """Escapes the text around the variables. A "$" would escape the brace of a variable."""
        parts = re.split("\0([0-9]+)\0", text)
        result = []
        for index, part in enumerate(parts):
            if index % 2:
                result.append(self._all[int(part)])
            elif part.endswith("$") and index + 1 < len(parts):
                result.append(literal(part[:-1]) + "${REKINDLE_DOLLAR:-$}")
            else:
                result.append(literal(part))
        return "".join(result)

    def split(self, text):
        """Splits as a shell does; None if a quote is not closed."""
        try:
            return [self.finish(word) for word in shlex.split(text)]
        except ValueError:
            return None


def seconds_of(text, units):
    """A sum of numbers with units, such as "1min 30s", in nanoseconds; None if it is invalid."""
    total, at = 0.0, 0
    text = text.strip()[:1000]
    while at < len(text):
        match = re.compile(r"([0-9.]+)\s*([A-Za-z]*)\s*").match(text, at)
        if not match or match[2] not in units or not re.fullmatch(r"[0-9]+\.?[0-9]*|\.[0-9]+", match[1]):
            return None
        total += float(match[1]) * units[match[2]]
        at = match.end()
    if not text:
        return None
    return round(min(total, 200.0 * 365 * 86400) * 1e9)


def memory_size(text):
    """A size of 4 KiB to 1 TiB in the form of a configuration; otherwise None."""
    match = re.fullmatch("([0-9]{1,12})(b?|[kmgt]b?)", text, re.IGNORECASE | re.ASCII)
    if not match:
        return None
    power = max("bkmgt".find(match[2][:1].lower()), 0)
    size = int(match[1]) * 1024**power
    if not 4096 <= size <= 1024**4:
        return None
    return "1024GiB" if power == 4 else match[1] + ("B", "KiB", "MiB", "GiB")[power]


def signal_name(text):
    """SIGINT for "INT", "SIGINT" or "2"; None if there is no such signal."""
    name = text.strip().upper()
    try:
        if re.fullmatch("[0-9]{1,3}", name):
            return signal.Signals(int(name)).name
        return signal.Signals["SIG" + name.removeprefix("SIG")].name
    except (KeyError, ValueError):
        return None


def tag_is_valid(text):
    return re.fullmatch("[A-Za-z0-9._-]{1,64}", text) is not None


def runs_without_shell(program, folder):
    """Whether the kernel can execute the file: a shell also runs scripts without "#!"."""
    path = os.path.join(folder, program) if "/" in program else shutil.which(program)
    if path is None:
        return True
    try:
        with open(path, "rb") as file:
            start = file.read(4)
    except OSError:
        return False
    return start[:2] == b"#!" or start == b"\x7fELF"
