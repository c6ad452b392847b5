# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Reads YAML with PyYAML into texts, lists and mappings with places, within limits."""

import re

import yaml

from output import Place, Rejected, printable
from words import Variables

MOST_VALUES, MOST_DEPTH = 100_000, 64
NULL = ("", "~", "null", "Null", "NULL")
NOTHING = Place()


class Text(str):
    place, is_plain = NOTHING, False


class List(list):
    place = NOTHING


class Map(dict):
    place = NOTHING

    def at(self, key):
        """The place of a value, or of its key."""
        return getattr(self.get(key), "place", None) or self.places[key]


class Reader:
    def __init__(self, text):
        self.events = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.values, self.anchors = 0, {}

    def document(self):
        roots = []
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if roots:
                    raise Rejected(place_of(event.start_mark), "expected one document")
                roots.append(self.node(next(self.events), 1))
        if not roots:
            raise Rejected(Place(1), "expected a document")
        return roots[0]

    def count(self, number, place):
        self.values += number
        if self.values > MOST_VALUES:
            raise Rejected(place, f"expected at most {MOST_VALUES} values")

    def node(self, event, depth):
        place, before = place_of(event.start_mark), self.values
        self.count(1, place)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise Rejected(place, f"unknown alias *{printable(event.anchor)}")
            value, size = self.anchors[event.anchor]
            self.count(size, place)
            return value
        if depth > MOST_DEPTH:
            raise Rejected(place, f"expected at most {MOST_DEPTH} nested values")
        if isinstance(event, yaml.ScalarEvent):
            value = Text(event.value)
            value.is_plain = event.style in (None, "") and event.tag in (None, "")
            if "\0" in value:
                raise Rejected(place, "expected text, found a null character")
        elif isinstance(event, yaml.SequenceStartEvent):
            value = List(iter(lambda: self.next_node(yaml.SequenceEndEvent, depth), Reader))
        else:
            value = self.mapping(depth)
        value.place = place
        if isinstance(value, Text) and value.is_plain and value in NULL:
            value = None
        if event.anchor:
            self.anchors[event.anchor] = value, self.values - before
        return value

    def next_node(self, end, depth):
        """The next value of a list or mapping; the class itself at its end."""
        event = next(self.events)
        return Reader if isinstance(event, end) else self.node(event, depth + 1)

    def mapping(self, depth):
        result, merged = Map(), []
        result.places = {}
        while (event := next(self.events)) and not isinstance(event, yaml.MappingEndEvent):
            key, place = self.node(event, depth + 1), place_of(event.start_mark)
            value = self.node(next(self.events), depth + 1)
            if not isinstance(key, Text):
                raise Rejected(place, "expected a text as the key")
            if key == "<<" and key.is_plain:
                merged += value if isinstance(value, List) else [value]
            elif key in result:
                raise Rejected(place, f'duplicate key "{printable(key)}"')
            else:
                result[str(key)], result.places[str(key)] = value, place
        for source in merged:  # own keys win over merged ones, and earlier sources over later ones
            for key in source if isinstance(source, Map) else ():
                if key not in result:
                    self.count(1, result.place)
                    result[key], result.places[key] = source[key], source.places[key]
        return result


def place_of(mark):
    return Place(mark.line + 1, mark.column + 1)


def load(text):
    try:
        return Reader(text).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Rejected(place_of(mark), printable(error.problem or error.context)) from None
    except yaml.YAMLError as error:
        raise Rejected(Place(1), printable(str(error).split("\n", maxsplit=1)[0])) from None


def items(value, kind):
    """The items if the value has this kind."""
    return value if isinstance(value, kind) else kind()


def number_text(text):
    """A plain number in its normal form, as tools pass it on: 1.10 becomes 1.1, 0x10 becomes 16."""
    if not getattr(text, "is_plain", False):
        return text
    plain = text.replace("_", "")
    if re.fullmatch("[+-]?(0[xob]?[0-9a-fA-F]+|[1-9][0-9]*|0)", plain):
        try:
            return str(int(re.sub("^([+-]?)0(?=[0-7])", r"\g<1>0o", plain), 0))
        except ValueError:
            return text
    if re.fullmatch(r"[+-]?[0-9]{1,15}\.[0-9]{0,6}", plain):
        return f"{float(plain):.6f}".rstrip("0").rstrip(".")
    return text


# $$, $NAME, ${NAME}, ${NAME:-DEFAULT} with at most one level of braces in it, or another form
FORM = re.compile(r"\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+=])((?:[^{}]|\$\{[^{}]*\})*))?\}|(\{))",
                  re.ASCII)


def interpolate(text, variables, note, has_bare_names=True):
    """Marks variables in the form of Rekindle."""
    def replaced(match):
        name, kind, default = match[2] or match[3], match[4] or ":-", match[5] or ""
        if match[1]:
            return "$"
        if match[6] or (match[2] and not has_bare_names):
            if match[6]:
                note(f"{printable(text[match.start():][:40])} is not converted; write the value by hand")
            return match[0]
        if kind.endswith("?"):
            return variables.mark("${" + name + "}")
        if kind.endswith("+"):
            note(f"{printable(match[0])} is not converted; write the value by hand")
            default = ""
        elif "${" in default:
            default = re.sub(r"\$\{\w+(?::?[-=]([^{}]*))?[^{}]*\}", lambda inner: inner[1] or "", default)
            note(f"{printable(match[0])}: the default is always {printable(default)!r}")
        elif kind in ("-", "="):
            note(f"{printable(match[0])}: the default is also used if the variable is empty")
        return variables.mark("${" + name + ":-" + default + "}")
    return FORM.sub(replaced, text)


def interpolated(text, note, has_bare_names=True):
    variables = Variables()
    return variables.finish(interpolate(text, variables, note, has_bare_names)) if "$" in text else text


def fixed(text, lookup, note):
    """Replaces variables with their current values, because Rekindle replaces none here."""
    def replaced(match):
        value = lookup(match[2] or match[3] or "")
        return "$" if match[1] else value or match[5] or "" if not match[6] else match[0]
    result = FORM.sub(replaced, text)
    if result != text:
        note(f"{printable(text)} is always {printable(result)!r}; variables are not replaced here")
    return result
