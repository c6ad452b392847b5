// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "terminaltext_p.h"

#include "validtext_p.h"

namespace Rekindle {

namespace {

constexpr char escape = '\x1b';
constexpr char bell = '\x07';
constexpr char reset[] = "\x1b[0m";

/// An escape sequence, and whether it only sets colors.
struct Sequence
{
    qsizetype length = 1;
    bool isColor = false;
};

bool isBetween(char byte, int first, int last)
{
    return static_cast<unsigned char>(byte) >= first && static_cast<unsigned char>(byte) <= last;
}

// ESC [ parameters final
Sequence controlSequenceAt(QByteArrayView text, qsizetype start)
{
    // Only digits and their separators: other sequences with the same end change keys or modes.
    bool isColor = true;
    qsizetype end = start + 2;
    while (end < text.size() && isBetween(text[end], 0x20, 0x3f)) {
        isColor =
            isColor && (isBetween(text[end], '0', '9') || text[end] == ';' || text[end] == ':');
        ++end;
    }
    const bool hasEnd = end < text.size() && isBetween(text[end], 0x40, 0x7e);
    return {end - start + (hasEnd ? 1 : 0), isColor && hasEnd && text[end] == 'm'};
}

// ESC ] text, up to BEL or ESC \, and other strings, for example the title of the window. Without
// an end, the whole line belongs to it.
Sequence stringAt(QByteArrayView text, qsizetype start)
{
    for (qsizetype end = start + 2; end < text.size(); ++end) {
        if (text[end] == bell)
            return {end + 1 - start};
        if (text[end] == escape && end + 1 < text.size() && text[end + 1] == '\\')
            return {end + 2 - start};
    }
    return {text.size() - start};
}

Sequence sequenceAt(QByteArrayView text, qsizetype start)
{
    if (start + 1 >= text.size())
        return {1};
    if (text[start + 1] == '[')
        return controlSequenceAt(text, start);
    if (QByteArrayView("]PX^_").contains(text[start + 1]))
        return stringAt(text, start);
    qsizetype end = start + 1; // such as ESC ( B
    while (end < text.size() && isBetween(text[end], 0x20, 0x2f))
        ++end;
    const bool hasEnd = end < text.size() && isBetween(text[end], 0x30, 0x7e);
    return {end - start + (hasEnd ? 1 : 0)};
}

// The length of a control character or a mark of direction in UTF-8; 0 if there is none.
qsizetype invisibleAt(QByteArrayView text, qsizetype start)
{
    const auto follows = [&](qsizetype offset, int first, int last) {
        return start + offset < text.size() && isBetween(text[start + offset], first, last);
    };
    if (isBetween(text[start], 0, 0x1f) || text[start] == '\x7f')
        return text[start] == '\t' ? 0 : 1;
    if (text[start] == '\xc2' && follows(1, 0x80, 0x9f)) // U+0080 to U+009F
        return 2;
    if (text[start] == '\xd8' && follows(1, 0x9c, 0x9c)) // U+061C
        return 2;
    if (text[start] != '\xe2')
        return 0;
    const bool isMark =
        (follows(1, 0x80, 0x80) && (follows(2, 0x8e, 0x8f) || follows(2, 0xaa, 0xae)))
        || (follows(1, 0x81, 0x81) && follows(2, 0xa6, 0xa9));
    return isMark ? 3 : 0; // U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069
}

} // namespace

QByteArray textOnTerminal(QByteArrayView line, Colors colors)
{
    if (!line.isValidUtf8())
        return textOnTerminal(QString::fromUtf8(line).toUtf8(), colors);
    QByteArray shown;
    shown.reserve(line.size());
    bool hasColor = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (line[i] == escape) {
            const Sequence sequence = sequenceAt(line, i);
            if (sequence.isColor && colors == Colors::Kept) {
                const QByteArrayView color = line.sliced(i, sequence.length);
                shown += color;
                hasColor = color != reset && color != "\x1b[m";
            }
            i += sequence.length - 1;
        } else if (const qsizetype length = invisibleAt(line, i); length > 0) {
            i += length - 1;
        } else {
            shown += line[i];
        }
    }
    if (hasColor)
        shown += reset;
    return shown;
}

QString foreignText(const QString &text, qsizetype longest)
{
    QByteArray line = validText(text).toUtf8();
    line.replace('\n', ' ').replace('\t', ' ');
    QString shown = QString::fromUtf8(textOnTerminal(line, Colors::Removed));
    if (shown.size() > longest)
        shown.truncate(shown[longest - 1].isHighSurrogate() ? longest - 1 : longest);
    return shown;
}

} // namespace Rekindle
