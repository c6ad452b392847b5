// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/agenttablemodel.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QHash>

#include <algorithm>
#include <limits>

namespace Rekindle {

class AgentTableModel::Private
{
public:
    Private(AgentTableModel *model, AgentSupervisor &theSupervisor)
        : q(model)
        , supervisor(theSupervisor)
    {
    }

    void insert(const QUuid &id);
    void remove(const QUuid &id);
    void markChanged(const QUuid &id);
    void emitChanged();
    [[nodiscard]] QVariant shown(const AgentSnapshot &snapshot, int column) const;
    [[nodiscard]] QVariant sorted(const AgentSnapshot &snapshot, int column) const;
    [[nodiscard]] std::optional<Duration> untilStart(const AgentSnapshot &snapshot) const;
    [[nodiscard]] std::optional<Duration> uptime(const AgentSnapshot &snapshot) const;

    AgentTableModel *const q;
    AgentSupervisor &supervisor;
    QList<QUuid> rows;
    QHash<QUuid, int> rowOf;

    // Changes of one pass of the event loop are emitted together.
    int firstChanged = std::numeric_limits<int>::max();
    int lastChanged = -1;
};

void AgentTableModel::Private::insert(const QUuid &id)
{
    if (!supervisor.agent(id)) // another slot removed it in the meantime
        return;
    const auto row = static_cast<int>(rows.size());
    q->beginInsertRows({}, row, row);
    rows.append(id);
    rowOf.insert(id, row);
    q->endInsertRows();
}

void AgentTableModel::Private::remove(const QUuid &id)
{
    const int row = rowOf.value(id, -1);
    if (row < 0)
        return;
    q->beginRemoveRows({}, row, row);
    rows.removeAt(row);
    rowOf.remove(id);
    for (int later = row; later < rows.size(); ++later)
        rowOf[rows[later]] = later;
    if (lastChanged >= 0) // changed rows may have moved up to this row
        firstChanged = std::min(firstChanged, row);
    q->endRemoveRows();
}

void AgentTableModel::Private::markChanged(const QUuid &id)
{
    const int row = rowOf.value(id, -1);
    if (row < 0)
        return;
    if (lastChanged < 0)
        QMetaObject::invokeMethod(
            q, [this] { emitChanged(); }, Qt::QueuedConnection);
    firstChanged = std::min(firstChanged, row);
    lastChanged = std::max(lastChanged, row);
}

void AgentTableModel::Private::emitChanged()
{
    const int first = std::exchange(firstChanged, std::numeric_limits<int>::max());
    const int last = std::min(std::exchange(lastChanged, -1), static_cast<int>(rows.size()) - 1);
    if (first <= last)
        Q_EMIT q->dataChanged(q->index(first, 0), q->index(last, ColumnCount - 1));
}

std::optional<Duration> AgentTableModel::Private::untilStart(const AgentSnapshot &snapshot) const
{
    if (!snapshot.nextStartAt)
        return {};
    return std::max(Duration{0}, *snapshot.nextStartAt - supervisor.scheduler().now());
}

std::optional<Duration> AgentTableModel::Private::uptime(const AgentSnapshot &snapshot) const
{
    if (!snapshot.startedAt)
        return {};
    return supervisor.scheduler().now() - *snapshot.startedAt;
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
    return QString::number(std::chrono::duration<double>(*duration).count(), 'f', 1)
        + QLatin1Char('s');
}

QVariant milliseconds(const std::optional<Duration> &duration)
{
    return duration ? QVariant(toMilliseconds(*duration)) : QVariant();
}

QString attempts(const AgentSnapshot &snapshot)
{
    return snapshot.maxRetries
        ? QStringLiteral("%1/%2").arg(snapshot.attempt).arg(*snapshot.maxRetries)
        : QString::number(snapshot.attempt);
}

QString reason(const AgentSnapshot &snapshot)
{
    if (!snapshot.lastFailure)
        return {};
    const QString &message = snapshot.lastFailure->detail.message;
    const QString name = toText(snapshot.lastFailure->reason);
    return message.isEmpty() ? name : name + QLatin1String(": ") + message;
}

} // namespace

QVariant AgentTableModel::Private::shown(const AgentSnapshot &snapshot, int column) const
{
    switch (column) {
    case Name:
        return snapshot.name;
    case State:
        return toText(snapshot.state);
    case Generation:
        return snapshot.generation;
    case Attempt:
        return attempts(snapshot);
    case NextStart:
        return displayText(untilStart(snapshot));
    case Breaker:
        return toText(snapshot.circuitBreaker.state);
    case Uptime:
        return displayText(uptime(snapshot));
    case LastReason:
        return reason(snapshot);
    default:
        return {};
    }
}

QVariant AgentTableModel::Private::sorted(const AgentSnapshot &snapshot, int column) const
{
    switch (column) {
    case Attempt:
        return snapshot.attempt;
    case NextStart:
        return milliseconds(untilStart(snapshot));
    case Uptime:
        return milliseconds(uptime(snapshot));
    default:
        return shown(snapshot, column);
    }
}

AgentTableModel::AgentTableModel(AgentSupervisor &supervisor, QObject *parent)
    : QAbstractTableModel(parent)
    , d(std::make_unique<Private>(this, supervisor))
{
    for (const QUuid &id : supervisor.ids())
        d->insert(id);
    connect(&supervisor, &AgentSupervisor::agentAdded, this,
            [this](const QUuid &id) { d->insert(id); });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this,
            [this](const QUuid &id) { d->remove(id); });
    connect(&supervisor.evaluator(), &RestartPolicyEvaluator::event, this,
            [this](const LifecycleEvent &event) { d->markChanged(header(event).instanceId); });
    connect(&supervisor.evaluator(), &RestartPolicyEvaluator::stateChanged, this,
            [this](const QUuid &id) { d->markChanged(id); });
}

AgentTableModel::~AgentTableModel() = default;

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
    const QUuid id = d->rows[index.row()];
    if (role == InstanceIdRole)
        return id;
    if (role != Qt::DisplayRole && role != SortRole)
        return {};
    const std::optional<AgentSnapshot> snapshot = d->supervisor.snapshot(id);
    if (!snapshot)
        return {};
    return role == SortRole ? d->sorted(*snapshot, index.column())
                            : d->shown(*snapshot, index.column());
}

QVariant AgentTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    static const QStringList titles = {
        QStringLiteral("Agent"),   QStringLiteral("State"),       QStringLiteral("Generation"),
        QStringLiteral("Attempt"), QStringLiteral("Next start"),  QStringLiteral("Breaker"),
        QStringLiteral("Uptime"),  QStringLiteral("Last failure")};
    return section >= 0 && section < ColumnCount ? QVariant(titles[section]) : QVariant();
}

void AgentTableModel::refresh()
{
    if (d->rows.isEmpty())
        return;
    const auto last = static_cast<int>(d->rows.size()) - 1;
    Q_EMIT dataChanged(index(0, NextStart), index(last, NextStart));
    Q_EMIT dataChanged(index(0, Uptime), index(last, Uptime));
}

} // namespace Rekindle
