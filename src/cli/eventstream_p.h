// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "outputchannel_p.h"

#include <rekindle/policy/lifecycleevent.h>

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace Rekindle {

class Messages;
class RestartPolicyEvaluator;

/// Writes each event as a line of CloudEvents JSON, as it happens. Where lines had to be dropped,
/// a line of type `rekindle.events.gap.v1` says how many, as soon as there is room again.
class EventStream : public QObject
{
    Q_OBJECT

public:
    EventStream(RestartPolicyEvaluator &evaluator, Messages &messages);
    ~EventStream() override;

    /// To a file, which is appended to. False if it cannot be opened, which is then said.
    bool addFile(const QString &path);

    /// To an open end, if there is one; `name` is for messages.
    void add(std::shared_ptr<OutputChannel> channel, const QString &name);

private:
    struct Target
    {
        std::shared_ptr<OutputChannel> channel;
        QString name;
        quint64 gap = 0;  ///< dropped since the last line that was written
        quint64 lost = 0; ///< dropped in all
    };

    void write(const LifecycleEvent &event);
    [[nodiscard]] QByteArray gapLine(const Target &target, const EventHeader &next) const;

    RestartPolicyEvaluator &m_evaluator;
    Messages &m_messages;
    QString m_source;
    std::vector<Target> m_targets;
};

} // namespace Rekindle
