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

/// Writes each event as a line of CloudEvents JSON, as it happens or together with the others of
/// the same pass of the event loop. Where lines had to be dropped, a line of type
/// `rekindle.events.gap.v1` says how many, as soon as there is room again.
class EventStream : public QObject
{
    Q_OBJECT

public:
    enum class Pace {
        EachLine, ///< a write for every line, as it happens
        EachPass, ///< one for the lines of a pass of the event loop, before that sleeps again
    };

    EventStream(RestartPolicyEvaluator &evaluator, Messages &messages, Pace pace);
    ~EventStream() override;

    /// As the option --events names it: a file whose folder must be there, or - for stderr. False
    /// if it cannot be opened, which is then said.
    bool addNamed(const QString &target);

    /// To a file, which is appended to. False if it cannot be opened, which is then said.
    bool addFile(const QString &path);

    /// To an open end, if there is one; `name` is for messages, and for dropped() if that has no
    /// `subscriber`.
    void add(std::shared_ptr<OutputChannel> channel, const QString &name,
             const QString &subscriber = {});

    /// Whom there is to lose something: "stdout", "stderr", and "events" for a file.
    [[nodiscard]] QStringList subscribers() const;

Q_SIGNALS:
    /// `total` lines were lost for this subscriber up to now.
    void dropped(const QString &subscriber, quint64 total);

private:
    struct Target
    {
        std::shared_ptr<OutputChannel> channel;
        QString name;
        QString subscriber;
        quint64 gap = 0;  ///< dropped since the last line that was written
        quint64 lost = 0; ///< dropped in all
    };

    struct Line
    {
        qsizetype end = 0; ///< in m_lines
        quint64 sequence = 0;
        UtcTime time{};
    };

    void take(const LifecycleEvent &event);
    void flush();
    void write(Target &target);
    [[nodiscard]] QByteArray gapLine(const Target &target, const Line &next) const;

    RestartPolicyEvaluator &m_evaluator;
    Messages &m_messages;
    const Pace m_pace;
    QString m_source;
    QByteArray m_lines; ///< what was not written yet
    std::vector<Line> m_ends;
    std::vector<Target> m_targets;
};

} // namespace Rekindle
