// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "command_p.h"
#include "json/jsonwriter.h"

#include <rekindle/license/licensesecretkey.h>
#include <rekindle/license/signedlicense.h>
#include <rekindle/lifecycle/clock.h>

#include <QFile>
#include <QFileInfo>
#include <QUuid>

// The commands of `rekindle license`.

namespace Rekindle {

namespace {

class LicenseKeygenCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        addText(command, "--out", m_prefix, "Prefix of the files, or a folder", "PREFIX")
            ->required();
    }

    int execute(Messages &messages) override
    {
        const std::optional<LicenseSecretKey> key = LicenseSecretKey::generate();
        if (!key)
            return messages.fail(
                ExitCode::cannotCreate,
                QStringLiteral("cannot generate a key: no random numbers available"));
        const QString prefix =
            QFileInfo(m_prefix).isDir() ? m_prefix + QLatin1String("/license") : m_prefix;
        const QString secretPath = prefix + QLatin1String(".key");
        const QString publicPath = prefix + QLatin1String(".pub");
        QString created = secretPath;
        QString fault = createFile(secretPath, key->toText(), ownerOnly);
        if (fault.isEmpty()) {
            created = publicPath;
            fault = createFile(publicPath, key->publicKey().toText(), byUmask);
            if (!fault.isEmpty())
                QFile::remove(secretPath); // a half-written key pair is useless
        }
        if (!fault.isEmpty())
            return messages.fail(ExitCode::cannotCreate, created + QLatin1String(": ") + fault);
        const QString text = QStringLiteral("key %1\nsecret %2\npublic %3\n")
                                 .arg(key->publicKey().id(), secretPath, publicPath);
        return print(messages, text.toLocal8Bit());
    }

private:
    QString m_prefix;
};

class LicenseIssueCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        addText(command, "--key", m_key, "Secret key from keygen", "FILE")->required();
        addTier(command, m_claims.tier, "Core, WriterPro, Teams or Enterprise")->required();
        addText(command, "--licensee", m_claims.licensee, "Name of the licensee", "NAME")
            ->required();
        addText(command, "--audience", m_claims.audience, "Application that the license is for",
                "ID")
            ->required();
        addTime(command, "--not-before", m_notBefore, "Valid from this time (default: now)");
        addTime(command, "--expires", m_claims.expires, "Valid until this time");
        addDuration(command, "--for", m_length,
                    "Valid for this duration, at most 10000d; use --expires for more")
            ->excludes("--expires");
        addText(command, "--id", m_claims.id, "Id of the license (default: a new UUID)", "ID");
        addText(command, "--out", m_out, "Output file (default: stdout)", "FILE");
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
        return messages.fail(ExitCode::cannotCreate, m_out + QLatin1String(": ") + fault);
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
    return jsonObject([&](JsonWriter &json) {
               json.member("accepted", verdict.isAccepted());
               json.member("text", verdict.text);
               if (verdict.refusal)
                   json.member("refusal", toText(*verdict.refusal));
               if (verdict.claims) {
                   json.key("claims");
                   json.json(claimsToJson(*verdict.claims));
               }
           })
        + '\n';
}

class LicenseVerifyCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        addText(command, "FILE", m_path, "License file", "")->required();
        addText(command, "--key", m_key, "Public key from keygen", "FILE")->required();
        addText(command, "--audience", m_audience, "Required audience of the license", "ID");
        command.add_flag("--json", m_json, "Print one JSON object");
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
        if (!verdict.isAccepted() && !m_json)
            return messages.fail(
                ExitCode::configuration,
                QStringLiteral("%1: %2: %3").arg(m_path, toText(*verdict.refusal), verdict.text));
        const QByteArray text = m_json
            ? asJson(verdict)
            : m_path.toLocal8Bit() + ": valid\n" + claimsText(*verdict.claims);
        const int code = print(messages, text);
        return code == ExitCode::fine && !verdict.isAccepted() ? ExitCode::configuration : code;
    }

private:
    QString m_path;
    QString m_key;
    QString m_audience;
    bool m_json = false;
};

} // namespace

const CommandRow licenseGroup{
    .name = "license",
    .summary = "Generate keys, issue and verify license files",
    .help =
        R"(A vendor generates a key pair once, stores the secret key safely and compiles the public key into the
application. docs/licensing.md shows the whole procedure.

Examples:
  rekindle license keygen --out vendor
  rekindle license issue --key vendor.key --tier Teams --licensee 'ACME Ltd' \
      --audience com.example.writer --for 365d --out acme.license
  rekindle license verify acme.license --key vendor.pub --audience com.example.writer
)",
    .exitCodes = {{0, "success"},
                  {64, "usage"},
                  {73, "a file cannot be created"},
                  {78, "invalid license or key"}},
};

const CommandRow licenseKeygenCommand{
    .name = "license keygen",
    .summary = "Generate a key pair",
    .help =
        R"(Writes two files and overwrites none: PREFIX.key is the secret key, which signs licenses and
which only its owner can read; PREFIX.pub is the public key for the application. If PREFIX is
a folder, the files are license.key and license.pub in it.

Examples:
  rekindle license keygen --out vendor
  rekindle license keygen --out /safe/place
)",
    .exitCodes = {{1, nullptr}, {73, "a file cannot be created"}},
    .make = makeCommand<LicenseKeygenCommand>,
};

const CommandRow licenseIssueCommand{
    .name = "license issue",
    .summary = "Issue a license file",
    .help =
        R"(Times are UTC or have an offset: 2027-01-01T00:00:00Z. Without --not-before, the license is
valid from now. Without --expires and --for, it does not expire. Existing files are not
overwritten.

Examples:
  rekindle license issue --key vendor.key --tier Teams --licensee 'ACME Ltd' \
      --audience com.example.writer --for 365d --out acme.license
  rekindle license issue --key vendor.key --tier WriterPro --licensee 'B. Free' \
      --audience com.example.writer --expires 2027-01-01T00:00:00Z > free.license
)",
    .exitCodes = {{73, "the file cannot be created"}, {78, "invalid key"}},
    .make = makeCommand<LicenseIssueCommand>,
};

const CommandRow licenseVerifyCommand{
    .name = "license verify",
    .summary = "Verify a license file",
    .help =
        R"(Checks the signature, the audience (if --audience is given) and the times by the clock of this
machine. Shows the license, or why it is rejected.

Examples:
  rekindle license verify acme.license --key vendor.pub
  rekindle license verify acme.license --key vendor.pub --audience com.example.writer --json
)",
    .exitCodes = {{0, "accepted"}, {78, "the license or the key is rejected"}},
    .make = makeCommand<LicenseVerifyCommand>,
};

} // namespace Rekindle
