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

std::optional<JsonPlace> JsonObjectReader::member(QAnyStringView name)
{
    if (const QString text = name.toString(); !m_known.contains(text))
        m_known.append(text);
    return m_object.member(name);
}

std::optional<JsonPlace> JsonObjectReader::required(QAnyStringView name)
{
    std::optional<JsonPlace> place = member(name);
    if (!place && m_object.isObject())
        m_object.at(pointerToken(name.toString())).fault(QStringLiteral("missing"));
    return place;
}

std::vector<JsonPlace> JsonObjectReader::items(QAnyStringView name)
{
    const std::optional<JsonPlace> place = member(name);
    auto items = place ? place->items() : std::nullopt;
    return items ? *std::move(items) : std::vector<JsonPlace>();
}

void JsonObjectReader::finish() const
{
    if (!m_object.isObject())
        return;
    for (const JsonPlace &place : m_object.members()) {
        const QString &name = place.node().name;
        if (m_known.contains(name) || m_object.faults().isFull())
            continue;
        QString hint = didYouMean(name, m_known);
        if (hint.isEmpty())
            hint = QStringLiteral("; expected one of ") + m_known.join(QLatin1String(", "));
        place.faultAtName(QStringLiteral("unknown key") + hint);
    }
}

} // namespace Rekindle
