// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>

#include <QFont>
#include <QQuickPaintedItem>

#include <memory>

namespace Rekindle {

class SourceProperty;
class TimelineCanvas;

/// The states of all agents over time, as in TimelineView: the same painting, mouse, wheel and
/// keys. The item gets the keyboard focus when it is pressed.
class TimelineItem : public QQuickPaintedItem
{
    Q_OBJECT
    /// A Supervisor, a RemoteHost or an AgentSource. If it is destroyed first, all rows are
    /// removed.
    Q_PROPERTY(QObject *source READ sourceObject WRITE setSourceObject NOTIFY sourceChanged)
    /// The visible time in milliseconds, limited as in TimelineModel::setSpan().
    Q_PROPERTY(double span READ span WRITE setSpan NOTIFY viewChanged)
    /// Whether the view moves with the current time.
    Q_PROPERTY(bool follow READ follow WRITE setFollow NOTIFY viewChanged)
    /// Whether the view shows what is planned.
    Q_PROPERTY(bool showFuture READ showsFuture WRITE setShowFuture NOTIFY viewChanged)
    /// The agent of the selected row; null if none is selected.
    Q_PROPERTY(
        QUuid currentAgent READ currentAgent WRITE setCurrentAgent NOTIFY currentAgentChanged)
    /// A text about the selected row and mark, for Accessible.description.
    Q_PROPERTY(QString description READ description NOTIFY descriptionChanged)
    /// A plain text about the row or mark below the mouse, for ToolTip.text; it may be empty.
    Q_PROPERTY(QString hoveredText READ hoveredText NOTIFY hoveredTextChanged)
    /// The first visible row; it is limited to [0, lastFirstRow].
    Q_PROPERTY(int firstRow READ firstRow WRITE setFirstRow NOTIFY rowsScrolled)
    Q_PROPERTY(int lastFirstRow READ lastFirstRow NOTIFY rowsScrolled)
    /// Default: the font of the application.
    Q_PROPERTY(QFont font READ font WRITE setFont NOTIFY fontChanged)

public:
    explicit TimelineItem(QQuickItem *parent = nullptr);
    ~TimelineItem() override;

    [[nodiscard]] QObject *sourceObject() const;
    void setSourceObject(QObject *source);
    [[nodiscard]] AgentSource *source() const;
    void setSpan(double span);
    [[nodiscard]] double span() const;
    void setFollow(bool follow);
    [[nodiscard]] bool follow() const;
    void setShowFuture(bool show);
    [[nodiscard]] bool showsFuture() const;
    void setCurrentAgent(const QUuid &instanceId);
    [[nodiscard]] QUuid currentAgent() const;
    void setFirstRow(int row);
    [[nodiscard]] int firstRow() const;
    [[nodiscard]] int lastFirstRow() const;
    void setFont(const QFont &font);
    [[nodiscard]] QFont font() const { return m_font; }
    [[nodiscard]] QString description() const;
    [[nodiscard]] QString hoveredText() const { return m_hoveredText; }

    void paint(QPainter *painter) override;

Q_SIGNALS:
    void sourceChanged();
    void viewChanged();
    void currentAgentChanged(const QUuid &instanceId);
    void descriptionChanged();
    void hoveredTextChanged();
    void rowsScrolled();
    void fontChanged();
    /// A mark was double-clicked or Return was pressed. `sequence` is that of its event, see
    /// EventHeader; `time` is in milliseconds since 1970.
    void markActivated(const QUuid &instanceId, qint64 time, quint64 sequence);

protected:
    bool event(QEvent *event) override;
    void geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry) override;
    void itemChange(ItemChange change, const ItemChangeData &data) override;

private:
    void updateSurface();
    void setHoveredText(const QString &text);

    const std::unique_ptr<TimelineCanvas> m_canvas;
    SourceProperty *const m_source;
    QFont m_font;
    QString m_hoveredText;
};

} // namespace Rekindle
