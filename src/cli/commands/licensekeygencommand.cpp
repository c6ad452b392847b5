// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/newfile_p.h"
#include "licensecommand_p.h"

#include <rekindle/license/licensesecretkey.h>

#include <CLI/CLI.hpp>
#include <QFile>
#include <QFileInfo>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Writes two files and overwrites none: PREFIX.key is the secret key, which signs licenses and\n"
    "which only its owner can read; PREFIX.pub is the public key for the application. If PREFIX "
    "is\n"
    "a folder, the files are license.key and license.pub in it.\n"
    "\n"
    "Examples:\n"
    "  rekindle license keygen --out vendor\n"
    "  rekindle license keygen --out /safe/place\n"
    "\n"
    "Exit codes:\n"
    "  0   success\n"
    "  64  usage\n"
    "  73  a file cannot be created\n";

class LicenseKeygenCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("keygen", "Generate a key pair");
        command->footer(examples);
        addText(*command, "--out", m_prefix, "Prefix of the files, or a folder", "PREFIX");
        command->get_option("--out")->required();
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
        QString fault = createFile(secretPath, key->toText(), NewFile::Secret);
        if (fault.isEmpty()) {
            fault = createFile(publicPath, key->publicKey().toText(), NewFile::Open);
            if (!fault.isEmpty())
                QFile::remove(secretPath); // a half-written key pair is useless
        }
        if (!fault.isEmpty()) {
            messages.say(fault);
            return ExitCode::cannotCreate;
        }
        const QString text = QStringLiteral("key %1\nsecret %2\npublic %3\n")
                                 .arg(key->publicKey().id(), secretPath, publicPath);
        return print(messages, text.toLocal8Bit()) ? ExitCode::fine : ExitCode::outputFailed;
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
