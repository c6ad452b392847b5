// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/featuregate.h>

#include <QPointer>

#include <utility>

namespace Rekindle {

class FeatureGate::Private
{
public:
    explicit Private(FeatureGate *gate)
        : q(gate)
    {
    }

    void update();

    FeatureGate *const q;
    LicenseProvider *provider = nullptr;
    LicenseTier tier = LicenseTier::Core;
    LicenseTier emitted = LicenseTier::Core; ///< the tier of the latest tierChanged()
    bool emitting = false;
};

void FeatureGate::Private::update()
{
    tier = q->status().tier;
    if (emitting)
        return;
    // A slot may change the provider, or delete the gate.
    const QPointer<FeatureGate> alive(q);
    emitting = true;
    while (emitted != tier) {
        const LicenseTier before = std::exchange(emitted, tier);
        Q_EMIT q->tierChanged(before, emitted);
        if (!alive)
            return;
    }
    emitting = false;
}

FeatureGate::FeatureGate(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

FeatureGate::~FeatureGate() = default;

void FeatureGate::setProvider(LicenseProvider *provider)
{
    if (provider == d->provider)
        return;
    if (d->provider)
        disconnect(d->provider, nullptr, this, nullptr);
    d->provider = provider;
    if (provider) {
        connect(provider, &LicenseProvider::changed, this, [this] { d->update(); });
        // The destroyed object is no LicenseProvider anymore, so status() must not be called.
        connect(provider, &QObject::destroyed, this, [this] {
            d->provider = nullptr;
            d->update();
        });
    }
    d->update();
}

bool FeatureGate::hasProvider() const { return d->provider != nullptr; }

LicenseTier FeatureGate::tier() const { return d->tier; }

LicenseStatus FeatureGate::status() const
{
    return d->provider ? d->provider->status()
                       : LicenseStatus{LicenseTier::Core, false, QStringLiteral("no license"), {}};
}

GatedPolicy FeatureGate::gate(const RestartPolicy &requested) const
{
    return gatePolicy(requested, d->tier);
}

} // namespace Rekindle
