// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/policyargument.h>

#include "policyresolver_p.h"

#include <rekindle/policy/policyjson.h>
#include <rekindle/policy/presets.h>
#include <rekindle/policy/validation.h>

namespace Rekindle {

Parsed<RestartPolicy> policyFromArgument(const QString &argument)
{
    if (argument.trimmed().startsWith(QLatin1Char('{')))
        return restartPolicyFromJson(argument.toUtf8());
    if (isPolicyFile(argument))
        return readPolicyFile(argument);
    Parsed<RestartPolicy> result;
    result.value = preset(argument);
    if (result)
        result.warnings = validate(*result.value);
    else
        result.faults.append({{}, unknownPolicy(argument, presetNames())});
    return result;
}

} // namespace Rekindle
