#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Checks text and includes; scripts/check-style runs it from the root of the tree.

- Pages, headers, sources, scripts and comments of tests use none of the words that docs/glossary.md
  replaces.
- No line of a Markdown table is longer than 160 characters.
- Links between pages refer to files and headings that exist.
- Folders below src/ include each other without circles, also through public headers.
- A component includes no private header of another component, except of base, json, wire
  and the folders named internal.
- No folder below src/ or tests/ has more than 30 files.
- No two headers define a type of the same name: the linker would mix them up without an error.
- resources/rekindle.categories lists the logging categories of src/ with their default severity.
"""

import pathlib
import re
import sys
from collections import defaultdict

ROOT = pathlib.Path(".")
SKIPPED = {"build", ".git", ".cache", "node_modules"}
MAX_TABLE_LINE = 160
MAX_FILES = 30
INTERNAL_COMPONENTS = {"base", "json", "wire"}
# A component offers the headers in its folder of this name to the other components.
INTERNAL_FOLDER = "internal"

WORDS = re.compile(
    r"\b(told|tells?|nobody|somebody|whoever|hardly meant|once more|anew|for ever|set aside|let go"
    r"|goes on|go on|any more|says so|say so|of its own accord|stands? (?:in|for) nothing|as it stands"
    r"|at rest|licence[sd]?|behaviours?|colours?)\b",
    re.IGNORECASE,
)
INCLUDE = re.compile(r'^#include ["<]([\w/]+\.h)[">]', re.MULTILINE)
CATEGORY = re.compile(r'Q_LOGGING_CATEGORY\(\s*\w+,\s*"([^"]+)"(?:,\s*Qt(\w+)Msg)?\s*\)')
INSTALLED_CATEGORY = re.compile(r"^([\w.]+) .*DEFAULT_SEVERITY \[(\w+)\]", re.MULTILINE)
LINK = re.compile(r"\]\(([^\s()#:]*)(?:#([^\s()]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:struct|class|enum class) (?:REKINDLE_\w+ )?(\w+)\b(?! *<|::)[^;<\n]*$", re.MULTILINE)


def files(folder, *suffixes):
    found = []
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in suffixes and path.is_file() and not SKIPPED & set(path.parts):
            found.append(path)
    return found


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def check_words():
    checked = files(".", ".md") + files("include", ".h") + files("scripts", "", ".py", ".sh")
    for top in ("src", "plugins", "tests"):
        checked += files(top, ".h", ".cpp", ".py", ".sh", ".cmake")
    for path in checked:
        text = path.read_text(encoding="utf-8")
        if path.parts[0] == "tests" and path.suffix in (".h", ".cpp"):
            # Only comments, because tests use such words as data.
            text = "\n".join(line.partition("//")[2] for line in text.split("\n"))
        if path.name != "stylecheck.py":
            yield from forbidden_words(path, text)


def forbidden_words(path, text):
    for match in WORDS.finditer(text):
        yield f'{path}:{line_of(text, match.start())}: found "{match.group()}"; see docs/glossary.md'


def check_tables():
    for path in files(".", ".md"):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line.startswith("|") and len(line) > MAX_TABLE_LINE:
                yield (
                    f"{path}:{number}: expected at most {MAX_TABLE_LINE} characters in a line of a "
                    f"table, found {len(line)}"
                )


def check_links():
    for path in files(".", ".md"):
        # Without examples, but with the same lines.
        text = FENCED.sub(lambda match: "\n" * match.group().count("\n"), path.read_text(encoding="utf-8"))
        for link in LINK.finditer(text):
            name, anchor = link.groups()
            target = path.parent / name if name else path
            if not target.exists() or (anchor and anchor not in anchors_of(target)):
                yield f"{path}:{line_of(text, link.start())}: no such file or heading: {link.group()[2:-1]}"


def anchors_of(path):
    """The names that GitHub gives to the headings of a page."""
    headings = HEADING.findall(FENCED.sub("", path.read_text(encoding="utf-8")))
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def component_headers(*tops):
    """The headers and sources below the folders, with the headers of components that they include."""
    included = {}
    for path in (path for top in tops for path in files(top, ".h", ".cpp")):
        places = (
            ROOT / ("include" if name.startswith("rekindle/") else "src") / name
            for name in INCLUDE.findall(path.read_text(encoding="utf-8"))
        )
        included[path] = [place for place in places if place.is_file()]
    return included


def check_private_headers():
    for path, headers in component_headers("src").items():
        for header in headers:
            if header.parts[0] != "src":
                continue
            component, *folder = header.parts[1:-1]
            if component in INTERNAL_COMPONENTS or folder == [INTERNAL_FOLDER]:
                continue
            if component != path.parts[1]:
                yield f"{path}: includes {header}, a private header of another component"


class Folders:
    """Which folder of src/ a file belongs to.

    Headers below include/ and in the folders named internal are only kept apart from the others. Such a
    header belongs to the folder of the source of the same name. Without such a source, it belongs to no
    folder, and a file that includes it depends on what it includes.
    """

    def __init__(self):
        self.included = component_headers("include", "src")
        self.sources = {}
        for path in self.included:
            if path.suffix == ".cpp":
                self.sources[path.parts[1], stem(path)] = path.parent.relative_to("src").as_posix()

    def of(self, path):
        if path.parts[0] == "include":
            return self.sources.get((path.parts[2], stem(path)))
        if path.parts[2:-1] == (INTERNAL_FOLDER,):
            return self.sources.get((path.parts[1], stem(path)))
        return path.parent.relative_to("src").as_posix()

    def reached(self, header, passed):
        """The folders on which a file depends that includes the header."""
        folder = self.of(header)
        if folder:
            yield folder
        elif header not in passed:
            passed.add(header)
            for other in self.included[header]:
                yield from self.reached(other, passed)


def stem(path):
    return re.sub(r"(_p|_unix|_linux)$", "", path.stem)


def check_circles():
    folders = Folders()
    examples = defaultdict(dict)
    for path, headers in folders.included.items():
        own = folders.of(path)
        for header in headers if own else ():
            for other in folders.reached(header, set()):
                if own != other:
                    examples[own].setdefault(other, f"{path} includes {header}")
    reported = set()
    for start in sorted(examples):
        circle = shortest_circle(examples, start)
        if circle and frozenset(circle) not in reported:
            reported.add(frozenset(circle))
            steps = "; ".join(examples[a][b] for a, b in zip(circle, circle[1:] + circle[:1]))
            yield f"src/{circle[0]}: circle of folders {' -> '.join(circle + circle[:1])}: {steps}"


def shortest_circle(graph, start):
    ways = [[start]]
    seen = set()
    while ways:
        way = ways.pop(0)
        for folder in graph.get(way[-1], ()):
            if folder == start:
                return way
            if folder not in seen:
                seen.add(folder)
                ways.append(way + [folder])
    return None


def check_folder_sizes():
    counts = defaultdict(int)
    for top in ("src", "tests"):
        for path in (ROOT / top).rglob("*"):
            if path.is_file() and not SKIPPED & set(path.parts):
                counts[path.parent] += 1
    for folder, count in sorted(counts.items()):
        if count > MAX_FILES:
            yield f"{folder}: expected at most {MAX_FILES} files, found {count}"


def check_type_names():
    places = defaultdict(list)
    for path in files("include", ".h") + files("src", ".h"):
        for name in TYPE.findall(path.read_text(encoding="utf-8")):
            places[name].append(str(path))
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f"{paths[-1]}: expected a name that no other header uses, found {name}, as in {paths[0]}"


def check_categories():
    path = ROOT / "resources/rekindle.categories"
    installed = set(INSTALLED_CATEGORY.findall(path.read_text(encoding="utf-8")))
    used = set()
    for source in files("src", ".cpp"):
        for name, severity in CATEGORY.findall(source.read_text(encoding="utf-8")):
            used.add((name, severity.upper() or "DEBUG"))
    for name, severity in sorted(used ^ installed):
        place = "src/" if (name, severity) in used else path
        yield f"{path}: expected the logging categories of src/; only {place} has {name} [{severity}]"


def main():
    checks = (
        check_words,
        check_tables,
        check_links,
        check_private_headers,
        check_circles,
        check_folder_sizes,
        check_type_names,
        check_categories,
    )
    faults = [fault for check in checks for fault in check()]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
