# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""links.py FOLDER: lists links between the pages (*.md) below FOLDER whose file or heading is missing."""

import pathlib
import re
import sys


def anchors(page):
    """The anchors of headings, as common viewers form them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        yield words.replace(" ", "-")


def dead_links(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`]*`", "", text)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            yield f"{page}: {link}: no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{page}: {link}: no such heading"


pages = sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
if not pages:
    sys.exit(f"links.py: no page below {sys.argv[1]}")
dead = [line for page in pages for line in dead_links(page)]
print(*dead, sep="\n", end="\n" if dead else "")
sys.exit(1 if dead else 0)
