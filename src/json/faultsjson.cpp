// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "faultsjson.h"

namespace Rekindle {

Json faultsJson(const QList<Fault> &faults, const QString &file)
{
    Json json = Json::array();
    for (const Fault &fault : faults) {
        json.push_back({{"file", (fault.file.isEmpty() ? file : fault.file).toStdString()},
                        {"line", fault.line},
                        {"column", fault.column},
                        {"pointer", fault.path.toStdString()},
                        {"severity", fault.isError() ? "error" : "warning"},
                        {"message", fault.message.toStdString()}});
    }
    return json;
}

} // namespace Rekindle
