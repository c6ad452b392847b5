// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonparser.h"

#include "jsoncomments_p.h"
#include "jsoncursor_p.h"
#include "jsonfaults.h"
#include "jsonscanner.h"
#include "textfaults.h"

#include <QSet>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace Rekindle {

namespace {

QLatin1String hint(char c, JsonSyntax syntax)
{
    if (c == '/' || c == '#')
        return syntax == JsonSyntax::Strict ? QLatin1String(" (JSON has no comments)")
                                            : QLatin1String(" (comments begin with // or /*)");
    if (c == '\'')
        return QLatin1String(" (JSON strings stand in double quotes)");
    return {};
}

// Builds the tree from the parser's events. A cursor follows them through the text.
class TreeBuilder final : public nlohmann::json::json_sax_t
{
public:
    TreeBuilder(QByteArrayView text, JsonSyntax syntax)
        : m_cursor(text)
        , m_syntax(syntax)
    {
    }

    Parsed<JsonNode> take() { return m_faults.result(std::move(m_root)); }

    bool null() override { return scalar(JsonNode::Kind::Null, {}); }
    bool boolean(bool value) override
    {
        return scalar(JsonNode::Kind::Boolean, {.boolean = value});
    }
    bool number_integer(number_integer_t value) override
    {
        return number(static_cast<double>(value), value);
    }
    bool number_unsigned(number_unsigned_t value) override
    {
        if (std::in_range<qint64>(value))
            return number(static_cast<double>(value), static_cast<qint64>(value));
        return number(static_cast<double>(value), {});
    }
    bool number_float(number_float_t value, const string_t &) override
    {
        constexpr double exact = 9007199254740992.0; // 2^53: larger integers are not exact
        if (value == std::trunc(value) && std::abs(value) <= exact)
            return number(value, static_cast<qint64>(value));
        return number(value, {});
    }
    bool string(string_t &value) override
    {
        return scalar(JsonNode::Kind::String, {.text = QString::fromStdString(value)});
    }
    bool binary(binary_t &) override { return false; }

    bool key(string_t &value) override
    {
        m_cursor.skipBlanksAndSeparators();
        m_name = QString::fromStdString(value);
        m_namePosition = m_cursor.position();
        QSet<QString> &names = m_open.back().names;
        if (names.contains(m_name)) {
            m_faults.add({pointer() + pointerToken(m_name),
                          QStringLiteral("duplicate key \"%1\" in this object; remove or rename "
                                         "one of them")
                              .arg(printable(m_name))},
                         m_namePosition);
        }
        names.insert(m_name);
        skipToken();
        m_after = After::Name;
        return true;
    }
    bool start_object(std::size_t) override { return open(JsonNode::Kind::Object); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(JsonNode::Kind::Array); }
    bool end_array() override { return close(); }

    bool parse_error(std::size_t bytesRead, const std::string &,
                     const nlohmann::json::exception &e) override
    {
        constexpr int numberOverflow = 406;
        const QString message = QString::fromUtf8(e.what());
        const QLatin1String prefix("invalid string");
        if (qsizetype start = message.indexOf(prefix); start >= 0) {
            start += prefix.size();
            m_cursor.skipTo(static_cast<qsizetype>(bytesRead) - 1);
            const qsizetype end = message.indexOf(QLatin1String("; last read"), start);
            m_faults.add(
                {{}, QStringLiteral("expected a valid string") + message.mid(start, end - start)},
                m_cursor.position());
            return false;
        }
        QString expected = expectedHere();
        if (e.id == numberOverflow)
            expected = QStringLiteral("a number in the range of a double");
        m_faults.add({{},
                      QStringLiteral("expected %1, found %2%3")
                          .arg(expected, m_cursor.describe(), hint(m_cursor.peek(), m_syntax))},
                     m_cursor.position());
        return false;
    }

private:
    // What the cursor has passed.
    enum class After { Nothing, Bracket, Name, Value };

    // An array or object whose end has not been reached.
    struct Container
    {
        JsonNode node;
        QSet<QString> names; ///< of an object
    };

    // What the grammar permits at the cursor, which skips the separator that the parser had read
    // before it stopped.
    [[nodiscard]] QString expectedHere()
    {
        m_cursor.skipBlanks();
        const char next = m_cursor.peek();
        if ((m_after == After::Name && next == ':')
            || (m_after == After::Value && next == ',' && !m_open.empty())) {
            m_cursor.step();
            m_cursor.skipBlanks();
            return next == ',' && inObject() ? QStringLiteral("a name in double quotes")
                                             : QStringLiteral("a value");
        }
        switch (m_after) {
        case After::Nothing:
            break;
        case After::Bracket:
            return inObject() ? QStringLiteral("a name in double quotes or \"}\"")
                              : QStringLiteral("a value or \"]\"");
        case After::Name:
            return QStringLiteral("\":\"");
        case After::Value:
            if (m_open.empty())
                return QStringLiteral("the end of the text");
            return inObject() ? QStringLiteral("\",\" or \"}\"") : QStringLiteral("\",\" or \"]\"");
        }
        return QStringLiteral("a value");
    }

    [[nodiscard]] bool inObject() const
    {
        return !m_open.empty() && m_open.back().node.kind == JsonNode::Kind::Object;
    }

    [[nodiscard]] QString pointer() const
    {
        QString path;
        for (std::size_t i = 1; i < m_open.size(); ++i) {
            const JsonNode &parent = m_open[i - 1].node;
            path += parent.kind == JsonNode::Kind::Object
                ? pointerToken(m_open[i].node.name)
                : QStringLiteral("/%1").arg(parent.children.size());
        }
        return path;
    }

    bool number(double value, std::optional<qint64> integer)
    {
        return scalar(JsonNode::Kind::Number, {.number = value, .integer = integer});
    }

    bool begin(JsonNode::Kind kind, JsonNode &node)
    {
        m_cursor.skipBlanksAndSeparators();
        node.kind = kind;
        node.position = m_cursor.position();
        if (inObject()) {
            node.name = std::exchange(m_name, {});
            node.namePosition = m_namePosition;
        }
        if (++m_values <= maxJsonValues)
            return true;
        m_faults.add({{}, QStringLiteral("more than %1 values").arg(maxJsonValues)}, node.position);
        return false;
    }

    // Passes a string, number or word that the parser has accepted.
    QByteArrayView skipToken()
    {
        const qsizetype start = m_cursor.offset();
        JsonScanner token(m_cursor.rest());
        (void)token.skipValue();
        m_cursor.skipTo(start + token.offset());
        return m_cursor.since(start);
    }

    bool scalar(JsonNode::Kind kind, JsonNode node)
    {
        if (!begin(kind, node))
            return false;
        const QByteArrayView token = skipToken();
        if (kind == JsonNode::Kind::Number)
            node.text = QString::fromLatin1(token);
        return finish(std::move(node));
    }

    bool open(JsonNode::Kind kind)
    {
        JsonNode node;
        if (!begin(kind, node))
            return false;
        if (m_open.size() >= maxJsonDepth) {
            m_faults.add({pointer(), QStringLiteral("nested deeper than %1").arg(maxJsonDepth)},
                         node.position);
            return false;
        }
        m_open.push_back({std::move(node), {}});
        m_cursor.step();
        m_after = After::Bracket;
        return true;
    }

    bool close()
    {
        m_cursor.skipBlanksAndSeparators();
        m_cursor.step();
        JsonNode node = std::move(m_open.back().node);
        m_open.pop_back();
        return finish(std::move(node));
    }

    bool finish(JsonNode node)
    {
        m_after = After::Value;
        if (m_open.empty())
            m_root = std::move(node);
        else
            m_open.back().node.children.push_back(std::move(node));
        return true;
    }

    JsonCursor m_cursor;
    JsonSyntax m_syntax;
    JsonNode m_root;
    std::vector<Container> m_open;
    QString m_name;
    JsonPosition m_namePosition;
    After m_after = After::Nothing;
    int m_values = 0;
    JsonFaults m_faults;
};

// Finds faults that the parser misses or reports late. It would read a null character as the end of
// the text.
std::optional<Fault> findUnfit(QByteArrayView text)
{
    if (text.size() > maxJsonSize)
        return Fault{.message = QStringLiteral("more than %1 bytes").arg(maxJsonSize)};
    return encodingFault(text, QStringLiteral("a JSON text"));
}

} // namespace

Parsed<JsonNode> parseJson(QByteArrayView text, JsonSyntax syntax)
{
    text = withoutByteOrderMark(text);
    std::optional<Fault> fault = findUnfit(text);
    QByteArray plain;
    if (!fault && syntax != JsonSyntax::Strict) {
        fault = removeComments(text, plain);
        text = plain;
    }
    if (fault) {
        Parsed<JsonNode> result;
        result.faults.append(*fault);
        return result;
    }
    TreeBuilder builder(text, syntax);
    // If it returns false, the builder contains the fault.
    (void)nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

} // namespace Rekindle
