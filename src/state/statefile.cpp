// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/boundedfile_p.h"
#include "base/durablefile_p.h"
#include "base/mailbox_p.h"
#include "statewriter_p.h"

#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/state/statefile.h>

#include <QFileInfo>
#include <QLoggingCategory>
#include <QPointer>
#include <QSet>
#include <QSysInfo>
#include <QUuid>

#include <algorithm>
#include <system_error>
#include <utility>

namespace Rekindle {

namespace {

using std::chrono::milliseconds;

Q_LOGGING_CATEGORY(log, "rekindle.state")

/// Maximum time for which the event loop waits for the disk before a start.
constexpr std::chrono::milliseconds launchDelayLimit{100};
// More than any host writes.
constexpr qint64 maxBytes = 256LL * 1024 * 1024;

StateFileOptions inRange(StateFileOptions options)
{
    using namespace std::chrono_literals;
    options.writeInterval = std::clamp<milliseconds>(options.writeInterval, 1s, 1min);
    options.retention =
        std::clamp<std::chrono::hours>(options.retention, 1h, std::chrono::days(365));
    options.closeTimeout = std::clamp<milliseconds>(options.closeTimeout, 0ms, 1min);
    if (options.bootId.isEmpty())
        options.bootId = QString::fromLatin1(QSysInfo::bootUniqueId());
    options.path = QFileInfo(options.path).absoluteFilePath(); // the host may change its folder
    return options;
}

QList<SharedBreakerPolicy> definitionsIn(const SharedBreakers &source) { return source.breakers(); }
QList<GroupDefinition> definitionsIn(const AgentGroups &source) { return source.groups(); }

} // namespace

class StateFile::Private
{
public:
    /// Breakers or groups that the agents share.
    template<typename Source, typename Snapshot>
    struct Shared
    {
        QPointer<Source> source{};
        QHash<QString, Snapshot> loaded{}; ///< until the first start
        bool changed = false;
    };

    Private(StateFile *file, AgentSupervisor &theSupervisor, const StateFileOptions &theOptions)
        : q(file)
        , supervisor(theSupervisor)
        , options(inRange(theOptions))
    {
        due.emplace(supervisor.scheduler(), [this] { writeChanges(); });
        connect(&supervisor, &AgentSupervisor::aboutToBeDestroyed, &lifetime,
                [this] { abandon(); });
    }

    [[nodiscard]] SavedTime now() const;
    /// Returns false if the file can neither be used nor moved aside.
    [[nodiscard]] bool load();
    /// Returns false if the thread cannot be started.
    [[nodiscard]] bool startWriter(std::shared_ptr<HostLock> lock);
    void connectSupervisor();
    void registerAgent(const QUuid &id);
    [[nodiscard]] bool noteFirstFailure(const QUuid &id);
    void writeFirstFailures();
    void scheduleWrite();
    void store(const QUuid &id);
    /// Replaces what is known about breakers or groups.
    template<typename Source, typename Snapshot>
    void storeShared(Shared<Source, Snapshot> &shared, QHash<QString, Snapshot> &known,
                     qsizetype most);
    /// Breakers and groups, before the first start.
    void restoreShared();
    /// Whether an agent with a manual start was running, or about to run, when the last host was
    /// killed.
    [[nodiscard]] bool wasStartedOnRequest(const QUuid &id) const;
    void storeChanges();
    void writeChanges();
    /// Passes the contents to the writer.
    void post();
    void emitChanges();
    void detach();
    void writeLast();
    void abandon();

    StateFile *const q;
    AgentSupervisor &supervisor;
    const StateFileOptions options;
    StateContents contents;                ///< of the file after the next write
    QHash<QString, InstanceMemory> loaded; ///< of agents that have not been started yet
    Shared<SharedBreakers, CircuitBreakerSnapshot> breakers;
    Shared<AgentGroups, GroupSnapshot> groups;
    QHash<QUuid, QString> names;
    QSet<QUuid> changedIds;
    QSet<QUuid> failedIds;    ///< of agents that have failed since open()
    QSet<QUuid> unwrittenIds; ///< of them, those whose first failure may not be in the file
    std::shared_ptr<Mailbox> mailbox;
    std::unique_ptr<StateWriter> writer;
    QObject lifetime;            ///< receives aboutToBeDestroyed() also after detach()
    std::optional<Deadline> due; ///< as long as the supervisor exists
    std::optional<Instant> lastWrite;
    StateWriter::Status reported;
    bool changed = false;       ///< contents differ from those that were passed to the writer
    bool urgent = false;        ///< the next write does not wait for writeInterval
    bool writing = false;       ///< the writer has not reported the result
    bool limitReported = false; ///< more agents than a file stores
    QString previousRun;
    int resumedCount = 0;
};

SavedTime StateFile::Private::now() const
{
    const Scheduler &scheduler = supervisor.scheduler();
    return {options.bootId, scheduler.now(), scheduler.clock().utcNow()};
}

bool StateFile::Private::load()
{
    contents = StateContents{.saved = now(), .run = options.run};
    loaded.clear();
    previousRun.clear();
    const BoundedFile file = BoundedFile::read(options.path, maxBytes);
    if (file.status == BoundedFile::Status::Missing || (file.isRead() && file.bytes.isEmpty()))
        return true;
    if (file.status == BoundedFile::Status::Unreadable) {
        Q_EMIT q->failed(file.error);
        return false;
    }
    StateReading reading;
    if (file.isRead())
        reading = stateFromText(file.bytes);
    else
        reading.fault = file.error;
    if (!reading.fault.isEmpty()) {
        const QString aside = moveAside(options.path);
        if (aside.isEmpty())
            Q_EMIT q->failed(reading.fault + QLatin1String(", and the file cannot be moved aside"));
        else
            Q_EMIT q->movedAside(aside, reading.fault);
        return !aside.isEmpty();
    }
    if (reading.contents.saved.boot == contents.saved.boot)
        previousRun = reading.contents.run;
    contents = reading.contents.movedTo(contents.saved);
    contents.run = options.run;
    const Instant oldest = contents.saved.mono - options.retention;
    contents.agents.removeIf([oldest](const auto &each) { return each->absentSince < oldest; });
    for (auto it = contents.agents.cbegin(); it != contents.agents.cend(); ++it)
        loaded.insert(it.key(), it->memory);
    breakers.loaded = contents.sharedBreakers;
    groups.loaded = contents.groups;
    return true;
}

bool StateFile::Private::startWriter(std::shared_ptr<HostLock> lock)
{
    // Discard what is known about an earlier writer.
    lastWrite.reset();
    reported = {};
    breakers.changed = groups.changed = urgent = writing = limitReported = false;
    changed = !options.run.isEmpty();
    failedIds.clear();
    unwrittenIds.clear();
    mailbox = std::make_shared<Mailbox>(q);
    const auto notify = [file = q, mailbox = mailbox] {
        mailbox->post([file] { file->d->emitChanges(); });
    };
    try {
        writer = std::make_unique<StateWriter>(options.path, std::move(lock), notify);
    } catch (const std::system_error &error) {
        Q_EMIT q->failed(QStringLiteral("cannot start the writer thread: ")
                         + QString::fromLocal8Bit(error.what()));
        return false;
    }
    return true;
}

void StateFile::Private::connectSupervisor()
{
    names.clear();
    const QList<QUuid> ids = supervisor.ids();
    for (const QUuid &id : ids)
        registerAgent(id);
    connect(&supervisor, &AgentSupervisor::agentAdded, q,
            [this](const QUuid &id) { registerAgent(id); });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q, [this](const QUuid &id) {
        const QString name = names.take(id);
        failedIds.remove(id);
        unwrittenIds.remove(id);
        loaded.remove(name);
        if (contents.agents.remove(name))
            changed = true;
        if (changed)
            scheduleWrite();
    });
    connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::memoryChanged, q,
            [this](const QUuid &id) {
                changedIds.insert(id);
                if (noteFirstFailure(id)) {
                    urgent = true;
                    unwrittenIds.insert(id);
                } else if (unwrittenIds.contains(id)
                           && supervisor.policyEvaluator().state(id) == InstanceState::Starting) {
                    writeFirstFailures();
                }
                scheduleWrite();
            });
}

// An agent that kills its host at once must not start before its failure is on the disk. Usually,
// the delay before the restart is longer than the write, and nothing is left to do.
void StateFile::Private::writeFirstFailures()
{
    unwrittenIds.clear();
    if (!writer || !reported.failure.isEmpty())
        return;
    if (urgent)
        writeChanges();
    if (!writer->waitUntilWritten(launchDelayLimit))
        qCWarning(log).noquote() << options.path
                                 << "is written slowly; agents start before their first failure is "
                                    "stored";
}

void StateFile::Private::registerAgent(const QUuid &id)
{
    const auto snapshot = supervisor.snapshot(id);
    if (!snapshot)
        return;
    names.insert(id, snapshot->name);
    // The agent is no longer absent, even if it has not been started yet.
    const auto known = contents.agents.find(snapshot->name);
    if (known == contents.agents.end() || !known->absentSince)
        return;
    const bool wasStored = *std::exchange(known->absentSince, {}) < contents.saved.mono;
    if (!wasStored)
        return;
    changed = true;
    scheduleWrite();
}

// Returns true for the first failure of an agent since open(), unless it was resumed from the file.
bool StateFile::Private::noteFirstFailure(const QUuid &id)
{
    if (failedIds.contains(id))
        return false;
    const std::optional<InstanceMemory> memory = supervisor.policyEvaluator().memory(id);
    if (!memory || !memory->inSequence)
        return false;
    const auto known = contents.agents.constFind(names.value(id));
    if (known != contents.agents.cend() && known->memory.lastFailureAt == memory->lastFailureAt)
        return false; // resumed
    failedIds.insert(id);
    return true;
}

// The first change and the first failure of each agent are written at once. Otherwise, a host that
// is always killed within writeInterval would never count an attempt. Other changes are collected
// for writeInterval.
void StateFile::Private::scheduleWrite()
{
    if (writing || !writer)
        return;
    Instant when = supervisor.scheduler().now();
    if (lastWrite && !urgent)
        when = std::max(when, *lastWrite + options.writeInterval);
    if (when < due->due()) // Instant::max() if it is not armed
        due->arm(when);
}

void StateFile::Private::store(const QUuid &id)
{
    const auto name = names.constFind(id);
    const std::optional<InstanceMemory> memory = supervisor.policyEvaluator().memory(id);
    if (name == names.cend() || !memory)
        return;
    if (memory->state == InstanceState::Stopped && loaded.contains(*name))
        return; // added, and not started yet
    loaded.remove(*name);
    const auto known = contents.agents.find(*name);
    // The next host starts other agents in any case.
    const bool isStartedOnRequest = supervisor.hasManualStart(id) && continuesManualStart(*memory);
    if (memory->isBlank() && !isStartedOnRequest) {
        changed = changed || known != contents.agents.end();
        contents.agents.remove(*name);
    } else if (known == contents.agents.end() || known->memory != *memory) {
        changed = true;
        contents.agents.insert(*name, {*memory, {}});
    }
}

// Those that the configuration does not contain anymore are dropped. Before the first start, the
// stored ones are not restored yet.
template<typename Source, typename Snapshot>
void StateFile::Private::storeShared(Shared<Source, Snapshot> &shared,
                                     QHash<QString, Snapshot> &known, qsizetype most)
{
    if (shared.source.isNull() || !shared.loaded.isEmpty() || !std::exchange(shared.changed, false))
        return;
    QHash<QString, Snapshot> stored;
    for (const auto &each : definitionsIn(*shared.source)) {
        const std::optional<Snapshot> snapshot = shared.source->snapshot(each.name);
        if (snapshot && !isBlank(*snapshot) && stored.size() < most)
            stored.insert(each.name, *snapshot);
    }
    changed = changed || known != stored;
    known = stored;
}

// Those that do not exist anymore are dropped by the next write.
void StateFile::Private::restoreShared()
{
    const QPointer<StateFile> alive(q);
    const auto restore = [&alive](auto &shared) {
        if (alive.isNull())
            return;
        const auto stored = std::exchange(shared.loaded, {});
        shared.changed = shared.changed || !stored.isEmpty();
        for (auto it = stored.cbegin(); it != stored.cend(); ++it) {
            if (!alive.isNull() && !shared.source.isNull())
                shared.source->restore(it.key(), it.value());
        }
    };
    restore(groups);
    restore(breakers);
}

bool StateFile::Private::wasStartedOnRequest(const QUuid &id) const
{
    const auto known = loaded.constFind(names.value(id));
    return known != loaded.cend() && continuesManualStart(*known);
}

void StateFile::Private::storeChanges()
{
    for (const QUuid &id : std::exchange(changedIds, {}))
        store(id);
    storeShared(breakers, contents.sharedBreakers, maxStoredBreakers);
    storeShared(groups, contents.groups, maxStoredGroups);
}

void StateFile::Private::writeChanges()
{
    storeChanges();
    urgent = false;
    if (!std::exchange(changed, false))
        return;
    post();
    lastWrite = contents.saved.mono;
    writing = true;
}

void StateFile::Private::post()
{
    contents.saved = now();
    writer->post(contents);
    if (limitReported || contents.agents.size() <= maxStoredAgents)
        return;
    const auto own = std::count_if(contents.agents.cbegin(), contents.agents.cend(),
                                   [](const StoredAgent &agent) { return !agent.absentSince; });
    if (own <= maxStoredAgents)
        return;
    qCWarning(log).noquote() << options.path << "stores at most" << maxStoredAgents
                             << "agents; the data of" << own - maxStoredAgents
                             << "other agents of this host is not stored";
    limitReported = true;
}

// A slot may delete the file.
void StateFile::Private::emitChanges()
{
    if (!writer)
        return;
    const StateWriter::Status status = writer->status();
    const StateWriter::Status before = std::exchange(reported, status);
    writing = false;
    if (!urgent)
        unwrittenIds.clear();
    changed = changed || !status.failure.isEmpty();
    if (changed || breakers.changed || groups.changed || !changedIds.isEmpty())
        scheduleWrite();
    const QPointer<StateFile> alive(q);
    if (status.written != before.written)
        Q_EMIT q->written();
    if (alive && !status.failure.isEmpty() && before.failure.isEmpty())
        Q_EMIT q->failed(status.failure);
    if (alive && status.failure.isEmpty() && !before.failure.isEmpty())
        Q_EMIT q->resumed();
}

void StateFile::Private::detach()
{
    mailbox->close();
    due->disarm();
    supervisor.disconnect(q);
    supervisor.policyEvaluator().disconnect(q);
    storeChanges();
}

// Writes pending changes. The next host continues as after a crash.
void StateFile::Private::writeLast()
{
    detach();
    if (std::exchange(changed, false))
        post();
    writer->finish(options.closeTimeout);
}

// The supervisor is destroyed before the file.
void StateFile::Private::abandon()
{
    if (writer) {
        qCWarning(log).noquote() << "The supervisor was destroyed before its state file was closed:"
                                 << options.path;
        writeLast();
        writer.reset();
    }
    due.reset();
}

StateFile::StateFile(AgentSupervisor &supervisor, const StateFileOptions &options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor, options))
{
}

StateFile::~StateFile()
{
    if (d->writer)
        d->writeLast();
}

bool StateFile::open()
{
    if (d->writer)
        return true;
    if (!d->due)
        return false;
    // Before the lock, so that nothing is created beside a file of another program.
    const auto check = d->options.isOwnPath ? refusalOfPlace : refusalOf;
    if (const QString refusal = check(d->options.path, WrittenFile::State); !refusal.isEmpty()) {
        Q_EMIT failed(refusal);
        return false;
    }
    auto lock = std::make_shared<HostLock>();
    QString error = createFolderOf(d->options.path);
    if (error.isEmpty())
        error = lock->acquire(d->options.path, d->options.isOwnPath);
    if (!error.isEmpty()) {
        Q_EMIT failed(error);
        return false;
    }
    const QPointer<StateFile> alive(this);
    const bool loaded = d->load();
    if (alive.isNull())
        return false;
    if (!loaded || !d->startWriter(std::move(lock)))
        return false;
    d->connectSupervisor();
    return true;
}

bool StateFile::isOpen() const { return d->writer != nullptr; }

void StateFile::setSharedBreakers(SharedBreakers *breakers)
{
    if (d->breakers.source)
        d->breakers.source->disconnect(this);
    d->breakers.source = breakers;
    if (!breakers)
        return;
    connect(breakers, &SharedBreakers::memoryChanged, this, [this] {
        d->breakers.changed = true;
        d->scheduleWrite();
    });
}

void StateFile::setGroups(AgentGroups *groups)
{
    if (d->groups.source)
        d->groups.source->disconnect(this);
    d->groups.source = groups;
    if (!groups)
        return;
    const auto note = [this] {
        d->groups.changed = true;
        d->scheduleWrite();
    };
    connect(groups, &AgentGroups::groupStateChanged, this, note);
    connect(groups, &AgentGroups::groupRestarting, this, note);
    connect(groups, &AgentGroups::groupExhausted, this, note);
}

void StateFile::start(const QUuid &instanceId)
{
    const QPointer<StateFile> alive(this);
    d->restoreShared();
    if (!alive || !d->due)
        return;
    const auto name = d->names.constFind(instanceId);
    const auto known = name == d->names.cend() ? d->loaded.end() : d->loaded.find(*name);
    if (known == d->loaded.end()) {
        d->supervisor.start(instanceId, true);
        return;
    }
    const InstanceMemory memory = d->loaded.take(*name);
    if (continuesAfterKill(memory) && !memory.isBlank())
        ++d->resumedCount;
    d->supervisor.resume(instanceId, memory);
}

void StateFile::startAll()
{
    if (!d->due)
        return;
    const QPointer<StateFile> alive(this);
    d->restoreShared();
    if (!alive || !d->due)
        return;
    const QList<QUuid> all = d->supervisor.ids();
    for (const QUuid &id : all) {
        if (!d->supervisor.hasManualStart(id) || d->wasStartedOnRequest(id))
            start(id);
        if (alive.isNull())
            return;
    }
}

bool StateFile::flush(std::chrono::milliseconds limit)
{
    if (!d->writer)
        return false;
    d->writeChanges();
    const bool isFailing = !d->reported.failure.isEmpty();
    return !isFailing && d->writer->waitUntilWritten(limit)
        && d->writer->status().failure.isEmpty();
}

QString StateFile::previousRun() const { return d->previousRun; }

int StateFile::resumedCount() const { return d->resumedCount; }

bool StateFile::close()
{
    if (!d->writer)
        return false;
    d->detach();
    QHash<QString, StoredAgent> &agents = d->contents.agents;
    for (const QString &name : std::as_const(d->names)) {
        const auto known = agents.find(name);
        if (known == agents.end())
            continue;
        recordOrderlyExit(known->memory);
        if (known->memory.isBlank())
            agents.erase(known);
    }
    for (CircuitBreakerSnapshot &each : d->contents.sharedBreakers)
        recordOrderlyExit(each);
    d->contents.groups.clear();
    d->contents.sharedBreakers.removeIf([](const auto &each) { return isBlank(*each); });
    d->post();
    const bool finished = d->writer->finish(d->options.closeTimeout);
    const bool isWritten = finished && d->writer->status().failure.isEmpty();
    d->writer.reset(); // releases the lock when the thread has exited
    return isWritten;
}

quint64 StateFile::writeCount() const { return d->writer ? d->writer->status().written : 0; }

} // namespace Rekindle
