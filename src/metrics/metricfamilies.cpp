// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricfamilies_p.h"

namespace Rekindle {

std::string labelValue(const QString &name)
{
    std::string value;
    for (const QChar each : name) {
        if (each.isUpper() && !value.empty())
            value += '_';
        value += each.toLower().toLatin1();
    }
    return value;
}

} // namespace Rekindle
