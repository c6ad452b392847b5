// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/timelinepaint.h>

#include <QCache>
#include <QHash>
#include <QObject>
#include <QPointer>

#include <chrono>
#include <optional>

namespace Rekindle {

class AgentSource;

/// Collects the events of a source for a timeline, and stores the visible span. Because events can
/// be frequent, no signal is emitted for them: a view compares TimelineRow::revision() at each
/// frame. Use the object from one thread.
class REKINDLE_MODELS_EXPORT TimelineModel : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t defaultLimit = 5'000'000;
    static constexpr std::chrono::milliseconds leastSpan{10};
    static constexpr std::chrono::milliseconds greatestSpan{std::chrono::hours(24 * 3660)};

    /// If all rows together have more changes and marks than `limit` and a sixteenth of it, the
    /// oldest ones are dropped until `limit` is left. Each row retains its current state. At the
    /// default limit, the entries need at most 150 MB.
    explicit TimelineModel(QObject *parent = nullptr, std::size_t limit = defaultLimit);
    ~TimelineModel() override;

    /// Those of the agents that a source already has are in the order of their names. Later ones
    /// follow in the order in which they were added.
    [[nodiscard]] const std::vector<TimelineRow> &rows() const { return m_rows; }
    [[nodiscard]] int rowCount() const { return static_cast<int>(m_rows.size()); }
    /// `index` must be in [0, rowCount()).
    [[nodiscard]] const TimelineRow &row(int index) const
    {
        return m_rows[static_cast<std::size_t>(index)];
    }
    /// The index of an agent's row; -1 if there is none.
    [[nodiscard]] int indexOf(const QUuid &instanceId) const
    {
        return m_indexes.value(instanceId, -1);
    }
    /// The number of changes and marks of all rows.
    [[nodiscard]] std::size_t size() const { return m_size; }

    /// Replaces all rows with those of the agents of a source, with their states, and adds its
    /// events. If the source is destroyed first, all rows are removed. Null: only the functions
    /// below add rows.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const;

    /// Adds an empty row if the agent has none. Returns the index of its row.
    int addAgent(const QUuid &instanceId, const QString &name);
    /// Removes the row of an agent with its history.
    void removeAgent(const QUuid &instanceId);
    /// Removes all rows.
    void clear();
    /// Adds an event at EventHeader::time, see TimelineRow::add(). An unknown agent gets a row.
    void add(const QUuid &instanceId, const QString &name, const LifecycleEvent &event,
             const std::optional<RestartPolicy> &policy = {});

    /// Returns the text of the event of a mark, see eventText(); empty if it is too old. The texts
    /// of the newest 10,000 events are stored.
    [[nodiscard]] QString text(const TimelineRow::Mark &mark) const;

    /// Adds the marks of holds that have become long. Call it before each frame.
    void advance(UtcTime now);

    /// Returns the visible time, limited to [leastSpan, greatestSpan]. Default: 10 minutes.
    [[nodiscard]] std::chrono::milliseconds span() const { return m_span; }
    void setSpan(std::chrono::milliseconds span);
    /// Returns whether the view moves with the current time, which is at 7/8 of its width. The rest
    /// shows the future. Default: true.
    [[nodiscard]] bool follow() const { return !m_from.has_value(); }
    /// Sets the time at the left edge; then follow() is false. Empty: follow() is true.
    void setFrom(std::optional<UtcTime> from);
    [[nodiscard]] TimelinePaint::Frame frame(UtcTime now, int width, int firstRow,
                                             int rowCount) const;

Q_SIGNALS:
    /// Rows were added or removed, or the oldest entries were dropped: all rows can have changed.
    void reset();
    /// The span or the left edge has changed.
    void viewChanged();

private:
    template<typename Edit>
    void edit(int index, const Edit &change);
    void dropOldest();
    void updateIndexes(int first);
    void replaceAgents();
    void addFromSource(const QUuid &instanceId);
    void addMissedState(const QUuid &instanceId);
    void addEvent(const LifecycleEvent &event);

    const std::size_t m_limit;
    std::size_t m_greatestSize;
    std::size_t m_size = 0;
    std::vector<TimelineRow> m_rows;
    QHash<QUuid, int> m_indexes;
    QPointer<AgentSource> m_source;
    QCache<quint64, QString> m_texts; ///< by EventHeader::sequence
    std::chrono::milliseconds m_span{std::chrono::minutes(10)};
    std::optional<UtcTime> m_from; ///< empty: follows
};

} // namespace Rekindle
