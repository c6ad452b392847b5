// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licenseoptions_p.h"

#include "base/durablefile_p.h"
#include "cli/output/messages_p.h"
#include "statefolder_p.h"
#include "storechoice_p.h"

#include <rekindle/license/signedlicenseprovider.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <CLI/CLI.hpp>

namespace Rekindle {

void LicenseOptions::addTo(CLI::App &parser)
{
    addTier(parser, m_tier,
            "The license tier: Core, WriterPro, Teams or Enterprise (default: Enterprise)");
    CLI::Option *const license =
        addText(parser, "--license", m_file, "Take the tier from this license file", "FILE");
    addText(parser, "--license-key", m_key, "The public key to verify the license with", "FILE")
        ->needs(license);
    addText(parser, "--license-audience", m_audience,
            "The required audience of the license (default: rekindle)", "ID")
        ->needs(license);
    license->excludes("--tier")->needs("--license-key");
}

void LicenseOptions::resolvePaths(const QDir &folder)
{
    resolvePath(folder, m_file);
    resolvePath(folder, m_key);
}

namespace {

QString hintFor(const SignedLicenseProvider &provider, const QString &clockFile)
{
    if (provider.refusal() == LicenseVerdict::Refusal::WrongAudience)
        return QStringLiteral(" (--license-audience selects another)");
    if (provider.refusal() == LicenseVerdict::Refusal::ClockSetBack)
        return QStringLiteral(" (if the clock was ahead before: stop all hosts, correct it and "
                              "delete %1)")
            .arg(clockFile);
    return {};
}

} // namespace

std::unique_ptr<LicenseProvider> LicenseOptions::provider(Scheduler &scheduler,
                                                          Messages &messages) const
{
    if (m_file.isEmpty())
        return std::make_unique<FixedLicenseProvider>(m_tier);
    const Parsed<LicensePublicKey> key = LicensePublicKey::fromFile(m_key);
    if (!key) {
        for (const Fault &fault : key.faults)
            messages.say(QLatin1String("--license-key: ") + fault.toString(key.file));
        throw CommandFailure{};
    }
    const QString clockFile = licenseClockOf(key.value->id());
    if (clockFile.isEmpty())
        messages.end(ExitCode::configuration, QLatin1String("--license: ") + noStateFolderText());
    if (const QString refusal = refusalOf(clockFile, WrittenFile::LicenseClock); !refusal.isEmpty())
        messages.end(ExitCode::configuration,
                     QStringLiteral("--license: %1: %2").arg(clockFile, refusal));
    createFolderOf(clockFile);
    const SignedLicenseOptions options{
        .path = m_file, .publicKey = *key.value, .audience = m_audience, .statePath = clockFile};
    auto provider = std::make_unique<SignedLicenseProvider>(options, scheduler);
    const auto report = [&messages, source = provider.get(), clockFile] {
        const LicenseStatus status = source->status();
        messages.say(QStringLiteral("license: %1%2; the tier is %3")
                         .arg(status.text, hintFor(*source, clockFile),
                              toText(status.valid ? status.tier : LicenseTier::Core)));
    };
    if (!provider->status().valid)
        report();
    // Connected before the feature gate, so that this message precedes those about its effects.
    QObject::connect(provider.get(), &LicenseProvider::changed, provider.get(), report);
    return provider;
}

QStringList LicenseOptions::files() const
{
    if (m_file.isEmpty())
        return {};
    QStringList files{m_file, m_key};
    if (const Parsed<LicensePublicKey> key = LicensePublicKey::fromFile(m_key))
        files.append(licenseClockOf(key.value->id()));
    return files;
}

LicenseTier LicenseOptions::tier(Messages &messages) const
{
    TimerScheduler scheduler;
    const std::unique_ptr<LicenseProvider> current = provider(scheduler, messages);
    FeatureGate gate;
    gate.setProvider(current.get());
    return gate.tier();
}

} // namespace Rekindle
