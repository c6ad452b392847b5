// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "faultsjson.h"

namespace Rekindle {

void writeFaults(JsonWriter &json, const QList<Fault> &faults, const QString &file)
{
    json.array(faults, [&](const Fault &fault) {
        json.object([&] {
            json.member("file", fault.file.isEmpty() ? file : fault.file);
            json.member("line", fault.line);
            json.member("column", fault.column);
            json.member("pointer", fault.path);
            json.member("severity", QLatin1String(fault.isError() ? "error" : "warning"));
            json.member("message", fault.message);
        });
    });
}

} // namespace Rekindle
