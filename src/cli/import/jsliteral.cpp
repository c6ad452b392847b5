// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsliteral_p.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace Rekindle {

namespace {

constexpr int deepest = 64;

class JsLiteralReader
{
public:
    explicit JsLiteralReader(QString text)
        : m_text(std::move(text))
    {
    }

    Parsed<JsonNode> read();

private:
    JsonNode value(int depth);
    void readObject(JsonNode &node, int depth);
    void readArray(JsonNode &node, int depth);
    [[nodiscard]] QString string();
    void escape(QString &result);
    [[nodiscard]] QString word();

    void skipBlanks();
    void step();
    [[nodiscard]] bool accept(QStringView text);
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] QChar peek() const { return atEnd() ? QChar() : m_text[m_at]; }
    [[nodiscard]] bool hasFault() const { return !m_result.faults.isEmpty(); }
    [[nodiscard]] QString found() const;
    void fault(const QString &expected);

    const QString m_text;
    qsizetype m_at = 0;
    JsonPosition m_position{1, 1};
    Parsed<JsonNode> m_result;
};

bool isWordCharacter(QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'$'; }

Parsed<JsonNode> JsLiteralReader::read()
{
    skipBlanks();
    if (accept(u"'use strict'") || accept(u"\"use strict\"")) {
        skipBlanks();
        (void)accept(u";");
        skipBlanks();
    }
    if (accept(u"export")) {
        skipBlanks();
        if (!accept(u"default"))
            fault(QStringLiteral("\"default\""));
    } else if (accept(u"module.exports") || accept(u"exports")) {
        skipBlanks();
        if (!accept(u"="))
            fault(QStringLiteral("\"=\""));
    }
    JsonNode node = value(0);
    skipBlanks();
    (void)accept(u";");
    skipBlanks();
    if (!hasFault() && !atEnd())
        fault(QStringLiteral("the end of the file"));
    if (!hasFault())
        m_result.value = std::move(node);
    return std::move(m_result);
}

JsonNode JsLiteralReader::value(int depth)
{
    skipBlanks();
    JsonNode node;
    node.position = m_position;
    if (depth > deepest) {
        fault(QStringLiteral("at most %1 nested values").arg(deepest));
    } else if (peek() == u'{') {
        readObject(node, depth);
    } else if (peek() == u'[') {
        readArray(node, depth);
    } else if (peek() == u'"' || peek() == u'\'' || peek() == u'`') {
        node.kind = JsonNode::Kind::String;
        node.text = string();
    } else {
        const JsonPosition start = m_position;
        const QString text = word();
        bool isNumber = false;
        node.number = QString(text).remove(u'_').toDouble(&isNumber);
        if (text == QLatin1String("true") || text == QLatin1String("false")) {
            node.kind = JsonNode::Kind::Boolean;
            node.boolean = text == QLatin1String("true");
        } else if (isNumber && std::isfinite(node.number)) {
            node.kind = JsonNode::Kind::Number;
            if (node.number == std::trunc(node.number) && std::abs(node.number) < 9e15)
                node.integer = qint64(node.number);
            node.text =
                node.integer ? QString::number(*node.integer) : QString::number(node.number);
        } else if (text != QLatin1String("null") && text != QLatin1String("undefined")) {
            if (!text.isEmpty() && !hasFault())
                m_result.faults.append(
                    {{},
                     QStringLiteral("expected a literal, found %1; replace expressions by their "
                                    "values, or run the file and import its JSON")
                         .arg(printable(text)),
                     Fault::Severity::Error,
                     start.line,
                     start.column,
                     {}});
            fault(QStringLiteral("a literal"));
        }
    }
    return node;
}

void JsLiteralReader::readObject(JsonNode &node, int depth)
{
    node.kind = JsonNode::Kind::Object;
    step();
    for (skipBlanks(); !hasFault() && !accept(u"}"); skipBlanks()) {
        const JsonPosition place = m_position;
        const QString name = peek() == u'"' || peek() == u'\'' ? string() : word();
        skipBlanks();
        if (name.isEmpty() || !accept(u":")) {
            fault(QStringLiteral("NAME: VALUE"));
            return;
        }
        JsonNode child = value(depth + 1);
        child.name = name;
        child.namePosition = place;
        // As in JavaScript, the last one of a name counts.
        std::erase_if(node.children, [&](const JsonNode &other) { return other.name == name; });
        node.children.push_back(std::move(child));
        skipBlanks();
        if (!accept(u",") && peek() != u'}')
            fault(QStringLiteral("\",\" or \"}\""));
    }
}

void JsLiteralReader::readArray(JsonNode &node, int depth)
{
    node.kind = JsonNode::Kind::Array;
    step();
    for (skipBlanks(); !hasFault() && !accept(u"]"); skipBlanks()) {
        node.children.push_back(value(depth + 1));
        skipBlanks();
        if (!accept(u",") && peek() != u']')
            fault(QStringLiteral("\",\" or \"]\""));
    }
}

QString JsLiteralReader::string()
{
    const QChar quote = peek();
    step();
    QString result;
    while (!hasFault() && peek() != quote) {
        if (atEnd() || (peek() == u'\n' && quote != u'`')) {
            fault(QStringLiteral("the end of the string"));
        } else if (quote == u'`' && m_text.mid(m_at, 2) == QLatin1String("${")) {
            fault(QStringLiteral("a string without expressions"));
        } else if (peek() == u'\\') {
            step();
            escape(result);
        } else {
            result += peek();
            step();
        }
    }
    step();
    return result;
}

void JsLiteralReader::escape(QString &result)
{
    const QChar c = peek();
    constexpr QStringView names = u"bfnrtv";
    constexpr QStringView characters = u"\b\f\n\r\t\v";
    if (c == u'u' || c == u'x') {
        const qsizetype length = c == u'u' ? 4 : 2;
        bool isNumber = false;
        const uint code = m_text.mid(m_at + 1, length).toUInt(&isNumber, 16);
        if (!isNumber || m_at + length >= m_text.size() || code == 0) {
            fault(QStringLiteral("an escape with %1 digits").arg(length));
            return;
        }
        result += QChar(char16_t(code));
        for (qsizetype i = 0; i < length; ++i)
            step();
    } else if (const qsizetype index = names.indexOf(c); index >= 0) {
        result += characters[index];
    } else if (c.isDigit()) {
        fault(QStringLiteral("an escape without a zero character"));
        return;
    } else if (c != u'\n') {
        result += c;
    }
    step();
}

// A name, a number, or the beginning of an expression such as process.env.PORT.
QString JsLiteralReader::word()
{
    const qsizetype start = m_at;
    while (!atEnd()
           && (isWordCharacter(peek()) || peek() == u'.' || peek() == u'-' || peek() == u'+'))
        step();
    return m_text.mid(start, m_at - start);
}

void JsLiteralReader::skipBlanks()
{
    while (!atEnd()) {
        const QStringView two = QStringView(m_text).mid(m_at, 2);
        if (two == u"//") {
            while (!atEnd() && peek() != u'\n')
                step();
        } else if (two == u"/*") {
            const qsizetype end = m_text.indexOf(QLatin1String("*/"), m_at + 2);
            if (end < 0) {
                fault(QStringLiteral("the end of the comment"));
                return;
            }
            while (m_at < end + 2)
                step();
        } else if (peek().isSpace() || peek() == QChar(QChar::ByteOrderMark)) {
            step();
        } else {
            return;
        }
    }
}

void JsLiteralReader::step()
{
    if (atEnd())
        return;
    if (peek() == u'\n')
        m_position = {m_position.line + 1, 1};
    else if (!peek().isLowSurrogate())
        ++m_position.column;
    ++m_at;
}

bool JsLiteralReader::accept(QStringView text)
{
    if (QStringView(m_text).mid(m_at, text.size()) != text)
        return false;
    for (qsizetype i = 0; i < text.size(); ++i)
        step();
    return true;
}

QString JsLiteralReader::found() const
{
    if (atEnd())
        return QStringLiteral("the end of the file");
    const QString rest = m_text.mid(m_at, 20);
    return u'"' + printable(rest.left(rest.indexOf(u'\n'))) + u'"';
}

// Only the first one, because what follows it would be guesses.
void JsLiteralReader::fault(const QString &expected)
{
    if (!hasFault())
        m_result.faults.append({{},
                                QStringLiteral("expected %1, found %2").arg(expected, found()),
                                Fault::Severity::Error,
                                m_position.line,
                                m_position.column,
                                {}});
}

} // namespace

Parsed<JsonNode> readJsLiteral(const QString &text) { return JsLiteralReader(text).read(); }

} // namespace Rekindle
