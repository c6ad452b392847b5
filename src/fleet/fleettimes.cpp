// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/fleettimes.h>

namespace Rekindle {

QList<Fault> FleetTimes::faults() const
{
    QList<Fault> faults;
    if (retry <= Duration{0} || renewal < retry)
        faults.append({QStringLiteral("/renewal"),
                       QStringLiteral("expected at least the retry interval (%1), found %2")
                           .arg(durationToString(retry), durationToString(renewal))});
    if (toleratedOutage() <= Duration{0})
        faults.append(
            {QStringLiteral("/giveUp"),
             QStringLiteral("expected more than renewal and retry together (%1), found %2")
                 .arg(durationToString(renewal + retry), durationToString(giveUp))});
    // Divided, because a product could overflow.
    if (kill() / 4 > duration / 5)
        faults.append({QStringLiteral("/duration"),
                       QStringLiteral("expected at least 1.25 times giveUp and the longest stop "
                                      "sequence together (%1), found %2")
                           .arg(durationToString(kill() / 4 * 5), durationToString(duration))});
    return faults;
}

} // namespace Rekindle
