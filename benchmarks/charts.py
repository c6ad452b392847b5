# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Draws charts as SVG on a white card, like docs/quickstart.svg.

Series differ in shape and label, not only in color.
"""

import math
import re
from xml.sax.saxutils import escape

WIDTH = 720
STYLE = """text { fill: #24292f }
.title, .own { font-weight: bold }
.scale { font-size: 11px }
.grid { stroke: #d0d7de }
.bar { fill: #8c959f }
.own-bar { fill: #0969da }
.line { fill: none; stroke-width: 2 }
.line0, .mark0 { stroke: #0969da }
.line1, .mark1 { stroke: #9a6700 }
.line1 { stroke-dasharray: 6 4 }
.mark0 { fill: #0969da }
.mark1 { fill: none; stroke-width: 2 }"""


def document(title, height, parts):
    # REUSE-IgnoreStart
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
             f'height="{height}" font-family="sans-serif" font-size="13">',
             "<!-- SPDX-FileCopyrightText: 2026 The Rekindle founders -->",
             "<!-- SPDX-License-Identifier: MIT -->",
             f"<title>{escape(title)}</title>", f"<style>\n{STYLE}\n</style>",
             f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6" fill="#fff" stroke="#d0d7de"/>',
             text(12, 22, title, "title"), *parts, "</svg>"]
    # REUSE-IgnoreEnd
    return "\n".join(lines) + "\n"


def title_of(svg):
    return re.search("<title>(.*)</title>", svg)[1]


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def bars(title, values, logarithmic=False):
    """A bar for each (name, value, label). The bars of Rekindle have another color and a bold name."""
    left, right, step = 210, 90, 26
    positive = [value for _, value, _ in values if value > 0]
    if logarithmic:
        low = 10 ** (math.ceil(math.log10(min(positive))) - 1)
        share = lambda value: math.log(value / low) / math.log(max(positive) / low) if value > low else 0
    else:
        share = lambda value: value / max(positive)
    parts = []
    for row, (name, value, label) in enumerate(values):
        y = 40 + row * step
        is_own = name.startswith("rekindle")
        width = max(1, share(value) * (WIDTH - left - right))
        parts += [text(left - 10, y + 14, name, "own" if is_own else "", "end"),
                  f'<rect x="{left}" y="{y}" width="{width:.1f}" height="18" class="{"own-bar" if is_own else "bar"}"/>',
                  text(left + width + 6, y + 14, label, "own" if is_own else "")]
    return document(title, 52 + len(values) * step, parts)


def ticks(low, high):
    """Returns round values for a linear axis from 0."""
    step = 10 ** math.floor(math.log10(high / 2))
    while high / step > 6:
        step *= 2 if str(step)[0] != "2" else 2.5
    return [step * number for number in range(int(high / step) + 1)]


def curves(title, x_title, y_title, series, logarithmic):
    """A line for each name with its points (x, y, label). The x axis is logarithmic."""
    left, right, top, bottom, height = 70, 150, 44, 50, 340
    points = [point for line in series.values() for point in line]
    xs = sorted({x for x, _, _ in points})
    low, high = min(y for _, y, _ in points), max(y for _, y, _ in points)
    span = math.log(xs[-1] / xs[0]) or 1
    place_x = lambda x: left + math.log(x / xs[0]) / span * (WIDTH - left - right)
    if logarithmic:
        bounds = math.floor(math.log10(low)), math.ceil(math.log10(high * 1.0001))
        grid = [10.0 ** power for power in range(bounds[0], bounds[1] + 1)]
        share = lambda y: (math.log10(y) - bounds[0]) / (bounds[1] - bounds[0])
    else:
        grid = ticks(0, high)
        share = lambda y: y / (high * 1.05)
    place_y = lambda y: height - bottom - share(y) * (height - top - bottom)
    parts = []
    for y in grid:
        parts += [f'<path d="M{left} {place_y(y):.1f}H{WIDTH - right}" class="grid"/>',
                  text(left - 8, place_y(y) + 4, f"{y:,g}", "scale", "end")]
    parts.append(text(left - 8, top - 8, y_title, "scale", "end"))
    for number, x in enumerate(xs):
        is_crowded = number > 0 and place_x(x) - place_x(xs[number - 1]) < 40
        parts.append(text(place_x(x), height - bottom + (32 if is_crowded else 18), f"{x:,}", "scale", "middle"))
    parts.append(text((left + WIDTH - right) / 2, height - 12, x_title, "scale", "middle"))
    for number, (name, line) in enumerate(series.items()):
        path = "L".join(f"{place_x(x):.1f} {place_y(y):.1f}" for x, y, _ in line)
        parts.append(f'<path d="M{path}" class="line line{number}"/>')
        for x, y, _ in line:
            parts.append(mark(number, place_x(x), place_y(y)))
    free = 0  # the first y position below the previous label
    for name, line in sorted(series.items(), key=lambda item: place_y(item[1][-1][1])):
        x, y, label = line[-1]
        baseline = max(place_y(y) - 2, free)
        free = baseline + 34
        parts += [text(place_x(x) + 12, baseline, name, "own"), text(place_x(x) + 12, baseline + 15, label)]
    return document(title, height, parts)


def mark(number, x, y):
    if number == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="mark0"/>'
    return f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" class="mark1"/>'
