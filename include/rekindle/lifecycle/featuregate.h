// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/policy/policygate.h>

namespace Rekindle {

/// Limits policies by the license tier of a provider (spec 7, S1 3.2). Without a provider, the tier
/// is Core. Use the object from its own thread.
class REKINDLE_LIFECYCLE_EXPORT FeatureGate : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Sets the provider; null for none. The caller keeps the ownership. If the provider is
    /// destroyed, it is unset.
    void setProvider(LicenseProvider *provider);

    [[nodiscard]] bool hasProvider() const;

    [[nodiscard]] LicenseTier tier() const;

    /// Returns the status of the provider; without one, an invalid status of tier Core.
    [[nodiscard]] LicenseStatus status() const;

    /// Returns the policy, or its fallback in the current tier.
    [[nodiscard]] GatedPolicy gate(const RestartPolicy &requested) const;

Q_SIGNALS:
    /// The tier changed; tier() already returns the new one. If a slot changes the tier again, the
    /// signal for that change is emitted after all slots were called for this one.
    void tierChanged(Rekindle::LicenseTier oldTier, Rekindle::LicenseTier newTier);

private:
    void update();

    LicenseProvider *m_provider = nullptr;
    LicenseTier m_tier = LicenseTier::Core;
    LicenseTier m_emitted = LicenseTier::Core; ///< the tier of the latest tierChanged()
    bool m_isEmitting = false;
};

} // namespace Rekindle
