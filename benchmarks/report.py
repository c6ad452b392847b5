#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Writes the tables and charts from benchmarks/results.json.

  report.py           write them
  report.py --check   change nothing; fail if one of them is not current
"""

import json
import os
import statistics
import sys
import textwrap

import charts

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = "benchmarks/results.json"
PAGE_WIDTH = 118
PAGE = "benchmarks/README.md"
FRONT_PAGE = "README.md"
BEGIN, END = "<!-- benchmarks/run writes this -->\n", "<!-- end of benchmarks/run -->\n"
WRITTEN = [RESULTS, PAGE, FRONT_PAGE, "docs/benchmark-*.svg"]


def ratios(values, own, peer):
    """Returns the ratio of two figures for each round that has both."""
    return [round(value / values[peer][number], 3) for number, value in sorted(values.get(own, {}).items())
            if values.get(peer, {}).get(number)]


def summarize(results, rows, references):
    """Returns the figures with their medians, and the targets with what was measured."""
    found = {}
    for figure, values in results.values.items():
        found[figure] = {"unit": results.units[figure], "median": statistics.median(values.values()),
                         "rounds": [values[number] for number in sorted(values)]}
        benchmark, subject, name = figure.split("/", 2)
        reference = references.get(benchmark, subject)
        if reference != subject and (quotients := ratios(results.values, figure, f"{benchmark}/{reference}/{name}")):
            found[figure] |= {"to": reference, "ratio": statistics.median(quotients), "ratios": quotients}
    targets = []
    for row in rows:
        target = {"what": row.text, "figure": row.figure, "target": row.target, "atLeast": row.at_least}
        if row.peer:
            values = ratios(results.values, row.figure, row.peer)
            target |= {"peer": row.peer, "ratios": values}
        else:
            values = list(results.values.get(row.figure, {}).values())
            target["unit"] = row.unit
        if values:
            measured = statistics.median(values)
            target["measured"] = float(f"{measured:.4g}")
            target["met"] = measured >= row.target if row.at_least else measured <= row.target
        targets.append(target)
    return {"targets": targets, "figures": found, "errors": results.errors, "skipped": results.skipped}


def show(value, unit):
    """Returns a number with three significant digits and its unit."""
    scales = {"ns": ["ns", "µs", "ms", "s"], "us": ["µs", "ms", "s"], "ms": ["ms", "s"]}.get(unit, [unit])
    while len(scales) > 1 and abs(value) >= 1000:
        value /= 1000
        scales.pop(0)
    number = f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
    return number + scales[0] if scales[0].startswith("/") else f"{number} {scales[0]}".rstrip()


def table(header, lines):
    return ["| " + " | ".join(header) + " |", "|" + "---|" * len(header),
            *("| " + " | ".join(line) + " |" for line in lines), ""]


def paragraph(text):
    return [*textwrap.wrap(text, PAGE_WIDTH, break_long_words=False, break_on_hyphens=False), ""]


def target_line(target, figures):
    sign = "≥" if target["atLeast"] else "≤"
    own, peer = (figures.get(target.get(key)) for key in ("figure", "peer"))
    limit = f"{sign} {target['target']:g} ×" if "peer" in target else f"{sign} {show(target['target'], target['unit'])}"
    if "measured" not in target:
        return [target["what"], limit, "not measured", "-"]
    if "peer" in target:
        measured = (f"{target['measured']:.2f} × ({show(own['median'], own['unit'])} / "
                    f"{show(peer['median'], peer['unit'])})")
    else:
        measured = show(target["measured"], target["unit"])
    return [target["what"], limit, measured, "yes" if target["met"] else "**no**"]


def cell(figures, name, with_ratio=False):
    if name not in figures:
        return "-"
    text = show(figures[name]["median"], figures[name]["unit"])
    return f"{text} ({show(figures[name]['ratio'], '×')})" if with_ratio and "ratio" in figures[name] else text


def subjects(figures, benchmark):
    """Returns the subjects of a benchmark in the order in which they were measured."""
    return list(dict.fromkeys(name.split("/")[1] for name in figures if name.startswith(benchmark + "/")))


def tables(document):
    """Returns the generated part of the page as lines."""
    figures, about = document["figures"], document["machine"]
    lines = paragraph(
        f"Measured on {document['date']} at commit {document['commit']} in one run of {document['rounds']} rounds. "
        f"Machine: {about['cores']} cores ({about['cpu']}), {about['kernel']}, {about['distribution']}, "
        f"Qt {about['qt']}, {about['compiler']}, {about['build']} build. A figure is the median of its rounds. A ratio "
        "is the median of the ratios within each round. [results.json](results.json) has all rounds.")
    lines += table(["what", "target", "measured", "met"],
                   [target_line(target, figures) for target in document["targets"]])
    names = list(dict.fromkeys(subjects(figures, "storm") + subjects(figures, "replacement")))
    if names:
        lines += ["Other supervisors, with ratios to the bare loop. The first column of figures is for one child, the others are for 1,000:", ""]
        columns = ["replacement/{}/median", "storm/{}/restarted", "storm/{}/started", "storm/{}/PSS",
                   "storm/{}/PSS after"]
        lines += table(["", "one child replaced", "all replaced", "all started", "memory (PSS)", "after the storm"],
                       [[name, *(cell(figures, column.format(name), column in columns[:2]) for column in columns)]
                        for name in names])
    if names := subjects(figures, "mcp"):
        columns = ["median", "p95", "p99", "16 in flight", "1 MiB", "resident", "PSS"]
        lines += ["MCP, a call of the tool `echo` of the reference server:", ""]
        lines += table(["", "round trip, median", "p95", "p99", "16 in flight", "1 MiB echoed", "resident", "PSS"],
                       [[name, *("-" if name == "direct" and column in ("resident", "PSS")
                                 else cell(figures, f"mcp/{name}/{column}") for column in columns)] for name in names])
    if names := subjects(figures, "agent-storm"):
        lines += ["100,000 agents in one process:", ""]
        lines += table(["", "time until all are restarted", "memory per agent"],
                       [[name, cell(figures, f"agent-storm/{name}/restarted"),
                         cell(figures, f"agent-storm/{name}/memory")] for name in names])
    for benchmark, title in (("fan-out", "Cost of an event by the number of subscribers (`fanoutbench`):"),
                             ("table", "10,000 agents fail at once, CPU time by the use of the table model (`tablebench`):")):
        found = [name for name in figures if name.startswith(benchmark + "/")]
        if found:
            lines += [title, ""]
            lines += table(["what", "measured"], [[f"`{name.split('/', 2)[2]}`", cell(figures, name)] for name in found])
    if soak := document.get("soak"):
        lines += paragraph(
            f"Soak test ({soak['date']}, commit {soak['commit']}): {soak['agents']:,} agents for "
            f"{soak['minutes']:g} minutes, {soak['kills']:,} random kills, {soak['missedRestarts']} missed restarts. "
            f"Memory (PSS) {soak['first']['PSS MB']:.1f} MB at the beginning and {soak['last']['PSS MB']:.1f} MB at the end, "
            f"descriptors {soak['first']['descriptors']:,.0f} and {soak['last']['descriptors']:,.0f}. "
            + ("Failed: " + "; ".join(soak["faults"]) if soak["faults"] else "No limit was exceeded."))
    for what, reasons in (("Not installed", document["skipped"]), ("Failed at least once", document["errors"])):
        if reasons:
            lines += paragraph(f"{what}: " + ", ".join(reasons) + ".")
    return lines


def charts_of(document):
    """Returns the text of each chart by its path."""
    figures = document["figures"]

    def bars(title, benchmark, name, logarithmic=False):
        found = {subject: figures[f"{benchmark}/{subject}/{name}"] for subject in subjects(figures, benchmark)
                 if f"{benchmark}/{subject}/{name}" in figures}
        return charts.bars(title, [(subject, figure["median"], show(figure["median"], figure["unit"]))
                                   for subject, figure in found.items()], logarithmic) if found else None

    def curves(title, benchmark, unit, logarithmic):
        found = {subject: sorted((int(name.rpartition("=")[2]), figure["median"], show(figure["median"], figure["unit"]))
                                 for name, figure in figures.items() if name.startswith(f"{benchmark}/{subject}/"))
                 for subject in subjects(figures, benchmark)}
        return charts.curves(title, "number of agents", unit, found, logarithmic) if found else None

    found = {
        "replacement": bars("A killed child is replaced (logarithmic scale)", "replacement", "median", True),
        "storm": bars("1,000 children killed at once, all replaced (logarithmic scale)", "storm", "restarted", True),
        "memory": bars("Memory (PSS) with 1,000 children", "storm", "PSS"),
        "mcp": bars("Round trip of an MCP call", "mcp", "median"),
        "restart-curve": curves("Restart of one of N agents, from failure to start", "restart-curve", "µs", False),
        "start-up-curve": curves("Start of N programs by rekindle up", "start-up-curve", "ms", True),
    }
    return {f"docs/benchmark-{name}.svg": text for name, text in found.items() if text}


def replaced(page, lines):
    """Returns the text of the page with these lines between its marker comments."""
    with open(f"{ROOT}/{page}") as file:
        text = file.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"report: {page} lacks the comments {BEGIN.strip()} and {END.strip()}")
    return before + begin + "\n".join(["", *lines, "", ""] if lines else []) + end + after


def rendered(document):
    """Returns the text of each generated file and page by its path."""
    found = charts_of(document)
    images = [f"![{charts.title_of(text)}](../{path})" for path, text in found.items()]
    page = tables(document) + [line for image in images for line in (image, "")]
    found[PAGE] = replaced(PAGE, page[:-1])
    front = "docs/benchmark-storm.svg"
    chart = [f"![{charts.title_of(found[front])}]({front})"] if front in found else []
    found[FRONT_PAGE] = replaced(FRONT_PAGE, chart)
    return found


def to_text(value, depth=0):
    """Returns JSON with one line for each figure, target and sample."""
    is_list = isinstance(value, list)
    if not value or not (isinstance(value, dict) and depth < 2 or is_list and isinstance(value[0], dict)):
        return json.dumps(value, ensure_ascii=False)
    parts = ([to_text(item, depth + 1) for item in value] if is_list else
             [f"{json.dumps(key, ensure_ascii=False)}: {to_text(item, depth + 1)}" for key, item in value.items()])
    indent = "\n" + " " * depth
    begin, end = "[]" if is_list else "{}"
    return begin + indent + " " + ("," + indent + " ").join(parts) + indent + end


def read():
    with open(f"{ROOT}/{RESULTS}") as file:
        return json.load(file)


def write(document):
    if os.path.exists(f"{ROOT}/{RESULTS}") and "soak" in (old := read()):
        document.setdefault("soak", old["soak"])
    texts = {RESULTS: to_text(document) + "\n", **rendered(document)}
    for path, text in texts.items():
        with open(f"{ROOT}/{path}", "w") as file:
            file.write(text)


def print_all(document, with_targets=True):
    for name, figure in document["figures"].items():
        rounds = ", ".join(show(value, figure["unit"]) for value in figure["rounds"])
        print(f"{name:60} {show(figure['median'], figure['unit']):>12}   {rounds}")
    for target in document["targets"]:
        if with_targets and "measured" in target:
            print(" | ".join(target_line(target, document["figures"])))
    for name, error in document["errors"].items():
        print(f"failed: {name}: {error}")
    for name, why in document["skipped"].items():
        print(f"skipped: {name}: {why}")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__.strip())
        return 0 if sys.argv[1:] in (["--help"], ["-h"]) else 64
    if not os.path.exists(f"{ROOT}/{RESULTS}"):
        return 0
    document = read()
    if sys.argv[1:] != ["--check"]:
        write(document)
        return 0
    stale = []
    for path, text in rendered(document).items():
        if not os.path.exists(f"{ROOT}/{path}") or open(f"{ROOT}/{path}").read() != text:
            stale.append(path)
    for path in stale:
        print(f"{path}: differs from {RESULTS}; run benchmarks/report.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
