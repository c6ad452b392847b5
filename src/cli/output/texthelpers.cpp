// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "texthelpers_p.h"

namespace Rekindle {

namespace {

// The length of the escape sequence that begins at `start`, and whether it only sets colors.
struct Escape
{
    qsizetype length = 1;
    bool isColor = false;
};

Escape escapeAt(const QByteArray &text, qsizetype start)
{
    if (start + 1 >= text.size() || text[start + 1] != '[')
        return {2, false};
    // Only digits and their separators: other sequences with the same end change keys or modes.
    bool isColor = true;
    qsizetype end = start + 2;
    while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) {
        isColor = isColor
            && ((text[end] >= '0' && text[end] <= '9') || text[end] == ';' || text[end] == ':');
        ++end;
    }
    const bool hasEnd = end < text.size() && text[end] >= 0x40 && text[end] <= 0x7e;
    return {end - start + (hasEnd ? 1 : 0), isColor && hasEnd && text[end] == 'm'};
}

} // namespace

QString listed(const QStringList &texts)
{
    constexpr qsizetype enough = 20;
    QString text = texts.mid(0, enough).join(QLatin1String(", "));
    if (texts.size() <= enough)
        return text;
    return text + QStringLiteral(" and %1 more").arg(texts.size() - enough);
}

QByteArray forTerminal(const QByteArray &line)
{
    QByteArray shown;
    shown.reserve(line.size());
    bool hasColor = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        if (byte == 0x1b) {
            const Escape escape = escapeAt(line, i);
            if (escape.isColor)
                shown += line.mid(i, escape.length);
            hasColor = hasColor || escape.isColor;
            i += escape.length - 1;
        } else if (byte == 0xc2 && i + 1 < line.size()
                   && static_cast<unsigned char>(line[i + 1]) < 0xa0) {
            ++i; // a control character in UTF-8
        } else if ((byte >= 0x20 && byte != 0x7f) || byte == '\t') {
            shown += line[i];
        }
    }
    if (hasColor)
        shown += "\x1b[0m";
    return shown;
}

} // namespace Rekindle
