// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licenseoptions_p.h"

#include "commandline_p.h"
#include "messages_p.h"

#include <rekindle/license/signedlicenseprovider.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <CLI/CLI.hpp>

namespace Rekindle {

void LicenseOptions::addTo(CLI::App &parser)
{
    addText(parser, "--tier", m_tier,
            "The licence tier: Core, WriterPro, Teams or Enterprise (default: Enterprise)", "TIER");
    addText(parser, "--license", m_file, "Take the tier from this licence file", "FILE");
    addText(parser, "--license-key", m_key, "The public key that the licence is verified with",
            "FILE");
    addText(parser, "--license-audience", m_audience,
            "The application that it must be for (default: rekindle)", "ID");
    CLI::Option *license = parser.get_option("--license");
    license->excludes("--tier")->needs("--license-key");
    parser.get_option("--license-key")->needs(license);
    parser.get_option("--license-audience")->needs(license);
    parser.get_option("--tier")->check([](const std::string &text) {
        return licenseTierFromString(QString::fromStdString(text))
            ? std::string()
            : "found \"" + text + "\", allowed Core, WriterPro, Teams or Enterprise";
    });
}

std::unique_ptr<LicenseProvider> LicenseOptions::provider(Scheduler &scheduler,
                                                          Messages &messages) const
{
    if (m_file.isEmpty()) {
        const auto tier = licenseTierFromString(m_tier);
        return std::make_unique<FixedLicenseProvider>(tier.value_or(LicenseTier::Core));
    }
    const Parsed<LicensePublicKey> key = LicensePublicKey::fromFile(m_key);
    if (!key) {
        for (const Fault &fault : key.faults)
            messages.say(QLatin1String("--license-key: ") + fault.toString(key.file));
        return nullptr;
    }
    const SignedLicenseOptions options{
        .path = m_file, .publicKey = *key.value, .audience = m_audience};
    auto provider = std::make_unique<SignedLicenseProvider>(options, scheduler);
    if (const LicenseStatus status = provider->status(); !status.valid) {
        const QString hint = provider->refusal() == LicenseRefusal::WrongAudience
            ? QStringLiteral(" (--license-audience names another)")
            : QString();
        messages.say(QStringLiteral("license: %1%2; the tier is Core").arg(status.text, hint));
    }
    // Before the gate, which is told later, what comes of it.
    QObject::connect(
        provider.get(), &LicenseProvider::changed, provider.get(),
        [&messages, told = provider.get()] {
            const LicenseStatus status = told->status();
            messages.say(
                QStringLiteral("license: %1; the tier is %2")
                    .arg(status.text, toText(status.valid ? status.tier : LicenseTier::Core)));
        });
    return provider;
}

QStringList LicenseOptions::files() const
{
    return m_file.isEmpty() ? QStringList() : QStringList{m_file, m_key};
}

std::optional<LicenseTier> LicenseOptions::tier(Messages &messages) const
{
    TimerScheduler scheduler;
    const std::unique_ptr<LicenseProvider> asked = provider(scheduler, messages);
    if (!asked)
        return {};
    FeatureGate gate;
    gate.setProvider(asked.get());
    return gate.tier();
}

} // namespace Rekindle
