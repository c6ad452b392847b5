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
        FleetRecord &record = m_records[key];
        if (!value)
            record = {};
        else if (record.createRevision == 0)
            record.createRevision = m_revision;
        record.key = key;
        record.value = value.value_or(QByteArray());
        record.modRevision = m_revision;
    }
    for (VirtualStore *client : m_clients)
        client->changed();
    if (m_observer)
        m_observer(transaction);
    return {.outcome = Outcome::Applied, .revision = m_revision};
}

FleetReadResult VirtualStoreServer::read(const QByteArray &prefix) const
{
    std::vector<FleetRecord> records = changesAfter(0, prefix).records;
    std::erase_if(records, [](const FleetRecord &each) { return each.createRevision == 0; });
    return {.known = true, .records = std::move(records), .revision = m_revision};
}

FleetWatchEvent VirtualStoreServer::changesAfter(qint64 revision, const QByteArray &prefix) const
{
    FleetWatchEvent event{.kind = FleetWatchEvent::Kind::Changes, .revision = m_revision};
    for (const auto &[key, record] : m_records) {
        if (record.modRevision > revision && key.startsWith(prefix))
            event.records.push_back(record.createRevision != 0 ? record : FleetRecord{.key = key});
    }
    return event;
}

bool VirtualStoreServer::holds(const FleetTransaction::Comparison &comparison) const
{
    const auto found = m_records.find(comparison.key);
    if (found == m_records.end() || found->second.createRevision == 0)
        return comparison.expected == 0;
    const FleetRecord &record = found->second;
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
    const auto place =
        m_messages.try_emplace(id, m_scheduler, [this, id, action = std::move(action)] {
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

class VirtualStore::VirtualWatch final : public FleetStore::Watch
{
public:
    VirtualWatch(VirtualStore &store, QByteArray prefix, qint64 position, QObject *context,
                 WatchCallback callback)
        : delivery(store.m_node, [this] { deliver(); })
        , ending(store.m_node, [this] { report({}); })
        , m_store(&store)
        , m_prefix(std::move(prefix))
        , m_position(position)
        , m_context(context)
        , m_callback(std::move(callback))
    {
        store.m_watches.push_back(this);
    }
    ~VirtualWatch() override { end(); }
    Q_DISABLE_COPY_MOVE(VirtualWatch)

    Deadline delivery;
    Deadline ending;

private:
    void end()
    {
        if (m_store)
            std::erase(m_store->m_watches, this);
        delivery.disarm();
        ending.disarm();
    }

    void deliver()
    {
        if (!m_store || !m_store->m_reachable)
            return;
        const VirtualStoreServer &server = m_store->m_server;
        if (m_position < server.m_compacted) {
            report({.kind = FleetWatchEvent::Kind::Compacted});
            return;
        }
        const FleetWatchEvent event = server.changesAfter(m_position, m_prefix);
        m_position = event.revision;
        if (!event.records.empty())
            report(event);
    }

    void report(const FleetWatchEvent &event)
    {
        if (event.kind != FleetWatchEvent::Kind::Changes)
            end();
        // The callback may destroy this object.
        const WatchCallback callback = m_callback;
        if (m_store && m_context)
            callback(event);
    }

    QPointer<VirtualStore> m_store;
    QByteArray m_prefix;
    qint64 m_position;
    QPointer<QObject> m_context;
    WatchCallback m_callback;
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
    const quint64 id = ++m_lastRequest;
    const auto result = std::make_shared<Result>();
    result->error = QStringLiteral("no response in time");
    const auto finish = [this, id, result, guard = QPointer<QObject>(context),
                         callback = std::move(callback)] {
        const auto finished = m_requests.extract(id);
        if (guard)
            callback(*result);
    };
    m_requests.try_emplace(id, m_node, finish).first->second.armIn(requestTimeout);
    m_server.receive(m_reachable,
                     [&server = m_server, store = QPointer<VirtualStore>(this), id, result,
                      perform = std::move(perform)](bool isOnTime) {
                         const Result response = perform(server);
                         if (!isOnTime || server.draw(server.m_faults.lost))
                             return;
                         server.post(server.messageDelay(), [store, id, result, response] {
                             if (!store || !store->m_reachable || !store->m_requests.contains(id))
                                 return;
                             *result = response;
                             store->m_requests.at(id).armIn(Duration{0});
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
    request<FleetCommitResult>(
        context, std::move(callback),
        [transaction](VirtualStoreServer &server) { return server.commit(transaction); });
}

std::unique_ptr<FleetStore::Watch> VirtualStore::watch(const QByteArray &prefix,
                                                       qint64 afterRevision, QObject *context,
                                                       WatchCallback callback)
{
    auto watch =
        std::make_unique<VirtualWatch>(*this, prefix, afterRevision, context, std::move(callback));
    watch->delivery.armIn(m_server.messageDelay());
    if (!m_reachable)
        watch->ending.armIn(requestTimeout);
    return watch;
}

void VirtualStore::setReachable(bool reachable)
{
    m_reachable = reachable;
    for (VirtualWatch *watch : m_watches) {
        if (reachable)
            watch->ending.disarm();
        else
            watch->ending.armIn(m_server.between(Duration{0}, watchTimeout));
    }
    if (reachable)
        changed();
}

void VirtualStore::loseWatches()
{
    for (VirtualWatch *watch : m_watches)
        watch->ending.armIn(m_server.messageDelay());
}

void VirtualStore::resumed()
{
    for (auto &[id, request] : m_requests)
        request.armIn(m_server.between(Duration{0}, requestTimeout));
    for (VirtualWatch *watch : m_watches)
        watch->delivery.armIn(m_server.between(Duration{0}, requestTimeout));
}

void VirtualStore::changed()
{
    for (VirtualWatch *watch : m_watches) {
        if (!watch->delivery.isArmed())
            watch->delivery.armIn(m_server.messageDelay());
    }
}

} // namespace Rekindle
