// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licenseoptions_p.h"

#include "commandline_p.h"
#include "messages_p.h"

#include <rekindle/license/signedlicenseprovider.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>

#include <CLI/CLI.hpp>

namespace Rekindle {

void LicenseOptions::addTo(CLI::App &parser)
{
    addText(parser, "--tier", m_tier, "The licence tier: Core, WriterPro, Teams or Enterprise",
            "TIER");
    addText(parser, "--license", m_file, "Take the tier from this licence file", "FILE");
    addText(parser, "--license-key", m_key, "The public key that the licence is verified with",
            "FILE");
    addText(parser, "--license-audience", m_audience, "The application that it must be for", "ID");
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
        messages.sayFaults(key.faults, key.file);
        return nullptr;
    }
    const SignedLicenseOptions options{
        .path = m_file, .publicKey = *key.value, .audience = m_audience};
    auto provider = std::make_unique<SignedLicenseProvider>(options, scheduler);
    if (const LicenseStatus status = provider->status(); !status.valid)
        messages.say(QStringLiteral("license: %1; the tier is Core").arg(status.text));
    return provider;
}

} // namespace Rekindle
