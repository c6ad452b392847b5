// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processwarnings_p.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

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
        for (const ProbeField &field : probe.kind ? probe.kind->fields : QList<ProbeField>()) {
            const QStringList command = probe.value(field.key).toStringList();
            if (field.type != ProbeField::Type::Command || command.isEmpty())
                continue;
            warnOfMissingProgram(agent.at(pointer + QStringLiteral("/%1/0").arg(field.key)),
                                 command.front(), process);
        }
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
    const std::optional<JsonPlace> member = object.member(key);
    const QString &folder = process.workingDirectory;
    if (member && !folder.isEmpty() && !QDir(folder).exists())
        member->warn(QStringLiteral("folder %1 is not found").arg(printable(folder)));
}

void warnOfLateReady(const JsonPlace &agent, const ProcessDefinition &process,
                     const RestartPolicy &policy)
{
    const Readiness &ready = process.readiness;
    if (ready.kind != Readiness::Kind::Alive || ready.aliveFor < policy.startTimeout)
        return;
    const JsonNode &node = agent.node().nearest(QStringLiteral("/ready/for"));
    JsonPlace(node, agent.pointer() + QLatin1String("/ready"), agent.faults())
        .warn(QStringLiteral("never ready: it must be alive for %1, but startTimeout of its policy "
                             "ends each start after %2")
                  .arg(durationToString(ready.aliveFor), durationToString(policy.startTimeout)));
}

void warnOfUselessCloseStdin(const JsonPlace &agent, const ProcessDefinition &process)
{
    const JsonNode *const stop = agent.node().member(u"stop");
    if (!stop || !stop->member(u"closeStdin") || process.stop.closeStdin == Duration{0}
        || process.standardInput == StandardInput::Pipe)
        return;
    agent.at(QStringLiteral("/stop/closeStdin"))
        .warn(QStringLiteral("has no effect without stdin \"pipe\""));
}

void warnOfUselessOutputEvents(const JsonPlace &agent, const ProcessDefinition &process)
{
    if (process.standardOutput.kind == OutputTarget::Kind::Lines
        || process.standardError.kind == OutputTarget::Kind::Lines)
        return;
    agent.at(QStringLiteral("/outputEvents"))
        .warn(QStringLiteral("has no effect without stdout or stderr \"lines\""));
}

} // namespace Rekindle
