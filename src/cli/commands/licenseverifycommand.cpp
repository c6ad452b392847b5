// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "licensecommand_p.h"

#include <rekindle/license/signedlicense.h>
#include <rekindle/lifecycle/clock.h>

#include <CLI/CLI.hpp>
#include <QJsonDocument>
#include <QJsonObject>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Checks the signature, the audience (if --audience is given) and the times by the clock of "
    "this\n"
    "machine. Shows the license, or why it is refused.\n"
    "\n"
    "Examples:\n"
    "  rekindle license verify acme.license --key vendor.pub\n"
    "  rekindle license verify acme.license --key vendor.pub --audience com.example.writer --json\n"
    "\n"
    "Exit codes:\n"
    "  0   accepted\n"
    "  1   stdout cannot be written\n"
    "  64  usage\n"
    "  78  the license or the key is refused\n";

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
    QJsonObject object{{QStringLiteral("accepted"), verdict.isAccepted()},
                       {QStringLiteral("text"), verdict.text}};
    if (verdict.refusal)
        object.insert(QStringLiteral("refusal"), toText(*verdict.refusal));
    if (verdict.claims) {
        object.insert(QStringLiteral("claims"),
                      QJsonDocument::fromJson(claimsToJson(*verdict.claims)).object());
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

class LicenseVerifyCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("verify", "Verify a license file");
        command->footer(examples);
        addText(*command, "FILE", m_path, "License file", "");
        addText(*command, "--key", m_key, "Public key from keygen", "FILE");
        addText(*command, "--audience", m_audience, "Required audience of the license", "ID");
        command->add_flag("--json", m_json, "Print one JSON object");
        command->get_option("FILE")->required();
        command->get_option("--key")->required();
        m_audienceOption = command->get_option("--audience");
    }

    int execute(Messages &messages) override
    {
        const Parsed<LicensePublicKey> key = LicensePublicKey::fromFile(m_key);
        messages.sayFaults(key.faults, key.file);
        if (!key)
            return ExitCode::configuration;
        LicenseCheck check{*key.value, {}, SystemClock().utcNow(), {}};
        if (m_audienceOption->count() > 0)
            check.audience = m_audience;
        const LicenseVerdict verdict = SignedLicense::verifyFile(m_path, check);
        if (!verdict.isAccepted() && !m_json) {
            messages.say(
                QStringLiteral("%1: %2: %3").arg(m_path, toText(*verdict.refusal), verdict.text));
            return ExitCode::configuration;
        }
        if (!print(messages, m_json ? asJson(verdict) : claimsText(*verdict.claims)))
            return ExitCode::outputFailed;
        return verdict.isAccepted() ? ExitCode::fine : ExitCode::configuration;
    }

private:
    QString m_path;
    QString m_key;
    QString m_audience;
    CLI::Option *m_audienceOption = nullptr;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeLicenseVerifyCommand()
{
    return std::make_unique<LicenseVerifyCommand>();
}

} // namespace Rekindle
