// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commandrun.h"

#include "state/statecontents_p.h"

#include <QRandomGenerator>
#include <QTemporaryDir>

#include <memory>

namespace Rekindle {

/// One `rekindle up` after the other on one state file, each killed with SIGKILL at a random
/// moment, and held against what the file said before and after. Agent a crashes at once, for ever;
/// b runs.
class KilledHosts : public QObject
{
    Q_OBJECT

public:
    /// `policy` is that of both agents.
    KilledHosts(const QJsonObject &policy, quint32 seed, int lives);

    void begin();
    /// All lives are over, or something was wrong.
    [[nodiscard]] bool isOver() const { return m_lives == 0 || !m_fault.isEmpty(); }

    /// What was wrong, with the life in which it was; empty if nothing.
    [[nodiscard]] QString fault() const { return m_fault; }
    /// Lives that began with an agent in the middle of something.
    [[nodiscard]] int resumed() const { return m_resumed; }
    /// What the last file remembers of agent a.
    [[nodiscard]] InstanceMemory last() const { return m_memory.value_or(InstanceMemory{}); }

private:
    void chooseTheEnd();
    void look();
    void kill();
    void finished();
    void readFile();
    void expect(bool holds, const char *rule);

    void checkLife();
    void checkBeginning();
    void checkFile();
    [[nodiscard]] QList<QJsonObject> events() const;

    QTemporaryDir m_folder;
    QString m_config;
    QString m_path;
    QRandomGenerator m_random;
    int m_lives;
    int m_number = 0; ///< of this life
    int m_resumed = 0;
    int m_linesToCome = 0;
    QString m_fault;

    std::unique_ptr<CommandRun> m_host;
    QByteArray m_output;
    std::optional<StateContents> m_before;
    std::optional<StateContents> m_after;
    std::optional<InstanceMemory> m_memory; ///< of agent a, in the file
};

} // namespace Rekindle
