// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "yamltree_p.h"

#include <QHash>

#include <yaml.h>

#include <memory>

namespace Rekindle {

namespace {

constexpr int deepestYaml = 64;
constexpr int mostYamlValues = 100'000;

int countValues(const JsonNode &node)
{
    int count = 1;
    for (const JsonNode &child : node.children)
        count += countValues(child);
    return count;
}

class YamlReader
{
public:
    explicit YamlReader(QByteArrayView text)
    {
        yaml_parser_initialize(&m_parser);
        yaml_parser_set_encoding(&m_parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&m_parser,
                                     reinterpret_cast<const unsigned char *>(text.data()),
                                     std::size_t(text.size()));
    }
    ~YamlReader()
    {
        yaml_event_delete(&m_event);
        yaml_parser_delete(&m_parser);
    }
    Q_DISABLE_COPY_MOVE(YamlReader)

    Parsed<JsonNode> read();

private:
    /// Moves to the next event. After a fault it is none.
    void next();
    JsonNode value(int depth);
    void readMapping(JsonNode &node, int depth);
    void merge(JsonNode &node, const JsonNode &source);
    [[nodiscard]] JsonNode alias();
    void define(const unsigned char *anchor, const JsonNode &node);
    void count(int values);
    void fault(const QString &text, const yaml_mark_t &mark);
    [[nodiscard]] bool hasFault() const { return !m_result.faults.isEmpty(); }
    [[nodiscard]] bool isAt(yaml_event_type_t type) const { return m_event.type == type; }
    [[nodiscard]] JsonPosition position() const
    {
        return {int(m_event.start_mark.line) + 1, int(m_event.start_mark.column) + 1};
    }

    yaml_parser_t m_parser{};
    yaml_event_t m_event{};
    QHash<QByteArray, JsonNode> m_anchors;
    int m_values = 0;
    Parsed<JsonNode> m_result;
};

void YamlReader::next()
{
    yaml_event_delete(&m_event);
    m_event = {};
    if (hasFault())
        return;
    if (yaml_parser_parse(&m_parser, &m_event) == 0) {
        m_event = {};
        fault(QString::fromUtf8(m_parser.problem != nullptr ? m_parser.problem : "invalid YAML"),
              m_parser.problem_mark);
    }
}

void YamlReader::fault(const QString &text, const yaml_mark_t &mark)
{
    if (!hasFault())
        m_result.faults.append(
            {{}, text, Fault::Severity::Error, int(mark.line) + 1, int(mark.column) + 1, {}});
}

void YamlReader::count(int values)
{
    m_values += values;
    if (m_values > mostYamlValues)
        fault(QStringLiteral("expected at most %1 values").arg(mostYamlValues), m_event.start_mark);
}

Parsed<JsonNode> YamlReader::read()
{
    next(); // the start of the stream
    next();
    if (isAt(YAML_DOCUMENT_START_EVENT)) {
        next();
        JsonNode node = value(0);
        next(); // the end of the document
        next();
        if (!hasFault() && !isAt(YAML_STREAM_END_EVENT))
            fault(QStringLiteral("expected one document, found another one"), m_event.start_mark);
        if (!hasFault())
            m_result.value = std::move(node);
    } else {
        fault(QStringLiteral("expected a document, found none"), m_event.start_mark);
    }
    return std::move(m_result);
}

// Leaves the last event of the value.
JsonNode YamlReader::value(int depth)
{
    JsonNode node;
    node.position = position();
    count(1);
    if (depth > deepestYaml)
        fault(QStringLiteral("expected at most %1 nested values").arg(deepestYaml),
              m_event.start_mark);
    if (hasFault())
        return node;
    switch (m_event.type) {
    case YAML_ALIAS_EVENT:
        return alias();
    case YAML_SCALAR_EVENT: {
        const auto &scalar = m_event.data.scalar;
        const QByteArrayView text(reinterpret_cast<const char *>(scalar.value),
                                  qsizetype(scalar.length));
        const bool isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        const bool isNull = isPlain && (text.isEmpty() || text == "~" || text == "null");
        node.kind = isNull ? JsonNode::Kind::Null : JsonNode::Kind::String;
        node.text = QString::fromUtf8(text);
        if (text.contains('\0'))
            fault(QStringLiteral("expected text, found a zero character"), m_event.start_mark);
        define(scalar.anchor, node);
        return node;
    }
    case YAML_SEQUENCE_START_EVENT: {
        const QByteArray anchor(reinterpret_cast<const char *>(m_event.data.sequence_start.anchor));
        node.kind = JsonNode::Kind::Array;
        for (next(); !hasFault() && !isAt(YAML_SEQUENCE_END_EVENT); next())
            node.children.push_back(value(depth + 1));
        define(reinterpret_cast<const unsigned char *>(anchor.constData()), node);
        return node;
    }
    case YAML_MAPPING_START_EVENT: {
        const QByteArray anchor(reinterpret_cast<const char *>(m_event.data.mapping_start.anchor));
        node.kind = JsonNode::Kind::Object;
        readMapping(node, depth);
        define(reinterpret_cast<const unsigned char *>(anchor.constData()), node);
        return node;
    }
    default:
        fault(QStringLiteral("expected a value"), m_event.start_mark);
        return node;
    }
}

void YamlReader::readMapping(JsonNode &node, int depth)
{
    std::vector<JsonNode> merged;
    for (next(); !hasFault() && !isAt(YAML_MAPPING_END_EVENT); next()) {
        const yaml_mark_t mark = m_event.start_mark;
        const JsonNode key = value(depth + 1);
        next();
        JsonNode child = value(depth + 1);
        if (hasFault())
            return;
        child.name = key.text;
        child.namePosition = key.position;
        if (!key.children.empty() || key.kind != JsonNode::Kind::String)
            fault(QStringLiteral("expected a text as the key"), mark);
        else if (key.text == QLatin1String("<<"))
            merged.push_back(std::move(child));
        else if (node.member(key.text) != nullptr)
            fault(QStringLiteral("duplicate key \"%1\"").arg(printable(key.text)), mark);
        else
            node.children.push_back(std::move(child));
    }
    for (const JsonNode &source : merged)
        merge(node, source);
}

// Keys of the mapping itself win, then those of earlier sources.
void YamlReader::merge(JsonNode &node, const JsonNode &source)
{
    if (source.kind == JsonNode::Kind::Array) {
        for (const JsonNode &each : source.children) {
            if (each.kind == JsonNode::Kind::Object)
                merge(node, each);
        }
        return;
    }
    for (const JsonNode &member : source.children) {
        if (node.member(member.name) == nullptr)
            node.children.push_back(member);
    }
}

JsonNode YamlReader::alias()
{
    const QByteArray name(reinterpret_cast<const char *>(m_event.data.alias.anchor));
    const auto found = m_anchors.constFind(name);
    if (found == m_anchors.cend()) {
        fault(QStringLiteral("unknown alias *%1").arg(printable(QString::fromUtf8(name))),
              m_event.start_mark);
        return {};
    }
    count(countValues(*found));
    return hasFault() ? JsonNode() : *found;
}

void YamlReader::define(const unsigned char *anchor, const JsonNode &node)
{
    if (anchor == nullptr || *anchor == 0)
        return;
    count(countValues(node)); // a copy
    m_anchors.insert(QByteArray(reinterpret_cast<const char *>(anchor)), node);
}

} // namespace

Parsed<JsonNode> readYaml(QByteArrayView text) { return YamlReader(text).read(); }

} // namespace Rekindle
