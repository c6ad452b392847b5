// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/licensetier.h>

namespace Rekindle {

bool allows(LicenseTier tier, RestartPolicyType type)
{
    switch (type) {
    case RestartPolicyType::None:
        return true;
    case RestartPolicyType::Immediate:
    case RestartPolicyType::Linear:
        return tier >= LicenseTier::WriterPro;
    case RestartPolicyType::Exponential:
    case RestartPolicyType::Stepped:
        return tier >= LicenseTier::Teams;
    case RestartPolicyType::Custom:
        break;
    }
    return tier >= LicenseTier::Enterprise;
}

} // namespace Rekindle
