// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/session/controlerror_p.h"

#include "control/internal/messagejson.h"
#include "wire/messagewriter_p.h"

namespace Rekindle {

using Code = ControlError::Code;

QByteArray errorLine(QByteArrayView id, const ControlError &error)
{
    return makeError(id, static_cast<int>(error.code), error.message, error.data);
}

ControlError invalidParams(const QList<Fault> &faults)
{
    QStringList lines;
    QList<QByteArray> all;
    for (const Fault &fault : faults) {
        const QString where = fault.path.isEmpty() ? fault.path : fault.path + QLatin1String(": ");
        lines.append(where + fault.message);
        all.append(objectJson("path", fault.path, "message", fault.message));
    }
    return {Code::InvalidParams, QLatin1String("params: ") + lines.join(QLatin1String("; ")),
            objectJson("faults", all)};
}

ControlError refused(const char *rule, const QString &message)
{
    return {Code::Refused, message, objectJson("rule", QLatin1String(rule))};
}

ControlError stopping(const QString &message) { return {Code::Stopping, message}; }

} // namespace Rekindle
