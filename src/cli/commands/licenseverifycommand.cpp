// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/jsontext_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"

#include <rekindle/license/signedlicense.h>
#include <rekindle/lifecycle/clock.h>

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

constexpr char licenseVerifyExamples[] =
    R"(Checks the signature, the audience (if --audience is given) and the times by the clock of this
machine. Shows the license, or why it is rejected.

Examples:
  rekindle license verify acme.license --key vendor.pub
  rekindle license verify acme.license --key vendor.pub --audience com.example.writer --json

Exit codes:
  0   accepted
  1   stdout cannot be written
  64  usage
  78  the license or the key is rejected
)";

QString expiryText(const LicenseClaims &claims)
{
    return claims.expires ? toRfc3339(*claims.expires) : QStringLiteral("never");
}

QByteArray claimsText(const LicenseClaims &claims)
{
    return QStringLiteral("tier       %1\nlicensee   %2\naudience   %3\nnot before %4\n"
                          "expires    %5\nissued     %6\nid         %7\n")
        .arg(toText(claims.tier), claims.licensee, claims.audience, toRfc3339(claims.notBefore),
             expiryText(claims), toRfc3339(claims.issuedAt), claims.id)
        .toLocal8Bit();
}

QByteArray asJson(const LicenseVerdict &verdict)
{
    Json json{{"accepted", verdict.isAccepted()}, {"text", verdict.text.toStdString()}};
    if (verdict.refusal)
        json["refusal"] = toText(*verdict.refusal).toStdString();
    if (verdict.claims)
        json["claims"] = Json::parse(claimsToJson(*verdict.claims).toStdString());
    return compactJson(json);
}

class LicenseVerifyCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("verify", "Verify a license file");
        command->footer(licenseVerifyExamples);
        addText(*command, "FILE", m_path, "License file", "")->required();
        addText(*command, "--key", m_key, "Public key from keygen", "FILE")->required();
        addText(*command, "--audience", m_audience, "Required audience of the license", "ID");
        command->add_flag("--json", m_json, "Print one JSON object");
    }

    int execute(Messages &messages) override
    {
        const Parsed<LicensePublicKey> key = LicensePublicKey::fromFile(m_key);
        messages.sayFaults(key.faults, key.file);
        if (!key)
            return ExitCode::configuration;
        LicenseCheck check{*key.value, {}, SystemClock().utcNow(), {}};
        if (!m_audience.isEmpty())
            check.audience = m_audience;
        const LicenseVerdict verdict = SignedLicense::verifyFile(m_path, check);
        if (!verdict.isAccepted() && !m_json) {
            messages.say(
                QStringLiteral("%1: %2: %3").arg(m_path, toText(*verdict.refusal), verdict.text));
            return ExitCode::configuration;
        }
        const int code = print(messages, m_json ? asJson(verdict) : claimsText(*verdict.claims));
        return code == ExitCode::fine && !verdict.isAccepted() ? ExitCode::configuration : code;
    }

private:
    QString m_path;
    QString m_key;
    QString m_audience;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeLicenseVerifyCommand()
{
    return std::make_unique<LicenseVerifyCommand>();
}

} // namespace Rekindle
