// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/licenseprovider.h>

namespace Rekindle {

/// Provides a tier that the host sets and may change at any time (spec 7).
class REKINDLE_LIFECYCLE_EXPORT FixedLicenseProvider final : public LicenseProvider
{
    Q_OBJECT

public:
    explicit FixedLicenseProvider(LicenseTier tier, QObject *parent = nullptr);

    [[nodiscard]] LicenseStatus status() const override;

    void setTier(LicenseTier tier);

private:
    LicenseTier m_tier;
};

} // namespace Rekindle
