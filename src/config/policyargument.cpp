// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/policyargument.h>

#include "policyresolver_p.h"

#include "policy/internal/policykeys.h"
#include "json/jsonparser.h"

#include <rekindle/policy/presets.h>
#include <rekindle/policy/validation.h>

namespace Rekindle {

Parsed<RestartPolicy> policyFromArgument(const QString &argument, Duration startTimeout)
{
    if (argument.trimmed().startsWith(QLatin1Char('{'))) {
        return readParsed(parseJson(argument.toUtf8()), [startTimeout](const JsonPlace &place) {
            return readPolicy(place, startTimeout);
        });
    }
    if (isPolicyFile(argument))
        return readPolicyFile(argument, startTimeout);
    Parsed<RestartPolicy> result;
    result.value = presetWith(argument, startTimeout);
    if (result)
        result.warnings = validate(*result.value);
    else
        result.faults.append({{}, unknownPolicy(argument, presetNames())});
    return result;
}

} // namespace Rekindle
