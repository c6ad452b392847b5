// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "systemdwords_p.h"

#include "importwords_p.h"

#include <QHash>
#include <QRegularExpression>

namespace Rekindle {

namespace {

// The character of an escape with digits: \x41, \101, \u20ac. Moves `at` behind the digits.
std::optional<QString> numberedEscape(const QString &value, qsizetype &at)
{
    const QChar kind = value[at];
    const bool isOctal = kind >= u'0' && kind <= u'7';
    const qsizetype length = isOctal ? 3
        : kind == u'x'               ? 2
        : kind == u'u'               ? 4
        : kind == u'U'               ? 8
                                     : 0;
    const QString digits = value.mid(at + (isOctal ? 0 : 1), length);
    bool isNumber = false;
    const uint code = digits.toUInt(&isNumber, isOctal ? 8 : 16);
    // Bytes above 127 are parts of characters, which cannot be written one by one here.
    const bool isPossible = kind == u'u' || kind == u'U'
        ? code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        : code < 128;
    if (length == 0 || digits.size() != length || !isNumber || code == 0 || !isPossible)
        return {};
    at += isOctal ? length : length + 1;
    const char32_t character = code;
    return QString::fromUcs4(&character, 1);
}

std::optional<QString> escape(const QString &value, qsizetype &at)
{
    static const QHash<QChar, QChar> characters{
        {u'a', u'\a'}, {u'b', u'\b'},  {u'f', u'\f'}, {u'n', u'\n'},  {u'r', u'\r'}, {u't', u'\t'},
        {u'v', u'\v'}, {u'\\', u'\\'}, {u'"', u'"'},  {u'\'', u'\''}, {u's', u' '},  {u';', u';'}};
    if (const auto found = characters.find(value[at]); found != characters.end()) {
        ++at;
        return QString(*found);
    }
    return numberedEscape(value, at);
}

} // namespace

SystemdWords::SystemdWords(const QString &fileName)
    : m_name(fileName.endsWith(QLatin1String(".service")) ? fileName.chopped(8) : fileName)
{
}

std::optional<QStringList> SystemdWords::split(const QString &value)
{
    QStringList words;
    QString word;
    bool isOpen = false;
    QChar quote;
    for (qsizetype at = 0; at < value.size();) {
        const QChar c = value[at++];
        if (c == u'\\') {
            const std::optional<QString> character =
                at < value.size() ? escape(value, at) : std::nullopt;
            if (!character)
                return {};
            word += *character;
            isOpen = true;
        } else if (!quote.isNull() && c == quote) {
            quote = QChar();
        } else if (quote.isNull() && (c == u'"' || c == u'\'')) {
            quote = c;
            isOpen = true;
        } else if (quote.isNull() && c.isSpace()) {
            if (isOpen)
                words.append(word);
            word.clear();
            isOpen = false;
        } else {
            word += c;
            isOpen = true;
        }
    }
    if (!quote.isNull())
        return {};
    if (isOpen)
        words.append(word);
    return words;
}

SystemdWords::Expanded SystemdWords::expand(const QString &text) const
{
    const QString prefix = m_name.section(u'@', 0, 0);
    const QString instance = m_name.section(u'@', 1);
    const QHash<QChar, QString> values{{u'%', QStringLiteral("%")},
                                       {u'n', m_name + QStringLiteral(".service")},
                                       {u'N', m_name},
                                       {u'p', prefix},
                                       {u'P', prefix},
                                       {u't', QStringLiteral("/run")},
                                       {u'S', QStringLiteral("/var/lib")},
                                       {u'C', QStringLiteral("/var/cache")},
                                       {u'L', QStringLiteral("/var/log")},
                                       {u'E', QStringLiteral("/etc")},
                                       {u'T', QStringLiteral("/tmp")},
                                       {u'V', QStringLiteral("/var/tmp")}};
    Expanded result;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at] != u'%' || at + 1 == text.size()) {
            result.text += text[at];
            continue;
        }
        const QChar specifier = text[++at];
        const bool isInstance = specifier == u'i' || specifier == u'I';
        if (isInstance && !instance.isEmpty()) {
            result.text += instance;
        } else if (values.contains(specifier)) {
            result.text += values[specifier];
        } else {
            result.text += u'%';
            result.text += specifier;
            result.unknown.append(QStringLiteral("%") + specifier);
        }
    }
    return result;
}

SystemdWords::Variables SystemdWords::variables(const QString &word)
{
    static const QRegularExpression form(
        QStringLiteral("\\$(?:\\$|\\{([A-Za-z_][A-Za-z0-9_]*)\\})"));
    static const QRegularExpression whole(QStringLiteral("\\A\\$([A-Za-z_][A-Za-z0-9_]*)\\z"));
    if (const QRegularExpressionMatch match = whole.match(word); match.hasMatch())
        return {QStringLiteral("${%1:-}").arg(match.captured(1)), true};
    QString result;
    QString plain; // a "$" and a following brace must be escaped together
    qsizetype at = 0;
    for (auto matches = form.globalMatch(word); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        plain += word.mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        if (match.captured() == QLatin1String("$$")) {
            plain += u'$';
            continue;
        }
        result += literal(plain);
        appendVariable(result, QStringLiteral("${%1:-}").arg(match.captured(1)));
        plain.clear();
    }
    return {result + literal(plain + word.mid(at)), false};
}

} // namespace Rekindle
