// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"

#include <rekindle/license/licensesecretkey.h>

#include <CLI/CLI.hpp>
#include <QFile>
#include <QFileInfo>

namespace Rekindle {

namespace {

constexpr char licenseKeygenExamples[] =
    R"(Writes two files and overwrites none: PREFIX.key is the secret key, which signs licenses and
which only its owner can read; PREFIX.pub is the public key for the application. If PREFIX is
a folder, the files are license.key and license.pub in it.

Examples:
  rekindle license keygen --out vendor
  rekindle license keygen --out /safe/place

Exit codes:
  0   success
  64  usage
  73  a file cannot be created
)";

class LicenseKeygenCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("keygen", "Generate a key pair");
        command->footer(licenseKeygenExamples);
        addText(*command, "--out", m_prefix, "Prefix of the files, or a folder", "PREFIX")
            ->required();
    }

    int execute(Messages &messages) override
    {
        const std::optional<LicenseSecretKey> key = LicenseSecretKey::generate();
        if (!key) {
            messages.say(QStringLiteral("cannot generate a key: no random numbers available"));
            return ExitCode::cannotCreate;
        }
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
        if (!fault.isEmpty()) {
            messages.say(created + QLatin1String(": ") + fault);
            return ExitCode::cannotCreate;
        }
        const QString text = QStringLiteral("key %1\nsecret %2\npublic %3\n")
                                 .arg(key->publicKey().id(), secretPath, publicPath);
        return print(messages, text.toLocal8Bit());
    }

private:
    QString m_prefix;
};

} // namespace

std::unique_ptr<Command> makeLicenseKeygenCommand()
{
    return std::make_unique<LicenseKeygenCommand>();
}

} // namespace Rekindle
