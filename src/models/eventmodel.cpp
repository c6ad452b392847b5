// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agentsource.h>
#include <rekindle/models/eventmodel.h>

#include <QDateTime>
#include <QPointer>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace Rekindle {

class EventModel::Private
{
public:
    Private(EventModel *model, qsizetype most)
        : q(model)
        , capacity(static_cast<std::size_t>(std::max<qsizetype>(most, 1)))
    {
    }

    [[nodiscard]] bool isSelected(const AgentEvent &event) const;
    void receive(AgentEvent event);
    void queueUpdate();
    void update();
    void removeOldest(std::size_t count);
    void selectAgain();
    /// Changes a part of the filter.
    template<typename T>
    void change(T &part, const T &value)
    {
        if (part == value)
            return;
        part = value;
        const QPointer<EventModel> alive(q);
        selectAgain();
        if (alive)
            Q_EMIT q->filterChanged();
        if (alive)
            Q_EMIT q->pendingChanged();
    }

    EventModel *const q;
    const std::size_t capacity;
    QStringList agents;
    QStringList types;
    AgentEvent::Severity leastSeverity = AgentEvent::Severity::Info;
    bool isPaused = false;

    std::deque<AgentEvent> events;  ///< the newest, selected or not
    quint64 first = 0;              ///< number of events that were removed before them
    std::deque<quint64> rows;       ///< the numbers of the selected events
    std::deque<AgentEvent> pending; ///< received since the last update
    bool isUpdateQueued = false;
    QPointer<AgentSource> source;
};

bool EventModel::Private::isSelected(const AgentEvent &event) const
{
    return event.severity >= leastSeverity && (agents.isEmpty() || agents.contains(event.agent))
        && (types.isEmpty() || types.contains(event.type));
}

void EventModel::Private::receive(AgentEvent event)
{
    pending.push_back(std::move(event));
    if (pending.size() > capacity)
        pending.pop_front();
    queueUpdate();
}

void EventModel::Private::queueUpdate()
{
    if (isUpdateQueued)
        return;
    isUpdateQueued = true;
    QMetaObject::invokeMethod(
        q,
        [this] {
            isUpdateQueued = false;
            if (isPaused)
                Q_EMIT q->pendingChanged();
            else
                update();
        },
        Qt::QueuedConnection);
}

void EventModel::Private::update()
{
    if (isPaused || pending.empty())
        return;
    const QPointer<EventModel> alive(q);
    // A tenth more than necessary, so that a full model does not remove rows in each pass.
    const std::size_t total = events.size() + pending.size();
    if (total > capacity)
        removeOldest(std::min(events.size(), total - capacity + capacity / 10));
    if (!alive)
        return;
    std::deque<AgentEvent> fresh = std::exchange(pending, {});
    const auto count = std::count_if(fresh.begin(), fresh.end(),
                                     [this](const AgentEvent &each) { return isSelected(each); });
    const auto row = static_cast<int>(rows.size());
    if (count > 0)
        q->beginInsertRows({}, row, row + static_cast<int>(count) - 1);
    for (AgentEvent &each : fresh) {
        if (isSelected(each))
            rows.push_back(first + events.size());
        events.push_back(std::move(each));
    }
    if (count > 0)
        q->endInsertRows();
}

void EventModel::Private::removeOldest(std::size_t count)
{
    const quint64 end = first + count;
    const auto kept = std::lower_bound(rows.begin(), rows.end(), end);
    const auto removed = static_cast<int>(kept - rows.begin());
    if (removed > 0)
        q->beginRemoveRows({}, 0, removed - 1);
    rows.erase(rows.begin(), kept);
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count));
    first = end;
    if (removed > 0)
        q->endRemoveRows();
}

void EventModel::Private::selectAgain()
{
    q->beginResetModel();
    rows.clear();
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (isSelected(events[i]))
            rows.push_back(first + i);
    }
    q->endResetModel();
}

namespace {

QDateTime timeOf(const AgentEvent &event)
{
    return QDateTime::fromMSecsSinceEpoch(event.time.time_since_epoch().count());
}

QString severityText(AgentEvent::Severity severity)
{
    switch (severity) {
    case AgentEvent::Severity::Info:
        return EventModel::tr("Info");
    case AgentEvent::Severity::Warning:
        return EventModel::tr("Warning");
    case AgentEvent::Severity::Error:
        return EventModel::tr("Error");
    }
    return {};
}

QVariant shownEvent(const AgentEvent &event, int column)
{
    switch (column) {
    case EventModel::Time:
        return toLocalText(event.time);
    case EventModel::Agent:
        return event.agent;
    case EventModel::Type:
        return event.type;
    case EventModel::Severity:
        return severityText(event.severity);
    default:
        return event.text;
    }
}

} // namespace

EventModel::EventModel(qsizetype capacity, QObject *parent)
    : QAbstractTableModel(parent)
    , d(std::make_unique<Private>(this, capacity))
{
}

EventModel::EventModel(AgentSource &source, qsizetype capacity, QObject *parent)
    : EventModel(capacity, parent)
{
    setSource(&source);
}

EventModel::~EventModel() = default;

void EventModel::setSource(AgentSource *source)
{
    if (source == d->source)
        return;
    if (d->source)
        disconnect(d->source, nullptr, this, nullptr);
    d->source = source;
    if (source != nullptr)
        connect(source, &AgentSource::eventReceived, this,
                [this](const AgentEvent &event) { d->receive(event); });
    clear();
}

AgentSource *EventModel::source() const { return d->source; }

void EventModel::setAgents(const QStringList &agents) { d->change(d->agents, agents); }

QStringList EventModel::agents() const { return d->agents; }

void EventModel::setTypes(const QStringList &types) { d->change(d->types, types); }

QStringList EventModel::types() const { return d->types; }

void EventModel::setLeastSeverity(AgentEvent::Severity severity)
{
    d->change(d->leastSeverity, severity);
}

AgentEvent::Severity EventModel::leastSeverity() const { return d->leastSeverity; }

void EventModel::setPaused(bool paused)
{
    if (std::exchange(d->isPaused, paused) == paused)
        return;
    const QPointer<EventModel> alive(this);
    d->update();
    if (alive)
        Q_EMIT pausedChanged();
    if (alive)
        Q_EMIT pendingChanged();
}

bool EventModel::isPaused() const { return d->isPaused; }

qsizetype EventModel::pendingCount() const
{
    return d->isPaused
        ? std::count_if(d->pending.begin(), d->pending.end(),
                        [this](const AgentEvent &each) { return d->isSelected(each); })
        : 0;
}

void EventModel::clear()
{
    beginResetModel();
    d->first += d->events.size();
    d->events.clear();
    d->pending.clear();
    d->rows.clear();
    endResetModel();
    Q_EMIT pendingChanged();
}

const AgentEvent &EventModel::eventAt(int row) const
{
    return d->events[static_cast<std::size_t>(d->rows[static_cast<std::size_t>(row)] - d->first)];
}

int EventModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(d->rows.size());
}

int EventModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const AgentEvent &shown = eventAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return shownEvent(shown, index.column());
    case Qt::ToolTipRole:
        // An agent may have written it. As rich text, views wrap it.
        return QString(QLatin1String("<qt>") + shown.text.toHtmlEscaped() + QLatin1String("</qt>"));
    case Qt::AccessibleTextRole:
        return tr("%1, %2: %3").arg(severityText(shown.severity), shown.agent, shown.text);
    case TimeRole:
        return timeOf(shown);
    case AgentRole:
        return shown.agent;
    case TypeRole:
        return shown.type;
    case SeverityRole:
        return static_cast<int>(shown.severity);
    case TextRole:
        return shown.text;
    case InstanceIdRole:
        return shown.instanceId;
    default:
        return {};
    }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    static constexpr std::array titles = {QT_TR_NOOP("Time"), QT_TR_NOOP("Agent"),
                                          QT_TR_NOOP("Type"), QT_TR_NOOP("Severity"),
                                          QT_TR_NOOP("Event")};
    return tr(titles[static_cast<std::size_t>(section)]);
}

QHash<int, QByteArray> EventModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractTableModel::roleNames();
    names.insert({{Qt::AccessibleTextRole, "accessibleText"},
                  {TimeRole, "time"},
                  {AgentRole, "agent"},
                  {TypeRole, "type"},
                  {SeverityRole, "severity"},
                  {TextRole, "eventText"},
                  {InstanceIdRole, "instanceId"}});
    return names;
}

} // namespace Rekindle
