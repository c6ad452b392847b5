// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/signalname_p.h"
#include "json/fieldtable.h"

#include <rekindle/process/processdefinition.h>

#include <QRegularExpression>

#include <csignal>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

class ProcessCheck
{
public:
    explicit ProcessCheck(const ProcessDefinition &process)
        : m_process(process)
    {
    }

    QList<Fault> run()
    {
        checkTexts();
        checkReadiness();
        checkOutput(QStringLiteral("/stdout"), m_process.standardOutput);
        checkOutput(QStringLiteral("/stderr"), m_process.standardError);
        checkStop();
        checkExecution();
        return m_faults;
    }

private:
    void fault(const QString &path, const QString &message) { m_faults.append({path, message}); }

    void expectText(const QString &path, const QString &text)
    {
        if (text.contains(QChar()))
            fault(path, QStringLiteral("expected a text without null characters"));
    }

    template<typename T>
    void expectRange(const QString &path, T found, T least, T most)
    {
        FieldTable::checkRange(found, {least, most}, path, m_faults);
    }

    void checkTexts()
    {
        if (m_process.program.isEmpty())
            fault(QStringLiteral("/program"), QStringLiteral("expected a program, found none"));
        expectText(QStringLiteral("/program"), m_process.program);
        for (qsizetype i = 0; i < m_process.arguments.size(); ++i)
            expectText(QStringLiteral("/arguments/%1").arg(i), m_process.arguments[i]);
        expectText(QStringLiteral("/workingDirectory"), m_process.workingDirectory);
        const auto &environment = m_process.environment;
        for (auto it = environment.begin(); it != environment.end(); ++it) {
            const QString path = QStringLiteral("/environment/") + it.key();
            if (it.key().isEmpty() || it.key().contains(u'=') || it.key().contains(QChar()))
                fault(path,
                      QStringLiteral("expected a variable name that is not empty and has no \"=\" "
                                     "or null character"));
            expectText(path, it.value().value_or(QString()));
        }
    }

    void checkReadiness()
    {
        const Readiness &readiness = m_process.readiness;
        if (readiness.kind == Readiness::Kind::Alive)
            expectRange<Duration>(QStringLiteral("/ready/for"), readiness.aliveFor, 1ms, 24h);
        if (readiness.kind == Readiness::Kind::Line) {
            if (m_process.standardOutput.kind != OutputTarget::Kind::Lines)
                fault(QStringLiteral("/ready"),
                      QStringLiteral(R"(kind "line" requires stdout "lines")"));
            const QRegularExpression pattern(readiness.pattern);
            if (!pattern.isValid())
                fault(QStringLiteral("/ready/pattern"),
                      QStringLiteral("expected a regular expression: %1 at character %2")
                          .arg(pattern.errorString())
                          .arg(pattern.patternErrorOffset() + 1));
        }
        if (readiness.kind != Readiness::Kind::Probe)
            return;
        for (Fault each : validate(readiness.probe)) {
            each.path.prepend(QLatin1String("/ready/probe"));
            m_faults.append(each);
        }
    }

    void checkOutput(const QString &path, const OutputTarget &target)
    {
        if (target.kind == OutputTarget::Kind::File && target.file.isEmpty())
            fault(path + QLatin1String("/file"), QStringLiteral("expected a path, found none"));
        expectText(path + QLatin1String("/file"), target.file);
        if (target.rotation && target.rotation->keep < 1)
            fault(path + QLatin1String("/keep"),
                  QStringLiteral("expected at least 1, found %1").arg(target.rotation->keep));
    }

    void checkStop()
    {
        const StopSequence &stop = m_process.stop;
        expectRange<Duration>(QStringLiteral("/stop/closeStdin"), stop.closeStdin, 0s, 1h);
        expectRange<Duration>(QStringLiteral("/stop/terminate"), stop.terminate, 0s, 1h);
        expectRange<Duration>(QStringLiteral("/stop/kill"), stop.kill, 0s, 1h);
        if (!isStopSignal(stop.signal))
            fault(QStringLiteral("/stop/signal"),
                  QStringLiteral("expected a signal that asks a process to exit, found %1")
                      .arg(signalName(stop.signal)));
    }

    void checkExecution()
    {
        constexpr int allPermissions = 0777;
        if (const auto identity = m_process.identity.findFault())
            fault(u'/' + identity->key, identity->message);
        expectRange(QStringLiteral("/umask"), m_process.umask.value_or(0), 0, allPermissions);
        expectRange(QStringLiteral("/nice"), m_process.nice.value_or(0), -20, 19);
        for (auto it = m_process.limits.begin(); it != m_process.limits.end(); ++it) {
            const QString path = QStringLiteral("/limits/rlimits/") + it.key();
            if (!ResourceLimit::names().contains(it.key()))
                fault(path,
                      QStringLiteral("expected one of ")
                          + ResourceLimit::names().join(QLatin1String(", ")));
            if (it->soft > it->hard)
                fault(path, QStringLiteral("expected a soft limit of at most %1").arg(it->hard));
        }
    }

    const ProcessDefinition &m_process;
    QList<Fault> m_faults;
};

} // namespace

QList<Fault> validate(const ProcessDefinition &process) { return ProcessCheck(process).run(); }

} // namespace Rekindle
