// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importwords_p.h"

#include <algorithm>
#include <cmath>

namespace Rekindle {

QString literal(QString text) { return text.replace(QLatin1String("${"), QLatin1String("$${")); }

bool isVariableName(QStringView text)
{
    return !text.isEmpty() && !text.front().isDigit() && std::ranges::all_of(text, [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || c == u'_');
    });
}

std::optional<QStringList> splitWords(const QString &command)
{
    QStringList words;
    QString word;
    bool isOpen = false; // a word has begun, perhaps an empty one
    QChar quote;
    for (qsizetype i = 0; i < command.size(); ++i) {
        const QChar c = command[i];
        if (c == u'\\' && quote != u'\'' && i + 1 < command.size()) {
            const QChar next = command[++i];
            if (quote == u'"' && next != u'"' && next != u'\\')
                word += c;
            word += next;
            isOpen = true;
        } else if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
            else
                word += c;
        } else if (c == u'"' || c == u'\'') {
            quote = c;
            isOpen = true;
        } else if (c.isSpace()) {
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
