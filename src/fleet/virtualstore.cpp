// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/virtualstore.h>

#include <QPointer>

#include <algorithm>
#include <utility>

namespace Rekindle {

using Outcome = FleetCommitResult::Outcome;

namespace {

constexpr Duration requestTimeout = std::chrono::seconds(2);
constexpr Duration watchTimeout = std::chrono::seconds(5);

} // namespace

VirtualStoreServer::VirtualStoreServer(Scheduler &scheduler, quint64 seed)
    : m_scheduler(scheduler)
    , m_random(seed)
{
}

VirtualStoreServer::~VirtualStoreServer() = default;

FleetCommitResult VirtualStoreServer::commit(const FleetTransaction &transaction)
{
    if (!std::ranges::all_of(transaction.comparisons,
                             [this](const auto &each) { return holds(each); }))
        return {.outcome = Outcome::Conflict};
    ++m_revision;
    for (const auto &[key, value] : transaction.writes) {
        if (value) {
            FleetRecord &record = m_records[key];
            record.key = key;
            record.value = *value;
            record.modRevision = m_revision;
            if (record.createRevision == 0)
                record.createRevision = m_revision;
        } else if (m_records.erase(key) == 0) {
            continue;
        }
        m_changes.push_back({m_revision, key});
    }
    for (VirtualStore *client : m_clients)
        client->changed();
    if (m_observer)
        m_observer(transaction);
    return {.outcome = Outcome::Applied, .revision = m_revision};
}

FleetReadResult VirtualStoreServer::read(const QByteArray &prefix) const
{
    FleetReadResult result{.known = true, .revision = m_revision};
    for (auto each = m_records.lower_bound(prefix);
         each != m_records.end() && each->first.startsWith(prefix); ++each)
        result.records.push_back(each->second);
    return result;
}

bool VirtualStoreServer::holds(const FleetTransaction::Comparison &comparison) const
{
    const auto found = m_records.find(comparison.key);
    const FleetRecord record = found == m_records.end() ? FleetRecord{} : found->second;
    return comparison.expected
        == (comparison.revision == FleetTransaction::Revision::Create ? record.createRevision
                                                                      : record.modRevision);
}

bool VirtualStoreServer::draw(double probability)
{
    return static_cast<double>(m_random() >> 11U) * 0x1p-53 < probability;
}

Duration VirtualStoreServer::between(Duration least, Duration most)
{
    const auto width = static_cast<quint64>((most - least).count()) + 1;
    return least + Duration(static_cast<qint64>(m_random() % width));
}

Duration VirtualStoreServer::messageDelay()
{
    return between(m_faults.leastDelay, m_faults.mostDelay);
}

void VirtualStoreServer::post(Duration delay, std::function<void()> action)
{
    const quint64 id = ++m_lastMessage;
    const auto place = m_messages.try_emplace(id, m_scheduler, [this, id, action] {
        m_messages.erase(id);
        action();
    });
    place.first->second.armIn(delay);
}

void VirtualStoreServer::receive(bool isReachable,
                                 const std::function<void(bool isOnTime)> &perform)
{
    const bool isLate = draw(m_faults.late);
    const bool isLost = !isReachable || draw(m_faults.lost);
    if (!isLate && isLost)
        return;
    post(isLate ? between(Duration{0}, m_faults.latest) : messageDelay(), [this, perform, isLate] {
        if (m_available)
            perform(!isLate);
        else if (!isLate && draw(m_faults.late)) // a node of the store has stored it
            post(between(Duration{0}, m_faults.latest), [this, perform] {
                if (m_available)
                    perform(false);
            });
    });
}

bool VirtualStoreServer::isForgotten(qint64 revision) const { return revision < m_compacted; }

FleetWatchEvent VirtualStoreServer::changesAfter(qint64 revision, const QByteArray &prefix) const
{
    FleetWatchEvent event{.kind = FleetWatchEvent::Kind::Changes, .revision = m_revision};
    std::vector<QByteArray> keys;
    for (auto change = m_changes.rbegin(); change != m_changes.rend(); ++change) {
        if (change->revision <= revision)
            break;
        if (change->key.startsWith(prefix) && std::ranges::count(keys, change->key) == 0)
            keys.push_back(change->key);
    }
    for (const QByteArray &key : keys) {
        if (const auto found = m_records.find(key); found != m_records.end())
            event.records.push_back(found->second);
        else
            event.deleted.push_back(key);
    }
    return event;
}

void VirtualStoreServer::compact()
{
    m_changes.clear();
    m_compacted = m_revision;
}

// Calls the callback once: with the result, or after the timeout.
struct VirtualStore::Request
{
    Request(Scheduler &scheduler, Deadline::Callback callback)
        : delivery(scheduler, std::move(callback))
    {
    }

    std::function<void()> deliver;
    Deadline delivery;
};

struct VirtualStore::Watching
{
    Watching(Scheduler &scheduler, Deadline::Callback pump, Deadline::Callback end)
        : delivery(scheduler, std::move(pump))
        , ending(scheduler, std::move(end))
    {
    }

    QByteArray prefix;
    qint64 position = 0;
    QPointer<QObject> context;
    WatchCallback callback;
    Deadline delivery;
    Deadline ending;
};

class VirtualStore::VirtualWatch final : public FleetStore::Watch
{
public:
    VirtualWatch(VirtualStore *store, quint64 id)
        : m_store(store)
        , m_id(id)
    {
    }
    ~VirtualWatch() override
    {
        if (m_store)
            m_store->m_watches.erase(m_id);
    }

private:
    QPointer<VirtualStore> m_store;
    quint64 m_id;
};

VirtualStore::VirtualStore(VirtualStoreServer &server, Scheduler &node)
    : m_server(server)
    , m_node(node)
{
    m_server.m_clients.push_back(this);
}

VirtualStore::~VirtualStore() { std::erase(m_server.m_clients, this); }

template<typename Result>
void VirtualStore::request(QObject *context, std::function<void(const Result &)> callback,
                           std::function<Result(VirtualStoreServer &)> perform)
{
    const quint64 id = ++m_lastId;
    Request &pending = m_requests
                           .try_emplace(id, m_node,
                                        [this, id] {
                                            const auto deliver =
                                                std::move(m_requests.at(id).deliver);
                                            m_requests.erase(id);
                                            deliver();
                                        })
                           .first->second;
    const auto report = [guard = QPointer<QObject>(context),
                         callback = std::move(callback)](const Result &result) {
        if (guard)
            callback(result);
    };
    Result unknown;
    unknown.error = QStringLiteral("no response in time");
    pending.deliver = [report, unknown] { report(unknown); };
    pending.delivery.armIn(requestTimeout);
    m_server.receive(m_reachable,
                     [&server = m_server, store = QPointer<VirtualStore>(this), id, report,
                      perform = std::move(perform)](bool isOnTime) {
                         const Result result = perform(server);
                         if (!isOnTime || server.draw(server.m_faults.lost))
                             return;
                         server.post(server.messageDelay(), [store, id, report, result] {
                             if (store && store->m_reachable)
                                 store->answer(id, [report, result] { report(result); });
                         });
                     });
}

void VirtualStore::read(const QByteArray &prefix, QObject *context, ReadCallback callback)
{
    request<FleetReadResult>(context, std::move(callback),
                             [prefix](VirtualStoreServer &server) { return server.read(prefix); });
}

void VirtualStore::commit(const FleetTransaction &transaction, QObject *context,
                          CommitCallback callback)
{
    Q_ASSERT(transaction.comparisons.size() <= FleetTransaction::maxItems);
    Q_ASSERT(transaction.writes.size() <= FleetTransaction::maxItems);
    request<FleetCommitResult>(
        context, std::move(callback),
        [transaction](VirtualStoreServer &server) { return server.commit(transaction); });
}

std::unique_ptr<FleetStore::Watch> VirtualStore::watch(const QByteArray &prefix,
                                                       qint64 afterRevision, QObject *context,
                                                       WatchCallback callback)
{
    const quint64 id = ++m_lastId;
    Watching &watching =
        m_watches.try_emplace(
                     id, m_node, [this, id] { pump(id); }, [this, id] { end(id); })
            .first->second;
    watching.prefix = prefix;
    watching.position = afterRevision;
    watching.context = context;
    watching.callback = std::move(callback);
    watching.delivery.armIn(m_server.messageDelay());
    if (!m_reachable)
        watching.ending.armIn(requestTimeout);
    return std::make_unique<VirtualWatch>(this, id);
}

void VirtualStore::setReachable(bool reachable)
{
    m_reachable = reachable;
    for (auto &[id, watching] : m_watches) {
        if (reachable)
            watching.ending.disarm();
        else
            watching.ending.armIn(m_server.between(Duration{0}, watchTimeout));
    }
    if (reachable)
        changed();
}

void VirtualStore::loseWatches()
{
    for (auto &[id, watching] : m_watches)
        watching.ending.armIn(m_server.messageDelay());
}

void VirtualStore::resumed()
{
    for (auto &[id, request] : m_requests)
        request.delivery.armIn(m_server.between(Duration{0}, requestTimeout));
    for (auto &[id, watching] : m_watches)
        watching.delivery.armIn(m_server.between(Duration{0}, requestTimeout));
}

void VirtualStore::answer(quint64 id, std::function<void()> deliver)
{
    const auto found = m_requests.find(id);
    if (found == m_requests.end())
        return;
    found->second.deliver = std::move(deliver);
    found->second.delivery.arm(m_node.now());
}

void VirtualStore::changed()
{
    for (auto &[id, watching] : m_watches) {
        if (!watching.delivery.isArmed())
            watching.delivery.armIn(m_server.messageDelay());
    }
}

void VirtualStore::pump(quint64 id)
{
    Watching &watching = m_watches.at(id);
    if (!m_reachable)
        return;
    FleetWatchEvent event{.kind = FleetWatchEvent::Kind::Compacted};
    event.error = QStringLiteral("the revision was compacted");
    if (!m_server.isForgotten(watching.position)) {
        event = m_server.changesAfter(watching.position, watching.prefix);
        watching.position = event.revision;
        if (event.records.empty() && event.deleted.empty())
            return;
    }
    // The callback may end the watch.
    const QPointer<QObject> context = watching.context;
    const WatchCallback callback = watching.callback;
    if (event.kind != FleetWatchEvent::Kind::Changes)
        m_watches.erase(id);
    if (context)
        callback(event);
}

void VirtualStore::end(quint64 id)
{
    const QPointer<QObject> context = m_watches.at(id).context;
    const WatchCallback callback = m_watches.at(id).callback;
    m_watches.erase(id);
    if (context)
        callback({.kind = FleetWatchEvent::Kind::Lost,
                  .error = QStringLiteral("the connection was lost")});
}

} // namespace Rekindle
