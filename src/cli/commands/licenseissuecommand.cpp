// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"

#include <rekindle/license/signedlicense.h>
#include <rekindle/lifecycle/clock.h>

#include <CLI/CLI.hpp>
#include <QUuid>

namespace Rekindle {

namespace {

constexpr char licenseIssueExamples[] =
    R"(Times are UTC or have an offset: 2027-01-01T00:00:00Z. Without --not-before, the license is
valid from now. Without --expires and --for, it does not expire. Existing files are not
overwritten.

Examples:
  rekindle license issue --key vendor.key --tier Teams --licensee 'ACME Ltd' \
      --audience com.example.writer --for 365d --out acme.license
  rekindle license issue --key vendor.key --tier WriterPro --licensee 'B. Free' \
      --audience com.example.writer --expires 2027-01-01T00:00:00Z > free.license

Exit codes:
  0   success
  1   stdout cannot be written
  64  usage
  73  the file cannot be created
  78  invalid key
)";

class LicenseIssueCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("issue", "Issue a license file");
        command->footer(licenseIssueExamples);
        addText(*command, "--key", m_key, "Secret key from keygen", "FILE")->required();
        addTier(*command, m_claims.tier, "Core, WriterPro, Teams or Enterprise")->required();
        addText(*command, "--licensee", m_claims.licensee, "Name of the licensee", "NAME")
            ->required();
        addText(*command, "--audience", m_claims.audience, "Application that the license is for",
                "ID")
            ->required();
        addTime(*command, "--not-before", m_notBefore, "Valid from this time (default: now)");
        addTime(*command, "--expires", m_claims.expires, "Valid until this time");
        addDuration(*command, "--for", m_length,
                    "Valid for this duration, at most 10000d; use --expires for more")
            ->excludes("--expires");
        addText(*command, "--id", m_claims.id, "Id of the license (default: a new UUID)", "ID");
        addText(*command, "--out", m_out, "Output file (default: stdout)", "FILE");
    }

    int execute(Messages &messages) override
    {
        const Parsed<LicenseSecretKey> key = LicenseSecretKey::fromFile(m_key);
        messages.sayFaults(key.faults + key.warnings, key.file);
        if (!key)
            return ExitCode::configuration;
        completeClaims();
        const Parsed<QByteArray> file = SignedLicense::issue(m_claims, *key.value);
        for (const Fault &fault : file.faults) {
            messages.say(
                QStringLiteral("license issue: %1: %2").arg(fault.path.mid(1), fault.message));
        }
        if (!file)
            return ExitCode::usage;
        if (m_out.isEmpty())
            return print(messages, *file.value);
        const QString fault = createFile(m_out, *file.value, byUmask);
        if (fault.isEmpty())
            return ExitCode::fine;
        messages.say(m_out + QLatin1String(": ") + fault);
        return ExitCode::cannotCreate;
    }

private:
    void completeClaims()
    {
        m_claims.issuedAt = SystemClock().utcNow();
        m_claims.notBefore = m_notBefore.value_or(m_claims.issuedAt);
        if (m_length)
            m_claims.expires =
                m_claims.notBefore + std::chrono::floor<std::chrono::milliseconds>(*m_length);
        if (m_claims.id.isEmpty())
            m_claims.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    }

    QString m_key;
    LicenseClaims m_claims;
    std::optional<UtcTime> m_notBefore;
    std::optional<Duration> m_length;
    QString m_out;
};

} // namespace

std::unique_ptr<Command> makeLicenseIssueCommand()
{
    return std::make_unique<LicenseIssueCommand>();
}

} // namespace Rekindle
