// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostsession_p.h"

#include "memoryrelease_p.h"

#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/statefolder_p.h"
#include "cli/output/messages_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/metrics/metricscollector.h>
#include <rekindle/metrics/metricsserver.h>
#include <rekindle/process/processagent.h>

#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <utility>

namespace Rekindle {

void HostOptions::addTo(CLI::App &parser)
{
    addText(parser, "--events", events,
            "Append every event as a line of JSON to FILE in an existing folder; - is stderr",
            "FILE|-");
    addRecordTo(parser);
    license.addTo(parser);
    addEvaluatorOption(parser, pluginFolders);
    parser.add_flag("--quiet", quiet,
                    "Print no messages about failures, restarts and the default store");
}

void HostOptions::addMetricsTo(CLI::App &parser)
{
    addListenAddress(
        parser, "--metrics", metrics,
        "Serve /metrics, /healthz and /readyz (default ADDRESS: localhost; port 0: any)");
    addTexts(
        parser, "--metrics-name", metricsNames,
        "Also answer requests for this host name, not only for IP addresses and localhost; can "
        "be repeated",
        "NAME");
}

void HostOptions::addRecordTo(CLI::App &parser)
{
    parser
        .add_option_function<std::string>(
            "--record", [this](const std::string &value) { recordsInputs = value == "on"; },
            "Also record the inputs of all decisions in the store, for `rekindle replay` (default: "
            "on)")
        ->check(CLI::IsMember({"on", "off"}).description(""))
        ->type_name("on|off");
}

void HostOptions::resolvePaths(const QDir &folder)
{
    resolvePath(folder, events, QLatin1String("-"));
    resolvePath(folder, store, QLatin1String("off"));
    license.resolvePaths(folder);
    for (QString &each : pluginFolders)
        resolvePath(folder, each);
}

QString HostOptions::eventsFile() const
{
    return events == QLatin1String("-") ? QString() : events;
}

HostSession::HostSession(HostOptions options, QString usualStore, Messages &messages)
    : m_options(std::move(options))
    , m_usualStore(std::move(usualStore))
    , m_messages(messages)
    , m_supervision(messages)
{
    m_supervision.setEvaluatorFolders(m_options.pluginFolders);
    connect(&m_reopening, &SignalWatch::received, this, &HostSession::reopenFiles);
}

HostSession::~HostSession() = default;

QList<UsedFile> HostSession::filesWith(QList<UsedFile> files) const
{
    files += filesRead(m_options.license.files(), QStringLiteral("a license file"));
    if (const QString events = m_options.eventsFile(); !events.isEmpty())
        files.append({events, QStringLiteral("the events file"), QStringLiteral("--events"),
                      WrittenFile::Events});
    if (const QString store = storePath(); !store.isEmpty())
        files.append({store, QStringLiteral("the telemetry store"), QStringLiteral("--store"),
                      WrittenFile::Store, m_options.store.isEmpty()});
    return files;
}

QString HostSession::storePath() const
{
    if (m_options.store == QLatin1String("off"))
        return {};
    return m_options.store.isEmpty() ? m_usualStore : m_options.store;
}

void HostSession::followLicense()
{
    m_supervision.host().setLicense(
        m_options.license.provider(m_supervision.scheduler(), m_messages));
    m_supervision.host().watchLicense();
}

void HostSession::openEvents()
{
    if (m_options.events.isEmpty())
        return;
    m_events = std::make_unique<EventStream>(m_supervision.policyEvaluator(), m_messages,
                                             EventStream::Pace::EachLine);
    m_events->addNamed(m_options.events);
}

void HostSession::warnWithoutStateFolder(QStringList options) const
{
    if (m_options.store.isEmpty())
        options.prepend(QStringLiteral("--store"));
    if (m_options.quiet || options.isEmpty() || !stateFolder().isEmpty())
        return;
    const auto each = [&options](const QString &value) -> QString {
        return options.join(value + QLatin1String(" and ")) + value;
    };
    m_messages.say(
        noStateFolderText(QStringLiteral("continuing with %1; use %2")
                              .arg(each(QStringLiteral(" off")), each(QStringLiteral(" FILE")))));
}

void HostSession::openStore()
{
    const QString path = storePath();
    if (path.isEmpty())
        return;
    if (!m_options.store.isEmpty())
        requireFolder(QLatin1String("--store"), path, m_messages);
    m_store =
        &m_supervision.host().useStore({.path = path, .recordInputs = m_options.recordsInputs});
    const auto say = [this, path](const QString &text) {
        if (reportsStore())
            m_messages.say(QStringLiteral("store: %1: ").arg(path) + text);
    };
    connect(m_store, &TelemetryStore::failed, this, [this, say](const QString &reason) {
        say(reason
            + (m_store->retriesWrites() ? QLatin1String("; events are queued, retrying")
                                        : QLatin1String("; recording stops")));
    });
    connect(m_store, &TelemetryStore::resumed, this,
            [say] { say(QStringLiteral("write succeeded again")); });
    connect(m_store, &TelemetryStore::movedAside, this, [say](const QString &aside) {
        say(QStringLiteral("damaged; moved to %1, starting a new store").arg(aside));
    });
}

bool HostSession::openMetrics(const QString &consequence)
{
    if (!m_options.metrics)
        return true;
    AgentHost &host = m_supervision.host();
    MetricsServer &server = host.useMetrics({.names = m_options.metricsNames});
    if (const auto fault = server.listen(m_options.metrics->address, m_options.metrics->port)) {
        m_messages.say(QLatin1String("metrics: ") + fault->message + consequence);
        host.discardMetrics();
        return false;
    }
    const QHostAddress address = server.address();
    if (!address.isLoopback()) {
        m_messages.say(
            QStringLiteral("metrics: warning: anyone who can reach %1 can read the metrics "
                           "and the names of all agents and tools without authentication")
                .arg(address.toString()));
    }
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    m_messages.say((isV6 ? QStringLiteral("metrics: http://[%1]:%2/metrics")
                         : QStringLiteral("metrics: http://%1:%2/metrics"))
                       .arg(address.toString())
                       .arg(server.port()));
    if (m_events) {
        for (const QString &each : m_events->subscribers())
            host.metrics()->setDropped(each, 0);
        connect(m_events.get(), &EventStream::dropped, host.metrics(),
                &MetricsCollector::setDropped);
    }
    return true;
}

void HostSession::watchSignals(std::initializer_list<int> numbers)
{
    m_signals = std::make_unique<SignalWatch>(numbers);
    connect(m_signals.get(), &SignalWatch::received, this, &HostSession::onSignal);
}

void HostSession::narrate()
{
    if (!m_options.quiet)
        m_narrator = std::make_unique<Narrator>(
            m_supervision.supervisor(), [this](const QString &text) { m_messages.say(text); },
            m_onDemand);
}

bool HostSession::reportsStore() const { return !m_options.quiet || !m_options.store.isEmpty(); }

void HostSession::execute()
{
    runEventLoop();
    closeStore();
}

void HostSession::runEventLoop()
{
    m_memory =
        std::make_unique<MemoryRelease>(m_supervision.policyEvaluator(), m_supervision.scheduler());
    m_supervision.host().useServiceManager();
    QCoreApplication::exec();
    m_memory.reset();
}

void HostSession::releaseMemorySoon()
{
    if (m_memory)
        m_memory->releaseSoon();
}

void HostSession::closeStore()
{
    if (!m_store)
        return;
    m_store->close();
    if (const quint64 lost = m_store->droppedCount(); lost > 0 && reportsStore())
        m_messages.say(QStringLiteral("store: dropped %1; `rekindle history` is incomplete")
                           .arg(counted(static_cast<qint64>(lost), "row", "rows")));
}

void HostSession::onSignal(int number)
{
    switch (m_signalCount++) {
    case 0:
        stop(number);
        break;
    case 1:
        m_supervision.supervisor().killAll();
        break;
    default:
        QCoreApplication::exit();
    }
}

void HostSession::stop(int) { m_supervision.endAll(); }

void HostSession::reopenFiles()
{
    ProcessAgent::reopenOutputFiles();
    if (m_events)
        m_events->reopen();
    m_messages.say(QStringLiteral("SIGUSR1: files opened again"));
}

QString agentNameOf(const QString &program)
{
    static const QRegularExpression others(QStringLiteral("[^A-Za-z0-9._-]"));
    QString name = QFileInfo(program).fileName();
    if (name.isEmpty())
        name = program;
    return name.replace(others, QStringLiteral("_")).left(64);
}

} // namespace Rekindle
