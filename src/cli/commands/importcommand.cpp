// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/boundedfile_p.h"
#include "base/durablefile_p.h"
#include "cli/import/importreaders_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"
#include "json/jsonparser.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QFileInfo>

#include <map>

namespace Rekindle {

namespace {

constexpr char importExamples[] =
    R"(Converts a file of another supervisor to a configuration with comments, which is printed or
written to OUT. An existing file is never changed. Settings that have no equivalent are listed on
stderr with their place and what to do instead, and as comments in the configuration.
docs/import.md lists what is converted.

Save the configuration in the folder of FILE, because relative paths refer to its folder.

Examples:
  rekindle import supervisord /etc/supervisor/conf.d/web.conf -o web.jsonc
  rekindle import systemd /etc/systemd/system/worker@.service
  rekindle import pm2 ecosystem.config.js -o agents.jsonc && rekindle check agents.jsonc
  rekindle import procfile Procfile
  rekindle import compose compose.yaml

Exit codes:
  0   success, also if not everything could be converted
  1   stdout cannot be written
  64  usage
  73  OUT exists already or cannot be created
  78  FILE cannot be read, is invalid, or has nothing to convert
)";

using Reader = Imported (*)(QByteArrayView text, const QString &fileName);

const std::map<std::string, Reader> &readers()
{
    static const std::map<std::string, Reader> all{
        {"supervisord", [](QByteArrayView text, const QString &) { return readSupervisord(text); }},
        {"systemd", &readSystemd},
        {"pm2", [](QByteArrayView text, const QString &) { return readPm2(text); }},
        {"procfile", [](QByteArrayView text, const QString &) { return readProcfile(text); }},
        {"compose", [](QByteArrayView text, const QString &) { return readCompose(text); }}};
    return all;
}

class ImportCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.footer(importExamples);
        std::vector<std::string> formats;
        for (const auto &[name, reader] : readers())
            formats.push_back(name);
        command.add_option("FORMAT", m_format, "The other supervisor")
            ->required()
            ->check(CLI::IsMember(formats).description(""))
            ->type_name("compose|pm2|procfile|supervisord|systemd");
        command.add_option("FILE", m_file, "File to convert")->required();
        command.add_option("-o,--output", m_output, "File to write (default: stdout)")
            ->type_name("OUT");
    }

    int execute(Messages &messages) override
    {
        const QString path = QString::fromStdString(m_file);
        const BoundedFile file = BoundedFile::read(path, maxJsonSize);
        if (!file.isRead()) {
            messages.say(path + QLatin1String(": ") + file.error);
            return ExitCode::configuration;
        }
        Imported imported = readers().at(m_format)(file.bytes, path);
        imported.file = path;
        for (const QString &line : imported.messages())
            messages.write(line.toLocal8Bit() + '\n');
        if (!imported)
            return ExitCode::configuration;
        return write(messages, configurationText(imported, QFileInfo(path).fileName()));
    }

private:
    [[nodiscard]] int write(Messages &messages, const QByteArray &text) const
    {
        const QString output = QString::fromStdString(m_output);
        if (output.isEmpty())
            return print(messages, text);
        const QString folder = QFileInfo(QString::fromStdString(m_file)).canonicalPath();
        if (QFileInfo(output).absoluteDir().canonicalPath() != folder)
            messages.say(QStringLiteral("%1: relative paths refer to its folder, and not to %2; "
                                        "change them, or move the file")
                             .arg(output, folder));
        const QString fault = createFile(output, text, byUmask);
        if (fault.isEmpty())
            return ExitCode::fine;
        messages.say(output + QLatin1String(": ") + fault);
        return ExitCode::cannotCreate;
    }

    std::string m_format;
    std::string m_file;
    std::string m_output;
};

} // namespace

std::unique_ptr<Command> makeImportCommand() { return std::make_unique<ImportCommand>(); }

} // namespace Rekindle
