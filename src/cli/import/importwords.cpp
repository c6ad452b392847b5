// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importwords_p.h"

#include <QRegularExpression>

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

namespace {

// What begins with a "$": a variable, an escaped brace, or the character itself.
QString variableAt(const QString &command, qsizetype at)
{
    if (command.mid(at + 1, 2) == QLatin1String("${"))
        return command.mid(at, 3);
    if (command.mid(at + 1, 1) != QLatin1String("{"))
        return command.mid(at, 1);
    const qsizetype end = command.indexOf(u'}', at);
    return end < 0 ? command.mid(at) : command.mid(at, end - at + 1);
}

class WordSplitter
{
public:
    explicit WordSplitter(WordContent content)
        : m_keepsVariables(content == WordContent::Variables)
    {
    }

    std::optional<QStringList> split(const QString &command)
    {
        for (qsizetype at = 0; at < command.size();)
            at += take(command, at);
        endWord();
        return m_quote.isNull() ? std::optional(m_words) : std::nullopt;
    }

private:
    // Returns the number of characters.
    qsizetype take(const QString &command, qsizetype at)
    {
        const QChar c = command[at];
        if (m_keepsVariables && c == u'$') {
            const QString variable = variableAt(command, at);
            m_word += variable;
            m_isOpen = true;
            return variable.size();
        }
        if (c == u'\\' && m_quote != u'\'' && at + 1 < command.size())
            return takeEscape(command[at + 1]);
        if (m_quote.isNull() && c.isSpace())
            endWord();
        else if (m_quote.isNull() && (c == u'"' || c == u'\''))
            m_quote = c;
        else if (!m_quote.isNull() && c == m_quote)
            m_quote = QChar();
        else
            append(c);
        m_isOpen = m_isOpen || !c.isSpace();
        return 1;
    }

    qsizetype takeEscape(QChar next)
    {
        if (m_keepsVariables && next == u'$')
            return 1; // the variable follows
        if (m_quote == u'"' && next != u'"' && next != u'\\')
            append(u'\\');
        append(next);
        m_isOpen = true;
        return 2;
    }

    // Quotes and backslashes between "$" and "{" are removed, but make no variable.
    void append(QChar c)
    {
        if (m_keepsVariables && c == u'{' && m_word.endsWith(u'$'))
            m_word += u'$';
        m_word += c;
    }

    void endWord()
    {
        if (m_isOpen)
            m_words.append(m_word);
        m_word.clear();
        m_isOpen = false;
    }

    bool m_keepsVariables;
    QStringList m_words;
    QString m_word;
    bool m_isOpen = false; // a word has begun, perhaps an empty one
    QChar m_quote;
};

} // namespace

bool isTag(const QString &text)
{
    static const QRegularExpression form(
        QRegularExpression::anchoredPattern(QStringLiteral("[A-Za-z0-9._-]{1,64}")));
    return form.match(text).hasMatch();
}

std::optional<QStringList> splitWords(const QString &command, WordContent content)
{
    return WordSplitter(content).split(command);
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
