// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonnode.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace Rekindle {

namespace {
constexpr qsizetype longestShown = 80;

const JsonNode *child(const JsonNode &node, const QString &token)
{
    if (node.kind == JsonNode::Kind::Object)
        return node.member(token);
    bool isIndex = false;
    const uint index = token.toUInt(&isIndex);
    return isIndex && index < node.children.size() ? &node.children[index] : nullptr;
}
} // namespace

const JsonNode *JsonNode::member(QAnyStringView memberName) const
{
    if (kind != Kind::Object)
        return nullptr;
    const auto found = std::find_if(children.begin(), children.end(),
                                    [&](const JsonNode &node) { return node.name == memberName; });
    return found == children.end() ? nullptr : &*found;
}

const JsonNode &JsonNode::nearest(QStringView pointer) const
{
    const JsonNode *node = this;
    for (const QStringView part : pointer.mid(1).tokenize(u'/')) {
        QString token = part.toString();
        token.replace(QLatin1String("~1"), QLatin1String("/"));
        token.replace(QLatin1String("~0"), QLatin1String("~"));
        const JsonNode *next = child(*node, token);
        if (!next)
            break;
        node = next;
    }
    return *node;
}

QString JsonNode::describe() const
{
    switch (kind) {
    case Kind::Null:
        return QStringLiteral("null");
    case Kind::Boolean:
        return boolean ? QStringLiteral("true") : QStringLiteral("false");
    case Kind::Number:
        return printable(text);
    case Kind::String:
        return QLatin1Char('"') + printable(text) + QLatin1Char('"');
    case Kind::Array:
        return QStringLiteral("an array");
    case Kind::Object:
        return QStringLiteral("an object");
    }
    return {};
}

QJsonValue JsonNode::toJsonValue() const
{
    switch (kind) {
    case Kind::Null:
        return QJsonValue::Null;
    case Kind::Boolean:
        return boolean;
    case Kind::Number:
        return integer ? QJsonValue(*integer) : QJsonValue(number);
    case Kind::String:
        return text;
    case Kind::Array: {
        QJsonArray array;
        for (const JsonNode &item : children)
            array.append(item.toJsonValue());
        return array;
    }
    case Kind::Object: {
        QJsonObject object;
        for (const JsonNode &item : children)
            object.insert(item.name, item.toJsonValue());
        return object;
    }
    }
    return {};
}

QString printable(QStringView text)
{
    QString shown;
    for (const QChar c : text.left(longestShown)) {
        if (c.isPrint() || c.isSurrogate())
            shown += c;
        else
            shown += QStringLiteral("\\u%1").arg(uint{c.unicode()}, 4, 16, QLatin1Char('0'));
    }
    if (text.size() > longestShown)
        shown += QStringLiteral("...");
    return shown;
}

QString pointerToken(QStringView name)
{
    QString token = printable(name);
    token.replace(QLatin1Char('~'), QLatin1String("~0"));
    token.replace(QLatin1Char('/'), QLatin1String("~1"));
    return QLatin1Char('/') + token;
}

} // namespace Rekindle
