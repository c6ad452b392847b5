// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonplace.h"

#include "nearestname.h"

#include <QRegularExpression>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qint64 leastBytes = 4096;
constexpr qint64 mostBytes = qint64{1} << 40;

struct ByteUnit
{
    const char *name;
    double bytes;
};
constexpr double kilo = 1000;
constexpr double kibi = 1024;
constexpr std::array byteUnits{ByteUnit{"", 1},
                               ByteUnit{"B", 1},
                               ByteUnit{"kB", kilo},
                               ByteUnit{"KB", kilo},
                               ByteUnit{"MB", kilo *kilo},
                               ByteUnit{"GB", kilo *kilo *kilo},
                               ByteUnit{"KiB", kibi},
                               ByteUnit{"MiB", kibi *kibi},
                               ByteUnit{"GiB", kibi *kibi *kibi}};

std::optional<double> bytesOf(const QString &text)
{
    static const QRegularExpression pattern(
        QRegularExpression::anchoredPattern(QStringLiteral("([0-9.]{1,15}) ?([A-Za-z]*)")));
    const QRegularExpressionMatch match = pattern.match(text);
    const auto *const unit =
        std::find_if(byteUnits.begin(), byteUnits.end(), [&match](const ByteUnit &each) {
            return match.captured(2) == QLatin1String(each.name);
        });
    bool isNumber = false;
    const double count = match.captured(1).toDouble(&isNumber);
    if (!isNumber || unit == byteUnits.end())
        return {};
    return count * unit->bytes;
}

} // namespace

JsonPlace::JsonPlace(const JsonNode &node, QString pointer, JsonFaults &faults)
    : m_node(&node)
    , m_pointer(std::move(pointer))
    , m_faults(&faults)
{
}

JsonPlace JsonPlace::at(QAnyStringView pointer) const
{
    const QString text = pointer.toString();
    return {m_node->nearest(text), m_pointer + text, *m_faults};
}

std::optional<JsonPlace> JsonPlace::member(QAnyStringView name) const
{
    const JsonNode *found = m_node->member(name);
    return found
        ? std::optional(JsonPlace(*found, m_pointer + pointerToken(found->name), *m_faults))
        : std::nullopt;
}

void JsonPlace::add(QAnyStringView message, Fault::Severity severity, JsonPosition position) const
{
    m_faults->add({m_pointer, message.toString(), severity}, position);
}

void JsonPlace::addFaults(const QString &file, const QList<Fault> &faults,
                          QList<Fault> warnings) const
{
    for (const Fault &each : faults)
        fault(each.toString(printable(file)));
    for (Fault &each : warnings) {
        each.severity = Severity::Error; // the outer fault has the severity
        warn(each.toString(printable(file)));
    }
}

void JsonPlace::mismatch(QAnyStringView expected) const
{
    fault(QStringLiteral("expected %1, found %2").arg(expected.toString(), m_node->describe()));
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

std::optional<double> JsonPlace::number(double least, double greatest) const
{
    const std::optional<double> found = number();
    if (!found || (*found >= least && *found <= greatest))
        return found;
    mismatch(QStringLiteral("a number from %1 to %2").arg(least).arg(greatest));
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
    // The number may be milliseconds, as in QML, or seconds.
    if ((isNumber() || isString()) && parseDuration(QString(m_node->text + u's')))
        mismatch(QStringLiteral(R"(a text with a unit, such as "500ms")"));
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

std::optional<qint64> JsonPlace::byteSize() const
{
    const QString text = isString() ? this->text().value_or(QString())
                                    : QString::number(number().value_or(-1), 'f', 0);
    const std::optional<double> bytes = bytesOf(text);
    if (bytes && *bytes >= leastBytes && *bytes <= mostBytes)
        return static_cast<qint64>(*bytes);
    mismatch("a size from 4 KiB to 1 TiB, such as \"10MB\"");
    return {};
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
