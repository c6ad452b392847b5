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

JsonPlace JsonPlace::at(const QString &pointer) const
{
    return {m_node->nearest(pointer), m_pointer + pointer, *m_faults};
}

std::optional<JsonPlace> JsonPlace::member(QStringView name) const
{
    const JsonNode *found = m_node->member(name);
    return found ? std::optional(JsonPlace(*found, m_pointer + pointerToken(name), *m_faults))
                 : std::nullopt;
}

void JsonPlace::fault(const QString &message) const
{
    m_faults->add({m_pointer, message}, m_node->position);
}

void JsonPlace::warn(const QString &message) const
{
    m_faults->add({m_pointer, message, Fault::Severity::Warning}, m_node->position);
}

void JsonPlace::faultAtName(const QString &message) const
{
    m_faults->add({m_pointer, message}, m_node->namePosition);
}

void JsonPlace::warnAtName(const QString &message) const
{
    m_faults->add({m_pointer, message, Fault::Severity::Warning}, m_node->namePosition);
}

void JsonPlace::mismatch(const QString &expected) const
{
    fault(QStringLiteral("expected %1, found %2").arg(expected, m_node->describe()));
}

bool JsonPlace::claimMemory(qsizetype bytes) const
{
    if (m_faults->claimMemory(bytes))
        return true;
    constexpr qsizetype mebibyte = qsizetype{1024} * 1024;
    fault(QStringLiteral("expected variables whose values need at most %1 MiB in the whole file, "
                         "found more")
              .arg(JsonFaults::mostMemory / mebibyte));
    return false;
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
    mismatch(isString() ? QStringLiteral("a string without null characters")
                        : QStringLiteral("a string"));
    return {};
}

std::optional<QString> JsonPlace::textNotEmpty() const
{
    std::optional<QString> found = text();
    if (found && found->isEmpty()) {
        mismatch(QStringLiteral("a non-empty string"));
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
    mismatch(QStringLiteral("a whole number from %1 to %2%3").arg(least).arg(greatest).arg(also));
    return {};
}

std::optional<Duration> JsonPlace::duration() const
{
    if (isString()) {
        if (const std::optional<Duration> found = parseDuration(m_node->text))
            return found;
    }
    // If the unit is missing, large numbers are probably milliseconds, and other numbers seconds.
    constexpr double leastMilliseconds = 1000;
    const double number = isNumber() ? m_node->number : m_node->text.toDouble();
    const QString withUnit = m_node->text + QLatin1String(number >= leastMilliseconds ? "ms" : "s");
    if ((isNumber() || isString()) && parseDuration(withUnit))
        fault(QStringLiteral("expected \"%1\", found %2").arg(withUnit, m_node->describe()));
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
    if (isNull() && names.contains(QLatin1String("null"))) {
        fault(QStringLiteral("expected \"null\" in quotes, found null"));
        return {};
    }
    fault(QStringLiteral("expected one of %1, found %2%3")
              .arg(names.join(QLatin1String(", ")), m_node->describe(),
                   isString() ? didYouMean(m_node->text, names) : QString()));
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
