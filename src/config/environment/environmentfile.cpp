// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "environmentfile_p.h"

#include "json/textfaults.h"

namespace Rekindle {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t'; }

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool isNamePart(char c) { return isNameStart(c) || (c >= '0' && c <= '9'); }

// What a character after a backslash stands for in double quotes; nothing if the backslash remains.
std::optional<char> escaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case '"':
    case '\\':
    case '$':
    case '`':
        return c;
    default:
        return std::nullopt;
    }
}

} // namespace

EnvironmentFile::EnvironmentFile(QByteArrayView text)
    : m_text(withoutByteOrderMark(text))
    , m_cursor(m_text)
{
}

Parsed<EnvironmentFile::Variables> EnvironmentFile::read()
{
    if (const std::optional<Fault> fault = encodingFault(m_text, QStringLiteral("a text"))) {
        Parsed<Variables> result;
        result.faults.append(*fault);
        return result;
    }
    for (m_cursor.skipBlanks(); !m_cursor.atEnd(); m_cursor.skipBlanks())
        readLine();
    return m_faults.result(m_variables);
}

// A value in quotes can extend over several lines.
void EnvironmentFile::readLine()
{
    if (m_cursor.peek() == '#') {
        skipLine();
        return;
    }
    JsonPosition position = m_cursor.position();
    QString name = readName();
    if (name == QLatin1String("export") && isSpace(m_cursor.peek())) {
        skipSpaces();
        if (isNameStart(m_cursor.peek())) {
            position = m_cursor.position();
            name = readName();
        }
    }
    skipSpaces();
    if (name.isEmpty()) {
        mismatch(QStringLiteral("a variable name (A-Z a-z 0-9 _)"));
        skipLine();
        return;
    }
    if (m_cursor.peek() != '=') {
        mismatch(QStringLiteral("\"=\" after the variable name"));
        skipLine();
        return;
    }
    m_cursor.step();
    if (const std::optional<QByteArray> value = readValue())
        store(name, *value, position);
}

QString EnvironmentFile::readName()
{
    const qsizetype start = m_cursor.offset();
    if (isNameStart(m_cursor.peek())) {
        while (isNamePart(m_cursor.peek()))
            m_cursor.step();
    }
    return QString::fromLatin1(m_cursor.since(start));
}

std::optional<QByteArray> EnvironmentFile::readValue()
{
    if (const char first = m_cursor.peek(); first != '"' && first != '\'' && !isSpace(first))
        return readPlain();
    skipSpaces();
    const char first = m_cursor.peek();
    if (first == '#') {
        skipLine();
        return QByteArray();
    }
    if (first != '"' && first != '\'')
        return readPlain();
    std::optional<QByteArray> value = readQuoted();
    if (!value)
        return value;
    skipSpaces();
    if (m_cursor.peek() == '\r')
        m_cursor.step();
    if (m_cursor.atEnd() || m_cursor.peek() == '\n' || m_cursor.peek() == '#') {
        skipLine();
        return value;
    }
    mismatch(QStringLiteral("the end of the line or a comment after the closing quote"));
    skipLine();
    return std::nullopt;
}

// To the end of the line, or to a comment. Backslashes, quotes and "$" are literal.
QByteArray EnvironmentFile::readPlain()
{
    const qsizetype start = m_cursor.offset();
    bool isAfterSpace = false;
    while (!m_cursor.atEnd() && m_cursor.peek() != '\n'
           && (m_cursor.peek() != '#' || !isAfterSpace)) {
        isAfterSpace = isSpace(m_cursor.peek());
        m_cursor.step();
    }
    QByteArray value = m_cursor.since(start).toByteArray().trimmed();
    skipLine();
    return value;
}

std::optional<QByteArray> EnvironmentFile::readQuoted()
{
    const JsonPosition start = m_cursor.position();
    const char quote = m_cursor.peek();
    m_cursor.step();
    QByteArray value;
    while (!m_cursor.atEnd() && m_cursor.peek() != quote) {
        char c = m_cursor.peek();
        m_cursor.step();
        if (c == '\\' && quote == '"') {
            if (skipLineEnd())
                continue; // the lines are joined
            if (const std::optional<char> meant = escaped(m_cursor.peek())) {
                c = *meant;
                m_cursor.step();
            }
        }
        value += c;
    }
    if (m_cursor.atEnd()) {
        m_faults.add({{},
                      QStringLiteral("expected a closing %1 for this value, found the end of the "
                                     "text")
                          .arg(QLatin1Char(quote))},
                     start);
        return std::nullopt;
    }
    m_cursor.step();
    return value;
}

void EnvironmentFile::store(const QString &name, const QByteArray &value, JsonPosition position)
{
    if (m_variables.contains(name)) {
        m_faults.add({{},
                      QStringLiteral("duplicate variable, first on line %1; the last value is used")
                          .arg(m_lines.value(name)),
                      Fault::Severity::Warning},
                     position);
    } else {
        m_lines.insert(name, position.line);
    }
    m_variables.insert(name, QString::fromUtf8(value));
}

void EnvironmentFile::skipSpaces()
{
    while (isSpace(m_cursor.peek()))
        m_cursor.step();
}

void EnvironmentFile::skipLine()
{
    while (!m_cursor.atEnd() && m_cursor.peek() != '\n')
        m_cursor.step();
}

// Skips LF or CR LF, if it is next.
bool EnvironmentFile::skipLineEnd()
{
    if (m_text.sliced(m_cursor.offset()).startsWith("\r\n"))
        m_cursor.step();
    if (m_cursor.peek() != '\n')
        return false;
    m_cursor.step();
    return true;
}

void EnvironmentFile::mismatch(const QString &expected)
{
    m_faults.add({{}, QStringLiteral("expected %1, found %2").arg(expected, found())},
                 m_cursor.position());
}

// Does not quote the text, because it can be a part of a secret value.
QString EnvironmentFile::found() const
{
    if (m_cursor.atEnd())
        return QStringLiteral("the end of the text");
    const char c = m_cursor.peek();
    if (c == '\n' || c == '\r')
        return QStringLiteral("the end of the line");
    if (c > ' ' && c < '\x7F' && !isNamePart(c))
        return QStringLiteral("\"%1\"").arg(QLatin1Char(c));
    return QStringLiteral("other text");
}

} // namespace Rekindle
