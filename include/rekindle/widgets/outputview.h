// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>
#include <rekindle/widgets/export.h>

#include <QPlainTextEdit>
#include <QPointer>
#include <QTimer>
#include <QUuid>

#include <deque>

namespace Rekindle {

/// Shows the output of an agent, without escape sequences. It scrolls to the newest line, unless
/// the user has scrolled up. Lines of stderr begin with "stderr │" and are bold. If the agent is
/// removed or its host becomes unavailable, a remark is added, and the text remains.
class REKINDLE_WIDGETS_EXPORT OutputView : public QPlainTextEdit
{
    Q_OBJECT
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource)
    Q_PROPERTY(QUuid agent READ agent WRITE setAgent)
    Q_PROPERTY(Streams streams READ streams WRITE setStreams)
    Q_PROPERTY(int lines READ lines WRITE setLines)
    Q_PROPERTY(bool wrap READ isWrapping WRITE setWrapping)

public:
    enum class Stream { Output = 1, Error = 2 };
    Q_DECLARE_FLAGS(Streams, Stream)
    Q_FLAG(Streams)

    static constexpr int defaultLines = 5000;

    explicit OutputView(QWidget *parent = nullptr);

    /// Nothing is shown before setAgent(). Earlier lines of an agent of this process are shown if
    /// they were stored, see AgentSource::followOutput().
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const { return m_source; }

    /// Shows the newest lines of an agent and all lines that follow. An agent that is not known yet
    /// is shown as soon as its host is available.
    void setAgent(const QUuid &agent);
    [[nodiscard]] QUuid agent() const { return m_agent; }

    /// Selects the streams to show, and reads the newest lines again. Default: both streams.
    void setStreams(Streams streams);
    [[nodiscard]] Streams streams() const { return m_streams; }

    /// Sets the maximum number of lines, at least 1. The oldest ones are removed.
    void setLines(int lines);
    [[nodiscard]] int lines() const { return maximumBlockCount(); }

    /// Sets whether long lines are wrapped. Default: false.
    void setWrapping(bool wrap);
    [[nodiscard]] bool isWrapping() const { return lineWrapMode() != NoWrap; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Line
    {
        QString text{};
        bool isBold = false;
    };

    void connectSource();
    void read();
    void receive(const OutputLine &line);
    void remark(const QString &text);
    void add(Line line);
    void updateText();
    void insertPending();

    QPointer<AgentSource> m_source;
    QUuid m_agent;
    Streams m_streams{Streams(Stream::Output) | Stream::Error};
    std::deque<Line> m_pending; ///< since the last update
    QTimer m_timer;
};

} // namespace Rekindle

Q_DECLARE_OPERATORS_FOR_FLAGS(Rekindle::OutputView::Streams)
