// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonobjectreader.h"

#include "nearestname.h"

#include <utility>

namespace Rekindle {

JsonObjectReader::JsonObjectReader(JsonPlace object)
    : m_object(std::move(object))
{
    (void)m_object.wantObject();
}

std::optional<JsonPlace> JsonObjectReader::member(const QString &name)
{
    if (!m_known.contains(name))
        m_known.append(name);
    const JsonNode *node = m_object.node().member(name);
    if (!node)
        return {};
    return JsonPlace(*node, m_object.pointer() + pointerToken(name), m_object.faults());
}

std::optional<JsonPlace> JsonObjectReader::required(const QString &name)
{
    std::optional<JsonPlace> place = member(name);
    if (!place && m_object.isObject())
        m_object.faults().add({m_object.pointer() + pointerToken(name), QStringLiteral("missing")},
                              m_object.node().position);
    return place;
}

void JsonObjectReader::read(const QString &name, bool &target)
{
    if (const std::optional<JsonPlace> place = member(name))
        target = place->boolean().value_or(target);
}

void JsonObjectReader::read(const QString &name, double &target)
{
    if (const std::optional<JsonPlace> place = member(name))
        target = place->number().value_or(target);
}

void JsonObjectReader::read(const QString &name, Duration &target)
{
    if (const std::optional<JsonPlace> place = member(name))
        target = place->duration().value_or(target);
}

void JsonObjectReader::read(const QString &name, Duration &target, Duration least,
                            Duration greatest)
{
    if (const std::optional<JsonPlace> place = member(name))
        target = place->duration(least, greatest).value_or(target);
}

void JsonObjectReader::read(const QString &name, int &target, int least, int greatest)
{
    if (const std::optional<JsonPlace> place = member(name))
        target = place->integer(least, greatest).value_or(target);
}

void JsonObjectReader::finish() const
{
    if (!m_object.isObject())
        return;
    for (const JsonNode &node : m_object.node().children) {
        if (m_known.contains(node.name) || m_object.faults().isFull())
            continue;
        m_object.faults().add({m_object.pointer() + pointerToken(node.name),
                               QStringLiteral("unknown key") + suggestion(node.name, m_known)},
                              node.namePosition);
    }
}

} // namespace Rekindle
