// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "bootclock_p.h"
#include "config/internal/placedagents.h"
#include "host/internal/filewatch.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"
#include "process/internal/guardlock.h"
#include "servicenotifier_p.h"
#include "storearchive_p.h"
#include "watch/configuredwatch_p.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/host/hostconfiguration.h>
#include <rekindle/host/programfactory.h>
#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/metrics/metricscollector.h>
#include <rekindle/metrics/metricsserver.h>
#include <rekindle/process/killdeadline.h>
#include <rekindle/state/statefile.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QCoreApplication>
#include <QEventLoop>

#include <algorithm>
#include <chrono>
#include <utility>

namespace Rekindle {

// Destroyed from the last member to the first.
class AgentHost::Private
{
public:
    Private(Scheduler *external, RestartPolicyEvaluator::RandomSource random)
        : ownScheduler(external ? nullptr : std::make_unique<TimerScheduler>())
        , scheduler(external ? *external : *ownScheduler)
        , supervisor(scheduler, {}, std::move(random))
    {
    }

    void countDropped() const;
    void storeOperation();
    [[nodiscard]] QStringList ownFiles(const Configuration &current) const;
    [[nodiscard]] Scheduler &bootScheduler();

    const std::unique_ptr<TimerScheduler> ownScheduler;
    Scheduler &scheduler;
    std::unique_ptr<LicenseProvider> license;
    std::unique_ptr<FileWatch> licenseFiles;
    std::unique_ptr<CustomEvaluators> evaluators;
    AgentSupervisor supervisor;
    ConfiguredAgents agents{supervisor, programFactory()};
    std::unique_ptr<BootScheduler> boot; ///< with a fleet
    std::unique_ptr<FleetStore> fleetStore;
    std::unique_ptr<PlacedAgents> placed;
    ConfiguredWatch watch{supervisor};
    QStringList ignoredFiles;
    bool isStopping = false; ///< after stopAll()
    std::unique_ptr<HostConfiguration> configuration;
    std::unique_ptr<ServiceNotifier> notifier;
    QString statePath;
    std::unique_ptr<StateFile> state;
    std::unique_ptr<TelemetryStore> store;
    std::unique_ptr<MetricsCollector> metrics;
    std::unique_ptr<MetricsServer> server;
    QString storePath;
    std::unique_ptr<StoreArchive> archive;
    std::unique_ptr<ControlServer> control;
    Instant waitAgainAt = Instant::min(); ///< for the writes of an operation
};

void AgentHost::Private::countDropped() const
{
    if (!metrics || !store)
        return;
    const auto count = [collector = metrics.get()](quint64 total) {
        collector->setDropped(QStringLiteral("store"), total);
    };
    count(0);
    connect(store.get(), &TelemetryStore::dropped, metrics.get(), count);
}

// When a client has received the result of an operation, the operation must survive SIGKILL.
void AgentHost::Private::storeOperation()
{
    using namespace std::chrono_literals;
    constexpr std::chrono::milliseconds limit = 500ms; // the event loop is blocked meanwhile
    const Instant begin = scheduler.now();
    // A disk that does not respond must not stop the supervision with each operation.
    const std::chrono::milliseconds most = begin < waitAgainAt ? 0ms : limit;
    if (state)
        state->flush(most);
    if (store)
        store->writeNow(most);
    if (scheduler.now() - begin >= limit)
        waitAgainAt = scheduler.now() + 10s;
}

// The files that this host writes change without a reason for a restart.
QStringList AgentHost::Private::ownFiles(const Configuration &current) const
{
    QStringList files = ignoredFiles;
    if (license)
        files += license->files();
    if (!storePath.isEmpty())
        files.append(storePath);
    if (!statePath.isEmpty())
        files << statePath << statePath + QLatin1String(".lock");
    for (const AgentDefinition &agent : current.agents) {
        for (const OutputTarget &target :
             {agent.process.standardOutput, agent.process.standardError}) {
            if (target.kind == OutputTarget::Kind::File)
                files.append(target.file);
        }
    }
    return files;
}

// A virtual scheduler has one clock, which the test advances.
Scheduler &AgentHost::Private::bootScheduler()
{
    if (dynamic_cast<TimerScheduler *>(&scheduler) == nullptr)
        return scheduler;
    boot = std::make_unique<BootScheduler>(scheduler.clock());
    return boot->scheduler;
}

AgentHost::AgentHost(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(nullptr, RestartPolicyEvaluator::RandomSource()))
{
    connect(&d->watch, &ConfiguredWatch::noted, this, &AgentHost::noted);
}

AgentHost::AgentHost(Scheduler &scheduler, RestartPolicyEvaluator::RandomSource random,
                     QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(&scheduler, std::move(random)))
{
    connect(&d->watch, &ConfiguredWatch::noted, this, &AgentHost::noted);
}

AgentHost::~AgentHost() = default;

AgentSupervisor &AgentHost::supervisor() const { return d->supervisor; }

void AgentHost::setLicense(std::unique_ptr<LicenseProvider> license)
{
    d->supervisor.featureGate().setProvider(license.get());
    d->license = std::move(license);
}

void AgentHost::watchLicense()
{
    const QStringList files = d->license ? d->license->files() : QStringList();
    if (files.isEmpty())
        return;
    d->licenseFiles = std::make_unique<FileWatch>(d->scheduler);
    connect(d->licenseFiles.get(), &FileWatch::faulted, this,
            [this](const QString &text) { Q_EMIT noted(QLatin1String("license: ") + text); });
    connect(d->licenseFiles.get(), &FileWatch::changed, d->license.get(), &LicenseProvider::reload);
    for (const QString &each : files)
        d->licenseFiles->addFile(each);
    d->licenseFiles->begin();
    d->license->reload(); // it may have changed before the watch began
}

void AgentHost::setEvaluators(std::unique_ptr<CustomEvaluators> evaluators)
{
    d->supervisor.policyEvaluator().setCustomEvaluators(evaluators.get());
    d->evaluators = std::move(evaluators);
    if (d->metrics && d->evaluators)
        d->metrics->attach(*d->evaluators);
}

StateFile &AgentHost::useState(const StateFileOptions &options)
{
    d->state = std::make_unique<StateFile>(d->supervisor, options);
    d->state->setSharedBreakers(&d->agents.sharedBreakers());
    d->state->setGroups(&d->agents.groups());
    d->statePath = options.path;
    return *d->state;
}

TelemetryStore &AgentHost::useStore(const TelemetryOptions &options)
{
    d->store = std::make_unique<TelemetryStore>(options);
    d->store->attach(d->supervisor.policyEvaluator());
    d->storePath = options.path;
    d->countDropped();
    return *d->store;
}

MetricsServer &AgentHost::useMetrics() { return useMetrics({}); }

MetricsServer &AgentHost::useMetrics(const MetricsServerOptions &options)
{
    d->metrics = std::make_unique<MetricsCollector>(d->supervisor);
    d->server = std::make_unique<MetricsServer>(d->supervisor, *d->metrics, options);
    d->metrics->setQueuedStarts(startGate().governor().queuedCount());
    connect(&startGate(), &StartGate::queuedCountChanged, d->metrics.get(),
            &MetricsCollector::setQueuedStarts);
    if (d->evaluators)
        d->metrics->attach(*d->evaluators);
    d->countDropped();
    return *d->server;
}

void AgentHost::discardMetrics()
{
    d->server.reset();
    d->metrics.reset();
}

ControlServer &AgentHost::useControl(const ControlServerOptions &options)
{
    d->control = std::make_unique<ControlServer>(d->supervisor, options);
    d->control->setGroups(&d->agents.groups());
    d->control->setStartGate(&startGate());
    d->control->setSharedBreakers(&d->agents.sharedBreakers());
    d->control->setConfiguration(d->configuration.get());
    if (d->store) {
        d->archive = std::make_unique<StoreArchive>(*d->store, d->storePath);
        d->control->setArchive(d->archive.get());
    }
    d->control->setFleet(d->placed.get());
    connect(d->control.get(), &ControlServer::operated, this, [this] { d->storeOperation(); });
    return *d->control;
}

void AgentHost::discardControl()
{
    d->control.reset();
    d->archive.reset();
}

HostConfiguration &AgentHost::useConfiguration(const HostConfigurationOptions &options)
{
    d->configuration = std::make_unique<HostConfiguration>(*this, options);
    if (d->control)
        d->control->setConfiguration(d->configuration.get());
    return *d->configuration;
}

void AgentHost::useFleet(std::unique_ptr<FleetStore> store, const FleetDefinition &fleet)
{
    d->fleetStore = std::move(store);
    const bool hasLock =
        d->state && d->state->isOpen() && GuardLock::open(d->statePath + QLatin1String(".lock"));
    d->placed = std::make_unique<PlacedAgents>(
        d->supervisor, *d->fleetStore, d->bootScheduler(),
        PlacedAgents::Options{.fleet = fleet,
                              .run = d->supervisor.policyEvaluator().run(),
                              .previousRun = hasLock ? d->state->previousRun() : QString(),
                              .setKillDeadline = &KillDeadline::set,
                              .isPreviousGone = hasLock ? &GuardLock::acquire : nullptr});
    connect(d->placed.get(), &PlacedAgents::faulted, this, &AgentHost::noted);
    connect(&d->agents, &ConfiguredAgents::placed, d->placed.get(), &PlacedAgents::place);
    d->placed->share(d->agents.sharedBreakers(), *d->fleetStore);
    if (d->control)
        d->control->setFleet(d->placed.get());
}

void AgentHost::leaveFleet()
{
    if (!d->placed || !d->supervisor.isIdle())
        return;
    d->placed->leave();
    if (d->placed->hasLeft())
        return;
    constexpr Duration limit = std::chrono::seconds(5);
    QEventLoop loop;
    Deadline end(d->scheduler, [&loop] { loop.quit(); });
    end.armIn(limit);
    connect(d->placed.get(), &PlacedAgents::left, &loop, &QEventLoop::quit);
    loop.exec();
    if (!d->placed->hasLeft())
        Q_EMIT noted(QStringLiteral("fleet: etcd has not answered; other nodes can start the "
                                    "placed agents of this node when its lease has expired"));
}

void AgentHost::useServiceManager()
{
    d->notifier = std::make_unique<ServiceNotifier>(*this);
    if (!d->configuration)
        return;
    connect(d->configuration.get(), &HostConfiguration::reloading, d->notifier.get(),
            &ServiceNotifier::beginReload);
    connect(d->configuration.get(), &HostConfiguration::reloaded, d->notifier.get(),
            &ServiceNotifier::endReload);
}

CustomEvaluators *AgentHost::evaluators() const { return d->evaluators.get(); }

StateFile *AgentHost::state() const { return d->state.get(); }

TelemetryStore *AgentHost::store() const { return d->store.get(); }

MetricsCollector *AgentHost::metrics() const { return d->metrics.get(); }

HostConfiguration *AgentHost::configuration() const { return d->configuration.get(); }

ControlServer *AgentHost::control() const { return d->control.get(); }

const FleetDefinition *AgentHost::fleet() const
{
    return d->placed ? &d->placed->fleet() : nullptr;
}

QList<Fault> AgentHost::addAll(const Configuration &configuration)
{
    QList<Fault> faults = d->agents.addAll(configuration);
    for (const AgentDefinition &each : configuration.agents) {
        if (each.placement && !d->placed) {
            d->supervisor.remove(d->supervisor.idOf(each.name)); // it could run on other hosts, too
            faults.append({each.pointer + QLatin1String("/placement"),
                           QStringLiteral("this host is in no fleet"), Fault::Severity::Error,
                           each.line, each.column, each.file});
            continue;
        }
        const QString text = tierWarning(d->supervisor.idOf(each.name));
        if (!text.isEmpty())
            faults.append({each.pointer + QLatin1String("/policy"), text, Fault::Severity::Warning,
                           each.line, each.column, each.file});
    }
    watchFiles(configuration);
    return faults;
}

QString AgentHost::tierWarning(const QUuid &agent) const
{
    const RestartPolicyType requested = d->supervisor.requestedPolicy(agent).type;
    const RestartPolicyType inForce = d->supervisor.policyEvaluator().policy(agent).type;
    const Words::English english; // as all faults
    return requested == inForce
        ? QString()
        : downgradeText(toText(d->supervisor.featureGate().tier()), requested, inForce);
}

void AgentHost::watchFiles(const Configuration &configuration)
{
    d->watch.apply(configuration, d->ownFiles(configuration));
}

void AgentHost::ignoreFiles(const QStringList &paths) { d->ignoredFiles += paths; }

StartGate &AgentHost::startGate() const { return d->agents.startGate(); }

ConfiguredAgents &AgentHost::agents() const { return d->agents; }

void AgentHost::startAll()
{
    if (d->state && d->state->isOpen())
        d->state->startAll();
    else
        d->supervisor.startAll();
    if (!d->placed)
        return;
    if (d->state)
        d->state->flush(); // the next host recognizes the session of this one
    d->placed->begin();
}

bool AgentHost::canAgentsBeStarted() const
{
    if (d->agents.groups().hasPendingStart())
        return true;
    const QList<QUuid> ids = d->supervisor.ids();
    return std::any_of(ids.begin(), ids.end(), [this](const QUuid &id) {
        const auto agent = d->supervisor.snapshot(id);
        return d->supervisor.hasManualStart(id) || (agent && agent->stoppedByOperator)
            || d->watch.canStart(id);
    });
}

void AgentHost::stopAll()
{
    d->isStopping = true;
    d->supervisor.stopAll();
    if (d->placed)
        d->placed->leave();
}

bool AgentHost::isStopping() const { return d->isStopping || d->supervisor.isStopping(); }

void AgentHost::quitGracefully(QCoreApplication &application, Duration limit)
{
    d->supervisor.quitGracefully(application, limit);
    // After the slot of the supervisor, which returns when the agents have stopped.
    connect(&application, &QCoreApplication::aboutToQuit, this, &AgentHost::close);
}

bool AgentHost::close()
{
    leaveFleet();
    if (d->store)
        d->store->close();
    return !d->state || !d->state->isOpen() || d->state->close();
}

} // namespace Rekindle
