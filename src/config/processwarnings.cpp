// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processwarnings_p.h"

#include <policy/policynames_p.h>

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace Rekindle {

namespace {

// The folders that a bare name is looked up in: of the resulting environment, absolute ones only.
QStringList searchPath(const ProcessDefinition &process)
{
    const QString key = QStringLiteral("PATH");
    const QString path = process.environment.contains(key)
        ? process.environment.value(key).value_or(QString())
        : qEnvironmentVariable("PATH");
    if (path.isEmpty())
        return {QStringLiteral("/bin"), QStringLiteral("/usr/bin")};
    return path.split(QDir::listSeparator()).filter(QRegularExpression(QStringLiteral("^/")));
}

} // namespace

void warnOfMissingProgram(const JsonPlace &place, const QString &program,
                          const ProcessDefinition &process)
{
    if (program.isEmpty())
        return;
    if (!program.contains(u'/')) {
        if (QStandardPaths::findExecutable(program, searchPath(process)).isEmpty())
            place.warn(
                QStringLiteral("program %1 is not found in PATH").arg(place.node().describe()));
        return;
    }
    const QFileInfo info(program);
    if (!info.isFile())
        place.warn(QStringLiteral("program %1 is not found").arg(printable(program)));
    else if (!info.isExecutable())
        place.warn(QStringLiteral("program %1 is not executable").arg(printable(program)));
}

void warnOfMissingCommands(const JsonPlace &agent, const ProcessDefinition &process)
{
    const auto warn = [&](const HealthProbeDefinition &probe, const QString &pointer) {
        if (probe.kind != HealthProbeDefinition::Kind::Exec || probe.command.isEmpty())
            return;
        const QString path = pointer + QLatin1String("/command/0");
        warnOfMissingProgram(
            JsonPlace(agent.node().nearest(path), agent.pointer() + path, agent.faults()),
            probe.command.front(), process);
    };
    if (agent.node().member(u"health")) {
        for (qsizetype i = 0; i < process.health.size(); ++i)
            warn(process.health[i], QStringLiteral("/health/%1").arg(i));
    }
    if (agent.node().member(u"ready") && process.readiness.kind == Readiness::Kind::Probe)
        warn(process.readiness.probe, QStringLiteral("/ready/probe"));
}

void warnOfMissingFolder(const JsonPlace &object, QStringView key, const ProcessDefinition &process)
{
    const JsonNode *const member = object.node().member(key);
    const QString &folder = process.workingDirectory;
    if (member && !folder.isEmpty() && !QDir(folder).exists()) {
        JsonPlace(*member, object.pointer() + pointerToken(key), object.faults())
            .warn(QStringLiteral("folder %1 is not found").arg(printable(folder)));
    }
}

} // namespace Rekindle
