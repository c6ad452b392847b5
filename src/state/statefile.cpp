// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/boundedfile_p.h"
#include "base/durablefile_p.h"
#include "hostlock_p.h"
#include "statewriter_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/state/statefile.h>

#include <QDir>
#include <QFileInfo>
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

// More than any host writes; a mistyped name may be anybody's file.
constexpr qint64 mostBytes = 256LL * 1024 * 1024;

StateFileOptions inRange(StateFileOptions options)
{
    using namespace std::chrono_literals;
    options.writeInterval = std::clamp<milliseconds>(options.writeInterval, 1s, 1min);
    options.keepFor = std::clamp<std::chrono::hours>(options.keepFor, 1h, std::chrono::days(365));
    options.closeTimeout = std::clamp<milliseconds>(options.closeTimeout, 0ms, 1min);
    if (options.bootId.isEmpty())
        options.bootId = QString::fromLatin1(QSysInfo::bootUniqueId());
    // A link to the file stays one, also where the file is yet to come.
    constexpr int longestChain = 40;
    QFileInfo file(options.path);
    for (int i = 0; i < longestChain && !file.exists() && file.isSymLink(); ++i)
        file.setFile(file.symLinkTarget());
    options.path = file.exists() ? file.canonicalFilePath() : file.absoluteFilePath();
    return options;
}

void makeFolderOf(const QString &path)
{
    const QDir folder = QFileInfo(path).absoluteDir();
    if (!folder.exists() && QDir().mkpath(folder.path()))
        QFile::setPermissions(folder.path(),
                              QFileDevice::ReadOwner | QFileDevice::WriteOwner
                                  | QFileDevice::ExeOwner);
}

} // namespace

class StateFile::Private
{
public:
    Private(StateFile *file, AgentSupervisor &theSupervisor, const StateFileOptions &theOptions);

    [[nodiscard]] SavedMoment now() const;
    /// False if what there is can neither be used nor moved aside.
    [[nodiscard]] bool load();
    /// False if there is no thread for it.
    [[nodiscard]] bool startWriter(std::shared_ptr<HostLock> lock);
    void connectSupervisor();
    void learnName(const QUuid &id);
    void touch(const QUuid &id);
    void writeSoon();
    void keep(const QUuid &id);
    void writeTouched();
    void tellNews();
    void end();

    StateFile *const q;
    AgentSupervisor &supervisor;
    const StateFileOptions options;
    StateContents contents;               ///< as it is on the disk, or will be
    QHash<QString, InstanceMemory> found; ///< and not taken up yet
    QHash<QUuid, QString> names;
    QSet<QUuid> touched;
    std::unique_ptr<StateWriter> writer;
    Deadline due;
    std::optional<Instant> lastWrite;
    StateWriter::Status told;
    bool changed = false; ///< since it was handed to the writer last
    bool writing = false; ///< the writer has not told what came of it
    int resumedCount = 0;
};

StateFile::Private::Private(StateFile *file, AgentSupervisor &theSupervisor,
                            const StateFileOptions &theOptions)
    : q(file)
    , supervisor(theSupervisor)
    , options(inRange(theOptions))
    , due(theSupervisor.scheduler(), [this] { writeTouched(); })
{
}

SavedMoment StateFile::Private::now() const
{
    const Scheduler &scheduler = supervisor.scheduler();
    return {options.bootId, scheduler.now(), scheduler.clock().utcNow()};
}

bool StateFile::Private::load()
{
    contents = StateContents{now(), {}};
    found.clear();
    const BoundedFile file = BoundedFile::read(options.path, mostBytes);
    if (file.status == BoundedFile::Status::Missing)
        return true;
    if (file.status == BoundedFile::Status::Unreadable) {
        Q_EMIT q->failed(file.error);
        return false;
    }
    StateReading reading;
    if (file.isRead())
        reading = stateFromText(file.bytes);
    else
        reading.fault = QStringLiteral("not a state file");
    if (!reading.fault.isEmpty()) {
        const QString aside = moveAside(options.path);
        if (aside.isEmpty())
            Q_EMIT q->failed(reading.fault + QLatin1String(", and cannot be moved aside"));
        else
            Q_EMIT q->movedAside(aside, reading.fault);
        return !aside.isEmpty();
    }
    contents = reading.contents.movedTo(contents.saved);
    const Instant oldest = contents.saved.mono - options.keepFor;
    contents.agents.removeIf([oldest](const auto &each) { return each->seenAt < oldest; });
    for (auto it = contents.agents.cbegin(); it != contents.agents.cend(); ++it)
        found.insert(it.key(), it->memory);
    return true;
}

bool StateFile::Private::startWriter(std::shared_ptr<HostLock> lock)
{
    // What was known of an earlier writer says nothing of this one.
    lastWrite.reset();
    told = {};
    changed = writing = false;
    const auto news = [file = q] {
        QMetaObject::invokeMethod(
            file, [file] { file->d->tellNews(); }, Qt::QueuedConnection);
    };
    try {
        writer = std::make_unique<StateWriter>(options.path, std::move(lock), news);
    } catch (const std::system_error &error) {
        Q_EMIT q->failed(QStringLiteral("no thread to write it: ")
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
        learnName(id);
    connect(&supervisor, &AgentSupervisor::agentAdded, q,
            [this](const QUuid &id) { learnName(id); });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q, [this](const QUuid &id) {
        const QString name = names.take(id);
        found.remove(name);
        changed = contents.agents.remove(name) > 0 || changed;
        if (changed)
            writeSoon();
    });
    connect(&supervisor.evaluator(), &RestartPolicyEvaluator::memoryChanged, q,
            [this](const QUuid &id) { touch(id); });
}

void StateFile::Private::learnName(const QUuid &id)
{
    const auto snapshot = supervisor.snapshot(id);
    if (!snapshot)
        return;
    names.insert(id, snapshot->name);
    // This host has it, though it may not have begun with it yet; the file must not go on to say
    // that none has.
    const auto known = contents.agents.find(snapshot->name);
    if (known == contents.agents.end() || !known->seenAt)
        return;
    const bool fileSaysSo = *std::exchange(known->seenAt, {}) < contents.saved.mono;
    if (!fileSaysSo)
        return;
    changed = true;
    writeSoon();
}

void StateFile::Private::touch(const QUuid &id)
{
    touched.insert(id);
    writeSoon();
}

// The first change is written in this pass of the event loop; those that follow wait.
void StateFile::Private::writeSoon()
{
    if (due.isArmed() || writing || !writer)
        return;
    const Instant moment = supervisor.scheduler().now();
    due.arm(lastWrite ? std::max(moment, *lastWrite + options.writeInterval) : moment);
}

void StateFile::Private::keep(const QUuid &id)
{
    const auto name = names.constFind(id);
    const std::optional<InstanceMemory> memory = supervisor.evaluator().memory(id);
    if (name == names.cend() || !memory)
        return;
    if (memory->state == InstanceState::Stopped && found.contains(*name))
        return; // added, and not started yet
    found.remove(*name);
    const auto known = contents.agents.find(*name);
    if (memory->isBlank()) {
        changed = changed || known != contents.agents.end();
        contents.agents.remove(*name);
    } else if (known == contents.agents.end() || known->memory != *memory) {
        changed = true;
        contents.agents.insert(*name, {*memory, {}});
    }
}

void StateFile::Private::writeTouched()
{
    for (const QUuid &id : std::exchange(touched, {}))
        keep(id);
    if (!std::exchange(changed, false))
        return;
    contents.saved = now();
    lastWrite = contents.saved.mono;
    writing = true;
    writer->post(contents);
}

// A slot may delete the file.
void StateFile::Private::tellNews()
{
    if (!writer)
        return;
    const StateWriter::Status status = writer->status();
    const StateWriter::Status before = std::exchange(told, status);
    writing = false;
    changed = changed || !status.failure.isEmpty();
    if (changed || !touched.isEmpty())
        writeSoon();
    const QPointer<StateFile> alive(q);
    if (status.written != before.written)
        Q_EMIT q->written();
    if (alive && !status.failure.isEmpty() && before.failure.isEmpty())
        Q_EMIT q->failed(status.failure);
    if (alive && status.failure.isEmpty() && !before.failure.isEmpty())
        Q_EMIT q->resumed();
}

void StateFile::Private::end()
{
    due.disarm();
    supervisor.disconnect(q);
    supervisor.evaluator().disconnect(q);
    for (const QUuid &id : std::exchange(touched, {}))
        keep(id);
}

StateFile::StateFile(AgentSupervisor &supervisor, const StateFileOptions &options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor, options))
{
}

StateFile::~StateFile()
{
    if (!d->writer)
        return;
    d->end();
    if (std::exchange(d->changed, false)) {
        d->contents.saved = d->now();
        d->writer->post(d->contents);
    }
    d->writer->finish(d->options.closeTimeout);
}

bool StateFile::open()
{
    if (d->writer)
        return true;
    makeFolderOf(d->options.path);
    auto lock = std::make_shared<HostLock>();
    if (const QString why = lock->take(d->options.path); !why.isEmpty()) {
        Q_EMIT failed(why);
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

void StateFile::start(const QUuid &instanceId)
{
    const auto name = d->names.constFind(instanceId);
    const auto known = name == d->names.cend() ? d->found.end() : d->found.find(*name);
    if (known == d->found.end()) {
        d->supervisor.start(instanceId);
        return;
    }
    const InstanceMemory memory = *known;
    d->found.erase(known);
    if (goesOn(memory))
        ++d->resumedCount;
    d->supervisor.resume(instanceId, memory);
}

void StateFile::startAll()
{
    const QPointer<StateFile> alive(this);
    const QList<QUuid> all = d->supervisor.ids();
    for (const QUuid &id : all) {
        start(id);
        if (alive.isNull())
            return;
    }
}

int StateFile::resumedCount() const { return d->resumedCount; }

bool StateFile::close()
{
    if (!d->writer)
        return false;
    d->end();
    QHash<QString, RememberedAgent> &agents = d->contents.agents;
    for (const QString &name : std::as_const(d->names)) {
        const auto known = agents.find(name);
        if (known == agents.end())
            continue;
        stopOrderly(known->memory);
        if (known->memory.isBlank())
            agents.erase(known);
    }
    d->contents.saved = d->now();
    d->writer->post(d->contents);
    const bool finished = d->writer->finish(d->options.closeTimeout);
    const bool isWritten = finished && d->writer->status().failure.isEmpty();
    d->writer.reset(); // and the lock, once the thread has ended
    return isWritten;
}

quint64 StateFile::writeCount() const { return d->writer ? d->writer->status().written : 0; }

} // namespace Rekindle
