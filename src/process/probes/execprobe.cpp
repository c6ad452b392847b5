// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "execprobe_p.h"

#include <utility>

namespace Rekindle {

namespace {

// The text of a result is for people.
constexpr qsizetype longestLine = 4096;

ProcessDefinition definitionOf(const QStringList &command, const ProcessDefinition &surroundings)
{
    ProcessDefinition definition;
    definition.program = command.value(0);
    definition.arguments = command.mid(1);
    definition.workingDirectory = surroundings.workingDirectory;
    definition.environment = surroundings.environment;
    definition.identity = surroundings.identity;
    definition.umask = surroundings.umask;
    definition.standardOutput.longestLine = longestLine;
    definition.standardError.longestLine = longestLine;
    definition.readiness.kind = Readiness::Kind::Now;
    return definition;
}

QString describe(ExitStatus status)
{
    switch (status.kind) {
    case ExitStatus::Kind::Exited:
        return QStringLiteral("exit code %1").arg(status.number);
    case ExitStatus::Kind::Killed:
        return QStringLiteral("signal %1").arg(status.number);
    case ExitStatus::Kind::Unknown:
        break;
    }
    return QStringLiteral("unknown exit status");
}

} // namespace

ExecProbe::ExecProbe(const QStringList &command, const ProcessDefinition &surroundings,
                     Scheduler &scheduler)
    : m_definition(definitionOf(command, surroundings))
    , m_scheduler(scheduler)
    , m_plan(m_definition)
{
}

ExecProbe::~ExecProbe() = default;

void ExecProbe::start(Duration)
{
    m_lastLine.clear();
    RunListener &listener = *this;
    m_run = std::make_unique<ProcessRun>(m_definition, m_plan, m_scheduler, m_slot, listener);
    const std::optional<LaunchFault> fault = m_run->launch();
    if (!fault)
        return;
    m_run.reset();
    const Failure failure = fault->toFailure(m_definition.exitCodes);
    if (failure.reason == FailureReason::ResourceExhaustion)
        Q_EMIT postponed();
    else
        Q_EMIT finished(false, failure.detail.message);
}

// The destructor of the run kills its group.
void ExecProbe::cancel() { m_run.reset(); }

void ExecProbe::runLine(AgentOutput::Stream, const QByteArray &line)
{
    if (const QByteArray text = line.trimmed(); !text.isEmpty())
        m_lastLine = text;
}

void ExecProbe::runEnded()
{
    const std::unique_ptr<ProcessRun> ended = std::move(m_run);
    const ExitStatus status = ended->exitStatus().value_or(ExitStatus{});
    const bool ok = status == ExitStatus{ExitStatus::Kind::Exited, 0};
    const QString line = QString::fromUtf8(m_lastLine);
    if (line.isEmpty())
        Q_EMIT finished(ok, describe(status));
    else
        Q_EMIT finished(ok, ok ? line : describe(status) + QLatin1String(": ") + line);
}

} // namespace Rekindle
