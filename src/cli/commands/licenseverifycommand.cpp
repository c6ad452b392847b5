// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

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
    "Says what a licence is for, or why it is refused: the signature, the audience (any, without\n"
    "--audience) and the times, by the clock of this machine.\n"
    "\n"
    "Examples:\n"
    "  rekindle license verify acme.license --key vendor.pub\n"
    "  rekindle license verify acme.license --key vendor.pub --audience com.example.writer --json\n"
    "\n"
    "Exit codes: 0 accepted, 64 usage, 78 refused, or the key is.\n";

QString endOf(const LicenseClaims &claims)
{
    return claims.expires ? toRfc3339(*claims.expires) : QStringLiteral("never");
}

QByteArray forPeople(const LicenseClaims &claims)
{
    return QStringLiteral("tier       %1\nlicensee   %2\naudience   %3\nnot before %4\n"
                          "expires    %5\nissued     %6\nid         %7\n")
        .arg(toText(claims.tier), claims.licensee, claims.audience, toRfc3339(claims.notBefore),
             endOf(claims), toRfc3339(claims.issuedAt), claims.id)
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
        CLI::App *command = parser.add_subcommand("verify", "Verify a licence file");
        command->footer(examples);
        addText(*command, "FILE", m_path, "The licence file", "");
        addText(*command, "--key", m_key, "The public key, from keygen", "FILE");
        addText(*command, "--audience", m_audience, "The application that asks", "ID");
        command->add_flag("--json", m_json, "One JSON object");
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
        if (!print(messages, m_json ? asJson(verdict) : forPeople(*verdict.claims)))
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
