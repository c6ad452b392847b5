// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importwords_p.h"

#include <algorithm>
#include <cmath>

namespace Rekindle {

QString literal(QString text) { return text.replace(QLatin1String("${"), QLatin1String("$${")); }

void appendVariable(QString &text, const QString &variable)
{
    if (text.endsWith(u'$')) {
        text.chop(1);
        text += QLatin1String("${REKINDLE_DOLLAR:-$}");
    }
    text += variable;
}

bool isVariableName(QStringView text)
{
    return !text.isEmpty() && !text.front().isDigit() && std::ranges::all_of(text, [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || c == u'_');
    });
}

std::optional<QStringList> splitWords(const QString &command, WordContent content)
{
    QStringList words;
    QString word;
    bool isOpen = false; // a word has begun, perhaps an empty one
    QChar quote;
    // Quotes and backslashes between "$" and "{" are removed, but make no variable.
    const auto append = [&](QChar c) {
        if (content == WordContent::Variables && c == u'{' && word.endsWith(u'$'))
            word += u'$';
        word += c;
    };
    for (qsizetype i = 0; i < command.size(); ++i) {
        const QChar c = command[i];
        if (content == WordContent::Variables && c == u'$') {
            // "$${" is an escaped brace.
            const bool isEscaped = command.mid(i + 1, 2) == QLatin1String("${");
            const bool isVariable = !isEscaped && command.mid(i + 1, 1) == QLatin1String("{");
            const qsizetype end = isVariable ? command.indexOf(u'}', i) : i + (isEscaped ? 2 : 0);
            word += command.mid(i, end < 0 ? -1 : end - i + 1);
            i = end < 0 ? command.size() : end;
            isOpen = true;
            continue;
        }
        if (content == WordContent::Variables && c == u'\\' && quote != u'\''
            && command.mid(i + 1, 1) == QLatin1String("$"))
            continue;
        if (c == u'\\' && quote != u'\'' && i + 1 < command.size()) {
            const QChar next = command[++i];
            if (quote == u'"' && next != u'"' && next != u'\\')
                word += c;
            append(next);
            isOpen = true;
        } else if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
            else
                append(c);
        } else if (c == u'"' || c == u'\'') {
            quote = c;
            isOpen = true;
        } else if (c.isSpace()) {
            if (isOpen)
                words.append(word);
            word.clear();
            isOpen = false;
        } else {
            append(c);
            isOpen = true;
        }
    }
    if (!quote.isNull())
        return {};
    if (isOpen)
        words.append(word);
    return words;
}

std::optional<QString> scalarText(const JsonNode &node)
{
    using Kind = JsonNode::Kind;
    if (node.kind == Kind::String || node.kind == Kind::Number)
        return node.text;
    if (node.kind == Kind::Boolean)
        return node.boolean ? QStringLiteral("true") : QStringLiteral("false");
    return {};
}

std::optional<Duration> durationOf(const QString &text,
                                   const std::function<double(const QString &unit)> &seconds)
{
    constexpr double longest = 200.0 * 365 * 86400; // fits into nanoseconds
    double sum = 0;
    qsizetype at = 0;
    const auto take = [&](auto isPart) {
        const qsizetype start = at;
        while (at < text.size() && isPart(text[at]))
            ++at;
        return text.mid(start, at - start);
    };
    const auto isBlank = [](QChar c) { return c.isSpace(); };
    take(isBlank);
    if (at == text.size())
        return {};
    while (at < text.size()) {
        bool isNumber = false;
        const double number =
            take([](QChar c) { return (c >= u'0' && c <= u'9') || c == u'.'; }).toDouble(&isNumber);
        take(isBlank);
        const double unit = seconds(take([](QChar c) { return c.isLetter(); }));
        if (!isNumber || unit <= 0)
            return {};
        sum += number * unit;
        take(isBlank);
    }
    return Duration(std::llround(std::min(sum, longest) * 1e9));
}

} // namespace Rekindle
