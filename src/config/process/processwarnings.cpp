// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processwarnings_p.h"

#include "base/writtenfile_p.h"
#include "process/internal/missingfiles.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <filesystem>
#include <system_error>

namespace Rekindle {

void warnOfMissingProgram(const JsonPlace &place, const QString &program,
                          const ProcessDefinition &process, const QString &arguments)
{
    const QString hint = place.node().text.contains(u' ')
        ? QStringLiteral("; arguments belong in ") + arguments
        : QString();
    const QString warning = missingProgram(program, process, hint);
    if (!warning.isEmpty())
        place.warn(warning);
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
    const QString warning = member ? missingFolder(process) : QString();
    if (!warning.isEmpty())
        member->warn(warning);
}

} // namespace Rekindle
