// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/healthschedule.h>

#include <algorithm>

namespace Rekindle {

namespace {

using std::chrono::milliseconds;

constexpr int second = 1000; // milliseconds
constexpr int hour = 3600 * second;

QString rangeFault(const QString &found, const QString &least, const QString &greatest)
{
    return QStringLiteral("expected %1 to %2, found %3").arg(least, greatest, found);
}

} // namespace

const QList<HealthScheduleField> &healthScheduleFields()
{
    static const QList<HealthScheduleField> fields{
        {QLatin1String("interval"), &HealthSchedule::interval, 10, 24 * hour, true},
        {QLatin1String("timeout"), &HealthSchedule::timeout, 1, hour, true},
        {QLatin1String("misses"), &HealthSchedule::misses, 1, 1000},
        {QLatin1String("grace"), &HealthSchedule::grace, 0, 24 * hour},
        {QLatin1String("lastChance"), &HealthSchedule::lastChance, 1, hour},
    };
    return fields;
}

QList<Fault> validate(const HealthSchedule &schedule)
{
    QList<Fault> faults;
    for (const HealthScheduleField &field : healthScheduleFields()) {
        const QString path = QLatin1Char('/') + field.key;
        const Duration greatest = milliseconds(field.greatest);
        const auto checkDuration = [&](Duration found, Duration least) {
            if (found < least || found > greatest)
                faults.append({path,
                               rangeFault(durationToString(found), durationToString(least),
                                          durationToString(greatest))});
        };
        if (const auto *count = std::get_if<int HealthSchedule::*>(&field.member)) {
            const int found = schedule.**count;
            if (found < field.least || found > field.greatest)
                faults.append({path,
                               rangeFault(QString::number(found), QString::number(field.least),
                                          QString::number(field.greatest))});
        } else if (const auto *duration = std::get_if<Duration HealthSchedule::*>(&field.member)) {
            checkDuration(schedule.**duration, milliseconds(field.least));
        } else if (schedule.lastChance && schedule.timeout <= greatest) {
            checkDuration(*schedule.lastChance, schedule.timeout);
        }
    }
    return faults;
}

} // namespace Rekindle
