// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "upsession_p.h"

#include "base/durablefile_p.h"
#include "base/signalname_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/fleetoptions_p.h"
#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "control/internal/agentwords.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/control/controlclient.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/descriptorlimit.h>
#include <rekindle/process/processagent.h>

#include <QCoreApplication>
#include <QFileInfo>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

QString countedAgents(qint64 count) { return counted(count, "agent", "agents"); }

// Why an agent stays down after the start of the host; empty if it does not.
QString stillDownText(const AgentStatus &agent)
{
    if (knownState(agent) == InstanceState::Exhausted || agent.stoppedByOperator)
        return whyDown(agent);
    return isIsolated(agent) ? QStringLiteral("isolated") : QString();
}

// "1 added, 2 restarted, 3 unchanged", or "nothing has changed".
QString changesText(const ConfigurationChanges &changes)
{
    const auto restarted = std::count_if(changes.changed.begin(), changes.changed.end(),
                                         [](const ChangedAgent &each) { return each.isRestarted; });
    QStringList parts;
    const auto add = [&parts](qsizetype count, QLatin1String what) {
        if (count > 0)
            parts.append(QStringLiteral("%1 %2").arg(count).arg(what));
    };
    add(changes.added.size(), QLatin1String("added"));
    add(changes.removed.size(), QLatin1String("removed"));
    add(restarted, QLatin1String("restarted"));
    add(changes.changed.size() - restarted, QLatin1String("updated"));
    if (!changes.sections.isEmpty())
        parts.append(changes.sections.join(QLatin1String(" and ")) + QLatin1String(" updated"));
    if (parts.isEmpty())
        return QStringLiteral("nothing has changed");
    add(changes.unchanged.size(), QLatin1String("unchanged"));
    return parts.join(QLatin1String(", "));
}

} // namespace

UpSession::UpSession(UpRequest request, Messages &messages)
    : HostSession(request.host, storeOf(request.path), messages)
    , m_request(std::move(request))
    , m_live(!m_request.log && m_options.events != QLatin1String("-") && Terminal::isLive())
    , m_endsByHangup(Terminal::isControlling())
    , m_configuration(m_supervision.host().useConfiguration(
          {.path = m_request.path, .load = [this](const QString &path) { return load(path); }}))
{
    m_supervision.host().ignoreFiles(m_options.license.files());
    if (const QString events = m_options.eventsFile(); !events.isEmpty())
        m_supervision.host().ignoreFiles({events});
    reportReloads();
}

UpSession::~UpSession()
{
    m_messages.setCopy(-1);
    m_messages.divertTo({});
}

int UpSession::run(Configuration configuration)
{
    followLicense();
    checkFiles(filesOf(configuration), m_messages);
    warnWithoutStateFolder(m_request.state.isEmpty() ? QStringList(QStringLiteral("--state"))
                                                     : QStringList());
    lockConfiguration();
    openEventStream();
    if (!openMetrics())
        return ExitCode::unavailable;
    openStore();
    openState(configuration.fleet.has_value());
    if (configuration.fleet)
        m_supervision.host().useFleet(
            std::make_unique<EtcdStore>(etcdOptions(*configuration.fleet)), *configuration.fleet);
    addAgents(configuration);
    if (m_request.isWatching)
        m_configuration.watch(configuration);
    m_supervision.host().watchFiles(configuration);
    configuration = {}; // the agents have copied what they need
    openTextLog();
    listen();
    // Many agents need many descriptors.
    DescriptorLimit::raise();
    openControl();
    startAgents();
    reportRunningSoon();
    if (m_live)
        showTable();
    execute();
    return finish();
}

void UpSession::addAgents(const Configuration &configuration)
{
    connect(&m_supervision.supervisor(), &AgentSupervisor::agentAdded, this,
            &UpSession::showOutputOf);
    for (const AgentDefinition &each : configuration.agents) {
        if (!m_supervision.add(each))
            throw CommandFailure{};
    }
    m_supervision.host().agents().setRelations(configuration);
}

Parsed<Configuration> UpSession::load(const QString &path) const
{
    Parsed<Configuration> parsed = loadForHost(path, m_options.pluginFolders, m_request.connections,
                                               m_request.workingDirectory);
    if (parsed && !hasErrors(parsed.faults + parsed.warnings)) {
        if (const std::optional<FileFault> fault = faultOf(filesOf(*parsed.value)))
            parsed.faults.append({{}, fault->text});
    }
    return parsed;
}

void UpSession::reportReloads()
{
    connect(&m_configuration, &HostConfiguration::reloading, this, [this](const QString &cause) {
        if (!cause.isEmpty())
            m_messages.say(QStringLiteral("%1: reloading (%2)").arg(m_request.path, cause));
    });
    connect(&m_configuration, &HostConfiguration::aboutToApply, &m_supervision,
            &Supervision::prepareFor);
    connect(&m_configuration, &HostConfiguration::applied, this,
            [this](const Configuration &, const ConfigurationChanges &changes) {
                m_messages.say(
                    QStringLiteral("%1: reloaded: %2").arg(m_request.path, changesText(changes)));
            });
    connect(&m_configuration, &HostConfiguration::reloaded, this, &UpSession::reportReload);
    connect(&m_configuration, &HostConfiguration::watchFailed, this,
            [this](const QString &text) { m_messages.say(QLatin1String("--watch: ") + text); });
}

void UpSession::reportReload(const ReloadableConfiguration::Result &result)
{
    m_messages.sayFaults(result.faults, m_request.path);
    if (!result.refusal.isEmpty())
        m_messages.say(QStringLiteral("%1: not reloaded: %2").arg(m_request.path, result.refusal));
    else if (hasErrors(result.faults))
        m_messages.say(QStringLiteral("%1: not reloaded: it has faults; nothing was changed")
                           .arg(m_request.path));
}

void UpSession::showOutputOf(const QUuid &agent)
{
    const auto snapshot = m_supervision.supervisor().snapshot(agent);
    const auto show = [this, name = snapshot ? snapshot->name : QString()](const QByteArray &line) {
        showLine(name, line);
    };
    Agent *const added = m_supervision.supervisor().agent(agent);
    if (const auto *server = qobject_cast<McpAgent *>(added))
        connect(server, &McpAgent::errorLine, this, show);
    else if (const auto *process = qobject_cast<ProcessAgent *>(added))
        connect(process, &Agent::output, this,
                [show](AgentOutput::Stream, const QByteArray &line) { show(line); });
}

// "web| Serving HTTP"
void UpSession::showLine(const QString &agent, const QByteArray &line)
{
    const QByteArray shown = agent.toLocal8Bit() + "| " + forTerminal(line);
    if (m_table)
        m_table->addLine(shown);
    else
        m_messages.write(shown + '\n');
}

QList<UsedFile> UpSession::filesOf(const Configuration &configuration) const
{
    QList<UsedFile> files = filesWith(
        filesRead({m_request.path}, QStringLiteral("the configuration"))
        + filesRead(configuration.policyFiles, QStringLiteral("a policy file"))
        + filesRead(configuration.includedFiles, QStringLiteral("an included file"))
        + filesRead(configuration.environmentFiles, QStringLiteral("an environment file")));
    if (const QString state = statePath(); !state.isEmpty()) {
        const auto add = [&](const QString &path, const QString &what, WrittenFile kind) {
            files.append({path, what, QStringLiteral("--state"), kind, m_request.state.isEmpty()});
        };
        add(state, QStringLiteral("the state file"), WrittenFile::State);
        add(state + QLatin1String(".lock"), QStringLiteral("the lock of the state file"),
            WrittenFile::StateLock);
    }
    for (const AgentDefinition &agent : configuration.agents) {
        for (const OutputTarget &target :
             {agent.process.standardOutput, agent.process.standardError}) {
            if (target.kind == OutputTarget::Kind::File)
                files.append({.path = target.file,
                              .what = QStringLiteral("an output file of ") + agent.name,
                              .option = agent.name,
                              .kind = WrittenFile::Output,
                              .keep = target.rotation ? target.rotation->keep : 0});
        }
    }
    return files;
}

// A second host would run each program twice. Without a folder for the lock and without a control
// socket, it is not detected.
void UpSession::lockConfiguration()
{
    const QString path = lockOf(m_request.path);
    QString error =
        path.isEmpty() ? QStringLiteral("no folder for the lock") : createFolderOf(path);
    if (error.isEmpty())
        error = m_lock.acquire(path, true);
    if (m_lock.isUsedElsewhere())
        refuseSecondHost(error);
    // The other host may use another state folder.
    const QString socket = ControlClient::socketPath(hostNameOf(m_request.path));
    if (!socket.isEmpty() && ControlClient::runningHosts().contains(socket))
        refuseSecondHost(QLatin1String("used by another host, which listens on ") + socket);
    if (!error.isEmpty())
        m_messages.say(
            QStringLiteral("%1: warning: cannot be locked (%2); a second `rekindle up` is not "
                           "detected")
                .arg(m_request.path, error));
}

void UpSession::refuseSecondHost(const QString &cause)
{
    m_messages.end(ExitCode::tryLater,
                   QStringLiteral("%1: %2; nothing was started; to apply changes, run `rekindle "
                                  "reload --config %1`")
                       .arg(m_request.path, cause));
}

void UpSession::openEventStream()
{
    const QString file = m_options.eventsFile();
    const bool onStdout = eventLog().json || m_options.events == QLatin1String("-");
    if (!onStdout && file.isEmpty())
        return;
    m_events = std::make_unique<EventStream>(m_supervision.policyEvaluator(), m_messages,
                                             EventStream::Pace::EachPass);
    if (onStdout)
        m_events->add(OutputChannel::to(STDOUT_FILENO), QStringLiteral("stdout"));
    if (!file.isEmpty())
        m_events->addNamed(file);
}

// After the agents were added, because each downgrade of a policy has its own message then.
void UpSession::openTextLog()
{
    if (!eventLog().text)
        return;
    // journald and other readers of stderr add the time themselves.
    const auto format = m_request.detachment.isInBackground() ? EventStream::Format::TextWithTime
                                                              : EventStream::Format::Text;
    m_log = std::make_unique<EventStream>(m_supervision.policyEvaluator(), m_messages,
                                          EventStream::Pace::EachLine, format);
    m_log->add(m_messages.channel(), QStringLiteral("stderr"));
}

EventLog UpSession::eventLog() const
{
    return m_live ? EventLog{false, false} : m_request.log.value_or(EventLog{});
}

QString UpSession::statePath() const
{
    if (m_request.state == QLatin1String("off"))
        return {};
    return m_request.state.isEmpty() ? stateOf(m_request.path) : m_request.state;
}

// The same rule as for the store.
void UpSession::openState(bool isInFleet)
{
    const QString path = statePath();
    if (path.isEmpty())
        return;
    if (!m_request.state.isEmpty())
        requireFolder(QLatin1String("--state"), path, m_messages);
    m_state = &m_supervision.host().useState(
        {.path = path,
         .isOwnPath = m_request.state.isEmpty(),
         .run = isInFleet ? m_supervision.policyEvaluator().run() : QString()});
    connect(m_state, &StateFile::failed, this, [this, path](const QString &reason) {
        const QString then = m_state->isOpen()
            ? QStringLiteral("the last written state remains in the file; retrying")
            : QStringLiteral("continuing without a state file");
        m_messages.say(QStringLiteral("state: %1: %2; %3").arg(path, reason, then));
    });
    connect(m_state, &StateFile::resumed, this, [this, path] {
        m_messages.say(QStringLiteral("state: %1: write succeeded again").arg(path));
    });
    connect(m_state, &StateFile::movedAside, this,
            [this, path](const QString &aside, const QString &reason) {
                m_messages.say(QStringLiteral("state: %1: %2; moved to %3, starting a new file")
                                   .arg(path, reason, aside));
            });
    if (!m_state->open())
        m_state = nullptr;
}

// The agents run without a control socket if that is impossible, unless it is the only way to the
// host.
void UpSession::openControl()
{
    if (!m_request.hasControl)
        return;
    m_control =
        &m_supervision.host().useControl({.name = QFileInfo(m_request.path).completeBaseName(),
                                          .socketName = hostNameOf(m_request.path),
                                          .configuration = m_request.path});
    connect(m_control, &ControlServer::stopRequested, this, [this](bool kill) {
        m_messages.say(kill ? QStringLiteral("killing all agents (`rekindle down --kill`)")
                            : QStringLiteral("stopping all agents (`rekindle down`)"));
        end();
        if (kill)
            m_supervision.supervisor().killAll();
    });
    connect(m_control, &ControlServer::socketChanged, this, [this](const QString &message) {
        m_messages.say(QLatin1String("control: ") + message);
    });
    connect(m_control, &ControlServer::clientsDisconnected, this, [this] {
        if (m_control->clientCount() == 0)
            releaseMemorySoon();
    });
    if (const QString fault = m_control->listen(); !fault.isEmpty()) {
        m_control = nullptr;
        m_supervision.host().discardControl();
        const bool isOnlyWay = m_request.detachment.isInBackground();
        m_messages.say(QStringLiteral("control: %1; %2")
                           .arg(fault,
                                isOnlyWay ? QLatin1String("nothing was started")
                                          : QLatin1String("continuing without a control socket")));
        if (isOnlyWay)
            throw CommandFailure{ExitCode::unavailable};
    }
}

void UpSession::startAgents()
{
    m_supervision.startAll();
    if (!m_state)
        return;
    if (const int count = m_state->resumedCount(); count > 0)
        m_messages.say(
            QStringLiteral("state: the previous host did not exit normally; resuming the %1 of %2")
                .arg(count == 1 ? QLatin1String("restart sequence")
                                : QLatin1String("restart sequences"),
                     countedAgents(count)));
    reportStillDown();
}

// There is no event for an agent whose state does not change.
void UpSession::reportStillDown()
{
    const AgentSupervisor &supervisor = m_supervision.supervisor();
    for (const QUuid &id : supervisor.ids()) {
        const AgentStatus agent = statusOf(supervisor, id);
        const QString why = stillDownText(agent);
        if (why.isEmpty())
            continue;
        QString text = QStringLiteral("%1: still %2").arg(agent.agent, why);
        const std::optional<UtcTime> failedAt =
            m_supervision.policyEvaluator().circuitBreakerState(id).lastFailureAt;
        if (knownState(agent) == InstanceState::Exhausted && failedAt && agent.lastFailure)
            text += QStringLiteral(", failed at %1 (%2)")
                        .arg(toRfc3339(*failedAt), agent.lastFailure->text);
        if (agent.nextStartIn)
            text += QLatin1String("; ") + nextStartText(agent);
        text += m_control ? QStringLiteral("; to start it now, run `rekindle start %1 --config %2`")
                                .arg(agent.agent, m_request.path)
                          : QStringLiteral("; to start it now, stop this host (Ctrl-C) and run "
                                           "`rekindle up` again");
        m_messages.say(text);
    }
}

void UpSession::listen()
{
    if (m_live)
        watchSignals({SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP});
    else
        watchSignals({SIGINT, SIGTERM, SIGHUP});
    connect(&m_supervision, &Supervision::ended, this, &UpSession::endIfNothingIsLeft);
    if (m_request.stopAfter) {
        // A second stop request would kill the agents.
        m_stopAfter = std::make_unique<Deadline>(m_supervision.scheduler(), [this] {
            if (!m_supervision.isEnding())
                end();
        });
        m_stopAfter->armIn(*m_request.stopAfter);
    }
}

void UpSession::endIfNothingIsLeft()
{
    if (m_supervision.isEnding() || !m_supervision.host().canAgentsBeStarted())
        QCoreApplication::exit();
}

// If a program cannot be started, the host may exit at once. --detach must then report a failure.
void UpSession::reportRunningSoon()
{
    if (!m_request.detachment.isInBackground())
        return;
    m_request.detachment.markMessages();
    // The store is opened in another thread, and its failure is a warning of the start.
    m_messages.setCopy(m_request.detachment.originalStderr());
    m_isStoreOpening = m_store != nullptr;
    // Some agents may be launched much later, for example those whose start is held back.
    constexpr Duration longest = std::chrono::seconds(2);
    m_startLimit =
        std::make_unique<Deadline>(m_supervision.scheduler(), [this] { reportRunning(); });
    m_startLimit->armIn(longest);
    const auto look = [this] {
        // The host is about to exit with a failure if an earlier one has given up all agents.
        const AgentTally &tally = m_supervision.tally();
        if (m_request.detachment.isInBackground() && !m_isStoreOpening && areStartsAttempted()
            && (tally.givenUp() < tally.total() || m_supervision.host().canAgentsBeStarted()))
            reportRunning();
        if (!m_request.detachment.isInBackground())
            disconnect(m_startEvents);
    };
    m_startEvents =
        connect(&m_supervision.policyEvaluator(), &RestartPolicyEvaluator::lifecycleEvent, this,
                look, Qt::QueuedConnection);
    const auto lookAtStore = [this, look] {
        if (std::exchange(m_isStoreOpening, false))
            look();
    };
    if (m_store != nullptr) {
        connect(m_store, &TelemetryStore::opened, this, lookAtStore);
        connect(m_store, &TelemetryStore::failed, this, lookAtStore);
    }
    QMetaObject::invokeMethod(this, look, Qt::QueuedConnection); // no agent may be started
}

void UpSession::reportRunning()
{
    m_messages.setCopy(-1);
    m_request.detachment.reportRunning();
}

// Continues at the first agent whose start was not attempted before.
bool UpSession::areStartsAttempted()
{
    const AgentSupervisor &supervisor = m_supervision.supervisor();
    const Instant now = m_supervision.scheduler().now();
    const QList<QUuid> ids = supervisor.ids();
    for (; m_attemptedStarts < ids.size(); ++m_attemptedStarts) {
        const auto agent = supervisor.snapshot(ids[m_attemptedStarts]);
        const bool isDue = agent && agent->state == InstanceState::Waiting && !agent->holds
            && agent->nextStartAt.value_or(now) <= now;
        if (isDue)
            return false;
    }
    return true;
}

void UpSession::showTable()
{
    m_table = std::make_unique<LiveTable>(
        m_supervision, QStringLiteral("rekindle up %1").arg(QFileInfo(m_request.path).fileName()));
    m_messages.divertTo([this](const QByteArray &line) { m_table->addLine(forTerminal(line)); });
    narrate();
}

void UpSession::onSignal(int number)
{
    switch (number) {
    case SIGHUP:
        if (!m_endsByHangup) {
            m_configuration.reloadNow(QStringLiteral("SIGHUP"));
            break;
        }
        [[fallthrough]];
    default:
        reportStop(number);
        end();
        break;
    case SIGWINCH:
        m_table->requestFrame();
        break;
    case SIGTSTP:
        m_table->suspend();
        std::raise(SIGSTOP);
        m_table->resume();
        break;
    }
}

void UpSession::reopenFiles()
{
    if (const QString error = m_request.detachment.reopenLog(); !error.isEmpty())
        m_messages.say(error);
    HostSession::reopenFiles();
}

// The live table shows this already.
void UpSession::reportStop(int number)
{
    const qsizetype running = m_supervision.policyEvaluator().activeCount();
    if (m_table || running == 0)
        return;
    QString text = QStringLiteral("exiting without waiting for %1 (%2)");
    if (m_supervision.endsAsked() == 0)
        text = QStringLiteral("stopping %1 (%2); repeat to kill");
    else if (m_supervision.endsAsked() == 1)
        text = QStringLiteral("killing %1 (%2); repeat to exit without waiting");
    m_messages.say(text.arg(countedAgents(running), signalName(number)));
}

void UpSession::end()
{
    if (!m_supervision.isEnding())
        m_downAtStop = m_supervision.tally().down();
    m_supervision.endAll();
    if (m_table)
        m_table->requestFrame();
}

int UpSession::finish()
{
    const AgentTally &tally = m_supervision.tally();
    m_messages.setCopy(-1); // the original prints the whole log
    m_supervision.host().leaveFleet();
    if (m_table) {
        m_messages.divertTo({});
        m_table->finish();
    }
    if (m_state && !m_state->close())
        m_messages.say(QStringLiteral("state: %1: writing the final state failed; the next "
                                      "`rekindle up` continues as after a crash")
                           .arg(statePath()));
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
    QStringList parts;
    if (const int givenUp = tally.count(InstanceState::Exhausted); givenUp > 0)
        parts.append(QStringLiteral("%1 of %2 given up").arg(givenUp).arg(all));
    if (const int failed = tally.count(InstanceState::Failed); failed > 0)
        parts.append(QStringLiteral("%1 of %2 failed").arg(failed).arg(all));
    if (gated > 0)
        parts.append(QStringLiteral("%1 of %2 gated by license tier %3")
                         .arg(gated)
                         .arg(all, toText(m_supervision.supervisor().featureGate().tier())));
    m_messages.say(QLatin1String("no agents left to supervise: ") + listed(parts));
}

} // namespace Rekindle
