// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processwarnings_p.h"

#include "base/writtenfile_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <filesystem>
#include <system_error>

namespace Rekindle {

namespace {

// The folders in which a bare name is looked up: absolute entries of PATH of the resulting
// environment.
QStringList searchPath(const ProcessDefinition &process)
{
    const QString key = QStringLiteral("PATH");
    const QString path = process.environment.contains(key)
        ? process.environment.value(key).value_or(QString())
        : qEnvironmentVariable("PATH");
    if (path.isEmpty())
        return {QStringLiteral("/bin"), QStringLiteral("/usr/bin")};
    QStringList folders = path.split(QDir::listSeparator());
    folders.removeIf([](const QString &folder) { return !folder.startsWith(u'/'); });
    return folders;
}

} // namespace

void warnOfMissingProgram(const JsonPlace &place, const QString &program,
                          const ProcessDefinition &process, const QString &arguments)
{
    if (program.isEmpty())
        return;
    const QString hint = place.node().text.contains(u' ')
        ? QStringLiteral("; arguments belong in ") + arguments
        : QString();
    if (!program.contains(u'/')) {
        if (QStandardPaths::findExecutable(program, searchPath(process)).isEmpty())
            place.warn(QStringLiteral("program \"%1\" is not found in PATH%2")
                           .arg(printable(program), hint));
        return;
    }
    const QFileInfo info(program);
    if (info.isDir())
        place.warn(QStringLiteral("program %1 is a folder").arg(printable(program)));
    else if (!info.isFile())
        place.warn(QStringLiteral("program %1 is not found%2").arg(printable(program), hint));
    else if (!info.isExecutable())
        place.warn(QStringLiteral("program %1 is not executable").arg(printable(program)));
}

void warnOfMissingCommands(const JsonPlace &agent, const ProcessDefinition &process)
{
    const auto warn = [&](const HealthProbeDefinition &probe, const QString &pointer) {
        for (const ProbeField &field : probe.kind ? probe.kind->fields : QList<ProbeField>()) {
            const QStringList command = probe.value(field.key).toStringList();
            if (field.type != ProbeField::Type::Command || command.isEmpty())
                continue;
            warnOfMissingProgram(agent.at(pointer + QStringLiteral("/%1/0").arg(field.key)),
                                 command.front(), process, QStringLiteral("the next items"));
        }
    };
    if (agent.node().member("health")) {
        for (qsizetype i = 0; i < process.health.size(); ++i)
            warn(process.health[i], QStringLiteral("/health/%1").arg(i));
    }
    if (agent.node().member("ready") && process.readiness.kind == Readiness::Kind::Probe)
        warn(process.readiness.probe, QStringLiteral("/ready/probe"));
}

void warnOfOutputFile(const JsonPlace &place, const QString &path)
{
    const QFileInfo info(path);
    if (!info.absoluteDir().exists())
        place.warn(QStringLiteral("folder %1 is not found").arg(printable(info.absolutePath())));
    else if (std::error_code ignored;
             std::filesystem::is_fifo(QFile::encodeName(path).toStdString(), ignored))
        place.warn(QStringLiteral("%1 is a named pipe: the agent starts only while a process reads "
                                  "it, and waits in each write until the line was read")
                       .arg(printable(path)));
    else if (const QString refusal = refusalOf(path, WrittenFile::Output); !refusal.isEmpty())
        place.warn(QStringLiteral("%1: %2").arg(printable(path), refusal));
}

void warnOfMissingFolder(const JsonPlace &object, QStringView key, const ProcessDefinition &process)
{
    const std::optional<JsonPlace> member = object.member(key);
    const QString &folder = process.workingDirectory;
    if (member && !folder.isEmpty() && !QDir(folder).exists())
        member->warn(QStringLiteral("folder %1 is not found").arg(printable(folder)));
}

} // namespace Rekindle
