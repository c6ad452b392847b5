// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "command_p.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <cerrno>
#include <unistd.h>

namespace Rekindle {

namespace {

// Relative to the command, because the installation may have been moved.
QByteArray helperFolder()
{
    const QString here = QCoreApplication::applicationDirPath();
    const QString built = here + QStringLiteral("/../import/rekindle_import");
    if (QFileInfo::exists(here + QStringLiteral("/../CMakeCache.txt")) && QFileInfo::exists(built))
        return built.toLocal8Bit();
    return (here + QStringLiteral("/" REKINDLE_IMPORT_FROM_BIN)).toLocal8Bit();
}

class ImportCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        const std::vector<std::string> formats{"compose",  "pm2",         "process-compose",
                                               "procfile", "supervisord", "systemd"};
        command.add_option("FORMAT", m_format, "Format of FILE")
            ->required()
            ->check(CLI::IsMember(formats).description(""))
            ->type_name("compose|pm2|process-compose|procfile|supervisord|systemd");
        command.add_option("FILE", m_file, "File to convert")->required();
        command.add_option("-o,--output", m_output, "File to write (default: stdout)")
            ->type_name("OUT");
        command.add_flag("--no-eval", m_noEval, "Do not evaluate JavaScript files of pm2");
    }

    // The helper replaces this process, so that its streams and its exit code are those of the
    // command.
    int execute(Messages &messages) override
    {
        const QByteArray folder = helperFolder();
        if (!QFileInfo::exists(QString::fromLocal8Bit(folder)))
            return messages.fail(ExitCode::unavailable,
                                 QStringLiteral("the program of `rekindle import` is missing: %1")
                                     .arg(QString::fromLocal8Bit(folder)));
        // Isolated: no modules of the current folder, and no files are written next to the helper.
        std::vector<std::string> words{"python3", "-I", "-B", folder.toStdString()};
        if (!m_output.empty())
            words.push_back("--output=" + m_output);
        if (m_noEval)
            words.emplace_back("--no-eval");
        words.insert(words.end(), {"--", m_format, m_file});
        std::vector<char *> arguments;
        arguments.reserve(words.size() + 1);
        for (std::string &word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        // The Python for which Debian's packages install modules comes first.
        ::execv("/usr/bin/python3", arguments.data());
        ::execvp("python3", arguments.data());
        const int error = errno;
        return messages.fail(
            ExitCode::unavailable,
            QStringLiteral("import: python3 cannot be started: %1; install the Debian "
                           "package python3")
                .arg(qt_error_string(error)));
    }

private:
    std::string m_format;
    std::string m_file;
    std::string m_output;
    bool m_noEval = false;
};

} // namespace

const CommandRow importCommand{
    .name = "import",
    .summary = "Convert the configuration of another supervisor",
    .help =
        R"(Converts a file of another supervisor to a configuration with comments, which is printed or
written to OUT. An existing file is never changed. Settings that have no equivalent are listed on
stderr with their place and what to do instead, and as comments in the configuration.
docs/import.md lists what is converted.

Save the configuration in the folder of FILE, because relative paths refer to its folder.

The conversion needs python3, and python3-yaml for YAML. JavaScript files of pm2 are evaluated with
node, as by pm2; --no-eval rejects them.

Examples:
  rekindle import supervisord /etc/supervisor/supervisord.conf -o programs.jsonc
  rekindle import systemd /etc/systemd/system/worker@.service
  rekindle import pm2 ecosystem.config.js -o agents.jsonc && rekindle check agents.jsonc
  rekindle import procfile Procfile
  rekindle import compose compose.yaml
  rekindle import process-compose process-compose.yaml
)",
    .exitCodes = {{0, "success, also if not everything could be converted"},
                  {69, "python3, its module yaml, or node is not installed"},
                  {70, "defect: the conversion failed with an internal error"},
                  {73, "OUT already exists or cannot be created"},
                  {78, "FILE cannot be read, is invalid, or has nothing to convert"}},
    .make = makeCommand<ImportCommand>,
};

} // namespace Rekindle
