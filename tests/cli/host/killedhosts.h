// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commandrun.h"

#include "state/statecontents_p.h"

#include <QRandomGenerator>
#include <QTemporaryDir>

#include <memory>

namespace Rekindle {

/// Runs one `rekindle up` after another with one state file. Each is killed with SIGKILL at a
/// random time and compared with the file before and after. Agent a always crashes immediately; b
/// runs.
class KilledHosts : public QObject
{
    Q_OBJECT

public:
    /// `policy` is the policy of both agents.
    KilledHosts(const QJsonObject &policy, quint32 seed, int lives);

    void begin();
    /// All hosts have run, or a check failed.
    [[nodiscard]] bool isOver() const { return m_lives == 0 || !m_fault.isEmpty(); }

    /// The failed check with the number of the host, or an empty text.
    [[nodiscard]] QString fault() const { return m_fault; }
    /// The number of hosts that resumed an agent.
    [[nodiscard]] int resumed() const { return m_resumed; }
    /// The state of agent a in the last file.
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
