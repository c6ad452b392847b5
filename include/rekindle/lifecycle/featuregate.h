// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/policy/policygate.h>

#include <QLatin1String>

#include <memory>

namespace Rekindle {

/// Asks a provider for the tier and holds policies against it (spec 7, S1 3.2). Without a provider
/// the tier is Core. Use it from the thread it lives in.
class REKINDLE_LIFECYCLE_EXPORT FeatureGate : public QObject
{
    Q_OBJECT

public:
    /// The name of what is gated here, for hosts that have a table of such switches.
    static constexpr QLatin1String restartPolicies{"FeatureFlags.Agents.Lifecycle.RestartPolicies"};

    explicit FeatureGate(QObject *parent = nullptr);
    ~FeatureGate() override;

    /// Asks this one from now on; null for none. It stays the caller's, and may be destroyed while
    /// it is set: then there is none.
    void setProvider(LicenseProvider *provider);
    [[nodiscard]] LicenseProvider *provider() const;

    [[nodiscard]] LicenseTier tier() const;

    /// What the provider says; without one, that there is none.
    [[nodiscard]] LicenseStatus status() const;

    /// The policy, or what it falls back to in the tier of this moment.
    [[nodiscard]] GatedPolicy gate(const RestartPolicy &requested) const;

Q_SIGNALS:
    /// The tier is another one; tier() says the new one already. Told in order: where a slot makes
    /// the tier change again, that is told when all have heard of this change.
    void tierChanged(Rekindle::LicenseTier oldTier, Rekindle::LicenseTier newTier);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
