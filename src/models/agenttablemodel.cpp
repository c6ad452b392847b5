// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/agenttablemodel.h>
#include <rekindle/lifecycle/featuregate.h>

#include <QHash>
#include <QMetaEnum>
#include <QPointer>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

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
    void emitRows(int first, int last) const;
    [[nodiscard]] QVariant shown(const AgentSnapshot &snapshot, int column) const;
    [[nodiscard]] QVariant sorted(const AgentSnapshot &snapshot, int column) const;
    [[nodiscard]] std::optional<Duration> untilStart(const AgentSnapshot &snapshot) const;
    [[nodiscard]] std::optional<Duration> uptime(const AgentSnapshot &snapshot) const;

    AgentTableModel *const q;
    AgentSupervisor &supervisor;
    QList<QUuid> rows;
    QHash<QUuid, int> rowOf;

    std::vector<int> changedRows; ///< in this pass of the event loop; may contain a row repeatedly
    bool isEmissionQueued = false;
    quint64 removals = 0; ///< each one changes the numbers of rows
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
    ++removals;
    rows.removeAt(row);
    rowOf.remove(id);
    for (int later = row; later < rows.size(); ++later)
        rowOf[rows[later]] = later;
    std::erase(changedRows, row);
    for (int &changed : changedRows)
        changed -= changed > row ? 1 : 0;
    q->endRemoveRows();
}

void AgentTableModel::Private::markChanged(const QUuid &id)
{
    const int row = rowOf.value(id, -1);
    if (row < 0)
        return;
    if (!isEmissionQueued) {
        isEmissionQueued = true;
        QMetaObject::invokeMethod(q, [this] { emitChanged(); }, Qt::QueuedConnection);
    }
    if (changedRows.empty() || changedRows.back() != row) // most agents emit several events at once
        changedRows.push_back(row);
}

void AgentTableModel::Private::emitChanged()
{
    isEmissionQueued = false;
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
    case Health:
        return toText(snapshot.health.state);
    case ProcessId:
        return snapshot.processId == 0 ? QVariant() : snapshot.processId;
    case Policy:
        return toText(supervisor.policyEvaluator().policy(snapshot.instanceId).type);
    case Tier:
        return toText(supervisor.featureGate().tier());
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
    connect(&supervisor, &AgentSupervisor::aboutToBeDestroyed, this, [this] {
        beginResetModel();
        ++d->removals;
        d->rows.clear();
        d->rowOf.clear();
        d->changedRows.clear();
        endResetModel();
    });
    connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::lifecycleEvent, this,
            [this](const LifecycleEvent &event) { d->markChanged(header(event).instanceId); });
    connect(&supervisor, &AgentSupervisor::policyChanged, this,
            [this](const QUuid &id) { d->markChanged(id); });
    connect(&supervisor, &AgentSupervisor::stateChanged, this,
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
    const int column = role < ColumnRole ? index.column() : role - int{ColumnRole};
    if (role != Qt::DisplayRole && role < SortRole)
        return {};
    const std::optional<AgentSnapshot> snapshot = d->supervisor.snapshot(id);
    if (!snapshot)
        return {};
    if (role == SortRole)
        return d->sorted(*snapshot, index.column());
    return d->shown(*snapshot, column);
}

QVariant AgentTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    static const QStringList titles = {
        QStringLiteral("Agent"),   QStringLiteral("State"),        QStringLiteral("Generation"),
        QStringLiteral("Attempt"), QStringLiteral("Next start"),   QStringLiteral("Breaker"),
        QStringLiteral("Uptime"),  QStringLiteral("Last failure"), QStringLiteral("Health"),
        QStringLiteral("Process"), QStringLiteral("Policy"),       QStringLiteral("License tier")};
    return section >= 0 && section < ColumnCount ? QVariant(titles[section]) : QVariant();
}

QHash<int, QByteArray> AgentTableModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractTableModel::roleNames();
    names.insert(InstanceIdRole, "instanceId");
    names.insert(SortRole, "sortValue");
    const auto columns = QMetaEnum::fromType<Column>();
    for (int column = 0; column < ColumnCount; ++column) {
        QByteArray name = columns.valueToKey(column);
        name[0] = static_cast<char>(std::tolower(name[0]));
        names.insert(ColumnRole + column, name);
    }
    return names;
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
