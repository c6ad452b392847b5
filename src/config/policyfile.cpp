// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyfile_p.h"

#include "jsonfile_p.h"

#include "policy/internal/policyreader.h"
#include "json/nearestname.h"

namespace Rekindle {

bool isPolicyFile(const QString &text)
{
    return text.contains(QLatin1Char('/')) || text.endsWith(QLatin1String(".json"));
}

Parsed<RestartPolicy> readPolicyFile(const QString &path)
{
    return readParsed(readJsonFile(path), readPolicy);
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
