// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentevent.h>

#include <QAbstractTableModel>
#include <QStringList>

#include <memory>

namespace Rekindle {

class AgentSource;

/// The newest events of a source as a table, oldest first. Older rows are removed in batches. The
/// events of one pass of the event loop are inserted together. Use the object from the thread of
/// the source.
class REKINDLE_MODELS_EXPORT EventModel : public QAbstractTableModel
{
    Q_OBJECT
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(QStringList agents READ agents WRITE setAgents NOTIFY filterChanged)
    Q_PROPERTY(QStringList types READ types WRITE setTypes NOTIFY filterChanged)
    Q_PROPERTY(Rekindle::AgentEvent::Severity leastSeverity READ leastSeverity WRITE
                   setLeastSeverity NOTIFY filterChanged)
    Q_PROPERTY(bool paused READ isPaused WRITE setPaused NOTIFY pausedChanged)
    Q_PROPERTY(qsizetype pending READ pendingCount NOTIFY pendingChanged)

public:
    enum Column {
        Time, ///< local time with milliseconds
        Agent,
        Type, ///< see eventType()
        Severity,
        Text,
        ColumnCount,
    };
    Q_ENUM(Column)

    enum Role {
        TimeRole = Qt::UserRole, ///< QDateTime
        AgentRole,
        TypeRole,
        SeverityRole,   ///< AgentEvent::Severity as an int
        TextRole,       ///< "eventText" in QML, where Text.text would hide "text"
        InstanceIdRole, ///< QUuid
    };
    Q_ENUM(Role)

    static constexpr qsizetype defaultCapacity = 10'000;

    /// Stores at most `capacity` events, at least 1, also those that the filter does not select.
    /// Without a source, there are no events.
    explicit EventModel(qsizetype capacity = defaultCapacity, QObject *parent = nullptr);
    explicit EventModel(AgentSource &source, qsizetype capacity = defaultCapacity,
                        QObject *parent = nullptr);
    ~EventModel() override;

    /// Removes all events, and adds those of this source from now on; null: none. If the source is
    /// destroyed, the events remain.
    void setSource(AgentSource *source);
    /// Returns the source; null if there is none, or after it was destroyed.
    [[nodiscard]] AgentSource *source() const;

    /// Selects the events of these agents; empty: of all.
    void setAgents(const QStringList &agents);
    [[nodiscard]] QStringList agents() const;
    /// Selects the events of these types, see eventTypes(); empty: all.
    void setTypes(const QStringList &types);
    [[nodiscard]] QStringList types() const;
    /// Selects the events with at least this severity.
    void setLeastSeverity(AgentEvent::Severity severity);
    [[nodiscard]] AgentEvent::Severity leastSeverity() const;

    /// While the model is paused, only the filter changes rows. Events of this time are added after
    /// the pause, at most the newest `capacity`.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const;
    /// Returns the number of selected events that are added after the pause.
    [[nodiscard]] qsizetype pendingCount() const;

    /// Removes all events.
    void clear();

    /// Returns the event of a row, which must exist.
    [[nodiscard]] const AgentEvent &eventAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void filterChanged();
    void pausedChanged();
    void pendingChanged();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
