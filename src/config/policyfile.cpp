// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyfile_p.h"

#include "jsonfile_p.h"

#include "json/jsonfaults.h"
#include "json/nearestname.h"
#include <policy/definition/policyjson_p.h>

namespace Rekindle {

bool isPolicyFile(const QString &text)
{
    return text.contains(QLatin1Char('/')) || text.endsWith(QLatin1String(".json"));
}

Parsed<RestartPolicy> readPolicyFile(const QString &path)
{
    const Parsed<JsonNode> parsed = readJsonFile(path);
    Parsed<RestartPolicy> result;
    if (parsed) {
        JsonFaults faults;
        const RestartPolicy policy = readPolicy(JsonPlace(*parsed.value, {}, faults));
        result = faults.result(policy);
    } else {
        result.faults = parsed.faults;
    }
    result.file = path;
    return result;
}

QString unknownPolicy(const QString &name, const QStringList &existing)
{
    const QString nearest = nearestName(name, existing);
    const QString guess = nearest.isEmpty()
        ? QStringLiteral("; expected")
        : QStringLiteral("; did you mean \"%1\"? Expected").arg(nearest);
    return QStringLiteral("unknown policy \"%1\"%2 an object, a file (with \"/\" or \".json\") or "
                          "one of %3")
        .arg(printable(name), guess, existing.join(QLatin1String(", ")));
}

} // namespace Rekindle
