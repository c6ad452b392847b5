// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "outputchannel_p.h"

#include <rekindle/policy/lifecycleevent.h>

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace Rekindle {

class Messages;
class RestartPolicyEvaluator;

/// Writes each event as a line of CloudEvents JSON or of text. If lines were dropped, the next line
/// that can be written is a gap marker with their number, in JSON of type `rekindle.events.gap.v1`.
class EventStream : public QObject
{
    Q_OBJECT

public:
    enum class Pace {
        EachLine, ///< one write for each event, immediately
        EachPass, ///< one write for all events of a pass of the event loop
    };

    enum class Format {
        CloudEvents,
        Text, ///< "rekindle: AGENT: what happened"; not AgentOutput, whose lines are shown anyway
        TextWithTime, ///< the same after the time
    };

    EventStream(RestartPolicyEvaluator &evaluator, Messages &messages, Pace pace,
                Format format = Format::CloudEvents);
    ~EventStream() override;

    /// Adds the target of the option --events: a file in an existing folder, or - for stderr.
    /// An error ends the command.
    void addNamed(const QString &target);

    /// Adds a channel, unless it is null. `name` is for messages, and for dropped() if `subscriber`
    /// is empty.
    void add(std::shared_ptr<OutputChannel> channel, const QString &name,
             const QString &subscriber = {});

    /// Opens the file of addNamed() again, because another program has renamed it. Reports an error
    /// and continues with the open file if that fails.
    void reopen();

    /// The subscribers that dropped() can report: "stdout", "stderr", and "events" for a file.
    [[nodiscard]] QStringList subscribers() const;

Q_SIGNALS:
    /// `total` lines were lost for this subscriber since the start.
    void dropped(const QString &subscriber, quint64 total);

private:
    struct Target
    {
        std::shared_ptr<OutputChannel> channel;
        QString name;
        QString subscriber;
        QString file{};   ///< empty for a standard stream
        quint64 gap = 0;  ///< lines dropped since the last one that was written
        quint64 lost = 0; ///< lines dropped in total
    };

    struct Line
    {
        qsizetype end = 0; ///< in m_lines
        quint64 sequence = 0;
        UtcTime time{};
    };

    void watch(const Target &target);
    void take(const LifecycleEvent &event);
    void appendText(const LifecycleEvent &event);
    void flush();
    void write(Target &target);
    [[nodiscard]] QByteArray gapLine(const Target &target, const Line &next) const;

    RestartPolicyEvaluator &m_evaluator;
    Messages &m_messages;
    const Pace m_pace;
    const Format m_format;
    QString m_source;
    QByteArray m_lines; ///< not written yet
    std::vector<Line> m_ends;
    std::vector<Target> m_targets;
};

} // namespace Rekindle
