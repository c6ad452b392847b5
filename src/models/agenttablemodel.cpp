// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/agentwords.h"
#include "models/internal/statewords.h"
#include "policy/internal/words.h"
#include "timedstatus_p.h"

#include <rekindle/models/agentsource.h>
#include <rekindle/models/agenttablemodel.h>

#include <QDateTime>
#include <QHash>
#include <QLocale>
#include <QMetaEnum>
#include <QPointer>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace Rekindle {

class AgentTableModel::Private
{
public:
    /// An agent, and what was read of it since its last change.
    struct Row
    {
        QUuid id{};
        std::optional<TimedStatus> cached{};
        quint64 refreshes = 0; ///< at that time
    };

    explicit Private(AgentTableModel *model)
        : q(model)
    {
    }

    void reset();
    void remove(const QUuid &id);
    void markChanged(const QUuid &id);
    void queueUpdate();
    void update();
    void insertAdded();
    void emitChanged();
    void emitRows(int first, int last) const;
    [[nodiscard]] const AgentStatus *statusOf(Row &row, bool isFresh) const;
    [[nodiscard]] QVariant shown(const AgentStatus &agent, int column) const;
    [[nodiscard]] QVariant sorted(const AgentStatus &agent, int column) const;

    AgentTableModel *const q;
    QPointer<AgentSource> source;
    std::vector<Row> rows;
    QHash<QUuid, int> rowOf;
    quint64 refreshes = 0;

    // In this pass of the event loop.
    QList<QUuid> added;
    std::vector<int> changedRows; ///< may contain a row repeatedly
    bool isUpdateQueued = false;
    quint64 removals = 0; ///< each one changes the numbers of rows
};

void AgentTableModel::Private::reset()
{
    q->beginResetModel();
    ++removals;
    rows.clear();
    rowOf.clear();
    added.clear();
    changedRows.clear();
    const QList<QUuid> ids = source ? source->ids() : QList<QUuid>();
    for (const QUuid &id : ids) {
        rowOf.insert(id, static_cast<int>(rows.size()));
        rows.push_back({.id = id});
    }
    q->endResetModel();
}

void AgentTableModel::Private::remove(const QUuid &id)
{
    added.removeAll(id);
    const int row = rowOf.value(id, -1);
    if (row < 0)
        return;
    q->beginRemoveRows({}, row, row);
    ++removals;
    rows.erase(rows.begin() + row);
    rowOf.remove(id);
    for (auto later = static_cast<std::size_t>(row); later < rows.size(); ++later)
        rowOf[rows[later].id] = static_cast<int>(later);
    std::erase(changedRows, row);
    for (int &changed : changedRows)
        changed -= changed > row ? 1 : 0;
    q->endRemoveRows();
}

void AgentTableModel::Private::queueUpdate()
{
    if (isUpdateQueued)
        return;
    isUpdateQueued = true;
    QMetaObject::invokeMethod(q, [this] { update(); }, Qt::QueuedConnection);
}

void AgentTableModel::Private::markChanged(const QUuid &id)
{
    const int row = rowOf.value(id, -1);
    if (row < 0)
        return;
    rows[static_cast<std::size_t>(row)].cached.reset();
    queueUpdate();
    if (changedRows.empty() || changedRows.back() != row) // most agents emit several events at once
        changedRows.push_back(row);
}

void AgentTableModel::Private::update()
{
    isUpdateQueued = false;
    const QPointer<AgentTableModel> alive(q);
    insertAdded();
    if (alive)
        emitChanged();
}

void AgentTableModel::Private::insertAdded()
{
    std::vector<Row> fresh;
    for (const QUuid &id : std::exchange(added, {})) {
        Row row{.id = id};
        // Another slot may have removed it before this model received that it was added.
        if (source && !rowOf.contains(id) && statusOf(row, false) != nullptr)
            fresh.push_back(std::move(row));
    }
    if (fresh.empty())
        return;
    const auto first = static_cast<int>(rows.size());
    q->beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
    for (Row &row : fresh) {
        rowOf.insert(row.id, static_cast<int>(rows.size()));
        rows.push_back(std::move(row));
    }
    q->endInsertRows();
}

void AgentTableModel::Private::emitChanged()
{
    std::vector<int> changed = std::exchange(changedRows, {});
    std::sort(changed.begin(), changed.end());
    const QPointer<AgentTableModel> alive(q);
    const quint64 before = removals;
    // Only ranges of rows that did change, because a proxy model examines each row of a range.
    for (std::size_t i = 0; i < changed.size();) {
        const int first = changed[i];
        int last = first;
        for (++i; i < changed.size() && changed[i] <= last + 1; ++i)
            last = changed[i];
        emitRows(first, last);
        if (!alive)
            return;
        if (removals != before) { // by a slot
            emitRows(0, static_cast<int>(rows.size()) - 1);
            return;
        }
    }
}

void AgentTableModel::Private::emitRows(int first, int last) const
{
    if (first <= last)
        Q_EMIT q->dataChanged(q->index(first, 0), q->index(last, ColumnCount - 1));
}

// `isFresh`: not older than the last refresh().
const AgentStatus *AgentTableModel::Private::statusOf(Row &row, bool isFresh) const
{
    if (!source)
        return nullptr;
    const Instant now = source->now();
    if (!row.cached || (isFresh && row.refreshes != refreshes)) {
        std::optional<AgentStatus> agent = source->agent(row.id);
        if (!agent)
            return nullptr;
        row.cached = TimedStatus{std::move(*agent), now};
        row.refreshes = refreshes;
    }
    row.cached->moveTo(now);
    return &row.cached->status;
}

namespace {

// Whole seconds, or tenths below a minute.
QString displayText(const std::optional<Duration> &duration)
{
    if (!duration)
        return {};
    if (*duration >= std::chrono::minutes(1)) {
        const auto whole = std::chrono::floor<std::chrono::seconds>(*duration).count();
        return whole >= 3600 ? QStringLiteral("%1h%2m").arg(whole / 3600).arg(whole % 3600 / 60)
                             : QStringLiteral("%1m%2s").arg(whole / 60).arg(whole % 60);
    }
    const double seconds = std::chrono::duration<double>(*duration).count();
    return Words::number(QString::number(seconds, 'f', 1)) + QLatin1Char('s');
}

// A start that is due and held has a time in the past.
std::optional<Duration> untilStart(const AgentStatus &agent)
{
    return agent.nextStartIn ? std::optional(std::max(*agent.nextStartIn, Duration{0}))
                             : std::nullopt;
}

QString attempts(const AgentStatus &agent)
{
    return agent.maxRetries ? QStringLiteral("%1/%2").arg(agent.attempt).arg(*agent.maxRetries)
                            : QString::number(agent.attempt);
}

template<typename T>
QVariant variantOf(const std::optional<T> &value)
{
    return value ? QVariant::fromValue(*value) : QVariant();
}

QVariant milliseconds(const std::optional<Duration> &duration)
{
    return duration ? QVariant(toMilliseconds(*duration)) : QVariant();
}

QVariant startTime(const AgentStatus &agent, UtcTime now)
{
    if (!agent.uptime)
        return {};
    return QDateTime::fromMSecsSinceEpoch(now.time_since_epoch().count(), Qt::UTC)
        .addMSecs(-static_cast<qint64>(toMilliseconds(*agent.uptime)));
}

QVariant stateNumber(const AgentStatus &agent)
{
    const std::optional<InstanceState> state = knownState(agent);
    return state ? QVariant(static_cast<int>(*state)) : QVariant();
}

// Durations are texts with units: aligned to the right, they would touch the next column.
bool isNumber(int column)
{
    using enum AgentTableModel::Column;
    return column == Generation || column == Attempt || column == ProcessId || column == Memory;
}

// What can change without an event.
bool changesWithTime(int column)
{
    return column >= AgentTableModel::Detail && column <= AgentTableModel::Memory;
}

// An int, because the views of some Qt versions do not read a Qt::Alignment.
QVariant alignment(int column)
{
    const Qt::Alignment sides = isNumber(column) ? Qt::AlignRight : Qt::AlignLeft;
    return (sides | Qt::AlignVCenter).toInt();
}

} // namespace

QVariant AgentTableModel::Private::shown(const AgentStatus &agent, int column) const
{
    switch (column) {
    case Name:
        return agent.agent;
    case State:
        return StateWords::ofState(agent.state);
    case Generation:
        return agent.generation;
    case Attempt:
        return attempts(agent);
    case NextStart:
        return displayText(untilStart(agent));
    case Breaker:
        return agent.breaker ? StateWords::ofState(agent.breaker->state) : QString();
    case Uptime:
        return displayText(agent.uptime);
    case LastReason:
        return lastFailureText(agent);
    case Health:
        return StateWords::ofState(agent.health.state);
    case ProcessId:
        return variantOf(agent.processId);
    case Policy: {
        const std::optional<RestartPolicy> policy = source->policy(agent.instanceId);
        return policy ? toText(policy->type) : QString();
    }
    case Tier: {
        const std::optional<LicenseTier> tier = source->tier();
        return tier ? toText(*tier) : QString();
    }
    case Group:
        return agent.group;
    case Detail:
        return detailText(agent);
    case Cpu:
        return agent.cpuTime ? readable(*agent.cpuTime) : QString();
    case Memory:
        return agent.memoryBytes ? QLocale().formattedDataSize(*agent.memoryBytes) : QString();
    default:
        return {};
    }
}

QVariant AgentTableModel::Private::sorted(const AgentStatus &agent, int column) const
{
    switch (column) {
    case Attempt:
        return agent.attempt;
    case NextStart:
        return milliseconds(untilStart(agent));
    case Uptime:
        return milliseconds(agent.uptime);
    case Cpu:
        return milliseconds(agent.cpuTime);
    case Memory:
        return variantOf(agent.memoryBytes);
    default:
        return shown(agent, column);
    }
}

AgentTableModel::AgentTableModel(QObject *parent)
    : QAbstractTableModel(parent)
    , d(std::make_unique<Private>(this))
{
}

AgentTableModel::AgentTableModel(AgentSource &source, QObject *parent)
    : AgentTableModel(parent)
{
    setSource(&source);
}

AgentTableModel::~AgentTableModel() = default;

void AgentTableModel::setSource(AgentSource *source)
{
    if (source == d->source)
        return;
    if (d->source)
        d->source->disconnect(this);
    d->source = source;
    d->reset();
    if (source == nullptr)
        return;
    connect(source, &AgentSource::agentAdded, this, [this](const QUuid &id) {
        d->added.append(id);
        d->queueUpdate();
    });
    connect(source, &AgentSource::agentRemoved, this, [this](const QUuid &id) { d->remove(id); });
    connect(source, &AgentSource::agentChanged, this,
            [this](const QUuid &id) { d->markChanged(id); });
    connect(source, &AgentSource::reset, this, [this] { d->reset(); });
    connect(source, &QObject::destroyed, this, [this] { d->reset(); });
}

AgentSource *AgentTableModel::source() const { return d->source; }

int AgentTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(d->rows.size());
}

int AgentTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AgentTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    Private::Row &row = d->rows[static_cast<std::size_t>(index.row())];
    const int column = role < ColumnRole ? index.column() : role - int{ColumnRole};
    if (role == InstanceIdRole)
        return row.id;
    if (role == Qt::TextAlignmentRole)
        return alignment(column);
    const bool isSentence = role == Qt::ToolTipRole || role == Qt::AccessibleTextRole;
    if (role != Qt::DisplayRole && role < SortRole && !isSentence)
        return {};
    const AgentStatus *const agent = d->statusOf(row, isSentence || changesWithTime(column));
    if (agent == nullptr)
        return {};
    switch (role) {
    case Qt::ToolTipRole:
        return StateWords::toolTip(*agent);
    case Qt::AccessibleTextRole:
        return StateWords::spoken(*agent);
    case SortRole:
        return d->sorted(*agent, column);
    case AgentStateRole:
        return stateNumber(*agent);
    case HoldsRole:
        return agent->holdTexts;
    case SinceRole:
        return startTime(*agent, d->source->utcNow());
    case TagsRole:
        return agent->tags;
    default:
        return d->shown(*agent, column);
    }
}

QVariant AgentTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    if (role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    static constexpr std::array titles = {
        QT_TR_NOOP("Agent"),   QT_TR_NOOP("State"),        QT_TR_NOOP("Generation"),
        QT_TR_NOOP("Attempt"), QT_TR_NOOP("Next start"),   QT_TR_NOOP("Breaker"),
        QT_TR_NOOP("Uptime"),  QT_TR_NOOP("Last failure"), QT_TR_NOOP("Health"),
        QT_TR_NOOP("Process"), QT_TR_NOOP("Policy"),       QT_TR_NOOP("License tier"),
        QT_TR_NOOP("Group"),   QT_TR_NOOP("Detail"),       QT_TR_NOOP("CPU time"),
        QT_TR_NOOP("Memory")};
    static_assert(titles.size() == ColumnCount);
    return tr(titles[static_cast<std::size_t>(section)]);
}

QHash<int, QByteArray> AgentTableModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractTableModel::roleNames();
    names.insert(Qt::TextAlignmentRole, "textAlignment");
    names.insert(Qt::AccessibleTextRole, "accessibleText");
    names.insert(InstanceIdRole, "instanceId");
    names.insert(SortRole, "sortValue");
    names.insert(AgentStateRole, "agentState");
    names.insert(HoldsRole, "holds");
    names.insert(SinceRole, "since");
    names.insert(TagsRole, "tags");
    const auto columns = QMetaEnum::fromType<Column>();
    for (int column = 0; column < ColumnCount; ++column) {
        QByteArray name = columns.valueToKey(column);
        name[0] = static_cast<char>(std::tolower(name[0]));
        names.insert(ColumnRole + column, column == State ? "stateText" : name);
    }
    return names;
}

void AgentTableModel::refresh()
{
    ++d->refreshes;
    const QPointer<AgentTableModel> alive(this);
    for (const auto &[first, last] :
         {std::pair(NextStart, NextStart), std::pair(Uptime, Uptime), std::pair(Detail, Memory)}) {
        if (alive.isNull() || d->rows.empty())
            return;
        Q_EMIT dataChanged(index(0, first), index(static_cast<int>(d->rows.size()) - 1, last));
    }
}

} // namespace Rekindle
