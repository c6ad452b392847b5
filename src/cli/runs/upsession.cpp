// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "upsession_p.h"

#include "cli/options/distinctfiles_p.h"
#include "cli/options/openstore_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/newfile_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/descriptorlimit.h>
#include <rekindle/process/processagent.h>

#include <QCoreApplication>
#include <QFileInfo>

#include <unistd.h>

#include <csignal>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

QString countedAgents(int count)
{
    return counted(count, QStringLiteral("agent"), QStringLiteral("agents"));
}

} // namespace

UpSession::UpSession(UpRequest request, Messages &messages)
    : m_request(std::move(request))
    , m_messages(messages)
    , m_live(!m_request.json && m_request.events != QLatin1String("-") && Terminal::isLive())
    , m_supervision(messages)
    , m_lines(
          [this](const QByteArray &line) {
              if (m_table)
                  m_table->addLine(line);
              else
                  m_messages.write(line + '\n');
          },
          m_live || Terminal::isTerminal(STDERR_FILENO))
{
}

UpSession::~UpSession() { m_messages.divertTo({}); }

int UpSession::run(Configuration configuration)
{
    auto license = m_request.license.followed(m_supervision.scheduler(), m_messages);
    if (!license)
        return ExitCode::configuration;
    m_supervision.setLicense(std::move(license));
    if (!checkFiles(configuration.policyFiles) || !openEvents())
        return ExitCode::usage;
    if (!openMetrics())
        return ExitCode::unavailable;
    if (!openStore() || !openState())
        return ExitCode::usage;
    if (!addAgents(std::move(configuration)))
        return ExitCode::configuration;
    if (CustomEvaluators *const evaluators = m_supervision.customEvaluators();
        evaluators && m_metrics)
        m_metrics->collector().attach(*evaluators);
    listen();
    // Many agents need many descriptors.
    DescriptorLimit::raise();
    startAgents();
    if (m_live)
        showTable();
    QCoreApplication::exec();
    return finish();
}

// By value: the agents copy what they need, and the rest is freed before the event loop runs.
bool UpSession::addAgents(Configuration configuration)
{
    m_supervision.setEvaluatorFolders(m_request.pluginFolders);
    const auto listenTo = [this](const QString &name, auto *agent) {
        if (agent)
            m_lines.add(name, *agent);
        return agent != nullptr;
    };
    for (const AgentDefinition &each : configuration.agents) {
        const bool isAdded = each.kind == AgentDefinition::Kind::McpServer
            ? listenTo(each.name, m_supervision.addServer(each.name, each.process, each.policy))
            : listenTo(each.name, m_supervision.add(each.name, each.process, each.policy));
        if (!isAdded)
            return false;
        AgentSupervisor &supervisor = m_supervision.supervisor();
        supervisor.monitor().setOutputEvents(supervisor.idOf(each.name), each.outputEvents);
    }
    return true;
}

// An invalid store or state file is moved aside, and events are appended to any file: this must not
// happen to another file of this command.
bool UpSession::checkFiles(const QStringList &policyFiles)
{
    const QString off = QStringLiteral("off");
    QList<UsedFile> files{{.path = m_request.path, .what = QStringLiteral("the configuration")}};
    files += filesRead(policyFiles, QStringLiteral("a policy file"));
    files += filesRead(m_request.license.files(), QStringLiteral("a license file"));
    if (!m_request.events.isEmpty() && m_request.events != QLatin1String("-"))
        files.append({.path = m_request.events,
                      .what = QStringLiteral("the events file"),
                      .option = QStringLiteral("--events")});
    if (m_request.store != off)
        files.append({.path = m_request.store.isEmpty() ? storeOf(m_request.path) : m_request.store,
                      .what = QStringLiteral("the telemetry store"),
                      .option = QStringLiteral("--store"),
                      .isByDefault = m_request.store.isEmpty()});
    if (m_request.state != off)
        files.append({.path = m_request.state.isEmpty() ? stateOf(m_request.path) : m_request.state,
                      .what = QStringLiteral("the state file"),
                      .option = QStringLiteral("--state"),
                      .isByDefault = m_request.state.isEmpty()});
    return areFilesDistinct(files, m_messages);
}

bool UpSession::openEvents()
{
    const bool toFile = !m_request.events.isEmpty() && m_request.events != QLatin1String("-");
    if (m_live && !toFile)
        return true;
    m_events = std::make_unique<EventStream>(m_supervision.evaluator(), m_messages,
                                             EventStream::Pace::EachPass);
    if (!m_live)
        m_events->add(OutputChannel::to(STDOUT_FILENO), QStringLiteral("stdout"));
    return !toFile || m_events->addNamed(m_request.events);
}

// A store that cannot be written does not prevent the start; a missing folder does.
bool UpSession::openStore()
{
    if (m_request.store == QLatin1String("off"))
        return true;
    m_store = openTelemetryStore(m_request.store, storeOf(m_request.path), m_messages);
    if (!m_store)
        return false;
    if (m_metrics) {
        MetricsCollector &collector = m_metrics->collector();
        const auto count = [&collector](quint64 total) {
            collector.setDropped(QStringLiteral("store"), total);
        };
        count(0);
        connect(m_store.get(), &TelemetryStore::dropped, &collector, count);
    }
    m_store->attach(m_supervision.evaluator());
    return true;
}

// The same rule as for the store.
bool UpSession::openState()
{
    if (m_request.state == QLatin1String("off"))
        return true;
    if (!m_request.state.isEmpty()
        && !isFolderThere(QLatin1String("--state"), m_request.state, m_messages))
        return false;
    const QString path = m_request.state.isEmpty() ? stateOf(m_request.path) : m_request.state;
    m_state =
        std::make_unique<StateFile>(m_supervision.supervisor(), StateFileOptions{.path = path});
    connect(m_state.get(), &StateFile::failed, this, [this, path](const QString &reason) {
        const QString then = m_state->isOpen()
            ? QStringLiteral("keeping the last written state, retrying")
            : QStringLiteral("continuing without a state file");
        m_messages.say(QStringLiteral("state: %1: %2; %3").arg(path, reason, then));
    });
    connect(m_state.get(), &StateFile::resumed, this, [this, path] {
        m_messages.say(QStringLiteral("state: %1: write succeeded again").arg(path));
    });
    connect(m_state.get(), &StateFile::movedAside, this,
            [this, path](const QString &aside, const QString &reason) {
                m_messages.say(QStringLiteral("state: %1: %2; moved to %3, starting a new file")
                                   .arg(path, reason, aside));
            });
    if (!m_state->open())
        m_state.reset();
    return true;
}

void UpSession::startAgents()
{
    m_supervision.startAll(m_state.get());
    if (!m_state)
        return;
    if (const int count = m_state->resumedCount(); count > 0)
        m_messages.say(QStringLiteral("state: the previous host did not exit normally; resuming %1")
                           .arg(countedAgents(count)));
    reportStillDown();
}

// There is no event for an agent whose state does not change.
void UpSession::reportStillDown()
{
    const AgentSupervisor &supervisor = m_supervision.supervisor();
    const Instant now = m_supervision.scheduler().now();
    for (const QUuid &id : supervisor.ids()) {
        const auto agent = supervisor.snapshot(id);
        const bool isGivenUp = agent && agent->state == InstanceState::Exhausted;
        const bool isIsolated = agent && agent->circuitBreaker.isolated;
        if (!isGivenUp && !isIsolated)
            continue;
        QString text =
            QStringLiteral("%1: still %2")
                .arg(agent->name,
                     isGivenUp ? QStringLiteral("given up") : QStringLiteral("isolated"));
        const std::optional<UtcTime> &failedAt = agent->circuitBreaker.lastFailureAt;
        if (isGivenUp && failedAt && agent->lastFailure)
            text += QStringLiteral(", failed at %1 (%2)")
                        .arg(toRfc3339(*failedAt),
                             failureText(agent->lastFailure->reason, agent->lastFailure->detail));
        if (agent->nextStartAt)
            text += QStringLiteral("; next start in %1").arg(readable(*agent->nextStartAt - now));
        m_messages.say(text
                       + QStringLiteral("; to start it now, stop this host (Ctrl-C) and run "
                                        "`rekindle up` again"));
    }
}

bool UpSession::openMetrics()
{
    if (!m_request.metrics)
        return true;
    m_metrics = std::make_unique<MetricsEndpoint>(m_supervision.supervisor());
    if (m_events) {
        MetricsCollector &collector = m_metrics->collector();
        for (const QString &each : m_events->subscribers())
            collector.setDropped(each, 0);
        connect(m_events.get(), &EventStream::dropped, &collector, &MetricsCollector::setDropped);
    }
    return m_metrics->listen(*m_request.metrics, m_messages);
}

void UpSession::listen()
{
    if (m_live)
        m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP}));
    else
        m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP}));
    connect(m_signals.get(), &SignalWatch::received, this, &UpSession::onSignal);
    connect(&m_supervision, &Supervision::ended, this, [] { QCoreApplication::exit(); });
    if (m_request.stopAfter) {
        // A second stop request would kill the agents.
        m_stopAfter = std::make_unique<Deadline>(m_supervision.scheduler(), [this] {
            if (!m_supervision.isEnding())
                end();
        });
        m_stopAfter->armIn(*m_request.stopAfter);
    }
}

void UpSession::showTable()
{
    m_table = std::make_unique<LiveTable>(
        m_supervision, QStringLiteral("rekindle up %1").arg(QFileInfo(m_request.path).fileName()));
    m_messages.divertTo([this](const QByteArray &line) { m_table->addLine(forTerminal(line)); });
    m_narrator = std::make_unique<Narrator>(m_supervision.supervisor(),
                                            [this](const QString &text) { m_messages.say(text); });
}

void UpSession::onSignal(int number)
{
    switch (number) {
    case SIGWINCH:
        m_table->resized();
        break;
    case SIGTSTP:
        m_table->suspend();
        std::raise(SIGSTOP);
        m_table->resume();
        break;
    default:
        reportStop(number);
        end();
        break;
    }
}

// The live table shows this already.
void UpSession::reportStop(int number)
{
    const int running = m_supervision.activeCount();
    if (m_table || running == 0)
        return;
    const QString name = QLatin1String("SIG") + QString::fromLatin1(::sigabbrev_np(number));
    QString text = QStringLiteral("exiting without waiting for %1 (%2)");
    if (m_supervision.endsAsked() == 0)
        text = QStringLiteral("stopping %1 (%2); repeat to kill");
    else if (m_supervision.endsAsked() == 1)
        text = QStringLiteral("killing %1 (%2)");
    m_messages.say(text.arg(countedAgents(running), name));
}

void UpSession::end()
{
    if (!m_supervision.isEnding())
        m_downAtStop = m_supervision.tally().down();
    m_supervision.endAll();
    if (m_table)
        m_table->resized();
}

int UpSession::finish()
{
    const AgentTally &tally = m_supervision.tally();
    if (m_table) {
        m_messages.divertTo({});
        m_table->finish();
    }
    if (m_state && !m_state->close())
        m_messages.say(QStringLiteral("state: writing the final state failed"));
    if (m_store)
        closeTelemetryStore(*m_store, m_messages);
    if (!m_downAtStop.isEmpty())
        m_messages.say(QLatin1String("not running at the stop: ") + listed(m_downAtStop));
    if (m_supervision.isEnding() || tally.givenUp() == 0)
        return ExitCode::fine;
    reportNothingLeft(tally);
    return ExitCode::givenUp;
}

void UpSession::reportNothingLeft(const AgentTally &tally)
{
    const QString all = countedAgents(tally.total());
    const int gated = tally.count(InstanceState::Gated);
    const int givenUp = tally.givenUp() - gated;
    QStringList parts;
    if (givenUp > 0)
        parts.append(QStringLiteral("%1 of %2 given up").arg(givenUp).arg(all));
    if (gated > 0)
        parts.append(QStringLiteral("%1 of %2 gated by license tier %3")
                         .arg(gated)
                         .arg(all, toText(m_supervision.supervisor().featureGate().tier())));
    m_messages.say(QLatin1String("no agents left to supervise: ") + listed(parts));
}

} // namespace Rekindle
