// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/fixedlicenseprovider.h>

#include <utility>

namespace Rekindle {

FixedLicenseProvider::FixedLicenseProvider(LicenseTier tier, QObject *parent)
    : LicenseProvider(parent)
    , m_tier(tier)
{
}

LicenseStatus FixedLicenseProvider::status() const
{
    return {m_tier, true, toText(m_tier) + QLatin1String(", set by the host"), {}};
}

void FixedLicenseProvider::setTier(LicenseTier tier)
{
    if (std::exchange(m_tier, tier) != tier)
        Q_EMIT changed();
}

} // namespace Rekindle
