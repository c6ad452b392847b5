// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "probereader_p.h"

#include "policy/internal/healthfields.h"

#include <QUrl>

namespace Rekindle {

using namespace HealthFields;

namespace {

// A process that is starting is probed more often than a ready one.
constexpr Duration readinessInterval = std::chrono::milliseconds(500);

void readSchedule(JsonObjectReader &reader, ProbeKind::Use use, HealthSchedule &schedule)
{
    const auto read = [&](const auto &field) {
        if constexpr (!std::is_same_v<decltype(field.type), LastChance>)
            reader.read(field.key, schedule.*field.member, field.type.least, field.type.greatest);
        else
            reader.read(field.key, schedule.*field.member, schedule.timeout, field.type.greatest);
    };
    forEach(probeFields, read);
    if (use != ProbeKind::Use::Readiness)
        forEach(healthFields, read);
}

// Only a timeout that is written in the configuration causes the warning.
void warnOfOverlap(const JsonPlace &probe, const HealthSchedule &schedule)
{
    const std::optional<JsonPlace> timeout = probe.member("timeout");
    if (!timeout || schedule.timeout <= schedule.interval)
        return;
    timeout->warn(
        QStringLiteral("%1 is longer than the interval of %2: a probe that hangs delays the "
                       "next ones")
            .arg(durationToString(schedule.timeout), durationToString(schedule.interval)));
}

} // namespace

const ProbeKind *ProbeReader::readKind(JsonObjectReader &reader, ProbeKind::Use use) const
{
    const auto place = reader.required("kind");
    QStringList expected;
    const ProbeKind *found = nullptr;
    for (const ProbeKind *kind : m_kinds) {
        if (kind->uses.testFlag(use))
            expected.append(kind->name);
        if (place && place->isText(kind->name))
            found = kind;
    }
    if (!place || (found && found->uses.testFlag(use)))
        return found;
    if (!found) {
        (void)place->oneOf(expected);
        return nullptr;
    }
    const bool isForHealth =
        use == ProbeKind::Use::Readiness && found->uses.testFlag(ProbeKind::Use::ProcessHealth);
    place->fault(QStringLiteral("expected one of %1, found \"%2\", which is for %3")
                     .arg(expected.join(QLatin1String(", ")), found->name,
                          isForHealth ? QStringLiteral("health")
                                      : QStringLiteral("the health of mcpServers")));
    return nullptr;
}

QVariant ProbeReader::readCommand(const JsonPlace &place, const QString &expected,
                                  const ValueVariables &variables) const
{
    const auto items = place.items();
    if (items && items->empty())
        place.mismatch(expected);
    if (!items || items->empty())
        return {};
    QStringList command;
    for (const JsonPlace &item : *items) {
        const std::optional<QString> text =
            command.isEmpty() ? variables.textNotEmpty(item) : variables.text(item);
        command.append(text.value_or(QString()));
    }
    if (command.front().contains(u'/'))
        command.front() = QDir::cleanPath(m_folder.absoluteFilePath(command.front()));
    return command;
}

QVariant ProbeReader::readField(const JsonPlace &place, const ProbeField &field,
                                const ValueVariables &variables) const
{
    QVariant value;
    QString url;
    switch (field.type) {
    case ProbeField::Type::Integer:
        return place.integer(field.least, field.greatest).value_or(0);
    case ProbeField::Type::Command:
        return readCommand(place, field.expectedInsteadOf({}).value_or(QString()), variables);
    case ProbeField::Type::Text:
        return variables.textNotEmpty(place).value_or(QString());
    case ProbeField::Type::HttpUrl:
        if (const auto text = variables.textNotEmpty(place)) {
            url = *text;
            value = QUrl(url, QUrl::StrictMode);
        }
        break;
    }
    if (const auto expected = value.isValid() ? field.expectedInsteadOf(value) : std::nullopt)
        place.fault(QStringLiteral("expected %1, found %2")
                        .arg(*expected, ValueVariables::describe(place, url)));
    return value;
}

HealthProbeDefinition ProbeReader::readProbe(const JsonPlace &place, ProbeKind::Use use,
                                             const ValueVariables &variables) const
{
    HealthProbeDefinition probe;
    JsonObjectReader reader(place);
    probe.kind = readKind(reader, use);
    if (!probe.kind)
        return probe;
    for (const ProbeField &field : probe.kind->fields) {
        const auto member =
            field.isRequired() ? reader.required(field.key) : reader.member(field.key);
        probe.settings.insert(field.key,
                              member ? readField(*member, field, variables) : field.standard);
    }
    if (use == ProbeKind::Use::Readiness)
        probe.schedule.interval = readinessInterval;
    readSchedule(reader, use, probe.schedule);
    if (use != ProbeKind::Use::Readiness)
        warnOfOverlap(place, probe.schedule);
    reader.finish();
    return probe;
}

void ProbeReader::readHealth(JsonObjectReader &object, ProbeKind::Use use,
                             const ValueVariables &variables,
                             QList<HealthProbeDefinition> &target) const
{
    if (object.member("health"))
        target.clear();
    for (const JsonPlace &item : object.items("health"))
        target.append(readProbe(item, use, variables));
}

QList<HealthProbeDefinition> ProbeReader::serverDefaults() const
{
    QList<HealthProbeDefinition> probes;
    for (const ProbeKind *kind : m_kinds) {
        if (kind->uses.testFlag(ProbeKind::Use::ServerDefault))
            probes.append({kind, {}, {}});
    }
    return probes;
}

} // namespace Rekindle
