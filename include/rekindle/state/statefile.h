// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/state/export.h>

#include <QObject>
#include <QString>

#include <chrono>
#include <memory>

class QUuid;

namespace Rekindle {

class AgentGroups;
class AgentSupervisor;
class SharedBreakers;

/// The options of a StateFile. A value out of range is replaced by the nearest valid value.
struct StateFileOptions
{
    /// The file, created with mode 0600. A missing folder is created with mode 0700.
    QString path{};

    /// The program has chosen the path, and not a user, who could have named a file of another kind
    /// by mistake: such a file is treated like a damaged state file.
    bool isOwnPath = false;

    /// Minimum time between two writes, 1 s .. 1 min. Only the first change and the first failure
    /// of each agent are written at once, and all changes at flush(). SIGKILL loses the changes of
    /// this time.
    std::chrono::milliseconds writeInterval{1'000};

    /// The data of a removed agent is deleted this long after a host first ran without the agent,
    /// 1 h .. 365 d.
    std::chrono::hours retention = std::chrono::days(7);

    /// Maximum time that close() waits for the disk, 0 .. 1 min.
    std::chrono::milliseconds closeTimeout{5'000};

    /// The id of this run of the host, which is stored for StateFile::previousRun(). Empty: none.
    QString run{};

    /// The boot id, for tests; empty: the boot id of the system.
    QString bootId{};
};

/// Stores attempts, breaker states, windows and pending starts of a supervisor's agents in a file.
/// If the host is killed and started again, the limits on a crash loop still apply, and pending
/// restarts still take place (docs/state.md). Agents are identified by name.
///
/// ```
/// Rekindle::StateFile state(supervisor, {.path = path});
/// state.open();
/// // supervisor.add(...)
/// state.startAll(); // instead of supervisor.startAll()
/// ```
///
/// A separate thread writes the first change and the first failure of each agent at once, and other
/// changes once per writeInterval. A restart that follows a first failure waits for its write, for
/// at most 100 ms, in case the agent kills its host. Otherwise, only open(), flush() and close()
/// wait for the disk. A failed write is retried once per writeInterval.
///
/// Use it from the supervisor's thread. If the supervisor is destroyed first,
/// pending changes are written, a warning is logged, and the file is closed.
class REKINDLE_STATE_EXPORT StateFile : public QObject
{
    Q_OBJECT

public:
    StateFile(AgentSupervisor &supervisor, const StateFileOptions &options,
              QObject *parent = nullptr);

    /// Writes pending changes. Without close(), the next host continues as after a crash.
    ~StateFile() override;

    /// Locks the file for this host and reads it. Returns false if another host uses the file, if
    /// the folder is not writable, or if the path is a symbolic link or a file of another kind,
    /// which stays unchanged; then failed() is emitted, and nothing is stored. A damaged state file
    /// is moved aside (movedAside()), and a new one is created. Blocks.
    bool open();

    /// Returns whether open() has succeeded and close() has not been called.
    [[nodiscard]] bool isOpen() const;

    /// Also stores these breakers, by name. They are restored before the first agent is started, so
    /// SharedBreakers::setBreakers() must be called before. Null: none are stored.
    void setSharedBreakers(SharedBreakers *breakers);

    /// Also stores the failures of these groups, and which have given up. They are restored in the
    /// same way, so AgentGroups::setGroups() must be called before. Null: none are stored.
    void setGroups(AgentGroups *groups);

    /// Starts an agent. At the first call for an agent, it continues from the state in which the
    /// last host was killed; see RestartPolicyEvaluator::resume().
    void start(const QUuid &instanceId);
    /// In the order of AgentSupervisor::add(). An agent with a manual start is started only if it
    /// was started on request and the last host was killed.
    void startAll();

    /// Returns the number of agents that continued from a stored state, without those that were
    /// only started and those that remain given up.
    [[nodiscard]] int resumedCount() const;

    /// Writes pending changes at once and blocks until they are on the disk, for at most `limit`.
    /// Returns false if they are not; they are still written later. Does not wait while writing
    /// fails.
    bool flush(std::chrono::milliseconds limit = std::chrono::milliseconds(500));

    /// Returns StateFileOptions::run of the host that wrote the file that open() has read. Empty if
    /// it stored none, or if the machine was booted since.
    [[nodiscard]] QString previousRun() const;

    /// Records an orderly exit of the host, which counts as a stop of every agent. The next host
    /// begins fresh sequences and clears the failure counts of closed breakers. Open breakers are
    /// restored, and isolation ends. Blocks for up to
    /// closeTimeout. Returns false if the file could not be written.
    bool close();

    /// Returns the number of completed writes.
    [[nodiscard]] quint64 writeCount() const;

Q_SIGNALS:
    /// Emitted if the file cannot be opened, read or written; once until resumed(). `reason` is a
    /// sentence without a period.
    void failed(const QString &reason);

    /// Emitted when a write succeeds after failed().
    void resumed();

    /// Emitted when an unusable file was moved to `aside`.
    void movedAside(const QString &aside, const QString &reason);

    /// Emitted after each write.
    void written();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
