// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "demoagents.h"

#include <QFile>
#include <QTcpServer>
#include <QThread>
#include <QTimer>
#include <Rekindle/LspAgent>
#include <Rekindle/ProcessAgent>
#include <Rekindle/WorkerAgent>
#include <rekindle/policy/policyjson.h>
#include <rekindle/probes/networkprobes.h>

#include <csignal>
#include <stdexcept>

using namespace std::chrono_literals;

namespace {

constexpr Rekindle::HealthSchedule schedule{.interval = 1s, .timeout = 1s, .misses = 2};

/// The worker: checks every 50 ms whether it was damaged.
class Index : public QObject
{
public:
    explicit Index(std::shared_ptr<std::atomic<int>> defect)
    {
        m_timer.callOnTimeout([this, defect = std::move(defect)] {
            switch (defect->exchange(-1)) {
            case DemoAgents::Crash:
                throw std::runtime_error("index is corrupt");
            case DemoAgents::Hang:
                QThread::sleep(10);
                break;
            case DemoAgents::Leak:
                m_memory += QByteArray(100'000'000, 'x');
                break;
            }
            // A thread has no limit of its own.
            if (m_memory.size() > 150'000'000)
                throw std::bad_alloc();
        });
        m_timer.start(50ms);
    }

private:
    QTimer m_timer;
    QByteArray m_memory;
};

Rekindle::ProcessDefinition script(const QString &file)
{
    Rekindle::ProcessDefinition process;
    process.program = QStringLiteral("python3");
    process.arguments = {QStringLiteral(DEMO_FOLDER "/") + file};
    process.usage = {.memory = 150'000'000, .interval = 1s};
    return process;
}

Rekindle::ProcessDefinition backend()
{
    QTcpServer server; // finds a free port
    server.listen(QHostAddress::LocalHost);
    Rekindle::ProcessDefinition process = script(QStringLiteral("backend.py"));
    process.arguments += QString::number(server.serverPort());
    process.health = {Rekindle::httpProbe(
        QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(server.serverPort())), schedule)};
    process.readiness = {.kind = Rekindle::Readiness::Kind::Probe,
                         .probe = Rekindle::tcpProbe(QStringLiteral("127.0.0.1"),
                                                     server.serverPort(), {.interval = 100ms})};
    return process;
}

} // namespace

DemoAgents::DemoAgents(Rekindle::AgentSupervisor &supervisor)
    : m_supervisor(supervisor)
{
    Rekindle::Scheduler &scheduler = supervisor.scheduler();
    const auto add = [&](const char *name, std::unique_ptr<Rekindle::Agent> agent) {
        if (!supervisor.add(QString::fromLatin1(name), std::move(agent)))
            qFatal("the agent %s cannot be added", name);
    };
    add("language-server",
        std::make_unique<Rekindle::LspAgent>(script(QStringLiteral("languageserver.py")), scheduler,
                                             Rekindle::LspOptions{.ping = schedule}));
    add("backend", std::make_unique<Rekindle::ProcessAgent>(backend(), scheduler));
    add("index",
        std::make_unique<Rekindle::WorkerAgent>(
            [defect = m_workerDefect](const Rekindle::WorkerContext &) {
                return std::make_unique<Index>(defect);
            },
            Rekindle::WorkerOptions{.heartbeatInterval = 1s,
                                    .heartbeatTimeout = 1s,
                                    .misses = 2,
                                    .lastChance = 2s,
                                    .stopTimeout = 1s},
            scheduler));
    for (const QString &message : reloadPolicy())
        qFatal("%s", qPrintable(message));
}

void DemoAgents::damage(const QUuid &agent, Defect defect)
{
    constexpr std::array signalNumbers{SIGSEGV, SIGSTOP, SIGUSR1};
    const Rekindle::Agent *const damaged = m_supervisor.agent(agent);
    if (qobject_cast<const Rekindle::WorkerAgent *>(damaged) != nullptr)
        *m_workerDefect = defect;
    else if (damaged != nullptr && damaged->processId() > 0)
        ::kill(pid_t(damaged->processId()), signalNumbers.at(defect));
}

QStringList DemoAgents::reloadPolicy()
{
    QFile file(QStringLiteral(DEMO_FOLDER "/policy.json"));
    if (!file.open(QFile::ReadOnly))
        return {file.errorString()};
    const auto policy = Rekindle::restartPolicyFromJson(file.readAll());
    if (policy) {
        for (const QUuid &id : m_supervisor.ids())
            m_supervisor.setPolicy(id, *policy.value);
    }
    return policy.messages();
}
