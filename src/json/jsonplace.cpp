// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonplace.h"

#include "nearestname.h"

namespace Rekindle {

JsonPlace::JsonPlace(const JsonNode &node, QString pointer, JsonFaults &faults)
    : m_node(&node)
    , m_pointer(std::move(pointer))
    , m_faults(&faults)
{
}

void JsonPlace::fault(const QString &message) const
{
    m_faults->add({m_pointer, message}, m_node->position);
}

void JsonPlace::warn(const QString &message) const
{
    m_faults->add({m_pointer, message, Fault::Severity::Warning}, m_node->position);
}

void JsonPlace::mismatch(const QString &allowed) const
{
    fault(QStringLiteral("found %1, allowed %2").arg(m_node->describe(), allowed));
}

std::optional<bool> JsonPlace::boolean() const
{
    if (m_node->kind == JsonNode::Kind::Boolean)
        return m_node->boolean;
    mismatch(QStringLiteral("true or false"));
    return {};
}

std::optional<QString> JsonPlace::text() const
{
    if (isString() && !m_node->text.contains(QChar(u'\0')))
        return m_node->text;
    mismatch(isString() ? QStringLiteral("a text without zero characters")
                        : QStringLiteral("a text"));
    return {};
}

std::optional<QString> JsonPlace::textNotEmpty() const
{
    std::optional<QString> found = text();
    if (found && found->isEmpty()) {
        mismatch(QStringLiteral("a text that is not empty"));
        return {};
    }
    return found;
}

std::optional<double> JsonPlace::number() const
{
    if (isNumber())
        return m_node->number;
    mismatch(QStringLiteral("a number"));
    return {};
}

std::optional<int> JsonPlace::integer(int least, int greatest, const QString &also) const
{
    const std::optional<qint64> &found = m_node->integer;
    if (isNumber() && found && *found >= least && *found <= greatest)
        return static_cast<int>(*found);
    mismatch(QStringLiteral("a whole number, %1 to %2%3").arg(least).arg(greatest).arg(also));
    return {};
}

std::optional<Duration> JsonPlace::duration() const
{
    if (isString()) {
        if (const std::optional<Duration> found = parseDuration(m_node->text))
            return found;
    }
    // If the unit is missing, seconds are likely.
    const QString withUnit = m_node->text + QLatin1Char('s');
    if ((isNumber() || isString()) && parseDuration(withUnit))
        fault(QStringLiteral("found %1, write \"%2\"").arg(m_node->describe(), withUnit));
    else
        mismatch(QStringLiteral(R"(a duration such as "500ms", "1.5s", "5m", "1h" or "7d")"));
    return {};
}

std::optional<Duration> JsonPlace::duration(Duration least, Duration greatest) const
{
    const std::optional<Duration> found = duration();
    if (found && (*found < least || *found > greatest)) {
        mismatch(QStringLiteral("%1 to %2").arg(formatDuration(least), formatDuration(greatest)));
        return {};
    }
    return found;
}

std::optional<QString> JsonPlace::oneOf(const QStringList &names) const
{
    if (isString() && names.contains(m_node->text))
        return m_node->text;
    if (isString())
        fault(QStringLiteral("found %1").arg(m_node->describe()) + suggestion(m_node->text, names));
    else if (isNull() && names.contains(QLatin1String("null")))
        fault(QStringLiteral("found null, write \"null\""));
    else
        mismatch(QStringLiteral("one of ") + names.join(QLatin1String(", ")));
    return {};
}

bool JsonPlace::wantObject() const
{
    if (!isObject())
        mismatch(QStringLiteral("an object"));
    return isObject();
}

std::optional<std::vector<JsonPlace>> JsonPlace::items() const
{
    if (m_node->kind != JsonNode::Kind::Array) {
        mismatch(QStringLiteral("an array"));
        return {};
    }
    std::vector<JsonPlace> places;
    places.reserve(m_node->children.size());
    for (const JsonNode &item : m_node->children)
        places.emplace_back(item, m_pointer + QStringLiteral("/%1").arg(places.size()), *m_faults);
    return places;
}

std::vector<JsonPlace> JsonPlace::members() const
{
    std::vector<JsonPlace> places;
    if (!isObject())
        return places;
    places.reserve(m_node->children.size());
    for (const JsonNode &item : m_node->children)
        places.emplace_back(item, m_pointer + pointerToken(item.name), *m_faults);
    return places;
}

} // namespace Rekindle
