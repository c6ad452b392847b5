// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/featuregate.h>

#include "base/ownthread_p.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

void FeatureGate::update()
{
    m_tier = status().tier;
    if (m_isEmitting)
        return;
    // A slot may change the provider, or delete the gate.
    const QPointer<FeatureGate> alive(this);
    m_isEmitting = true;
    while (m_emitted != m_tier) {
        const LicenseTier before = std::exchange(m_emitted, m_tier);
        Q_EMIT tierChanged(before, m_emitted);
        if (!alive)
            return;
    }
    m_isEmitting = false;
}

void FeatureGate::setProvider(LicenseProvider *provider)
{
    if (!isInOwnThread(*this) || provider == m_provider)
        return;
    if (m_provider)
        disconnect(m_provider, nullptr, this, nullptr);
    m_provider = provider;
    if (provider) {
        connect(provider, &LicenseProvider::changed, this, &FeatureGate::update);
        // The destroyed object is no LicenseProvider anymore, so status() must not be called.
        connect(provider, &QObject::destroyed, this, [this] {
            m_provider = nullptr;
            update();
        });
    }
    update();
}

bool FeatureGate::hasProvider() const { return isInOwnThread(*this) && m_provider != nullptr; }

LicenseTier FeatureGate::tier() const { return isInOwnThread(*this) ? m_tier : LicenseTier::Core; }

LicenseStatus FeatureGate::status() const
{
    return hasProvider()
        ? m_provider->status()
        : LicenseStatus{LicenseTier::Core, false, QStringLiteral("no license"), {}};
}

GatedPolicy FeatureGate::gate(const RestartPolicy &requested) const
{
    return gatePolicy(requested, tier());
}

} // namespace Rekindle
