// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/healthprobedefinition.h>

#include <QUrl>

#include <algorithm>

namespace Rekindle {

namespace {

QString describe(const QVariant &value)
{
    if (value.typeId() == QMetaType::Int)
        return value.toString();
    if (value.typeId() == QMetaType::QStringList)
        return QStringLiteral("no program");
    // A password does not belong in a message.
    const QString text = value.typeId() == QMetaType::QUrl
        ? value.toUrl().toString(QUrl::RemovePassword)
        : value.toString();
    return QLatin1Char('"') + text + QLatin1Char('"');
}

} // namespace

QVariant HealthProbeDefinition::value(const QString &key) const
{
    const auto setting = settings.constFind(key);
    if (setting != settings.constEnd() || kind == nullptr)
        return settings.value(key);
    const auto field = std::ranges::find(kind->fields, key, &ProbeField::key);
    return field == kind->fields.end() ? QVariant() : field->standard;
}

QList<Fault> validate(const HealthProbeDefinition &probe)
{
    QList<Fault> faults = validate(probe.schedule);
    if (!probe.kind)
        return faults << Fault{QStringLiteral("/kind"), QStringLiteral("missing")};
    for (const ProbeField &field : probe.kind->fields) {
        const QVariant value = probe.value(field.key);
        if (const auto expected = field.expectedInsteadOf(value))
            faults.append(
                {QLatin1Char('/') + field.key,
                 value.isValid()
                     ? QStringLiteral("expected %1, found %2").arg(*expected, describe(value))
                     : QStringLiteral("missing; expected ") + *expected});
    }
    return faults;
}

} // namespace Rekindle
