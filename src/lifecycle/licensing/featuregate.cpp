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
    LicenseTier told = LicenseTier::Core; ///< what the listeners know
    bool telling = false;
};

void FeatureGate::Private::update()
{
    tier = q->status().tier;
    if (telling)
        return;
    // A slot may change the provider, or delete the gate.
    const QPointer<FeatureGate> alive(q);
    telling = true;
    while (told != tier) {
        const LicenseTier before = std::exchange(told, tier);
        Q_EMIT q->tierChanged(before, told);
        if (!alive)
            return;
    }
    telling = false;
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
        // What is left of it then cannot be asked any more.
        connect(provider, &QObject::destroyed, this, [this] {
            d->provider = nullptr;
            d->update();
        });
    }
    d->update();
}

LicenseProvider *FeatureGate::provider() const { return d->provider; }

LicenseTier FeatureGate::tier() const { return d->tier; }

LicenseStatus FeatureGate::status() const
{
    return d->provider ? d->provider->status()
                       : LicenseStatus{LicenseTier::Core, false, QStringLiteral("no licence"), {}};
}

GatedPolicy FeatureGate::gate(const RestartPolicy &requested) const
{
    return gatePolicy(requested, d->tier);
}

} // namespace Rekindle
