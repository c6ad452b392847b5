// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storearchive_p.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/host/programfactory.h>
#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/metrics/metricscollector.h>
#include <rekindle/metrics/metricsserver.h>
#include <rekindle/state/statefile.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QCoreApplication>

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

    const std::unique_ptr<TimerScheduler> ownScheduler;
    Scheduler &scheduler;
    std::unique_ptr<LicenseProvider> license;
    std::unique_ptr<CustomEvaluators> evaluators;
    AgentSupervisor supervisor;
    ConfiguredAgents agents{supervisor, programFactory()};
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

AgentHost::AgentHost(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(nullptr, RestartPolicyEvaluator::RandomSource()))
{
}

AgentHost::AgentHost(Scheduler &scheduler, RestartPolicyEvaluator::RandomSource random,
                     QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(&scheduler, std::move(random)))
{
}

AgentHost::~AgentHost() = default;

AgentSupervisor &AgentHost::supervisor() const { return d->supervisor; }

void AgentHost::setLicense(std::unique_ptr<LicenseProvider> license)
{
    d->supervisor.featureGate().setProvider(license.get());
    d->license = std::move(license);
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
    if (d->store) {
        d->archive = std::make_unique<StoreArchive>(*d->store, d->storePath);
        d->control->setArchive(d->archive.get());
    }
    connect(d->control.get(), &ControlServer::operated, this, [this] { d->storeOperation(); });
    return *d->control;
}

void AgentHost::discardControl()
{
    d->control.reset();
    d->archive.reset();
}

CustomEvaluators *AgentHost::evaluators() const { return d->evaluators.get(); }

StateFile *AgentHost::state() const { return d->state.get(); }

TelemetryStore *AgentHost::store() const { return d->store.get(); }

MetricsCollector *AgentHost::metrics() const { return d->metrics.get(); }

ControlServer *AgentHost::control() const { return d->control.get(); }

QList<Fault> AgentHost::addAll(const Configuration &configuration)
{
    return d->agents.addAll(configuration);
}

StartGate &AgentHost::startGate() const { return d->agents.startGate(); }

ConfiguredAgents &AgentHost::agents() const { return d->agents; }

void AgentHost::startAll()
{
    if (d->state && d->state->isOpen())
        d->state->startAll();
    else
        d->supervisor.startAll();
}

void AgentHost::quitGracefully(QCoreApplication &application, Duration limit)
{
    d->supervisor.quitGracefully(application, limit);
    // After the slot of the supervisor, which returns when the agents have stopped.
    connect(&application, &QCoreApplication::aboutToQuit, this, &AgentHost::close);
}

bool AgentHost::close()
{
    if (d->store)
        d->store->close();
    return !d->state || !d->state->isOpen() || d->state->close();
}

} // namespace Rekindle
