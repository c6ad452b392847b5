// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/timelinepaint.h>

#include <QHash>
#include <QObject>
#include <QPointer>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>

namespace Rekindle {

class AgentSource;

/// Collects the events of a source for a timeline, and holds the visible span. Events emit no
/// signal, because they can be many: a view compares TimelineRow::revision() with each frame. Use
/// the object from one thread.
class REKINDLE_MODELS_EXPORT TimelineModel : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds leastSpan{10};
    static constexpr std::chrono::milliseconds greatestSpan{std::chrono::hours(24 * 3660)};

    /// For the limit of entries, see TimelineData.
    explicit TimelineModel(QObject *parent = nullptr,
                           std::size_t limit = TimelineData::defaultLimit);
    ~TimelineModel() override;

    [[nodiscard]] const TimelineData &data() const { return m_data; }

    /// Shows the agents of a source: replaces all rows by those of its agents with their states,
    /// and adds its events. The source may be deleted first; then there are no rows. Null: the rows
    /// are those that the functions below add.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const;

    /// Adds an empty row if the agent has none. Returns the index of its row.
    int addAgent(const QUuid &instanceId, const QString &name);
    /// Removes the row of an agent with its history.
    void removeAgent(const QUuid &instanceId);
    /// Removes all rows.
    void clear();
    /// Adds an event at EventHeader::time. An unknown agent gets a row.
    void add(const QUuid &instanceId, const QString &name, const LifecycleEvent &event);

    /// Returns the text of the event of a mark, see eventText(); empty if it is too old. The texts
    /// of the newest 10,000 events are stored.
    [[nodiscard]] QString text(const TimelineRow::Mark &mark) const
    {
        return m_texts.value(mark.event);
    }

    /// Adds the marks that time alone causes. Call it before each frame.
    void advance(UtcTime now);

    /// The visible time, limited to [leastSpan, greatestSpan]. Default: 10 minutes.
    [[nodiscard]] std::chrono::milliseconds span() const { return m_span; }
    void setSpan(std::chrono::milliseconds span);
    /// Whether the view moves with the current time, which is at 7/8 of its width: the rest shows
    /// the future. Default: true.
    [[nodiscard]] bool follow() const { return !m_from.has_value(); }
    /// Sets the time at the left edge and ends follow; nothing: begins follow.
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
    void replaceAgents();
    void addFromSource(const QUuid &instanceId);
    void addMissedState(const QUuid &instanceId);
    void addFromSource(const LifecycleEvent &event);

    const std::size_t m_limit;
    TimelineData m_data;
    QPointer<AgentSource> m_source;
    QHash<quint64, QString> m_texts; ///< by EventHeader::sequence
    std::deque<quint64> m_textOrder;
    std::chrono::milliseconds m_span{std::chrono::minutes(10)};
    std::optional<UtcTime> m_from; ///< empty: follows
};

} // namespace Rekindle
