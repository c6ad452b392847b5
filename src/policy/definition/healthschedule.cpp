// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/healthschedule.h>

#include "policy/internal/healthfields.h"

namespace Rekindle {

using namespace HealthFields;

QList<Fault> validate(const HealthSchedule &schedule)
{
    QList<Fault> faults;
    const auto check = [&](const auto &field) {
        const QString path = QLatin1Char('/') + field.key;
        const auto &found = schedule.*field.member;
        if constexpr (!std::is_same_v<decltype(field.type), LastChance>)
            checkRange(found, field.type, path, faults);
        else if (found && schedule.timeout <= field.type.greatest)
            checkRange(*found, {schedule.timeout, field.type.greatest}, path, faults);
    };
    forEach(probeFields, check);
    forEach(healthFields, check);
    return faults;
}

} // namespace Rekindle
