// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/session/controlerror_p.h"

#include "json/jsontext.h"

#include <QStringList>

namespace Rekindle {

ControlError invalidParams(const QList<Fault> &faults)
{
    QStringList lines;
    Json all = Json::array();
    for (const Fault &fault : faults) {
        const QString where = fault.path.isEmpty() ? fault.path : fault.path + QLatin1String(": ");
        lines.append(where + fault.message);
        all.push_back(
            {{"path", fault.path.toStdString()}, {"message", fault.message.toStdString()}});
    }
    return {ErrorCode::invalidParams, QLatin1String("params: ") + lines.join(QLatin1String("; ")),
            inlineJson({{"faults", std::move(all)}})};
}

ControlError refused(const char *rule, const QString &message)
{
    return {ErrorCode::refused, message, inlineJson({{"rule", rule}})};
}

ControlError stopping(const QString &message) { return {ErrorCode::stopping, message, {}}; }

} // namespace Rekindle
